package clinic

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Picture is a picture of the clinic's own, in the place of one that the site brings along.
type Picture struct {
	// Name says what it shows: the name of its file in images/ without the ending, "hero/1".
	Name string
	// Alt says in Spanish what is seen on it; empty where it only decorates.
	Alt string
	// Focus is what a crop keeps, and Shown where that lies on what the crop has left.
	Focus, Shown Focus
	// Type is the ending of the original's name, and SHA the original's digest in hexadecimal.
	Type, SHA string
	// Key names the files that are made of it: another original, crop or way to make them gives
	// another key.
	Key string
	// Width and Height are those of the largest file that is made of it.
	Width, Height int
	// Widths are those of the files that are made of it, in pixels, the smallest first; none of a logo.
	Widths []int
}

// ErrNoPicture says that a file of a picture is not there, or not any more.
var ErrNoPicture = errors.New("no such file of a picture")

// Focus is a point of a picture as shares of its width and height from the upper left corner.
type Focus struct{ X, Y float64 }

// middle is the focus of a picture of which none is told.
var middle = Focus{0.5, 0.5}

// PictureSlot is a kind of place that the site has for a picture.
type PictureSlot struct {
	// Name is the name of its pictures, or that of their folder where each is of something.
	Name string
	// Of says what a picture of the folder is named for; empty where there is one picture only.
	Of string
	// About says where the site shows it.
	About string
	// Width and Height are those of the largest file that is made of it; what differs in its ratio is
	// cropped. A logo keeps its own.
	Width, Height int
	// Widths are those of the other files.
	Widths []int
	// Least is the smallest width that an original may have after the crop.
	Least int
	// Alt says whether the picture needs a text, may do without as it decorates, or takes none.
	Alt AltRule
	// Shared says that networks show it beside a link to its page.
	Shared bool
	// Only says that networks alone show it.
	Only bool
}

// Ratio is how a picture is cut, "4:3"; a logo is not.
func (s PictureSlot) Ratio() string {
	if s.Logo() {
		return "any ratio"
	}
	return strings.Replace(big.NewRat(int64(s.Width), int64(s.Height)).String(), "/", ":", 1)
}

// AltRule says which pictures need a text in the place of the picture.
type AltRule int

// The rules for alternative texts.
const (
	// AltNeeded: what the picture shows is told nowhere else.
	AltNeeded AltRule = iota
	// AltOrDecorative: whoever gives the picture says which of both it is.
	AltOrDecorative
	// AltNone: the text beside the picture says it.
	AltNone
)

// LogoPicture is the name of the logo.
const LogoPicture = "logo"

// PictureSlots are all places for pictures.
var PictureSlots = []PictureSlot{
	{Name: LogoPicture, About: "beside the clinic's name; an SVG or a PNG", Width: 512, Height: 512, Least: 64, Alt: AltNone},
	{Name: "hero", Of: "1 to 4", About: "the home page's carousel", Width: 1600, Height: 1200, Widths: []int{640, 960, 1280}, Least: 960, Alt: AltOrDecorative},
	{Name: "welcome", About: "the home page's video", Width: 1920, Height: 1080, Widths: []int{640, 1280}, Least: 640, Alt: AltOrDecorative},
	{Name: "doctors", Of: "SLUG of a doctor", About: "portraits", Width: 960, Height: 960, Widths: []int{320, 640}, Least: 320, Alt: AltNeeded},
	{Name: "services", Of: "SLUG of a service", About: "a service's card and page", Width: 1920, Height: 1080, Widths: []int{640, 1280}, Least: 640, Alt: AltOrDecorative, Shared: true},
	{Name: "posts", Of: "SLUG of a post", About: "a post's card and page", Width: 1920, Height: 1080, Widths: []int{640, 1280}, Least: 640, Alt: AltOrDecorative, Shared: true},
	{Name: "before", About: "smile design, before the treatment", Width: 1280, Height: 720, Widths: []int{640}, Least: 640, Alt: AltNeeded},
	{Name: "after", About: "smile design, after the treatment", Width: 1280, Height: 720, Widths: []int{640}, Least: 640, Alt: AltNeeded},
	{Name: "share", About: "what networks show beside a link", Width: SharedWidth, Height: SharedHeight, Least: 600, Alt: AltNeeded, Shared: true, Only: true},
}

// The size that networks ask of a picture beside a link, in pixels.
const (
	SharedWidth  = 1200
	SharedHeight = 630
)

// What an original may have.
const (
	// MaxPictureBytes is the size of a file, and MaxPicturesBytes that of all together.
	MaxPictureBytes  = 20 << 20
	MaxPicturesBytes = 200 << 20
	// MaxPicturePixels is how many pixels a picture may have, and MaxPictureSide how many on a side.
	MaxPicturePixels = 50_000_000
	MaxPictureSide   = 12_000
	// maxAlt is how many characters a text in the place of a picture may have.
	maxAlt = 200
)

// Slot is where the site shows a picture.
func (p Picture) Slot() PictureSlot {
	slot, _ := slotOf(p.Name)
	return slot
}

// slotOf finds the place of a picture, and what the picture is of.
func slotOf(name string) (slot PictureSlot, of string) {
	folder, of, inside := strings.Cut(name, "/")
	for _, s := range PictureSlots {
		if s.Name == folder && (s.Of != "") == inside {
			return s, of
		}
	}
	return PictureSlot{}, ""
}

// Logo says that it is a logo: it keeps its ratio and what is transparent.
func (s PictureSlot) Logo() bool { return s.Name == LogoPicture }

// Original is the name of the file that the picture is made of.
func (p Picture) Original() string { return p.SHA + "." + p.Type }

// PictureFile is a file that is made of a picture for the site.
type PictureFile struct {
	Name string
	// Type is its ending: avif, webp, jpg, png or svg.
	Type          string
	Width, Height int
}

// Files are the files that are made of a picture; the first is the one for whoever reads no other.
func (p Picture) Files() []PictureFile {
	file := func(format string, width, height int) PictureFile {
		return PictureFile{fmt.Sprintf("%s-%d.%s", p.Key, width, format), format, width, height}
	}
	slot := p.Slot()
	if slot.Logo() {
		return []PictureFile{file(p.Type, p.Width, p.Height)}
	}
	var all []PictureFile
	if !slot.Only {
		for _, width := range p.Widths {
			height := (width*p.Height + p.Width/2) / p.Width
			all = append(all, file("webp", width, height), file("avif", width, height))
		}
	}
	if slot.Shared {
		all = append(all, file("jpg", SharedWidth, SharedHeight))
	}
	return all
}
