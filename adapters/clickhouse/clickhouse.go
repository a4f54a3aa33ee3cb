// Package clickhouse keeps builds of the projections in ClickHouse and asks them.
//
// A build is a database of its own, bitacora_b1, with every table of the projection set.
// The database bitacora holds nothing but the analysts' views of the live build, under
// names that stay when the next build takes over.
package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"sync"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// DefaultDatabase holds the analysts' views when the URL names no database.
const DefaultDatabase = "bitacora"

// DB is a ClickHouse server with the builds of one house.
type DB struct {
	options clickhouse.Options
	views   string
	zone    string

	mu    sync.Mutex
	conns map[string]driver.Conn
}

var (
	databaseName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	buildName    = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
)

// settings hold for every statement of this program; the URL may override them.
var settings = clickhouse.Settings{
	// Every table is partitioned by what its key begins with.
	"do_not_merge_across_partitions_select_final": 1,
	// Batches are made here; a server that collects them again would only delay.
	"async_insert": 0,
	// One batch of a replay may span more months than the default of 100 partitions.
	"max_partitions_per_insert_block": 0,
}

// Open names a server by its URL, for example http://user:password@127.0.0.1:8123/bitacora.
// The URL's database holds the analysts' views, and its name begins the builds' names.
// Days and months of every table are those of the zone, an IANA name. Nothing is sent yet:
// the server may be down, see [DB.Wait].
func Open(url string, zone *time.Location) (*DB, error) {
	options, err := clickhouse.ParseDSN(url)
	if err != nil {
		return nil, fmt.Errorf("parse ClickHouse URL: %w", err)
	}
	if options.Protocol != clickhouse.HTTP {
		return nil, errors.New("parse ClickHouse URL: it must begin with http:// or https://")
	}
	views := options.Auth.Database
	if views == "" {
		views = DefaultDatabase
	}
	if !databaseName.MatchString(views) {
		return nil, fmt.Errorf("parse ClickHouse URL: %q is no database name", views)
	}
	if zone == time.Local {
		return nil, errors.New("open ClickHouse: the business zone needs an IANA name")
	}
	given := options.Settings
	options.Settings = maps.Clone(settings)
	maps.Copy(options.Settings, given)
	options.MaxOpenConns = 16
	options.MaxIdleConns = 16
	options.DialTimeout = 5 * time.Second
	return &DB{options: *options, views: views, zone: zone.String(), conns: make(map[string]driver.Conn)}, nil
}

// conn gives the connections whose unqualified table names are those of a database.
func (db *DB) conn(database string) (driver.Conn, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if c, ok := db.conns[database]; ok {
		return c, nil
	}
	options := db.options
	options.Auth.Database = database
	c, err := clickhouse.Open(&options)
	if err != nil {
		return nil, fmt.Errorf("open ClickHouse: %w", err)
	}
	db.conns[database] = c
	return c, nil
}

// server gives connections that need no database to exist.
func (db *DB) server() (driver.Conn, error) { return db.conn("default") }

// Ping asks the server for a sign of life.
func (db *DB) Ping(ctx context.Context) error {
	c, err := db.server()
	if err != nil {
		return err
	}
	if err := c.Ping(ctx); err != nil {
		return fmt.Errorf("ping ClickHouse: %w", err)
	}
	return nil
}

// About is what a server says of itself.
type About struct {
	// Version is ClickHouse's, "26.7.2.1"; Now the server's clock.
	Version string
	Now     time.Time
	// Bytes is what the tables of all builds take on its disk, Free what is left there for it.
	Bytes, Free uint64
}

// About asks the server about itself.
func (db *DB) About(ctx context.Context) (a About, err error) {
	c, err := db.server()
	if err != nil {
		return a, err
	}
	err = c.QueryRow(ctx, `SELECT version(), now64(3, 'UTC'),
		(SELECT sum(bytes_on_disk) FROM system.parts WHERE startsWith(database, {prefix:String})),
		(SELECT min(unreserved_space) FROM system.disks)`,
		clickhouse.Named("prefix", db.Database(""))).Scan(&a.Version, &a.Now, &a.Bytes, &a.Free)
	if err != nil {
		return a, fmt.Errorf("ask the server: %w", err)
	}
	return a, nil
}

// NotLetIn says whether a server was reached and did not let somebody in.
func NotLetIn(err error) bool {
	const authentication, requiredPassword, unknownUser = 516, 194, 192
	e := new(clickhouse.Exception)
	return errors.As(err, &e) && (e.Code == authentication || e.Code == requiredPassword || e.Code == unknownUser)
}

// Wait returns when the server answers, however long that takes. It fails only when ctx
// ends, with the server's last error.
func (db *DB) Wait(ctx context.Context) error {
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := db.Ping(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// Close gives the connections back.
func (db *DB) Close() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	var errs []error
	for name, c := range db.conns {
		errs = append(errs, c.Close())
		delete(db.conns, name)
	}
	return errors.Join(errs...)
}
