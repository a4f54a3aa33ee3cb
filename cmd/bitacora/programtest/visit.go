package programtest

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/projections/builds"
)

// Visit is a conversation that a test has in the log.
type Visit struct {
	App     *app.App
	T       testing.TB
	About   event.Conversation
	At      time.Time
	Ordinal int
	// Stream is another one than the conversation's.
	Stream string
}

// NewVisit begins a conversation at a time.
func NewVisit(t testing.TB, a *app.App, id string, at time.Time) *Visit {
	v := &Visit{App: a, T: t, About: event.Conversation{ConversationID: id, ConversationStartedAt: at}, At: at}
	v.Add(&event.ConversationStarted{Conversation: v.About, Channel: "web"})
	v.Say("hola")
	return v
}

func (v *Visit) stream() string { return cmp.Or(v.Stream, chat.Stream(v.About.ConversationID)) }

// Add appends an event, and returns its position.
func (v *Visit) Add(p event.Payload) int64 {
	v.T.Helper()
	recorded, err := v.App.DB.Log().Append(context.Background(), event.Append{
		Stream: v.stream(), ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{ID: uuid.NewString(), OccurredAt: v.At, Payload: p}},
	})
	if err != nil {
		v.T.Fatal(err)
	}
	return recorded[0].Position
}

// Say is a message of the visitor, ten seconds after the one before.
func (v *Visit) Say(text string) int64 {
	v.T.Helper()
	if v.Ordinal++; v.Ordinal > 1 {
		v.At = v.At.Add(10 * time.Second)
	}
	progress := event.Progress{Ordinal: v.Ordinal, ActiveMillis: v.At.Sub(v.About.ConversationStartedAt).Milliseconds()}
	return v.Add(&event.VisitorMessageSent{Conversation: v.About, Progress: progress, Text: event.Text{Text: text}, MessageID: fmt.Sprint("m", v.Ordinal)})
}

// SQL runs statements on the log's database as its owner, past what the program may do.
func SQL(t testing.TB, a *app.App, statements ...string) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, a.At.MigrationURL)
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

// Tables runs statements on the tables of a build.
func Tables(t testing.TB, a *app.App, build string) driver.Conn {
	t.Helper()
	return connected(t, a, a.Tables.Database(build))
}

// Views runs questions on the analysts' views.
func Views(t testing.TB, a *app.App) driver.Conn {
	t.Helper()
	return connected(t, a, a.Tables.ViewsDatabase())
}

func connected(t testing.TB, a *app.App, database string) driver.Conn {
	t.Helper()
	options, err := clickhouse.ParseDSN(a.At.ClickHouseURL)
	if err != nil {
		t.Fatal(err)
	}
	options.Auth.Database = database
	conn, err := clickhouse.Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// Applied waits until the live build holds the whole log.
func (p *Program) Applied(a *app.App) {
	p.T.Helper()
	p.Eventually("the live build holds the log", 5*time.Minute, func() error {
		ctx := context.Background()
		live, err := a.DB.LiveBuild(ctx)
		if err != nil {
			return err
		}
		s, err := a.DB.BuildStatus(ctx, live)
		if err == nil && (!s.Started || s.Lag() > 0) {
			err = fmt.Errorf("%s is %d behind: %s", live, s.Lag(), s.LastError)
		}
		return err
	})
}

// Running is a program that has some conversations, and its house.
func Running(t *testing.T, settings ...string) (*Program, *app.App, []*Visit) {
	return NewProgram(t, settings...).visited(t)
}

// RunningEmbedded is [Running] on engines of its own.
func RunningEmbedded(t *testing.T, settings ...string) (*Program, *app.App, []*Visit) {
	return NewEmbedded(t, settings...).visited(t)
}

func (p *Program) visited(t *testing.T) (*Program, *app.App, []*Visit) {
	p.Start()
	a := p.App()
	var visits []*Visit
	for i := range 6 {
		v := NewVisit(t, a, fmt.Sprint("visit-", i), time.Date(2026, 11, 10+i/2, 15, i, 0, 0, time.UTC))
		v.Say("¿Cuánto cuesta una limpieza?")
		visits = append(visits, v)
	}
	p.Applied(a)
	return p, a, visits
}

// AddUnreadable appends an event that this program cannot read: another kind than the visit's
// latest, or its content in another form, as expressions of SQL.
func (v *Visit) AddUnreadable(kind, content string) (position int64) {
	v.T.Helper()
	SQL(v.T, v.App, fmt.Sprintf(`INSERT INTO events SELECT e.*, stored_event_hash(event_id, stream, version, type, schema_version::smallint, occurred_at, data, sealed)
		FROM (SELECT (SELECT max(position) + 1 FROM events), gen_random_uuid(), stream, version + 1, %s, occurred_at, clock_timestamp(), %s, metadata
			FROM events WHERE stream = '%s' ORDER BY version DESC LIMIT 1)
			AS e(position, event_id, stream, version, type, schema_version, occurred_at, recorded_at, data, sealed, metadata)`, kind, content, v.stream()))
	position, err := v.App.DB.Log().Head(context.Background())
	if err != nil {
		v.T.Fatal(err)
	}
	return position
}

// Damage makes an event unreadable, and repair readable again, as a program does that
// learns a version.
func Damage(t *testing.T, a *app.App, position int64, version int) {
	SQL(t, a, "ALTER TABLE events DISABLE TRIGGER append_only",
		fmt.Sprintf("UPDATE events SET schema_version = %d WHERE position = %d", version, position),
		"ALTER TABLE events ENABLE TRIGGER append_only")
}

// SomeDay is a time of events, in UTC.
var SomeDay = time.Date(2026, 11, 10, 15, 0, 0, 0, time.UTC)

// Channels counts the rows of an analyst's view by channel.
func Channels(t *testing.T, a *app.App, view string) map[string]uint64 {
	t.Helper()
	build, err := a.DB.LiveBuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Tables(t, a, build).Query(context.Background(),
		fmt.Sprintf("SELECT toString(channel), count() FROM %s.%s GROUP BY 1", a.Tables.ViewsDatabase(), view))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	counts := map[string]uint64{}
	for rows.Next() {
		var channel string
		var count uint64
		if err := rows.Scan(&channel, &count); err != nil {
			t.Fatal(err)
		}
		counts[channel] = count
	}
	return counts
}

// Published waits until the analysts' views are there.
func (p *Program) Published(a *app.App) {
	p.T.Helper()
	p.Eventually("the views are there", 30*time.Second, func() error {
		return Tables(p.T, a, "b1").Exec(p.T.Context(), "SELECT channel FROM "+a.Tables.ViewsDatabase()+".visits LIMIT 1")
	})
}

// ReadableTexts says which of the visits can be read, in the log and in the live tables.
func ReadableTexts(t *testing.T, a *app.App, visits int) (inLog, inTables string) {
	t.Helper()
	build, err := a.DB.LiveBuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range visits {
		id := fmt.Sprint("visit-", i)
		events, err := a.DB.Log().ReadStream(t.Context(), chat.Stream(id))
		if err != nil || len(events) == 0 {
			t.Fatalf("%s: %d events, %v", id, len(events), err)
		}
		if !slices.ContainsFunc(events, func(e event.Recorded) bool { return e.Erased }) {
			inLog += fmt.Sprint(i)
		}
		messages, err := a.Tables.Reader(build).Messages(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range messages {
			if m.Text != "" {
				inTables += fmt.Sprint(i)
				break
			}
		}
	}
	return inLog, inTables
}

// AskAnalyst asks ClickHouse as an analyst.
func AskAnalyst(t *testing.T, a *app.App, sql string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, a.At.AnalystURL, strings.NewReader(sql))
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(a.At.AnalystUser, a.At.AnalystPassword)
	response, err := HTTPClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

// Counted is how many messages of visitors the log holds, and how many the live build does.
func Counted(t *testing.T, a *app.App) (inLog, inTables int) {
	t.Helper()
	ctx := context.Background()
	live, err := a.DB.LiveBuild(ctx)
	if err != nil {
		t.Fatal(err)
	}
	r := builds.NewRecounter(a.DB.Log(), a.DB.Log(), nil, command.NewProgress("events"))
	head, err := a.DB.Log().Head(ctx)
	if err == nil {
		err = r.Through(ctx, head)
	}
	if err != nil {
		t.Fatal(err)
	}
	days, err := a.Tables.Reader(live).Days(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Days(a.Clinic.Zone, nil) {
		inLog += d.VisitorMessages
	}
	for _, d := range days {
		inTables += d.VisitorMessages
	}
	return inLog, inTables
}
