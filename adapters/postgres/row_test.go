package postgres

import (
	"encoding/json"
	"maps"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"bitacora/adapters/engines/enginestest"
)

// TestSealedFieldsAreJSON generates columns as they are written, and damaged ones.
func TestSealedFieldsAreJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.OneOf(rapid.StringMatching(`[a-z]{1,8}`), rapid.String())
		written, err := json.Marshal(rapid.MapOfN(names, rapid.SliceOf(rapid.Byte()), 0, 4).Draw(t, "fields"))
		if err != nil {
			t.Fatal(err)
		}
		column := string(written)
		if rapid.Bool().Draw(t, "damaged") {
			at := rapid.IntRange(0, len(column)).Draw(t, "at")
			column = column[:at] + rapid.SampledFrom([]string{`"`, ",", ":", "{", "}", `\`, " ", "0", "é"}).Draw(t, "damage") + column[at:]
		}
		var want map[string]string
		wantErr := json.Unmarshal([]byte(column), &want)
		fields, err := sealedFields(column)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%s: got error %v, want %v", column, err, wantErr)
		}
		got := map[string]string{}
		for _, f := range fields {
			got[f.name] = f.value
		}
		if err == nil && !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", column, got, want)
		}
	})
}

// BenchmarkScan reads rows of usual size from Postgres, beside the same with [pgx.Rows.Scan].
func BenchmarkScan(b *testing.B) {
	conn, err := pgx.Connect(b.Context(), enginestest.Postgres(b))
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(b.Context())
	scanned := func(scan func(*row, pgx.Rows) error) time.Duration {
		found, err := conn.Query(b.Context(), `SELECT n, gen_random_uuid(), 'chat-' || n, 1, 'AssistantReplied', 1::smallint, now(), now(),
			repeat('d', 300), repeat('s', 200), '{}', sha256('h') FROM generate_series(1, 5000::bigint) n`)
		if err != nil {
			b.Fatal(err)
		}
		defer found.Close()
		var took time.Duration
		for found.Next() {
			began := time.Now()
			if err := scan(new(row), found); err != nil {
				b.Fatal(err)
			}
			took += time.Since(began)
		}
		return took
	}
	binary, any := time.Hour, time.Hour // the least, which other programs disturb least
	for b.Loop() {
		binary, any = min(binary, scanned((*row).scan)), min(any, scanned((*row).scanAny))
	}
	b.ReportMetric(any.Seconds()/binary.Seconds(), "times-scan")
}
