package waiting

import (
	"context"
	"maps"
	"slices"
	"sort"
	"time"

	"bitacora/domain/analytics"
)

// lately is of which time the contacts are whose first contact is measured.
const lately = 30 * 24 * time.Hour

// FirstContact is how long some contacts waited for the first attempt to reach them or the first change of status.
type FirstContact struct {
	// Weekday is the day on which they arrived, Monday being 1, and By the account that made the attempt; zero for all.
	Weekday int
	By      string
	// Median is of so many Contacts that were attempted; there may be none.
	Median   time.Duration
	Contacts int
}

// FirstContacts measures those who arrived in each of some stretches of time, which follow each other.
func (r *Register) FirstContacts(ctx context.Context, stretches []analytics.Period) ([]FirstContact, error) {
	if _, _, err := r.read(ctx); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	waits := make([][]time.Duration, len(stretches))
	for _, s := range r.subjects {
		wait, _, ok := s.firstContact()
		i := sort.Search(len(stretches), func(i int) bool { return s.arrived.Before(stretches[i].To) })
		if ok && i < len(stretches) && !s.arrived.Before(stretches[i].From) {
			waits[i] = append(waits[i], wait)
		}
	}
	found := make([]FirstContact, len(stretches))
	for i, of := range waits {
		found[i] = FirstContact{Median: median(of), Contacts: len(of)}
	}
	return found, nil
}

// firstContacts measures those who arrived since an instant.
func (r *Register) firstContacts(page *Page, since time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []time.Duration
	weekdays, persons := map[int][]time.Duration{}, map[string][]time.Duration{}
	for _, s := range r.subjects {
		wait, by, ok := s.firstContact()
		if !ok || s.arrived.Before(since) {
			continue
		}
		weekday := int(s.arrived.In(r.Calendar.Zone).Weekday()+6)%7 + 1
		all = append(all, wait)
		weekdays[weekday], persons[by] = append(weekdays[weekday], wait), append(persons[by], wait)
	}
	page.FirstContact = FirstContact{Median: median(all), Contacts: len(all)}
	for _, weekday := range slices.Sorted(maps.Keys(weekdays)) {
		waits := weekdays[weekday]
		page.ByWeekday = append(page.ByWeekday, FirstContact{Weekday: weekday, Median: median(waits), Contacts: len(waits)})
	}
	for _, by := range slices.Sorted(maps.Keys(persons)) {
		page.ByPerson = append(page.ByPerson, FirstContact{By: by, Median: median(persons[by]), Contacts: len(persons[by])})
	}
}

// median is 0 of nothing.
func median(waits []time.Duration) time.Duration {
	if len(waits) == 0 {
		return 0
	}
	slices.Sort(waits)
	last := len(waits) - 1
	return (waits[last/2] + waits[len(waits)/2]) / 2
}
