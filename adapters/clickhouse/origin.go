package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/projections"
	"bitacora/projections/builds"
)

// Origin reads which log a build was made from; ok is false where there is no such build, or
// where that was not noted yet.
func (db *DB) Origin(ctx context.Context, build string) (o builds.Origin, ok bool, err error) {
	conn, err := db.conn(db.Database(build))
	if err != nil {
		return builds.Origin{}, false, err
	}
	var version uint32
	rows, err := conn.Query(ctx, "SELECT toString(epoch), version FROM build FINAL")
	if missing(err) {
		return builds.Origin{}, false, nil
	}
	if err != nil {
		return builds.Origin{}, false, fmt.Errorf("read origin of build %s: %w", build, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&o.Epoch, &version); err != nil {
			return builds.Origin{}, false, fmt.Errorf("read origin of build %s: %w", build, err)
		}
		o.Version, ok = int(version), true
	}
	return o, ok, rows.Err()
}

// SetOrigin notes which log a build was made from; the latest note counts.
func (db *DB) SetOrigin(ctx context.Context, build string, o builds.Origin) error {
	conn, err := db.conn(db.Database(build))
	if err != nil {
		return err
	}
	err = conn.Exec(ctx, "INSERT INTO build (epoch, version) SELECT toUUID({epoch:String}), {version:UInt32}",
		clickhouse.Named("epoch", o.Epoch), clickhouse.Named("version", uint32(o.Version)))
	if err != nil {
		return fmt.Errorf("note origin of build %s: %w", build, err)
	}
	return nil
}

// Coverage asks the tables of a build themselves.
func (db *DB) Coverage(ctx context.Context, build string) (builds.Coverage, error) {
	var applied, end uint64
	err := db.Reader(build).row(ctx, appliedSQL, nil, &applied)
	for _, c := range append([]compared{{table: "applied", position: "last"}}, comparedTables...) {
		if err != nil {
			break
		}
		var last uint64
		err = db.Reader(build).row(ctx, "SELECT max("+c.position+") FROM "+c.table, nil, &last)
		end = max(end, last)
	}
	found := builds.Coverage{Applied: int64(applied), Last: int64(end)}
	if err == nil {
		err = db.Reader(build).row(ctx, endsSQL, nil, &found.Positions, &found.Events, &found.Retried)
	}
	if err != nil {
		return builds.Coverage{}, fmt.Errorf("find coverage of build %s: %w", build, err)
	}
	return found, nil
}

// BuildNames lists the builds whose databases exist on the server.
func (db *DB) BuildNames(ctx context.Context) ([]string, error) {
	conn, err := db.server()
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, "SELECT name FROM system.databases WHERE startsWith(name, {prefix:String})",
		clickhouse.Named("prefix", db.Database("")))
	if err != nil {
		return nil, fmt.Errorf("list builds: %w", err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("list builds: %w", err)
		}
		if build := strings.TrimPrefix(name, db.Database("")); buildName.MatchString(build) {
			names = append(names, build)
		}
	}
	return names, rows.Err()
}

// Running describes the longest statement that runs on a build's tables; empty when none does.
func (db *DB) Running(ctx context.Context, build string) (string, error) {
	conn, err := db.server()
	if err != nil {
		return "", err
	}
	var statement string
	err = conn.QueryRow(ctx, `SELECT argMax(concat(toString(round(elapsed, 1)), ' s: ', substring(query, 1, 80)), elapsed)
		FROM system.processes WHERE current_database = {database:String}`, clickhouse.Named("database", db.Database(build))).Scan(&statement)
	if err != nil {
		return "", fmt.Errorf("list running statements: %w", err)
	}
	return statement, nil
}

// Codes of the server's errors.
const (
	unknownTable    = 60
	unknownDatabase = 81
)

func missing(err error) bool {
	var e *clickhouse.Exception
	return errors.As(err, &e) && (e.Code == unknownTable || e.Code == unknownDatabase)
}

// atFault are the codes by which the server refuses rows for what they say.
var atFault = map[int32]bool{
	6:   true, // CANNOT_PARSE_TEXT
	27:  true, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
	53:  true, // TYPE_MISMATCH
	69:  true, // ARGUMENT_OUT_OF_BOUND
	117: true, // INCORRECT_DATA
	128: true, // TOO_LARGE_ARRAY_SIZE
	131: true, // TOO_LARGE_STRING_SIZE
	321: true, // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
	469: true, // VIOLATED_CONSTRAINT
}

// blame marks an error for which the rows themselves are the reason.
func blame(err error) error {
	var e *clickhouse.Exception
	if errors.As(err, &e) && atFault[e.Code] {
		return fmt.Errorf("%w: %w", projections.ErrUnstorable, err)
	}
	return err
}
