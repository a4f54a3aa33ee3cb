package pictures

import (
	"image"
	"image/color"
)

// turned is a picture the right way up.
type turned struct {
	image.Image
	// way is how the picture lies, 2 to 8 as in EXIF.
	way int
}

// upright turns a picture that lies in a way of EXIF.
func upright(m image.Image, way int) image.Image {
	if way == 1 {
		return m
	}
	return turned{m, way}
}

// across says that width and height change places.
func across(way int) bool { return way >= 5 }

func (t turned) Bounds() image.Rectangle {
	size := t.Image.Bounds().Size()
	if across(t.way) {
		size.X, size.Y = size.Y, size.X
	}
	return image.Rectangle{Max: size}
}

func (t turned) At(x, y int) color.Color {
	b := t.Image.Bounds()
	right, bottom := b.Dx()-1, b.Dy()-1
	switch t.way {
	case 2:
		x = right - x
	case 3:
		x, y = right-x, bottom-y
	case 4:
		y = bottom - y
	case 5:
		x, y = y, x
	case 6:
		x, y = y, bottom-x
	case 7:
		x, y = right-y, bottom-x
	case 8:
		x, y = right-y, x
	}
	return t.Image.At(b.Min.X+x, b.Min.Y+y)
}
