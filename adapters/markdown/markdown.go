// Package markdown turns the texts that the clinic writes into HTML that its site may
// show: goldmark reads them, bluemonday lets through what a text needs and nothing else.
package markdown

import (
	"bytes"
	"regexp"

	"bitacora/domain/fault"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// HTML inside of a text is kept here and judged by the policy.
var reader = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithRendererOptions(html.WithUnsafe()),
)

// HTML is a Markdown text as safe HTML.
func HTML(text string) (string, error) {
	var b bytes.Buffer
	err := reader.Convert([]byte(text), &b)
	return Safe(b.String()), fault.Wrap(err, "read Markdown")
}

// Safe is HTML without anything that does more than show a text: no script, no style, no
// frame, no form, no picture from elsewhere.
func Safe(html string) string { return policy.Sanitize(html) }

// policy leaves the first level of headings to the page around the text.
var policy = func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements("h2", "h3", "h4", "p", "br", "hr", "strong", "b", "em", "i", "del", "sub", "sup",
		"blockquote", "code", "pre", "figure", "figcaption")
	p.AllowLists()
	p.AllowAttrs("start").Matching(bluemonday.Integer).OnElements("ol")
	p.AllowTables()
	p.AllowAttrs("lang").Matching(regexp.MustCompile(`^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{2,8})*$`)).Globally()

	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true)
	p.AllowURLSchemes("https", "http", "mailto", "tel")
	p.AllowAttrs("href").OnElements("a")

	p.AllowAttrs("src").Matching(regexp.MustCompile(`^/[^/\\]`)).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(bluemonday.Integer).OnElements("img")
	p.AllowAttrs("loading").Matching(regexp.MustCompile(`^(lazy|eager)$`)).OnElements("img")
	return p
}()
