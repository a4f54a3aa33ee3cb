// Package retention decides whose personal data have been kept for long enough. What goes is erased as
// a person is who asks for it: the events stay, and with them every number.
package retention

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is what is kept for a time of its own.
type Kind string

const (
	// Conversations are those without a lead.
	Conversations Kind = "conversations"
	// Leads are conversations in which somebody left a way to be reached.
	Leads Kind = "leads"
	// ContactMessages are those of the contact form.
	ContactMessages Kind = "contact-messages"
)

// Kinds are all of them, in the order in which they are told of.
var Kinds = []Kind{Conversations, Leads, ContactMessages}

// Rules say how long what is kept. Without a rule it is kept for good.
type Rules map[Kind]Age

// Age is a time in months or in days of the calendar.
type Age struct{ Months, Days int }

// shortest and longest bound an age against a slip: what goes does not come back.
const (
	shortest = 30 // days
	longest  = 50 * 12
)

// Before is the instant an age before another. Where the month has no such day, it is on its last: a
// month before 31 March is the end of February and not 3 March, which would keep too little.
func (a Age) Before(now time.Time) time.Time {
	then := now.AddDate(0, -a.Months, 0)
	if then.Day() != now.Day() {
		then = then.AddDate(0, 0, -then.Day())
	}
	return then.AddDate(0, 0, -a.Days)
}

func (a Age) String() string {
	if a.Months > 0 {
		return strconv.Itoa(a.Months) + "mo"
	}
	return strconv.Itoa(a.Days) + "d"
}

func (r Rules) String() string {
	var parts []string
	for _, kind := range Kinds {
		if age, ok := r[kind]; ok {
			parts = append(parts, string(kind)+"="+age.String())
		}
	}
	return strings.Join(parts, ",")
}

// ParseRules reads rules like "conversations=24mo,leads=3y,contact-messages=400d"; an empty text has
// none. Its errors say what would be right.
func ParseRules(text string) (Rules, error) {
	rules := Rules{}
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, age, _ := strings.Cut(part, "=")
		kind := Kind(strings.TrimSpace(name))
		switch {
		case !slices.Contains(Kinds, kind):
			return nil, fmt.Errorf("%q is none of what is kept for a time: %s, %s, %s", name, Conversations, Leads, ContactMessages)
		case rules[kind] != Age{}:
			return nil, fmt.Errorf("%s is there twice", kind)
		}
		parsed, err := parseAge(strings.TrimSpace(age))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		rules[kind] = parsed
	}
	return rules, nil
}

func parseAge(text string) (a Age, err error) {
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	n, err := strconv.Atoi(number)
	switch unit := strings.TrimPrefix(text, number); {
	case err != nil, strings.HasPrefix(number, "+"):
		return a, fmt.Errorf("%q is no age like 24mo, 3y or 400d", text)
	case unit == "d":
		a.Days = n
	case unit == "mo":
		a.Months = n
	case unit == "y":
		a.Months = 12 * n
	default:
		return a, fmt.Errorf("%q is no age like 24mo, 3y or 400d", text)
	}
	if n < 0 || a.Months*31+a.Days < shortest || a.Months > longest || a.Days > longest*31 {
		return a, fmt.Errorf("%q is not between %d days and %d years", text, shortest, longest/12)
	}
	return a, nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *Rules) UnmarshalText(text []byte) (err error) {
	*r, err = ParseRules(string(text))
	return err
}

func (k Kind) order() int { return slices.Index(Kinds, k) }

func compareKinds(a, b Kind) int { return cmp.Compare(a.order(), b.order()) }
