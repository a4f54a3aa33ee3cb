package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"sync"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/domain/fault"
)

// Cluster is how several servers share the rows of a build.
type Cluster struct {
	// Name is the cluster's in remote_servers of every node; empty for a server alone.
	Name string
	// Keeper makes the tables Replicated ones, which need ClickHouse Keeper. Without it the program
	// writes every replica, see [Copies].
	Keeper bool
}

// clusterName is how a cluster may be called, so that it need not be quoted.
var clusterName = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

func (c Cluster) check(addresses []string) error {
	switch {
	case c.Name == "" && len(addresses) > 1:
		return fmt.Errorf("the URL names %d servers, which need the name of their cluster", len(addresses))
	case c.Name != "" && !clusterName.MatchString(c.Name):
		return fmt.Errorf("%q is no name of a cluster", c.Name)
	}
	return nil
}

// apart says whether the program writes several copies itself, see [Copies].
func (c Cluster) apart() bool { return c.Name != "" && !c.Keeper }

// settings hold for every statement to a cluster.
func (c Cluster) settings() clickhouse.Settings {
	if c.Name == "" {
		return nil
	}
	return clickhouse.Settings{
		// What is acknowledged lies on every replica, and no server keeps it to send it later.
		"distributed_foreground_insert": 1,
		// Otherwise INSERT … SELECT from one of these tables into another writes one replica only.
		"parallel_distributed_insert_select": 0,
		// What a question joins or looks up lies on the same shard, see distributed.sql.
		"distributed_product_mode": "local",
		// A question is answered by all shards or not at all.
		"skip_unavailable_shards": 0,
	}
}

// acknowledged makes an insert return when every replica has the rows, where ClickHouse copies
// them itself.
func (db *DB) acknowledged(ctx context.Context) context.Context {
	if !db.cluster.Keeper {
		return ctx
	}
	return clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{"insert_quorum": db.replicas()}))
}

// anywhere does work on the node that was asked last, or where that is away, or lacks what it is
// asked for, on another one. Whatever is read is the same on all.
func (db *DB) anywhere(ctx context.Context, work func(context.Context, *node) error) error {
	first := int(db.preferred.Load())
	var failed error
	for i := range db.nodes {
		at := (first + i) % len(db.nodes)
		err := briefly(db.nodes[at].attended(ctx, work))
		if failed == nil {
			failed = err
		}
		if errors.Is(ctx.Err(), context.DeadlineExceeded) { // it hangs; the next question goes elsewhere
			db.preferred.Store(int64((at + 1) % len(db.nodes)))
		}
		if ctx.Err() != nil {
			return err
		}
		if err == nil || !mayBeElsewhere(err) {
			db.preferred.Store(int64(at))
			return err
		}
	}
	return failed
}

// mayBeElsewhere says whether another node can answer what this one could not.
func mayBeElsewhere(err error) bool {
	const allConnectionTriesFailed, networkError, socketTimeout = 279, 210, 209
	if e := new(clickhouse.Exception); errors.As(err, &e) {
		return missing(err) || NotLetIn(err) || e.Code == allConnectionTriesFailed || e.Code == networkError || e.Code == socketTimeout || e.Code == readAfterEnd
	}
	return KindOf(err) == fault.Unavailable || errors.Is(err, errBehind)
}

// conn gives connections to the node that is asked first, see [node.conn].
func (db *DB) conn(database string) (driver.Conn, error) {
	return db.nodes[db.preferred.Load()].conn(database)
}

// each does work on every node at once, and on all of them also where it fails on one.
func (db *DB) each(ctx context.Context, work func(context.Context, *node) error) error {
	if err := db.locate(ctx); err != nil {
		return err
	}
	_, errs := gather(ctx, db, db.nodes, func(ctx context.Context, n *node) (struct{}, error) { return struct{}{}, work(ctx, n) })
	return errors.Join(errs...)
}

// ofEach is what every node answers, in the order of db.nodes.
func ofEach[T any](ctx context.Context, db *DB, ask func(context.Context, *node) (T, error)) ([]T, error) {
	if err := db.locate(ctx); err != nil {
		return nil, err
	}
	found, errs := gather(ctx, db, db.nodes, ask)
	return found, errors.Join(errs...)
}

// gather asks nodes at once, in their order. Of a cluster, errors name the node.
func gather[T any](ctx context.Context, db *DB, nodes []*node, ask func(context.Context, *node) (T, error)) (found []T, errs []error) {
	found, errs = make([]T, len(nodes)), make([]error, len(nodes))
	var asked sync.WaitGroup
	for i, n := range nodes {
		asked.Go(func() {
			errs[i] = n.attended(ctx, func(ctx context.Context, n *node) (err error) {
				found[i], err = ask(ctx, n)
				return err
			})
			if errs[i] != nil && db.cluster.Name != "" {
				errs[i] = fmt.Errorf("node %s: %w", n.address(), briefly(errs[i]))
			}
		})
	}
	asked.Wait()
	return found, errs
}

// briefly is an error of the connection without what the driver asked for, a URL that has every
// setting in it.
func briefly(err error) error {
	if sent := new(url.Error); errors.As(err, &sent) {
		return brief{sent.Err.Error(), err}
	}
	return err
}

// brief is an error that is told in fewer words.
type brief struct {
	words string
	error
}

func (b brief) Error() string { return b.words }

func (b brief) Unwrap() error { return b.error }
