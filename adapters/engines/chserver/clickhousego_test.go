package chserver

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"bitacora/adapters/clickhouse/access"
)

var compressions = map[string]*clickhouse.Compression{
	"none": nil,
	"lz4":  {Method: clickhouse.CompressionLZ4},
	"zstd": {Method: clickhouse.CompressionZSTD},
	"gzip": {Method: clickhouse.CompressionGZIP, Level: 3},
}

func dial(t *testing.T, p *process, user string, compression *clickhouse.Compression) driver.Conn {
	t.Helper()
	c, err := clickhouse.Open(driverOptions(p, user, compression))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func driverOptions(p *process, user string, compression *clickhouse.Compression) *clickhouse.Options {
	password := passwords[user]
	return &clickhouse.Options{
		Protocol:     clickhouse.HTTP,
		Addr:         []string{p.address},
		Auth:         clickhouse.Auth{Username: user, Password: password},
		Compression:  compression,
		MaxOpenConns: 20,
	}
}

// everyType has a column of every type that this project stores or might.
const everyType = `CREATE TABLE %s (
	id UUID, at DateTime64(3, 'UTC'), seconds DateTime('America/Panama'), day Date32, kind LowCardinality(String),
	topic LowCardinality(Nullable(String)), text String, maybe Nullable(Int32), tags Array(String), deep Array(Array(UInt8)),
	counts Map(String, UInt64), state Enum8('open' = 1, 'closed' = 2), amount Decimal(18, 4), ratio Float64, ok Bool,
	pair Tuple(a Int8, b String), address IPv4, code FixedString(3), large UInt256, data JSON
) ENGINE = MergeTree ORDER BY (kind, at)`

func everyRow(i int) []any {
	at := time.Date(2026, 2, 28, 23, 59, 59, 123e6, time.UTC).Add(time.Duration(i) * time.Second)
	topic, maybe := new(string), new(int32)
	*topic, *maybe = fmt.Sprint("topic ", i%3), int32(-i)
	if i%2 == 0 {
		topic, maybe = nil, nil
	}
	data := clickhouse.NewJSON()
	data.SetValueAtPath("n", int64(i))
	data.SetValueAtPath("nested.text", "añil")
	return []any{
		uuid.NewSHA1(uuid.Nil, fmt.Append(nil, i)), at, at.Truncate(time.Second), time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), fmt.Sprint("kind ", i%5),
		topic, strings.Repeat("ñ", i%100), maybe, []string{"a", fmt.Sprint(i)}, [][]uint8{{1, 2}, {}},
		map[string]uint64{"n": uint64(i)}, []string{"open", "closed"}[i%2], decimal.New(int64(i)*12345, -4), float64(i) / 3, i%2 == 1,
		map[string]any{"a": int8(i % 100), "b": "x"}, []byte{192, 0, 2, 1}, "abc", big.NewInt(int64(i)), data,
	}
}

func TestDriverRoundTrip(t *testing.T) {
	const rows = 5000
	for name, compression := range compressions {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			c := dial(t, shared, access.App, compression)
			if err := c.Ping(ctx); err != nil {
				t.Fatal(err)
			}
			if v, err := c.ServerVersion(); err != nil || v.Version.Major != 26 || v.Timezone.String() != "UTC" {
				t.Fatalf("version %v, %v", v, err)
			}
			table := "round_trip_" + name
			if err := c.Exec(ctx, fmt.Sprintf(everyType, table)); err != nil {
				t.Fatal(err)
			}
			batch, err := c.PrepareBatch(ctx, "INSERT INTO "+table)
			if err != nil {
				t.Fatal(err)
			}
			for i := range rows {
				row := everyRow(i)
				row[16] = fmt.Sprintf("192.0.2.%d", i%256)
				if err := batch.Append(row...); err != nil {
					t.Fatal(err)
				}
			}
			if err := batch.Send(); err != nil {
				t.Fatal(err)
			}
			readBack(t, c, table, rows)
		})
	}
}

func readBack(t *testing.T, c driver.Conn, table string, rows int) {
	t.Helper()
	blocks := clickhouse.Context(t.Context(), clickhouse.WithSettings(clickhouse.Settings{"max_block_size": 500, "preferred_block_size_bytes": 0}))
	result, err := c.Query(blocks, `SELECT id, at, seconds, topic, text, maybe, tags, deep, counts, state, amount, ratio, ok,
		pair.a, toString(address), code, toInt64(large), data.n::Int64, data.nested.text::String, data
		FROM `+table+` WHERE kind LIKE @kind ORDER BY at`, clickhouse.Named("kind", "kind%"))
	if err != nil {
		t.Fatal(err)
	}
	defer result.Close()
	n := 0
	for ; result.Next(); n++ {
		var (
			id          uuid.UUID
			at, seconds time.Time
			topic       *string
			text        string
			maybe       *int32
			tags        []string
			deep        [][]uint8
			counts      map[string]uint64
			state       string
			amount      decimal.Decimal
			ratio       float64
			ok          bool
			a           int8
			address     string
			code        string
			large, k    int64
			nested      string
			data        clickhouse.JSON
		)
		if err := result.Scan(&id, &at, &seconds, &topic, &text, &maybe, &tags, &deep, &counts, &state, &amount, &ratio, &ok,
			&a, &address, &code, &large, &k, &nested, &data); err != nil {
			t.Fatal(err)
		}
		want := everyRow(n)
		got := []any{id, at.UTC(), seconds.UTC(), topic, text, maybe, tags, deep, counts, state, amount.String(), ratio, ok, code, large, k, nested}
		expected := []any{want[0], want[1], want[2], want[5], want[6], want[7], want[8], want[9], want[10], want[11],
			want[12].(decimal.Decimal).String(), want[13], want[14], want[17], int64(n), int64(n), "añil"}
		if !reflect.DeepEqual(got, expected) {
			t.Fatalf("row %d: got %v, want %v", n, got, expected)
		}
		if a != int8(n%100) || address != fmt.Sprintf("192.0.2.%d", n%256) {
			t.Fatalf("row %d: %d, %s", n, a, address)
		}
		if value, ok := data.ValueAtPath("nested.text"); !ok || fmt.Sprint(value) == "" {
			t.Fatalf("row %d: JSON %v", n, data)
		}
	}
	if err := result.Err(); err != nil || n != rows {
		t.Fatalf("read %d rows, %v", n, err)
	}
}

func TestDriverParametersSettingsErrors(t *testing.T) {
	for name, compression := range compressions {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			c := dial(t, shared, access.App, compression)
			var number uint64
			var text string
			var days []uint32
			bound := clickhouse.Context(ctx, clickhouse.WithParameters(clickhouse.Parameters{"n": "7", "s": `it's "a" \\ tab\tñ`, "d": "[1,2]"}))
			if err := c.QueryRow(bound, "SELECT {n:UInt64}, {s:String}, {d:Array(UInt32)}").Scan(&number, &text, &days); err != nil {
				t.Fatal(err)
			}
			if number != 7 || text != `it's "a" \ tab	ñ` || len(days) != 2 {
				t.Fatalf("got %d %q %v", number, text, days)
			}
			if err := c.QueryRow(ctx, "SELECT toUInt64(?), ?", 8, "x'y").Scan(&number, &text); err != nil || number != 8 || text != "x'y" {
				t.Fatalf("got %d %q, %v", number, text, err)
			}
			limited := clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{"max_result_rows": 10}))
			for sql, test := range map[string]struct {
				ctx  context.Context
				code int32
			}{
				"SELECT * FROM no_such_table":                {ctx, 60},
				"SELECT no_such_column":                      {ctx, 47},
				"SELEC 1":                                    {ctx, 62},
				"SELECT number FROM numbers(1000)":           {limited, 396},
				"SELECT throwIf(number = 3) FROM numbers(9)": {ctx, 395},
			} {
				assertDriverCode(t, drain(c.Query(test.ctx, sql)), test.code)
			}
			assertDriverCode(t, c.Exec(ctx, "DROP TABLE no_such_table"), 60)
			assertDriverCode(t, c.Exec(clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{"no_such_setting": 1})), "SELECT 1"), 115)
			assertDriverCode(t, c.Exec(clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{"max_threads": "many"})), "SELECT 1"), 27)
		})
	}
}

func TestDriverErrorAfterRowsWereSent(t *testing.T) {
	long(t)
	for name, compression := range compressions {
		t.Run(name, func(t *testing.T) {
			c := dial(t, shared, access.App, compression)
			rows, err := c.Query(t.Context(), "SELECT number, randomPrintableASCII(50), throwIf(number = 3000000, 'in the middle') FROM numbers(4000000) SETTINGS max_threads = 1, max_block_size = 65536")
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for ; rows.Next(); n++ {
			}
			if n == 0 {
				t.Fatal("no rows came before the error")
			}
			var e *clickhouse.Exception
			if !errors.As(rows.Err(), &e) || e.Code != 395 || !strings.Contains(e.Message, "in the middle") {
				t.Fatalf("after %d rows: %v", n, rows.Err())
			}
		})
	}
}

// As on every ClickHouse, what may write goes on without its client.
func TestDriverCancelLeavesNothingRunning(t *testing.T) {
	for user, settings := range map[string]clickhouse.Settings{access.App: {"readonly": 2}, access.Analyst: {}} {
		c := dial(t, shared, user, nil)
		for _, sql := range []string{
			"SELECT sum(sleepEachRow(0.1)) FROM numbers(100000) SETTINGS function_sleep_max_microseconds_per_block = 0, max_block_size = 10 /* cancelled */",
			// So slowly that it cannot come to the limit of rows before.
			"SELECT number, randomPrintableASCII(100), sleepEachRow(0.00001) FROM numbers(1000000000) SETTINGS function_sleep_max_microseconds_per_block = 0, max_block_size = 1000 /* cancelled */",
			"SELECT uniqExact(cityHash64(number)) FROM numbers(100000000000) FORMAT JSON /* cancelled */",
		} {
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			if err := drain(c.Query(clickhouse.Context(ctx, clickhouse.WithSettings(settings)), sql)); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %s: %v", user, sql, err)
			}
			cancel()
		}
	}
	eventually(t, "cancelled statements still run", func() bool {
		return shared.must(t, "SELECT count() FROM system.processes WHERE query LIKE '%/* cancelled */' AND query NOT LIKE '%processes%'") == "0"
	})
}

func TestDatabaseSQL(t *testing.T) {
	db := clickhouse.OpenDB(driverOptions(shared, access.App, compressions["lz4"]))
	defer db.Close()
	ctx := t.Context()
	if _, err := db.ExecContext(ctx, "CREATE TABLE via_sql (n UInt32, s String) ENGINE = MergeTree ORDER BY n"); err != nil {
		t.Fatal(err)
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO via_sql")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if _, err := insert.ExecContext(ctx, uint32(i), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	var count, sum uint64
	if err := db.QueryRowContext(ctx, "SELECT count(), sum(n) FROM via_sql WHERE n >= ?", 50).Scan(&count, &sum); err != nil || count != 50 || sum != 3725 {
		t.Fatalf("count %d, sum %d, %v", count, sum, err)
	}
	if _, err := db.ExecContext(ctx, "INSERT INTO via_sql VALUES (1000, concat('a', 'b')), (1001, 'c')"); err != nil {
		t.Fatal(err)
	}
	var s string
	if err := db.QueryRowContext(ctx, "SELECT s FROM via_sql WHERE n = 1000").Scan(&s); err != nil || s != "ab" {
		t.Fatalf("got %q, %v", s, err)
	}
}

func drain(rows driver.Rows, err error) error {
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	return errors.Join(rows.Err(), rows.Close())
}

func assertDriverCode(t *testing.T, err error, code int32) {
	t.Helper()
	var e *clickhouse.Exception
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("got %v, want code %d", err, code)
	}
}

// eventually waits for what follows soon, but not at once.
func eventually(t *testing.T, complaint string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !condition(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(complaint)
		}
	}
}
