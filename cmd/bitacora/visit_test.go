package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// visit is a conversation that a test has in the log.
type visit struct {
	app     *app
	t       testing.TB
	about   event.Conversation
	at      time.Time
	ordinal int
}

// newVisit begins a conversation at a time.
func newVisit(t testing.TB, a *app, id string, at time.Time) *visit {
	v := &visit{app: a, t: t, about: event.Conversation{ConversationID: id, ConversationStartedAt: at}, at: at}
	v.add(&event.ConversationStarted{Conversation: v.about, Channel: "web"})
	v.say("hola")
	return v
}

func (v *visit) stream() string { return chat.Stream(v.about.ConversationID) }

func (v *visit) add(p event.Payload) int64 {
	v.t.Helper()
	recorded, err := v.app.db.Log().Append(context.Background(), event.Append{
		Stream: v.stream(), ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{ID: uuid.NewString(), OccurredAt: v.at, Payload: p}},
	})
	if err != nil {
		v.t.Fatal(err)
	}
	return recorded[0].Position
}

// say is a message of the visitor, ten seconds after the one before.
func (v *visit) say(text string) int64 {
	v.t.Helper()
	if v.ordinal++; v.ordinal > 1 {
		v.at = v.at.Add(10 * time.Second)
	}
	progress := event.Progress{Ordinal: v.ordinal, ActiveMillis: v.at.Sub(v.about.ConversationStartedAt).Milliseconds()}
	return v.add(&event.VisitorMessageSent{Conversation: v.about, Progress: progress, Text: event.Text{Text: text}, MessageID: fmt.Sprint("m", v.ordinal)})
}

// sql runs statements on the log's database as its owner, past what the program may do.
func sql(t testing.TB, a *app, statements ...string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, a.at.MigrationURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// tables runs statements on the tables of a build.
func tables(t testing.TB, a *app, build string) driver.Conn {
	t.Helper()
	options, err := clickhouse.ParseDSN(a.at.ClickHouseURL)
	if err != nil {
		t.Fatal(err)
	}
	options.Auth.Database = a.tables.Database(build)
	conn, err := clickhouse.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// applied waits until the live build holds the whole log.
func (p *program) applied(a *app) {
	p.t.Helper()
	p.eventually("the live build holds the log", 30*time.Second, func() error {
		ctx := context.Background()
		live, err := a.db.LiveBuild(ctx)
		if err != nil {
			return err
		}
		s, err := a.db.BuildStatus(ctx, live)
		if err == nil && (!s.Started || s.Lag() > 0) {
			err = fmt.Errorf("%s is %d behind: %s", live, s.Lag(), s.LastError)
		}
		return err
	})
}

// running is a program that has some conversations, and its house.
func running(t *testing.T, settings ...string) (*program, *app, []*visit) {
	return newProgram(t, settings...).visited(t)
}

// runningEmbedded is [running] on engines of its own.
func runningEmbedded(t *testing.T, settings ...string) (*program, *app, []*visit) {
	return newEmbedded(t, settings...).visited(t)
}

func (p *program) visited(t *testing.T) (*program, *app, []*visit) {
	p.start()
	a := p.app()
	var visits []*visit
	for i := range 6 {
		v := newVisit(t, a, fmt.Sprint("visit-", i), time.Date(2026, 11, 10+i/2, 15, i, 0, 0, time.UTC))
		v.say("¿Cuánto cuesta una limpieza?")
		visits = append(visits, v)
	}
	p.applied(a)
	return p, a, visits
}
