package clinic

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDefaultStandsUpToItsOwnValidation(t *testing.T) {
	c := Default()
	if found := c.flaws(); len(found) != 0 {
		t.Errorf("mistakes: %v", found)
	}
	var slugs []string
	for _, s := range c.Specialties() {
		slugs = append(slugs, s.Slug)
	}
	want := []string{
		"ortodoncia", "implantes-dentales", "diseno-sonrisa", "endodoncia",
		"periodoncia", "rehabilitacion-oral", "muelas-del-juicio",
	}
	if !slices.Equal(slugs, want) {
		t.Errorf("specialties = %v, want %v", slugs, want)
	}
	if got, want := c.Address.String(), "Vía España, Edificio Plaza Regency, piso 9"; got != want {
		t.Errorf("address = %q, want %q", got, want)
	}
	if got, want := c.Phones[0].E164(), "+5072000101"; got != want {
		t.Errorf("phone = %q, want %q", got, want)
	}
	if _, ok := c.Service("astrologia"); ok {
		t.Error("a service was found that does not exist")
	}
}

func TestLoadReplacesWhatTheFileNames(t *testing.T) {
	c, err := Load(strings.NewReader(`{
		"name": "Otra", "zone": "America/New_York",
		"address": {"floor": "piso 3"},
		"hours": {"Sunday": "10:00-12:00, 13:00-14:30", "saturday": ""},
		"phones": ["+507 300-0000"]}`))
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "Otra" || c.Zone.String() != "America/New_York" || c.Address.Floor != "piso 3" || c.Address.City != "Ciudad de Panamá" {
		t.Errorf("clinic = %+v", c)
	}
	if !slices.Equal(c.Phones, []Phone{"+507 300-0000"}) {
		t.Errorf("phones = %v", c.Phones)
	}
	if len(c.Hours[6]) != 0 || len(c.Hours[0]) != 2 || len(c.Hours[1]) != 1 {
		t.Errorf("hours = %v", c.Hours)
	}
	if Default().Phones[0] == c.Phones[0] {
		t.Error("loading changed the default")
	}
}

func TestLoadReportsAllMistakesAtOnce(t *testing.T) {
	_, err := Load(strings.NewReader(`{
		"name": " ", "nmae": "x", "zone": "Panama", "email": "a@", "phones": ["6123"],
		"address": {"stret": "x"},
		"hours": {"monday": "19:00-08:00", "tuesday": "8-19", "lunes": "08:00-09:00", "friday": "08:00-12:00,11:00-13:00"},
		"links": {"booking": "http://x.example/", "video": "javascript:alert(1)"}}`))
	if err == nil {
		t.Fatal("no mistake was found")
	}
	for _, want := range []string{
		"line 2: name: is empty", "line 2: nmae: is no field; did you mean name?", "line 2: zone:", "line 2: email:", `line 2: phones: "6123"`,
		"line 3: address.stret: is no field; did you mean street?", "line 4: hours.monday:", "hours.tuesday:", "hours.lunes: is no field", "hours.friday:",
		"line 5: links.booking", "links.video",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not reported in:\n%v", want, err)
		}
	}
}

func TestLoadWhatIsNotAnObject(t *testing.T) {
	for _, text := range []string{"", "[]", "{", `"x"`} {
		if _, err := Load(strings.NewReader(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestListReadsAsSpanish(t *testing.T) {
	tests := map[string][]string{
		"":                  nil,
		"a":                 {"a"},
		"a y b":             {"a", "b"},
		"a, b e implantes":  {"a", "b", "implantes"},
		"jueves y viernes":  {"jueves", "viernes"},
		"encías e imágenes": {"encías", "imágenes"},
		"a e higienista":    {"a", "higienista"},
		"calor y hielo":     {"calor", "hielo"},
	}
	for want, words := range tests {
		if got := List(words); got != want {
			t.Errorf("List(%v) = %q, want %q", words, got, want)
		}
	}
}

func TestTheCrisisLineIsAFactOfTheFile(t *testing.T) {
	tests := map[string]struct {
		file string
		// phone is that of the line, dated whether the day of the last check is known.
		phone string
		dated bool
	}{
		"nothing said":       {`{"tagline": "X"}`, "147", true},
		"of nowhere":         {`{"name": "X"}`, "", false},
		"here":               {`{"name": "X", "country": "PA"}`, "147", true},
		"by its phones":      {`{"name": "X", "phones": ["+507 399-1234"]}`, "147", true},
		"of another country": {`{"country": "CO"}`, "", false},
		"another country":    {`{"emergency": "112", "zone": "Europe/Madrid"}`, "", false},
		"another zone":       {`{"zone": "America/New_York"}`, "", false},
		"a line of its own":  {`{"emergency": "112", "crisisLine": {"name": "024", "phone": "024"}, "numbersChecked": "2026-10-01"}`, "024", true},
		"another line here":  {`{"crisisLine": {"name": "Teléfono amigo", "phone": "200-0000"}}`, "200-0000", false},
		"none":               {`{"crisisLine": null}`, "", false},
	}
	for name, tt := range tests {
		c, err := Load(strings.NewReader(tt.file))
		if err != nil || c.CrisisLine.Phone != tt.phone || c.NumbersChecked.IsZero() == tt.dated {
			t.Errorf("%s: %+v, checked %v, %v", name, c.CrisisLine, c.NumbersChecked, err)
		}
		if tt.phone != "147" && c.CrisisLine.WhatsApp != "" {
			t.Errorf("%s: WhatsApp of another line: %+v", name, c.CrisisLine)
		}
	}
	for file, want := range map[string]string{`{}`: "911", `{"country": "CO"}`: "número de emergencias", `{"name": "X"}`: "número de emergencias", `{"country": "CO", "emergency": "123"}`: "123"} {
		c, err := Load(strings.NewReader(file))
		if got := c.Fill("{{emergency}}"); err != nil || got != want || c.EmergencyInWords() != want {
			t.Errorf("%s: people in danger are told to call the %s, %v", file, got, err)
		}
		if c.Emergency == "" && (c.EmergencyInEnglish() != "the emergency number" || !slices.ContainsFunc(c.Untold(), func(f Fact) bool { return f.Path == "emergency" })) {
			t.Errorf("%s: %s, not told: %v", file, c.EmergencyInEnglish(), c.Untold())
		}
	}
	for _, file := range []string{`{"crisisLine": {"name": "X"}}`, `{"crisisLine": {"nombre": "X"}}`, `{"numbersChecked": "ayer"}`} {
		if _, err := Load(strings.NewReader(file)); err == nil {
			t.Errorf("%s was read", file)
		}
	}
}

func TestNumbersAreDueAfterAYear(t *testing.T) {
	c := Default()
	c.NumbersChecked = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for day, due := range map[string]bool{"2026-11-21": false, "2027-11-20": false, "2027-11-21": true, "2030-01-01": true} {
		now, err := time.Parse(time.DateOnly, day)
		if err != nil {
			t.Fatal(err)
		}
		if c.NumbersDue(now) != due {
			t.Errorf("%s: due %v", day, !due)
		}
	}
	c.NumbersChecked = time.Time{}
	if !c.NumbersDue(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)) {
		t.Error("an unknown day is not due")
	}
}
