package clinic

import (
	"strings"
	"unicode"

	"bitacora/domain/palette"
	"bitacora/domain/spelling"
)

// setTheme takes over the colours, and says which could not be read.
func setTheme(c *Clinic, s *sheet, n *node) {
	at := map[bool]*node{}
	color := func(target *palette.Color, accent bool) func(*node) {
		return func(n *node) {
			at[accent] = n
			text, _ := n.value.(string)
			parsed, err := palette.ParseColor(text)
			if err != nil {
				s.report(n, "%s", err)
				return
			}
			*target = parsed
		}
	}
	before := len(s.mistakes)
	s.fields(n, map[string]func(*node){"primary": color(&c.Theme.Primary, false), "accent": color(&c.Theme.Accent, true)})
	if len(s.mistakes) > before {
		return
	}
	told := map[bool]bool{}
	for _, u := range c.Theme.Unreadable() {
		// The worst of each says enough.
		if where := at[u.Accent]; where != nil && !told[u.Accent] {
			told[u.Accent] = true
			s.report(where, "cannot be read: %s", u.Text)
		}
	}
}

// generic are words of clinics' names that say nothing of which clinic it is.
var generic = map[string]bool{
	"centro": true, "clinica": true, "clinicas": true, "consultorio": true, "dental": true, "dentales": true, "dentista": true, "dentistas": true,
	"estudio": true, "grupo": true, "instituto": true, "odontologia": true, "odontologica": true, "odontologico": true, "odontologicos": true,
	"el": true, "la": true, "los": true, "las": true, "de": true, "del": true, "y": true, "e": true, "dr": true, "dra": true,
}

// Initials are one or two capital letters by which the name is known: "Clínica Dental del Istmo" is I.
func (c Clinic) Initials() string {
	words := strings.FieldsFunc(c.Name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	var own, all []rune
	for _, w := range words {
		first := unicode.ToUpper([]rune(w)[0])
		all = append(all, first)
		if !generic[spelling.Unaccented(w)] {
			own = append(own, first)
		}
	}
	if len(own) == 0 {
		own = all
	}
	return string(own[:min(2, len(own))])
}
