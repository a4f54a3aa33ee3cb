package clickhouse

import (
	"context"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/projections"
	"bitacora/projections/builds"
)

// own is what a node holds itself of a build.
type own struct {
	db    *DB
	n     *node
	build string
}

func (o own) conn() (driver.Conn, error) { return o.n.conn(o.db.local(o.n, o.build)) }

// holding looks what there is, under any name that the tables may have.
func (o own) holding(ctx context.Context) (h holding, err error) {
	conn, err := o.conn()
	if err != nil {
		return h, err
	}
	err = h.scan(conn.QueryRow(ctx, originSQL))
	if missing(err) && o.db.cluster.apart() {
		if renamed, failed := o.rename(ctx); failed != nil {
			return h, failed
		} else if renamed {
			return o.holding(ctx)
		}
	}
	if missing(err) {
		return h, nil
	}
	if err != nil || o.db.cluster.Name == "" {
		return h, err
	}
	server, err := o.n.server()
	if err != nil {
		return h, err
	}
	err = server.QueryRow(ctx, `SELECT (SELECT any(comment) FROM system.databases WHERE name = {database:String}),
		(SELECT count() FROM system.tables WHERE database = {database:String}),
		(SELECT count() > 0 FROM system.parts WHERE active AND database = {database:String} AND table = 'applied')::Bool`,
		clickhouse.Named("database", o.db.local(o.n, o.build))).Scan(&h.rowsOf, &h.tables, &h.filled)
	return h, err
}

// rename gives the rows the name that is theirs now: programs of earlier versions had one for all copies, and replicas
// change places. Readers find the tables again a moment later.
func (o own) rename(ctx context.Context) (renamed bool, err error) {
	server, err := o.n.server()
	if err != nil {
		return false, err
	}
	read, local := o.db.Database(o.build), o.db.local(o.n, o.build)
	var former string
	err = server.QueryRow(ctx, `SELECT any(name) FROM system.databases WHERE match(name, {names:String}) AND comment = {rows:String}
		AND {local:String} NOT IN (SELECT name FROM system.databases)`,
		clickhouse.Named("names", "^"+read+shardSuffix+"[0-9]*$"), clickhouse.Named("rows", o.db.rowsOf(o.n)),
		clickhouse.Named("local", local)).Scan(&former)
	if err != nil || former == "" {
		return false, err
	}
	// Its tables name the rows' database.
	if err := o.n.exec(ctx, "DROP DATABASE IF EXISTS "+read+" SYNC"); err != nil {
		return false, err
	}
	if err := o.n.exec(ctx, "RENAME DATABASE "+former+" TO "+local); err != nil {
		return false, err
	}
	return true, o.db.distribute(ctx, o.n, o.build)
}

// note notes from what the build was made.
func (o own) note(ctx context.Context, of builds.Origin) error {
	conn, err := o.conn()
	if err != nil {
		return err
	}
	return conn.Exec(ctx, "INSERT INTO build (epoch, version) SELECT toUUID({epoch:String}), {version:UInt32}",
		clickhouse.Named("epoch", of.Epoch), clickhouse.Named("version", uint32(of.Version)))
}

// held is how much of the log a node has of its shard: all up to a position, and of what was parked and
// applied later the retries up to one.
type held struct{ through, retried int64 }

// lacks says what a node has to be given of the log to hold as much.
func (h held) lacks(position, retried int64) (after int64, lacks bool) {
	if h.retried < retried { // what was retried lies anywhere
		return 0, true
	}
	return h.through, h.through < position
}

func (o own) held(ctx context.Context) (h held, err error) {
	conn, err := o.conn()
	if err != nil {
		return h, err
	}
	var through uint64
	err = conn.QueryRow(ctx, "SELECT ("+appliedSQL+"), (SELECT toInt64(max(retried)) FROM applied)").Scan(&through, &h.retried)
	h.through = int64(through)
	return h, err
}

// applied notes a run, and gives up to where the node holds the log then.
func (o own) applied(ctx context.Context, r projections.Range, last string) (int64, error) {
	conn, err := o.conn()
	if err == nil {
		err = conn.Exec(ctx, strings.Replace(applySQL, "{applied}", appliedSQL, 1),
			clickhouse.Named("first", r.First), clickhouse.Named("last", r.Last), clickhouse.Named("event", last))
	}
	if err != nil {
		return 0, err
	}
	h, err := o.held(ctx)
	return h.through, err
}

// retried notes, as durably as rows, that those of a retry of what was parked are stored.
func (o own) retried(ctx context.Context, retry int64) error {
	conn, err := o.conn()
	if err != nil {
		return err
	}
	return conn.Exec(ctx, "INSERT INTO applied (first, retried) SELECT 1, {retry:UInt64}", clickhouse.Named("retry", retry))
}

// coverage asks the tables.
func (o own) coverage(ctx context.Context) (found builds.Coverage, err error) {
	var applied, end uint64
	reader := o.db.readerOf(o.n, o.build)
	if err = reader.row(ctx, appliedSQL, nil, &applied); err != nil {
		return found, err
	}
	positions := []string{"SELECT max(last) AS position FROM applied"}
	for _, c := range comparedTables {
		positions = append(positions, "SELECT max("+c.position+") FROM "+c.table)
	}
	if err = reader.row(ctx, "SELECT max(position) FROM ("+strings.Join(positions, " UNION ALL ")+")", nil, &end); err != nil {
		return found, err
	}
	found.Applied, found.Last = int64(applied), int64(end)
	if o.db.cluster.Name != "" {
		found.Node = o.n.address()
	}
	err = reader.row(ctx, endsSQL, nil, &found.Positions, &found.Events, &found.Retried)
	return found, err
}
