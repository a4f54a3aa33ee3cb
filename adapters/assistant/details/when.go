package details

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bitacora/domain/clinic"
)

var (
	weekdays = map[string]time.Weekday{
		"domingo": time.Sunday, "lunes": time.Monday, "martes": time.Tuesday, "miercoles": time.Wednesday,
		"jueves": time.Thursday, "viernes": time.Friday, "sabado": time.Saturday,
		"sunday": time.Sunday, "monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday,
		"thursday": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
	}
	ahead     = regexp.MustCompile(`\b(?:en|dentro de) (\d{1,2}|un|una|dos|tres|cuatro|cinco|ocho|quince) (dias?|semanas?|mes(?:es)?)\b`)
	nextWeek  = regexp.MustCompile(`\b(?:(?:la )?(?:proxima|otra|siguiente) semana|semana (?:que viene|entrante|proxima|siguiente)|next week)\b`)
	thisWeek  = regexp.MustCompile(`\b(?:(?:en |de )?esta (?:misma )?semana|this week)\b`)
	weekend   = regexp.MustCompile(`\b(?:(?:el |este )?fin(?:es)? de semana|weekend)\b`)
	morning   = regexp.MustCompile(`\b(?:(?:en|por|de|x) la manana|en las mananas|in the morning|mananera|manana (?:en|por) la manana|a\.? ?m\.?)\b`)
	earlyDay  = regexp.MustCompile(`\b(?:tempran(?:o|ito)|primera hora|early)\b`)
	afternoon = regexp.MustCompile(`\b(?:(?:en|por|de|x|a) la tarde|tardecita|en las tardes|in the afternoon|despues del almuerzo)\b`)
	evening   = regexp.MustCompile(`\b(?:(?:en|por|de) la noche|tarde noche|al final de la tarde|ultima hora|despues del trabajo|saliendo del trabajo|evening)\b`)
	noon      = regexp.MustCompile(`\b(?:(?:al |a )?medio ?dia|noon)\b`)

	aTime        = `(\d{1,2}|` + hourWords + `)(?: ?[:.h] ?(\d{2}))?( y media| y cuarto| y \d{2})? ?(?:horas?|hrs?)? ?(a\.? ?m\b\.?|p\.? ?m\b\.?|de la manana|de la tarde|de la noche|en la manana|en la tarde)?`
	weekdayNames = regexp.MustCompile(`\b(?:` + dayNames + `)\b`)
	hoyEn        = regexp.MustCompile(`\b(?:de )?hoy en (ocho|quince)\b(?: dias)?`)
	// unwantedDay is a day that somebody cannot come on.
	unwantedDay = regexp.MustCompile(`\b(?:menos|excepto|salvo|no puedo(?: ir)?|no me (?:sirven?|quedan?|convienen?)(?: bien)?|que no sea|no quiero|tampoco)(?: para)? (?:el |los |la )?(?:` + dayNames + `)[^,.;]*?(?: pero | sino |[,.;]|$)|` +
		`\b(?:el |los )?(?:` + dayNames + `)(?: \d{1,2})? no\b(?: puedo| me sirve| me queda(?: bien)?| me conviene)?`)
	exactTime = regexp.MustCompile(`\b(?:(?:la |el )?de las?|a las?|para las?|tipo|como a las?|sobre las?|at|tipo las) ` + aTime)
	digital   = regexp.MustCompile(`\b(\d{1,2})[:.](\d{2})()(?: ?(a\.? ?m\b\.?|p\.? ?m\b\.?|de la manana|de la tarde|de la noche))?`)
	meridiem  = regexp.MustCompile(`\b(\d{1,2})()() ?(am|pm|a\.m\.?|p\.m\.?|a m|p m)(?:\b|$)`)
	after     = regexp.MustCompile(`\b(?:despues de|pasadas|a partir de|desde|luego de|after) (?:las? )?` + aTime)
	before    = regexp.MustCompile(`\b(?:antes de|hasta|before) (?:las? )?` + aTime)
	between   = regexp.MustCompile(`\b(?:entre|de) (?:las? )?` + aTime + ` (?:y|a|hasta) (?:las? )?` + aTime)
	quarterTo = regexp.MustCompile(`\b(?:a )?(?:un )?cuarto para las? (\d{1,2}|` + hourWords + `)`)
	bareHour  = regexp.MustCompile(`^(?:las? )?(\d{1,2}|` + hourWords + `)(?: ?[:.h] ?(\d{2}))?( y media| y cuarto)?()$`)
	inMonth   = regexp.MustCompile(`\b(?:en|para|durante) (?:el mes de )?([a-z]{4,10})\b`)
	ofMonth   = regexp.MustCompile(`^(?:de|del|in|of) (?:el |mes de )?([a-z]{4,10})\b`)
)

const dayNames = `lunes|martes|miercoles|jueves|viernes|sabados?|domingos?`

// hourWords are the hours that people write as words.
const hourWords = `una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce`

// Bounds of the parts of a day, in minutes after midnight.
const (
	midday     = 12 * 60
	endOfDay   = 19 * 60
	earlyUntil = 10 * 60
	lateFrom   = 17 * 60
)

// ReadWish finds the day and time somebody would like. Where what was said is none, or more
// than one, the doubt says so, and the wish has no day.
func ReadWish(text string, m Moment) (clinic.Wish, *clinic.Doubt) {
	t := " " + plainText(text) + " "
	var w clinic.Wish
	var doubt *clinic.Doubt
	w.First, w.Last, doubt = readDays(t, m)
	var impossible bool
	w.Earliest, w.Latest, w.Exact, impossible = readTime(withoutDates(t))
	if impossible && doubt == nil {
		doubt = &clinic.Doubt{Kind: clinic.NoSuchHour}
	}
	if w.IsZero() && doubt == nil && m.Bare {
		if m := bareHour.FindStringSubmatch(strings.Trim(t, " .!")); m != nil {
			if minute, ok := minuteOf(m[1:], ""); ok {
				w.Earliest, w.Exact = minute, true
			}
		}
	}
	return w, doubt
}

// withoutDates leaves out the dates of figures, which look like times of day.
func withoutDates(t string) string {
	fields := strings.Fields(t)
	fields = slices.DeleteFunc(fields, func(w string) bool { _, ok := figures(strings.Trim(w, ".,()?!"), false); return ok })
	return " " + strings.Join(fields, " ") + " "
}

// NamesWeekday says that a text names a day of the week.
func NamesWeekday(text string) bool { return weekdayNames.MatchString(plainText(text)) }

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// readDays reads the first and the last of the days that are wished.
func readDays(t string, m Moment) (first, last time.Time, doubt *clinic.Doubt) {
	t = hoyEn.ReplaceAllString(unwantedDay.ReplaceAllString(t, " "), " dentro de ${1} dias ")
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

// readNear reads "hoy", "mañana" and "pasado mañana", and takes what follows with them:
// "mañana martes", "hoy 21".
func readNear(parts []part, m Moment) (days []time.Time, doubt *clinic.Doubt) {
	for i := range parts {
		ahead := nearDay(parts, i)
		if ahead < 0 {
			continue
		}
		day, said := midnight(m.At).AddDate(0, 0, ahead), [...]string{"hoy", "mañana", "pasado mañana"}[ahead]
		days = append(days, day)
		j := skipAhead(parts, i+1)
		also := namedDate{weekday: -1}
		if j < len(parts) && parts[j].weekday >= 0 {
			also.weekday, parts[j].weekday = parts[j].weekday, -1
			j = skipAhead(parts, j+1)
		}
		if j < len(parts) && (parts[j].number > lastHour || parts[j].number == day.Day() && !hourTail.MatchString(rest(parts, j+1))) {
			also.day, parts[j].number = parts[j].number, 0
		}
		if also.weekday >= 0 && also.weekday != int(day.Weekday()) || also.day > 0 && also.day != day.Day() {
			return nil, &clinic.Doubt{Kind: clinic.OtherThanNear, Day: day, Said: said, Options: also.beside(day, m)}
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
	case "tomorrow":
		return 1
	case "manana":
		switch {
		case before == "pasado":
			return 2
		case i > 0 && parts[i-1].weekday >= 0, slices.Contains([]string{"la", "las", "de", "esta", "x"}, before):
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
	if m := inMonth.FindStringSubmatch(t); m != nil && monthOf(m[1]) > 0 {
		first = nextMonth(monthOf(m[1]), today)
		return first, first.AddDate(0, 1, -1)
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
		switch month := ofMonth.FindStringSubmatch(rest(parts, i+1)); {
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

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// readTime reads bounds of the time of day; impossible says that an hour was named that no day
// has.
func readTime(t string) (earliest, latest int, exact, impossible bool) {
	part := ""
	switch {
	case evening.MatchString(t):
		part = "evening"
	case afternoon.MatchString(t):
		part = "afternoon"
	case earlyDay.MatchString(t):
		part = "early"
	case morning.MatchString(t):
		part = "morning"
	}
	if m := between.FindStringSubmatch(t); m != nil {
		to, ok2 := minuteOf(m[5:], part)
		from, ok1 := minuteOf(m[1:5], part)
		if ok1 && ok2 && from >= to {
			from -= midday
		}
		if ok1 && ok2 && 0 <= from && from < to && (strings.Contains(m[0], "las") || strings.Contains(m[0], "entre") || m[4]+m[8] != "") {
			return from, to, false, false
		}
	}
	if m := after.FindStringSubmatch(t); m != nil {
		if minute, ok := minuteOf(m[1:], part); ok {
			return minute, 0, false, false
		}
	}
	if m := before.FindStringSubmatch(t); m != nil {
		if minute, ok := minuteOf(m[1:], part); ok {
			return 0, minute, false, false
		}
	}
	if m := quarterTo.FindStringSubmatch(t); m != nil {
		if minute, ok := minuteOf([]string{m[1], "", "", ""}, part); ok {
			return minute - 15, 0, true, false
		}
	}
	for _, form := range []*regexp.Regexp{exactTime, digital, meridiem} {
		if m := form.FindStringSubmatch(t); m != nil {
			if minute, ok := minuteOf(m[1:], part); ok {
				return minute, 0, true, false
			}
			impossible = true
		}
	}
	switch {
	case noon.MatchString(t):
		return midday, 0, true, impossible
	case part == "evening":
		return lateFrom, 0, false, impossible
	case part == "afternoon":
		return midday, endOfDay, false, impossible
	case part == "early":
		return 0, earlyUntil, false, impossible
	case part == "morning":
		return 0, midday, false, impossible
	}
	return 0, 0, false, impossible
}

// firstMorningHour and the hours after it are in the morning unless something else is
// said; those before it are in the afternoon, when clinics are open.
const firstMorningHour = 8

// minuteOf is the minute of a time given as hour, minutes, fraction and half of the day.
func minuteOf(m []string, part string) (int, bool) {
	hour, ok := counting[m[0]]
	if !ok {
		hour = atoi(m[0])
	}
	minute := atoi(m[1])
	switch {
	case strings.Contains(m[2], "media"):
		minute = 30
	case strings.Contains(m[2], "cuarto"):
		minute = 15
	case m[2] != "":
		minute = atoi(strings.TrimPrefix(m[2], " y "))
	}
	half := strings.ReplaceAll(strings.ReplaceAll(m[3], ".", ""), " ", "")
	switch {
	case hour > 12:
	case half == "am" || half == "delamanana" || half == "enlamanana" || half == "" && (part == "morning" || part == "early"):
		hour %= 12
	case half != "" || part == "afternoon" || part == "evening":
		hour = hour%12 + 12
	case hour < firstMorningHour:
		hour += 12
	}
	return hour*60 + minute, 0 <= minute && minute < 60 && (hour > 0 || half != "") && hour < 24
}
