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
		got, ok := Plan{test.country}.Parse(test.written)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%s %q: %q, %t; want %q", test.country, test.written, got, ok, test.want)
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
