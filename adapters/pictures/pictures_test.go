package pictures

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gen2brain/avif"
	"github.com/gen2brain/webp"

	"bitacora/domain/clinic"
)

var corners = []color.RGBA{{200, 30, 30, 255}, {30, 200, 30, 255}, {5, 5, 10, 255}, {250, 250, 240, 255}}

// quartered is a picture whose four quarters have a colour each: red and green above, black and white below.
func quartered(width, height int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetRGBA(x, y, corners[2*(2*y/height)+2*x/width])
		}
	}
	return m
}

func encoded(t testing.TB, format string, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch format {
	case "jpg":
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: 95})
	case "png":
		err = png.Encode(&b, m)
	case "webp":
		err = webp.Encode(&b, m, webp.Options{Quality: 95})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// exifWith is EXIF that tells a way up, and where a picture was taken.
func exifWith(way int) []byte {
	exif := exifOf(way)
	return append(exif[:len(exif)-4], []byte("\x00\x00\x00\x00GPSLatitude 8.98 CAMERA")...)
}

// withMetadata puts into a picture what cameras and programs leave in it.
func withMetadata(format string, data []byte, way int) []byte {
	segment := func(marker byte, content []byte) []byte {
		return append([]byte{0xff, marker, byte((len(content) + 2) >> 8), byte(len(content) + 2)}, content...)
	}
	switch format {
	case "jpg":
		return slices.Concat(data[:2],
			segment(jpegApp1, append(slices.Clone(exifPrefix), exifWith(way)...)), segment(jpegApp1, []byte("http://ns.adobe.com/xap/1.0/\x00SECRET")),
			segment(0xed, []byte("Photoshop SECRET")), segment(0xe2, []byte("ICC_PROFILE\x00SECRET")), segment(jpegComment, []byte("SECRET")),
			data[2:], []byte("ftypmp42 SECRET"))
	case "png":
		return slices.Concat(data[:33], pngChunk("eXIf", exifWith(way)), pngChunk("tEXt", []byte("Comment\x00SECRET")), data[33:], []byte("SECRET"))
	default: // an extended header of the size that the test has: 64 × 32
		head := riffChunk("VP8X", []byte{0x08 | 0x04 | 0x20, 0, 0, 0, 63, 0, 0, 31, 0, 0})
		body := slices.Concat([]byte("WEBP"), head, riffChunk("ICCP", []byte("SECRET")), data[12:], riffChunk("EXIF", exifWith(way)), riffChunk("XMP ", []byte("SECRET")))
		return riffChunk("RIFF", body)
	}
}

// near says that two colours are the same but for what a format loses.
func near(a, b color.Color) bool {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	off := func(x, y uint32) bool { return max(x, y)-min(x, y) > 0x0800 }
	return !off(ar, br) && !off(ag, bg) && !off(ab, bb)
}

// cornersOf are the colours in the middle of a picture's quarters.
func cornersOf(m image.Image) []color.Color {
	b := m.Bounds()
	var all []color.Color
	for _, at := range [][2]int{{1, 1}, {3, 1}, {1, 3}, {3, 3}} {
		all = append(all, m.At(b.Min.X+at[0]*b.Dx()/4, b.Min.Y+at[1]*b.Dy()/4))
	}
	return all
}

// TestNothingButThePictureIsKept: no place, no time, no comment, nothing after the end, in any
// format; and what is shown stays the same, the right way up.
func TestNothingButThePictureIsKept(t *testing.T) {
	// Which quarter of the picture as it lies is shown at the upper left, upper right, lower left
	// and lower right: by the definition of EXIF's Orientation.
	shown := map[int][4]int{1: {0, 1, 2, 3}, 2: {1, 0, 3, 2}, 3: {3, 2, 1, 0}, 4: {2, 3, 0, 1}, 5: {0, 2, 1, 3}, 6: {2, 0, 3, 1}, 7: {3, 1, 2, 0}, 8: {1, 3, 0, 2}}
	for _, format := range []string{"jpg", "png", "webp"} {
		plain := encoded(t, format, quartered(64, 32))
		for way, want := range shown {
			clean, got, err := strip(format, withMetadata(format, plain, way))
			if err != nil || got != way {
				t.Fatalf("%s, way %d: %d, %v", format, way, got, err)
			}
			for _, word := range []string{"GPS", "CAMERA", "SECRET", "Photoshop", "ICC", "xap", "tEXt", "XMP", "ftyp"} {
				if bytes.Contains(clean, []byte(word)) {
					t.Errorf("%s, way %d: %s is left", format, way, word)
				}
			}
			twice, again, err := strip(format, clean)
			if err != nil || again != way || !bytes.Equal(twice, clean) {
				t.Errorf("%s, way %d: taken off twice it is another file, way %d, %v", format, way, again, err)
			}
			m, err := decode(format, bytes.NewReader(clean))
			if err != nil {
				t.Fatalf("%s, way %d: %v", format, way, err)
			}
			m = upright(m, way)
			if size := m.Bounds().Size(); (size == image.Pt(32, 64)) != (way >= 5) {
				t.Errorf("%s, way %d: %v", format, way, size)
			}
			for i, c := range cornersOf(m) {
				if !near(c, corners[want[i]]) {
					t.Errorf("%s, way %d: corner %d is %v, want %v", format, way, i, c, corners[want[i]])
				}
			}
		}
	}
}

// folder is a directory of content with one picture.
func folder(name string, data []byte) fstest.MapFS {
	return fstest.MapFS{"images/" + name: {Data: data}}
}

func hero(format string) clinic.Picture {
	return clinic.Picture{Name: "hero/1", Type: format, Focus: clinic.Focus{X: 0.5, Y: 0.5}}
}

// hugePNG says that it has very many pixels, and has none.
func hugePNG(width, height uint32) []byte {
	head := fmt.Appendf(nil, "%s", []byte{
		byte(width >> 24), byte(width >> 16), byte(width >> 8), byte(width),
		byte(height >> 24), byte(height >> 16), byte(height >> 8), byte(height), 8, 2, 0, 0, 0})
	return slices.Concat(pngStart, pngChunk("IHDR", head), pngChunk("IDAT", []byte{1}), pngChunk("IEND", nil))
}

func TestWhatIsNoPictureForThePlaceIsRefused(t *testing.T) {
	whole := encoded(t, "jpg", quartered(1200, 900))
	moves := riffChunk("RIFF", slices.Concat([]byte("WEBP"), riffChunk("VP8X", []byte{webpMoves, 0, 0, 0, 63, 0, 0, 31, 0, 0})))
	for name, c := range map[string]struct {
		format string
		data   []byte
		says   string
	}{
		"empty":               {"jpg", nil, "images/hero/1.jpg: is empty"},
		"text":                {"jpg", []byte("Hola"), "is no JPEG, PNG or WebP"},
		"another type":        {"png", whole, "is jpg and not what its name says"},
		"cut in its header":   {"jpg", whole[:40], "cut off or damaged"},
		"cut in the middle":   {"jpg", whole[:len(whole)/2], "cut off or damaged"},
		"small":               {"jpg", encoded(t, "jpg", quartered(800, 600)), "has 800 × 600 pixels, of which 800 × 600 remain after the crop: at least 960 × 720 are needed"},
		"small by the crop":   {"jpg", encoded(t, "jpg", quartered(2000, 600)), "of which 800 × 600 remain"},
		"bomb":                {"png", hugePNG(100_000, 100_000), "has 100000 × 100000 pixels; at most 50 million and 12000 on a side are taken"},
		"long bomb":           {"png", hugePNG(12_001, 1000), "has 12001 × 1000 pixels"},
		"broad bomb":          {"png", hugePNG(8000, 8000), "has 8000 × 8000 pixels"},
		"more than megabytes": {"jpg", append(slices.Clone(whole), make([]byte, clinic.MaxPictureBytes)...), "has more than 20 MB"},
		"moving":              {"webp", moves, "moves"},
	} {
		_, err := Read(folder("hero/1."+c.format, c.data), hero(c.format))
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	// What only decoding shows.
	damaged := encoded(t, "png", quartered(1200, 900))
	damaged[len(damaged)/2]++
	s, err := Read(folder("hero/1.PNG", damaged), hero("png"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a damaged picture is taken: %v", err)
	}
	if s, err = Read(folder("hero/1.JPEG", whole), hero("jpg")); err != nil || s.Check() != nil {
		t.Errorf("a picture is not taken: %v", err)
	}
}

func TestACropKeepsItsFocus(t *testing.T) {
	for _, c := range []struct {
		width, height int
		focus         clinic.Focus
		want          image.Rectangle
	}{
		{1600, 1200, clinic.Focus{X: 0.5, Y: 0.5}, image.Rect(0, 0, 1600, 1200)},
		{3200, 1200, clinic.Focus{X: 0.5, Y: 0.5}, image.Rect(800, 0, 2400, 1200)},
		{3200, 1200, clinic.Focus{X: 0, Y: 0.5}, image.Rect(0, 0, 1600, 1200)},
		{3200, 1200, clinic.Focus{X: 1, Y: 1}, image.Rect(1600, 0, 3200, 1200)},
		{1600, 2400, clinic.Focus{X: 0.5, Y: 0.25}, image.Rect(0, 0, 1600, 1200)},
		{1600, 2400, clinic.Focus{X: 0.5, Y: 0.5}, image.Rect(0, 600, 1600, 1800)},
		{1, 1, clinic.Focus{X: 1, Y: 1}, image.Rect(0, 0, 1, 1)},
	} {
		if got := crop(c.width, c.height, 4, 3, c.focus); got != c.want {
			t.Errorf("%d × %d around %v: %v, want %v", c.width, c.height, c.focus, got, c.want)
		}
	}
	p := hero("png")
	p.Focus = clinic.Focus{X: 0.25, Y: 0.5}
	s, err := newSource(p, encoded(t, "png", image.NewGray(image.Rect(0, 0, 4000, 1500))))
	if err != nil || s.Picture.Shown != (clinic.Focus{X: 0.5, Y: 0.5}) {
		t.Errorf("the focus lies at %v of the crop, %v", s.Picture.Shown, err)
	}
}

// TestEveryFileIsWhatItsNameSays makes the files of a picture of each kind of place.
func TestEveryFileIsWhatItsNameSays(t *testing.T) {
	for _, slot := range clinic.PictureSlots {
		name := slot.Name
		if slot.Of != "" {
			name += "/1"
		}
		format := "jpg"
		if slot.Logo() {
			format = "png"
		}
		p := clinic.Picture{Name: name, Type: format, Focus: clinic.Focus{X: 0.5, Y: 0.5}}
		s, err := Read(folder(name+"."+format, withMetadata(format, encoded(t, format, quartered(1000, 1000)), 1)), p)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		made := map[string]bool{}
		err = s.Make(t.Context(), func(f clinic.PictureFile, data []byte) error {
			made[f.Name] = true
			config, err := map[string]func() (image.Config, error){
				"avif": func() (image.Config, error) { return avif.DecodeConfig(bytes.NewReader(data)) },
				"webp": func() (image.Config, error) { return webp.DecodeConfig(bytes.NewReader(data)) },
				"jpg":  func() (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(data)) },
				"png":  func() (image.Config, error) { return png.DecodeConfig(bytes.NewReader(data)) },
			}[f.Type]()
			if err != nil || config.Width != f.Width || config.Height != f.Height {
				t.Errorf("%s: %s is %d × %d, want %d × %d, %v", name, f.Name, config.Width, config.Height, f.Width, f.Height, err)
			}
			if bytes.Contains(data, []byte("SECRET")) || bytes.Contains(data, []byte("Exif")) {
				t.Errorf("%s: %s has metadata", name, f.Name)
			}
			return nil
		})
		if err != nil || len(made) != len(s.Picture.Files()) || len(made) == 0 {
			t.Errorf("%s: %d files, %v", name, len(made), err)
		}
		again, err := newSource(p, s.Original)
		if err != nil || again.Picture.Key != s.Picture.Key {
			t.Errorf("%s: what is kept makes other files, %v", name, err)
		}
		p.Focus.X = 0.2
		if moved, err := newSource(p, s.Original); err != nil || moved.Picture.Key == s.Picture.Key {
			t.Errorf("%s: another focus has the same address, %v", name, err)
		}
	}
}

// A picture shows what the original shows, in every format, also where it lay on its side and where
// it lets its ground through.
func TestAPictureLooksAsItsOriginal(t *testing.T) {
	side := image.NewNRGBA(image.Rect(0, 0, 960, 1280))
	for y := range 1280 {
		for x := range 960 {
			side.Set(x, y, corners[2*(2*y/1280)+2*x/960])
		}
	}
	s, err := newSource(hero("png"), withMetadata("png", encoded(t, "png", side), 6))
	if err != nil {
		t.Fatal(err)
	}
	err = s.Make(t.Context(), func(f clinic.PictureFile, data []byte) error {
		var m image.Image
		var err error
		if f.Type == "avif" {
			m, err = avif.Decode(bytes.NewReader(data))
		} else {
			m, err = decode("webp", bytes.NewReader(data))
		}
		if err != nil {
			return err
		}
		for i, c := range cornersOf(m) {
			if want := corners[[]int{2, 0, 3, 1}[i]]; !near(c, want) {
				t.Errorf("%s: corner %d is %v, want %v", f.Name, i, c, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	s, err = newSource(hero("png"), encoded(t, "png", image.NewNRGBA(image.Rect(0, 0, 960, 720))))
	if err != nil {
		t.Fatal(err)
	}
	err = s.Make(t.Context(), func(f clinic.PictureFile, data []byte) error {
		if f.Type != "webp" {
			return nil
		}
		m, err := decode("webp", bytes.NewReader(data))
		if err == nil && !near(m.At(5, 5), color.White) {
			t.Errorf("%s: what shows its ground is %v", f.Name, m.At(5, 5))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
