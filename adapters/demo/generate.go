// Package demo makes up the history of a clinic's chat: believable enough to show every
// number and every state of the dashboard, and the same for the same seed. Names are
// invented; telephone numbers are of the block +507 6900-xxxx, and e-mail addresses of
// the example domains.
package demo

import (
	"cmp"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/staff"
)

// Channel is that of demo conversations, and in the metadata of every event of the history.
const Channel = "demo"

const source = Channel

// Config says which history is made up. The zero values of Months, Scale and Limit
// stand for the usual ones.
type Config struct {
	Seed uint64
	// Months is the number of whole calendar months before that of Until.
	Months int
	// Until is the end of the history; nothing in it happens later.
	Until time.Time
	// After leaves out what began at or before it, to go on from an earlier history.
	After time.Time
	// Scale multiplies the number of conversations.
	Scale float64
	// Limit is the number of conversations that each month of the past allowed.
	Limit int
	// Zone is the business zone; that of the clinic if nil.
	Zone   *time.Location
	Clinic clinic.Clinic
	// Understand reads what a visitor means, for the record of the reply; nil: nothing is recorded.
	Understand func(text string) event.Understood
}

func (c Config) withDefaults() Config {
	c.Months = cmp.Or(c.Months, profile.months)
	c.Scale = cmp.Or(c.Scale, 1)
	c.Limit = cmp.Or(c.Limit, int(float64(profile.limit)*c.Scale))
	c.Zone = cmp.Or(c.Zone, c.Clinic.Zone)
	c.Until = c.Until.In(c.Zone).Truncate(time.Millisecond)
	return c
}

// start is the first instant of the history.
func (c Config) start() time.Time {
	return time.Date(c.Until.Year(), c.Until.Month()-time.Month(c.Months), 1, 0, 0, 0, 0, c.Zone)
}

// Item is one thing of the history: a conversation, a visit without one, a conversation that
// was refused, or something that the staff did.
type Item struct {
	// At is when the log hears of it.
	At time.Time
	// Past has no messages where nothing but the visit took place.
	Past chat.Past
	// Refused is the conversation that was turned away; Past is then empty.
	Refused string
	// StaffAppend is a message of the contact form, or what the staff made of a contact; Past is
	// then empty.
	StaffAppend *event.Append
	// Limit is what the month of a refusal allowed.
	Limit int
	// Late says that others which began later came first; Repeated, that it is
	// delivered a second time.
	Late, Repeated bool
}

// Append is the request to the log that records the item.
func (i Item) Append(zone *time.Location) (event.Append, error) {
	a, err := i.decide(zone)
	for n := range a.Drafts {
		a.Drafts[n].Metadata = invented
	}
	return a, err
}

var invented = map[string]string{event.Channel: Channel}

func (i Item) decide(zone *time.Location) (event.Append, error) {
	if i.StaffAppend != nil {
		return *i.StaffAppend, nil
	}
	if i.Refused != "" {
		return chat.Refusal(i.Refused, i.At.UTC(), zone, i.Limit), nil
	}
	if i.quiet() {
		return i.Past.DecideVisit(), nil
	}
	return i.Past.Decide(zone)
}

// quiet says that it is a visit without a conversation.
func (i Item) quiet() bool {
	return i.Refused == "" && i.StaffAppend == nil && len(i.Past.Messages) == 0
}

// generator makes one history. Nothing in it depends on the order of a map or on a
// clock: every conversation draws from a source of its own, seeded by its start.
type generator struct {
	Config
	scripts    map[string]*script
	people     people
	staffTexts staffTexts
	staff      []staff.Account
	taken      map[time.Time]int
	// understood keeps what was read, since people ask in few ways before they misspell them.
	understood map[string]event.Understood
}

// Generate gives the history in the order in which the log hears of it.
func Generate(c Config) (iter.Seq[Item], error) {
	c = c.withDefaults()
	g := &generator{Config: c}
	var err error
	if g.scripts, g.people, err = loadScripts(); err != nil {
		return nil, err
	}
	if g.staffTexts, err = loadStaffTexts(); err != nil {
		return nil, err
	}
	if g.staff, err = Staff(); err != nil {
		return nil, err
	}
	return func(yield func(Item) bool) {
		g.taken, g.understood = map[time.Time]int{}, map[string]event.Understood{}
		delayed := &delays{}
		for month := c.start(); !month.After(c.Until); month = month.AddDate(0, 1, 0) {
			for _, a := range g.withStaff(g.withQuiet(g.arrivals(month), month), month) {
				for _, item := range delayed.pass(g.items(a), a.at) {
					if !yield(item) {
						return
					}
				}
			}
		}
		for _, item := range delayed.remaining() {
			if !yield(item) {
				return
			}
		}
	}, nil
}

// items gives what an arrival leads to; nothing if it falls outside of the history.
func (g *generator) items(a arrival) []Item {
	if !a.at.After(g.After) || a.at.After(g.Until) {
		return nil
	}
	if a.staff {
		return g.signIns(a.at)
	}
	r := g.source(a.at)
	key := strconv.FormatUint(g.Seed, 10) + "/" + strconv.FormatInt(a.at.UnixMilli(), 10)
	if a.quiet {
		return []Item{{At: a.at, Past: chat.Past{Source: source, Key: "visit/" + key, Visit: g.quietVisit(r, a.at)}}}
	}
	if a.refused {
		if r.Float64() >= profile.fullMonth.returning {
			return nil
		}
		return []Item{{At: a.at, Refused: chat.ConversationID(source, key), Limit: g.Limit}}
	}
	past, ok := g.conversation(r, a)
	if !ok {
		return nil
	}
	past.Source, past.Key, past.Visit = source, key, g.visitBefore(a.at)
	item := Item{At: a.at, Past: past}
	switch u := r.Float64(); {
	case u < profile.late:
		item.Late = true
		item.At = a.at.Add(between(r, time.Hour, profile.lateBy))
	case u < profile.late+profile.repeated:
		again := item
		again.Repeated = true
		again.At = a.at.Add(between(r, time.Second, profile.repeatedBy))
		return append([]Item{item, again}, g.staffWork(item, key)...)
	}
	return append([]Item{item}, g.staffWork(item, key)...)
}

// source is the randomness of what begins at an instant.
func (g *generator) source(at time.Time) *rand.Rand {
	return rand.New(rand.NewPCG(g.Seed, uint64(at.UnixMilli())))
}

// delays keeps back the items that are recorded later than they began.
type delays struct{ waiting []Item }

// pass gives the items that are due at an instant, in order.
func (d *delays) pass(items []Item, now time.Time) []Item {
	d.waiting = append(d.waiting, items...)
	slices.SortStableFunc(d.waiting, func(a, b Item) int { return a.At.Compare(b.At) })
	due := 0
	for due < len(d.waiting) && !d.waiting[due].At.After(now) {
		due++
	}
	passed := d.waiting[:due:due]
	d.waiting = d.waiting[due:]
	return passed
}

func (d *delays) remaining() []Item { return d.waiting }
