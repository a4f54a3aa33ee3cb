package palette

import (
	"maps"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
)

var property = regexp.MustCompile(`--color-([\w-]+): (#[0-9a-f]{6});`)

func declared(t *testing.T, file string) map[string]Color {
	t.Helper()
	text, err := os.ReadFile("../../webapp/src/" + file)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Color{}
	for _, m := range property.FindAllStringSubmatch(string(text), -1) {
		found[m[1]] = Color(m[2])
	}
	return found
}

func TestTheDefaultIsThatOfTheStylesheet(t *testing.T) {
	themed := func(name string, _ Color) bool {
		return !strings.HasPrefix(name, "teal-") && !strings.HasPrefix(name, "clay-")
	}
	for file, standard := range map[string]map[string]Color{"ui/theme.css": light, "dashboard/dashboard.css": dark} {
		colors := declared(t, file)
		maps.DeleteFunc(colors, themed)
		if !maps.Equal(colors, standard) {
			t.Errorf("%s declares %v, the palette knows %v", file, colors, standard)
		}
	}
	styles := declared(t, "ui/theme.css")
	for name, c := range neutral {
		if styles[name] != c {
			t.Errorf("%s is %s in the stylesheet, %s here", name, styles[name], c)
		}
	}
	if got := Default.Colors(); !maps.Equal(got, light) {
		t.Errorf("the default becomes %v", got)
	}
	if got := Default.DarkColors(); !maps.Equal(got, dark) {
		t.Errorf("the default becomes %v in the dark", got)
	}
}

func TestContrastIsThatOfWCAG(t *testing.T) {
	for _, tt := range []struct {
		a, b Color
		want float64
	}{{"#000000", "#ffffff", 21}, {"#ffffff", "#ffffff", 1}, {"#777777", "#ffffff", 4.48}, {"#ffffff", "#145354", 8.77}} {
		if got := Contrast(tt.a, tt.b); math.Abs(got-tt.want) > 0.05 {
			t.Errorf("%s on %s: %.2f, want %.2f", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestAThemeThatCannotBeReadIsRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		theme           Theme
		primary, accent string
	}{
		"default":      {Default, "", ""},
		"wine, moss":   {Theme{"#6b1f3a", "#4f6b1f"}, "", ""},
		"navy, violet": {Theme{"#1e3a8a", "#6d28d9"}, "", ""},
		"grey":         {Theme{"#404040", "#555555"}, "", ""},
		"too light":    {Theme{"#f59e0b", "#984a25"}, "a contrast of 2.15:1; WCAG AA asks for 4.5:1", ""},
		"light accent": {Theme{"#145354", "#ff9966"}, "", "on #ff9966, a contrast of 2.10:1; WCAG AA asks for 4.5:1"},
	} {
		primary, accent := "", ""
		for _, u := range tt.theme.Unreadable() {
			if u.Accent {
				accent += u.Text + "\n"
			} else {
				primary += u.Text + "\n"
			}
		}
		if (primary == "") != (tt.primary == "") || !strings.Contains(primary, tt.primary) || (accent == "") != (tt.accent == "") || !strings.Contains(accent, tt.accent) {
			t.Errorf("%s:\n%s%s", name, primary, accent)
		}
	}
}

func TestAThemeKeepsTheClinicsOwnColors(t *testing.T) {
	theme := Theme{"#6b1f3a", "#4f6b1f"}
	css := theme.CSS()
	for _, want := range []string{"--color-teal-700:#6b1f3a;", "--color-clay-700:#4f6b1f;", `@media screen{:root[data-theme="dark"]{`} {
		if !strings.Contains(css, want) {
			t.Errorf("%s is not in\n%s", want, css)
		}
	}
	for name, c := range light {
		if strings.Contains(css, string(c)) {
			t.Errorf("the default's %s is still in\n%s", name, css)
		}
	}
}

func TestParseColor(t *testing.T) {
	for text, want := range map[string]Color{"#145354": "#145354", "#ABCDEF": "#abcdef", "": "", "145354": "", "#12345": "", "#1234567": "", "#12345g": "", "#+12345": "", "red": ""} {
		if got, err := ParseColor(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}
