package clinic

import (
	"bytes"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTheExampleTellsEverything(t *testing.T) {
	c, err := Load(bytes.NewReader(Example()))
	if err != nil {
		t.Fatal(err)
	}
	// A link to nowhere is none.
	told := c
	told.Links.Booking = "https://reservas.clinica.test/"
	if untold := told.Untold(); len(untold) > 0 {
		t.Errorf("not told: %v", untold)
	}
	if made := c.Placeholders(); len(made) != 7 {
		t.Errorf("an address or number of the example may be somebody's: %v", made)
	}
	facts := reflect.ValueOf(c.Told)
	for i := range facts.NumField() {
		if facts.Field(i).IsZero() {
			t.Errorf("%s is not told", facts.Type().Field(i).Name)
		}
	}
	if !reflect.ValueOf(Default().Told).IsZero() {
		t.Errorf("the default tells what nobody told: %+v", Default().Told)
	}
	_, root, err := readSheet(bytes.NewReader(Example()))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range everyField(c) {
		if root.value.(object)[name] == nil && name != "team" {
			t.Errorf("the example has no %q", name)
		}
	}
}

func everyField(c Clinic) []string { return slices.Sorted(maps.Keys(clinicFields(&c, &sheet{}))) }

// TestEveryFieldIsDocumented: the help and the reference list [Fields].
func TestEveryFieldIsDocumented(t *testing.T) {
	var names []string
	for _, f := range Fields {
		names = append(names, f.Name)
		if f.About == "" {
			t.Errorf("%s has no description", f.Name)
		}
	}
	slices.Sort(names)
	if d := cmp.Diff(everyField(Default()), names); d != "" {
		t.Errorf("the fields of the file and those described:\n%s", d)
	}
}

func TestEachMistakeIsReportedWithItsLine(t *testing.T) {
	for name, tt := range map[string]struct{ file, want string }{
		"unknown field":              {`"parkin": "Sí."`, "line 2: parkin: is no field; did you mean parking?"},
		"far from any":               {`"xyzxyzxyz": 1`, "line 2: xyzxyzxyz: is no field; the known ones are accessibility, address"},
		"twice":                      {"\"parking\": \"Sí.\",\n\"parking\": \"No.\"", "line 3: parking: is there twice"},
		"a number for a text":        {`"parking": 3`, `line 2: parking: is no text like "…"`},
		"an empty text":              {`"sedation": " "`, "line 2: sedation: is empty; leave it out if it is not known"},
		"a long text":                {`"transit": "` + strings.Repeat("x", 301) + `"`, "line 2: transit: has 301 characters, at most 300 fit"},
		"markup":                     {`"landmarks": "{{phones}}"`, `line 2: landmarks: "{{phones}}" has line breaks`},
		"two lines":                  {`"directions": "a\nb"`, "line 2: directions:"},
		"whatsapp":                   {`"whatsapp": "6000-0101"`, `line 2: whatsapp: "6000-0101" is not like +507 6000-0101`},
		"exceptions that are none":   {`"exceptions": {}`, "line 2: exceptions: is no list like […]"},
		"an exception without a day": {`"exceptions": [{"name": "x"}]`, `line 2: exceptions[0]: needs a "date"`},
		"no such day":                {"\"exceptions\": [\n{\"date\": \"2026-02-30\"}]", `line 3: exceptions[0].date: "2026-02-30" is not like 2026-12-25`},
		"a day twice":                {`"exceptions": [{"date": "2026-12-24"}, {"date": "2026-12-20", "until": "2026-12-26"}]`, "line 2: exceptions[1]: 2026-12-24 is there twice"},
		"backwards":                  {`"exceptions": [{"date": "2026-12-24", "until": "2026-12-23"}]`, `exceptions[0]: "until" is not a day after "date"`},
		"two ways":                   {`"exceptions": [{"date": "12-24", "until": "2026-12-26"}]`, `exceptions[0]: "until" is not a day after "date"`},
		"half a year":                {`"exceptions": [{"date": "2026-01-01", "until": "2026-06-26"}]`, "exceptions[0]: lasts longer than 92 days"},
		"hours of an exception":      {`"exceptions": [{"date": "12-24", "hours": "12:00-08:00"}]`, "exceptions[0].hours:"},
		"closed in both":             {"\"agenda\": {\"closed\": [\"2026-12-25\"]},\n\"exceptions\": [{\"date\": \"2026-12-25\"}]", "line 3: exceptions[0]: 2026-12-25 is there twice"},
		"closed is no day":           {`"agenda": {"closed": ["mañana"]}`, `line 2: agenda.closed[0]: "mañana" is not like`},
		"days of the agenda":         {`"agenda": {"days": 0}`, "line 2: agenda.days: is no whole number from 1 to 366"},
		"half a visit":               {`"agenda": {"visits": {"endodoncia": {"minutes": 30}}}`, "line 2: agenda.visits.endodoncia: needs"},
		"payment":                    {`"payment": "efectivo"`, `line 2: payment: is no object like {"currencies": …}`},
		"currency":                   {`"payment": {"currencies": ["US"]}`, `line 2: payment.currencies[0]: "US" is no known code; did you mean USD?`},
		"an insurer twice":           {`"insurers": ["ASSA", "ASSA"]`, `line 2: insurers[1]: "ASSA" is there twice`},
		"prices without currency":    {`"prices": {"consultation": {"price": 30}}`, `line 2: prices: needs a "currency" like "USD"`},
		"no price":                   {`"prices": {"currency": "USD", "consultation": {"note": "x"}}`, `prices.consultation: needs either "price"`},
		"two prices":                 {`"prices": {"currency": "USD", "consultation": {"price": 3, "from": 2}}`, `prices.consultation: needs either "price"`},
		"a price downwards":          {"\"prices\": {\"currency\": \"USD\", \"services\": {\n\"ortodoncia\": {\"from\": 3, \"to\": 2}}}", `line 3: prices.services.ortodoncia: "to" is not more than "from"`},
		"from nothing":               {`"prices": {"currency": "USD", "services": {"x": {"from": 0}}}`, `prices.services.x: "from" is 0`},
		"a price in words":           {`"prices": {"currency": "USD", "services": {"x": {"from": "30"}}}`, `prices.services.x.from: "30" is no amount of money`},
		"a negative price":           {`"prices": {"currency": "USD", "services": {"x": {"price": -1}}}`, `prices.services.x.price: -1 is no amount of money`},
		"a service in words":         {`"prices": {"currency": "USD", "services": {"La muela": {"price": 1}}}`, `"La muela" is not the slug of a service`},
		"a doctor without work":      {`"doctors": [{"name": "Ana"}]`, `line 2: doctors[0]: needs a "profession"`},
		"a doctor's day":             {`"doctors": [{"profession": "x", "days": ["lunes"]}]`, `line 2: doctors[0].days[0]: "lunes" is no day`},
		"a doctor's service":         {`"doctors": [{"profession": "x", "services": ["A B"]}]`, `line 2: doctors[0].services[0]: "A B" is not the slug`},
		"a language of a person":     {`"doctors": [{"profession": "x", "languages": ["español"]}]`, `line 2: doctors[0].languages[0]: "español" is no known code`},
		"a year of a person":         {`"doctors": [{"profession": "x", "since": "2009"}]`, "line 2: doctors[0].since: is no whole number from 1930 to 2100"},
		"a language":                 {`"languages": ["español"]`, `line 2: languages[0]: "español" is no known code`},
		"children":                   {`"children": {"fromMonths": 2.5}`, "line 2: children.fromMonths: is no whole number from 0 to 216"},
		"children without age":       {`"children": {"note": "x"}`, `line 2: children: needs "fromMonths"`},
		"half a position":            {`"address": {"position": {"latitude": 9}}`, "line 2: address.position: needs a latitude and a longitude"},
		"a position off the earth":   {`"address": {"position": {"latitude": 91, "longitude": 0}}`, "address.position.latitude: is no number of degrees from -90 to 90"},
		"no JSON":                    {`"name": }`, "line 2: invalid character"},
		"cut off":                    {`"name": "x", "hours": {`, "ends too early"},
		"more":                       {`"name": "x"}, {`, "line 2: goes on after its end"},
	} {
		_, err := Load(strings.NewReader("{\n" + tt.file + "\n}"))
		var mistakes Mistakes
		if !errors.As(err, &mistakes) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %q is not reported in: %v", name, tt.want, err)
		}
	}
}

func TestThePositionLeadsToTheMap(t *testing.T) {
	c, err := Load(strings.NewReader(`{"address": {"street": "Calle 1", "city": "David", "position": {"latitude": 8.4333, "longitude": -82.4333}}}`))
	if err != nil {
		t.Fatal(err)
	}
	placeless, err := Load(strings.NewReader(`{"address": {"street": "Calle 1", "city": "David"}}`))
	if err != nil {
		t.Fatal(err)
	}
	for want, got := range map[string]string{
		"https://www.openstreetmap.org/?mlat=8.433300&mlon=-82.433300#map=17/8.433300/-82.433300":                                                      c.MapURL(),
		"https://www.openstreetmap.org/export/embed.html?bbox=-82.436300%2C8.430300%2C-82.430300%2C8.436300&layer=mapnik&marker=8.433300%2C-82.433300": c.MapFrame(),
		"": placeless.MapFrame(),
		"https://www.openstreetmap.org/export/embed.html?bbox=-79.522900%2C8.979400%2C-79.516900%2C8.985400&layer=mapnik&marker=8.982400%2C-79.519900": Default().MapFrame(),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	c.Links.Map = "https://mapas.clinica.test/x"
	if c.MapURL() != c.Links.Map || c.MapFrame() != c.Links.Map {
		t.Errorf("the clinic's own map gives way to %s and %s", c.MapURL(), c.MapFrame())
	}
}

func TestWhatIsNullOrACommentIsNotTold(t *testing.T) {
	c, err := Load(strings.NewReader(`{"//": "x", "parking": null, "prices": null, "hours": {"//": ["x"], "//": 2}, "exceptions": [{"//": 1, "date": "12-25"}]}`))
	if err != nil || c.Parking != "" || c.Prices != nil || len(c.Exceptions) != 1 {
		t.Errorf("%+v, %v", c.Told, err)
	}
}

func TestFactsReadAsSpanish(t *testing.T) {
	usd := func(from, to float64, note string) string { return Price{from, to, "USD", note}.String() }
	c := Default()
	c.Doctors = []Doctor{{Name: "Ana", Profession: "ortodoncista", Services: []string{"ortodoncia"}, Days: []time.Weekday{time.Sunday, time.Monday}}, {Profession: "higienista"}}
	for want, got := range map[string]string{
		"desde $1,200":                    usd(1200, 0, ""),
		"80.000 COP":                      Price{From: 80_000, To: 80_000, Currency: "COP"}.String(),
		"1.250,50 EUR":                    Price{From: 1250.5, To: 1250.5, Currency: "EUR"}.String(),
		"$45.50 (por diente)":             usd(45.5, 45.5, "por diente"),
		"de $60 a $1,234,567":             usd(60, 1234567, ""),
		"sin costo":                       usd(0, 0, ""),
		"desde 90 EUR":                    Price{From: 90, Currency: "EUR"}.String(),
		"B/.20":                           Price{20, 20, "PAB", ""}.String(),
		"efectivo y Visa, en euros":       Payment{[]string{"efectivo", "Visa"}, []string{"EUR"}}.String(),
		"efectivo":                        Payment{Methods: []string{"efectivo"}}.String(),
		"No trabajamos con aseguradoras.": insurersInWords(Clinic{Told: Told{Insurers: []string{}}}),
		"Trabajamos con A y B.":           insurersInWords(Clinic{Told: Told{Insurers: []string{"A", "B"}}}),
		"Atendemos a niñas y niños de cualquier edad.":                Children{}.String(),
		"Atendemos a niñas y niños desde los 18 meses.":               Children{FromMonths: 18}.String(),
		"Atendemos a niñas y niños desde 1 año.":                      Children{FromMonths: 12}.String(),
		"Atendemos a niñas y niños desde los 3 años, x.":              Children{36, "x"}.String(),
		"Ana, ortodoncista (lunes y domingo): ortodoncia; higienista": doctorsInWords(c),
		"Ana, ortodoncista: lunes y domingo":                          doctorDays(c),
		"Ana, ortodoncista (lunes y domingo)":                         c.Does("ortodoncia"),
		"":                                                            c.Does("endodoncia"),
		"$20 - $1,200":                                                Clinic{Told: Told{Consultation: &Price{From: 20, To: 20, Currency: "USD"}, Prices: map[string]Price{"x": {From: 1200, Currency: "USD"}}}}.PriceRange(),
		"https://wa.me/50763904410":                                   Phone("+507 6390-4410").WhatsAppURL(),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestExceptionsCloseAndShortenDays(t *testing.T) {
	c := agendaClinic()
	c.Exceptions = []Exception{
		{"12-25", "Navidad", nil}, {"2026-12-24", "Nochebuena", []Span{{8 * 60, 10 * 60}}}, {"2026-12-26", "Feria", []Span{{10 * 60, 11 * 60}}},
		{"2026-11-01", "Pasado", nil}, {"2027-02-08", "Carnaval", nil}, {"2027-02-09", "Carnaval", nil}, {"2027-12-25", "Abierto", []Span{{9 * 60, 10 * 60}}},
	}
	at := func(day, hour int) time.Time { return time.Date(2026, 12, day, hour, 0, 0, 0, c.Zone) }
	for when, open := range map[time.Time]bool{at(24, 9): true, at(24, 10): false, at(25, 9): false, at(26, 10): true, at(26, 9): false, at(28, 9): true, at(25, 9).AddDate(1, 0, 0): true} {
		if c.Calendar().OpenAt(when) != open {
			t.Errorf("%v: open %v", when, !open)
		}
	}
	c.Agenda.Days = 5
	if got := clockTimes(c.Free("x", nil, at(23, 18))); got != "24 08:00, 24 09:00, 26 10:00" {
		t.Errorf("free: %s", got)
	}
	c.Doctors = []Doctor{{Profession: "x", Services: []string{"x"}, Days: []time.Weekday{time.Saturday}}}
	if got := clockTimes(c.Free("x", nil, at(23, 18))); got != "26 10:00" {
		t.Errorf("free on the days of who does it: %s", got)
	}
	if got := clockTimes(c.Free("y", nil, at(23, 18))); got != "24 08:00, 24 09:00, 26 10:00" {
		t.Errorf("free, of another service: %s", got)
	}
	want := "jueves 24 de diciembre (Nochebuena), de 8:00 a. m. a 10:00 a. m.; viernes 25 de diciembre (Navidad), cerrado; " +
		"sábado 26 de diciembre (Feria), de 10:00 a. m. a 11:00 a. m.; del lunes 8 al martes 9 de febrero (Carnaval), cerrado"
	if got := c.From(at(20, 9)).Says("exceptions"); got != want {
		t.Errorf("ahead: %s", got)
	}
	if got := (Clinic{Told: Told{Exceptions: []Exception{{"12-25", "", nil}}}}).Says("exceptions"); got != "cada 25 de diciembre, cerrado" {
		t.Errorf("every year: %s", got)
	}
	c.Exceptions = c.Exceptions[3:4]
	if got := c.From(at(20, 9)).Says("exceptions"); got != "ninguno anunciado" {
		t.Errorf("all past: %s", got)
	}
	if got := len(Default().Calendar().Ahead(at(20, 9), 400)); got != 0 {
		t.Errorf("the default has %d exceptions", got)
	}
}

func TestAnAnswerIsAsItsFactsAreTold(t *testing.T) {
	told, untold := Default(), Default()
	told.Parking = "hay en el sótano"
	pair := Answer{Text: "{{parking}} Sí. || No sé.", English: "{{parking}} || I do not know."}
	for name, tt := range map[string]struct {
		answer Answer
		of     Clinic
		want   Answer
	}{
		"told, was open":       {Answer{Open: true, Text: pair.Text, English: pair.English}, told, Answer{Text: "{{parking}} Sí.", English: "{{parking}}"}},
		"not told, is open":    {Answer{Open: true, Text: pair.Text, English: pair.English}, untold, Answer{Open: true, Text: "No sé.", English: "I do not know."}},
		"not told, but known":  {pair, untold, Answer{Text: "No sé.", English: "I do not know."}},
		"no pair":              {Answer{Open: true, Text: "{{phones}}"}, told, Answer{Open: true, Text: "{{phones}}"}},
		"no pair and not told": {Answer{Text: "{{team}}"}, Clinic{Phones: told.Phones}, Answer{Open: true}},
	} {
		if got := tt.answer.Of(tt.of); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := told.Fill("{{parking}}"); got != "Hay en el sótano." {
		t.Error(got)
	}
}

func TestEveryFactHasAnAnswerThatNamesIt(t *testing.T) {
	for _, f := range Default().Untold() {
		named := slices.ContainsFunc(DefaultContent().Answers, func(a Answer) bool {
			known, _, isPair := inPair(a.Text)
			return isPair && strings.Contains(known, "{{"+f.Key+"}}")
		})
		if !named {
			t.Errorf("no answer says {{%s}}", f.Key)
		}
	}
}

func TestColorsThatCannotBeReadAreRefused(t *testing.T) {
	for file, want := range map[string]string{
		"{\n\"theme\": {\"primary\": \"#6B1F3A\", \"accent\": \"#4f6b1f\"}}":  "",
		"{\n\"theme\": {\n\"primary\": \"#f59e0b\"}}":                         "line 3: theme.primary: cannot be read: links in a menu would be #f59e0b on #e9e2d4, a contrast of 1.67:1; WCAG AA asks for 4.5:1",
		"{\n\"theme\": {\"primary\": \"#145354\",\n\"accent\": \"#ff9966\"}}": "line 3: theme.accent: cannot be read: what stands out on a tinted ground",
		"{\n\"theme\": {\"primary\": \"teal\"}}":                              `line 2: theme.primary: "teal" is not like "#145354"`,
		"{\n\"theme\": {\"secondary\": \"#145354\"}}":                         "line 2: theme.secondary: is no field",
		"{\n\"country\": \"Panama\"}":                                         `line 2: country: "Panama" is no known code like "PA"`,
		"{\n\"social\": {\"Facebok\": \"https://f.test/\"}}":                  "line 2: social.Facebok: is no field; did you mean Facebook?",
		"{\n\"social\": {\"Facebook\": \"http://f.test/\"}}":                  `line 2: social.Facebook: "http://f.test/" is not an https address`,
		"{\n\"founded\": 11}":                                                 "line 2: founded: is no whole number from 1800 to 2100",
	} {
		c, err := Load(strings.NewReader(file))
		if want == "" {
			if err != nil || c.Theme.Primary != "#6b1f3a" {
				t.Errorf("%s: %v, %v", file, c.Theme, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", file, err, want)
		}
	}
}

func TestTheBackgroundOfOneClinicIsNoOthers(t *testing.T) {
	standard := Default().Background
	for file, want := range map[string]Background{
		`{}`:                                standard,
		`{"name": "Otra"}`:                  {},
		`{"name": "Otra", "country": "PA"}`: {Country: "PA", PrivacyLaw: standard.PrivacyLaw, PrivacyAuthority: standard.PrivacyAuthority},
		`{"name": "Otra", "zone": "America/Panama"}`:       {Country: "PA", PrivacyLaw: standard.PrivacyLaw, PrivacyAuthority: standard.PrivacyAuthority},
		`{"name": "Otra", "phones": ["+507 399-1234"]}`:    {Country: "PA", PrivacyLaw: standard.PrivacyLaw, PrivacyAuthority: standard.PrivacyAuthority},
		`{"name": "Otra", "phones": ["+58 274 555-0177"]}`: {},
		`{"country": "CO"}`:                                {Country: "CO", Founded: standard.Founded, Experience: standard.Experience},
		`{"country": "CO", "zone": "America/Panama", "privacyAuthority": "la SIC"}`: {
			Country: "CO", PrivacyAuthority: "la SIC", Founded: standard.Founded, Experience: standard.Experience,
		},
		`{"zone": "Europe/Madrid", "name": "Otra", "founded": 1990}`: {Founded: 1990},
		`{"emergency": "112", "country": "ES", "privacyLaw": "LOPDGDD"}`: {
			Country: "ES", PrivacyLaw: "LOPDGDD", Founded: standard.Founded, Experience: standard.Experience,
		},
	} {
		if c, err := Load(strings.NewReader(file)); err != nil || c.Background != want {
			t.Errorf("%s: %+v, %v", file, c.Background, err)
		}
	}
}

func TestInitialsAreOfWhatIsTheClinicsOwn(t *testing.T) {
	for name, want := range map[string]string{
		"Clínica Dental Regency": "R", "Odontología Sierra Nevada": "SN", "Dra. Inés Ñáñez": "IÑ", "Clínica Dental": "CD", "«3D» Dental": "3", "···": "",
	} {
		if got := (Clinic{Name: name}).Initials(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// Each fact that is made up is reported until the file tells it, and no other then.
func TestEachPlaceholderIsReportedUntilItIsTold(t *testing.T) {
	told := map[string]string{
		"name": `"name": "Otra", "country": "PA"`, "tagline": `"tagline": "Cerca de ti."`, "address": `"address": {"street": "Calle 50", "city": "Colón"}`,
		"phones": `"phones": ["+507 399-1234"]`, "email": `"email": "citas@otra.test"`, "team": `"team": ["odontóloga"]`,
		"links.booking": `"links": {"booking": "https://citas.otra.test/"}`, "links.video": `"links": {"video": "https://video.otra.test/"}`,
		"links.map": `"links": {"map": "https://mapa.otra.test/"}`,
		// The hours of a day may be those of the default, if only they are told.
		"hours": `"hours": {"monday": "08:00-19:00", "tuesday": "", "wednesday": "", "thursday": "", "friday": "", "saturday": "", "sunday": ""}`,
	}
	paths := func(file string) []string {
		c, err := Load(strings.NewReader(file))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		return slices.Compact(eachOf(c.Placeholders(), func(f Fact) string { return f.Path }))
	}
	all := paths("{}")
	if want := slices.Sorted(maps.Keys(told)); !slices.Equal(slices.Sorted(slices.Values(all)), want) {
		t.Errorf("of the default %v are reported, want %v", all, want)
	}
	for path, field := range told {
		want := slices.DeleteFunc(slices.Clone(all), func(other string) bool { return other == path })
		if got := paths("{" + field + "}"); !slices.Equal(got, want) {
			t.Errorf("with %s told, %v are reported", path, got)
		}
	}
	if c, err := Load(strings.NewReader(`{"hours": {"monday": "10:00-12:00", "sunday": ""}}`)); err != nil || !slices.ContainsFunc(c.Placeholders(), func(f Fact) bool {
		return f.Path == "hours" && strings.HasPrefix(f.Value, "martes, 8:00") && strings.HasSuffix(f.Value, "sábado, 9:00 a. m. a 3:00 p. m.")
	}) {
		t.Errorf("days without hours: %v, %v", c.Placeholders(), err)
	}
	for file, want := range map[string][]string{
		`{"address": {"street": "Calle 50"}}`:                     {"address.city"},
		`{"address": {"city": "David"}}`:                          {"address.street"},
		`{"name": "Otra"}`:                                        {"zone"},
		`{"country": "ES"}`:                                       {"zone"},
		`{"name": "Otra", "zone": "America/Panama"}`:              nil,
		`{"name": "Otra", "phones": ["+507 399-1234"]}`:           nil,
		`{"name": "Otra", "phones": ["+34 911 234 567"]}`:         {"zone"},
		`{"name": "Otra", "country": "ES", "zone": "Etc/GMT+5"}`:  nil,
		`{"links": {"booking": "https://reservas.clinica.test"}}`: nil,
	} {
		c, err := Load(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if got := eachOf(c.Kept(), func(f Fact) string { return f.Path }); !slices.Equal(got, want) {
			t.Errorf("%s keeps %v of the default, want %v", file, got, want)
		}
		if c.Address != Default().Address && c.Address.Building+c.Address.Floor != "" {
			t.Errorf("%s is in the default's building: %+v", file, c.Address)
		}
	}
	if got := paths(`{"links": {"booking": "https://citas.otra.example/"}, "whatsapp": "+507 6000-0199"}`); !slices.Equal(got, all) {
		t.Errorf("with other placeholders %v are reported", got)
	}
}
