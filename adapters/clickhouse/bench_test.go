package clickhouse

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"golang.org/x/sync/errgroup"

	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
)

// The target is for 1,000,000: bitacora's dashboard in under 1 s for 30 days, 2 s for a year.
var (
	benchConversations = flag.Int("conversations", 20_000, "conversations of a year that the dashboard's benchmark asks about")
	benchServer        = flag.String("server", "", "URL of a ClickHouse that keeps the dashboard's benchmark data for the next run")
)

// benchSize is how many conversations are measured: few where only the running is tried ("go test -short").
func benchSize() int {
	if testing.Short() {
		return 2_000
	}
	return *benchConversations
}

var (
	//go:embed testdata/bench_conversations.sql
	benchConversationsSQL string
	//go:embed testdata/bench_messages.sql
	benchMessagesSQL string
	//go:embed testdata/bench_contacts.sql
	benchContactsSQL string
)

// BenchmarkDashboard measures each question alone and the dashboard as a whole, as its two
// tabs ask at once, for 30 days and for a year; "ratio" is to the control of the same period:
//
//	go test -run - -bench Dashboard -benchtime 5x ./adapters/clickhouse -conversations 1000000
func BenchmarkDashboard(b *testing.B) {
	end := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	reader := benchmarked(b, end).Reader(build)
	for _, days := range []int{30, 365} {
		c := before(b, end, days)
		all := asked(reader, c)
		least := 0.0
		run := func(name string, questions ...asking) {
			b.Run(fmt.Sprintf("conversations=%d/%dd/%s", benchSize(), days, name), func(b *testing.B) {
				took := measure(b, questions...)
				if least == 0 {
					least = took
				}
				b.ReportMetric(took/least, "ratio")
			})
		}
		run("control", control(reader, c))
		for _, q := range all {
			run(q.name, q)
		}
		run("dashboard", all[:fast]...)
		count, err := reader.ConversationCount(b.Context(), c)
		if err != nil {
			b.Fatal(err)
		}
		run("page at 70 %", asking{"", func(ctx context.Context) error {
			_, err := reader.ConversationPage(ctx, c, analytics.Page{Offset: count * 7 / 10, Limit: 100})
			return err
		}})
		c.Filter.Search = "corona 12"
		run("search", asked(reader, c)[0])
		c.Filter = analytics.Filter{OutOfHours: new(true), Lead: new(true)}
		run("filtered", asked(reader, c)[:fast]...)
	}
}

// before is the cohort of some days up to a time.
func before(b *testing.B, end time.Time, days int) analytics.Cohort {
	zone := panama(b)
	return analytics.Cohort{Period: analytics.Period{From: end.AddDate(0, 0, -days).In(zone), To: end.In(zone)}, Hours: clinic.Default().Hours}
}

// BenchmarkViews measures the daily views as an analyst asks them, for 30 days and for 14 months, and the bytes that they read.
func BenchmarkViews(b *testing.B) {
	end := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	db := benchmarked(b, end)
	publish(b, db, build)
	for _, view := range views(b, db) {
		if !strings.HasSuffix(view, "_daily") {
			continue
		}
		for _, length := range []struct {
			name string
			days int
		}{{"30d", 30}, {"14months", 427}} {
			b.Run(view+"/"+length.name, func(b *testing.B) {
				var read uint64
				measure(b, asking{view, func(context.Context) (err error) {
					read, err = bytesRead(db, fmt.Sprintf("SELECT * FROM %s WHERE date > '%s' FORMAT Null", view, end.AddDate(0, 0, -length.days).Format(time.DateOnly)))
					return err
				}})
				b.ReportMetric(float64(read)/(1<<20), "MiB-read")
			})
		}
	}
}

func bytesRead(db *DB, question string) (uint64, error) {
	address := url.URL{
		Scheme: "http", Host: db.options.Addr[0], User: url.UserPassword(db.options.Auth.Username, db.options.Auth.Password),
		RawQuery: url.Values{"database": {db.ViewsDatabase()}, "wait_end_of_query": {"1"}}.Encode(),
	}
	answer, err := http.Post(address.String(), "text/plain", strings.NewReader(question))
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return 0, errors.Join(err, errors.New(string(text)))
	}
	var summary struct {
		ReadBytes uint64 `json:"read_bytes,string"`
	}
	return summary.ReadBytes, json.Unmarshal([]byte(answer.Header.Get("X-ClickHouse-Summary")), &summary)
}

// benchmarked holds the conversations up to a time, and only makes them where it has none.
func benchmarked(b *testing.B, end time.Time) *DB {
	b.Helper()
	var db *DB
	if *benchServer == "" {
		db = open(b)
	} else {
		var err error
		if db, err = Open(*benchServer, panama(b)); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { db.Close() })
		if err := db.CreateBuild(b.Context(), build); err != nil {
			b.Fatal(err)
		}
	}
	fill(b, db, end, benchSize())
	return db
}

// fillAtOnce conversations of a few weeks are one insert, which a client waits for.
const fillAtOnce = 25_000

// fill makes so many conversations up to a time where there are none: on each node those of its shard.
func fill(b testing.TB, db *DB, end time.Time, conversations int) {
	b.Helper()
	for _, n := range db.nodes {
		if !fillShare(b, db, n, end, conversations) {
			return
		}
	}
	for table, day := range map[string]string{"conversations": "started_at", "messages": "conversation_started_at", "contacts": "came_at"} {
		execute(b, db, "OPTIMIZE TABLE "+table+" FINAL")
		// The last days are never at rest: there FINAL has rows to merge.
		execute(b, db, fmt.Sprintf("INSERT INTO %[1]s SELECT * FROM %[1]s WHERE %[2]s >= '2026-11-17'", table, day))
	}
}

// fillShare says whether the node had none.
func fillShare(b testing.TB, db *DB, n *node, end time.Time, conversations int) bool {
	b.Helper()
	conn, err := n.conn(db.local(n, build))
	if err != nil {
		b.Fatal(err)
	}
	var stored uint64
	if err := conn.QueryRow(b.Context(), "SELECT count() FROM messages").Scan(&stored); err != nil {
		b.Fatal(err)
	}
	for first := 0; stored == 0 && first < conversations; first += fillAtOnce {
		for _, statement := range []string{benchConversationsSQL, benchMessagesSQL, benchContactsSQL} {
			err := conn.Exec(b.Context(), statement, millis("end", end), clickhouse.Named("conversations", uint64(conversations)),
				clickhouse.Named("first", uint64(first)), clickhouse.Named("count", uint64(min(fillAtOnce, conversations-first))),
				clickhouse.Named("shard", uint64(max(1, n.place.shard))), clickhouse.Named("shards", uint64(max(1, db.shards()))))
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	return stored == 0
}

type asking struct {
	name string
	ask  func(context.Context) error
}

// control reads the least that the dashboard could: which model wrote each of the messages.
func control(r *Reader, c analytics.Cohort) asking {
	const scan = `SELECT count() FROM messages
		WHERE conversation_started_at >= {from:DateTime64(3, 'UTC')} AND conversation_started_at < {to:DateTime64(3, 'UTC')} AND NOT ignore(model)`
	return asking{"control", func(ctx context.Context) error {
		var n uint64
		return r.row(ctx, scan, cohort(c), &n)
	}}
}

// fast is how many of the questions the dashboard asks at once.
const fast = 11

func asked(r *Reader, c analytics.Cohort) []asking {
	now := c.To
	interval, err := c.Interval("")
	if err != nil {
		panic(err)
	}
	var periods []analytics.Period
	for _, b := range c.Buckets(interval, now) {
		periods = append(periods, b.Period)
	}
	before := c.In(c.Previous(now))
	none := func(_ any, err error) error { return err }
	return []asking{
		{"kpis", func(ctx context.Context) error { return none(r.Counts(ctx, c)) }},
		{"previous", func(ctx context.Context) error { return none(r.Counts(ctx, before)) }},
		{"timeseries", func(ctx context.Context) error { return none(r.Timeseries(ctx, c, periods)) }},
		{"month", func(ctx context.Context) error {
			return none(r.ConversationCount(ctx, analytics.Cohort{Period: analytics.MonthOf(now, now.Location())}))
		}},
		{"total", func(ctx context.Context) error { return none(r.ConversationCount(ctx, c)) }},
		{"page", func(ctx context.Context) error { return none(r.ConversationPage(ctx, c, analytics.Page{Limit: 100})) }},
		{"funnel", func(ctx context.Context) error { return none(r.Steps(ctx, c)) }},
		{"heatmap", func(ctx context.Context) error { return none(r.Starts(ctx, c)) }},
		{"topics", func(ctx context.Context) error { return none(r.Topics(ctx, c)) }},
		{"questions", func(ctx context.Context) error {
			_, _, err := r.Questions(ctx, analytics.QuestionList{Cohort: c, Limit: 50})
			return err
		}},
		{"quality", func(ctx context.Context) error { return none(r.Quality(ctx, c)) }},
		{"export", func(ctx context.Context) error {
			for _, err := range r.Conversations(ctx, c) {
				if err != nil {
					return err
				}
			}
			return nil
		}},
	}
}

// measure asks at once, and gives the median time from the first question to the last answer, which it tells with
// its spread.
func measure(b *testing.B, questions ...asking) (median float64) {
	var took []float64
	for b.Loop() {
		took = append(took, timed(b, questions...))
	}
	slices.Sort(took)
	median = took[len(took)/2]
	b.ReportMetric(median, "median-ms")
	b.ReportMetric(took[0], "least-median-ms")
	b.ReportMetric(took[len(took)-1], "greatest-median-ms")
	return median
}

// timed asks at once and gives the milliseconds until the last answer.
func timed(b *testing.B, questions ...asking) float64 {
	began := time.Now()
	parts, ctx := errgroup.WithContext(b.Context())
	for _, q := range questions {
		parts.Go(func() error { return q.ask(ctx) })
	}
	if err := parts.Wait(); err != nil {
		b.Fatal(err)
	}
	return float64(time.Since(began).Microseconds()) / 1000
}
