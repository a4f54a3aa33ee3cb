package clinic

import (
	"fmt"
	"regexp"
	"time"
	"unicode"
	"unicode/utf8"
)

var (
	dayNames   = [...]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"}
	monthNames = [...]string{
		"enero", "febrero", "marzo", "abril", "mayo", "junio",
		"julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
	}
)

// DayName is the Spanish name of a day of the week.
func DayName(day time.Weekday) string { return dayNames[day] }

// MonthName is the Spanish name of a month.
func MonthName(month time.Month) string { return monthNames[month-1] }

// Day is a day in words: "martes 24 de noviembre".
func Day(t time.Time) string {
	return fmt.Sprintf("%s %d de %s", dayNames[t.Weekday()], t.Day(), monthNames[t.Month()-1])
}

// DayAndTime is an instant in words: "martes 24 de noviembre a las 10:30 a. m.".
func DayAndTime(t time.Time) string { return Day(t) + " " + At(t.Hour()*60+t.Minute()) }

// ShortDayAndTime is an instant in as few words as name it: "mar 24, 10:30 a. m.".
func ShortDayAndTime(t time.Time) string {
	name := []rune(dayNames[t.Weekday()])
	return fmt.Sprintf("%s %d, %s", string(name[:3]), t.Day(), Clock(t.Hour()*60+t.Minute()))
}

// At is when something begins, in minutes after midnight: "a las 8:00 a. m.", "a la 1:30 p. m.".
func At(minute int) string {
	if minute/60%12 == 1 {
		return "a la " + Clock(minute)
	}
	return "a las " + Clock(minute)
}

// NearDay names a day as seen from an instant of the same zone: "hoy sábado", "mañana domingo",
// "el lunes", and with its date from a week on.
func NearDay(day, from time.Time) string {
	name := DayName(day.Weekday())
	switch ahead := daysAhead(day, from); {
	case ahead == 0:
		return "hoy " + name
	case ahead == 1:
		return "mañana " + name
	case ahead < 7:
		return "el " + name
	}
	return "el " + Day(day)
}

// daysAhead is how many days a day lies after an instant of the same zone.
func daysAhead(day, from time.Time) int {
	return int(atMinute(day, 0).Sub(atMinute(from, 0)).Round(24*time.Hour) / (24 * time.Hour))
}

// Clock is a time of day, in minutes after midnight, as people in Panama write it:
// "8:00 a. m.", "12:30 p. m.".
func Clock(minute int) string {
	half, hour := "a. m.", minute/60%24
	if hour >= 12 {
		half = "p. m."
	}
	if hour %= 12; hour == 0 {
		hour = 12
	}
	return fmt.Sprintf("%d:%02d %s", hour, minute%60, half)
}

// List joins words with commas and a last "y", or "e" before the sound of an i.
func List(words []string) string {
	if len(words) > 0 && soundsLikeI.MatchString(words[len(words)-1]) {
		return joined(words, "e")
	}
	return joined(words, "y")
}

// soundsLikeI matches "implantes" and "higienista", and not "hielo".
var soundsLikeI = regexp.MustCompile(`^(?i:h?[ií])([^eé]|$)`)

func capitalised(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
