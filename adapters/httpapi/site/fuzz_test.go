package site

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"bitacora/adapters/render"
)

// FuzzPageData: what a visitor typed comes back inside of the page as the data that it is, and
// ends no script.
func FuzzPageData(f *testing.F) {
	for _, text := range []string{"Ana", "</script><script>alert(1)</script>", "<!--<script>", "\u2028", "\"\\", "\xff\x00", "&lt;/script&gt;"} {
		f.Add(text)
	}
	d := newDocument([]byte(`<title>x</title><div id="root"></div></body>`))
	f.Fuzz(func(t *testing.T, text string) {
		// As an answer of the interface is written, which needs no escape for HTML.
		var filled bytes.Buffer
		e := json.NewEncoder(&filled)
		e.SetEscapeHTML(false)
		if err := e.Encode(refusedForm{Values: map[string]string{"name": text}}); err != nil {
			t.Fatal(err)
		}
		data, err := pageJSON(map[string]json.RawMessage{"form": filled.Bytes()})
		if err != nil {
			t.Fatal(err)
		}
		page := string(d.fill(render.Page{HTML: "<p>x</p>"}, "https://clinica.example/"+text, data))
		if strings.Count(page, "<") != strings.Count(string(d.fill(render.Page{HTML: "<p>x</p>"}, "https://clinica.example/", nil)), "<") {
			t.Errorf("%q adds an element: %s", text, page)
		}
		var read struct{ Form refusedForm }
		if err := json.Unmarshal(data, &read); err != nil || utf8.ValidString(text) && read.Form.Values["name"] != text {
			t.Errorf("%q became %q, %v", text, read.Form.Values["name"], err)
		}
	})
}
