package markdown

import (
	"strings"
	"testing"

	"bitacora/domain/clinic"
)

func TestHTML(t *testing.T) {
	for text, want := range map[string]string{
		"Hola **mundo**":                   "<p>Hola <strong>mundo</strong></p>",
		"## Qué es\n\n- uno\n- dos":        "<h2>Qué es</h2>\n<ul>\n<li>uno</li>\n<li>dos</li>\n</ul>",
		"[cita](/contact)":                 `<p><a href="/contact">cita</a></p>`,
		"[fuera](https://x.example/a?b=1)": `<p><a href="https://x.example/a?b=1">fuera</a></p>`,
		"[mal](javascript:alert(1))":       "<p>mal</p>",
		"![foto](/images/a.webp)":          `<p><img src="/images/a.webp" alt="foto"></p>`,
		"![foto](https://x.example/a.png)": `<p><img alt="foto"></p>`,
		"![foto](//x.example/a.png)":       `<p><img alt="foto"></p>`,
		`<img src="/a.webp" loading="lazy" width="640" height="360" onerror="x()" style="color:red">`: `<img src="/a.webp" loading="lazy" width="640" height="360">`,
		"a <script>alert(1)</script> b":               "<p>a  b</p>",
		"<iframe src=\"https://x.example\"></iframe>": "",
		"<form action=\"/x\"><input></form>":          "",
		"# Título":                                    "Título",
		"3. tres\n4. cuatro":                          "<ol start=\"3\">\n<li>tres</li>\n<li>cuatro</li>\n</ol>",
		"a < b & c":                                   "<p>a &lt; b &amp; c</p>",
		"Llame al {{phone1}}":                         "<p>Llame al {{phone1}}</p>",
	} {
		got, err := HTML(text)
		if got = strings.TrimSpace(got); err != nil || got != want {
			t.Errorf("%q: got %q, want %q (%v)", text, got, want, err)
		}
		if again := strings.TrimSpace(Safe(got)); again != got {
			t.Errorf("%q sanitised again is %q", got, again)
		}
	}
}

func TestOwnContentLosesNothing(t *testing.T) {
	c := clinic.DefaultContent()
	for _, p := range c.Posts {
		got, err := HTML(p.Markdown)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(got, "<script") || !strings.Contains(got, "<h2>") || Safe(got) != got {
			t.Errorf("%s: %s", p.Slug, got)
		}
	}
}

func TestSafeLetsNothingActiveThrough(t *testing.T) {
	for _, text := range []string{
		`<a href="javascript:alert(1)">a</a>`, `<a href=" jav&#x09;ascript:alert(1)">a</a>`, `<svg onload=alert(1)>`,
		`<math><mi//xlink:href="data:x,<script>alert(1)</script>">`, `<img src=x onerror=alert(1)>`, `<p style="x" onclick="alert(1)">a</p>`,
		`<style>@import "x"</style>`, `<base href="//x.example">`, `<meta http-equiv="refresh" content="0">`, `<object data="x"></object>`,
		`<scr<script>ipt>alert(1)</script>`, `<a href="data:text/html,<script>alert(1)</script>">a</a>`, `<input autofocus onfocus=alert(1)>`,
	} {
		got := strings.ToLower(Safe(text))
		for _, bad := range []string{"<script", "<iframe", "<style", "<form", "<object", "<svg", "<math", "<input", "<base", "<meta", "javascript:", "data:", " on", "style="} {
			if strings.Contains(got, bad) {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
}
