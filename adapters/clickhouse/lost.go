package clickhouse

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/projections/builds"
	"bitacora/schema"
)

// ErrLost is the error of a build of which a node of the cluster lacks its rows, or has those of
// another, and nobody fills it: its tables would be read as if they held nothing.
var ErrLost = fmt.Errorf("%w: not every node of the cluster holds its rows", builds.ErrMismatch)

// holding is what a node has of a build.
type holding struct {
	// away: the node does not answer.
	away bool
	// tables is how many it has, rowsOf whose rows they are.
	tables uint64
	rowsOf string
	// filled says that some of the log was applied to it.
	filled bool
	// noted says that the origin was; its zone is known before.
	noted   bool
	notedAt time.Time
	origin  builds.Origin
}

//go:embed builds/origin.sql
var originSQL string

// scan reads an answer to originSQL.
func (h *holding) scan(row driver.Row) error {
	var version uint32
	err := row.Scan(&h.origin.Epoch, &version, &h.origin.Zone, &h.notedAt, &h.noted)
	h.origin.Version = int(version)
	return err
}

// holdings asks every node, in the order of db.nodes. Where all nodes of a copy answer, those of others may be away.
func (db *DB) holdings(ctx context.Context, build string) ([]holding, error) {
	if err := db.locate(ctx); err != nil {
		return nil, err
	}
	list, errs := gather(db.cluster.patient(ctx), db, db.nodes, func(ctx context.Context, n *node) (holding, error) { return own{db, n, build}.holding(ctx) })
	for i, err := range errs {
		list[i].away = err != nil
	}
	if db.anyCopy(func(i int) bool { return errs[i] == nil }) {
		return list, nil
	}
	return list, errors.Join(errs...)
}

// tablesOfBuild is how many there are.
var tablesOfBuild = func() uint64 {
	files, err := schema.ClickHouse.ReadDir("clickhouse")
	if err != nil {
		panic("clickhouse: " + err.Error()) // they are part of the program
	}
	n := uint64(0)
	for _, file := range files {
		if strings.HasPrefix(file.Name(), "table_") {
			n++
		}
	}
	return n
}()

// whole says which nodes of a cluster have all of a build that is theirs to have. A build of an
// earlier version may have fewer tables than those of now.
func (db *DB) whole(list []holding) map[*node]bool {
	most := uint64(0)
	for _, h := range list {
		most = max(most, h.tables)
	}
	whole := map[*node]bool{}
	for i, h := range list {
		whole[db.nodes[i]] = h.noted && h.tables >= min(most, tablesOfBuild) && h.rowsOf == db.rowsOf(db.nodes[i])
	}
	return whole
}

// sister is another replica of a node's shard that has its rows of a build; nil where none has.
func (db *DB) sister(of *node, whole map[*node]bool) *node {
	for _, n := range db.nodes {
		if n != of && n.place.shard == of.place.shard && whole[n] {
			return n
		}
	}
	return nil
}

// isFilled says whether any of the log was applied to a build: before, no node has lost anything.
func isFilled(list []holding) bool {
	return slices.ContainsFunc(list, func(h holding) bool { return h.noted && h.filled })
}

// lost says which nodes have lost what others have, and what to do; nil where none has, and where each can be filled.
func (db *DB) lost(build string, list []holding) error {
	if db.cluster.Name == "" {
		return nil
	}
	var errs []error
	whole, filled := db.whole(list), isFilled(list)
	for i, h := range list {
		n := db.nodes[i]
		refilled := db.cluster.apart() && db.sister(n, whole) != nil
		switch {
		case whole[n], h.away:
		case h.tables > 0 && h.rowsOf != db.rowsOf(n):
			mend := "bitacora rebuild"
			if refilled {
				mend = "bitacora cluster refill " + n.address()
			}
			errs = append(errs, fmt.Errorf("node %s holds build %s as %s, and is %s now: %s", n.address(), build, h.rowsOf, db.rowsOf(n), mend))
		case !filled, refilled:
		case db.sister(n, whole) != nil:
			errs = append(errs, fmt.Errorf("node %s (%s) lacks its rows of build %s: bitacora rebuild", n.address(), n.place, build))
		default:
			errs = append(errs, fmt.Errorf("node %s (%s) lacks its rows of build %s, as all of its shard do: bitacora rebuild", n.address(), n.place, build))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrLost, errors.Join(errs...))
}
