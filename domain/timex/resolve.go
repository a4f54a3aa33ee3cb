package timex

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"bitacora/domain/clinic"
)

// stretch are days that follow each other, first and last included.
type stretch struct{ first, last time.Time }

func oneDay(day time.Time) stretch { return stretch{day, day} }

// resolve finds the days that were meant, seen from a moment; within is the week in which a day of a
// name is meant, nil for none. Nothing is ok that means no day to come at all.
func (d *days) resolve(m Moment, within *stretch) (s stretch, doubt *clinic.Doubt, ok bool) {
	switch d.kind {
	case aDate:
		var day time.Time
		day, doubt, ok = d.date.resolve(m)
		s = oneDay(day)
	case aWeekday:
		var day time.Time
		day, doubt = d.named(m, within)
		s, ok = oneDay(day), true
	case aNearDay:
		s, doubt = oneDay(m.today().AddDate(0, 0, d.near)), d.beside(m)
		if d.near < 0 && doubt == nil {
			doubt = &clinic.Doubt{Kind: clinic.PastDay, Day: s.first}
		}
		ok = true
	case aSpan:
		s, ok = stretch{d.first, d.last}, true
	}
	if doubt != nil || !ok {
		return s, doubt, ok
	}
	if d.to != nil {
		m.At, m.Known = s.first, nil
		end, doubt, ok := d.to.resolve(m, within)
		if doubt != nil || !ok || end.last.Before(s.first) {
			return s, doubt, ok
		}
		s.last = end.last
		return s, nil, true
	}
	return s, nil, true
}

// bounded are the days that a bound leaves of those that are given.
func (d *days) bounded(s stretch, m Moment) stretch {
	today := m.today()
	end := midnight(today.AddDate(0, 0, m.Ahead))
	switch d.bound {
	case since:
		return stretch{s.first, later(end, s.first)}
	case after:
		return stretch{s.last.AddDate(0, 0, 1), later(end, s.last.AddDate(0, 0, 1))}
	case until:
		return stretch{today, s.last}
	case upTo:
		return stretch{today, later(s.first.AddDate(0, 0, -1), today)}
	}
	return s
}

// named is the day of a name: the one that is spoken of, else the next one, or the one of a week or
// a month that was said with it.
func (d *days) named(m Moment, within *stretch) (time.Time, *clinic.Doubt) {
	today, weekday, w := m.today(), d.date.weekday, d.which
	sunday := today.AddDate(0, 0, (7-int(today.Weekday()))%7)
	monday := sunday.AddDate(0, 0, 7*w.week-13)
	if w.week == 0 && within != nil {
		monday = within.first.AddDate(0, 0, -(int(within.first.Weekday())+6)%7)
	}
	switch {
	case w.inMonth:
		month := time.Date(today.Year(), today.Month()+time.Month(w.monthsAhead), 1, 0, 0, 0, 0, today.Location())
		if w.month > 0 {
			month = nextMonth(w.month, today)
		}
		return weekdayIn(month, weekday, w.nth, today), nil
	case w.week > 0 || within != nil:
		day := monday.AddDate(0, 0, (weekday+6)%7)
		if day.Before(today) {
			return day, &clinic.Doubt{Kind: clinic.PastDay, Day: day}
		}
		return day, nil
	}
	return nextWeekday(m, weekday, w).AddDate(0, 0, w.later), nil
}

// nextWeekday is the day of a name that is spoken of, else the next one.
func nextWeekday(m Moment, weekday int, w which) time.Time {
	today := m.today()
	for _, known := range m.Known {
		if int(known.Weekday()) == weekday && !w.other && !w.this && !known.Before(today) {
			return midnight(known)
		}
	}
	ahead := (weekday - int(today.Weekday()) + 7) % 7
	if ahead == 0 && !w.this {
		ahead = 7
	}
	if w.other {
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

// beside is the doubt about a near day that is another one than what was said with it.
func (d *days) beside(m Moment) *clinic.Doubt {
	day, also := m.today().AddDate(0, 0, d.near), d.date
	if (also.weekday < 0 || also.weekday == int(day.Weekday())) && (also.day == 0 || also.day == day.Day()) {
		return nil
	}
	doubt := &clinic.Doubt{Kind: clinic.OtherThanNear, Day: day, Said: d.said, Options: []time.Time{day}}
	switch {
	case also.day > 0:
		if other, unclear, ok := also.nextOf(m, m.today()); ok && unclear == nil {
			doubt.Options = append(doubt.Options, other)
		}
	case also.weekday >= 0:
		doubt.Options = append(doubt.Options, day.AddDate(0, 0, (also.weekday-int(day.Weekday())+7)%7))
	}
	return doubt
}

// longPast is how many days ago a date without a year may be and still mean that day rather
// than the one of next year.
const longPast = 183

// resolve finds the day that a date means, or says why it can mean none. A date long before
// today, as that of a birth, means nothing.
func (d date) resolve(m Moment) (day time.Time, doubt *clinic.Doubt, ok bool) {
	today := m.today()
	if d.month == 0 && d.year == 0 {
		return d.nextOf(m, today)
	}
	year := cmp.Or(d.year, today.Year())
	if year < today.Year()-1 {
		return day, nil, false
	}
	day, exists := dayOf(year, d.month, d.day, today.Location())
	if d.year == 0 && day.Before(today.AddDate(0, 0, -longPast)) {
		day, exists = dayOf(year+1, d.month, d.day, today.Location())
	}
	switch {
	case !exists:
		return day, &clinic.Doubt{Kind: clinic.NoSuchDay, Said: d.said()}, true
	case day.Before(today):
		return day, &clinic.Doubt{Kind: clinic.PastDay, Day: day}, true
	}
	return day, d.mismatch(day, today), true
}

// nextOf is the next day of a number, and of the day of the week where one was named, as far
// ahead as appointments are given.
func (d date) nextOf(m Moment, today time.Time) (time.Time, *clinic.Doubt, bool) {
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
func (d date) mismatch(day, today time.Time) *clinic.Doubt {
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
func (d date) said() string {
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
