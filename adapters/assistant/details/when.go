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
	morning   = regexp.MustCompile(`\b(?:(?:en|por|de|x) la manana|esta manana|en las mananas|in the morning|mananera|manana (?:en|por) la manana|a\.? ?m\.?)\b`)
	earlyDay  = regexp.MustCompile(`\b(?:tempran(?:o|ito)|primera hora|early)\b`)
	afternoon = regexp.MustCompile(`^ (?:tarde|tardes) $|\b(?:(?:en|por|de|x|a) la tarde|esta tarde|tardecita|en las tardes|in the afternoon|despues del almuerzo)\b`)
	evening   = regexp.MustCompile(`\b(?:(?:en|por|de) la noche|esta noche|tarde noche|al final de la tarde|ultima hora|despues del trabajo|saliendo del trabajo|evening)\b`)
	noon      = regexp.MustCompile(`\b(?:(?:al |a )?medio ?dia|noon)\b`)

	aTime     = `(\d{1,2}|` + hourWords + `)(?: ?[:.h] ?(\d{2}))?( y media| y cuarto| y \d{2})? ?(?:horas?|hrs?)? ?(a\.? ?m\b\.?|p\.? ?m\b\.?|de la manana|de la tarde|de la noche|en la manana|en la tarde)?`
	exactTime = regexp.MustCompile(`\b(?:(?:la |el )?de las?|a las?|para las?|tipo|como a las?|sobre las?|at|tipo las) ` + aTime)
	digital   = regexp.MustCompile(`\b(\d{1,2})[:.](\d{2})()(?: ?(a\.? ?m\b\.?|p\.? ?m\b\.?|de la manana|de la tarde|de la noche))?`)
	meridiem  = regexp.MustCompile(`\b(\d{1,2})()() ?(am|pm|a\.m\.?|p\.m\.?|a m|p m)(?:\b|$)`)
	after     = regexp.MustCompile(`\b(?:despues de|pasadas|a partir de|desde|luego de|after) (?:las? )?` + aTime)
	before    = regexp.MustCompile(`\b(?:antes de|hasta|before) (?:las? )?` + aTime)
	between   = regexp.MustCompile(`\b(?:entre|de) (?:las? )?` + aTime + ` (?:y|a|hasta) (?:las? )?` + aTime)
	quarterTo = regexp.MustCompile(`\b(?:a )?(?:un )?cuarto para las? (\d{1,2}|` + hourWords + `)`)
	bareHour  = regexp.MustCompile(`^(?:las? )?(\d{1,2}|` + hourWords + `)(?: ?[:.h] ?(\d{2}))?( y media| y cuarto)?()$`)
)

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
	w.Earliest, w.Latest, w.Exact, impossible = readTime(withoutDates(wantedTime(t)))
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

var (
	noMorning = regexp.MustCompile(`\b(?:(?:en|por) las? mananas? (?:no|tampoco)(?:` + suits + `| *[,.;!]| *$)|(?:` + excluding + `)(?: en| por)? las? mananas?\b)`)
	noLater   = regexp.MustCompile(`\b(?:(?:en|por) las? tardes? (?:no|tampoco)(?:` + suits + `| *[,.;!]| *$)|(?:` + excluding + `)(?: en| por)? las? tardes?\b)`)
	notEarly  = regexp.MustCompile(`\b(?:no|` + excluding + `)(?: sea| es)?(?: muy| tan)? tempran(?:o|ito)\b`)
	noHour    = regexp.MustCompile(`\ba las? (?:\d{1,2}(?::\d\d)?|` + hourWords + `)(?: ?(?:am|pm))? (?:no|tampoco)(?:` + suits + `| *[,.;!]| *$)|\b(?:` + excluding + `) (?:a )?las? (?:\d{1,2}(?::\d\d)?|` + hourWords + `)\b`)
)

// wantedTime is a text without the hours that it says do not suit; where half a day does not, the
// other half is meant.
func wantedTime(t string) string {
	t = noMorning.ReplaceAllString(t, " en la tarde ")
	t = noLater.ReplaceAllString(t, " en la manana ")
	t = notEarly.ReplaceAllString(t, " a partir de las 10 ")
	return noHour.ReplaceAllString(t, " ")
}

// withoutDates leaves out the dates of figures, which look like times of day.
func withoutDates(t string) string {
	fields := strings.Fields(t)
	fields = slices.DeleteFunc(fields, func(w string) bool { _, ok := figures(strings.Trim(w, ".,()?!"), false); return ok })
	return " " + strings.Join(fields, " ") + " "
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
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
