package clickhouse

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
)

// expectContacts recounts the contacts of a log, newest first.
func expectContacts(log []event.Recorded) []analytics.Contact {
	byStream := map[string]*analytics.Contact{}
	reachable := map[string]bool{}
	for _, e := range log {
		if isVisit(e) {
			continue
		}
		c, ok := byStream[e.Stream]
		if !ok {
			c = &analytics.Contact{Kind: "lead", ID: e.Stream, CameAt: e.OccurredAt, Status: "new"}
			if strings.HasPrefix(e.Stream, "m") {
				c.Kind = "message"
			}
			byStream[e.Stream] = c
		}
		switch p := e.Payload.(type) {
		case *event.LeadCaptured, *event.ContactMessageReceived:
			reachable[e.Stream] = true
		case *event.AppointmentBooked:
			c.Status = "scheduled"
		case *event.ContactStatusChanged:
			c.Status = p.Status
		}
	}
	var all []analytics.Contact
	for stream := range reachable {
		all = append(all, *byStream[stream])
	}
	slices.SortFunc(all, func(a, b analytics.Contact) int {
		return cmp.Or(b.CameAt.Compare(a.CameAt), cmp.Compare(b.Kind, a.Kind), cmp.Compare(b.ID, a.ID))
	})
	return all
}

// contacts holds list and counts against a recount, page by page, and the leads against the
// number that the dashboard shows.
func (k checking) contacts(p analytics.Period, log []event.Recorded) {
	ctx := context.Background()
	all := expectContacts(log)
	of := analytics.Contacts{
		Period: p,
		Kind:   rapid.SampledFrom([]string{"", "lead", "message"}).Draw(k.t, "kind"),
		Status: rapid.SampledFrom([]string{"", "new", "contacted", "scheduled", "discarded"}).Draw(k.t, "status"),
	}
	want, counts, leads := []analytics.Contact{}, map[string]int{}, 0
	for _, c := range all {
		if c.CameAt.Before(p.From) || !c.CameAt.Before(p.To) {
			continue
		}
		if c.Kind == "lead" {
			leads++
		}
		if of.Kind == "" || of.Kind == c.Kind {
			counts[c.Status]++
			if of.Status == "" || of.Status == c.Status {
				want = append(want, c)
			}
		}
	}
	got := []analytics.Contact{}
	size := rapid.IntRange(1, 4).Draw(k.t, "page")
	for after := (*analytics.ContactCursor)(nil); ; {
		page, err := k.reader.ContactPage(ctx, of, after, size)
		if err != nil {
			k.t.Fatal(err)
		}
		got = append(got, page...)
		if len(page) < size {
			break
		}
		after = new(page[size-1].Cursor())
	}
	if !slices.EqualFunc(want, got, func(a, b analytics.Contact) bool {
		same := a.CameAt.Equal(b.CameAt)
		a.CameAt, b.CameAt = time.Time{}, time.Time{}
		return same && a == b
	}) {
		k.t.Fatalf("contacts of %+v:\n%+v\nwant\n%+v", of, got, want)
	}
	found, err := k.reader.ContactCounts(ctx, of)
	k.same("counts of contacts", analytics.Cohort{Period: p}, counts, found.ByStatus, err)
	numbers, err := k.reader.Counts(ctx, analytics.Cohort{Period: p})
	k.same("leads", analytics.Cohort{Period: p}, leads, numbers.Leads, err)
}
