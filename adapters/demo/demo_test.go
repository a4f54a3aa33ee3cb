package demo

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/archive/logtest"
	"bitacora/adapters/assistant"
	"bitacora/adapters/engines/enginestest"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/staff"
)

var panama = clinic.Default().Zone

// until is a Saturday noon in Panama.
var until = time.Date(2026, 11, 21, 12, 0, 0, 0, panama)

func config() Config { return Config{Seed: 7, Until: until, Clinic: clinic.Default()} }

func items(t testing.TB, c Config) []Item {
	t.Helper()
	seq, err := Generate(c)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(seq)
}

// history is the usual one, made once for all tests that look at it.
var history = sync.OnceValue(func() []Item {
	seq, err := Generate(config())
	if err != nil {
		panic(err)
	}
	return slices.Collect(seq)
})

var appended = sync.OnceValues(func() (all []event.Append, err error) {
	for _, i := range history() {
		a, err := i.Append(panama)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
})

// appends are those of the usual history, item by item.
func appends(t *testing.T) []event.Append {
	t.Helper()
	all, err := appended()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// conversations are those that are not delivered for a second time.
func conversations(list []Item) []Item {
	return slices.DeleteFunc(slices.Clone(list), func(i Item) bool { return i.Refused != "" || i.StaffAppend != nil || i.Repeated || i.quiet() })
}

func startOf(i Item) time.Time { return i.Past.Messages[0].At.In(panama) }

func TestSameSeedSameLog(t *testing.T) {
	enginestest.Long(t)
	sum := func(seed uint64) string {
		var log logtest.Log
		c := config()
		c.Seed, c.Months = seed, 2
		if _, err := Seed(context.Background(), &log, c, nil); err != nil {
			t.Fatal(err)
		}
		return log.Sum()
	}
	first, again, other := sum(1), sum(1), sum(2)
	if first != again {
		t.Error("the same seed gave two logs")
	}
	if first == other {
		t.Error("two seeds gave the same log")
	}
}

func TestNothingImpossibleHappens(t *testing.T) {
	enginestest.Long(t)
	c := config()
	taken := map[time.Time]bool{}
	monthly := map[string]int{}
	for _, i := range conversations(history()) {
		a, err := i.Append(panama)
		if err != nil {
			t.Fatalf("%v: %v", i.At, err)
		}
		monthly[a.MonthlyLimit.Month]++
		start := startOf(i)
		begins := start
		if v := i.Past.Visit; v != nil {
			begins = v.At
		}
		for _, d := range a.Drafts {
			if d.OccurredAt.Before(begins.Truncate(time.Millisecond)) || d.OccurredAt.After(until) {
				t.Fatalf("%s at %v in a conversation that began at %v", d.Payload.EventType(), d.OccurredAt, start)
			}
		}
		p := i.Past
		if p.Appointment == nil {
			continue
		}
		if p.Lead == nil {
			t.Error("appointment without a lead")
		}
		slot := p.Appointment.Slot
		if !c.Clinic.Calendar().OpenAt(slot) || slot.Before(p.Appointment.At) || taken[slot] {
			t.Errorf("slot %v booked at %v, taken %v", slot, p.Appointment.At, taken[slot])
		}
		taken[slot] = true
		turns := slices.IndexFunc(p.Messages, func(m chat.PastMessage) bool { return m.Failed })
		if turns >= 0 || len(p.Messages) < 2*profile.bookingTurns {
			t.Errorf("appointment after %d messages", len(p.Messages))
		}
	}
	for month, n := range monthly {
		if n > profile.limit {
			t.Errorf("%d conversations in %s", n, month)
		}
	}
}

func TestHistoryHoldsWhatDashboardsStumbleOver(t *testing.T) {
	list := history()
	var midnight, monthEnd, late, repeated, cancelled, failed, paused, models float64
	seen := map[string]bool{}
	bad := until.AddDate(0, 0, -profile.badDay.daysAgo)
	var slow []float64
	last := time.Time{}
	for _, i := range list {
		if i.At.Before(last) {
			t.Fatalf("%v comes after %v", i.At, last)
		}
		last = i.At
		if i.StaffAppend != nil {
			continue
		}
		if i.Late {
			late++
		}
		if i.Repeated {
			repeated++
		}
		if i.Refused != "" || i.StaffAppend != nil || i.Repeated || i.quiet() {
			continue
		}
		messages := i.Past.Messages
		first, end := startOf(i), messages[len(messages)-1].At.In(panama)
		if first.Day() != end.Day() {
			midnight++
		}
		if first.Month() != end.Month() {
			monthEnd++
		}
		for n, m := range messages {
			if n > 0 && m.At.Sub(messages[n-1].At) > chat.MaxGap {
				paused++
			}
			if m.Failed {
				failed++
			}
			if !m.FromVisitor && !m.Failed {
				seen[m.Reply.Model] = true
				if first.YearDay() == bad.YearDay() && first.Year() == bad.Year() {
					slow = append(slow, m.Latency.Seconds())
				}
			}
		}
		if a := i.Past.Appointment; a != nil && !a.CancelledAt.IsZero() {
			cancelled++
		}
	}
	models = float64(len(seen))
	days := until.Sub(config().withDefaults().start()).Hours() / 24
	within(t, "conversations over midnight per day", midnight/days, 0.5, 1.1)
	within(t, "conversations over a month's end", monthEnd, 5, 20)
	within(t, "late", late, 8, 40)
	within(t, "repeated", repeated, 1, 15)
	within(t, "cancelled", cancelled, 20, 120)
	within(t, "failed", failed, 120, 350)
	within(t, "long pauses", paused, 100, 700)
	within(t, "models", models, 3, 3)
	slices.Sort(slow)
	within(t, "p95 of the bad day", slow[len(slow)*95/100], 10, 22)
}

func TestTheDeskSeesToContacts(t *testing.T) {
	last := map[string]time.Time{}
	status := map[string]string{}
	came := map[string]time.Time{}
	flagged, attempts := map[string]bool{}, map[string]int{}
	notes, messages := 0, 0
	members := map[string]int{}
	for n, a := range appends(t) {
		i := history()[n]
		for _, d := range a.Drafts {
			switch p := d.Payload.(type) {
			case *event.LeadCaptured:
				status[a.Stream], came[a.Stream] = contacts.New, p.ConversationStartedAt
			case *event.ContactMessageReceived:
				status[a.Stream], came[a.Stream] = contacts.New, d.OccurredAt
				messages++
			case *event.AppointmentBooked:
				status[a.Stream] = contacts.Scheduled
			case *event.ContactStatusChanged:
				status[a.Stream] = p.Status
			case *event.ContactNoteAdded:
				notes++
			case *event.ConversationFlagged:
				flagged[a.Stream] = true
			case *event.ContactAttempted:
				attempts[p.Outcome]++
				members[p.StaffID]++
			}
			if _, dismissed := d.Payload.(*event.QuestionLabelled); dismissed || i.StaffAppend == nil || strings.HasPrefix(a.Stream, staff.StreamPrefix) {
				continue
			}
			if _, known := status[a.Stream]; !known && !flagged[a.Stream] || d.OccurredAt.Before(last[a.Stream]) || d.OccurredAt.After(until) {
				t.Errorf("%s of %s at %v", d.Payload.EventType(), a.Stream, d.OccurredAt)
			}
			if c, ok := d.Payload.(*event.ContactStatusChanged); ok && !c.ContactAt.Equal(came[a.Stream]) {
				t.Errorf("%s came at %v, not %v", a.Stream, came[a.Stream], c.ContactAt)
			}
		}
		last[a.Stream] = i.At
	}
	var all, unsaid float64
	counts := map[string]float64{}
	for stream, s := range status {
		counts[s]++
		all++
		if s == contacts.New && until.Sub(came[stream]) < 72*time.Hour {
			unsaid++
		}
	}
	for _, s := range contacts.Statuses {
		within(t, s, 100*counts[s]/all, 2, 60)
	}
	if invented, err := Staff(); err != nil || len(members) != len(invented)-1 || members[invented[4].ID] != 0 {
		t.Errorf("%d members attempted, %v; all but the one who sees numbers alone are to", len(members), err)
	}
	if attempts[event.AttemptDone] < 300 || attempts[event.AttemptNoAnswer] < 300 {
		t.Errorf("attempts %v", attempts)
	}
	if unsaid < 2 || messages < 200 || notes < 500 {
		t.Errorf("%v that wait since less than three days, %d messages, %d notes", unsaid, messages, notes)
	}
}

// TestTheHistoryHoldsEveryEvent compares it with the registry: what visitors and staff do is
// in it, so that a demo shows what a clinic would.
func TestTheHistoryHoldsEveryEvent(t *testing.T) {
	nobody := map[string]string{
		"ChartNoted":    "as StaffAccountAdded",
		"EventSkipped":  "an operator's decision on a log with a fault",
		"KeysRotated":   "recorded by the program when it rotated the keys",
		"TablesRebuilt": "an operator's work", "BuildSwitched": "an operator's work", "ParkedRetried": "an operator's work",
		"EpochAdopted": "an operator's work", "LogExported": "nobody takes what is invented away",
		"AnswerTaught": "published with the content, see Teach", "AnswerUndone": "as StaffAccountAdded", "QuestionsReplayed": "as StaffAccountAdded",
		"VisitorTextsRead": "as StaffAccountAdded", "StaffCodeBudgetSpent": "as StaffAccountAdded",
		"StaffSecondFactorChanged": "as StaffAccountAdded", "StaffRecoveryCodeUsed": "as StaffAccountAdded",
		"RetentionApplied":  "an operator's rules, on data that are old",
		"NoticeSent":        "recorded by the program when a letter was sent",
		"ConversationBound": "needs a browser's cookie, which the past has none of",

		"StaffSignInFailed": "a fault of somebody's, of whom the demo has none", "StaffSignedOut": "the demo's staff goes home",
		"ExportTaken": "nobody takes what is invented away", "StaffAccountAdded": "nobody made the accounts of the demo's staff",
		"StaffRoleChanged": "as StaffAccountAdded", "StaffPasswordChanged": "as StaffAccountAdded",
		"StaffSessionsEnded": "as StaffAccountAdded", "StaffAccountRemoved": "as StaffAccountAdded",
		"SubscriptionRequested": "a demo has no mail server, and so no newsletter", "SubscriptionConfirmed": "as SubscriptionRequested",
		"ConsentWithdrawn": "an invented person takes nothing back",
		"SubjectErased":    "an invented person asks for nothing", "SubjectExported": "as SubjectErased", "SubjectRestricted": "as SubjectErased",
	}
	seen := map[string]bool{}
	for _, a := range appends(t) {
		for _, d := range a.Drafts {
			seen[d.Payload.EventType()] = true
		}
	}
	for _, kind := range event.Types() {
		if reason, left := nobody[kind]; left == seen[kind] {
			t.Errorf("%s in the history: %v (%s)", kind, seen[kind], reason)
		}
	}
}

func TestTranscriptsReadAsPeopleWrite(t *testing.T) {
	e, err := assistant.NewEmbedded(clinic.Default())
	if err != nil {
		t.Fatal(err)
	}
	topics := e.Topics()
	own := clinic.Default().Links.All()
	var opened []string
	for _, i := range conversations(history()) {
		var said strings.Builder
		for _, m := range i.Past.Messages {
			if strings.ContainsAny(m.Text, "{}|$") || strings.Contains(m.Text, "  ") || (m.Text == "" && !m.Failed) {
				t.Fatalf("unfinished text %q", m.Text)
			}
			if !m.FromVisitor && !m.Failed && !slices.Contains(topics, m.Reply.Topic) {
				t.Fatalf("%q is no topic of the assistant", m.Reply.Topic)
			}
			for word := range strings.FieldsSeq(m.Text) {
				if strings.HasPrefix(word, "http") && !slices.ContainsFunc(own, func(l string) bool { return strings.HasPrefix(word, l) }) {
					t.Errorf("foreign link %q", word)
				}
			}
			said.WriteString(m.Text + "\n")
		}
		if len(i.Past.Messages) > 4 {
			opened = append(opened, said.String())
		}
	}
	for from := 0; from+20 <= len(opened); from += 20 {
		page := slices.Sorted(slices.Values(opened[from : from+20]))
		if len(slices.Compact(page)) < 20 {
			t.Errorf("of twenty transcripts from %d on two are the same", from)
		}
	}
}

func TestUnansweredQuestionsTeachSomething(t *testing.T) {
	asked, unanswered := map[string]float64{}, map[string]float64{}
	for _, i := range conversations(history()) {
		for _, m := range i.Past.Messages {
			if m.FromVisitor || m.Failed {
				continue
			}
			asked[m.Reply.Topic]++
			if !m.Reply.Answered {
				unanswered[m.Reply.Topic]++
			}
		}
	}
	rate := func(topic string) float64 { return 100 * unanswered[topic] / asked[topic] }
	within(t, "prices", rate("precios"), 15, 30)
	within(t, "insurance", rate("seguros"), 24, 38)
	within(t, "hours", rate("horario"), 0, 6)
	within(t, "booking", rate("citas"), 0, 6)
}

// TestTaughtAnswersAreUsed counts the replies of each taught answer, none of which is older than the answer.
func TestTaughtAnswersAreUsed(t *testing.T) {
	texts, err := loadStaffTexts()
	if err != nil {
		t.Fatal(err)
	}
	text, uses := map[string]string{}, map[string]int{}
	for _, a := range texts.Answers {
		text[event.AnswerPrefix+a.Slug], uses[event.AnswerPrefix+a.Slug] = a.Text, 0
		if _, known := clinic.AnswerOf(clinic.DefaultContent().Answers, a.Next); !known {
			t.Errorf("%q is no answer of the clinic", a.Next)
		}
	}
	for _, i := range conversations(history()) {
		for _, m := range i.Past.Messages {
			for _, source := range m.Reply.Sources {
				if !strings.HasPrefix(source, event.AnswerPrefix) {
					continue
				}
				uses[source]++
				chosen := m.Reply.Chosen
				if m.Text != text[source] || !m.Reply.Answered || m.At.Before(taughtAt(until)) {
					t.Errorf("at %s from %s: answered %t, %q", m.At, source, m.Reply.Answered, m.Text)
				}
				if event.AnswerPrefix+chosen.Answer != source || chosen.NextAnswer == "" || chosen.Likelihood+chosen.NextLikelihood > 1 || chosen.NextLikelihood >= chosen.Likelihood {
					t.Errorf("from %s: %+v", source, chosen)
				}
			}
		}
	}
	for source, n := range uses {
		if n < 2 || text[source] == "" {
			t.Errorf("%s is used %d times", source, n)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		seq, err := Generate(config())
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for range seq {
			n++
		}
		b.ReportMetric(float64(n), "items")
	}
}
