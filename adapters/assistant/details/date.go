package details

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bitacora/domain/clinic"
)

// Moment is what has to be known to read a day or a time out of a text.
type Moment struct {
	// At is the moment of the text, in the business zone.
	At time.Time
	// Ahead is how many days ahead appointments are given.
	Ahead int
	// Known are the days that are spoken of already: "el lunes" means the Monday among them.
	Known []time.Time
	// Bare says that a number alone is a time of day.
	Bare bool
}

// part is a word of a text as it may belong to a date.
type part struct {
	word    string
	weekday int
	month   int
	// number is that of a day, 0 for none; ordinal says that it can be nothing else ("30th").
	number  int
	ordinal bool
}

// namedDate is a date as it was said; what was not said is 0, or -1 for the day of the week.
type namedDate struct {
	day, month, year, weekday int
	// monthsAhead is the month as it counts from this one, where it was said so.
	monthsAhead int
	// since and until say that the days from, or up to, the date are meant.
	since, until bool
}

var (
	shortWeekdays = map[string]time.Weekday{
		"dom": time.Sunday, "lun": time.Monday, "mar": time.Tuesday, "mie": time.Wednesday, "jue": time.Thursday, "vie": time.Friday, "sab": time.Saturday,
		"sun": time.Sunday, "mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday, "thu": time.Thursday, "fri": time.Friday, "sat": time.Saturday,
	}
	monthForms = regexp.MustCompile(`^(?:(ene(?:ro)?|jan(?:uary)?)|(feb(?:rero|ruary)?)|(mar(?:zo|ch)?)|(abr(?:il)?|apr(?:il)?)|(mayo?)|(jun(?:io|e)?)|(jul(?:io|y)?)|(ago(?:sto)?|aug(?:ust)?)|(sept?|sep?tiembre|september)|(oct(?:ubre|ober)?)|(nov(?:iembre|ember)?)|(dic(?:iembre)?|dec(?:ember)?))$`)
	dayNumber  = regexp.MustCompile(`^(\d{1,2})(st|nd|rd|th|ro|ero|er|°|º)?$`)
	slashed    = regexp.MustCompile(`^(\d{1,2})([/.-])(\d{1,2})(?:[/.-](\d{4}|\d{2}))?$`)
	isoDay     = regexp.MustCompile(`^(\d{4})-(\d{1,2})-(\d{1,2})$`)
	fourDigits = regexp.MustCompile(`^\d{4}$`)
	// hourTail is what makes the number before it a time of day.
	hourTail = regexp.MustCompile(`^(?:(?:h|hrs?|horas?|am|pm|a m|p m|a\.m\.?|p\.m\.?|de la (?:manana|tarde|noche)|en punto|y media|y cuarto|y \d\d|a \d{1,2}|minutos|años|anos|dias?|semanas?|mes(?:es)?|personas)\b)`)
)

var (
	// countedMonth is a month that counts from this one.
	countedMonth = regexp.MustCompile(`^(?:de|del) (?:(?:este |presente |mismo )?mes\b( que viene| proximo| entrante| siguiente)?|(proximo|otro|siguiente) mes)`)
	// opensWithDay is what follows a number that is a day, at the beginning of a text.
	opensWithDay  = regexp.MustCompile(`^(?:a las?|en la|por la) `)
	openEnd       = regexp.MustCompile(`^(?:despues|partir) (?:del?|d)$|(?:^| )desde(?: el)?$`)
	openBeginning = regexp.MustCompile(`^antes (?:del?)$|(?:^| )hasta(?: el)?$`)
)

// dayWords are the numbers of days as words; those up to twelve are also hours.
var dayWords = func() map[string]string {
	list := strings.Fields("uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve " +
		"veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve treinta")
	all := map[string]string{"primero": "1"}
	for i, w := range list {
		all[w] = strconv.Itoa(i + 1)
	}
	return all
}()

// partsOf takes a plain text apart. A number in words is one of a day only after a word
// that announces a day, or before the name of a month.
func partsOf(t string) []part {
	t = strings.NewReplacer(",", " ", "(", " ", ")", " ", "!", " ", "?", " ", "\"", " ", "treinta y uno", "31").Replace(t)
	fields := strings.Fields(t)
	parts := make([]part, len(fields))
	for i, w := range fields {
		p := part{word: strings.Trim(w, ".:-"), weekday: -1}
		if n, ok := dayWords[p.word]; ok && (i > 0 && announcesDay(parts[i-1]) || i+2 < len(fields) && fields[i+1] == "de" && monthOf(fields[i+2]) > 0) {
			p.word = n
		}
		p.weekday, p.month = weekdayOf(p.word), monthOf(p.word)
		if short, ok := shortWeekdays[p.word]; ok && i+1 < len(fields) && dayNumber.MatchString(strings.TrimRight(fields[i+1], ".")) {
			p.weekday, p.month = int(short), 0
		}
		if m := dayNumber.FindStringSubmatch(p.word); m != nil {
			p.number, p.ordinal = atoi(m[1]), m[2] != ""
			if p.number == 0 {
				p.number = -1
			}
		}
		parts[i] = p
	}
	return parts
}

func announcesDay(p part) bool {
	return p.weekday >= 0 || slices.Contains([]string{"el", "dia", "al", "del", "the", "fecha", "proximo", "este"}, p.word)
}

func weekdayOf(word string) int {
	if d, ok := weekdays[word]; ok {
		return int(d)
	}
	if d, ok := weekdays[strings.TrimSuffix(word, "s")]; ok {
		return int(d)
	}
	return -1
}

func monthOf(word string) int {
	if m := monthForms.FindStringSubmatch(strings.TrimRight(word, ".,")); m != nil {
		return slices.IndexFunc(m[1:], func(form string) bool { return form != "" }) + 1
	}
	return 0
}

// dates finds the dates with a number of the day, and takes their words out of the parts.
func dates(parts []part) []namedDate {
	var found []namedDate
	last := -1 // where the date before ends
	for i := range parts {
		d, from, to, ok := dateAt(parts, i, last >= 0 && i == last+2 && slices.Contains([]string{"o", "u", "y", "al", "a", "or"}, parts[i-1].word))
		if !ok {
			continue
		}
		d.weekday = -1
		if j := skipBack(parts, from-1); j >= 0 && parts[j].weekday >= 0 {
			d.weekday, from = parts[j].weekday, j
		} else if j := skipAhead(parts, to+1); j < len(parts) && parts[j].weekday >= 0 && !numberBehind(parts, j) {
			d.weekday, to = parts[j].weekday, j
		}
		switch before := textFrom(parts[:from], max(0, from-2)); {
		case openEnd.MatchString(before):
			d.since = true
		case openBeginning.MatchString(before):
			d.until = true
		}
		for j := from; j <= to; j++ {
			parts[j] = part{weekday: -1}
		}
		last = to
		found = append(found, d)
	}
	return found
}

// betweenDayAndNumber are the words that may stand between the name of a day and its number.
var betweenDayAndNumber = []string{"el", "dia", "the", "que", "es", "cae", "cayo", "sea", "numero", "proximo", "este"}

func skipBack(parts []part, i int) int {
	for i >= 0 && slices.Contains(betweenDayAndNumber, parts[i].word) {
		i--
	}
	return i
}

func skipAhead(parts []part, i int) int {
	for i < len(parts) && slices.Contains(betweenDayAndNumber, parts[i].word) {
		i++
	}
	return min(i, len(parts))
}

// dateAt reads the date whose number stands at a place, and where its words begin and end.
func dateAt(parts []part, i int, goesOn bool) (d namedDate, from, to int, ok bool) {
	before := skipBack(parts, i-1)
	named := before >= 0 && parts[before].weekday >= 0
	announced := named || goesOn || i > 0 && announcesDay(parts[i-1])
	if d, ok := figures(parts[i].word, announced); ok {
		return d, i, i, true
	}
	n := parts[i].number
	if n == 0 {
		return d, 0, 0, false
	}
	d.day, from, to = n, i, i
	next := i + 1
	if next < len(parts) && slices.Contains([]string{"de", "of", "del"}, parts[next].word) {
		next++
	}
	switch {
	case next < len(parts) && parts[next].month > 0:
		d.month, to = parts[next].month, next
	case i > 0 && parts[i-1].month > 0:
		d.month, from = parts[i-1].month, i-1
	case countedMonth.MatchString(textFrom(parts, i+1)):
		m := countedMonth.FindStringSubmatch(textFrom(parts, i+1))
		if m[1]+m[2] != "" {
			d.monthsAhead = 1
		}
		return d, from, i + len(strings.Fields(m[0])), true
	case parts[i].ordinal:
		return d, from, to, true
	case i > 0 && slices.Contains([]string{"las", "la", "tipo"}, parts[i-1].word), endsHours(parts, i), n <= lastHour && hourTail.MatchString(textFrom(parts, i+1)):
		return d, 0, 0, false
	case announced, dayBehind(parts, i), i == 0 && opensWithDay.MatchString(textFrom(parts, 1)):
		return d, from, to, true
	default:
		return d, 0, 0, false
	}
	year := to + 1
	if year < len(parts) && (parts[year].word == "de" || parts[year].word == "del") {
		year++
	}
	if year < len(parts) && fourDigits.MatchString(parts[year].word) {
		d.year, to = atoi(parts[year].word), year
	}
	return d, from, to, true
}

// endsHours says that a number is the second of two hours: "entre 2 y 4".
func endsHours(parts []part, i int) bool {
	return i > 2 && parts[i].number <= lastHour && slices.Contains([]string{"y", "a"}, parts[i-1].word) && parts[i-2].number > 0 &&
		slices.Contains([]string{"entre", "de"}, parts[i-3].word)
}

// dayBehind says that the name of a day follows a number at once: "30, lunes".
func dayBehind(parts []part, i int) bool {
	j := skipAhead(parts, i+1)
	return j < len(parts) && parts[j].weekday >= 0 && parts[i].number > 0
}

// numberBehind says that a number follows the name of a day.
func numberBehind(parts []part, i int) bool {
	j := skipAhead(parts, i+1)
	return j < len(parts) && parts[j].number != 0
}

func textFrom(parts []part, from int) string {
	var words []string
	for _, p := range parts[min(from, len(parts)):] {
		words = append(words, p.word)
	}
	return strings.Join(words, " ")
}

// lastHour is the highest number that is likelier a time of day than a day where both may be
// meant.
const lastHour = 19

// figures reads a date of figures alone. "9-11" without a word that announces a day may be
// two hours.
func figures(word string, announced bool) (namedDate, bool) {
	if m := isoDay.FindStringSubmatch(word); m != nil {
		return namedDate{day: atoi(m[3]), month: atoi(m[2]), year: atoi(m[1])}, true
	}
	m := slashed.FindStringSubmatch(word)
	if m == nil {
		return namedDate{}, false
	}
	d := namedDate{day: atoi(m[1]), month: atoi(m[3]), year: atoi(m[4])}
	if d.year == 0 && m[2] != "/" && !(m[2] == "-" && announced && d.day > 0 && d.month > 0 && (d.day > lastHour || d.month <= 12 && d.month < d.day)) {
		return namedDate{}, false
	}
	if d.month > 12 && d.day <= 12 {
		d.day, d.month = d.month, d.day
	}
	if 0 < d.year && d.year < 100 {
		d.year += 2000
	}
	return d, true
}

// longPast is how many days ago a date without a year may be and still mean that day rather
// than the one of next year.
const longPast = 183

// resolve finds the day that a date means, or says why it can mean none. A date long before
// today, as that of a birth, means nothing.
func (d namedDate) resolve(m Moment) (day time.Time, doubt *clinic.Doubt, ok bool) {
	today := midnight(m.At)
	if d.month == 0 && d.year == 0 {
		return d.nextOf(m, today)
	}
	year := cmp.Or(d.year, today.Year())
	if year < today.Year()-1 {
		return day, nil, false
	}
	day, exists := dayOf(year, d.month, d.day, today.Location())
	switch {
	case !exists:
		return day, &clinic.Doubt{Kind: clinic.NoSuchDay, Said: d.said()}, true
	case day.Before(today) && d.year == 0 && day.Before(today.AddDate(0, 0, -longPast)):
		day, _ = dayOf(year+1, d.month, d.day, today.Location())
	case day.Before(today):
		return day, &clinic.Doubt{Kind: clinic.PastDay, Day: day}, true
	}
	return day, d.mismatch(day, today), true
}

// nextOf is the next day of a number, and of the day of the week where one was named, as far
// ahead as appointments are given.
func (d namedDate) nextOf(m Moment, today time.Time) (time.Time, *clinic.Doubt, bool) {
	var first time.Time
	for month := range 3 + m.Ahead/28 {
		month += d.monthsAhead
		of := time.Date(today.Year(), today.Month()+time.Month(month), 1, 0, 0, 0, 0, today.Location())
		day, exists := dayOf(of.Year(), int(of.Month()), d.day, today.Location())
		if !exists || day.Before(today) {
			continue
		}
		if first.IsZero() {
			first = day
		}
		if d.weekday < 0 || int(day.Weekday()) == d.weekday && day.Before(today.AddDate(0, 0, m.Ahead)) {
			return day, nil, true
		}
	}
	if first.IsZero() {
		return first, &clinic.Doubt{Kind: clinic.NoSuchDay, Said: d.said()}, true
	}
	return first, d.mismatch(first, today), true
}

// mismatch is the doubt about a day that is not the day of the week that was named. What may
// have been meant is that day, and the nearest one of the name.
func (d namedDate) mismatch(day, today time.Time) *clinic.Doubt {
	if d.weekday < 0 || int(day.Weekday()) == d.weekday {
		return nil
	}
	other := day.AddDate(0, 0, (d.weekday-int(day.Weekday())+7)%7)
	if before := other.AddDate(0, 0, -7); day.Sub(before) < other.Sub(day) && !before.Before(today) {
		other = before
	}
	options := []time.Time{day, other}
	slices.SortFunc(options, time.Time.Compare)
	return &clinic.Doubt{Kind: clinic.OtherWeekday, Day: day, Weekday: time.Weekday(d.weekday), Options: options}
}

// said is a date that does not exist, in words.
func (d namedDate) said() string {
	day := max(d.day, 0)
	if 1 <= d.month && d.month <= 12 {
		return fmt.Sprintf("%d de %s", day, clinic.MonthName(time.Month(d.month)))
	}
	if d.month > 0 {
		return fmt.Sprintf("%d/%d", day, d.month)
	}
	return fmt.Sprintf("día %d", day)
}

// dayOf is the midnight of a date if it exists.
func dayOf(year, month, day int, zone *time.Location) (time.Time, bool) {
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, zone)
	return t, t.Day() == day && int(t.Month()) == month
}
