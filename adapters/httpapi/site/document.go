package site

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"

	"bitacora/adapters/render"
)

// document is the build's page around whatever page it shows, taken apart at the places
// where a page is put in.
type document struct {
	// The parts before the title, the title, between it and the root's content, and after.
	top, title, middle, bottom []byte
	// complete is the last part of a page with content, which needs no words about scripts that do not come.
	complete []byte
}

const rootElement = `<div id="root">`

var (
	titleElement = regexp.MustCompile(`(?s)<title>.*?</title>`)
	lateElement  = regexp.MustCompile(`(?s)<main class="late.*?</main>`)
)

// newDocument takes the build's page apart; without a title or a root, nothing is put in.
func newDocument(page []byte) document {
	d := document{top: page}
	title := titleElement.FindIndex(page)
	if title == nil {
		return d
	}
	root := bytes.Index(page[title[1]:], []byte(rootElement))
	if root < 0 {
		return d
	}
	begin := title[1] + root + len(rootElement)
	d.top, d.title, d.middle, d.bottom = page[:title[0]], page[title[0]:title[1]], page[title[1]:begin], bytes.TrimPrefix(page[begin:], []byte("</div>"))
	d.complete = lateElement.ReplaceAll(d.bottom, nil)
	return d
}

// fill puts a page in, and the build's own title where the page has no head. The canonical
// address, if any, is added. The data is left for the browser to go on with.
func (d document) fill(p render.Page, canonical string, data []byte) []byte {
	if d.middle == nil {
		return d.top
	}
	var b bytes.Buffer
	b.Write(d.top)
	if b.WriteString(p.Head); p.Head == "" {
		b.Write(d.title)
	}
	if canonical != "" {
		address := html.EscapeString(canonical)
		b.WriteString(`<link rel="canonical" href="` + address + `"><meta property="og:url" content="` + address + `">`)
	}
	b.Write(d.middle)
	b.WriteString(p.HTML)
	// Data, not a script: the content security policy has nothing to say about it.
	b.WriteString(`</div><script type="application/json" id="page-data">`)
	b.Write(data)
	b.WriteString(`</script>`)
	if p.HTML != "" {
		b.Write(d.complete)
	} else {
		b.Write(d.bottom)
	}
	return b.Bytes()
}

// pageJSON is data as it can stand inside of a script element.
func pageJSON(data map[string]json.RawMessage) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(true)
	err := e.Encode(data)
	return bytes.TrimSpace(b.Bytes()), err
}
