package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// node is one server, with its place in the cluster where it is part of one.
type node struct {
	options clickhouse.Options
	place   place

	// hung: requests do not wait for it, see [WithPatience].
	hung atomic.Bool
	// open ends when the node is closed.
	open context.Context
	end  context.CancelFunc

	mu    sync.Mutex
	conns map[string]driver.Conn
}

// place says which rows a node holds: those of a shard, as each of the shard's replicas does. Both
// are counted from 1.
type place struct{ shard, replica uint32 }

func (p place) String() string { return fmt.Sprintf("shard %d, replica %d", p.shard, p.replica) }

func newNode(options clickhouse.Options, address string) *node {
	options.Addr = []string{address}
	open, end := context.WithCancel(context.Background())
	return &node{options: options, open: open, end: end, conns: map[string]driver.Conn{}}
}

func (n *node) address() string { return n.options.Addr[0] }

// conn gives the connections whose unqualified table names are those of a database.
func (n *node) conn(database string) (driver.Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if c, ok := n.conns[database]; ok {
		return c, nil
	}
	options := n.options
	options.Auth.Database = database
	c, err := clickhouse.Open(&options)
	if err != nil {
		return nil, fmt.Errorf("open ClickHouse: %w", err)
	}
	n.conns[database] = c
	return c, nil
}

// server gives connections that need no database to exist.
func (n *node) server() (driver.Conn, error) { return n.conn("default") }

func (n *node) ping(ctx context.Context) error {
	c, err := n.server()
	if err != nil {
		return err
	}
	return c.Ping(ctx)
}

func (n *node) exec(ctx context.Context, statement string, args ...any) error {
	c, err := n.server()
	if err != nil {
		return err
	}
	return c.Exec(ctx, statement, args...)
}

func (n *node) close() error {
	n.end()
	n.mu.Lock()
	defer n.mu.Unlock()
	var errs []error
	for name, c := range n.conns {
		errs = append(errs, c.Close())
		delete(n.conns, name)
	}
	return errors.Join(errs...)
}
