package clinic

import (
	"maps"
	"slices"
	"strconv"
)

// Background is under which laws a clinic works, and for how long it has.
type Background struct {
	// Country is an ISO 3166-1 code of [countries], "PA"; empty where it is not known.
	Country string
	// PrivacyLaw is the country's law on personal data, "Ley 81 de 2019"; empty where it is not known.
	PrivacyLaw string
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
	if c.PrivacyLaw == "" {
		return "ley del país"
	}
	return c.PrivacyLaw
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

func (c *Clinic) setCountry(s *sheet, n *node) {
	c.Country, _ = n.value.(string)
	if known := slices.Sorted(maps.Keys(countries)); !slices.Contains(known, c.Country) {
		s.report(n, "%s is no known code like \"PA\"%s", quotedValue(n.value), didYouMean(c.Country, known))
	}
}

// ownBackground forgets what [Default] knows of itself where a file is about another clinic: the
// law of one country holds in no other, and no year of one clinic is another's.
func (c *Clinic) ownBackground(said object) {
	standard := Default()
	left := func(field string) bool { _, named := said[field]; return !named }
	if left("country") && (c.Emergency != standard.Emergency || c.Zone.String() != standard.Zone.String()) {
		c.Country = ""
	}
	if left("privacyLaw") && c.Country != standard.Country {
		c.PrivacyLaw = ""
	}
	if c.Name != standard.Name {
		if left("founded") {
			c.Founded = 0
		}
		if left("experience") {
			c.Experience = 0
		}
	}
}
