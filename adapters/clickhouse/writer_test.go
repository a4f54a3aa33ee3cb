package clickhouse

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/projectionstest"
)

const (
	allConversations = `
SELECT conversation_id, started_at, last_message_at, message_count, arraySort(visitor_ordinals),
    arraySort(unanswered_ordinals), arraySort(failure_positions), active_ms, arraySort(topics), arraySort(models), arraySort(flags), consent, lead,
    appointment, arraySort(booking_sources), booked_position, cancelled_position, channel, referrer, last_position
FROM conversations FINAL ORDER BY started_at, conversation_id`
	allMessages = `
SELECT conversation_id, conversation_started_at, ordinal, message_id, sender, text, intent, topic, provider,
    model, latency_ms, tokens_in, tokens_out, answered, sent_at, position
FROM messages FINAL ORDER BY conversation_started_at, conversation_id, ordinal`
	allContacts = `
SELECT kind, contact_id, came_at, reachable, told_status.1, told_status.2, told_slot.1, slot, cancelled_position,
    arraySort(note_positions), channel, last_position
FROM contacts FINAL ORDER BY came_at, kind, contact_id`
	allVisits = `
SELECT visit_id, started_at, opened_by_visitor, opened_by_itself, conversation, channel, last_position
FROM visits FINAL ORDER BY started_at, visit_id`
	allRatings = `
SELECT conversation_id, conversation_started_at, ordinal, topic, rating, rated_at, position
FROM ratings FINAL ORDER BY conversation_started_at, conversation_id, ordinal`
)

// stored reads a build back as the rows it was made of.
func stored(t fatal, db *DB) (tables projections.Tables) {
	t.Helper()
	conn, err := db.conn(db.Database(build))
	if err != nil {
		t.Fatal(err)
	}
	conversations, err := conn.Query(context.Background(), allConversations)
	if err != nil {
		t.Fatal(err)
	}
	for conversations.Next() {
		var r projections.ConversationRow
		if err := conversations.Scan(&r.ConversationID, &r.StartedAt, &r.LastMessageAt, &r.MessageCount, &r.VisitorOrdinals,
			&r.UnansweredOrdinals, &r.FailurePositions, &r.ActiveMillis, &r.Topics, &r.Models, &r.Flags, &r.Consent, &r.Lead,
			&r.Appointment, &r.BookingSources, &r.BookedPosition, &r.CancelledPosition, &r.Channel, &r.Referrer, &r.LastPosition); err != nil {
			t.Fatal(err)
		}
		tables.Conversations = append(tables.Conversations, r)
	}
	messages, err := conn.Query(context.Background(), allMessages)
	if err != nil {
		t.Fatal(err)
	}
	for messages.Next() {
		var r projections.MessageRow
		if err := messages.Scan(&r.ConversationID, &r.ConversationStartedAt, &r.Ordinal, &r.MessageID, &r.Sender, &r.Text,
			&r.Intent, &r.Topic, &r.Provider, &r.Model, &r.LatencyMillis, &r.TokensIn, &r.TokensOut, &r.Answered,
			&r.SentAt, &r.Position); err != nil {
			t.Fatal(err)
		}
		tables.Messages = append(tables.Messages, r)
	}
	contacts, err := conn.Query(context.Background(), allContacts)
	if err != nil {
		t.Fatal(err)
	}
	for contacts.Next() {
		var r projections.ContactRow
		var slot *time.Time
		if err := contacts.Scan(&r.Kind, &r.ContactID, &r.CameAt, &r.Reachable, &r.Status.Position, &r.Status.Value, &r.Slot.Position,
			&slot, &r.CancelledPosition, &r.NotePositions, &r.Channel, &r.LastPosition); err != nil {
			t.Fatal(err)
		}
		if slot != nil {
			r.Slot.Value = *slot
		}
		tables.Contacts = append(tables.Contacts, r)
	}
	visits, err := conn.Query(context.Background(), allVisits)
	if err != nil {
		t.Fatal(err)
	}
	for visits.Next() {
		var r projections.VisitRow
		if err := visits.Scan(&r.VisitID, &r.StartedAt, &r.OpenedByVisitor, &r.OpenedByItself, &r.Conversation, &r.Channel, &r.LastPosition); err != nil {
			t.Fatal(err)
		}
		tables.Visits = append(tables.Visits, r)
	}
	ratings, err := conn.Query(context.Background(), allRatings)
	if err != nil {
		t.Fatal(err)
	}
	for ratings.Next() {
		var r projections.RatingRow
		if err := ratings.Scan(&r.ConversationID, &r.ConversationStartedAt, &r.Ordinal, &r.Topic, &r.Rating, &r.RatedAt, &r.Position); err != nil {
			t.Fatal(err)
		}
		tables.Ratings = append(tables.Ratings, r)
	}
	return tables
}

// sameRows compares tables: instants, not zones, and an empty set is no set.
var sameRows = cmp.Options{
	cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) }),
	cmp.Transformer("set", func(s []string) string { return fmt.Sprint(s) }),
	cmp.Transformer("set", func(s []uint32) string { return fmt.Sprint(s) }),
	cmp.Transformer("set", func(s []uint64) string { return fmt.Sprint(s) }),
}

func TestBatchesTwiceAndShuffledGiveTheSameTables(t *testing.T) {
	db := open(t)
	rapid.Check(t, func(t *rapid.T) {
		empty(t, db)
		log := projectionstest.Log().Draw(t, "log")
		for _, batch := range projectionstest.Batches(log).Draw(t, "batches") {
			write(t, db, batch)
		}
		want := projections.RowsOf(log)
		if diff := cmp.Diff(want, stored(t, db), sameRows); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		execute(t, db, "OPTIMIZE TABLE conversations FINAL")
		execute(t, db, "OPTIMIZE TABLE messages FINAL")
		execute(t, db, "OPTIMIZE TABLE contacts FINAL")
		if diff := cmp.Diff(want, stored(t, db), sameRows); diff != "" {
			t.Fatalf("merged (-want +got):\n%s", diff)
		}
	})
}

func TestWritersBesideEachOtherGiveTheSameTables(t *testing.T) {
	db := open(t)
	log := projectionstest.Log().Example(7)
	failed := make(chan error, 3)
	for writer := range cap(failed) {
		go func() {
			var err error
			for i := 0; i < len(log) && err == nil; i += writer + 1 {
				err = db.Writer(build).Write(t.Context(), projections.RowsOf(log[i:min(i+writer+1, len(log))]))
			}
			failed <- err
		}()
	}
	for range cap(failed) {
		if err := <-failed; err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(projections.RowsOf(log), stored(t, db), sameRows); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
}

func TestOneBatchMaySpanManyMonths(t *testing.T) {
	db := open(t)
	var log []event.Recorded
	for month := range 101 {
		at := time.Date(2014, time.Month(1+month), 1, 5, 0, 0, 0, time.UTC)
		conv := event.Conversation{ConversationID: fmt.Sprint(month), ConversationStartedAt: at}
		log = append(log, event.Recorded{Position: int64(month + 1), Payload: &event.ConsentGiven{Conversation: conv}})
	}
	write(t, db, log)
	if got := stored(t, db); len(got.Conversations) != 101 {
		t.Errorf("stored %d conversations", len(got.Conversations))
	}
}

func TestWritingIntoNoBuildIsAnError(t *testing.T) {
	db := open(t)
	rows := projections.RowsOf(projectionstest.Log().Example(1))
	if err := db.Writer("b9").Write(t.Context(), rows); err == nil {
		t.Error("rows were written into a build that does not exist")
	}
}
