package httpapi

import (
	"maps"
	"slices"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/event"
)

// contactCounts counts whoever left a contact, by when the conversation or the message began, and open requests of all.
func (c counting) contactCounts(s span, kind string) (n contract.ContactCounts) {
	for _, r := range c.contacts {
		n.OpenRequests += int(one(len(r.due) > 0))
		for _, due := range r.due {
			if n.NextRequestDue == nil || due.Before(*n.NextRequestDue) {
				n.NextRequestDue = &due
			}
		}
		if r.left.IsZero() || !s.holds(r.came) || kind != "" && kind != r.kind {
			continue
		}
		*map[string]*int64{"new": &n.New, "contacted": &n.Contacted, "scheduled": &n.Scheduled, "discarded": &n.Discarded}[r.status]++
	}
	return n
}

// queue is how many people are to be called, of whatever period.
type queue struct {
	waiting, grave, putOff int
	oldest                 time.Time
}

func (c counting) queue() (q queue) {
	for _, person := range c.persons() {
		since, grave, until := person.waits()
		switch {
		case since.IsZero():
		case until.After(c.now):
			q.putOff++
		default:
			q.waiting++
			q.grave += int(one(grave))
			if q.oldest.IsZero() || since.Before(q.oldest) {
				q.oldest = since
			}
		}
	}
	return q
}

// individual is everything that one person left.
type individual []*reachable

// persons puts together what tells the same phone or address.
func (c counting) persons() (all []individual) {
	whose := map[string]int{}
	var people []individual
	for _, r := range c.contacts {
		if len(r.raised) == 0 {
			continue
		}
		own := individual{r}
		for known := range r.known {
			if i, ok := whose[known]; ok && people[i] != nil {
				own = append(own, people[i]...)
				people[i] = nil
			}
		}
		for _, part := range own {
			for known := range part.known {
				whose[known] = len(people)
			}
		}
		people = append(people, own)
	}
	for _, one := range people {
		if one != nil {
			all = append(all, one)
		}
	}
	return all
}

// waits is since when a person waits, zero for not at all, whether in danger, and until when the call is put off.
func (p individual) waits() (since time.Time, grave bool, until time.Time) {
	var settled, booked, latest, asked time.Time
	var last deed
	for _, r := range p {
		if r.booked.After(booked) {
			booked = r.booked
		}
		var status deed
		for _, d := range r.acts {
			switch {
			case !d.attempt:
				status = d
			case d.undone:
				continue
			case d.at.After(last.at):
				last = d
			}
			if d.attempt && d.outcome == event.AttemptDone && d.at.After(settled) {
				settled = d.at
			}
		}
		if status.outcome != "new" && status.at.After(settled) {
			settled = status.at
		}
	}
	for _, r := range p {
		for reason, at := range r.raised {
			danger := reason == "crisis" || reason == "emergency"
			if !at.After(settled) || !danger && !at.After(booked) {
				continue
			}
			grave = grave || danger
			if since.IsZero() || at.Before(since) {
				since = at
			}
			if at.After(asked) {
				asked = at
			}
		}
	}
	if latest = last.at; last.outcome != event.AttemptBegun && !asked.After(latest) {
		until = last.due
	}
	return since, grave, until
}

// waited is how long somebody who left a contact waited for the first act of the staff, whose it is.
func (r *reachable) waited() (seconds float64, by string, ok bool) {
	var first deed
	for _, d := range r.acts {
		if !d.undone && (d.attempt || d.id == "status") && (first.at.IsZero() || d.at.Before(first.at)) {
			first = d
		}
	}
	return first.at.Sub(r.left).Seconds(), first.by, !r.left.IsZero() && first.at.After(r.left)
}

// firstContact is how long those who left a contact in the last 30 days waited for the first act of the staff.
func (c counting) firstContact() (all *float64, weekdays, others []contract.FirstContact) {
	var waits []float64
	byDay, byPerson := map[int][]float64{}, map[string][]float64{}
	for _, r := range c.contacts {
		wait, by, ok := r.waited()
		if !ok || r.left.Before(c.now.Add(-720*time.Hour)) {
			continue
		}
		day := (int(r.left.In(c.zone).Weekday())+6)%7 + 1
		waits, byDay[day], byPerson[by] = append(waits, wait), append(byDay[day], wait), append(byPerson[by], wait)
	}
	for _, day := range slices.Sorted(maps.Keys(byDay)) {
		weekdays = append(weekdays, contract.FirstContact{Weekday: &day, Contacts: len(byDay[day]), Seconds: *quantile(byDay[day], .5)})
	}
	for _, by := range slices.Sorted(maps.Keys(byPerson)) {
		others = append(others, contract.FirstContact{Contacts: len(byPerson[by]), Seconds: *quantile(byPerson[by], .5)})
	}
	return quantile(waits, .5), weekdays, others
}

// agenda counts the appointments of a day that stand, and their outcomes.
func (c counting) agenda(day time.Time) (n contract.AgendaDay) {
	n.Date = civil(day, c.zone).Format(time.DateOnly)
	for _, t := range slices.Concat(c.talks, c.forms) {
		for _, b := range t.bookings {
			if !civil(b.Slot, c.zone).Equal(civil(day, c.zone)) || b.gone && b.outcome != event.OutcomeCancelledLate {
				continue
			}
			n.Appointments += int(one(!b.gone))
			n.Came += int(one(b.outcome == event.OutcomeCame))
			n.Missed += int(one(b.outcome == event.OutcomeMissed))
			n.CancelledLate += int(one(b.outcome == event.OutcomeCancelledLate))
		}
	}
	return n
}
