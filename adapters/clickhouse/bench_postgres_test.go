package clickhouse

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/adapters/engines/enginestest"
)

var (
	//go:embed testdata/bench_postgres_tables.sql
	benchPostgresTablesSQL string
	//go:embed testdata/bench_postgres_questions.sql
	benchPostgresQuestionsSQL string
)

// copiedColumns are the columns of the tables in Postgres, as ClickHouse writes them in the form of COPY.
var copiedColumns = map[string]string{
	"conversations": "conversation_id, started_at, message_count, active_ms, lead, appointment, cancelled_position > 0, consent, notEmpty(flags), concat('{', arrayStringConcat(topics, ','), '}'), notEmpty(unanswered_ordinals), notEmpty(failure_positions)",
	"messages":      "conversation_id, conversation_started_at, ordinal, sender, text, topic, model, latency_ms, tokens_in, tokens_out, answered, sent_at",
}

// BenchmarkDashboardBesidePostgres asks all questions of the dashboard at once, in turns with the same questions of
// the same rows in Postgres, which has an index for each: "ratio" is how many times as long Postgres takes.
func BenchmarkDashboardBesidePostgres(b *testing.B) {
	end := time.Date(2026, 11, 20, 20, 0, 0, 0, time.UTC)
	db := benchmarked(b, end)
	pool := inPostgres(b, db)
	for _, days := range []int{30, 365} {
		b.Run(fmt.Sprintf("conversations=%d/%dd", benchSize(), days), func(b *testing.B) {
			c := before(b, end, days)
			ours, theirs := asked(db.Reader(build), c)[:fast], []asking{}
			for _, question := range strings.Split(benchPostgresQuestionsSQL, ";\n") {
				theirs = append(theirs, asking{question, func(ctx context.Context) error {
					found, err := pool.Query(ctx, question, c.From, c.To)
					if err != nil {
						return err
					}
					for found.Next() {
						found.RawValues()
					}
					return found.Err()
				}})
			}
			if len(theirs) != len(ours) {
				b.Fatalf("%d questions for Postgres, %d for ClickHouse", len(theirs), len(ours))
			}
			timed(b, theirs...)
			var took, ratios []float64
			for b.Loop() {
				control := timed(b, theirs...)
				took = append(took, timed(b, ours...))
				ratios = append(ratios, control/took[len(took)-1])
			}
			slices.Sort(took)
			slices.Sort(ratios)
			b.ReportMetric(took[len(took)/2], "median-ms")
			b.ReportMetric(ratios[0], "least-ratio")
			b.ReportMetric(ratios[len(ratios)/2], "ratio")
			b.ReportMetric(ratios[len(ratios)-1], "greatest-ratio")
		})
	}
}

// inPostgres copies the benchmark's rows into Postgres.
func inPostgres(b *testing.B, db *DB) *pgxpool.Pool {
	b.Helper()
	config, err := pgxpool.ParseConfig(enginestest.Postgres(b))
	if err != nil {
		b.Fatal(err)
	}
	config.ConnConfig.RuntimeParams["search_path"] = "bench"
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.MaxConns = fast
	pool, err := pgxpool.NewWithConfig(b.Context(), config)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	conn, err := pgx.ConnectConfig(b.Context(), config.ConnConfig)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_, err := conn.Exec(context.Background(), "DROP SCHEMA bench CASCADE")
		if err != nil {
			b.Error(err)
		}
		conn.Close(context.Background())
	})
	if _, err := conn.Exec(b.Context(), benchPostgresTablesSQL); err != nil {
		b.Fatal(err)
	}
	for table, columns := range copiedColumns {
		address := url.URL{
			Scheme: "http", Host: db.options.Addr[0], User: url.UserPassword(db.options.Auth.Username, db.options.Auth.Password),
			RawQuery: url.Values{"database": {db.Database(build)}, "output_format_write_statistics": {"0"}}.Encode(),
		}
		lines, err := http.Post(address.String(), "text/plain", strings.NewReader("SELECT "+columns+" FROM "+table+" FINAL FORMAT TabSeparated"))
		if err != nil {
			b.Fatal(err)
		}
		_, err = conn.PgConn().CopyFrom(b.Context(), lines.Body, "COPY "+table+" FROM STDIN")
		lines.Body.Close()
		if err != nil {
			b.Fatal(table, err)
		}
	}
	for _, table := range []string{"conversations", "messages"} {
		if _, err := conn.Exec(b.Context(), "VACUUM ANALYZE "+table); err != nil {
			b.Fatal(err)
		}
	}
	return pool
}
