package clinic

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Background is under which laws a clinic works, and for how long it has.
type Background struct {
	// Country is an ISO 3166-1 code of [countries], "PA"; empty where it is not known.
	Country string
	// PrivacyLaw is the country's law on personal data, "Ley 81 de 2019", and PrivacyAuthority who watches
	// over it, as it follows "ante"; empty where they are not known.
	PrivacyLaw, PrivacyAuthority string
	// Founded is a year, Experience how many years the clinic claims to know its work; 0 where it
	// is not told.
	Founded, Experience int
}

// Locale is the language of the site as people of the country write it, a BCP 47 tag: "es-PA".
func (c Clinic) Locale() string {
	if c.Country == "" {
		return "es"
	}
	return "es-" + c.Country
}

// LawInWords names the law on personal data, as it follows "la".
func (c Clinic) LawInWords() string {
	return cmp.Or(c.PrivacyLaw, "ley del país")
}

// AuthorityInWords names who watches over personal data, as it follows "ante".
func (c Clinic) AuthorityInWords() string {
	return cmp.Or(c.PrivacyAuthority, "la autoridad que en el país vela por la protección de los datos personales")
}

// number is a number in digits; empty for 0.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// countries are the known ones, by code: where many write Spanish.
var countries = map[string]string{
	"AD": "Andorra", "AR": "Argentina", "BO": "Bolivia", "BR": "Brasil", "BZ": "Belice", "CL": "Chile", "CO": "Colombia",
	"CR": "Costa Rica", "CU": "Cuba", "DO": "República Dominicana", "EC": "Ecuador", "ES": "España", "GQ": "Guinea Ecuatorial",
	"GT": "Guatemala", "HN": "Honduras", "MX": "México", "NI": "Nicaragua", "PA": "Panamá", "PE": "Perú", "PR": "Puerto Rico",
	"PY": "Paraguay", "SV": "El Salvador", "US": "Estados Unidos", "UY": "Uruguay", "VE": "Venezuela",
}

func setCountry(c *Clinic, s *sheet, n *node) {
	c.Country, _ = n.value.(string)
	if known := slices.Sorted(maps.Keys(countries)); !slices.Contains(known, c.Country) {
		s.report(n, "%s is no known code like \"PA\"%s", quotedValue(n.value), didYouMean(c.Country, known))
	}
}

// ownBackground forgets what [Default] knows of itself where a file is about another clinic: the
// law of one country holds in no other, and no year or account of one clinic is another's.
func ownBackground(c *Clinic, said object) {
	elsewhere, other := !isInPanama(c, said), c.Name != Default().Name
	for field, own := range map[string]struct {
		otherwise bool
		forget    func()
	}{
		"country":          {elsewhere, func() { c.Country = "" }},
		"privacyLaw":       {elsewhere, func() { c.PrivacyLaw = "" }},
		"privacyAuthority": {elsewhere, func() { c.PrivacyAuthority = "" }},
		"emergency":        {elsewhere, func() { c.Emergency = "" }},
		"zone":             {elsewhere, func() { c.kept = append(c.kept, "zone") }},
		"founded":          {other, func() { c.Founded = 0 }},
		"experience":       {other, func() { c.Experience = 0 }},
		"social":           {other, func() { c.Social = nil }},
	} {
		if said[field] == nil && own.otherwise {
			own.forget()
		}
	}
}

// isInPanama says whether a file is about a clinic in the country of [Default]: by the country that it
// tells, or else by its zone and its emergency number, or else by its phones. A file that tells none of
// them is so where it keeps the default's name.
func isInPanama(c *Clinic, said object) bool {
	standard := Default()
	switch {
	case said["country"] != nil:
		return c.Country == standard.Country
	case c.Emergency != standard.Emergency || c.Zone.String() != standard.Zone.String():
		return false
	case said["zone"] != nil:
		return true
	case said["phones"] != nil:
		return slices.ContainsFunc(c.Phones, func(p Phone) bool { return strings.HasPrefix(p.E164(), "+507") })
	}
	return c.Name == standard.Name
}
