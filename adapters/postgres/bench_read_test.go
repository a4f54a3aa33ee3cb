package postgres_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/event"
	"bitacora/projections/feed"
)

var benchEvents = flag.String("events", "10000", "sizes of the log of BenchmarkRead and BenchmarkTail, comma-separated")

// overSizes runs a benchmark with a log of each size, of conversations of twenty messages.
func overSizes(b *testing.B, measure func(b *testing.B, url string, db *postgres.DB, events int)) {
	sizes := *benchEvents
	if testing.Short() {
		sizes = "1000"
	}
	for _, size := range strings.Split(sizes, ",") {
		b.Run("events="+size, func(b *testing.B) {
			var events int
			if _, err := fmt.Sscan(size, &events); err != nil {
				b.Fatal(err)
			}
			url := durable(b)
			db := postgrestest.Open(b, url, testKey)
			for from := 0; from < events; from += 20_000 {
				var all []event.Append
				for i := from; i < min(from+20_000, events); i += 20 {
					var drafts []event.Draft
					for range 20 {
						drafts = append(drafts, said("hola, quisiera una cita para la próxima semana"))
					}
					all = append(all, request(fmt.Sprint("chat-", i), 0, drafts...))
				}
				if err := db.Log().AppendAll(b.Context(), all); err != nil {
					b.Fatal(err)
				}
			}
			exec(b, owner(b, url), "VACUUM ANALYZE")
			measure(b, url, db, events)
		})
	}
}

// BenchmarkRead reads batches of 5,000 events, evenly spread over the log: their rows, decoded, and decoded and
// unsealed. The control, in turns, reads the same columns through pgx; of "watermill", which reads as "unsealed",
// watermill-sql delivers messages instead, at most 100,000.
func BenchmarkRead(b *testing.B) {
	const batch, most = 5000, 20
	overSizes(b, func(b *testing.B, url string, db *postgres.DB, events int) {
		conn := owner(b, url)
		rate := func(read func(after int64) (int, error)) float64 {
			batches := max(1, min(events/batch, most))
			began, all := time.Now(), 0
			for i := range batches {
				n, err := read(int64(events / batches * i))
				if err != nil || n == 0 {
					b.Fatal(n, err)
				}
				all += n
			}
			return float64(all) / time.Since(began).Seconds()
		}
		control := func() float64 {
			return rate(func(after int64) (n int, err error) {
				found, err := conn.Query(b.Context(), `SELECT position, event_id, stream, version, type, schema_version,
					occurred_at, recorded_at, data, sealed, metadata, payload_hash FROM events WHERE position > $1 ORDER BY position LIMIT $2`, after, batch)
				if err != nil {
					return 0, err
				}
				var position int64
				var id uuid.UUID
				var stream, kind, data, metadata string
				var sealed *string
				var version, schema int
				var occurred, recorded time.Time
				var hash []byte
				tag, err := pgx.ForEachRow(found, []any{&position, &id, &stream, &version, &kind, &schema, &occurred, &recorded, &data, &sealed, &metadata, &hash},
					func() error { return nil })
				return int(tag.RowsAffected()), err
			})
		}
		log := db.Log()
		unsealed := func(after int64) (int, error) {
			events, err := log.Scan(b.Context(), after, math.MaxInt64, batch)
			return len(events), err
		}
		for name, read := range map[string]func(after int64) (int, error){
			"rows": func(after int64) (int, error) { return log.ScanRows(b.Context(), after, batch) },
			"decoded": func(after int64) (int, error) {
				events, err := log.ScanClear(b.Context(), after, math.MaxInt64, batch)
				return len(events), err
			},
			"unsealed":  unsealed,
			"watermill": unsealed,
		} {
			b.Run(name, func(b *testing.B) {
				control := control
				if name == "watermill" {
					control = watermillReads(b, url, min(events, batch*most), batch)
				}
				for b.Loop() {
					measured, of := compare(b, func() float64 { return rate(read) }, control)
					b.ReportMetric(measured, "events/s")
					b.ReportMetric(of, "control/s")
				}
			})
		}
	})
}

// BenchmarkTail measures from an append to its delivery to a subscriber that waits. The controls, in turns,
// insert into a plain table: one is woken by LISTEN and NOTIFY alone, the other looks every 10 ms. The third is
// watermill-sql, which looks at most 10 ms apart, where a second is its default.
func BenchmarkTail(b *testing.B) {
	const every = 10 * time.Millisecond
	overSizes(b, func(b *testing.B, url string, db *postgres.DB, events int) {
		_, messages := subscribe(b, db, feed.Config{})
		delivered := func(through int64) {
			for last := int64(0); last < through; {
				m, _, to := receive(b, messages)
				m.Ack()
				last = to
			}
		}
		delivered(int64(events))
		conn, waiting := owner(b, url), owner(b, url)
		exec(b, conn, plainTable)
		exec(b, waiting, "LISTEN plain")
		log := db.Log()
		insert := func(n int) {
			exec(b, conn, "INSERT INTO plain (event_id, stream, version, data) VALUES (gen_random_uuid(), $1, 1, repeat('x', 400))", fmt.Sprint(n))
		}
		published, looks := newWatermill(b, url), &looks{apart: every}
		looks.Lock()
		subscriber, received := published.subscribe(b, "", 0, looks)
		defer subscriber.Close()
		defer looks.Unlock()
		n := 0
		ways := map[string]func(){
			"delivered": func() { delivered(mustAppend(b, log, request(fmt.Sprint("tail-", n), 0, reply()))[0].Position) },
			"notified": func() {
				insert(n)
				exec(b, conn, "NOTIFY plain")
				if _, err := waiting.WaitForNotification(b.Context()); err != nil {
					b.Fatal(err)
				}
			},
			"polled": func() {
				began, phase := time.Now(), rand.N(every)
				insert(n)
				for looked := began.Add(phase); ; looked = looked.Add(every) {
					time.Sleep(time.Until(looked))
					var seen bool
					if err := waiting.QueryRow(b.Context(), "SELECT EXISTS (SELECT FROM plain WHERE stream = $1)", fmt.Sprint(n)).Scan(&seen); err != nil {
						b.Fatal(err)
					}
					if seen {
						return
					}
				}
			},
			"watermill": func() {
				looks.Unlock()
				defer looks.Lock()
				if err := published.publish(1); err != nil {
					b.Fatal(err)
				}
				(<-received).Ack()
			},
		}
		took := map[string]*waits{"delivered": {}, "notified": {}, "polled": {}, "watermill": {}}
		b.ResetTimer()
		for b.Loop() {
			rounds := 500
			if testing.Short() {
				rounds = 3
			}
			for range rounds {
				for name, way := range ways {
					n++
					time.Sleep(5 * time.Millisecond) // the subscriber has time to rest
					_ = took[name].of(func() error { way(); return nil })()
				}
			}
		}
		b.ReportMetric(0, "ns/op")
		for name, w := range took {
			b.ReportMetric(w.millis(50), name+"-p50-ms")
			b.ReportMetric(w.millis(99), name+"-p99-ms")
		}
		for _, control := range []string{"notified", "polled", "watermill"} {
			b.ReportMetric(took["delivered"].millis(99)/took[control].millis(99), "p99-times-"+control)
		}
	})
}
