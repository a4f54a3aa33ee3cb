package phones

import (
	"testing"

	"bitacora/domain/clinic"
)

func TestNumbersAreReadAsTheirCountryWritesThem(t *testing.T) {
	for _, test := range []struct{ country, written, want string }{
		{"PA", "6123-4567", "+50761234567"},
		{"PA", "507 6123 4567", "+50761234567"},
		{"PA", "200-0101", "+5072000101"},
		{"PA", "1 305 555 0142", "+13055550142"},
		{"CL", "962184473", "+56962184473"},
		{"CL", "9 6218 4473", "+56962184473"},
		{"CL", "2 2731 4490", "+56227314490"},
		{"CL", "56 9 6218 4473", "+56962184473"},
		{"CO", "301 234 5678", "+573012345678"},
		{"CO", "601 555 0142", "+576015550142"},
		{"CO", "57 301 2345678", "+573012345678"},
		{"MX", "55-1234-5678", "+525512345678"},
		{"MX", "+52 1 55 1234 5678", "+525512345678"},
		{"ES", "612 34 56 78", "+34612345678"},
		{"ES", "91 123 45 67", "+34911234567"},
		{"ES", "0034 612345678", "+34612345678"},
		{"ES", "+507 6123-4567", "+50761234567"},
		{"PA", "962184473", ""},
		{"CL", "6123-4567", ""},
		{"", "6123-4567", ""},
		{"", "+56 9 6218 4473", "+56962184473"},
	} {
		got, ok := Plan{Country: test.country}.Parse(test.written)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%s %q: %q, %t; want %q", test.country, test.written, got, ok, test.want)
		}
	}
}

func TestNeighboursLeaveTheAreaCodeOut(t *testing.T) {
	for _, test := range []struct {
		own           clinic.Phone
		written, want string
	}{
		{"+54 11 4902 0155", "4321-7788", "+541143217788"},
		{"+54 11 4902 0155", "15 5432-1098", "+5491154321098"},
		{"+54 11 4902 0155", "011 15-5432-1098", "+5491154321098"},
		{"+54 11 4902 0155", "+54 9 341 543 2109", "+5493415432109"},
		{"+54 11 4902 0155", "432-1778", ""},
		{"+51 1 555 0166", "445 6677", "+5114456677"},
		{"+51 1 555 0166", "987 654 321", "+51987654321"},
		{"+52 33 3615 0127", "3615 4490", "+523336154490"},
		{"+52 33 3615 0127", "044 55 5123 4567", "+525551234567"},
		{"+56 2 2731 0148", "09 8123 4567", "+56981234567"},
		{"+56 2 2731 0148", "731 4490", ""},
		{"+507 200-0101", "200-101", ""},
	} {
		got, ok := PlanOf(clinic.Clinic{Phones: []clinic.Phone{test.own}}).Parse(test.written)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("near %s %q: %q, %t; want %q", test.own, test.written, got, ok, test.want)
		}
	}
}

func TestThePlanIsThatOfTheClinic(t *testing.T) {
	for country, c := range map[string]clinic.Clinic{
		"PA": {Background: clinic.Background{Country: "PA"}, Phones: []clinic.Phone{"+56 2 2731 4490"}},
		"CL": {Phones: []clinic.Phone{"+56 2 2731 4490"}},
		"":   {},
	} {
		if got := PlanOf(c); got.Country != country {
			t.Errorf("%+v has the plan %q, want %q", c.Phones, got.Country, country)
		}
	}
}
