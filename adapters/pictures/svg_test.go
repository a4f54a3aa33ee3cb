package pictures

import (
	"strings"
	"testing"

	"bitacora/domain/clinic"
)

const svgHead = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 160 40">`

func TestADrawingIsWrittenAnew(t *testing.T) {
	const drawn = `<?xml version="1.0"?><!DOCTYPE svg><!-- Inkscape -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://www.inkscape.org/x" width="160px" height="40" i:version="1">
<metadata><i:who>Ana</i:who></metadata><i:view page="1"><path d="M9 9"/></i:view>
<style>.a > b{fill:url(#g)}</style><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient></defs>
<path class="a" d="M0 0h1" data-name="x" style="fill:url('#g')"/><title>Ana &amp; Co</title></svg>`
	clean, width, height, err := cleanSVG([]byte(drawn))
	const want = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="40" viewBox="0 0 160 40">` +
		`<style>.a &gt; b{fill:url(#g)}</style><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"></stop></linearGradient></defs>` +
		`<path class="a" d="M0 0h1" style="fill:url(&#39;#g&#39;)"></path><title>Ana &amp; Co</title></svg>`
	if err != nil || width != 160 || height != 40 || string(clean) != want {
		t.Errorf("%d × %d, %v:\n%s\nwant\n%s", width, height, err, clean, want)
	}
	if again, _, _, err := cleanSVG(clean); err != nil || string(again) != want {
		t.Errorf("written anew twice: %v\n%s", err, again)
	}
}

func TestADrawingThatDoesMoreThanShowIsRefused(t *testing.T) {
	for _, c := range []struct{ drawing, says string }{
		{svgHead + "<script>alert(1)</script></svg>", "line 1: <script> is not taken"},
		{svgHead + "\n<path onclick=\"x()\"/></svg>", "line 2: <path onclick>: is not taken: a logo runs nothing"},
		{svgHead + `<foreignObject/></svg>`, "<foreignObject> is not taken"},
		{svgHead + `<image href="https://x.example/a.png"/></svg>`, "<image> is not taken"},
		{svgHead + `<a xlink:href="https://x.example"/></svg>`, "<a> is not taken"},
		{svgHead + `<animate/></svg>`, "<animate> is not taken"},
		{svgHead + `<text>Ana</text></svg>`, "turn it into paths"},
		{svgHead + `<use xlink:href="https://x.example/a.svg#b"/></svg>`, "a logo loads nothing"},
		{svgHead + `<use href="javascript:alert(1)"/></svg>`, "a logo loads nothing"},
		{svgHead + `<path style="fill: URL( 'https://x.example/' )"/></svg>`, "a logo loads nothing"},
		{svgHead + `<path fill="url(//x.example)"/></svg>`, "a logo loads nothing"},
		{svgHead + `<style>@import "x.css"</style></svg>`, "a logo loads nothing"},
		{svgHead + `<style>a{b:u\72l(x)}</style></svg>`, "a logo loads nothing"},
		{`<!DOCTYPE svg [<!ENTITY a "b">]>` + svgHead + `&a;</svg>`, "entity"},
		{`<svg viewBox="0 0 1 1"/>`, "is no SVG"},
		{`<html xmlns="http://www.w3.org/1999/xhtml"/>`, "is no SVG"},
		{`<svg xmlns="http://www.w3.org/2000/svg"/>`, "no SVG with a viewBox"},
		{`<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="100%"/>`, "no SVG with a viewBox"},
		{svgHead, "line 1: XML syntax error"},
		{"", "no SVG"},
		{strings.Repeat(" ", maxDrawing+1), "has more than 256 kB"},
	} {
		if clean, _, _, err := cleanSVG([]byte(c.drawing)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%.80s: %v, want %q\n%s", c.drawing, err, c.says, clean)
		}
	}
}

func TestALogoIsItsOwnFile(t *testing.T) {
	s, err := Read(folder("logo.svg", []byte(svgHead+`<path d="M0 0"/></svg>`)), clinic.Picture{Name: clinic.LogoPicture, Type: "svg"})
	if err != nil {
		t.Fatal(err)
	}
	if f := s.Picture.Files(); len(f) != 1 || f[0].Width != 160 || f[0].Height != 40 {
		t.Errorf("files: %+v", f)
	}
	err = s.Make(t.Context(), func(_ clinic.PictureFile, data []byte) error {
		if string(data) != string(s.Original) {
			t.Errorf("made %s of %s", data, s.Original)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
