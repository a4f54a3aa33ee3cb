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
	months = []string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"}

	ahead     = regexp.MustCompile(`\b(?:en|dentro de) (\d{1,2}|un|una|dos|tres|cuatro|cinco|ocho|quince) (dias?|semanas?|mes(?:es)?)\b`)
	isoDay    = regexp.MustCompile(`\b(\d{4})-(\d{1,2})-(\d{1,2})\b`)
	numbered  = regexp.MustCompile(`\b(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}|\d{2}))?\b`)
	ofMonth   = regexp.MustCompile(`\b(\d{1,2}|primero|1ro) de (ene(?:ro)?|feb(?:rero)?|mar(?:zo)?|abr(?:il)?|mayo?|jun(?:io)?|jul(?:io)?|ago(?:sto)?|sep(?:t|tiembre)?|setiembre|oct(?:ubre)?|nov(?:iembre)?|dic(?:iembre)?)\b(?: del? (\d{4}))?\b`)
	ofTheDay  = regexp.MustCompile(`\b(?:el|dia|para el|al) (?:dia )?(\d{1,2})\b(?: *[:h]| (?:de la|en la|por la|am|pm)?)?`)
	nextWeek  = regexp.MustCompile(`\b(?:(?:la )?(?:proxima|otra|siguiente) semana|semana (?:que viene|entrante|proxima|siguiente)|next week)\b`)
	thisWeek  = regexp.MustCompile(`\b(?:(?:en |de )?esta (?:misma )?semana|this week)\b`)
	weekend   = regexp.MustCompile(`\b(?:(?:el |este )?fin(?:es)? de semana|weekend)\b`)
	dayAfter  = regexp.MustCompile(`\bpasado manana\b`)
	tomorrow  = regexp.MustCompile(`\b(?:tomorrow|manana)\b`)
	morning   = regexp.MustCompile(`\b(?:(?:en|por|de|x) la manana|en las mananas|in the morning|mananera|manana (?:en|por) la manana|a\.? ?m\.?)\b`)
	earlyDay  = regexp.MustCompile(`\b(?:tempran(?:o|ito)|primera hora|early)\b`)
	afternoon = regexp.MustCompile(`\b(?:(?:en|por|de|x|a) la tarde|tardecita|en las tardes|in the afternoon|despues del almuerzo)\b`)
	evening   = regexp.MustCompile(`\b(?:(?:en|por|de) la noche|tarde noche|al final de la tarde|ultima hora|despues del trabajo|saliendo del trabajo|evening)\b`)
	noon      = regexp.MustCompile(`\b(?:(?:al |a )?medio ?dia|noon)\b`)

	hourWords = `una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce`
	aTime     = `(\d{1,2}|` + hourWords + `)(?: ?[:.h] ?(\d{2}))?( y media| y cuarto| y \d{2})? ?(?:horas?|hrs?)? ?(a\.? ?m\b\.?|p\.? ?m\b\.?|de la manana|de la tarde|de la noche|en la manana|en la tarde)?`
	exactTime = regexp.MustCompile(`\b(?:a las?|para las?|tipo|como a las?|sobre las?|at|tipo las) ` + aTime)
	digital   = regexp.MustCompile(`\b(\d{1,2})[:.](\d{2})()(?: ?(a\.? ?m\b\.?|p\.? ?m\b\.?|de la manana|de la tarde|de la noche))?`)
	meridiem  = regexp.MustCompile(`\b(\d{1,2})()() ?(am|pm|a\.m\.?|p\.m\.?|a m|p m)(?:\b|$)`)
	after     = regexp.MustCompile(`\b(?:despues de|pasadas|a partir de|desde|luego de|after) (?:las? )?` + aTime)
	before    = regexp.MustCompile(`\b(?:antes de|hasta|before) (?:las? )?` + aTime)
	between   = regexp.MustCompile(`\b(?:entre|de) (?:las? )?` + aTime + ` (?:y|a|hasta) (?:las? )?` + aTime)
	quarterTo = regexp.MustCompile(`\b(?:a )?(?:un )?cuarto para las? (\d{1,2}|` + hourWords + `)`)
	bareHour  = regexp.MustCompile(`^(?:las? )?(\d{1,2}|` + hourWords + `)(?: ?[:.h] ?(\d{2}))?( y media| y cuarto)?()$`)
	slashDays = regexp.MustCompile(`\d/\d`)
)

// Bounds of the parts of a day, in minutes after midnight.
const (
	midday     = 12 * 60
	endOfDay   = 19 * 60
	earlyUntil = 10 * 60
	lateFrom   = 17 * 60
)

// ReadWish finds the day and time somebody would like, seen from a moment given in the
// business zone. Bare says that a number alone is a time of day.
func ReadWish(text string, at time.Time, bare bool) clinic.Wish {
	t := " " + plainText(text) + " "
	var w clinic.Wish
	w.First, w.Last = readDays(t, at)
	w.Earliest, w.Latest, w.Exact = readTime(t)
	if w.IsZero() && bare {
		if m := bareHour.FindStringSubmatch(strings.Trim(t, " .!")); m != nil {
			if minute, ok := minuteOf(m[1:], ""); ok {
				w.Earliest, w.Exact = minute, true
			}
		}
	}
	return w
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

func readDays(t string, at time.Time) (first, last time.Time) {
	today := midnight(at)
	day := func(n int) time.Time { return today.AddDate(0, 0, n) }
	if d, ok := readDate(t, today); ok {
		return d, d
	}
	if m := ahead.FindStringSubmatch(t); m != nil {
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
		return day(n), day(n)
	}
	untilSunday := (7 - int(today.Weekday())) % 7
	named := readWeekdays(t, today)
	switch {
	case len(named) > 0 && nextWeek.MatchString(t):
		monday := day(untilSunday + 1)
		for i, d := range named {
			named[i] = monday.AddDate(0, 0, (int(d.Weekday())+6)%7)
		}
		slices.SortFunc(named, time.Time.Compare)
		return named[0], named[len(named)-1]
	case len(named) > 0:
		return named[0], named[len(named)-1]
	case dayAfter.MatchString(t):
		return day(2), day(2)
	case saysTomorrow(t):
		return day(1), day(1)
	case strings.Contains(t, " hoy ") || strings.Contains(t, " hoy,") || strings.Contains(t, " today ") || strings.Contains(t, " hoy."):
		return today, today
	case nextWeek.MatchString(t):
		return day(untilSunday + 1), day(untilSunday + 7)
	case thisWeek.MatchString(t):
		return today, day(untilSunday)
	case weekend.MatchString(t):
		saturday := day((int(time.Saturday) - int(today.Weekday()) + 7) % 7)
		return saturday, saturday.AddDate(0, 0, 1)
	}
	return time.Time{}, time.Time{}
}

// saysTomorrow tells "mañana" from "en la mañana".
func saysTomorrow(t string) bool {
	for _, at := range tomorrow.FindAllStringIndex(t, -1) {
		before := strings.TrimRight(t[:at[0]], " ")
		if !strings.HasSuffix(before, " la") && !strings.HasSuffix(before, " las") && !strings.HasSuffix(before, " de") {
			return true
		}
	}
	return false
}

// readWeekdays gives the next days of the names in a text, in order.
func readWeekdays(t string, today time.Time) []time.Time {
	var days []time.Time
	fields := strings.FieldsFunc(t, func(r rune) bool { return r == ' ' || strings.ContainsRune(",.!?/:()-", r) })
	for i, word := range fields {
		weekday, ok := weekdays[word]
		if !ok {
			if weekday, ok = weekdays[strings.TrimSuffix(word, "s")]; !ok {
				continue
			}
		}
		ahead := (int(weekday) - int(today.Weekday()) + 7) % 7
		if ahead == 0 && !(i > 0 && (fields[i-1] == "este" || fields[i-1] == "hoy")) {
			ahead = 7
		}
		if i > 0 && fields[i-1] == "otro" {
			ahead += 7
		}
		days = append(days, today.AddDate(0, 0, ahead))
	}
	slices.SortFunc(days, time.Time.Compare)
	return slices.CompactFunc(days, time.Time.Equal)
}

// readDate reads a date. Without a year it is the next one; what is past is none.
func readDate(t string, today time.Time) (time.Time, bool) {
	if m := isoDay.FindStringSubmatch(t); m != nil {
		return dateOf(atoi(m[1]), atoi(m[2]), atoi(m[3]), today)
	}
	if m := ofMonth.FindStringSubmatch(t); m != nil {
		day := atoi(m[1])
		if day == 0 {
			day = 1
		}
		month := slices.IndexFunc(months, func(name string) bool {
			return strings.HasPrefix(name, strings.Replace(m[2], "setiembre", "septiembre", 1))
		}) + 1
		return dateOf(atoi(m[3]), month, day, today)
	}
	if m := numbered.FindStringSubmatch(t); m != nil && (m[3] != "" || slashDays.MatchString(m[0])) {
		day, month, year := atoi(m[1]), atoi(m[2]), atoi(m[3])
		if month > 12 && day <= 12 {
			day, month = month, day
		}
		if 0 < year && year < 100 {
			year += 2000
		}
		return dateOf(year, month, day, today)
	}
	if m := ofTheDay.FindStringSubmatchIndex(t); m != nil {
		if rest := t[m[3]:]; !strings.HasPrefix(rest, ":") && !meridiem.MatchString(t[m[2]:min(len(t), m[3]+5)]) {
			day := atoi(t[m[2]:m[3]])
			if d, ok := dateOf(today.Year(), int(today.Month()), day, today); ok {
				return d, true
			}
			next := time.Date(today.Year(), today.Month()+1, 1, 0, 0, 0, 0, today.Location())
			return dateOf(next.Year(), int(next.Month()), day, today)
		}
	}
	return time.Time{}, false
}

// dateOf makes a date that exists and is not past; a year of 0 is the next possible.
func dateOf(year, month, day int, today time.Time) (time.Time, bool) {
	make := func(y int) (time.Time, bool) {
		d := time.Date(y, time.Month(month), day, 0, 0, 0, 0, today.Location())
		return d, d.Day() == day && int(d.Month()) == month && !d.Before(today)
	}
	if year != 0 {
		return make(year)
	}
	if d, ok := make(today.Year()); ok {
		return d, true
	}
	return make(today.Year() + 1)
}

func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// readTime reads bounds of the time of day.
func readTime(t string) (earliest, latest int, exact bool) {
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
			return from, to, false
		}
	}
	if m := after.FindStringSubmatch(t); m != nil {
		if minute, ok := minuteOf(m[1:], part); ok {
			return minute, 0, false
		}
	}
	if m := before.FindStringSubmatch(t); m != nil {
		if minute, ok := minuteOf(m[1:], part); ok {
			return 0, minute, false
		}
	}
	if m := quarterTo.FindStringSubmatch(t); m != nil {
		if minute, ok := minuteOf([]string{m[1], "", "", ""}, part); ok {
			return minute - 15, 0, true
		}
	}
	for _, form := range []*regexp.Regexp{exactTime, digital, meridiem} {
		if m := form.FindStringSubmatch(t); m != nil {
			if minute, ok := minuteOf(m[1:], part); ok {
				return minute, 0, true
			}
		}
	}
	switch {
	case noon.MatchString(t):
		return midday, 0, true
	case part == "evening":
		return lateFrom, 0, false
	case part == "afternoon":
		return midday, endOfDay, false
	case part == "early":
		return 0, earlyUntil, false
	case part == "morning":
		return 0, midday, false
	}
	return 0, 0, false
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
