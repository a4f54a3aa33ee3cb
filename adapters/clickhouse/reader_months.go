package clickhouse

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// Freshness is up to where the live build contains the log, see the view of that name.
type Freshness struct {
	Build    string `json:"build"`
	Version  uint32 `json:"version"`
	Zone     string `json:"zone"`
	Position uint64 `json:"position"`
}

// Freshness asks the view.
func (r *Reader) Freshness(ctx context.Context) (Freshness, error) {
	return single[Freshness](ctx, r, "SELECT build, version, zone, position FROM freshness", nil)
}

// Month is the rows of a view in a month of the business zone.
type Month struct {
	View string
	// Month is 202611 for November 2026.
	Month uint32
	Rows  uint64
	// Content is a hash of the rows, which an erasure changes too.
	Content uint64
}

// Months lists what the views with a row for each fact contain, one view after the other.
func (r *Reader) Months(ctx context.Context) (all []Month, err error) {
	for _, c := range comparedTables {
		list, err := rows(ctx, r, fmt.Sprintf(`SELECT '%s', toYYYYMM(%s) AS month, count(), groupBitXor(cityHash64(toString(tuple(*))))
			FROM %[1]s GROUP BY month ORDER BY month`, c.table, cmp.Or(c.shown, c.start)), nil,
			func(row driver.Rows, m *Month) error { return row.Scan(&m.View, &m.Month, &m.Rows, &m.Content) })
		if err != nil {
			return nil, fmt.Errorf("list months of %s: %w", c.table, err)
		}
		all = append(all, list...)
	}
	return all, nil
}

// MonthParquet writes the rows of a month as a Parquet file: the same bytes for the same rows. The caller closes it.
func (r *Reader) MonthParquet(ctx context.Context, m Month) (io.ReadCloser, error) {
	return r.parquet(ctx, monthSelect(m), nil)
}

func monthSelect(m Month) string {
	c := comparedTable(m.View)
	return fmt.Sprintf("SELECT * FROM %s WHERE toYYYYMM(%s) = %d ORDER BY ALL SETTINGS max_threads = 1", c.table, cmp.Or(c.shown, c.start), m.Month)
}
