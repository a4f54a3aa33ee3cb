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
	// Area is the area code of who reads, which neighbours leave out: "11"; empty where numbers have none.
	Area string
}

// PlanOf is the plan of a clinic's country and area; of its first number's where the country is not known.
func PlanOf(c clinic.Clinic) Plan {
	plan := Plan{Country: c.Country}
	for _, phone := range c.Phones {
		n, err := phonenumbers.Parse(phone.E164(), "")
		if err != nil {
			continue
		}
		if plan.Country == "" {
			plan.Country = phonenumbers.GetRegionCodeForNumber(n)
		}
		if length := phonenumbers.GetLengthOfGeographicalAreaCode(n); length > 0 && phonenumbers.GetRegionCodeForNumber(n) == plan.Country {
			plan.Area = phonenumbers.GetNationalSignificantNumber(n)[:length]
			break
		}
	}
	return plan
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
	for _, as := range p.forms(digits) {
		if n, err := phonenumbers.Parse(as, p.Country); err == nil && phonenumbers.IsValidNumber(n) {
			return phonenumbers.Format(n, phonenumbers.E164), true
		}
	}
	return "", false
}

// forms are the numbers that digits may stand for, the likeliest one first: as they are written, without
// what was dialled before a mobile, and with the area code.
func (p Plan) forms(digits string) []string {
	forms := []string{digits}
	if strings.HasPrefix(digits, "+") {
		return forms
	}
	for _, prefix := range trunks[p.Country] {
		if rest, ok := strings.CutPrefix(digits, prefix); ok {
			forms = append(forms, rest)
		}
	}
	if local := localMobile[p.Country]; p.Area != "" && local != "" && strings.HasPrefix(digits, local) {
		forms = append(forms, "0"+p.Area+digits)
	}
	if p.Area != "" && len(p.Area)+len(digits) == significant[p.Country] {
		forms = append(forms, p.Area+digits)
	}
	if len(digits) >= fewestWithCode {
		forms = append(forms, "+"+digits)
	}
	return forms
}

// fewestWithCode is how many digits a number from abroad has at least whose "+" was left out.
const fewestWithCode = 11

// trunks are prefixes that people still write before a number, and that are part of none.
var trunks = map[string][]string{"MX": {"044", "045", "01"}, "CL": {"0"}, "CO": {"03", "0"}}

// localMobile begins a mobile number that is written without its area code.
var localMobile = map[string]string{"AR": "15"}

// significant is the number of digits of fixed numbers with their area code, where neighbours leave that out.
var significant = map[string]int{"AR": len("1143210000"), "MX": len("5512345678"), "PE": len("14456677")}
