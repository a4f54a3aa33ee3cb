package timex

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/spelling"
)

var numberWords = func() []string {
	words := make([]string, 60)
	for word, n := range numbers {
		if n < 60 && !slices.Contains([]string{"un", "una", "primero", "two", "three"}, word) {
			words[n] = word
		}
	}
	words[31] = "treinta y uno"
	return words
}()

// daysSaid are the ways to say a day that is so many days ahead of today.
func daysSaid(today time.Time, ahead int) []string {
	day := today.AddDate(0, 0, ahead)
	name, month := clinic.DayName(day.Weekday()), clinic.MonthName(day.Month())
	said := []string{
		fmt.Sprintf("el %s %d de %s", name, day.Day(), month), fmt.Sprintf("el %d de %s de %d", day.Day(), month, day.Year()), fmt.Sprintf("el %s de %s", numberWords[day.Day()], month),
		fmt.Sprintf("%s, %d de %s del %d", name, day.Day(), month, day.Year()), day.Format("02/01/2006"), day.Format("2/1/2006"), day.Format("2006-01-02"), day.Format("2-1-06"),
		fmt.Sprintf("el %s %d/%d", name, day.Day(), day.Month()), fmt.Sprintf("%d %s", day.Day(), month), fmt.Sprintf("%s %d", month, day.Day()),
	}
	if ahead > 0 && ahead != 15 {
		said = append(said, fmt.Sprintf("dentro de %d días", ahead))
	}
	if ahead < 28 {
		said = append(said, fmt.Sprintf("el %d, %s", day.Day(), name), fmt.Sprintf("el %d", day.Day()))
	}
	switch ahead {
	case 0:
		said = append(said, "hoy", "hoy mismo", "hoy "+name)
	case 1:
		said = append(said, "mañana", "mañana "+name, fmt.Sprintf("mañana %s %d", name, day.Day()))
	case 2:
		said = append(said, "pasado mañana", "pasado mañana "+name)
	case 7:
		said = append(said, "de hoy en ocho", "en una semana")
	case 8:
		said = append(said, "de mañana en ocho")
	case 14:
		said = append(said, "de hoy en quince", "en dos semanas", "dentro de 2 semanas")
	}
	if 0 < ahead && ahead <= 7 {
		said = append(said, "el "+name, "el próximo "+name, name, "el "+name+" que viene", "el "+withoutLetter(name, ahead))
	}
	if 7 < ahead && ahead < 15 {
		said = append(said, "el "+clinic.DayName(day.Weekday())+" en ocho")
	}
	if untilSunday := (7 - int(today.Weekday())) % 7; untilSunday < ahead && ahead <= untilSunday+7 {
		said = append(said, fmt.Sprintf("el %s de la próxima semana", name), fmt.Sprintf("la semana que viene el %s", name))
	}
	if nth := []string{"primer", "segundo", "tercer"}; day.Month() != today.Month() && day.Day() <= 21 {
		said = append(said, fmt.Sprintf("el %s %s de %s", nth[(day.Day()-1)/7], name, month))
	}
	if day.AddDate(0, 0, 7).Month() != day.Month() {
		said = append(said, fmt.Sprintf("el último %s de %s", name, month))
	}
	return said
}

// withoutLetter is a word as somebody types it who leaves a letter out.
func withoutLetter(word string, n int) string {
	plain := spelling.Unaccented(word)
	at := 1 + n%(len(plain)-2)
	return plain[:at] + plain[at+1:]
}

// minutesSaid are the ways to say a minute of the day when clinics are open.
func minutesSaid(minute int) []string {
	hour, m := minute/60, minute%60
	of := "de la mañana"
	if hour >= 12 {
		of = "de la tarde"
	}
	short := (hour+11)%12 + 1
	la := func(hour int) string {
		if hour == 1 {
			return "la 1"
		}
		return fmt.Sprintf("las %d", hour)
	}
	half := strings.NewReplacer("de la mañana", "am", "de la tarde", "pm").Replace(of)
	said := []string{
		fmt.Sprintf("a %s:%02d %s", la(short), m, of), fmt.Sprintf("%d:%02d%s", short, m, half), fmt.Sprintf("a las %d:%02d", hour, m), fmt.Sprintf("%d:%02d", hour, m),
		fmt.Sprintf("%dh%02d", hour, m), fmt.Sprintf("a %s:%02d", la(short), m), fmt.Sprintf("%d:%02d %s. m.", short, m, half[:1]), fmt.Sprintf("a %s.%02d", la(short), m),
	}
	hourWord := numberWords[short]
	if short == 1 {
		hourWord = "una"
	}
	article := strings.Fields(la(short))[0]
	switch m {
	case 0:
		said = append(said, "a "+la(short), fmt.Sprintf("a %s %s", article, hourWord), fmt.Sprintf("%d%s", short, half), fmt.Sprintf("%dh", hour), fmt.Sprintf("a %s en punto", la(short)), fmt.Sprintf("a las %d horas", hour))
	case 15:
		said = append(said, fmt.Sprintf("a %s y cuarto", la(short)))
	case 30:
		said = append(said, fmt.Sprintf("a %s y media", la(short)), fmt.Sprintf("a %s %s y media %s", article, hourWord, of), fmt.Sprintf("a %s y treinta", la(short)))
	case 45:
		if next := short%12 + 1; next != 8 {
			said = append(said, fmt.Sprintf("a %s menos cuarto", la(next)), fmt.Sprintf("un cuarto para %s", la(next)))
		}
	}
	return said
}

// sentences are what people put around a day and an hour: %[1]s and %[2]s.
var sentences = []string{"%[1]s %[2]s", "%[2]s %[1]s", "quiero una limpieza %[1]s, %[2]s por favor", "¿puede ser %[1]s %[2]s?", "mejor %[1]s %[2]s"}

// TestAnInstantComesBackFromEveryForm says every day for which appointments are given, and every
// quarter of an hour in which clinics are open, in every way that the grammar has.
func TestAnInstantComesBackFromEveryForm(t *testing.T) {
	said := 0
	for began := range 9 {
		m := Moment{At: at.AddDate(0, 0, 37*began), Ahead: 45}
		today := m.today()
		for ahead := range m.Ahead {
			day := today.AddDate(0, 0, ahead)
			for i, daySaid := range daysSaid(today, ahead) {
				minute := 8*60 + (ahead*7+i*5+began)%44*15
				for j, minuteSaid := range minutesSaid(minute) {
					text := fmt.Sprintf(sentences[(i+j+ahead)%len(sentences)], daySaid, minuteSaid)
					switch (i + j) % 3 {
					case 1:
						text = strings.ToUpper(text)
					case 2:
						text = spelling.Unaccented(text)
					}
					want := exactly(clinic.Wish{First: day, Last: day}, minute/60, minute%60)
					if got := Read(text, m); got.Wish != want || got.Doubt != nil {
						t.Fatalf("at %s %q: %+v, doubt %+v, want %+v", today.Format("Mon 2006-01-02"), text, got, got.Doubt, want)
					}
					said++
				}
			}
		}
	}
	t.Logf("%d sayings", said)
}

// TestBoundsComeBackFromEveryForm does the same with days that bound others, and with hours that do.
func TestBoundsComeBackFromEveryForm(t *testing.T) {
	today, end := now.today(), now.today().AddDate(0, 0, now.Ahead)
	for ahead := 3; ahead < 35; ahead++ {
		day := today.AddDate(0, 0, ahead)
		until := day.AddDate(0, 0, 5)
		first, last := fmt.Sprintf("%d de %s", day.Day(), clinic.MonthName(day.Month())), fmt.Sprintf("%d de %s", until.Day(), clinic.MonthName(until.Month()))
		for text, want := range map[string]clinic.Wish{
			"a partir del " + first:                             {First: day, Last: end},
			"desde el " + first:                                 {First: day, Last: end},
			"después del " + first:                              {First: day.AddDate(0, 0, 1), Last: end},
			"antes del " + first:                                {First: today, Last: day.AddDate(0, 0, -1)},
			"hasta el " + first:                                 {First: today, Last: day},
			"del " + first + " al " + last:                      {First: day, Last: until},
			"entre el " + first + " y el " + last:               {First: day, Last: until},
			"desde el " + first + " hasta el " + last:           {First: day, Last: until},
			"a partir del " + first + " y antes del " + last:    {First: day, Last: until.AddDate(0, 0, -1)},
			"el " + first + " después de las 4":                 {First: day, Last: day, Earliest: 16 * 60},
			"el " + first + " antes de las 11 de la mañana":     {First: day, Last: day, Latest: 11 * 60},
			"el " + first + " entre las 9 y las 3":              {First: day, Last: day, Earliest: 9 * 60, Latest: 15 * 60},
			"el " + first + " de 2 a 4 de la tarde":             {First: day, Last: day, Earliest: 14 * 60, Latest: 16 * 60},
			"el " + first + " después de las 2, antes de las 5": {First: day, Last: day, Earliest: 14 * 60, Latest: 17 * 60},
		} {
			if got := Read(text, now); got.Wish != want || got.Doubt != nil || len(got.Only) > 0 {
				t.Errorf("%q: %+v, doubt %+v, want %+v", text, got, got.Doubt, want)
			}
		}
	}
}

// TestOnlyTheNamedDaysAreWished says every set of days of the week, as wished and as refused.
func TestOnlyTheNamedDaysAreWished(t *testing.T) {
	for set := weekdaySet(1); set < everyDay; set++ {
		var plural, refused []string
		for _, d := range set.list() {
			name := clinic.DayName(d)
			plural, refused = append(plural, "los "+strings.TrimSuffix(name, "s")+"s"), append(refused, "ni "+name)
		}
		for _, join := range []string{" y ", " o ", ", "} {
			text := "puedo " + strings.Join(plural, join)
			if got := Read(text, now); !slices.Equal(got.Only, set.list()) || got.Wish.First != now.today() || got.Unwanted != nil {
				t.Errorf("%q: %+v", text, got)
			}
		}
		text := strings.Join(refused, " ")
		if got := Read(text, now); !slices.Equal(got.Unwanted, set.list()) || !got.Wish.IsZero() {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestDay(t *testing.T) {
	for text, want := range map[string]time.Time{
		"¿abren el sábado?": day(time.November, 21), "y los domingos": day(time.November, 22), "¿y mañana?": day(time.November, 22), "¿abren el 25 de diciembre?": day(time.December, 25),
		"are you open on Christmas Eve?": day(time.December, 24), "¿abren la víspera de Navidad?": day(time.December, 24), "what about Christmas?": day(time.December, 25),
		"abren sábado y domingo": {}, "¿a qué hora abren?": {}, "entre semana": {}, "de lunes a viernes": {},
	} {
		if got, ok := Day(text, at); !got.Equal(want) || ok == want.IsZero() {
			t.Errorf("%q: %v %v, want %v", text, got, ok, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"", "el 31 de febrero a las 25:99", "a las", "entre y", "de hoy en ocho", "ni lunes ni martes", "2026-12-02T15:30", "esta semana no puedo, la otra", "el primer lunes de diciembre a las 3 menos cuarto",
		"del 24 al 27, menos el jueves, después de las 5", "desde el lunes hasta", "mates a las dies", "a. m.", "treinta y", "el último", "\xff", "mañanaaaa", "00/00/0000", "9999-99-99",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Read(text, Moment{At: at, Ahead: 45, Bare: true})
		w := got.Wish
		if w.Earliest < 0 || w.Earliest >= 24*60 || w.Latest < 0 || w.Latest > 24*60 || w.Latest > 0 && w.Latest <= w.Earliest && !w.Exact || w.Last.Before(w.First) || w.First.IsZero() != w.Last.IsZero() {
			t.Errorf("%q: %+v", text, w)
		}
		if got.Doubt != nil && got.Doubt.Kind != clinic.NoSuchHour && !w.First.IsZero() {
			t.Errorf("%q: %+v in spite of the doubt %+v", text, w, got.Doubt)
		}
		Day(text, at)
	})
}

// TestWhatIsNoWish: numbers, durations and what was are no days to come.
func TestWhatIsNoWish(t *testing.T) {
	for _, text := range []string{
		"llevo dos horas sangrando", "después de una limpieza", "sangra después de 5 horas", "me late toda la noche", "me duele desde el domingo", "desde hace 2 meses", "me duele desde ayer", "ayer me caí",
		"me la sacaron el lunes pasado", "el mes pasado", "hace dos semanas", "tengo 45 años", "vivo en la calle 50", "8-765-4321", "son 2 citas", "si mueves mi cita", "por partes", "nací el 12 de mayo de 1990",
	} {
		if got := Read(text, now); !got.Wish.IsZero() || got.Doubt != nil || got.Only != nil || got.Unwanted != nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestTheDayAndTheHourThatAreSpokenOf(t *testing.T) {
	known := Moment{At: at, Ahead: 45, Known: []time.Time{day(time.November, 30).Add(15 * time.Hour)}}
	for text, want := range map[string]clinic.Wish{
		"el miércoles a la misma hora": exactly(on(time.November, 25), 15, 0), "ese día a las 4": exactly(on(time.November, 30), 16, 0), "el mismo día en la mañana": within(on(time.November, 30), 0, 12),
	} {
		if got := Read(text, known); got.Wish != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	if got := Read("ese día no puedo", known); !slices.Equal(got.Unwanted, []time.Weekday{time.Monday}) || !got.Wish.IsZero() {
		t.Errorf("%+v", got)
	}
}

func TestAWishHasOneAlternative(t *testing.T) {
	for text, want := range map[string]clinic.Wish{
		"el jueves a las 9 o el viernes a las 10":               exactly(on(time.November, 26), 9, 0),
		"el jueves por la tarde o el viernes por la mañana":     within(on(time.November, 26), 12, 19),
		"el jueves, mejor el viernes a las 3":                   exactly(on(time.November, 27), 15, 0),
		"esta semana no puedo, la otra":                         {First: day(time.November, 23), Last: day(time.November, 29)},
		"a las 3 o a las 4":                                     {Earliest: 15 * 60, Latest: 16*60 + 1},
		"salgo a las 5 así que el lunes después de esa hora":    {First: day(time.November, 23), Last: day(time.November, 23), Earliest: 17 * 60},
		"pásame la del jueves al viernes":                       on(time.November, 27),
		"quiero cambiar mi cita del viernes para el lunes":      on(time.November, 23),
		"en vez del jueves, el viernes a las 9":                 exactly(on(time.November, 27), 9, 0),
		"lunes 8-10":                                            within(on(time.November, 23), 8, 10),
		"3 y 4 de diciembre":                                    {First: day(time.December, 3), Last: day(time.December, 4)},
		"no más tarde de las 3":                                 {Latest: 15*60 + 1},
		"no antes de las 10 el lunes":                           {First: day(time.November, 23), Last: day(time.November, 23), Earliest: 10 * 60},
		"la próxima semana pero no el miércoles":                {First: day(time.November, 23), Last: day(time.November, 29)},
		"el jueves de la semana que viene a las 4 menos cuarto": exactly(on(time.November, 26), 15, 45),
	} {
		if got := Read(text, now); got.Wish != want || got.Doubt != nil {
			t.Errorf("%q: %+v, doubt %+v, want %+v", text, got, got.Doubt, want)
		}
	}
}
