package details

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"bitacora/domain/clinic"
)

const dayNames = `lunes|martes|miercoles|jueves|viernes|sabados?|domingos?`

var (
	weekdays = map[string]time.Weekday{
		"domingo": time.Sunday, "lunes": time.Monday, "martes": time.Tuesday, "miercoles": time.Wednesday,
		"jueves": time.Thursday, "viernes": time.Friday, "sabado": time.Saturday,
		"sunday": time.Sunday, "monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday,
		"thursday": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
	}

	ahead        = regexp.MustCompile(`\b(?:en|dentro de) (\d{1,2}|un|una|dos|tres|cuatro|cinco|ocho|quince) (dias?|semanas?|mes(?:es)?)\b`)
	nextWeek     = regexp.MustCompile(`\b(?:(?:la )?(?:proxima|otra|siguiente) semana|semana (?:que viene|entrante|proxima|siguiente)|next week)\b`)
	thisWeek     = regexp.MustCompile(`\b(?:(?:en |de )?esta (?:misma )?semana|this week)\b`)
	weekend      = regexp.MustCompile(`\b(?:(?:el |este )?(?:fin(?:es)? de semana|finde)|weekend)\b`)
	partOfMonth  = regexp.MustCompile(`\b(?:(fin|fines|final|finales|ultimos dias|ultima semana)|(principios?|comienzos?|inicios?|primeros dias|primera semana)|(segunda semana)|(mediados?|mitad)|(tercera semana)|(cuarta semana)) del? (?:(?:este |el )?(mes(?: que viene| proximo| entrante)?|proximo mes|otro mes)|(?:el mes de )?([a-z]{4,10}))\b`)
	inMonth      = regexp.MustCompile(`\b(?:en|para|durante) (?:el mes de )?([a-z]{4,10})\b`)
	ofMonth      = regexp.MustCompile(`^(?:de|del|in|of) (?:el |mes de )?([a-z]{4,10})\b`)
	weekdayNames = regexp.MustCompile(`\b(?:` + dayNames + `)\b`)
	daysFromNow  = regexp.MustCompile(`\b(?:de )?hoy en (ocho|quince)\b(?: dias)?`)
	// unwantedDay is a day that somebody cannot come on.
	unwantedDay = regexp.MustCompile(`\b(?:` + excluding + `|no quiero|tampoco)(?: para)? (?:el |los |la )?(?:` + dayNames + `|hoy|pasado manana|manana)\b[^,.;]*?(?: pero | sino |[,.;]|$)|` +
		`\bno (?:este|el|los|hoy) ?(?:` + dayNames + `)?(?: pero | sino |[,.;]|$)|` +
		`\b(?:el |los )?(?:` + dayNames + `)(?: \d{1,2}| que viene| proximo)? (?:no|tampoco)\b(?:` + suits + `)?|` +
		`\b(?:hoy|pasado manana|manana|el \d{1,2}) (?:no|tampoco)(?:` + suits + `| *[,.;!]| *$)`)
	// refusals are the words that say that a day is not wanted.
	refusals = regexp.MustCompile(`\b(?:` + excluding + `|no quiero|tampoco|no(?:` + suits + `)?|pero|sino)\b|[,.;!]`)
	// weekLater is the day of a name after the one that is refused: "este jueves no, el otro".
	weekLater = regexp.MustCompile(`\b(?:no )?(?:este |el )?(?:proximo )?(` + dayNames + `)(?: que viene)?(?: no)?,? (?:sino )?el (?:otro|que sigue|siguiente)\b`)
	// dayLater is the day after tomorrow: "mañana no, pasado".
	dayLater = regexp.MustCompile(`\bmanana no(?: puedo)?,? (?:sino |mejor |pero )?(?:el )?pasado\b(?: manana)?`)
)

// Words that say that a day or an hour does not suit.
const (
	excluding = `menos|excepto|salvo|no (?:puedo|podria|podre|voy a poder)(?: ir)?|no me (?:sirven?|quedan?|convienen?)(?: bien)?|que no sean?`
	suits     = ` puedo(?: ir)?| podria| podre| me sirven?| me quedan?(?: bien)?| me convienen?`
)

// withoutRefused is a text without the days that it says do not suit.
func withoutRefused(t string) string {
	t = weekLater.ReplaceAllString(dayLater.ReplaceAllString(t, " pasado manana "), " el otro ${1} ")
	return unwantedDay.ReplaceAllString(t, " ")
}

// ReadUnwanted finds the days of the week on which somebody cannot come.
func ReadUnwanted(text string, m Moment) (days []time.Weekday) {
	t := weekLater.ReplaceAllString(dayLater.ReplaceAllString(" "+plainText(text)+" ", " "), " ")
	for _, refused := range unwantedDay.FindAllString(t, -1) {
		first, last, doubt := readDays(" "+refusals.ReplaceAllString(refused, " ")+" ", m)
		if doubt == nil && !first.IsZero() && first.Equal(last) {
			days = append(days, first.Weekday())
		}
	}
	return days
}

// NamesWeekday says that a text names a day of the week.
func NamesWeekday(text string) bool { return weekdayNames.MatchString(plainText(text)) }

// readDays reads the first and the last of the days that are wished.
func readDays(t string, m Moment) (first, last time.Time, doubt *clinic.Doubt) {
	t = daysFromNow.ReplaceAllString(withoutRefused(t), " dentro de ${1} dias ")
	today, parts := midnight(m.At), partsOf(t)
	near, doubt := readNear(parts, m)
	if doubt != nil {
		return first, last, doubt
	}
	var days []time.Time
	for _, d := range dates(parts) {
		day, doubt, ok := d.resolve(m)
		switch {
		case doubt != nil:
			return first, last, doubt
		case !ok:
			continue
		case d.since:
			days = append(days, midnight(m.At.AddDate(0, 0, m.Ahead)))
		case d.until:
			days = append(days, today)
		}
		days = append(days, day)
	}
	if len(days) > 0 {
		m.At, m.Known = slices.MinFunc(days, time.Time.Compare), days
	} else if first, last := readSpan(t, today); !first.IsZero() {
		return first, last, nil
	}
	named, doubt := readWeekdays(t, parts, today, m)
	if doubt != nil {
		return first, last, doubt
	}
	if days = append(days, named...); len(days) == 0 {
		days = near
	}
	if len(days) > 0 {
		return slices.MinFunc(days, time.Time.Compare), slices.MaxFunc(days, time.Time.Compare), nil
	}
	first, last = readWeeks(t, today)
	return first, last, nil
}

// readNear reads "hoy", "esta tarde", "mañana" and "pasado mañana", and takes what follows with
// them: "mañana martes", "hoy 21".
func readNear(parts []part, m Moment) (days []time.Time, doubt *clinic.Doubt) {
	for i := range parts {
		ahead := nearDay(parts, i)
		if ahead < 0 {
			continue
		}
		day, word := midnight(m.At).AddDate(0, 0, ahead), [...]string{"hoy", "mañana", "pasado mañana"}[ahead]
		days = append(days, day)
		j := skipAhead(parts, i+1)
		also := namedDate{weekday: -1}
		if j < len(parts) && parts[j].weekday >= 0 {
			also.weekday, parts[j].weekday = parts[j].weekday, -1
			j = skipAhead(parts, j+1)
		}
		if j < len(parts) && (parts[j].number > lastHour || parts[j].number == day.Day() && !hourTail.MatchString(textFrom(parts, j+1))) {
			also.day, parts[j].number = parts[j].number, 0
		}
		if also.weekday >= 0 && also.weekday != int(day.Weekday()) || also.day > 0 && also.day != day.Day() {
			return nil, &clinic.Doubt{Kind: clinic.OtherThanNear, Day: day, Said: word, Options: also.beside(day, m)}
		}
	}
	return days, nil
}

// nearDay is how many days ahead the day of a word is that counts from today; -1 for none.
func nearDay(parts []part, i int) int {
	before := ""
	if i > 0 {
		before = parts[i-1].word
	}
	switch parts[i].word {
	case "hoy", "today":
		return 0
	case "tarde", "noche", "tardecita":
		if before == "esta" {
			return 0
		}
	case "tomorrow":
		return 1
	case "manana":
		switch {
		case before == "pasado":
			return 2
		case before == "esta":
			return 0
		case i > 0 && parts[i-1].weekday >= 0, slices.Contains([]string{"la", "las", "de", "x"}, before):
			return -1
		}
		return 1
	}
	return -1
}

// beside are a day and the one that was named together with it.
func (d namedDate) beside(day time.Time, m Moment) []time.Time {
	options := []time.Time{day}
	switch {
	case d.day > 0:
		if other, doubt, ok := d.nextOf(m, midnight(m.At)); ok && doubt == nil {
			options = append(options, other)
		}
	case d.weekday >= 0:
		options = append(options, day.AddDate(0, 0, (d.weekday-int(day.Weekday())+7)%7))
	}
	return options
}

// readSpan reads "en dos semanas".
func readSpan(t string, today time.Time) (first, last time.Time) {
	m := ahead.FindStringSubmatch(t)
	if m == nil {
		return first, last
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		n = map[string]int{"un": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "ocho": 8, "quince": 15}[m[1]]
	}
	switch m[2][0] {
	case 's':
		n *= 7
	case 'm':
		return today.AddDate(0, n, 0), today.AddDate(0, n, 6)
	}
	return today.AddDate(0, 0, n), today.AddDate(0, 0, n)
}

// readWeeks reads weeks, weekends and months.
func readWeeks(t string, today time.Time) (first, last time.Time) {
	day := func(n int) time.Time { return today.AddDate(0, 0, n) }
	untilSunday := (7 - int(today.Weekday())) % 7
	switch {
	case nextWeek.MatchString(t):
		return day(untilSunday + 1), day(untilSunday + 7)
	case thisWeek.MatchString(t):
		return today, day(untilSunday)
	case weekend.MatchString(t):
		saturday := day((int(time.Saturday) - int(today.Weekday()) + 7) % 7)
		return saturday, saturday.AddDate(0, 0, 1)
	}
	if first, last = readPartOfMonth(t, today); !first.IsZero() {
		return first, last
	}
	if m := inMonth.FindStringSubmatch(t); m != nil && monthOf(m[1]) > 0 {
		first = nextMonth(monthOf(m[1]), today)
		return first, first.AddDate(0, 1, -1)
	}
	return first, last
}

// readPartOfMonth reads "a fin de mes", "principios de diciembre", "la segunda semana de enero".
// A part of which nothing is left this month is that of the next.
func readPartOfMonth(t string, today time.Time) (first, last time.Time) {
	m := partOfMonth.FindStringSubmatch(t)
	if m == nil {
		return first, last
	}
	month := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, today.Location())
	switch {
	case monthOf(m[8]) > 0:
		month = nextMonth(monthOf(m[8]), today)
	case m[7] == "":
		return first, last
	case m[7] != "mes":
		month = month.AddDate(0, 1, 0)
	}
	part := func(month time.Time) (first, last time.Time) {
		from, to := 24, month.AddDate(0, 1, -1).Day()
		switch {
		case m[2] != "":
			from, to = 1, 7
		case m[3] != "":
			from, to = 8, 14
		case m[4] != "":
			from, to = 12, 20
		case m[5] != "":
			from, to = 15, 21
		case m[6] != "":
			from, to = 22, 28
		}
		return month.AddDate(0, 0, from-1), month.AddDate(0, 0, to-1)
	}
	if first, last = part(month); last.Before(today) {
		return part(month.AddDate(0, 1, 0))
	}
	if first.Before(today) {
		first = today
	}
	return first, last
}

// nextMonth is the first day of the next month of that number, this one included.
func nextMonth(month int, today time.Time) time.Time {
	first := time.Date(today.Year(), time.Month(month), 1, 0, 0, 0, 0, today.Location())
	if first.AddDate(0, 1, 0).After(today) {
		return first
	}
	return first.AddDate(1, 0, 0)
}

var ordinalWeeks = map[string]int{"primer": 0, "primero": 0, "first": 0, "segundo": 1, "second": 1, "tercer": 2, "tercero": 2, "third": 2, "cuarto": 3, "ultimo": -1, "last": -1}

// readWeekdays gives the days of the names in a text that bear no number.
func readWeekdays(t string, parts []part, today time.Time, m Moment) (days []time.Time, doubt *clinic.Doubt) {
	sunday := today.AddDate(0, 0, (7-int(today.Weekday()))%7)
	for i, p := range parts {
		if p.weekday < 0 {
			continue
		}
		before := ""
		if i > 0 {
			before = parts[i-1].word
		}
		day := nextWeekday(m, p.weekday, before)
		switch month := ofMonth.FindStringSubmatch(textFrom(parts, i+1)); {
		case month != nil && monthOf(month[1]) > 0:
			day = weekdayIn(nextMonth(monthOf(month[1]), today), p.weekday, ordinalWeeks[before], today)
		case nextWeek.MatchString(t):
			day = sunday.AddDate(0, 0, 1+(p.weekday+6)%7)
		case thisWeek.MatchString(t):
			if day = sunday.AddDate(0, 0, (p.weekday+6)%7-6); day.Before(today) {
				return nil, &clinic.Doubt{Kind: clinic.PastDay, Day: day}
			}
		}
		days = append(days, day)
	}
	return days, nil
}

// nextWeekday is the day of a name: the one that is spoken of, else the next one.
func nextWeekday(m Moment, weekday int, before string) time.Time {
	for _, known := range m.Known {
		if int(known.Weekday()) == weekday && before != "otro" && !known.Before(midnight(m.At)) {
			return midnight(known)
		}
	}
	today := midnight(m.At)
	ahead := (weekday - int(today.Weekday()) + 7) % 7
	if ahead == 0 && before != "este" {
		ahead = 7
	}
	if before == "otro" {
		ahead += 7
	}
	return today.AddDate(0, 0, ahead)
}

// weekdayIn is a day of the week in a month: the nth of it from 0 on, -1 for the last, and
// not before today.
func weekdayIn(month time.Time, weekday, nth int, today time.Time) time.Time {
	day := month.AddDate(0, 0, (weekday-int(month.Weekday())+7)%7+7*max(nth, 0))
	for nth < 0 && day.AddDate(0, 0, 7).Month() == month.Month() || nth == 0 && day.Before(today) {
		day = day.AddDate(0, 0, 7)
	}
	return day
}
