package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/projections/builds"
)

// Gaps implements [builds.RefilledTables].
func (db *DB) Gaps(ctx context.Context, address string) (gaps []builds.Gap, err error) {
	if db.cluster.Name == "" {
		return nil, errors.New("BITACORA_CLICKHOUSE_CLUSTER names no cluster, and one server has no replica to be filled from")
	}
	if address != "" && db.at(address) == nil {
		return nil, fmt.Errorf("BITACORA_CLICKHOUSE_URL names no node %s", address)
	}
	names, err := db.BuildNames(ctx)
	if err != nil {
		return nil, err
	}
	for _, build := range names {
		list, err := db.holdings(ctx, build)
		if err != nil {
			return nil, fmt.Errorf("look for build %s: %w", build, err)
		}
		gaps = append(gaps, db.gapsOf(build, list, address)...)
	}
	return gaps, nil
}

// gapsOf lists what nodes lack of a build, or all that the node with an address has of it.
func (db *DB) gapsOf(build string, list []holding, address string) (gaps []builds.Gap) {
	if !isFilled(list) {
		return nil
	}
	whole := db.whole(list)
	for _, n := range db.nodes {
		if address == "" && whole[n] || address != "" && n.address() != address {
			continue
		}
		g := builds.Gap{Build: build, Node: n.address()}
		if from := db.sister(n, whole); from != nil {
			g.From = from.address()
		}
		gaps = append(gaps, g)
	}
	return gaps
}

// at is the node with an address; nil where there is none.
func (db *DB) at(address string) *node {
	i := slices.IndexFunc(db.nodes, func(n *node) bool { return n.address() == address })
	if i < 0 {
		return nil
	}
	return db.nodes[i]
}

// Refill implements [builds.RefilledTables]. While a node lacks the tables, nothing that is inserted
// is acknowledged: so what is copied from the other replica is all that there is, but for rows that
// will be written once more to both. That the node has its own rows again comes last: whoever finds
// them finds all that belongs to them.
func (db *DB) Refill(ctx context.Context, g builds.Gap, show func(done, total int64)) (err error) {
	to, from := db.at(g.Node), db.at(g.From)
	if to == nil || from == nil {
		return fmt.Errorf("refill build %s of node %s: no node is called %q", g.Build, g.Node, g.From)
	}
	remove := func(ctx context.Context, database string) error {
		return to.exec(ctx, "DROP DATABASE IF EXISTS "+database+" SYNC")
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("refill build %s of node %s: %w", g.Build, g.Node, err)
			// What cannot be removed now, the next refill or erasure removes.
			_ = remove(context.WithoutCancel(ctx), db.refilled(g.Build))
		}
	}()
	for _, database := range db.databases(g.Build) {
		if err := remove(ctx, database); err != nil {
			return err
		}
	}
	if err := db.quiet(ctx, g.Build, time.Now()); err != nil {
		return err
	}
	if err := db.copyTables(ctx, from, to, g.Build); err != nil {
		return err
	}
	if err := db.copyRows(ctx, from, to, g.Build, show); err != nil {
		return err
	}
	if g.Views {
		zone, err := db.Zone(ctx, g.Build)
		if err == nil {
			err = db.publishOn(ctx, to, g.Build, zone.String())
		}
		if err != nil {
			return fmt.Errorf("publish views: %w", err)
		}
	}
	return to.exec(ctx, "RENAME DATABASE "+db.refilled(g.Build)+" TO "+db.local(g.Build))
}

// copyTables makes the tables of a build as the other replica has them, whichever version of this
// program made them: those with rows of their own in the database in which they are refilled.
func (db *DB) copyTables(ctx context.Context, from, to *node, build string) error {
	if err := db.createDatabase(ctx, to, db.refilled(build)); err != nil {
		return err
	}
	if err := to.exec(ctx, "CREATE DATABASE IF NOT EXISTS "+db.Database(build)); err != nil {
		return err
	}
	for database, into := range map[string]string{db.local(build): db.refilled(build), db.Database(build): db.Database(build)} {
		var statements []string
		err := db.readerOf(from, build).row(ctx, "SELECT groupArray(create_table_query) FROM system.tables WHERE database = {database:String}",
			[]any{clickhouse.Named("database", database)}, &statements)
		for _, statement := range statements {
			if err == nil {
				err = to.exec(ctx, strings.Replace(statement, "CREATE TABLE "+database+".", "CREATE TABLE IF NOT EXISTS "+into+".", 1))
			}
		}
		if err != nil {
			return fmt.Errorf("make the tables of %s: %w", database, err)
		}
	}
	return nil
}

// quietPause is how soon it is looked again whether insertions have ended.
const quietPause = 100 * time.Millisecond

// quiet waits for the end of every insertion that began before the tables were removed from a node:
// it may have written that node and not yet the other.
func (db *DB) quiet(ctx context.Context, build string, removed time.Time) error {
	for {
		running, err := ofEach(ctx, db, func(ctx context.Context, n *node) (count uint64, err error) {
			c, err := n.server()
			if err == nil {
				err = c.QueryRow(ctx, `SELECT count() FROM system.processes
					WHERE query_kind = 'Insert' AND has({databases:Array(String)}, current_database) AND elapsed > {since:Float64}`,
					clickhouse.Named("databases", db.databases(build)), clickhouse.Named("since", time.Since(removed).Seconds())).Scan(&count)
			}
			return count, err
		})
		if err != nil || slices.Max(running) == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(quietPause):
		}
	}
}

// copied is the format of rows on their way. The driver asks for Native in a way that servers write
// and do not read again.
const copied = "RowBinaryWithNamesAndTypes"

// chunk is what is copied at once: what a table holds of a month.
type chunk struct {
	Table, Partition string
	Rows             uint64
}

// copyRows copies a build's rows, merged, into the database in which they are refilled: which of two
// rows of the same version counts is decided by the order in which they came. What a node says of
// itself comes first, so that it claims no rows that come later. Where ClickHouse copies rows itself,
// it is waited for.
func (db *DB) copyRows(ctx context.Context, from, to *node, build string, show func(done, total int64)) error {
	source, err := from.conn(db.local(build))
	if err != nil {
		return err
	}
	target, err := to.conn(db.refilled(build))
	if err != nil {
		return err
	}
	chunks, err := rows(ctx, db.readerOf(from, build), `SELECT table, partition_id AS partition, sum(rows) AS rows FROM system.parts
		WHERE active AND database = currentDatabase() GROUP BY table, partition ORDER BY table NOT IN ('applied', 'build'), table, partition`, nil, byName[chunk])
	if err != nil {
		return err
	}
	var done, total int64
	for _, c := range chunks {
		total += int64(c.Rows)
	}
	for _, c := range chunks {
		if db.cluster.Keeper && !ownWords[c.Table] {
			if err := target.Exec(ctx, "SYSTEM SYNC REPLICA "+c.Table); err != nil {
				return fmt.Errorf("wait for %s: %w", c.Table, err)
			}
		} else {
			data, err := source.QueryFormat(ctx, copied, "SELECT * FROM "+c.Table+" FINAL WHERE _partition_id = '"+c.Partition+"'")
			if err == nil {
				err = errors.Join(target.InsertFormat(ctx, copied, "INSERT INTO "+c.Table, data), data.Close())
			}
			if err != nil {
				return fmt.Errorf("copy %s: %w", c.Table, err)
			}
		}
		done += int64(c.Rows)
		show(done, total)
	}
	return nil
}
