package clickhouse

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/domain/fault"
)

// PublishViews points the analysts' views at a build. No question reads two builds: while the views change over, those
// of the new build refuse it, and it may be asked again.
func (db *DB) PublishViews(ctx context.Context, build string) error {
	zone, err := db.Zone(ctx, build)
	if err == nil {
		err = db.each(ctx, func(ctx context.Context, n *node) error { return db.publishOn(ctx, n, build, zone.String()) })
	}
	return fault.Wrap(err, "publish views of "+build)
}

// guard makes views refuse questions that began before a second, as long as uptime() is in a range: it does not turn
// back with the clock, so that a clock that does prolongs no refusal.
type guard struct{ since, first, last uint32 }

const (
	// endOfTime is a second before which every question begins.
	endOfTime = math.MaxUint32
	// longestQuestion is more seconds than an analyst's question may take, see access.
	longestQuestion = 120
)

func (db *DB) publishOn(ctx context.Context, n *node, build, zone string) error {
	if err := n.exec(ctx, "CREATE DATABASE IF NOT EXISTS "+db.views); err != nil {
		return err
	}
	// Views of earlier versions would point at a build that goes.
	if err := n.exec(ctx, "DROP VIEW IF EXISTS "+db.views+".labels"); err != nil {
		return err
	}
	replace := func(g guard) error {
		return db.runFiles(ctx, n, "clickhouse/view_*.sql", build, db.Database(build), zone, g.in)
	}
	c, err := n.server()
	if err != nil {
		return err
	}
	var others uint64
	var present guard
	err = c.QueryRow(ctx, `SELECT countIf(position(as_select, {tables:String}) = 0), max(toUInt32OrZero(extract(as_select, 'initialQueryStartTime\\(\\)\\) < ([0-9]+)'))),
			max(toUInt32OrZero(extract(as_select, 'uptime\\(\\) >= ([0-9]+)')))
		FROM system.tables WHERE database = {views:String} AND engine = 'View'`,
		clickhouse.Named("tables", db.Database(build)+"."), clickhouse.Named("views", db.views)).Scan(&others, &present.since, &present.first)
	if err != nil {
		return fmt.Errorf("read the present views: %w", err)
	}
	if others == 0 && present.since != endOfTime {
		present.last = present.first + longestQuestion
		return replace(present)
	}
	// A question may have resolved views of the build before, until the last one is replaced.
	if err := replace(guard{since: endOfTime, last: endOfTime}); err != nil {
		return err
	}
	var from guard
	err = c.QueryRow(ctx, "SELECT toUInt32(toUnixTimestamp(now()) + 1), toUInt32(uptime()), toUInt32(uptime() + {longest:UInt32})",
		clickhouse.Named("longest", uint32(longestQuestion))).Scan(&from.since, &from.first, &from.last)
	if err != nil {
		return fmt.Errorf("ask for the time: %w", err)
	}
	if err := replace(from); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Second):
		return nil
	}
}

// conditions are where a view's own begin, or would: its definition has those of subqueries further right.
var conditions = regexp.MustCompile(`\n(?:WHERE |(?:GROUP BY|SETTINGS|COMMENT) )`)

// in puts the guard into a view. All views of a question see one beginning, which is not so of now(). A subquery is
// also asked where no row is read.
func (g guard) in(view string) string {
	head, definition, _ := strings.Cut(view, "\nAS ")
	at := conditions.FindStringIndex(definition)
	condition := fmt.Sprintf("\nWHERE NOT (SELECT throwIf(toUnixTimestamp(initialQueryStartTime()) < %d AND uptime() BETWEEN %d AND %d, 'the views change over to another build: ask again in a second'))",
		g.since, g.first, g.last)
	rest := definition[at[0]:]
	if after, own := strings.CutPrefix(rest, "\nWHERE "); own {
		rest = " AND " + after
	}
	return head + "\nAS " + definition[:at[0]] + condition + rest
}
