package clickhouse

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/projectionstest"
)

// stored reads a build back as the rows it was made of.
func stored(t fatal, db *DB) (tables projections.Tables) {
	t.Helper()
	conn, err := db.conn(db.Database(build))
	if err != nil {
		t.Fatal(err)
	}
	tables.Conversations = storedIn(t, conn, conversations, "started_at, conversation_id")
	tables.Messages = storedIn(t, conn, messages, "conversation_started_at, conversation_id, ordinal")
	tables.Contacts = storedIn(t, conn, contacts, "came_at, kind, contact_id")
	tables.Visits = storedIn(t, conn, visits, "started_at, visit_id")
	tables.Ratings = storedIn(t, conn, ratings, "conversation_started_at, conversation_id, ordinal")
	tables.Bookings = storedIn(t, conn, bookings, "conversation_started_at, conversation_id, booking_id")
	tables.ContactHistory = storedIn(t, conn, contactHistory, "came_at, kind, contact_id, position")
	tables.ChatRefusals = storedIn(t, conn, chatRefusals, "refused_at, position")
	tables.AnswersTaught = storedIn(t, conn, answersTaught, "changed_at, position")
	tables.DataAccess = storedIn(t, conn, dataAccess, "accessed_at, position")
	return tables
}

// orZero32 takes a number, or NULL as 0.
type orZero32 struct{ into *float32 }

// Scan implements [sql.Scanner].
func (z orZero32) Scan(value any) error {
	*z.into, _ = value.(float32)
	return nil
}

// storedIn reads a table back, every field from the column that it was inserted into.
func storedIn[R any](t fatal, conn driver.Conn, from table[R], order string) (list []R) {
	t.Helper()
	var columns []string
	into := columnsOf(t, from)
	for i := range len(into) {
		columns = append(columns, into[i].name)
		if strings.HasPrefix(into[i].kind, "Array") {
			columns[i] = "arraySort(" + columns[i] + ")"
		}
	}
	rows, err := conn.Query(context.Background(), "SELECT "+strings.Join(columns, ", ")+" FROM "+from.name+" FINAL ORDER BY "+order)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var r R
		var fields []any
		pairs := map[int]*[]any{} // of what is a [projections.At]
		for of, field := range reflect.ValueOf(&r).Elem().Fields() {
			into := field.Addr()
			switch field.Kind() {
			case reflect.Struct:
				if _, instant := field.Interface().(time.Time); !instant {
					pairs[of.Index[0]] = new([]any)
					into = reflect.ValueOf(pairs[of.Index[0]])
				}
			case reflect.String: // of whatever type
				into = into.Convert(reflect.TypeFor[*string]())
			case reflect.Float32:
				into = reflect.ValueOf(orZero32{field.Addr().Interface().(*float32)})
			}
			fields = append(fields, into.Interface())
		}
		if err := rows.Scan(fields...); err != nil {
			t.Fatal(err)
		}
		for i, pair := range pairs {
			told := reflect.ValueOf(&r).Elem().Field(i)
			told.FieldByName("Position").Set(reflect.ValueOf((*pair)[0]))
			if at, ok := (*pair)[1].(time.Time); !ok || at.UnixMilli() != 0 {
				told.FieldByName("Value").Set(reflect.ValueOf((*pair)[1]))
			}
		}
		list = append(list, r)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
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
