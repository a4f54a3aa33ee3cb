package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	gocmp "github.com/google/go-cmp/cmp"

	"bitacora/adapters/demo"
	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/privacy"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/event"
)

// TestFactsOfADemoEqualARecountOfItsLog holds every booking, change of a contact and refusal, and the answers to all
// worked questions, against the log of a history with a full month; the analysts' dashboard finds something in it.
func TestFactsOfADemoEqualARecountOfItsLog(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewEmbedded(t)
	p.MustRun("demo", "--months", "4")
	p.Start()
	a := p.App()
	if err := demo.Teach(t.Context(), privacy.TeachingRegister(a)); err != nil {
		t.Fatal(err)
	}
	p.Applied(a)
	p.Published(a)
	var log []event.Recorded
	for last := int64(0); ; last = log[len(log)-1].Position {
		more, err := a.DB.Log().Scan(t.Context(), last, math.MaxInt64, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if log = append(log, more...); len(more) == 0 {
			break
		}
	}
	f := recountedFacts(log, a.Clinic.Zone)
	views := programtest.Views(t, a)
	everyClientHasTheZone(t, a)
	everyClientFinds(t, a, func() *recount { return recounted(log, f, a.Clinic.Hours, time.Now()) })
	everyPanelFinds(t, views, f)
	everyColumnSays(t, views)
	for sql, want := range map[string][]string{
		`SELECT booking_id, conversation_id, toUnixTimestamp64Milli(booked_at), toUnixTimestamp64Milli(slot), booked_by, specialty, replaces, moved,
			cancelled, ifNull(toUnixTimestamp64Milli(cancelled_at), 0), outcome, round(lead_time_hours * 3600000) FROM bookings`: f.bookingRows(),
		`SELECT contact_id, from_status, to_status, toUnixTimestamp64Milli(changed_at), changed_by FROM contact_history`: f.changeRows,
		`SELECT toUnixTimestamp64Milli(refused_at), month, monthly_limit, channel FROM chat_refusals`:                    f.refusalRows,
		`SELECT slug, version, toUnixTimestamp64Milli(taught_at), undone_at IS NULL FROM answers_taught`:                 f.answerRows,
		`SELECT toUnixTimestamp64Milli(accessed_at), action, kind, channel FROM data_access`:                             f.accessRows,
		`SELECT month, conversations, refusals, monthly_limit FROM limit_by_month WHERE refusals > 0`:                    f.monthRows(),
		`SELECT conversation_id, seconds_to_booking FROM conversations WHERE seconds_to_booking IS NOT NULL`:             f.secondsToBooking(),
		`SELECT outcome, count() FROM conversations WHERE outcome != '' GROUP BY outcome`:                                f.outcomeRows(),
		`SELECT conversation_id, toUnixTimestamp64Milli(booking_link_shown_at), ifNull(toUnixTimestamp64Milli(booking_link_followed_at), 0)
			FROM conversations WHERE booking_link_shown_at IS NOT NULL`: f.linkRows(),
	} {
		slices.Sort(want)
		if diff := gocmp.Diff(want, lines(t, views, sql)); diff != "" || len(want) == 0 {
			t.Errorf("%d rows of the log, %s (-log +view):\n%.2000s", len(want), sql, diff)
		}
	}
	if n := len(slices.DeleteFunc(slices.Collect(maps.Values(f.bookings)), func(b *bookingFact) bool { return !b.OfForm() })); n == 0 || n == len(f.bookings) {
		t.Errorf("%d of %d bookings are for who wrote by the contact form", n, len(f.bookings))
	}
	t.Logf("%d bookings, %d changes, %d refusals; %s", len(f.bookings), len(f.changeRows), len(f.refusalRows), f.summary())
}

// silent are the columns that say nothing on a demo.
var silent = []string{"answers_taught.undone_at"} // nobody takes an answer back

// everyColumnSays finds a value in each column of each view.
func everyColumnSays(t *testing.T, views driver.Conn) {
	t.Helper()
	var nothing []string
	for _, column := range lines(t, views, "SELECT table || '.' || name FROM system.columns WHERE database = currentDatabase() AND table NOT LIKE 'cohort%'") {
		view, name, _ := strings.Cut(strings.TrimSpace(column), ".")
		if lines(t, views, fmt.Sprintf("SELECT count() > 0 FROM %s WHERE ifNull(toString(%s), '') NOT IN ('', '0', 'false', '[]')", view, name))[0] != "1\n" {
			nothing = append(nothing, view+"."+name)
		}
	}
	if diff := gocmp.Diff(silent, nothing); diff != "" {
		t.Errorf("columns that say nothing on a demo (-known +found):\n%s", diff)
	}
}

// facts are what a log says of bookings, changes of contacts and refusals.
type facts struct {
	zone                    *time.Location
	bookings                map[string]*bookingFact
	changeRows, refusalRows []string
	answerRows, accessRows  []string
	// started are the conversations by month, days those by day.
	started, days map[string]int
	// shown and followed are the first times of the link to the external form, by conversation.
	shown, followed map[string]int64
	// first is when the staff first changed a contact's status, came when the contact came.
	first, came map[string]time.Time
	refusals    map[string]int
	limit       int
	// full are the refusals by month.
	full map[string]int
}

type bookingFact struct {
	event.AppointmentBooked
	at          time.Time
	cancelledAt int64
	moved       bool
	outcome     string
}

func recountedFacts(log []event.Recorded, zone *time.Location) *facts {
	f := &facts{zone: zone, bookings: map[string]*bookingFact{}, first: map[string]time.Time{}, came: map[string]time.Time{}, refusals: map[string]int{}, shown: map[string]int64{}, followed: map[string]int64{},
		started: map[string]int{}, days: map[string]int{}, full: map[string]int{}}
	statuses := map[string]string{}
	change := func(contact, to, member, source string, came, at time.Time) {
		f.changeRows = append(f.changeRows, row(contact, cmp.Or(statuses[contact], "new"), to, at.UnixMilli(), cmp.Or(member, source)))
		statuses[contact] = to
		if member != "" && f.first[contact].IsZero() {
			f.first[contact], f.came[contact] = at, came
		}
	}
	for _, e := range log {
		switch p := e.Payload.(type) {
		case *event.AppointmentBooked:
			f.bookings[p.BookingID] = &bookingFact{AppointmentBooked: *p, at: e.OccurredAt}
			if before := f.bookings[p.Replaces]; before != nil {
				before.moved = true
			}
			change(p.ConversationID, "scheduled", p.StaffID, p.Source, p.ConversationStartedAt, e.OccurredAt)
		case *event.AppointmentCancelled:
			f.bookings[p.BookingID].cancelledAt = e.OccurredAt.UnixMilli()
		case *event.AppointmentOutcomeRecorded:
			f.bookings[p.BookingID].outcome = strings.TrimPrefix(p.Outcome, event.OutcomeUnknown)
		case *event.ContactStatusChanged:
			change(p.ContactID, p.Status, p.StaffID, "", p.ContactAt, e.OccurredAt)
		case *event.ConversationStarted:
			f.started[p.ConversationStartedAt.In(zone).Format("2006-01")]++
			f.days[p.ConversationStartedAt.In(zone).Format(time.DateOnly)]++
		case *event.TranscriptOpened:
			f.accessRows = append(f.accessRows, row(e.OccurredAt.UnixMilli(), "read", "transcript", "demo"))
		case *event.ContactMessagesOpened:
			f.accessRows = append(f.accessRows, row(e.OccurredAt.UnixMilli(), "read", "contacts", "demo"))
		case *event.VisitorTextsRead, *event.QuestionsReplayed, *event.ExportTaken, *event.SubjectExported, *event.LogExported:
			f.accessRows = append(f.accessRows, "unexpected "+p.EventType())
		case *event.AnswerTaught:
			f.answerRows = append(f.answerRows, row(p.Answer.Slug, p.Version, e.OccurredAt.UnixMilli(), 1))
		case *event.BookingLinkShown:
			f.shown[p.ConversationID] = cmp.Or(f.shown[p.ConversationID], e.OccurredAt.UnixMilli())
		case *event.BookingLinkOpened:
			f.followed[p.ConversationID] = cmp.Or(f.followed[p.ConversationID], e.OccurredAt.UnixMilli())
		case *event.ChatRefused:
			f.refusalRows = append(f.refusalRows, row(e.OccurredAt.UnixMilli(), p.Month, p.Limit, "demo"))
			f.full[p.Month]++
			f.refusals[e.OccurredAt.In(zone).Format(time.DateOnly)]++
			f.limit = p.Limit
		}
	}
	return f
}

func (f *facts) bookingRows() (rows []string) {
	for id, b := range f.bookings {
		rows = append(rows, row(id, b.ConversationID, b.at.UnixMilli(), b.Slot.UnixMilli(), b.Source, b.Specialty, b.Replaces, b.moved,
			b.cancelledAt > 0, b.cancelledAt, b.outcome, b.Slot.Sub(b.at).Milliseconds()))
	}
	return rows
}

func (f *facts) linkRows() (rows []string) {
	for id, at := range f.shown {
		rows = append(rows, row(id, at, f.followed[id]))
	}
	return rows
}

func (f *facts) monthRows() (rows []string) {
	for month, n := range f.full {
		rows = append(rows, row(month, f.started[month], n, f.limit))
	}
	return rows
}

func (f *facts) dayRows() (rows []string) {
	for day, n := range f.days {
		rows = append(rows, row(day, n))
	}
	slices.Sort(rows)
	return rows
}

func (f *facts) secondsToBooking() (rows []string) {
	first := map[string]int64{}
	for _, b := range f.bookings {
		if b.OfForm() {
			continue
		}
		after := b.at.UnixMilli() - b.ConversationStartedAt.UnixMilli()
		if before, ok := first[b.ConversationID]; !ok || after < before {
			first[b.ConversationID] = after
		}
	}
	for id, after := range first {
		rows = append(rows, row(id, after/1000))
	}
	return rows
}

func (f *facts) outcomeRows() (rows []string) {
	of, counts := map[string]string{}, map[string]int{}
	for _, b := range f.bookings {
		if b.OfForm() {
			continue
		}
		worse := slices.Index(event.Outcomes, cmp.Or(b.outcome, event.OutcomeUnknown)) >= slices.Index(event.Outcomes, cmp.Or(of[b.ConversationID], event.OutcomeUnknown))
		if !worse {
			of[b.ConversationID] = b.outcome
		}
	}
	for outcome := range maps.Values(of) {
		counts[outcome]++
	}
	for outcome, n := range counts {
		rows = append(rows, row(outcome, n))
	}
	return rows
}

func (f *facts) missedByLeadTime() (rows []string) {
	missed, known := map[int]int{}, map[int]int{}
	for _, b := range f.bookings {
		if b.outcome == "" {
			continue
		}
		days := min(int(f.day(b.Slot).Sub(f.day(b.at)).Hours()/24), 8)
		known[days]++
		if b.outcome == event.OutcomeMissed {
			missed[days]++
		}
	}
	for days, n := range known {
		rows = append(rows, row(days, missed[days], n, tenths(100*float64(missed[days])/float64(n))))
	}
	return rows
}

// day is noon of the business zone's day.
func (f *facts) day(at time.Time) time.Time {
	y, m, d := at.In(f.zone).Date()
	return time.Date(y, m, d, 12, 0, 0, 0, time.UTC)
}

func (f *facts) timeToBooking() (rows []string) {
	minutes, ahead := map[string][]float64{}, map[string][]float64{}
	for _, b := range f.bookings {
		if b.Replaces != "" {
			continue
		}
		minutes[b.Source] = append(minutes[b.Source], millisBetween(b.ConversationStartedAt, b.at)/60_000)
		ahead[b.Source] = append(ahead[b.Source], millisBetween(b.at, b.Slot)/3_600_000)
	}
	for source, list := range minutes {
		rows = append(rows, row(source, len(list), tenths(percentile(list, 0.5)), tenths(percentile(list, 0.9)), tenths(percentile(ahead[source], 0.5))))
	}
	return rows
}

func (f *facts) reaction() (rows []string) {
	hours := map[string][]float64{}
	for id, at := range f.first {
		month := f.came[id].In(f.zone).Format("2006-01-") + "01"
		hours[month] = append(hours[month], millisBetween(f.came[id], at)/3_600_000)
	}
	for month, list := range hours {
		rows = append(rows, row(month, len(list), tenths(percentile(list, 0.5)), tenths(percentile(list, 0.9))))
	}
	return rows
}

func (f *facts) refusalsByDay() (rows []string) {
	for day, n := range f.refusals {
		rows = append(rows, row(day, n, f.limit))
	}
	return rows
}

// summary is what a reader compares with the dashboard's history: medians and ninth deciles of all.
func (f *facts) summary() string {
	var minutes, ahead, hours []float64
	for b := range maps.Values(f.bookings) {
		minutes, ahead = append(minutes, millisBetween(b.ConversationStartedAt, b.at)/60_000), append(ahead, millisBetween(b.at, b.Slot)/3_600_000)
	}
	for id, at := range f.first {
		hours = append(hours, millisBetween(f.came[id], at)/3_600_000)
	}
	return fmt.Sprintf("minutes to booking %v, %v; hours to slot %v, %v; hours to the staff's first change %v, %v",
		tenths(percentile(minutes, 0.5)), tenths(percentile(minutes, 0.9)), tenths(percentile(ahead, 0.5)), tenths(percentile(ahead, 0.9)),
		tenths(percentile(hours, 0.5)), tenths(percentile(hours, 0.9)))
}

func millisBetween(from, to time.Time) float64 { return float64(to.UnixMilli() - from.UnixMilli()) }

func percentile(list []float64, p float64) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	slices.Sort(list)
	at := p * float64(len(list)-1)
	below := int(at)
	above := min(below+1, len(list)-1)
	return list[below] + (at-float64(below))*(list[above]-list[below])
}

func tenths(n float64) float64 { return rounded(n, 1) }

// decimal is a number as TabSeparated has it.
func decimal(n float64) string {
	return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(n, 'f', -1, 64)), "+")
}

func row(values ...any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
		if n, ok := v.(float64); ok {
			texts[i] = decimal(n)
		}
	}
	return strings.Join(texts, "\t") + "\n"
}
