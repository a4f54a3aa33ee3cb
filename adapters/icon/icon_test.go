package icon

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

func TestAnIconShowsItsLettersInTheMiddle(t *testing.T) {
	for _, letters := range []string{"S", "SN", "IÑ", "WW", "3"} {
		i, err := New(letters, "#6b1f3a")
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := i.PNG(192)
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := png.Decode(bytes.NewReader(encoded))
		if err != nil {
			t.Fatal(err)
		}
		if got := color.RGBAModel.Convert(drawn.At(0, 0)); got != (color.RGBA{0x6b, 0x1f, 0x3a, 0xff}) {
			t.Errorf("%s: the ground is %v", letters, got)
		}
		left, right, top, bottom, white := 192, 0, 192, 0, 0
		for y := range 192 {
			for x := range 192 {
				if r, g, _, _ := drawn.At(x, y).RGBA(); r == 0xffff && g == 0xffff {
					white++
					left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
				}
			}
		}
		if white < 192*192/40 || left < 192/5 || right > 192*4/5 || top < 192/5 || bottom > 192*4/5 {
			t.Errorf("%s: %d white pixels from %d,%d to %d,%d", letters, white, left, top, right, bottom)
		}
		if off := left + right - 191; off < -3 || off > 3 {
			t.Errorf("%s: %d pixels beside the middle", letters, off)
		}
		if err := xml.Unmarshal([]byte(i.SVG()), new(struct{ XMLName xml.Name })); err != nil || !strings.Contains(i.SVG(), `fill="#6b1f3a"`) {
			t.Errorf("%s: %v in %s", letters, err, i.SVG())
		}
	}
	if i, err := New("日", "#6b1f3a"); err != nil || !i.Empty() {
		t.Errorf("a letter that the font lacks: %v, %v", i, err)
	}
}
