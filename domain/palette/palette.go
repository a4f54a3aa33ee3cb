package palette

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Theme is a clinic's own colours: that of what is pressed, and one beside it for what stands out.
type Theme struct {
	Primary, Accent Color
}

// Default is the theme of webapp/src/ui/theme.css.
var Default = Theme{light["teal-700"], light["clay-700"]}

// The colours of the default theme that another one replaces, by the names of their custom
// properties without --color-, and those that they stand beside.
var (
	light = map[string]Color{
		"teal-50": "#eef6f5", "teal-100": "#d8eae8", "teal-200": "#b3d6d2", "teal-300": "#84bab6", "teal-400": "#519a97", "teal-500": "#2f7d7b",
		"teal-600": "#1d6665", "teal-700": "#145354", "teal-800": "#104345", "teal-900": "#0c3335", "teal-950": "#072325",
		"clay-50": "#fcf1ea", "clay-100": "#f8dfd0", "clay-400": "#dd8a5e", "clay-500": "#cc7043", "clay-700": "#984a25",
	}
	// dark are those of the dashboard in the dark.
	dark = map[string]Color{
		"teal-50": "#173336", "teal-100": "#1d4347", "teal-200": "#27575b", "teal-500": "#63b0ac", "teal-600": "#74bcb8", "teal-ink": "#9ad3cf",
		"clay-100": "#4d2c18", "clay-500": "#e09468", "clay-700": "#f3bd9d",
	}
	neutral = map[string]Color{
		"white": "#ffffff", "sand-50": "#fbf9f5", "sand-100": "#f5f1e9", "sand-200": "#e9e2d4", "ink-600": "#465862", "ink-700": "#33444e", "ink-900": "#16252d",
	}
)

// Colors are the theme's, by the names of their custom properties without --color-. A shade is as
// far from white, or from black, as the default's is from the default's own.
func (t Theme) Colors() map[string]Color {
	return t.replaced(light, lightness)
}

// lightness is that of a shade: white and black stay where they are.
func lightness(l, from, to float64) float64 {
	if l > from {
		return 1 - (1-l)*(1-to)/(1-from)
	}
	return l * to / from
}

// DarkColors are those of the dashboard in the dark: as light as the default's.
func (t Theme) DarkColors() map[string]Color {
	return t.replaced(dark, func(l, _, _ float64) float64 { return l })
}

func (t Theme) replaced(standard map[string]Color, lightness func(l, from, to float64) float64) map[string]Color {
	colors := map[string]Color{}
	for name, c := range standard {
		from, to := Default.Primary, t.Primary
		if strings.HasPrefix(name, "clay-") {
			from, to = Default.Accent, t.Accent
		}
		colors[name] = shade(c, from.oklch(), to.oklch(), lightness)
		if c == from {
			colors[name] = to
		}
	}
	return colors
}

// shade is what a colour beside one becomes beside another one.
func shade(c Color, from, to oklch, lightness func(l, from, to float64) float64) Color {
	o := c.oklch()
	return oklch{lightness(o.l, from.l, to.l), o.c * to.c / from.c, o.h + to.h - from.h}.color()
}

// Recolored is what a colour of a drawing in the default theme becomes in this one: of two hues,
// which of the two colours it comes nearer to counts. Grey stays.
func (t Theme) Recolored(c Color) Color {
	const grey = 0.008
	o := c.oklch()
	if o.c < grey {
		return c
	}
	from, to := Default.Primary.oklch(), t.Primary.oklch()
	if other := Default.Accent.oklch(); math.Cos(o.h-other.h) > math.Cos(o.h-from.h) {
		from, to = other, t.Accent.oklch()
	}
	return shade(c, from, to, lightness)
}

// CSS is a stylesheet that replaces the default theme.
func (t Theme) CSS() string {
	return ":root{" + properties(t.Colors()) + "}\n@media screen{:root[data-theme=\"dark\"]{" + properties(t.DarkColors()) + "}}\n"
}

func properties(colors map[string]Color) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(colors)) {
		fmt.Fprintf(&b, "--color-%s:%s;", name, colors[name])
	}
	return b.String()
}

// What WCAG 2.2 asks of text, and of what is not text, at level AA.
const (
	textContrast = 4.5
	signContrast = 3
)

// pair is two colours of which one is seen on the other.
type pair struct {
	what     string
	over, on string
	least    float64
}

// pairs are those of the webapp in which a colour of the theme stands.
var pairs = []pair{
	{"the text of buttons", "white", "teal-700", textContrast},
	{"the text of a button that is pressed", "white", "teal-800", textContrast},
	{"links and buttons", "teal-700", "white", textContrast},
	{"links in a menu", "teal-700", "sand-200", textContrast},
	{"links under the pointer", "teal-700", "teal-50", textContrast},
	{"a button that is pressed", "teal-700", "teal-100", textContrast},
	{"headings", "teal-900", "sand-100", textContrast},
	{"text on a tinted ground", "ink-600", "teal-50", textContrast},
	{"text on a strongly tinted ground", "ink-900", "teal-100", textContrast},
	{"the bar at the top", "teal-100", "teal-900", textContrast},
	{"the foot of the page", "teal-100", "teal-950", textContrast},
	{"icons in the bar at the top", "teal-300", "teal-900", signContrast},
	{"the frame around what has the focus", "teal-600", "sand-100", signContrast},
	{"badges", "white", "clay-700", textContrast},
	{"what stands out", "clay-700", "white", textContrast},
	{"what stands out on a tinted ground", "clay-700", "clay-100", textContrast},
	{"text on a ground that stands out", "ink-600", "clay-50", textContrast},
	{"icons that stand out", "clay-500", "white", signContrast},
	{"the tagline at the foot of the page", "clay-400", "teal-950", textContrast},
}

func (p pair) isAccent() bool {
	return strings.HasPrefix(p.over, "clay-") || strings.HasPrefix(p.on, "clay-")
}

// Unreadable is a pair of colours with too little contrast.
type Unreadable struct {
	// Accent says that the accent is to blame, and not the primary colour.
	Accent bool
	Text   string
}

// Unreadable lists what could not be read, the worst of each colour first.
func (t Theme) Unreadable() []Unreadable {
	colors := t.Colors()
	maps.Copy(colors, neutral)
	type found struct {
		Unreadable
		lacks float64
	}
	var all []found
	for _, p := range pairs {
		over, on := colors[p.over], colors[p.on]
		if has := Contrast(over, on); has < p.least {
			all = append(all, found{Unreadable{
				p.isAccent() && (neutral[p.over]+neutral[p.on] != "" || strings.HasPrefix(p.on, "clay-") || Contrast(over, light[p.on]) < p.least),
				fmt.Sprintf("%s would be %s on %s, a contrast of %.2f:1; WCAG AA asks for %.1f:1", p.what, over, on, has, p.least),
			}, p.least / has})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.lacks, a.lacks) })
	list := make([]Unreadable, len(all))
	for i, f := range all {
		list[i] = f.Unreadable
	}
	return list
}
