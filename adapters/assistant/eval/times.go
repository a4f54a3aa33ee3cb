package eval

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// Times are expressions of time and what they mean.
type Times struct {
	notation
	expressions []expression
}

type expression struct {
	text string
	// meanings are alternatives.
	meanings []string
}

// Days and hours in which a meaning is looked at: quarters of an hour between two minutes of the day.
const (
	lookAhead = 45
	fromHour  = 8 * 60
	toHour    = 19 * 60
	quarter   = 15
)

// ReadTimes reads a file of expressions of time; its days are those of a zone.
func ReadTimes(r io.Reader, zone *time.Location) (*Times, error) {
	t := &Times{}
	err := t.read(r, zone, func(line string) error {
		text, meaning, ok := strings.Cut(line, " :: ")
		if !ok {
			return fmt.Errorf("%q is not like EXPRESSION :: MEANING", line)
		}
		t.expressions = append(t.expressions, expression{text, strings.Split(meaning, " | ")})
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, e := range t.expressions {
		for _, m := range e.meanings {
			if _, err := t.means(m, read{}); err != nil {
				return nil, fmt.Errorf("%s: %w", e.text, err)
			}
		}
	}
	return t, nil
}

// Measure compares what is read out of the expressions, where the day is asked for, with what they
// mean.
func (t *Times) Measure(ctx context.Context, reader chat.Understander) (Figures, error) {
	var f Figures
	for _, e := range t.expressions {
		u, err := reader.Understand(ctx, chat.Question{Text: e.text, At: t.At, Asked: chat.StepTime})
		if err != nil {
			return Figures{}, fmt.Errorf("understand %q: %w", e.text, err)
		}
		got := read{u.When, u.Doubt, u.Only, u.Unwanted, u.AnyTime}
		verdict := Wrong
		for _, m := range e.meanings {
			same, err := t.means(m, got)
			if err != nil {
				return Figures{}, err
			}
			if same {
				verdict = Right
			}
		}
		f.count("time", "", verdict, Miss{e.text, strings.Join(e.meanings, " | "), got.String()})
	}
	return f, nil
}

// read is what was read out of an expression.
type read struct {
	wish           clinic.Wish
	doubt          *clinic.Doubt
	only, unwanted []time.Weekday
	anyTime        bool
}

func (r read) String() string {
	if r.doubt != nil {
		return fmt.Sprintf("doubt %d about %s %s", r.doubt.Kind, r.doubt.Day.Format(time.DateOnly), r.doubt.Said)
	}
	if r.wish.IsZero() && len(r.unwanted) == 0 {
		return "none"
	}
	clock := func(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }
	return fmt.Sprintf("%s..%s %s-%s exact %t only %v without %v", r.wish.First.Format(time.DateOnly), r.wish.Last.Format(time.DateOnly), clock(r.wish.Earliest), clock(r.wish.Latest), r.wish.Exact, r.only, r.unwanted)
}

// fits says that an instant is as was read.
func (r read) fits(at time.Time) bool {
	return r.wish.Fits(at) && !slices.Contains(r.unwanted, at.Weekday()) && (r.only == nil || slices.Contains(r.only, at.Weekday()))
}

// means says that a meaning is what was read.
func (t *Times) means(meaning string, got read) (bool, error) {
	beyond := got.wish.First.After(t.day(lookAhead - 1))
	is := func(kinds ...clinic.DoubtKind) bool {
		return got.doubt != nil && slices.Contains(kinds, got.doubt.Kind)
	}
	switch meaning {
	case "none":
		return got.doubt == nil && got.wish.IsZero() && len(got.unwanted) == 0, nil
	case "conflict":
		return is(clinic.OtherWeekday, clinic.OtherThanNear), nil
	case "nosuch":
		return is(clinic.NoSuchDay, clinic.NoSuchHour), nil
	case "past":
		return is(clinic.PastDay), nil
	case "beyond":
		return beyond && got.doubt == nil, nil
	}
	meant, within, err := t.meant(meaning)
	if err != nil || got.doubt != nil || got.wish.IsZero() && len(got.unwanted) == 0 && !(got.anyTime && meaning == "any") {
		return false, err
	}
	some := false
	for ahead := range lookAhead {
		for minute := fromHour; minute < toHour; minute += quarter {
			day := t.day(ahead)
			at := time.Date(day.Year(), day.Month(), day.Day(), minute/60, minute%60, 0, 0, day.Location())
			fits := got.fits(at)
			some = some || fits
			if fits != meant(at) && !(within && !fits) {
				return false, nil
			}
		}
	}
	return some, nil
}

// day is a midnight so many days after that of the file's now.
func (t *Times) day(ahead int) time.Time {
	return time.Date(t.At.Year(), t.At.Month(), t.At.Day()+ahead, 0, 0, 0, 0, t.At.Location())
}

var weekdayNames = map[string]time.Weekday{
	"sun": time.Sunday, "mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday, "thu": time.Thursday, "fri": time.Friday, "sat": time.Saturday,
}

// meant reads a meaning; within says that only part of it need be meant.
func (t *Times) meant(meaning string) (fits func(time.Time) bool, within bool, err error) {
	rest, within := strings.CutPrefix(meaning, "within ")
	words := strings.Fields(rest)
	if len(words) == 0 {
		return nil, false, fmt.Errorf("%q means nothing", meaning)
	}
	days, err := t.days(words[0])
	if err != nil {
		return nil, false, err
	}
	from, to := 0, 24*60
	for _, w := range words[1:] {
		if weekday, ok := weekdayNames[strings.TrimPrefix(w, "-")]; ok {
			all := days
			days = func(at time.Time) bool { return all(at) && at.Weekday() != weekday }
			continue
		}
		if from, to, err = minutes(w); err != nil {
			return nil, false, err
		}
	}
	return func(at time.Time) bool {
		minute := at.Hour()*60 + at.Minute()
		return days(at) && from <= minute && minute < to
	}, within, nil
}

// days reads "any", a day, a range of them, a list of days or of days of the week.
func (t *Times) days(text string) (func(time.Time) bool, error) {
	if text == "any" || text == "*" {
		return func(time.Time) bool { return true }, nil
	}
	var alternatives []func(time.Time) bool
	for part := range strings.SplitSeq(text, ",") {
		if weekday, ok := weekdayNames[part]; ok {
			alternatives = append(alternatives, func(at time.Time) bool { return at.Weekday() == weekday })
			continue
		}
		from, to, isRange := strings.Cut(part, "..")
		if !isRange {
			to = from
		}
		if _, err := time.Parse(time.DateOnly, from); err != nil {
			return nil, fmt.Errorf("%q is no day", from)
		}
		alternatives = append(alternatives, func(at time.Time) bool {
			day := at.Format(time.DateOnly)
			return from <= day && day <= to
		})
	}
	return func(at time.Time) bool {
		return slices.ContainsFunc(alternatives, func(fits func(time.Time) bool) bool { return fits(at) })
	}, nil
}

// minutes reads "10:00", "17:00-", "-11:00" or "14:00-16:00".
func minutes(text string) (from, to int, err error) {
	first, second, isRange := strings.Cut(text, "-")
	from, to = 0, 24*60
	if first != "" {
		if from, err = minuteOf(first); err != nil {
			return 0, 0, err
		}
	}
	switch {
	case !isRange:
		to = from + 1
	case second != "":
		to, err = minuteOf(second)
	}
	return from, to, err
}

func minuteOf(clock string) (int, error) {
	hour, minute, ok := strings.Cut(clock, ":")
	h, err1 := strconv.Atoi(hour)
	m, err2 := strconv.Atoi(minute)
	if !ok || err1 != nil || err2 != nil {
		return 0, fmt.Errorf("%q is no time of day", clock)
	}
	return h*60 + m, nil
}
