package bench

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/event"
	"bitacora/projections/builds"
)

var (
	growthEvents  = flag.String("growth.events", "100000,1000000", "sizes of the log, comma-separated")
	growthAppends = flag.Int("growth.appends", 30_000, "events that are appended to a log of each size")
)

// BenchmarkGrowth measures what the size of the log costs: appending to it, verifying its tables, "log check" and
// "kpis --as-of", the dashboard's first page of 30 days, a start with data and the memory at rest. Each size is a program of its own with 14 months of the
// demo's traffic. The controls do as much work, or read as many events, at the same moment, and
// know nothing of the rest of the log. It also tells how many bytes an event takes:
//
//	go test -run - -bench Growth -benchtime 1x -timeout 2h ./cmd/bitacora/bench -growth.events 100000,1000000,10000000
func BenchmarkGrowth(b *testing.B) {
	for _, size := range strings.Split(sized(*growthEvents, "5000"), ",") {
		b.Run("events="+size, func(b *testing.B) {
			var events int
			if _, err := fmt.Sscan(size, &events); err != nil {
				b.Fatal(err)
			}
			benchmarkGrowth(b, events)
		})
	}
}

func benchmarkGrowth(b *testing.B, events int) {
	until := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	p := programtest.NewEmbedded(b)
	p.Start()
	a := p.App()
	began := time.Now()
	stored := copyHistory(b, a, events, until)
	filled := time.Since(began)
	caughtUp(p, a)
	b.Logf("%d events were copied in %v and followed in %v", stored, filled.Round(time.Second), time.Since(began).Round(time.Second))
	cookie := p.SignIn()
	rounds := 3
	if events > mostDrawn {
		rounds = 1
	}
	for b.Loop() {
		reportBytes(b, a)
		reportVerify(b, p, a, rounds, until)
		reportPage(b, p, a, cookie, until)
		reportAppends(b, a)
		reportStart(b, p)
	}
}

// reportStart stops the program and starts it again, and tells what its processes hold at rest.
func reportStart(b *testing.B, p *programtest.Program) {
	var starts []float64
	for range sized(5, 1) {
		p.Stop()
		began := time.Now()
		p.Start()
		starts = append(starts, time.Since(began).Seconds())
	}
	reportMedian(b, starts, "start-s")
	p.Rest()
	all := family(b, p.Running.Process.Pid)
	b.ReportMetric(proportional(b, all[:1]), "PSS-serve-MB")
	b.ReportMetric(proportional(b, all), "PSS-all-MB")
}

// reportVerify holds the live tables against the log, checks the log, and counts it up to a position. The
// control copies the log out of Postgres.
func reportVerify(b *testing.B, p *programtest.Program, a *app.App, rounds int, until time.Time) {
	var rates, ratios, checks, counts []float64
	for range rounds {
		var length byteCount
		began := time.Now()
		copied(b, a, func(conn *pgconn.PgConn) (pgconn.CommandTag, error) {
			return conn.CopyTo(b.Context(), &length, "COPY events TO STDOUT")
		})
		control := time.Since(began)
		began = time.Now()
		v, err := a.Builds.Verifier.Verify(b.Context(), builds.FirstName, "")
		if err != nil || v.Differs() {
			b.Fatalf("%v: %+v", err, v)
		}
		took := time.Since(began)
		rates = append(rates, float64(took.Microseconds())/float64(v.Position))
		ratios = append(ratios, took.Seconds()/control.Seconds())
		timed := func(args ...string) float64 {
			began := time.Now()
			p.MustRun(args...)
			return time.Since(began).Seconds() / control.Seconds()
		}
		checks = append(checks, timed("log", "check"))
		counts = append(counts, timed("kpis", "--from", until.AddDate(0, 0, -30).Format(time.DateOnly), "--to", until.Format(time.DateOnly), "--as-of", fmt.Sprint(v.Position)))
		b.ReportMetric(float64(length.Load())/float64(v.Position), "backup-B/event")
		b.Logf("verify of %d events: %v, control %v, paused for %.1f s", v.Position, took.Round(time.Millisecond), control.Round(time.Millisecond), v.PausedSeconds)
	}
	b.ReportMetric(median(rates), "verify-µs/event")
	reportMedian(b, ratios, "verify-times-control")
	reportMedian(b, checks, "check-times-control")
	reportMedian(b, counts, "as-of-times-control")
}

// byteCount is how many bytes were written.
type byteCount struct{ atomic.Int64 }

func (c *byteCount) Write(text []byte) (int, error) {
	c.Add(int64(len(text)))
	return len(text), nil
}

// reportPage asks for the KPIs and the first 100 conversations of 30 days at once. The control counts
// which model wrote each of the period's messages.
func reportPage(b *testing.B, p *programtest.Program, a *app.App, cookie string, until time.Time) {
	const times = 15
	from := until.AddDate(0, 0, -30)
	period := url.Values{"from": {from.Format(time.RFC3339)}, "to": {until.Format(time.RFC3339)}}.Encode()
	count := fmt.Sprintf("SELECT count() FROM messages WHERE conversation_started_at >= fromUnixTimestamp64Milli(%d) AND conversation_started_at < fromUnixTimestamp64Milli(%d) AND NOT ignore(model)",
		from.UnixMilli(), until.UnixMilli())
	var pages, controls []float64
	for range times {
		began := time.Now()
		io.Copy(io.Discard, post(b, a, a.Tables.Database(builds.FirstName), count, http.NoBody))
		controls = append(controls, time.Since(began).Seconds())
		began = time.Now()
		var asked errgroup.Group
		for _, path := range []string{"kpis?compare=previous&", "conversations?limit=100&"} {
			asked.Go(func() error { return p.Get("/api/dashboard/"+path+period, cookie, new(string)) })
		}
		if err := asked.Wait(); err != nil {
			b.Fatal(err)
		}
		pages = append(pages, time.Since(began).Seconds())
	}
	b.ReportMetric(median(pages)*1000, "page-ms")
	b.ReportMetric(median(pages)/median(controls), "page-times-control")
}

// reportAppends appends events of streams of their own by 32 callers. The control inserts as many
// rows as large by one statement each, into a table that is empty and has the log's unique indexes.
func reportAppends(b *testing.B, a *app.App) {
	programtest.SQL(b, a, "DROP TABLE IF EXISTS plain", `CREATE TABLE plain (position bigserial PRIMARY KEY, event_id uuid UNIQUE, stream text,
		version int, type text, occurred_at timestamptz, data text, UNIQUE (stream, version))`)
	pool, err := pgxpool.New(b.Context(), a.At.MigrationURL)
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	at := time.Now()
	reply := func() (stream string, d event.Draft, data []byte) {
		id := uuid.NewString()
		d = event.Draft{ID: uuid.NewString(), OccurredAt: at, Payload: &event.AssistantReplied{
			Conversation: event.Conversation{ConversationID: id, ConversationStartedAt: at},
			Progress:     event.Progress{Ordinal: 1, ActiveMillis: 65200},
			ReplyTo:      "m-1", Provider: "embedded", Model: "clinic-es", LatencyMillis: 42, Topic: "horarios", Answered: true,
		}}
		data, _, err := event.Encode(d.Payload)
		if err != nil {
			b.Error(err)
		}
		return "conversation/" + id, d, data
	}
	// A busy machine changes from second to second: many short turns, each right after its control.
	const turns = 15
	calls := sized(*growthAppends, 300) / turns
	var rates, ratios []float64
	for range turns {
		control := perSecond(b, calls, func() error {
			stream, d, data := reply()
			_, err := pool.Exec(context.Background(), `INSERT INTO plain (event_id, stream, version, type, occurred_at, data)
				VALUES ($1, $2, 1, $3, $4, $5)`, d.ID, stream, d.Payload.EventType(), d.OccurredAt, string(data))
			return err
		})
		rate := perSecond(b, calls, func() error {
			stream, d, _ := reply()
			_, err := a.DB.Log().Append(context.Background(), event.Append{Stream: stream, Drafts: []event.Draft{d}})
			return err
		})
		rates, ratios = append(rates, rate), append(ratios, rate/control)
	}
	b.ReportMetric(median(rates), "appends/s")
	reportMedian(b, ratios, "appends-of-control")
}

// perSecond is how many of some calls 32 callers make in a second.
func perSecond(b *testing.B, calls int, call func() error) float64 {
	var left atomic.Int64
	left.Store(int64(calls))
	var calling sync.WaitGroup
	began := time.Now()
	for range 32 {
		calling.Go(func() {
			for left.Add(-1) >= 0 {
				if err := call(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	calling.Wait()
	return float64(calls) / time.Since(began).Seconds()
}

// reportBytes tells what an event takes in Postgres, with its share of the keys, and in ClickHouse
// once its parts are merged.
func reportBytes(b *testing.B, a *app.App) {
	programtest.SQL(b, a, "VACUUM ANALYZE events")
	head, err := a.DB.Log().Head(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	conn, err := pgx.Connect(b.Context(), a.At.MigrationURL)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(context.Background())
	for name, size := range map[string]string{
		"table": "pg_table_size('events')", "indexes": "pg_indexes_size('events')", "keys": "pg_total_relation_size('subject_keys')",
	} {
		var bytes float64
		if err := conn.QueryRow(b.Context(), "SELECT "+size).Scan(&bytes); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(bytes/float64(head), name+"-B/event")
	}
	database := a.Tables.Database(builds.FirstName)
	for _, table := range []string{"conversations", "messages", "visits", "contacts", "ratings", "bookings", "contact_history", "chat_refusals", "answers_taught", "data_access"} {
		post(b, a, database, "OPTIMIZE TABLE "+table+" FINAL", http.NoBody)
	}
	var bytes, parts float64
	answer := post(b, a, database, "SELECT sum(bytes_on_disk), count() FROM system.parts WHERE active AND database = currentDatabase()", http.NoBody)
	if _, err := fmt.Fscan(answer, &bytes, &parts); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(bytes/float64(head), "clickhouse-B/event")
	b.ReportMetric(parts, "clickhouse-parts")
}
