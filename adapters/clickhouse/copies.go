package clickhouse

import (
	"context"
	"errors"
	"slices"
	"time"

	"bitacora/domain/fault"
	"bitacora/projections/builds"
)

// Copies are those that a cluster without Keeper has of all rows: each is the replicas of one number of every shard. The
// program divides the rows and writes each copy itself, and a question is answered by one of them.
type Copies struct{ db *DB }

// CopiesOf gives those of a cluster; ok is false where ClickHouse copies rows itself, and of a server alone.
func CopiesOf(db *DB) (c Copies, ok bool) { return Copies{db}, db.cluster.apart() }

// copies are the nodes, as indexes of db.nodes, that hold all rows together. Where the program does not write several
// copies, all nodes are one.
func (db *DB) copies() [][]int {
	list := make([][]int, max(1, db.replicas()))
	for i, n := range db.nodes {
		of := 0
		if db.cluster.apart() {
			of = int(n.place.replica) - 1
		}
		list[of] = append(list[of], i)
	}
	return slices.DeleteFunc(list, func(nodes []int) bool { return len(nodes) == 0 })
}

// anyCopy says whether all nodes of one are as ok says.
func (db *DB) anyCopy(ok func(node int) bool) bool {
	return slices.ContainsFunc(db.copies(), func(nodes []int) bool {
		return !slices.ContainsFunc(nodes, func(i int) bool { return !ok(i) })
	})
}

// nodePatience is how long a node may give no sign of life before another copy does without it.
const nodePatience = 4 * time.Second

// patient gives up nodes that hang where another copy may do without them.
func (c Cluster) patient(ctx context.Context) context.Context {
	if !c.apart() || ctx.Value(patienceKey{}) != nil {
		return ctx
	}
	return WithPatience(ctx, nodePatience)
}

// errBehind: a node's copy holds less than what is asked for.
var errBehind = errors.New("a copy holds less of the log than it must")

// hold says why a node cannot answer what holds up to a position: all of its copy must have that. What
// is read of another shard comes from a node of the copy, see [DB.local].
func (c Copies) hold(ctx context.Context, n *node, build string, position int64) error {
	var nodes []*node
	for _, of := range c.db.nodes {
		if of.place.replica == n.place.replica {
			nodes = append(nodes, of)
		}
	}
	_, errs := gather(ctx, c.db, nodes, func(ctx context.Context, n *node) (h held, err error) {
		h, err = own{c.db, n, build}.held(ctx)
		if err == nil && h.through < position {
			err = errBehind
		}
		return h, err
	})
	return errors.Join(errs...)
}

// Behind implements [builds.CopiedTables].
func (c Copies) Behind(ctx context.Context, build string, position, retried int64) (list []builds.Lack, err error) {
	if err := c.db.locate(ctx); err != nil || c.db.replicas() == 1 { // where nobody has its rows, a build is lost
		return nil, err
	}
	found, errs := gather(c.db.cluster.patient(ctx), c.db, c.db.nodes, func(ctx context.Context, n *node) (held, error) {
		return own{c.db, n, build}.held(ctx)
	})
	for i, n := range c.db.nodes {
		if missing(errs[i]) {
			list = append(list, builds.Lack{Node: n.address(), Lost: true})
		} else if after, lacks := found[i].lacks(position, retried); errs[i] == nil && lacks {
			list = append(list, builds.Lack{Node: n.address(), After: after})
		}
	}
	return list, nil
}

// Prepare implements [builds.CopiedTables].
func (c Copies) Prepare(ctx context.Context, build, address string, live bool) error {
	on := own{c.db, c.db.at(address), build}
	o, _, err := c.db.Origin(ctx, build)
	if err == nil {
		err = c.db.createRows(ctx, on.n, build, o.Zone)
	}
	if err == nil {
		err = c.db.distribute(ctx, on.n, build)
	}
	if err == nil {
		err = on.note(ctx, o)
	}
	if err == nil && live {
		err = c.db.publishOn(ctx, on.n, build, o.Zone)
	}
	return fault.Wrap(err, "make the tables of build "+build+" on node "+address)
}

// Writer implements [builds.CopiedTables].
func (c Copies) Writer(build, address string) builds.RetryWriter {
	return &Writer{db: c.db, build: build, only: c.db.at(address)}
}

// Follower is a [Writer] for batches that come one after the other: a node that is away is left out as
// long as one copy has all rows. [Copies.Behind] lists what such a node lacks later.
func (c Copies) Follower(build string) *Writer {
	return &Writer{db: c.db, build: build, spares: true, failed: map[*node]bool{}}
}

// Blank is [DB.Blank] on one node.
func (c Copies) Blank(ctx context.Context, build, address string, conversations []string) error {
	if len(conversations) == 0 {
		return nil
	}
	_, err := c.db.blankOn(ctx, c.db.at(address), build, conversations)
	return err
}
