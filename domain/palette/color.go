// Package palette makes the colours of a site out of two of a clinic's own, and says whether what
// is written in them can be read.
package palette

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Color is a colour of the web without transparency, "#145354".
type Color string

// ParseColor reads a colour of six digits.
func ParseColor(text string) (Color, error) {
	if _, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32); err != nil || len(text) != 7 || text[0] != '#' {
		return "", fmt.Errorf(`%q is not like "#145354"`, text)
	}
	return Color(strings.ToLower(text)), nil
}

// linear are the red, green and blue of a colour as light, from 0 to 1.
func (c Color) linear() (rgb [3]float64) {
	for i := range rgb {
		// A colour has been read, or stands in this package.
		n, _ := strconv.ParseUint(string(c[1+2*i:3+2*i]), 16, 8)
		v := float64(n) / 255
		if v <= 0.04045 {
			rgb[i] = v / 12.92
		} else {
			rgb[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return rgb
}

func ofLinear(rgb [3]float64) Color {
	text := "#"
	for _, v := range rgb {
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		text += fmt.Sprintf("%02x", int(math.Round(255*min(max(v, 0), 1))))
	}
	return Color(text)
}

// Contrast is that of two colours as WCAG 2.2 has it, from 1 to 21.
func Contrast(a, b Color) float64 {
	brighter, darker := a.luminance(), b.luminance()
	if brighter < darker {
		brighter, darker = darker, brighter
	}
	return (brighter + 0.05) / (darker + 0.05)
}

func (c Color) luminance() float64 {
	rgb := c.linear()
	return 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
}

// oklch is a colour by how light, how strong and of which hue it looks, see the CSS Color Module.
type oklch struct{ l, c, h float64 }

func (c Color) oklch() oklch {
	rgb := c.linear()
	l := math.Cbrt(0.4122214708*rgb[0] + 0.5363325363*rgb[1] + 0.0514459929*rgb[2])
	m := math.Cbrt(0.2119034982*rgb[0] + 0.6806995451*rgb[1] + 0.1073969566*rgb[2])
	s := math.Cbrt(0.0883024619*rgb[0] + 0.2817188376*rgb[1] + 0.6299787005*rgb[2])
	a := 1.9779984951*l - 2.4285922050*m + 0.4505937099*s
	b := 0.0259040371*l + 0.7827717662*m - 0.8086757660*s
	return oklch{0.2104542553*l + 0.7936177850*m - 0.0040720468*s, math.Hypot(a, b), math.Atan2(b, a)}
}

// color is the strongest colour of the screen that looks so light and has that hue.
func (o oklch) color() Color {
	weak, strong := 0.0, o.c
	if rgb := o.linear(); shown(rgb) {
		return ofLinear(rgb)
	}
	for range 20 {
		o.c = (weak + strong) / 2
		if shown(o.linear()) {
			weak = o.c
		} else {
			strong = o.c
		}
	}
	o.c = weak
	return ofLinear(o.linear())
}

func (o oklch) linear() [3]float64 {
	a, b := o.c*math.Cos(o.h), o.c*math.Sin(o.h)
	cube := func(v float64) float64 { return v * v * v }
	l := cube(o.l + 0.3963377774*a + 0.2158037573*b)
	m := cube(o.l - 0.1055613458*a - 0.0638541728*b)
	s := cube(o.l - 0.0894841775*a - 1.2914855480*b)
	return [3]float64{
		4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.7076147010*s,
	}
}

// shown says whether a screen has a colour; a thousandth more or less is rounded away.
func shown(rgb [3]float64) bool {
	const slack = 0.001
	for _, v := range rgb {
		if v < -slack || v > 1+slack {
			return false
		}
	}
	return true
}
