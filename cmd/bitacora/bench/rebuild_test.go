package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/projections"
	"bitacora/projections/builds"
)

var (
	rebuildEvents  = flag.String("rebuild.events", "100000", "sizes of the log, comma-separated")
	rebuildWorkers = flag.Int("rebuild.workers", 3, "workers of the rebuild")
	rebuildRounds  = flag.Int("rebuild.rounds", 3, "times that each size is rebuilt, each after its control; the median counts")
)

// BenchmarkRebuild measures how fast a log is replayed into a build. The control, run right
// before it on the same servers, copies the same rows, which lie ready in Postgres, as they are
// into ClickHouse: no decoding, no unsealing, no joining.
func BenchmarkRebuild(b *testing.B) {
	for _, size := range strings.Split(sized(*rebuildEvents, "1100"), ",") {
		b.Run("events="+size, func(b *testing.B) {
			var events int
			if _, err := fmt.Sscan(size, &events); err != nil {
				b.Fatal(err)
			}
			benchmarkRebuild(b, events)
		})
	}
}

// BenchmarkRebuildMemory measures how much memory a rebuild takes where texts are long, 200 MB of
// them in 30,000 events. The control is the same number of events with usual texts.
func BenchmarkRebuildMemory(b *testing.B) {
	const messages = 10
	conversations, texts := sized(2_730, 100), sized(200<<20, 2<<20)
	for _, size := range []struct {
		name string
		more int
	}{{"usual", 0}, {"long", texts / (conversations * messages)}} {
		b.Run("texts="+size.name, func(b *testing.B) {
			p := programtest.NewEmbedded(b)
			p.Start()
			a := p.App()
			programtest.FillWith(b, a, conversations, messages, strings.Repeat("a ", size.more/2))
			caughtUp(p, a)
			for b.Loop() {
				took, peak := timedRebuild(p)
				b.ReportMetric(float64(conversations*(messages+1))/took.Seconds(), "events/s")
				b.ReportMetric(peak/(1<<20), "MiB-peak")
			}
		})
	}
}

// caughtUp waits until the live build holds the log.
func caughtUp(p *programtest.Program, a *app.App) {
	p.T.Helper()
	p.Eventually("the live build holds the log", 10*time.Minute, func() error {
		s, err := a.DB.BuildStatus(context.Background(), builds.FirstName)
		if err == nil && (!s.Started || s.Lag() > 0) {
			err = fmt.Errorf("%d behind", s.Lag())
		}
		return err
	})
}

func benchmarkRebuild(b *testing.B, events int) {
	const messages = 10
	p := programtest.NewEmbedded(b)
	p.Start()
	a := p.App()
	programtest.Fill(b, a, events/(messages+1), messages)
	caughtUp(p, a)
	layRowsReady(b, a)
	var rates, ratios []float64
	var peak float64
	for b.Loop() {
		for range sized(*rebuildRounds, 1) {
			control := controlInsert(b, a)
			took, memory := timedRebuild(p)
			rates = append(rates, float64(events)/took.Seconds())
			ratios = append(ratios, control.Seconds()/took.Seconds())
			peak = max(peak, memory)
			b.Logf("%d events: rebuild %v, control %v, ratio %.2f", events, took.Round(time.Millisecond), control.Round(time.Millisecond), control.Seconds()/took.Seconds())
		}
	}
	b.ReportMetric(median(rates), "events/s")
	reportMedian(b, ratios, "of-control")
	b.ReportMetric(peak/(1<<20), "MiB-peak")
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}

// reportMedian reports the median of some rounds and its spread.
func reportMedian(b *testing.B, of []float64, name string) {
	b.ReportMetric(median(of), name)
	b.ReportMetric(of[0], "least-"+name)
	b.ReportMetric(of[len(of)-1], "greatest-"+name)
}

// timedRebuild gives the time in which the ranges were replayed, and the memory of the
// process at most.
func timedRebuild(p *programtest.Program) (took time.Duration, peak float64) {
	out := p.MustRun("rebuild", "--json", "--workers", fmt.Sprint(*rebuildWorkers))
	lines := bufio.NewScanner(strings.NewReader(out))
	for lines.Scan() {
		var line struct {
			Step      string
			Seconds   float64
			PeakBytes float64
		}
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			continue
		}
		if line.Step == "replayed" && line.Seconds > 0 {
			took = time.Duration(line.Seconds * float64(time.Second))
		}
		if line.PeakBytes > 0 {
			peak = line.PeakBytes
		}
	}
	if took == 0 {
		p.T.Fatalf("the rebuild did not say how long it took:\n%s", out)
	}
	return took, peak
}

var controlColumns = map[string]string{
	"conversations": "conversation_id, started_at, last_message_at, message_count, visitor_ordinals, unanswered_ordinals, failure_positions, active_ms, topics, models, flags, consent, lead, appointment, booking_sources, booked_position, cancelled_position, channel, referrer, last_position",
	"messages":      "conversation_id, conversation_started_at, ordinal, message_id, sender, text, intent, topic, provider, model, latency_ms, tokens_in, tokens_out, answered, sent_at, position",
}

// layRowsReady puts the rows of the live build into tables of Postgres, each as the line that
// ClickHouse reads it from.
func layRowsReady(b *testing.B, a *app.App) {
	b.Helper()
	for table, columns := range controlColumns {
		programtest.SQL(b, a, fmt.Sprintf("CREATE TABLE control_%s (line text)", table))
		lines := post(b, a, a.Tables.Database(builds.FirstName), fmt.Sprintf("SELECT %s FROM %s FINAL FORMAT TabSeparated", columns, table), http.NoBody)
		copied(b, a, func(conn *pgconn.PgConn) (pgconn.CommandTag, error) {
			return conn.CopyFrom(b.Context(), lines, "COPY control_"+table+" FROM STDIN "+rawLines)
		})
	}
}

// rawLines are options of COPY by which nothing in a line means anything but its end.
const rawLines = `WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02')`

// controlInsert is the time that Postgres and ClickHouse take for the same rows by themselves.
func controlInsert(b *testing.B, a *app.App) time.Duration {
	b.Helper()
	ctx := context.Background()
	if err := a.Tables.CreateBuild(ctx, "b0"); err != nil {
		b.Fatal(err)
	}
	defer a.Tables.DropBuild(ctx, "b0")
	began := time.Now()
	for table, columns := range controlColumns {
		lines, into := io.Pipe()
		go copied(b, a, func(conn *pgconn.PgConn) (pgconn.CommandTag, error) {
			defer into.Close()
			return conn.CopyTo(ctx, into, "COPY control_"+table+" TO STDOUT "+rawLines)
		})
		post(b, a, a.Tables.Database("b0"), fmt.Sprintf("INSERT INTO %s (%s) FORMAT TabSeparated", table, columns), lines)
	}
	return time.Since(began)
}

func copied(b *testing.B, a *app.App, do func(*pgconn.PgConn) (pgconn.CommandTag, error)) {
	conn, err := pgconn.Connect(b.Context(), a.At.MigrationURL)
	if err == nil {
		defer conn.Close(b.Context())
		_, err = do(conn)
	}
	if err != nil {
		b.Error(err)
	}
}

// post sends a statement to ClickHouse, with the data that it inserts, and gives the answer.
func post(b *testing.B, a *app.App, database, statement string, data io.Reader) io.Reader {
	b.Helper()
	at, err := url.Parse(a.At.ClickHouseURL)
	if err != nil {
		b.Fatal(err)
	}
	at.Path, at.RawQuery = "/", url.Values{"database": {database}, "query": {statement}}.Encode()
	answer, err := http.Post(at.String(), "", data)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		b.Fatalf("%s: %s %.300s %v", statement, answer.Status, said, err)
	}
	return bytes.NewReader(said)
}

// BenchmarkFactTables replays the log of a demo with its bookings, changes of contacts, refusals and answers into
// builds in turns: with the tables of these facts, and without, which is the control.
func BenchmarkFactTables(b *testing.B) {
	p := programtest.NewProgram(b)
	p.MustRun("demo", "--months", sized("4", "1"))
	a := p.App()
	replay := func(with bool) time.Duration {
		const name = "b90"
		if err := a.Tables.CreateBuild(b.Context(), name); err != nil {
			b.Fatal(err)
		}
		defer a.Tables.DropBuild(b.Context(), name)
		began, facts := time.Now(), 0
		for last := int64(0); ; {
			events, err := a.DB.Log().Scan(b.Context(), last, math.MaxInt64, app.ReadBatch)
			if err != nil {
				b.Fatal(err)
			}
			if len(events) == 0 {
				break
			}
			last = events[len(events)-1].Position
			rows := projections.RowsOf(events)
			facts += len(rows.Bookings) + len(rows.ContactHistory) + len(rows.ChatRefusals) + len(rows.AnswersTaught)
			if !with {
				rows.Bookings, rows.ContactHistory, rows.ChatRefusals, rows.AnswersTaught = nil, nil, nil, nil
			}
			if err := a.Tables.Writer(name).Write(b.Context(), rows); err != nil {
				b.Fatal(err)
			}
		}
		if facts == 0 {
			b.Fatal("the log tells of no fact")
		}
		return time.Since(began)
	}
	replay(true) // what is read and made for the first time counts for neither
	var ratios []float64
	for b.Loop() {
		for range sized(*rebuildRounds, 1) {
			control := replay(false)
			ratios = append(ratios, replay(true).Seconds()/control.Seconds())
		}
	}
	reportMedian(b, ratios, "times-control")
	b.ReportMetric(0, "ns/op")
}
