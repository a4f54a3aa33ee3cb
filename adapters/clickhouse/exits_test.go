package clickhouse

import (
	"fmt"
	"testing"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/privacy/privacytest"
)

// TestTheCorpusBehindTheTables takes the corpus through the log's masking into the tables, and reads
// it as an analyst does, and as the dashboard and the weekly letter name unanswered questions.
func TestTheCorpusBehindTheTables(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	at := time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC)
	var samples []privacytest.Sample
	var log []event.Recorded
	index := map[string]int{}
	for i, s := range privacytest.Corpus(t) {
		samples = append(samples, s.Cleaned(t, chat.CleanText))
		index[chat.ConversationID("web", fmt.Sprint(i))] = i
		a, err := chat.Past{Source: "web", Key: fmt.Sprint(i), Messages: []chat.PastMessage{
			{FromVisitor: true, Text: s.Text, At: at},
			{Text: s.Text, At: at.Add(time.Second), Reply: chat.Reply{Topic: fmt.Sprint("t", i)}},
		}}.Decide(time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range a.Drafts {
			log = append(log, event.Recorded{Position: int64(len(log) + 1), ID: d.ID, Stream: a.Stream, OccurredAt: d.OccurredAt, Payload: d.Payload})
		}
	}
	write(t, db, log)

	read := map[string][]string{}
	for _, sender := range []string{"visitor", "assistant"} {
		t.Run("an analyst reads what the "+sender+" wrote", func(t *testing.T) {
			out := make([]string, len(samples))
			rows, err := analyst(t, db).Query(t.Context(), "SELECT conversation_id, text FROM messages WHERE sender = '"+sender+"'")
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			for rows.Next() {
				var id, text string
				if err := rows.Scan(&id, &text); err != nil {
					t.Fatal(err)
				}
				out[index[id]] = text
			}
			if err := rows.Err(); err != nil {
				t.Fatal(err)
			}
			privacytest.MustMask(t, samples, out)
			read[sender] = out
		})
	}
	t.Run("questions to be answered better", func(t *testing.T) {
		list, _, err := db.Reader(build).Questions(t.Context(), analytics.QuestionList{Cohort: analytics.Cohort{Period: analytics.Period{From: at, To: at.Add(time.Hour)}}, Limit: len(samples)})
		if err != nil || len(list) == 0 {
			t.Fatalf("%d questions, %v", len(list), err)
		}
		for _, q := range list {
			if i := index[q.ConversationID]; q.Text != read["visitor"][i] || q.Reply != read["assistant"][i] {
				t.Errorf("%+v is not what an analyst reads: %q, %q", q, read["visitor"][i], read["assistant"][i])
			}
		}
	})
}
