package postgres_test

import (
	"fmt"
	"regexp"
	"testing"

	"bitacora/adapters/postgres/postgrestest"
)

// chaining are the parts of append_events that chain a group, each with the same part without a chain.
var chaining = map[string]string{
	`IF coalesce\(chained, 0\) < head THEN`:                         `IF false THEN`,
	`chained_form\([^)]*\) AS form`:                                 `NULL::bytea AS form`,
	`HAVING coalesce\(chained, 0\) = head`:                          `HAVING false`,
	`, c\.position, c\.hash\s+INTO head`:                            `, NULL, NULL INTO head`,
	`LEFT JOIN LATERAL \(SELECT \* FROM log_chain[^)]*\) c ON true`: ``,
}

// BenchmarkAppendChain compares appends with the chain and without it, in turns in one run.
func BenchmarkAppendChain(b *testing.B) {
	chained := appendOne(postgrestest.Open(b, durable(b), testKey))
	url := durable(b)
	db := postgrestest.Open(b, url, testKey)
	conn := owner(b, url)
	var function string
	if err := conn.QueryRow(b.Context(), `SELECT pg_get_functiondef('append_events'::regproc)`).Scan(&function); err != nil {
		b.Fatal(err)
	}
	for with, without := range chaining {
		part := regexp.MustCompile(with)
		if !part.MatchString(function) {
			b.Fatalf("append_events has no %s", with)
		}
		function = part.ReplaceAllString(function, without)
	}
	exec(b, conn, function)
	unchained := appendOne(db)
	for _, callers := range []int{1, 8, 32, 256} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			compare(b, func() float64 { return rate(b, callers, chained) }, func() float64 { return rate(b, callers, unchained) })
		})
	}
	var links int
	if err := conn.QueryRow(b.Context(), `SELECT count(*) FROM log_chain`).Scan(&links); err != nil || links > 0 {
		b.Errorf("the control has %d links of a chain, %v", links, err)
	}
}
