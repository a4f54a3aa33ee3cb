package markdown

import (
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// FuzzHTML: whatever the clinic writes, only texts reach its site: no script, style, frame or
// form, no attribute that acts, and no address that runs anything.
func FuzzHTML(f *testing.F) {
	for _, text := range []string{
		"# Hola\n\n**fuerte** [enlace](https://a.example \"x\")", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[a](javascript:alert(1))",
		"[a](java\tscript:alert(1))", "<a href='&#106;avascript:alert(1)'>x</a>", "<svg><style><!--</style><img src=x onerror=alert(1)>", "|a|b|\n|-|-|\n|<iframe>|",
		"<math><mi//xlink:href=\"data:x,<script>\">", "![x](//evil.example/x.png)", "<ol start='x'><li>", "<p lang=\"es\" style=\"position:fixed\">", "\xff\x00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		safe, err := HTML(text)
		if err != nil {
			t.Fatal(err)
		}
		z := html.NewTokenizer(strings.NewReader(safe))
		for {
			switch z.Next() {
			case html.ErrorToken:
				if err := z.Err(); !errors.Is(err, io.EOF) {
					t.Errorf("%q is no HTML: %v", safe, err)
				}
				return
			case html.CommentToken, html.DoctypeToken:
				t.Errorf("%q has a comment or a type", safe)
			case html.StartTagToken, html.SelfClosingTagToken:
				token := z.Token()
				if slices.Contains([]string{"script", "style", "iframe", "object", "embed", "form", "input", "svg", "math", "base", "link", "meta", "h1"}, token.Data) {
					t.Errorf("%q has <%s>", safe, token.Data)
				}
				for _, a := range token.Attr {
					checkAttribute(t, token.Data, a.Key, a.Val)
				}
			}
		}
	})
}

func checkAttribute(t *testing.T, element, name, value string) {
	t.Helper()
	switch name {
	case "href":
		if u, err := url.Parse(value); err != nil || !slices.Contains([]string{"", "http", "https", "mailto", "tel"}, u.Scheme) {
			t.Errorf("<%s href=%q>: %v", element, value, err)
		}
	case "src":
		if !strings.HasPrefix(value, "/") || strings.HasPrefix(value, "//") || strings.HasPrefix(value, `/\`) {
			t.Errorf("<%s src=%q>", element, value)
		}
	case "alt", "width", "height", "loading", "lang", "start", "rel", "align":
	default:
		t.Errorf("<%s %s=%q>", element, name, value)
	}
}
