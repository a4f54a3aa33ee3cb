package timex

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bitacora/domain/clinic"
)

// dayForms are how people name a day by its number and its name: %[1]s is the weekday, %[2]d
// the number, %[3]s the month, %[4]d the month's number, %[5]d the year.
var dayForms = []string{
	"%[1]s %[2]d", "el %[1]s %[2]d", "%[1]s, %[2]d", "el %[1]s día %[2]d", "para el %[1]s %[2]d a las 9", "el %[2]d, %[1]s", "el %[2]d que es %[1]s",
	"el %[2]d (%[1]s)", "día %[2]d %[1]s", "%[1]s %[2]d de %[3]s", "%[1]s, %[2]d de %[3]s del %[5]d", "el %[2]d de %[3]s, %[1]s", "el %[1]s %[2]d/%[4]d",
	"%[1]s %[2]d/%[4]d/%[5]d a las 10:30", "%[2]d-%[4]d-%[5]d %[1]s", "%[5]d-%02[4]d-%02[2]d", "el %[2]d", "el día %[2]d en la tarde", "el %[2]d de %[3]s", "%[3]s %[2]d", "%[2]d %[3]s",
	"%[2]d/%[4]d", "%[1]s %[2]d, 9 am", "este %[1]s %[2]d", "el próximo %[1]s %[2]d", "quiero ir el %[1]s %[2]d como a las 3 de la tarde", "puede ser el %[2]d?",
	"del %[2]d", "mejor %[1]s %[2]d por la mañana", "EL %[1]s %[2]d", "%[1]s %[2]d a las 9 y 30",
}

// TestADayIsThatDayOrAQuestion goes through every day for which appointments are given, in
// every form, also with each name of a day that does not fit: what is read is that very day,
// or a doubt.
func TestADayIsThatDayOrAQuestion(t *testing.T) {
	for began := range 6 {
		m := Moment{At: at.AddDate(0, 0, 61*began), Ahead: 60}
		today := midnight(m.At)
		for ahead := range 60 {
			day := today.AddDate(0, 0, ahead)
			for _, form := range dayForms {
				for wrong := range 7 {
					named := day.AddDate(0, 0, wrong)
					text := fmt.Sprintf(form, clinic.DayName(named.Weekday()), day.Day(), clinic.MonthName(day.Month()), int(day.Month()), day.Year())
					text, _, _ = strings.Cut(text, "%!(EXTRA")
					got, doubt := ReadWish(text, m)
					hasName := strings.Contains(form, "%[1]s")
					whole := strings.Contains(form, "%[3]s") || strings.Contains(form, "%[4]d")
					switch {
					case got.First != got.Last, got.First.IsZero() == (doubt == nil):
						t.Fatalf("at %s %q: %+v, doubt %+v", today.Format(time.DateOnly), text, got, doubt)
					case doubt != nil && doubt.Kind == clinic.OtherWeekday:
						if !hasName || wrong == 0 || len(doubt.Options) != 2 || !whole && !sameNumber(doubt.Options, day) || whole && !slices.ContainsFunc(doubt.Options, day.Equal) {
							t.Fatalf("at %s %q: doubt %+v", today.Format(time.DateOnly), text, doubt)
						}
					case doubt != nil:
						t.Fatalf("at %s %q: doubt %+v", today.Format(time.DateOnly), text, doubt)
					case got.First.Day() != day.Day(), hasName && got.First.Weekday() != named.Weekday(), whole && !got.First.Equal(day):
						t.Fatalf("at %s %q: %+v", today.Format(time.DateOnly), text, got)
					}
				}
			}
		}
	}
}

func sameNumber(options []time.Time, day time.Time) bool {
	return slices.ContainsFunc(options, func(o time.Time) bool { return o.Day() == day.Day() })
}

func TestDaysThatAreTaken(t *testing.T) {
	nov, dec := time.November, time.December
	for text, want := range map[string]clinic.Wish{
		"lunes 30 a las 9":                      exactly(on(nov, 30), 9, 0),
		"miércoles 30":                          on(dec, 30),
		"lun 30":                                on(nov, 30),
		"mar. 24":                               on(nov, 24),
		"vie 27 3pm":                            exactly(on(nov, 27), 15, 0),
		"el lunes treinta":                      on(nov, 30),
		"lunes treinta de noviembre":            on(nov, 30),
		"el primero de diciembre":               on(dec, 1),
		"1ero de diciembre":                     on(dec, 1),
		"martes primero de diciembre":           on(dec, 1),
		"el jueves treinta y uno":               on(dec, 31),
		"el 31":                                 on(dec, 31),
		"Monday 30th":                           on(nov, 30),
		"monday, november 30 at 3pm":            exactly(on(nov, 30), 15, 0),
		"monday, november 30 at 3 instead":      exactly(on(nov, 30), 15, 0),
		"the 30th":                              on(nov, 30),
		"11/30":                                 on(nov, 30),
		"30-11-26":                              on(nov, 30),
		"30.11.2026 a las 10":                   exactly(on(nov, 30), 10, 0),
		"el martes a las 9":                     exactly(on(nov, 24), 9, 0),
		"el martes 9 am":                        exactly(on(nov, 24), 9, 0),
		"martes 9 de la mañana":                 exactly(on(nov, 24), 9, 0),
		"martes 10:30":                          exactly(on(nov, 24), 10, 30),
		"mañana domingo":                        on(nov, 22),
		"mañana domingo 22":                     on(nov, 22),
		"hoy sábado 21":                         on(nov, 21),
		"pasado mañana lunes":                   on(nov, 23),
		"del 24 al 27":                          {First: day(nov, 24), Last: day(nov, 27)},
		"el 24 o el 26":                         {First: day(nov, 24), Last: day(nov, 26)},
		"el lunes 30 o el martes":               {First: day(nov, 30), Last: day(dec, 1)},
		"hoy no, mejor el martes":               on(nov, 24),
		"el primer lunes de diciembre":          on(dec, 7),
		"el último viernes de noviembre":        on(nov, 27),
		"en diciembre":                          {First: day(dec, 1), Last: day(dec, 31)},
		"24 a las 10":                           exactly(on(nov, 24), 10, 0),
		"el próximo 24":                         on(nov, 24),
		"24 de este mes":                        on(nov, 24),
		"24 del mes que viene":                  on(dec, 24),
		"el 24 o 25":                            {First: day(nov, 24), Last: day(nov, 25)},
		"antes del 30":                          {First: day(nov, 21), Last: day(nov, 29)},
		"a partir del lunes 30":                 {First: day(nov, 30), Last: time.Date(2027, 1, 5, 0, 0, 0, 0, at.Location())},
		"cualquier día menos el lunes":          {},
		"no puedo el martes, mejor el jueves":   on(nov, 26),
		"no puedo el martes pero sí el jueves":  on(nov, 26),
		"el lunes no puedo, el martes sí":       on(nov, 24),
		"de hoy en ocho":                        on(nov, 28),
		"la de las 8":                           exactly(clinic.Wish{}, 8, 0),
		"el lunes mañana":                       on(nov, 23),
		"somos 3 personas, el martes":           on(nov, 24),
		"quiero el lunes 30, 2 limpiezas":       on(nov, 30),
		"el martes, nací el 12 de mayo de 1990": on(nov, 24),
		"mañana no, pasado":                     on(nov, 23),
		"hoy no, mañana":                        on(nov, 22),
		"mañana no puedo, mejor el martes":      on(nov, 24),
		"mañana no":                             {},
		"no este martes, el otro":               on(dec, 1),
		"el próximo martes no, el que sigue":    on(dec, 1),
		"el martes que viene no":                {},
		"no el martes, el jueves":               on(nov, 26),
		"que no sea lunes":                      {},
		"esta tarde":                            within(on(nov, 21), 12, 19),
		"esta mañana":                           within(on(nov, 21), 0, 12),
		"este finde":                            {First: day(nov, 21), Last: day(nov, 22)},
		"a fin de mes":                          {First: day(nov, 24), Last: day(nov, 30)},
		"a fin de mes, el 30":                   on(nov, 30),
		"fines de diciembre":                    {First: day(dec, 24), Last: day(dec, 31)},
		"a principios de diciembre":             {First: day(dec, 1), Last: day(dec, 7)},
		"a principios de mes":                   {First: day(dec, 1), Last: day(dec, 7)},
		"la segunda semana de diciembre":        {First: day(dec, 8), Last: day(dec, 14)},
		"a mediados del mes que viene":          {First: day(dec, 12), Last: day(dec, 20)},
		"la última semana del mes":              {First: day(nov, 24), Last: day(nov, 30)},
		"entre 2 y 4 el viernes":                within(on(nov, 27), 14, 16),
		"el jueves, que no sea a las 8":         on(nov, 26),
		"el jueves a las 9 no, a las 10":        exactly(on(nov, 26), 10, 0),
		"el jueves, no puedo en la mañana":      within(on(nov, 26), 12, 19),
		"el jueves, en la tarde no":             within(on(nov, 26), 0, 12),
		"el jueves, pero no muy temprano":       within(on(nov, 26), 10, 0),
	} {
		if got, doubt := ReadWish(text, now); got != want || doubt != nil {
			t.Errorf("%q: %+v, doubt %+v, want %+v", text, got, doubt, want)
		}
	}
}

func TestDaysThatAreAskedAbout(t *testing.T) {
	nov, dec := time.November, time.December
	days := func(d ...time.Time) []time.Time { return d }
	for text, want := range map[string]clinic.Doubt{
		"martes 30 a las 9":          {Kind: clinic.OtherWeekday, Day: day(nov, 30), Weekday: time.Tuesday, Options: days(day(nov, 30), day(dec, 1))},
		"lunes 24 de noviembre":      {Kind: clinic.OtherWeekday, Day: day(nov, 24), Weekday: time.Monday, Options: days(day(nov, 23), day(nov, 24))},
		"viernes 28/11":              {Kind: clinic.OtherWeekday, Day: day(nov, 28), Weekday: time.Friday, Options: days(day(nov, 27), day(nov, 28))},
		"el 25, jueves":              {Kind: clinic.OtherWeekday, Day: day(nov, 25), Weekday: time.Thursday, Options: days(day(nov, 25), day(nov, 26))},
		"sí, pero el martes 30":      {Kind: clinic.OtherWeekday, Day: day(nov, 30), Weekday: time.Tuesday, Options: days(day(nov, 30), day(dec, 1))},
		"mañana lunes":               {Kind: clinic.OtherThanNear, Day: day(nov, 22), Said: "mañana", Options: days(day(nov, 22), day(nov, 23))},
		"mañana 24":                  {Kind: clinic.OtherThanNear, Day: day(nov, 22), Said: "mañana", Options: days(day(nov, 22), day(nov, 24))},
		"hoy viernes":                {Kind: clinic.OtherThanNear, Day: day(nov, 21), Said: "hoy", Options: days(day(nov, 21), day(nov, 27))},
		"el 31 de noviembre":         {Kind: clinic.NoSuchDay, Said: "31 de noviembre"},
		"el 31 de noviembre a las 9": {Kind: clinic.NoSuchDay, Said: "31 de noviembre"},
		"30 de febrero":              {Kind: clinic.NoSuchDay, Said: "30 de febrero"},
		"31/11":                      {Kind: clinic.NoSuchDay, Said: "31 de noviembre"},
		"el 45":                      {Kind: clinic.NoSuchDay, Said: "día 45"},
		"lunes 32":                   {Kind: clinic.NoSuchDay, Said: "día 32"},
		"45/13":                      {Kind: clinic.NoSuchDay, Said: "45/13"},
		"el 12 de noviembre":         {Kind: clinic.PastDay, Day: day(nov, 12)},
		"20/11/2026":                 {Kind: clinic.PastDay, Day: day(nov, 20)},
		"el lunes de esta semana":    {Kind: clinic.PastDay, Day: day(nov, 16)},
		"el martes a las 25":         {Kind: clinic.NoSuchHour},
		"a las 10:75 del martes":     {Kind: clinic.NoSuchHour},
	} {
		got, doubt := ReadWish(text, now)
		if doubt == nil || doubt.Kind != want.Kind || !doubt.Day.Equal(want.Day) || doubt.Weekday != want.Weekday || doubt.Said != want.Said || !slices.EqualFunc(doubt.Options, want.Options, time.Time.Equal) {
			t.Errorf("%q: %+v, doubt %+v, want %+v", text, got, doubt, want)
		}
	}
}

func TestDaysThatDoNotSuit(t *testing.T) {
	for text, want := range map[string][]time.Weekday{
		"el jueves no puedo": {time.Thursday}, "no puedo el jueves": {time.Thursday}, "cualquier día menos el martes": {time.Tuesday}, "los lunes no puedo, los demás días sí": {time.Monday}, "que no sea viernes": {time.Friday},
		"mañana no puedo": {time.Sunday}, "hoy no": {time.Saturday}, "el 26 no puedo": {time.Thursday}, "el lunes no puedo y el martes tampoco": {time.Monday, time.Tuesday},
		"el jueves": nil, "no, el jueves": nil, "mañana en la mañana": nil, "no": nil, "mañana no, pasado": {time.Sunday}, "no este martes, el otro": nil, "¿mañana no hay nada?": nil,
	} {
		if got := Read(text, now).Unwanted; !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestADayOfTheConversationIsMeant: "el lunes" after "lunes 30 …" is that Monday.
func TestADayOfTheConversationIsMeant(t *testing.T) {
	known := Moment{At: at, Ahead: 45, Known: []time.Time{day(time.November, 30), day(time.December, 1)}}
	for text, want := range map[string]time.Time{
		"el lunes": day(time.November, 30), "el martes a las 10": day(time.December, 1), "el jueves": day(time.November, 26), "la próxima semana el lunes": day(time.November, 23),
	} {
		if got, doubt := ReadWish(text, known); doubt != nil || !got.First.Equal(want) {
			t.Errorf("%q: %+v, doubt %+v, want %v", text, got, doubt, want)
		}
	}
}

// In some of these zones the clocks change at midnight, so that a day begins at 01:00 or its first hour
// comes twice.
func TestDaysWhereClocksChange(t *testing.T) {
	for _, c := range []struct{ zone, sunday string }{
		{"America/Panama", "2026-03-08"}, {"America/New_York", "2026-03-08"}, {"Europe/Madrid", "2026-10-25"}, {"Asia/Beirut", "2026-03-29"},
		{"America/Havana", "2026-03-08"}, {"America/Havana", "2026-11-01"}, {"America/Santiago", "2026-09-06"}, {"America/Santiago", "2026-04-05"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		sunday, err := time.Parse(time.DateOnly, c.sunday)
		if err != nil {
			t.Fatal(err)
		}
		slot := func(days int) time.Time {
			return time.Date(sunday.Year(), sunday.Month(), sunday.Day()+days, 10, 0, 0, 0, zone)
		}
		for _, said := range []struct {
			on          int
			text        string
			first, last int
		}{
			{0, "hoy", 0, 0}, {0, "mañana", 1, 1}, {0, "el lunes", 1, 1}, {0, "la próxima semana", 1, 7},
			{-2, "el domingo", 0, 0}, {-2, "pasado mañana", 0, 0}, {-2, "en tres días", 1, 1}, {-2, "esta semana", -2, 0},
			{-2, "el " + strconv.Itoa(sunday.Day()), 0, 0}, {-2, "este fin de semana", -1, 0}, {-30, "en 30 días", 0, 0},
		} {
			w, doubt := ReadWish(said.text, Moment{At: slot(said.on), Ahead: 45})
			if doubt != nil || w.First.Day() != slot(said.first).Day() || w.Last.Day() != slot(said.last).Day() {
				t.Errorf("%v, %d days from it, %s: %v to %v, doubt %+v", c, said.on, said.text, w.First, w.Last, doubt)
			}
			for days := -3; days <= 8; days++ {
				if fits := said.first <= days && days <= said.last; w.Fits(slot(days)) != fits {
					t.Errorf("%v, %d days from it, %s: that %v fits is not %v", c, said.on, said.text, slot(days), fits)
				}
			}
		}
		if got, ok := Day("¿abren mañana?", slot(0)); !ok || !got.Equal(clinic.StartOfDay(sunday.Year(), sunday.Month(), sunday.Day()+1, zone)) {
			t.Errorf("%v: the day after it is %v, %v", c, got, ok)
		}
	}
}

// A date without a year is of this year, or of the next one where that was long ago.
func TestTheYearOfADate(t *testing.T) {
	for _, c := range []struct{ now, text, want string }{
		{"2026-11-21", "el 15 de enero", "2027-01-15"},
		{"2026-12-31", "el 31 de diciembre", "2026-12-31"},
		{"2026-12-31", "el 1 de enero", "2027-01-01"},
		{"2027-01-01", "el 31 de diciembre", "2027-12-31"},
		{"2026-11-21", "el 20 de noviembre", "it is over"},
		{"2026-11-21", "el 29 de febrero", "there is none"},
		{"2027-02-10", "el 29 de febrero", "there is none"},
		{"2027-12-31", "el 29 de febrero", "2028-02-29"},
		{"2028-02-29", "el 29 de febrero", "2028-02-29"},
		{"2028-03-01", "el 29 de febrero", "it is over"},
		{"2028-12-31", "el 29 de febrero", "there is none"},
		{"2027-12-31", "el 30 de febrero", "there is none"},
	} {
		for _, hour := range []string{"00:01", "23:59"} {
			now, err := time.ParseInLocation("2006-01-02 15:04", c.now+" "+hour, at.Location())
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			switch w, doubt := ReadWish(c.text, Moment{At: now, Ahead: 90}); {
			case doubt == nil:
				got = w.First.Format(time.DateOnly)
			case doubt.Kind == clinic.PastDay:
				got = "it is over"
			case doubt.Kind == clinic.NoSuchDay:
				got = "there is none"
			}
			if got != c.want {
				t.Errorf("%s, %s on %s: %q, want %q", c.text, hour, c.now, got, c.want)
			}
		}
	}
}

// at is Saturday, 21 November 2026, 10:00 in Panama.
var at = time.Date(2026, 11, 21, 10, 0, 0, 0, clinic.Default().Zone)

var now = Moment{At: at, Ahead: 45}

func day(month time.Month, d int) time.Time {
	return time.Date(2026, month, d, 0, 0, 0, 0, at.Location())
}

func on(month time.Month, d int) clinic.Wish {
	return clinic.Wish{First: day(month, d), Last: day(month, d)}
}

func exactly(w clinic.Wish, hour, minute int) clinic.Wish {
	w.Earliest, w.Exact = hour*60+minute, true
	return w
}

func within(w clinic.Wish, earliest, latest int) clinic.Wish {
	w.Earliest, w.Latest = earliest*60, latest*60
	return w
}

func TestReadWish(t *testing.T) {
	nov := time.November
	var any clinic.Wish
	tests := map[string]clinic.Wish{
		"hola":                           any,
		"hoy":                            on(nov, 21),
		"mañana":                         on(nov, 22),
		"mañana en la tarde":             within(on(nov, 22), 12, 19),
		"mañana en la mañana":            within(on(nov, 22), 0, 12),
		"en la mañana":                   within(any, 0, 12),
		"por la mañana mejor":            within(any, 0, 12),
		"pasado mañana":                  on(nov, 23),
		"el sábado":                      on(nov, 28),
		"este sabado":                    on(nov, 21),
		"EL LUNES A LAS 10":              exactly(on(nov, 23), 10, 0),
		"el lunes a las 3":               exactly(on(nov, 23), 15, 0),
		"el martes a las 5 y media":      exactly(on(nov, 24), 17, 30),
		"miércoles 10:30":                exactly(on(nov, 25), 10, 30),
		"jueves 3pm":                     exactly(on(nov, 26), 15, 0),
		"viernes a las 4 de la tarde":    exactly(on(nov, 27), 16, 0),
		"el viernes al mediodía":         exactly(on(nov, 27), 12, 0),
		"a las 10 de la mañana":          exactly(any, 10, 0),
		"a la una":                       exactly(any, 13, 0),
		"cuarto para las 5":              exactly(any, 16, 45),
		"después de las 4":               {Earliest: 16 * 60},
		"antes de las 11":                {Latest: 11 * 60},
		"entre las 2 y las 4":            within(any, 14, 16),
		"de 9 a 11 am el lunes":          within(on(nov, 23), 9, 11),
		"lunes o martes":                 {First: day(nov, 23), Last: day(nov, 24)},
		"la próxima semana":              {First: day(nov, 23), Last: day(nov, 29)},
		"el jueves de la próxima semana": on(nov, 26),
		"esta semana":                    {First: day(nov, 21), Last: day(nov, 22)},
		"el fin de semana":               {First: day(nov, 21), Last: day(nov, 22)},
		"en dos semanas":                 on(time.December, 5),
		"el 15 de diciembre":             on(time.December, 15),
		"15/12/2026 a las 10:30":         exactly(on(time.December, 15), 10, 30),
		"15/12":                          on(time.December, 15),
		"2026-12-15":                     on(time.December, 15),
		"el 30":                          on(nov, 30),
		"el 5 en la tarde":               within(on(time.December, 5), 12, 19),
		"nací el 12-05-1990":             any,
		"tomorrow at 3pm":                exactly(on(nov, 22), 15, 0),
		"monday":                         on(nov, 23),
		"temprano el lunes":              within(on(nov, 23), 0, 10),
		"trabajo hasta las 4":            {Earliest: 16 * 60},
		"puedo hasta las 4":              {Latest: 16 * 60},
		"sale de la escuela a la 1":      {Earliest: 13 * 60},
		"cuánto sale a las 4":            exactly(any, 16, 0),
		"se puede para la tarde":         within(any, 12, 19),
	}
	for text, want := range tests {
		if got, doubt := ReadWish(text, now); got != want || doubt != nil {
			t.Errorf("%q: %+v, doubt %+v, want %+v", text, got, doubt, want)
		}
	}
	for text, want := range map[string]clinic.Wish{"10": exactly(any, 10, 0), "las 3": exactly(any, 15, 0), "4 y media": exactly(any, 16, 30), "10:30": exactly(any, 10, 30)} {
		if got, _ := ReadWish(text, Moment{At: at, Ahead: 45, Bare: true}); got != want {
			t.Errorf("bare %q: %+v, want %+v", text, got, want)
		}
	}
}

// ReadWish is what tests of a wish look at.
func ReadWish(text string, m Moment) (clinic.Wish, *clinic.Doubt) {
	r := Read(text, m)
	return r.Wish, r.Doubt
}
