// Package phones reads telephone numbers as people of a country write them.
package phones

import (
	"strings"

	"github.com/nyaruka/phonenumbers"

	"bitacora/domain/clinic"
	"bitacora/domain/spelling"
)

// Plan is the numbering plan for numbers without a country's code. The zero value reads only numbers
// with one.
type Plan struct {
	// Country is an ISO 3166-1 code, "PA".
	Country string
}

// PlanOf is the plan of a clinic's country; of its first number's where the country is not known.
func PlanOf(c clinic.Clinic) Plan {
	if c.Country != "" || len(c.Phones) == 0 {
		return Plan{c.Country}
	}
	n, err := phonenumbers.Parse(c.Phones[0].E164(), "")
	if err != nil {
		return Plan{}
	}
	return Plan{phonenumbers.GetRegionCodeForNumber(n)}
}

// formerMexican is how Mexico's mobile numbers began until 2019, which people and WhatsApp still write.
const formerMexican = "+521"

// Parse gives a number in international form, "+50761234567"; ok is false for what is no valid number.
func (p Plan) Parse(written string) (e164 string, ok bool) {
	digits := spelling.Digits(written)
	switch {
	case strings.Contains(written, "+"):
		digits = "+" + digits
	case strings.HasPrefix(digits, "00"):
		digits = "+" + digits[2:]
	}
	if strings.HasPrefix(digits, formerMexican) && len(digits) == len("+5215512345678") {
		digits = "+52" + digits[len(formerMexican):]
	}
	n, err := phonenumbers.Parse(digits, p.Country)
	if err != nil || !phonenumbers.IsValidNumber(n) {
		return "", false
	}
	return phonenumbers.Format(n, phonenumbers.E164), true
}
