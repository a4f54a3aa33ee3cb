package pictures

import (
	"bytes"
	"image"
	"testing"

	"bitacora/domain/clinic"
)

// FuzzRead: whatever lies in a folder of pictures, it is taken or refused. What is taken has no
// metadata, decodes to what the file shows, and is within the bounds that its header was held to.
func FuzzRead(f *testing.F) {
	small := quartered(64, 32)
	for _, format := range []string{"jpg", "png", "webp"} {
		data := encoded(f, format, small)
		f.Add(data)
		f.Add(withMetadata(format, data, 6))
		f.Add(data[:len(data)/2])
	}
	f.Add(hugePNG(60_000, 60_000))
	f.Add([]byte(svgHead + "<path/></svg>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, _, _, err := cleanSVG(data); err == nil {
			return
		}
		format := typeOf(data)
		if len(data) > 1<<16 || format == "" {
			return
		}
		clean, way, err := strip(format, data)
		if err != nil {
			return
		}
		if twice, again, err := strip(format, clean); err != nil || again != way || !bytes.Equal(twice, clean) {
			t.Fatalf("taken off twice: way %d and %d, %v", way, again, err)
		}
		config, err := configOf(format, bytes.NewReader(clean))
		if err != nil || config.Width*config.Height > 1<<18 {
			// Refused before it is decoded; the bound is smaller here, so that a run is quick.
			return
		}
		m, err := decode(format, bytes.NewReader(clean))
		if err != nil {
			return
		}
		if m.Bounds().Size() != image.Pt(config.Width, config.Height) {
			t.Fatalf("%v after a header of %d × %d", m.Bounds(), config.Width, config.Height)
		}
		turned := upright(m, way)
		b := turned.Bounds()
		turned.At(b.Min.X, b.Min.Y)
		turned.At(b.Max.X-1, b.Max.Y-1)
		crop(b.Dx(), b.Dy(), 16, 9, clinic.Focus{X: 1, Y: 1})
	})
}
