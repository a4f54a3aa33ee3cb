package waiting

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/privacy"
)

// start is a Tuesday, 08:00 in Panama.
var start = time.Date(2026, 11, 24, 13, 0, 0, 0, time.UTC)

// memory is a log that keeps streams and the terms that they share.
type memory struct {
	events  []event.Recorded
	terms   [][]string
	reads   int
	preempt func()
}

func (m *memory) record(stream string, at time.Time, p event.Payload) event.Recorded {
	return m.keep(stream, event.Draft{ID: "e" + strconv.Itoa(len(m.events)), OccurredAt: at, Payload: p})
}

func (m *memory) keep(stream string, d event.Draft) event.Recorded {
	e := event.Recorded{Position: int64(len(m.events) + 1), ID: d.ID, Stream: stream, OccurredAt: d.OccurredAt, Payload: d.Payload}
	m.events = append(m.events, e)
	return e
}

func (m *memory) ScanTypes(_ context.Context, after int64, types ...string) (found []event.Recorded, through int64, err error) {
	for _, e := range m.events {
		if e.Position > after && slices.Contains(types, e.Payload.EventType()) {
			found = append(found, e)
		}
	}
	m.reads += len(found)
	return found, int64(len(m.events)), nil
}

func (m *memory) SharedTerms(context.Context, []string) ([][]string, error) { return m.terms, nil }

func (m *memory) ReadStreams(_ context.Context, streams []string, types ...string) (found []event.Recorded, err error) {
	for _, e := range m.events {
		if slices.Contains(streams, e.Stream) && (len(types) == 0 || slices.Contains(types, e.Payload.EventType())) {
			found = append(found, e)
		}
	}
	return found, nil
}

func (m *memory) Append(_ context.Context, a event.Append) (added []event.Recorded, err error) {
	if do := m.preempt; do != nil {
		m.preempt = nil
		do()
	}
	version := 0
	for _, e := range m.events {
		if e.Stream == a.Stream {
			version++
		}
	}
	if version != a.ExpectedVersion {
		return nil, event.ErrConflict
	}
	for _, d := range a.Drafts {
		added = append(added, m.keep(a.Stream, d))
	}
	return added, nil
}

// desk is a queue whose clock is set.
type desk struct {
	*memory
	*Register
	now time.Time
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{memory: &memory{}, now: start}
	d.Register = &Register{
		Log: d.memory, Source: d.memory, Calendar: clinic.Default().Calendar(), Now: func() time.Time { return d.now },
		Public: func(context.Context) ([]privacy.Identifier, error) { return nil, nil },
	}
	return d
}

func conversation(id string) event.Conversation {
	return event.Conversation{ConversationID: id, ConversationStartedAt: start.Add(-time.Hour)}
}

func contact(id string) event.Contact {
	return event.Contact{Kind: contacts.Lead, ContactID: id, ContactAt: start.Add(-time.Hour)}
}

func (d *desk) lead(id, phone string, at time.Time) {
	d.record(chat.Stream(id), at, &event.VisitorMessageSent{Conversation: conversation(id), MessageID: id + "-1", Text: event.Text{Text: "Hola"}})
	d.record(chat.Stream(id), at, &event.AssistantReplied{Conversation: conversation(id), ReplyTo: id + "-1", Understood: event.Understood{Intent: "saludo"}})
	d.record(chat.Stream(id), at, &event.VisitorMessageSent{Conversation: conversation(id), MessageID: id + "-2", Text: event.Text{Text: "¿Cuánto cuesta un implante?"}})
	d.record(chat.Stream(id), at, &event.LeadCaptured{Conversation: conversation(id), Name: "Ana Ruiz", Phone: phone, HasPhone: true})
}

func (d *desk) flag(id, flag string, at time.Time) {
	message := id + "-" + flag
	d.record(chat.Stream(id), at, &event.VisitorMessageSent{Conversation: conversation(id), MessageID: message, Text: event.Text{Text: "texto de " + flag}})
	d.record(chat.Stream(id), at, &event.ConversationFlagged{Conversation: conversation(id), Flag: flag, MessageID: message})
}

func (d *desk) page(t *testing.T) Page {
	t.Helper()
	page, err := d.Page(t.Context(), Part{Limit: 50})
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// ids are those of the latest streams of who waits, in order.
func (d *desk) ids(t *testing.T) (ids []string) {
	t.Helper()
	for _, row := range d.page(t).Rows {
		ids = append(ids, row.Refs[0].ID)
	}
	return ids
}

func (d *desk) attempt(t *testing.T, id, outcome, by string) Attempt {
	t.Helper()
	a, err := d.Attempt(t.Context(), contacts.Ref{Kind: contacts.Lead, ID: id}, outcome, contacts.Change{ID: id + outcome + d.now.String(), StaffID: by})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestTheOrderOfTheQueue(t *testing.T) {
	d := newDesk(t)
	d.lead("old", "+50760000001", start.Add(-48*time.Hour))
	d.flag("complaint", event.FlagComplaint, start.Add(-24*time.Hour))
	d.flag("emergency", event.FlagEmergency, start.Add(-2*time.Hour))
	d.flag("crisis", event.FlagCrisis, start.Add(-time.Hour))
	d.record(event.ContactStream("form"), start.Add(-30*time.Hour), &event.ContactMessageReceived{ContactID: "form", Name: "Eva", Message: "¿Atienden niños?"})
	d.record(chat.Stream("data"), start.Add(-time.Minute), &event.PrivacyRequestReceived{Contact: contact("data"), RequestID: "r1", Request: "copy"})
	d.record(chat.Stream("silent"), start, &event.ConversationStarted{Conversation: conversation("silent")})
	page := d.page(t)
	if got, want := d.ids(t), []string{"emergency", "crisis", "old", "form", "complaint", "data"}; !slices.Equal(got, want) {
		t.Errorf("queue %v, want %v", got, want)
	}
	if page.Waiting != 6 || page.Grave != 2 || !page.Oldest.Equal(start.Add(-48*time.Hour)) || page.PutOff != 0 {
		t.Errorf("counts %+v", page)
	}
	for i, want := range []string{"texto de emergency", "texto de crisis", "¿Cuánto cuesta un implante?", "¿Atienden niños?", "texto de complaint"} {
		if got := page.Rows[i].Question; got != want {
			t.Errorf("row %d asks %q, want %q", i, got, want)
		}
	}
	second, err := d.Page(t.Context(), Part{Offset: 2, Limit: 1})
	if err != nil || len(second.Rows) != 1 || second.Rows[0].Refs[0].ID != "old" || second.Waiting != 6 {
		t.Errorf("a page of one %+v, %v", second, err)
	}
	reachable, err := d.Page(t.Context(), Part{Limit: 50, Phone: true})
	if err != nil || len(reachable.Rows) != 1 || reachable.Rows[0].Refs[0].ID != "old" || reachable.Waiting != 6 {
		t.Errorf("who left a phone %+v, %v", reachable, err)
	}
}

func TestWhoWaits(t *testing.T) {
	staff := func(status string) event.Payload {
		return &event.ContactStatusChanged{Contact: contact("c"), Status: status, StaffID: "s1"}
	}
	for name, c := range map[string]struct {
		then  []event.Payload
		waits bool
	}{
		"nothing happened":             {nil, true},
		"a status":                     {[]event.Payload{staff(contacts.Contacted)}, false},
		"a status that was taken back": {[]event.Payload{staff(contacts.Contacted), staff(contacts.New)}, true},
		"a booking of the visitor":     {[]event.Payload{&event.AppointmentBooked{Conversation: conversation("c"), Source: "chat"}}, false},
		"a flag after a status":        {[]event.Payload{staff(contacts.Contacted), &event.ConversationFlagged{Conversation: conversation("c"), Flag: event.FlagComplaint}}, true},
		"a crisis before a booking": {[]event.Payload{
			&event.ConversationFlagged{Conversation: conversation("c"), Flag: event.FlagCrisis}, &event.AppointmentBooked{Conversation: conversation("c"), Source: "chat"},
		}, true},
		"a crisis before a booking of the staff": {[]event.Payload{
			&event.ConversationFlagged{Conversation: conversation("c"), Flag: event.FlagCrisis}, &event.AppointmentBooked{Conversation: conversation("c"), Source: "staff", StaffID: "s1"},
		}, false},
		"the consent was taken back": {[]event.Payload{&event.ConsentWithdrawn{Conversation: conversation("c")}}, false},
		"erased":                     {[]event.Payload{&event.SubjectErased{By: "s1"}}, false},
		"restricted":                 {[]event.Payload{&event.SubjectRestricted{By: "s1", On: true}}, true},
		"a note":                     {[]event.Payload{&event.ContactNoteAdded{Contact: contact("c"), Note: "llamar"}}, true},
	} {
		d := newDesk(t)
		d.lead("c", "+50760000001", start.Add(-time.Hour))
		for i, p := range c.then {
			d.record(chat.Stream("c"), start.Add(time.Duration(i-10)*time.Minute), p)
		}
		if got := len(d.ids(t)) == 1; got != c.waits {
			t.Errorf("%s: waits %v", name, got)
		}
	}
}

func TestARequestWaitsUntilItIsDone(t *testing.T) {
	d := newDesk(t)
	d.record(chat.Stream("c"), start, &event.PrivacyRequestReceived{Contact: contact("c"), RequestID: "r1"})
	d.record(chat.Stream("c"), start, &event.PrivacyRequestReceived{Contact: contact("c"), RequestID: "r2"})
	d.record(chat.Stream("c"), start, &event.PrivacyRequestDone{Contact: contact("c"), RequestID: "r1"})
	if len(d.ids(t)) != 1 {
		t.Error("the second request does not wait")
	}
	d.record(chat.Stream("c"), start, &event.PrivacyRequestDone{Contact: contact("c"), RequestID: "r2"})
	if len(d.ids(t)) != 0 {
		t.Error("nothing is asked any more")
	}
}

func TestAttempts(t *testing.T) {
	d := newDesk(t)
	d.lead("c", "+50760000001", start.Add(-time.Hour))
	ref := contacts.Ref{Kind: contacts.Lead, ID: "c"}
	done := d.attempt(t, "c", event.AttemptDone, "s1")
	if len(d.ids(t)) != 0 || !done.DueAt.IsZero() {
		t.Errorf("after it was done: %v, %+v", d.ids(t), done)
	}
	before := len(d.events)
	if again := d.attempt(t, "c", event.AttemptDone, "s1"); again.ID != done.ID || len(d.events) != before {
		t.Error("a repetition was taken down")
	}
	var taken *TakenError
	if _, err := d.Attempt(t.Context(), ref, event.AttemptDone, contacts.Change{ID: "x", StaffID: "s2"}); !errors.As(err, &taken) || !taken.Done || taken.By != "s1" {
		t.Errorf("of somebody else: %v", err)
	}
	for range 2 {
		if err := d.Undo(t.Context(), ref, done.ID, "s1"); err != nil {
			t.Fatal(err)
		}
	}
	if len(d.ids(t)) != 1 || len(d.events) != before+1 {
		t.Errorf("after it was undone: %v, %d events", d.ids(t), len(d.events)-before)
	}
	d.now = d.now.Add(time.Minute)
	d.attempt(t, "c", event.AttemptDone, "s1")
	d.now = d.now.Add(time.Hour)
	d.flag("c", event.FlagUrgency, d.now)
	page := d.page(t)
	if page.Waiting != 1 || !page.Rows[0].Since.Equal(d.now) || page.Rows[0].Question != "texto de urgency" {
		t.Errorf("a new reason: %+v", page)
	}
	if r := page.Rows[0].Reasons; r[0].Name != event.FlagUrgency || !r[0].Attended.IsZero() || r[1].Name != ReasonLead || r[1].By != "s1" {
		t.Errorf("reasons %+v", r)
	}
}

func TestPuttingOff(t *testing.T) {
	panama, newYork := clinic.Default().Zone, must(time.LoadLocation("America/New_York"))
	for name, c := range map[string]struct {
		zone    *time.Location
		now     time.Time
		outcome string
		due     time.Time
	}{
		"a Tuesday":                   {panama, start, event.AttemptTomorrow, time.Date(2026, 11, 25, 13, 0, 0, 0, time.UTC)},
		"nobody answered":             {panama, start, event.AttemptNoAnswer, time.Date(2026, 11, 25, 13, 0, 0, 0, time.UTC)},
		"before midnight in Panama":   {panama, time.Date(2026, 11, 25, 4, 59, 59, 0, time.UTC), event.AttemptTomorrow, time.Date(2026, 11, 25, 13, 0, 0, 0, time.UTC)},
		"at midnight in Panama":       {panama, time.Date(2026, 11, 25, 5, 0, 0, 0, time.UTC), event.AttemptTomorrow, time.Date(2026, 11, 26, 13, 0, 0, 0, time.UTC)},
		"before midnight in New York": {newYork, time.Date(2026, 7, 15, 3, 59, 59, 0, time.UTC), event.AttemptTomorrow, time.Date(2026, 7, 15, 12, 0, 0, 0, time.UTC)},
		"at midnight in New York":     {newYork, time.Date(2026, 7, 15, 4, 0, 0, 0, time.UTC), event.AttemptTomorrow, time.Date(2026, 7, 16, 12, 0, 0, 0, time.UTC)},
	} {
		d := newDesk(t)
		d.Calendar.Zone, d.now = c.zone, c.now
		d.lead("c", "+50760000001", c.now.Add(-time.Hour))
		if a := d.attempt(t, "c", c.outcome, "s1"); !a.DueAt.Equal(c.due) {
			t.Errorf("%s: due %v, want %v", name, a.DueAt, c.due)
		}
		for at, waits := range map[time.Time]bool{c.due.Add(-time.Millisecond): false, c.due: true} {
			d.now = at
			if page := d.page(t); (page.Waiting == 1) != waits || page.Waiting+page.PutOff != 1 {
				t.Errorf("%s: at %v %+v", name, at, page)
			}
		}
		d.now = c.now.Add(time.Minute)
		d.flag("c", event.FlagCallback, d.now)
		if page := d.page(t); page.Waiting != 1 || page.PutOff != 0 {
			t.Errorf("%s: a new reason %+v", name, page)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestTheFirstWhoAttendsHoldsThePerson(t *testing.T) {
	d := newDesk(t)
	d.lead("c", "+50760000001", start.Add(-time.Hour))
	ref := contacts.Ref{Kind: contacts.Lead, ID: "c"}
	d.preempt = func() { d.attempt(t, "c", event.AttemptBegun, "s2") }
	var taken *TakenError
	if _, err := d.Attempt(t.Context(), ref, event.AttemptBegun, contacts.Change{ID: "1", StaffID: "s1"}); !errors.As(err, &taken) || taken.By != "s2" || taken.Done {
		t.Errorf("of two at once: %v", err)
	}
	if row := d.page(t).Rows[0]; row.HeldBy(d.now) != "s2" {
		t.Errorf("held by %q", row.HeldBy(d.now))
	}
	d.now = d.now.Add(hold)
	if row := d.page(t).Rows[0]; row.HeldBy(d.now) != "" {
		t.Error("it is held for good")
	}
	d.attempt(t, "c", event.AttemptBegun, "s1")
	d.now = d.now.Add(time.Second)
	d.attempt(t, "c", event.AttemptDone, "s1")
	if len(d.ids(t)) != 0 {
		t.Error("who holds somebody cannot see to them")
	}
}

func TestAPersonIsOneRow(t *testing.T) {
	d := newDesk(t)
	d.lead("a", "+50760000001", start.Add(-3*time.Hour))
	d.lead("b", "6000-0001", start.Add(-2*time.Hour))
	d.lead("other", "+50760000002", start.Add(-time.Hour)) // of the same name
	d.record(chat.Stream("other"), start, &event.ContactNoteAdded{Contact: contact("other"), Note: "hermana de 6000-0001"})
	d.terms = [][]string{{chat.Stream("a"), chat.Stream("b")}, {chat.Stream("a"), chat.Stream("b"), chat.Stream("other")}}
	if got := d.ids(t); len(got) != 2 || got[1] != "other" {
		t.Fatalf("queue %v", got)
	}
	if why := d.page(t).Rows[0].Why(); len(why) != 1 || !why[0].At.Equal(start.Add(-3*time.Hour)) {
		t.Errorf("two leads of a person are %+v", why)
	}
	d.attempt(t, "a", event.AttemptDone, "s1")
	if got := d.ids(t); !slices.Equal(got, []string{"other"}) {
		t.Errorf("after one was done %v", got)
	}
	d.Register = &Register{Log: d.memory, Source: d.memory, Calendar: d.Calendar, Now: d.Register.Now, Public: func(context.Context) ([]privacy.Identifier, error) {
		return []privacy.Identifier{must(privacy.ParseIdentifier("+507 6000-0001"))}, nil
	}}
	if got := d.ids(t); len(got) != 2 {
		t.Errorf("the clinic's own number joins %v", got)
	}
}

func TestTheLogIsReadOnce(t *testing.T) {
	d := newDesk(t)
	d.lead("a", "+50760000001", start)
	d.page(t)
	d.lead("b", "+50760000002", start)
	d.page(t)
	d.page(t)
	if d.reads != 2 {
		t.Errorf("%d events were read for 2", d.reads)
	}
	d.events = d.events[:4] // an older state was restored
	if got := d.ids(t); !slices.Equal(got, []string{"a"}) {
		t.Errorf("after the log went back %v", got)
	}
}

func TestWhatIsRefused(t *testing.T) {
	d := newDesk(t)
	d.lead("c", "+50760000001", start)
	d.lead("closed", "+50760000002", start)
	d.record(chat.Stream("closed"), start, &event.SubjectRestricted{On: true})
	ref := func(id string) contacts.Ref { return contacts.Ref{Kind: contacts.Lead, ID: id} }
	d.attempt(t, "c", event.AttemptBegun, "s1")
	before := len(d.events)
	for name, c := range map[string]struct {
		id, outcome, change string
		want                error
	}{
		"nobody":             {"nobody", event.AttemptDone, "1", contacts.ErrNoContact},
		"restricted":         {"closed", event.AttemptDone, "1", chat.ErrRestricted},
		"an unknown outcome": {"c", "called", "1", chat.Invalid("")},
		"no id":              {"c", event.AttemptDone, " ", chat.Invalid("")},
		"another outcome":    {"c", event.AttemptDone, "c" + event.AttemptBegun + d.now.String(), chat.Invalid("")},
	} {
		_, err := d.Attempt(t.Context(), ref(c.id), c.outcome, contacts.Change{ID: c.change, StaffID: "s1"})
		var invalid chat.Invalid
		if c.want == chat.Invalid("") && !errors.As(err, &invalid) || c.want != chat.Invalid("") && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := d.Undo(t.Context(), ref("c"), "unknown", "s1"); !errors.Is(err, ErrNoAttempt) {
		t.Errorf("an unknown attempt: %v", err)
	}
	if len(d.events) != before {
		t.Error("something was taken down")
	}
	for _, row := range d.page(t).Rows {
		if row.Restricted != (row.Refs[0].ID == "closed") || row.Restricted && (row.Contact.Phone != "" || row.Question != "") {
			t.Errorf("row %+v", row)
		}
	}
}

func TestFirstContactIsTheMedianOfLateArrivals(t *testing.T) {
	d := newDesk(t)
	attempt := func(id string, at time.Time) event.Recorded {
		return d.record(chat.Stream(id), at, &event.ContactAttempted{Contact: contact(id), Outcome: event.AttemptNoAnswer, DueAt: at.Add(time.Hour), StaffID: "s1"})
	}
	measured := func() (time.Duration, int) {
		t.Helper()
		page, err := d.Page(t.Context(), Part{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		return page.FirstContact.Median, page.FirstContact.Contacts
	}
	day := start.AddDate(0, 0, -2)
	d.lead("waits", "+50769001111", day)
	if median, of := measured(); median != 0 || of != 0 {
		t.Errorf("of nobody: %v of %d", median, of)
	}
	d.lead("old", "+50769002222", start.AddDate(0, 0, -31))
	attempt("old", start.AddDate(0, 0, -30))
	d.lead("attempted", "+50769003333", day)
	attempt("attempted", day.Add(3*time.Hour))
	attempt("attempted", day.Add(time.Hour))
	d.lead("changed", "+50769004444", day)
	d.record(chat.Stream("changed"), day.Add(4*time.Hour), &event.ContactStatusChanged{Contact: contact("changed"), Status: contacts.Contacted, StaffID: "s1"})
	d.record(chat.Stream("changed"), day.Add(5*time.Hour), &event.ContactStatusChanged{Contact: contact("changed"), Status: contacts.Discarded, StaffID: "s1"})
	if median, of := measured(); median != 150*time.Minute || of != 2 {
		t.Errorf("of an even number: %v of %d", median, of)
	}
	d.lead("undone", "+50769005555", day)
	slip := attempt("undone", day.Add(time.Minute))
	d.record(chat.Stream("undone"), day.Add(2*time.Minute), &event.ContactAttemptUndone{Contact: contact("undone"), AttemptID: slip.ID, StaffID: "s1"})
	attempt("undone", day.Add(2*time.Hour))
	if median, of := measured(); median != 2*time.Hour || of != 3 {
		t.Errorf("of an odd number: %v of %d", median, of)
	}
}

func TestFirstContactByWeekdayAndPerson(t *testing.T) {
	d := newDesk(t)
	zone := d.Calendar.Zone
	// A Sunday in Panama is a Monday in UTC late in the evening.
	sunday := time.Date(start.Year(), start.Month(), start.Day(), 23, 0, 0, 0, zone)
	for sunday = sunday.AddDate(0, 0, -7); sunday.Weekday() != time.Sunday; sunday = sunday.AddDate(0, 0, 1) {
	}
	for i, of := range []struct {
		day   int
		by    string
		hours int
	}{{0, "ana", 1}, {0, "ana", 2}, {0, "luis", 6}, {-5, "luis", 10}, {-5, "luis", 20}} {
		id, at := strconv.Itoa(i), sunday.AddDate(0, 0, of.day)
		d.lead(id, "+5076900111"+id, at)
		d.record(chat.Stream(id), at.Add(time.Duration(of.hours)*time.Hour), &event.ContactAttempted{Contact: contact(id), Outcome: event.AttemptDone, StaffID: of.by})
		d.record(chat.Stream(id), at.Add(30*time.Hour), &event.ContactStatusChanged{Contact: contact(id), Status: contacts.Contacted, StaffID: "later"})
	}
	page := d.page(t)
	weekdays := []FirstContact{{Weekday: 2, Median: 15 * time.Hour, Contacts: 2}, {Weekday: 7, Median: 2 * time.Hour, Contacts: 3}}
	persons := []FirstContact{{By: "ana", Median: 90 * time.Minute, Contacts: 2}, {By: "luis", Median: 10 * time.Hour, Contacts: 3}}
	if !slices.Equal(page.ByWeekday, weekdays) || !slices.Equal(page.ByPerson, persons) || page.FirstContact != (FirstContact{Median: 6 * time.Hour, Contacts: 5}) {
		t.Errorf("by weekday %+v, by person %+v, of all %+v", page.ByWeekday, page.ByPerson, page.FirstContact)
	}
	stretches := []analytics.Period{{From: sunday.AddDate(0, 0, -5), To: sunday}, {From: sunday, To: sunday}, {From: sunday, To: sunday.Add(time.Millisecond)}, {From: sunday.Add(time.Millisecond), To: start}}
	found, err := d.FirstContacts(t.Context(), stretches)
	if want := []FirstContact{{Median: 15 * time.Hour, Contacts: 2}, {}, {Median: 2 * time.Hour, Contacts: 3}, {}}; err != nil || !slices.Equal(found, want) {
		t.Errorf("by stretch of time %+v, %v", found, err)
	}
	whole, err := d.FirstContacts(t.Context(), []analytics.Period{{From: start.Add(-lately), To: start}})
	if err != nil || whole[0] != page.FirstContact {
		t.Errorf("of the whole time %+v, %v, not %+v", whole, err, page.FirstContact)
	}
}

// BenchmarkStates asks for a page of 50 of 5,000 who wait.
func BenchmarkStates(b *testing.B) {
	d := newDesk(b)
	var refs []contacts.Ref
	for i := range 5000 {
		id := strconv.Itoa(i)
		d.flag(id, event.FlagComplaint, start.Add(time.Duration(i)*time.Second))
		if i%100 == 0 {
			refs = append(refs, contacts.Ref{Kind: contacts.Lead, ID: id})
		}
	}
	for b.Loop() {
		if states, err := d.States(b.Context(), refs); err != nil || len(states) != len(refs) {
			b.Fatal(len(states), err)
		}
	}
}
