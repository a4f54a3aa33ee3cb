package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/domain/fault"
	"bitacora/projections"
	"bitacora/projections/builds"
)

// Origin reads from what a build was made; ok is false where there is no such build, or
// where that was not noted yet. Of a cluster, the oldest note counts: that of all nodes is to be the
// same, and before all have one, there is none. See [ErrLost].
func (db *DB) Origin(ctx context.Context, build string) (o builds.Origin, ok bool, err error) {
	list, err := db.holdings(ctx, build)
	db.noteDamaged(build, err)
	if err == nil {
		err = db.lost(build, list)
	}
	if damaged := db.Damaged(build); damaged != nil {
		err = damaged
	}
	if err != nil {
		return builds.Origin{}, false, fmt.Errorf("read origin of build %s: %w", build, err)
	}
	var oldest *holding
	for i, h := range list {
		switch {
		case h.away || !h.noted && isFilled(list): // what is lost is filled
		case !h.noted:
			return builds.Origin{}, false, nil
		case oldest == nil || h.notedAt.Before(oldest.notedAt):
			oldest = &list[i]
		}
	}
	return oldest.origin, true, nil
}

// SetOrigin notes from which log and by which version a build was made; the latest note counts.
func (db *DB) SetOrigin(ctx context.Context, build, epoch string, version int) error {
	err := db.each(ctx, func(ctx context.Context, n *node) error {
		return own{db, n, build}.note(ctx, builds.Origin{Epoch: epoch, Version: version})
	})
	return fault.Wrap(err, "note origin of build "+build)
}

// Zone is that of the days, hours and months of a build's tables.
func (db *DB) Zone(ctx context.Context, build string) (*time.Location, error) {
	if zone, ok := db.zones.Load(build); ok {
		return zone.(*time.Location), nil
	}
	var zone *time.Location
	err := db.located(ctx)
	if err == nil {
		err = db.anywhere(ctx, func(ctx context.Context, n *node) error {
			conn, err := own{db, n, build}.conn()
			if err != nil {
				return err
			}
			var h holding
			if err := h.scan(conn.QueryRow(abandonable(ctx), originSQL)); err != nil {
				return err
			}
			zone, err = time.LoadLocation(h.origin.Zone)
			return err
		})
	}
	if err != nil {
		return nil, fmt.Errorf("read zone of build %s: %w", build, err)
	}
	db.zones.Store(build, zone)
	return zone, nil
}

// Coverage asks the tables of a build themselves: of a cluster, those of every node that answers. The copy
// counts that holds most, which is what all its nodes hold.
func (db *DB) Coverage(ctx context.Context, build string) (all builds.Coverage, err error) {
	if err := db.locate(ctx); err != nil {
		return all, fmt.Errorf("find coverage of build %s: %w", build, err)
	}
	found, errs := gather(db.cluster.patient(ctx), db, db.nodes, func(ctx context.Context, n *node) (builds.Coverage, error) { return own{db, n, build}.coverage(ctx) })
	if !db.anyCopy(func(i int) bool { return errs[i] == nil }) {
		err = errors.Join(errs...)
		if damaged := db.Damaged(build); damaged != nil {
			err = damaged
		} else if missing(err) && db.cluster.Name == "" {
			err = fmt.Errorf("%w: %w", builds.ErrIncomplete, err)
		}
		return builds.Coverage{}, fmt.Errorf("find coverage of build %s: %w", build, err)
	}
	all.Applied = -1
	for _, nodes := range db.copies() {
		if slices.ContainsFunc(nodes, func(i int) bool { return errs[i] != nil }) {
			continue
		}
		least := found[nodes[0]]
		for _, i := range nodes {
			c := found[i]
			if c.Applied < least.Applied || c.Applied == least.Applied && c.Retried < least.Retried {
				least.Applied, least.Node = c.Applied, c.Node
			}
			least.Retried, all.Last = min(least.Retried, c.Retried), max(all.Last, c.Last)
			for j, event := range c.Events {
				if !slices.Contains(all.Events, event) {
					all.Positions, all.Events = append(all.Positions, c.Positions[j]), append(all.Events, event)
				}
			}
		}
		if least.Applied > all.Applied || least.Applied == all.Applied && least.Retried > all.Retried {
			all.Applied, all.Retried, all.Node = least.Applied, least.Retried, least.Node
		}
	}
	return all, nil
}

// BuildNames lists the builds whose databases exist on the server, or on any node of a cluster.
func (db *DB) BuildNames(ctx context.Context) ([]string, error) {
	found, err := ofEach(ctx, db, db.buildNamesOn)
	if err != nil {
		return nil, fmt.Errorf("list builds: %w", err)
	}
	names := slices.Concat(found...)
	slices.Sort(names)
	return slices.Compact(names), nil
}

func (db *DB) buildNamesOn(ctx context.Context, n *node) (names []string, err error) {
	conn, err := n.server()
	if err != nil {
		return nil, err
	}
	rows, err := conn.Query(ctx, "SELECT name FROM system.databases WHERE startsWith(name, {prefix:String})",
		clickhouse.Named("prefix", db.Database("")))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		if build := db.buildOf(name); buildName.MatchString(build) {
			names = append(names, build)
		}
	}
	return names, rows.Err()
}

// buildOf is the name of the build that one of its databases is of.
func (db *DB) buildOf(database string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(database, db.Database("")), shardSuffix)
	return strings.TrimSuffix(name, copySuffix)
}

// Running describes the longest statement that runs on a build's tables; empty when none does. Of
// a cluster, it is one on any node that answers.
func (db *DB) Running(ctx context.Context, build string) (string, error) {
	type running struct {
		statement string
		elapsed   float64
	}
	found, errs := gather(ctx, db, db.nodes, func(ctx context.Context, n *node) (r running, err error) {
		conn, err := n.server()
		if err != nil {
			return r, err
		}
		err = conn.QueryRow(ctx, `SELECT argMax(concat(toString(round(elapsed, 1)), ' s: ', substring(query, 1, 80)), elapsed), max(elapsed)
			FROM system.processes WHERE has({databases:Array(String)}, current_database)`,
			clickhouse.Named("databases", db.databases(build))).Scan(&r.statement, &r.elapsed)
		return r, err
	})
	longest, answered := running{}, false
	for i, r := range found {
		if errs[i] == nil && (!answered || r.elapsed > longest.elapsed) {
			longest, answered = r, true
		}
	}
	if !answered {
		return "", fmt.Errorf("list running statements: %w", errors.Join(errs...))
	}
	return longest.statement, nil
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
