package clinic

import (
	"testing"
	"time"
)

func TestHolidaysOfTheCountryAndOfTheClinic(t *testing.T) {
	for _, tt := range []struct{ country, day, want string }{
		{"PA", "2026-11-03", "Separación de Panamá de Colombia"},
		{"PA", "2026-02-17", "Martes de Carnaval"},
		{"PA", "2027-02-09", "Martes de Carnaval"},
		{"PA", "2026-04-03", "Viernes Santo"},
		{"PA", "2026-12-08", "Día de las Madres"},
		{"CO", "2026-12-08", "Inmaculada Concepción"},
		{"CO", "2026-01-12", "Reyes Magos"},
		{"CO", "2026-06-29", "San Pedro y San Pablo"},
		{"CO", "2026-06-08", "Corpus Christi"},
		{"CO", "2026-06-15", "Sagrado Corazón"},
		{"MX", "2026-03-16", "Natalicio de Benito Juárez"},
		{"MX", "2026-11-16", "Día de la Revolución"},
		{"CR", "2038-04-23", "Viernes Santo"},
		{"CL", "2026-06-29", "San Pedro y San Pablo"},
		{"CL", "2027-06-28", "San Pedro y San Pablo"},
		{"CL", "2027-06-29", "-"},
		{"CL", "2029-10-15", "Encuentro de Dos Mundos"},
		{"CL", "2030-06-29", "San Pedro y San Pablo"},
		{"ES", "2026-10-12", "Fiesta Nacional"},
		{"CO", "2026-01-06", "-"},
		{"CO", "2026-11-03", "-"},
		{"", "2026-12-25", "-"},
		// The clinic's own word counts first; without one of its own, the country's.
		{"PA", "2026-11-10", "Día del patrono"},
		{"PA", "2026-11-28", "Independencia de Panamá de España"},
		{"PA", "2026-11-27", ""},
	} {
		day, err := time.ParseInLocation(time.DateOnly, tt.day, Default().Zone)
		if err != nil {
			t.Fatal(err)
		}
		c := Default()
		c.Country = tt.country
		c.Exceptions = []Exception{{Date: "11-10", Name: "Día del patrono"}, {Date: "11-28"}, {Date: "2026-11-27"}}
		got, ok := Holiday(c, day)
		if !ok {
			got = "-"
		}
		if got != tt.want {
			t.Errorf("%s in %q: %q, want %q", tt.day, tt.country, got, tt.want)
		}
	}
}
