package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/projections"
)

// Origin says which log a build was made from, and by which version of the projections.
type Origin struct {
	Epoch   string
	Version int
}

// Origin reads a build's mark; ok is false where there is no such build or it bears none.
func (db *DB) Origin(ctx context.Context, build string) (m Origin, ok bool, err error) {
	conn, err := db.conn(db.Database(build))
	if err != nil {
		return Origin{}, false, err
	}
	var version uint32
	rows, err := conn.Query(ctx, "SELECT toString(epoch), version FROM build FINAL")
	if missing(err) {
		return Origin{}, false, nil
	}
	if err != nil {
		return Origin{}, false, fmt.Errorf("read mark of build %s: %w", build, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&m.Epoch, &version); err != nil {
			return Origin{}, false, fmt.Errorf("read mark of build %s: %w", build, err)
		}
		m.Version, ok = int(version), true
	}
	return m, ok, rows.Err()
}

// SetOrigin marks a build; the latest mark counts.
func (db *DB) SetOrigin(ctx context.Context, build string, m Origin) error {
	conn, err := db.conn(db.Database(build))
	if err != nil {
		return err
	}
	err = conn.Exec(ctx, "INSERT INTO build (epoch, version) SELECT toUUID({epoch:String}), {version:UInt32}",
		clickhouse.Named("epoch", m.Epoch), clickhouse.Named("version", uint32(m.Version)))
	if err != nil {
		return fmt.Errorf("mark build %s: %w", build, err)
	}
	return nil
}

// Coverage is how far the tables of a build go along the log.
type Coverage struct {
	// Applied is up to where they hold all of it, see [Writer.Applied].
	Applied int64
	// Last is the last position that anything in them tells of.
	Last int64
	// Positions are the ends of the runs that they hold, Events the ids of the events there.
	Positions []int64
	Events    []string
	// Retried is the latest retry that was noted, see [Writer.Retried].
	Retried int64
}

// Coverage asks the tables of a build themselves.
func (db *DB) Coverage(ctx context.Context, build string) (Coverage, error) {
	var applied, reach uint64
	err := db.Reader(build).row(ctx, appliedSQL, nil, &applied)
	for _, c := range append([]compared{{table: "applied", position: "last"}}, comparedTables...) {
		if err != nil {
			break
		}
		var last uint64
		err = db.Reader(build).row(ctx, "SELECT max("+c.position+") FROM "+c.table, nil, &last)
		reach = max(reach, last)
	}
	found := Coverage{Applied: int64(applied), Last: int64(reach)}
	if err == nil {
		err = db.Reader(build).row(ctx, endsSQL, nil, &found.Positions, &found.Events, &found.Retried)
	}
	if err != nil {
		return Coverage{}, fmt.Errorf("find reach of build %s: %w", build, err)
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
