package postgres_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/logdump"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/event"
	"bitacora/domain/throttle"
)

// BenchmarkAppend compares the log with plain single-row INSERTs by as many callers, at most 32, in turns in
// the same database: events/s means little on a shared machine, the ratio does. The events carry
// no personal text, since the control seals nothing; "sealed" are first messages with one, each under a new key,
// "hot" are events of eight streams. "copy" has COPY of a thousand rows a transaction as its control, "watermill"
// what is published by watermill-sql.
func BenchmarkAppend(b *testing.B) {
	url := durable(b)
	db := postgrestest.Open(b, url, testKey)
	conn := owner(b, url)
	exec(b, conn, plainTable)
	pool, err := connections(b.Context(), url, 32)
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	plain, appended := plainInsert(pool), appendOne(db)
	published := newWatermill(b, url).publish
	sealed := func() error {
		_, err := db.Log().Append(context.Background(), request("sealed-"+uuid.NewString(), 0, said("hola, quisiera una cita para la próxima semana")))
		return err
	}
	var n atomic.Int64
	hot := func() error {
		_, err := db.Log().Append(context.Background(), request(fmt.Sprint("hot-", n.Add(1)%8), event.AnyVersion, reply()))
		return err
	}
	for _, row := range []struct {
		name    string
		callers int
		append  func() error
	}{
		{"callers=1", 1, appended}, {"callers=8", 8, appended}, {"callers=32", 32, appended}, {"callers=256", 256, appended},
		{"sealed/callers=32", 32, sealed}, {"hot/callers=32", 32, hot}, {"copy/callers=256", 256, appended},
		{"watermill/callers=1", 1, appended}, {"watermill/callers=32", 32, appended}, {"watermill/callers=256", 256, appended},
	} {
		b.Run(row.name, func(b *testing.B) {
			control := func() float64 { return rate(b, min(row.callers, 32), plain) }
			switch kind, _, _ := strings.Cut(row.name, "/"); kind {
			case "copy":
				control = func() float64 { return copied(b, pool) }
			case "watermill":
				control = func() float64 { return rate(b, min(row.callers, 32), func() error { return published(1) }) }
			}
			var waits waits
			log, of := compare(b, func() float64 { return rate(b, row.callers, waits.of(row.append)) }, control)
			b.ReportMetric(log, "events/s")
			b.ReportMetric(of, "control/s")
			b.ReportMetric(waits.millis(99), "p99-ms")
		})
	}
}

// waits are how long calls took.
type waits struct {
	mu   sync.Mutex
	took []time.Duration
}

// of measures each call.
func (w *waits) of(call func() error) func() error {
	return func() error {
		began := time.Now()
		err := call()
		w.mu.Lock()
		defer w.mu.Unlock()
		w.took = append(w.took, time.Since(began))
		return err
	}
}

func (w *waits) millis(percent int) float64 {
	slices.Sort(w.took)
	return float64(w.took[len(w.took)*percent/100].Microseconds()) / 1000
}

// copied copies b.N events into the plain table, a thousand a transaction, and gives events per second.
func copied(b *testing.B, pool *pgxpool.Pool) float64 {
	data, _, err := event.Encode(reply().Payload)
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	for left := b.N; left > 0; left -= 1000 {
		_, err := pool.CopyFrom(b.Context(), pgx.Identifier{"plain"}, []string{"event_id", "stream", "version", "type", "occurred_at", "data"},
			pgx.CopyFromSlice(min(left, 1000), func(int) ([]any, error) {
				d := reply()
				return []any{[16]byte(uuid.MustParse(d.ID)), "plain-" + uuid.NewString(), 1, d.Payload.EventType(), d.OccurredAt, string(data)}, nil
			}))
		if err != nil {
			b.Fatal(err)
		}
	}
	return float64(b.N) / time.Since(began).Seconds()
}

const plainTable = `CREATE TABLE plain (position bigserial PRIMARY KEY, event_id uuid UNIQUE, stream text,
	version int, type text, occurred_at timestamptz, data text, UNIQUE (stream, version))`

// plainInsert inserts an event into the plain table.
func plainInsert(pool *pgxpool.Pool) func() error {
	data, _, err := event.Encode(reply().Payload)
	return func() error {
		if err != nil {
			return err
		}
		d := reply()
		_, err := pool.Exec(context.Background(), `INSERT INTO plain (event_id, stream, version, type, occurred_at, data)
			VALUES ($1, $2, 1, $3, $4, $5)`, d.ID, "plain-"+uuid.NewString(), d.Payload.EventType(), d.OccurredAt, string(data))
		return err
	}
}

// connections is a pool of so many.
func connections(ctx context.Context, url string, n int) (*pgxpool.Pool, error) {
	return pgxpool.New(ctx, fmt.Sprintf("%s&pool_max_conns=%d", url, n))
}

// appendOne appends an event to a stream of its own.
func appendOne(db *postgres.DB) func() error {
	return func() error {
		_, err := db.Log().Append(context.Background(), request("log-"+uuid.NewString(), 0, reply()))
		return err
	}
}

// benchSubjects is of how many the keys are rotated.
var benchSubjects = flag.Int("subjects", 100_000, "subjects of BenchmarkRotate and BenchmarkBundle")

// BenchmarkRotate wraps the keys of that many subjects anew, each with one term, beside a control
// right before it: one statement that changes as many rows, by bytes of the same length, and one
// that changes the terms.
func BenchmarkRotate(b *testing.B) {
	url := durable(b)
	db := postgrestest.Open(b, url, keyfiles.Store{Dir: filepath.Join(b.TempDir(), "keys")})
	if testing.Short() {
		*benchSubjects = 1000
	}
	for from := 0; from < *benchSubjects; from += 1000 {
		all := make([]event.Append, min(1000, *benchSubjects-from))
		for i := range all {
			all[i] = request(subject(from+i), 0, gave(number(from+i)))
		}
		if err := db.Log().AppendAll(b.Context(), all); err != nil {
			b.Fatal(err)
		}
	}
	conn := owner(b, url)
	exec(b, conn, "CREATE TABLE plain_keys (LIKE subject_keys INCLUDING ALL); INSERT INTO plain_keys SELECT * FROM subject_keys")
	exec(b, conn, "CREATE TABLE plain_terms (LIKE subject_terms INCLUDING ALL); INSERT INTO plain_terms SELECT * FROM subject_terms")
	exec(b, conn, "VACUUM ANALYZE")
	for b.Loop() {
		b.StopTimer()
		exec(b, conn, "CHECKPOINT")
		began := time.Now()
		exec(b, conn, "UPDATE plain_keys SET wrapped_key = sha256(wrapped_key) || substr(wrapped_key, 33), key_epoch = key_epoch + 1")
		exec(b, conn, "UPDATE plain_terms SET term = sha256(term), key_epoch = key_epoch + 1")
		control := time.Since(began)
		exec(b, conn, "CHECKPOINT")
		b.StartTimer()
		began = time.Now()
		if done, err := db.Log().Rotate(b.Context(), nil); err != nil || done.Survivors != *benchSubjects {
			b.Fatal(done, err)
		}
		took := time.Since(began)
		b.ReportMetric(float64(*benchSubjects)/took.Seconds(), "subjects/s")
		b.ReportMetric(float64(*benchSubjects)/control.Seconds(), "control/s")
		b.ReportMetric(control.Seconds()/took.Seconds(), "ratio")
	}
}

// BenchmarkBundle compares writing the key bundle to copying the same rows out of the database.
func BenchmarkBundle(b *testing.B) {
	url, keys := durable(b), keyfiles.Store{Dir: filepath.Join(b.TempDir(), "keys")}
	db := postgrestest.Open(b, url, keys)
	conn := owner(b, url)
	exec(b, conn, "INSERT INTO subject_keys (subject, wrapped_key) SELECT 'chat/' || gen_random_uuid(), sha256(n::text::bytea) || substr(sha256(n::text::bytea), 5) FROM generate_series(1, $1) AS n", *benchSubjects)
	exec(b, conn, "VACUUM ANALYZE")
	path := filepath.Join(b.TempDir(), "bundle")
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		began := time.Now()
		if _, err := conn.PgConn().CopyTo(b.Context(), io.Discard, "COPY (SELECT * FROM subject_keys ORDER BY subject) TO STDOUT"); err != nil {
			b.Fatal(err)
		}
		control := time.Since(began)
		b.StartTimer()
		began = time.Now()
		if written, err := logdump.WriteBundle(b.Context(), db, path); err != nil || written.Keys != int64(*benchSubjects) {
			b.Fatal(written, err)
		}
		took := time.Since(began)
		b.ReportMetric(float64(*benchSubjects)/took.Seconds(), "keys/s")
		b.ReportMetric(float64(*benchSubjects)/control.Seconds(), "control/s")
		b.ReportMetric(control.Seconds()/took.Seconds(), "ratio")
	}
}

// durable is the URL of a Postgres that writes through to the disk, as the one that tests
// share does not.
func durable(b *testing.B) string {
	dir, err := os.MkdirTemp("", "bitacora-bench-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	engine, err := engines.Start(b.Context(), engines.Config{
		DataDir:       filepath.Join(dir, "data"),
		FallbackDir:   filepath.Join(dir, "fallback"),
		ClickHouseURL: "http://unused.example",
		Superuser:     true,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := engine.Stop(context.Background()); err != nil {
			b.Error(err)
		}
	})
	return engine.Endpoints().DatabaseURL
}

// compare measures two rates in turns, after a round that does not count: it reports how many times the
// control's the first one is, the median over the rounds and its spread, and gives the median rates.
func compare(b *testing.B, measured, control func() float64) (float64, float64) {
	const rounds = 9
	measured()
	var rates, controls, ratios [rounds]float64
	for i := range rounds {
		controls[i] = control()
		rates[i] = measured()
		ratios[i] = rates[i] / controls[i]
	}
	for _, all := range [][]float64{rates[:], controls[:], ratios[:]} {
		slices.Sort(all)
	}
	b.ReportMetric(ratios[rounds/2], "ratio")
	b.ReportMetric(ratios[0], "least-ratio")
	b.ReportMetric(ratios[rounds-1], "greatest-ratio")
	return rates[rounds/2], controls[rounds/2]
}

// rate runs b.N calls by n callers and gives calls per second.
func rate(b *testing.B, n int, call func() error) float64 {
	began := time.Now()
	if err := repeat(b.N, n, call); err != nil {
		b.Fatal(err)
	}
	return float64(b.N) / time.Since(began).Seconds()
}

// repeat makes so many calls by so many callers.
func repeat(calls, callers int, call func() error) error {
	var left atomic.Int64
	left.Store(int64(calls))
	var running errgroup.Group
	for range callers {
		running.Go(func() error {
			for left.Add(-1) >= 0 {
				if err := call(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return running.Wait()
}

// reply is an event of about 400 bytes.
func reply() event.Draft {
	d := opened()
	d.Payload = &event.AssistantReplied{
		Conversation: event.Conversation{ConversationID: "7f0c2a9e-6a0b-4a0e-9d0c-0a4a3b1f2c11", ConversationStartedAt: at},
		Progress:     event.Progress{Ordinal: 4, ActiveMillis: 65200},
		Understood:   event.Understood{Intent: "horario", Confidence: .913, RunnerUp: "reservar", RunnerUpConfidence: .041},
		Chosen:       event.Chosen{Answer: "horario-sabado", Likelihood: .82, NextAnswer: "horario-feriados", NextLikelihood: .31},
		ReplyTo:      "m-1", Provider: "embedded", Model: "clinic-es", LatencyMillis: 42, TokensIn: 12, TokensOut: 31,
		Topic: "horarios", Answered: true, Sources: []string{"horario", "contacto", "especialidades"},
	}
	return d
}

// BenchmarkThrottle compares what bounds a chat turn, one token of an address and one of a session, to
// the append of one event by as many callers, in turns: a turn has two.
func BenchmarkThrottle(b *testing.B) {
	db := postgrestest.Open(b, durable(b), testKey)
	buckets := db.Throttle(nil)
	var n atomic.Int64
	appended := appendOne(db)
	r := throttle.Rate{Every: time.Millisecond, Burst: 200}
	for name, addresses := range map[string]int64{"addresses=1": 1, "addresses=1000": 1000} {
		taken := func() error {
			i := n.Add(1)
			_, err := buckets.Take(context.Background(),
				throttle.Bucket{Rate: r, Key: "address " + strconv.FormatInt(i%addresses, 10)}, throttle.Bucket{Rate: r, Key: "session " + strconv.FormatInt(i%10_000, 10)})
			return err
		}
		for _, callers := range []int{1, 8} {
			b.Run(fmt.Sprintf("%s/callers=%d", name, callers), func(b *testing.B) {
				takes, control := compare(b, func() float64 { return rate(b, callers, taken) }, func() float64 { return rate(b, callers, appended) })
				b.ReportMetric(takes, "takes/s")
				b.ReportMetric(control, "appends/s")
			})
		}
	}
}
