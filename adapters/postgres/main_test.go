package postgres_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"os"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/event"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "append" {
		if err := runAppends(context.Background(), os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	enginestest.Main(m)
}

var testKey = keyfiles.NewMasterKey()

// at is when everything in these tests happened.
var at = time.Date(2026, 11, 3, 14, 30, 0, 123_000_000, time.UTC)

// fresh is a migrated database: its URL, and the database opened.
func fresh(t testing.TB) (string, *postgres.DB) {
	t.Helper()
	url := postgrestest.Database(t)
	return url, postgrestest.Open(t, url, testKey)
}

func open(t testing.TB, url string, key postgres.KeyStore) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), url, key, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}

// owner connects as the owner of the tables, past the writer's role.
func owner(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func exec(t testing.TB, conn *pgx.Conn, sql string, args ...any) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// opened is a small event without personal data.
func opened() event.Draft {
	return event.Draft{
		ID:         uuid.NewString(),
		OccurredAt: at,
		Payload:    &event.TranscriptOpened{StaffID: "s1", ConversationID: "c1"},
	}
}

// said is a visitor's message.
func said(text string) event.Draft {
	return event.Draft{
		ID:         uuid.NewString(),
		OccurredAt: at,
		Payload: &event.VisitorMessageSent{
			Conversation: event.Conversation{ConversationID: "c1", ConversationStartedAt: at},
			Progress:     event.Progress{Ordinal: 1},
			Text:         event.Text{Text: text},
			MessageID:    "m1",
		},
		Metadata: map[string]string{"request": "r1"},
	}
}

func request(stream string, expected int, drafts ...event.Draft) event.Append {
	return event.Append{Stream: stream, ExpectedVersion: expected, Drafts: drafts}
}

func mustAppend(t testing.TB, log *postgres.Log, a event.Append) []event.Recorded {
	t.Helper()
	recorded, err := log.Append(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return recorded
}

func mustRead(t testing.TB, log *postgres.Log, after int64, limit int) []event.Recorded {
	t.Helper()
	events, err := log.Scan(t.Context(), after, math.MaxInt64, limit)
	if err != nil {
		t.Fatal(err)
	}
	return events
}
