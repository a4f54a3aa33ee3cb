package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"regexp"
	"strings"

	"bitacora/adapters/icon"
	"bitacora/domain/clinic"
	"bitacora/domain/palette"
)

// themePath is where the stylesheet of a clinic's own colours lies.
const themePath = "theme.css"

// Of the build's page: how it says in which language and colour it is, and where its head ends.
const (
	builtLanguage = `<html lang="es"`
	builtColor    = `<meta name="theme-color" content="#0c3335" />`
	headEnd       = `</head>`
)

// identity is what shows whose site it is: files in the place of the build's, and the build's page
// as that of the clinic.
type identity struct {
	files map[string][]byte
	page  []byte
}

// identify makes the site that of a clinic. The default's looks as the build does.
func identify(build fs.FS, page []byte, c clinic.Clinic) (identity, error) {
	page = replaced(page, builtLanguage, `<html lang="`+html.EscapeString(c.Locale())+`"`)
	page = replaced(page, builtColor, `<meta name="theme-color" content="`+barColor(c)+`" />`)
	own := identity{map[string][]byte{}, page}
	if c.Theme != palette.Default {
		css := []byte(c.Theme.CSS())
		sum := sha256.Sum256(css)
		version := base64.RawURLEncoding.EncodeToString(sum[:6])
		own.files[themePath] = css
		own.page = replaced(page, headEnd, `<link rel="stylesheet" href="/`+themePath+`?`+version+`">`+headEnd)
		if err := own.recolor(build, "img/share.png", c.Theme); err != nil {
			return own, err
		}
		own.redraw(build, c.Theme)
	}
	if c.Theme == palette.Default && c.Name == clinic.Default().Name {
		return own, nil
	}
	return own, own.draw(c)
}

func replaced(page []byte, old, new string) []byte {
	return bytes.Replace(page, []byte(old), []byte(new), 1)
}

// barColor is that of the bar at the top of every page.
func barColor(c clinic.Clinic) string { return string(c.Theme.Colors()["teal-900"]) }

// smallIcon is for programs that take no drawing.
const smallIcon = "img/icon-192.png"

// draw makes the icons out of the clinic's initials.
func (own identity) draw(c clinic.Clinic) error {
	sign, err := icon.New(c.Initials(), c.Theme.Primary)
	if err != nil || sign.Empty() {
		return err
	}
	own.files["favicon.svg"] = []byte(sign.SVG())
	for _, side := range []int{180, 192, 512} {
		if own.files[fmt.Sprintf("img/icon-%d.png", side)], err = sign.PNG(side); err != nil {
			return err
		}
	}
	return nil
}

// redraw puts drawings as SVG into the colours of a theme. In the pictures the accent stays: it is that of gums.
func (own identity) redraw(build fs.FS, theme palette.Theme) {
	var shades []string
	of := theme.Colors()
	for name, shade := range palette.Default.Colors() {
		if strings.HasPrefix(name, "teal-") {
			shades = append(shades, string(shade), string(of[name]))
		}
	}
	tinted := strings.NewReplacer(shades...).Replace
	recolored := func(drawing string) string {
		return hexColor.ReplaceAllStringFunc(drawing, func(color string) string { return string(theme.Recolored(palette.Color(color))) })
	}
	for _, drawings := range []struct {
		pattern string
		changed func(string) string
	}{{"img/*.svg", tinted}, {"img/*/*.svg", tinted}, {"img/map.svg", recolored}, {"img/placeholder.svg", recolored}, {"img/doctors/*.svg", recolored}} {
		names, _ := fs.Glob(build, drawings.pattern) // the patterns are well-formed
		for _, name := range names {
			if drawing, err := fs.ReadFile(build, name); err == nil {
				own.files[name] = []byte(drawings.changed(string(drawing)))
			}
		}
	}
}

var hexColor = regexp.MustCompile(`#[0-9a-f]{6}\b`)

// recolor puts a drawing of few colours into those of a theme.
func (own identity) recolor(build fs.FS, name string, theme palette.Theme) error {
	drawn, err := fs.ReadFile(build, name)
	if err != nil {
		// A build without pictures has none to change.
		return nil
	}
	decoded, err := png.Decode(bytes.NewReader(drawn))
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	paletted, ok := decoded.(*image.Paletted)
	if !ok {
		return fmt.Errorf("read %s: it has no palette", name)
	}
	for i, c := range paletted.Palette {
		rgba := color.NRGBAModel.Convert(c).(color.NRGBA)
		to := theme.Recolored(palette.Color(fmt.Sprintf("#%02x%02x%02x", rgba.R, rgba.G, rgba.B)))
		if _, err := fmt.Sscanf(string(to), "#%02x%02x%02x", &rgba.R, &rgba.G, &rgba.B); err != nil {
			return fmt.Errorf("colour %s: %w", name, err)
		}
		paletted.Palette[i] = rgba
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, paletted); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	own.files[name] = encoded.Bytes()
	return nil
}
