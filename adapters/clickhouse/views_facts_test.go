package clickhouse

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/projectionstest"
)

// factViews are views whose rows a log says in so many words.
var factViews = map[string]struct {
	question string
	rows     func(log []event.Recorded) []string
}{
	"exchanges": {
		"SELECT conversation_id, ordinal, asked, toUnixTimestamp64Milli(replied_at), replied, intent, topic, answered FROM exchanges ORDER BY conversation_started_at, conversation_id, ordinal",
		exchangeRows,
	},
	"limit_by_month": {"SELECT month, conversations, refusals, monthly_limit FROM limit_by_month ORDER BY month", monthRows},
	"data_access":    {"SELECT toUnixTimestamp64Milli(accessed_at), action, kind, channel FROM data_access ORDER BY position", accessRows},
	"conversations": {
		"SELECT conversation_id, seconds_to_booking, outcome FROM conversations WHERE appointment ORDER BY conversation_id", bookedRows,
	},
}

// TestViewsSayWhatTheLogSays writes each log twice, as a crash or a rebuild beside the program may.
func TestViewsSayWhatTheLogSays(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	reader := analyst(t, db)
	found := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		empty(t, db)
		log := append(projectionstest.Log().Draw(t, "log"), certain()...)
		write(t, db, log)
		write(t, db, log)
		for view, of := range factViews {
			var got []string
			for _, row := range cells(answer(t, reader, of.question))[1:] {
				got = append(got, fmt.Sprint(row))
			}
			want := of.rows(log)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(view, "(-log +view)\n", diff)
			}
			found[view] = found[view] || len(want) > 0
		}
	})
	if len(found) != len(factViews) {
		t.Errorf("rows were found in %v", found)
	}
}

// cellsOf is a row as a question's cells print.
func cellsOf(values ...any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return fmt.Sprint(texts)
}

// certain is what a drawn log may lack: bookings twice, each outcome alone and under a better one, messages
// without a reply, and a limit that changes.
func certain() (log []event.Recorded) {
	started := time.Date(2026, 11, 2, 15, 0, 0, 0, time.UTC)
	add := func(p event.Payload) {
		position := int64(1000 + len(log))
		log = append(log, event.Recorded{
			Position: position, ID: event.DerivedID("certain", fmt.Sprint(position)), Stream: "certain", Payload: p,
			OccurredAt: started.Add(time.Duration(len(log)) * 1700 * time.Millisecond),
		})
	}
	for _, outcomes := range [][]string{
		{}, {event.OutcomeMissed}, {event.OutcomeCancelledLate}, {event.OutcomeUnknown}, {event.OutcomeMissed, event.OutcomeCame},
		{event.OutcomeCancelledLate, event.OutcomeMissed}, {event.OutcomeCame, event.OutcomeCancelledLate},
	} {
		c := event.Conversation{ConversationID: "certain-" + strings.Join(outcomes, "-"), ConversationStartedAt: started}
		add(&event.ConversationStarted{Conversation: c, Channel: "web"})
		add(&event.VisitorMessageSent{Conversation: c, Progress: event.Progress{Ordinal: 1}, Text: event.Text{Text: "¿Hola?"}})
		add(&event.VisitorMessageSent{Conversation: c, Progress: event.Progress{Ordinal: 2}, Text: event.Text{Text: "¿Atienden hoy?"}})
		add(&event.AssistantReplied{Conversation: c, Progress: event.Progress{Ordinal: 3}, Text: event.Text{Text: "Sí."}, Topic: "horario"})
		for range 2 {
			for i := range outcomes {
				add(&event.AppointmentBooked{Conversation: c, BookingID: fmt.Sprint(c.ConversationID, i), Source: "chat", Slot: started})
			}
		}
		for i, outcome := range outcomes {
			add(&event.AppointmentOutcomeRecorded{Conversation: c, BookingID: fmt.Sprint(c.ConversationID, i), Outcome: outcome, BookedBy: "chat", BookedAt: started, Slot: started})
		}
		add(&event.ChatRefused{Month: "2026-11", Limit: 50 + 10*(len(outcomes)%2)})
		add(&event.VisitorTextsRead{StaffID: "s", List: "conversations", Words: "hash"})
	}
	return log
}

const null = `\N`

func exchangeRows(log []event.Recorded) (rows []string) {
	messages := projections.RowsOf(log).Messages
	for i, m := range messages {
		if m.Sender != projections.Visitor {
			continue
		}
		row := []any{m.ConversationID, m.Ordinal, m.Text, null, "", "", "", null}
		if i+1 < len(messages) {
			if r := messages[i+1]; r.ConversationID == m.ConversationID && r.Sender == projections.Assistant {
				row = []any{m.ConversationID, m.Ordinal, m.Text, r.SentAt.UnixMilli(), r.Text, r.Intent, r.Topic, *r.Answered}
			}
		}
		rows = append(rows, cellsOf(row...))
	}
	return rows
}

func monthRows(log []event.Recorded) (rows []string) {
	conversations, refusals, limits := map[string]int{}, map[string]int{}, map[string]int{}
	var months []string
	for _, e := range log {
		switch p := e.Payload.(type) {
		case *event.ConversationStarted:
			month := p.ConversationStartedAt.Add(-5 * time.Hour).UTC().Format("2006-01")
			conversations[month]++
			months = append(months, month)
		case *event.ChatRefused:
			refusals[p.Month]++
			limits[p.Month] = p.Limit
			months = append(months, p.Month)
		}
	}
	slices.Sort(months)
	for _, month := range slices.Compact(months) {
		limit := null
		if refusals[month] > 0 {
			limit = fmt.Sprint(limits[month])
		}
		rows = append(rows, cellsOf(month, conversations[month], refusals[month], limit))
	}
	return rows
}

func accessRows(log []event.Recorded) (rows []string) {
	for _, e := range log {
		at := e.OccurredAt.UnixMilli()
		switch p := e.Payload.(type) {
		case *event.TranscriptOpened:
			rows = append(rows, cellsOf(at, "read", "transcript", "web"))
		case *event.ContactMessagesOpened:
			rows = append(rows, cellsOf(at, "read", "contacts", "web"))
		case *event.VisitorTextsRead:
			action := "read"
			if p.Words != "" {
				action = "searched"
			}
			rows = append(rows, cellsOf(at, action, p.List, "web"))
		case *event.ExportTaken:
			rows = append(rows, cellsOf(at, "exported", p.Rows, "web"))
		}
	}
	return rows
}

func bookedRows(log []event.Recorded) (rows []string) {
	first, outcomes := map[string]int64{}, map[string]map[string]string{}
	for _, e := range log {
		switch p := e.Payload.(type) {
		case *event.AppointmentBooked:
			if p.OfForm() {
				continue
			}
			after := e.OccurredAt.UnixMilli() - p.ConversationStartedAt.UnixMilli()
			if before, ok := first[p.ConversationID]; !ok || after < before {
				first[p.ConversationID] = after
			}
		case *event.AppointmentOutcomeRecorded:
			if outcomes[p.ConversationID] == nil {
				outcomes[p.ConversationID] = map[string]string{}
			}
			outcomes[p.ConversationID][p.BookingID] = p.Outcome
		}
	}
	for id, after := range first {
		outcome := ""
		for _, wanted := range []string{event.OutcomeCancelledLate, event.OutcomeMissed, event.OutcomeCame} {
			for _, recorded := range outcomes[id] {
				if recorded == wanted {
					outcome = wanted
				}
			}
		}
		rows = append(rows, cellsOf(id, after/1000, outcome))
	}
	slices.Sort(rows)
	return rows
}
