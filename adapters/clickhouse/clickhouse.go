// Package clickhouse keeps builds of the projections in ClickHouse and asks them.
//
// A build is a database of its own, bitacora_b1, with every table of the projection set.
// The database bitacora holds nothing but the analysts' views of the live build, under
// names that stay when the next build takes over.
//
// On a cluster every node has these databases. A build's tables there are Distributed ones over
// bitacora_b1_shard1, which holds the own rows of a first replica: all that is told of a conversation,
// a visit or a contact lies on one shard, and every replica of the shard has it, see [OpenCluster].
package clickhouse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/churl"

	"bitacora/adapters/clickhouse/access"
	"bitacora/domain/analytics"
	"bitacora/domain/fault"
)

// DB is a ClickHouse server, or a cluster of them, with the builds of one house.
type DB struct {
	options clickhouse.Options
	views   string
	// zone is that of the tables that are made, zones those of builds, by their names.
	zone  string
	zones sync.Map
	// Opening is when the clinic is open, for the views that are published; without, it is always closed.
	Opening []analytics.WeekSpan
	cluster Cluster
	nodes   []*node
	// preferred is the index of the node that is asked first.
	preferred atomic.Int64

	mu     sync.Mutex
	placed bool
	// damaged has, by their names, the builds whose files could not be read, with the errors: where
	// remembers says so.
	damaged   sync.Map
	remembers bool
}

// builtName is how builds are called. What else begins like a build's database may be another
// clinic's: bitacora_sur.
const builtName = "(?:b[0-9]+|verify)"

var (
	databaseName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	buildName    = regexp.MustCompile("^" + builtName + "$")
)

// settings hold for every statement of this program; the URL may override them.
var settings = clickhouse.Settings{
	// Every table is partitioned by what its key begins with.
	"do_not_merge_across_partitions_select_final": 1,
	// Batches are made here; a server that collects them again would only delay.
	"async_insert": 0,
	// One batch of a replay may span more months than the default of 100 partitions.
	"max_partitions_per_insert_block": 0,
	// A Parquet file leaves group by group; memory holds one of them.
	"output_format_parquet_row_group_size":    20_000,
	"output_format_parquet_parallel_encoding": 0,
}

// ParseURL reads a URL that may name several servers, http://a:8123,b:8123, which net/url does not
// let pass.
func ParseURL(raw string) (*url.URL, error) { return churl.Parse(raw) }

// Open names a server by its URL, for example http://user:password@127.0.0.1:8123/bitacora.
// The URL's database holds the analysts' views, and its name begins the builds' names.
// Days and months of the tables that it makes are those of the zone, an IANA name; a build that is
// there keeps its own, see [DB.Zone]. Nothing is sent yet:
// the server may be down, see [DB.Wait].
func Open(url string, zone *time.Location) (*DB, error) { return OpenCluster(url, Cluster{}, zone) }

// OpenCluster is [Open] for a cluster, whose nodes the URL names one by one:
// http://user:password@h1:8123,h2:8123/bitacora. A cluster without a name is a server alone.
func OpenCluster(url string, cluster Cluster, zone *time.Location) (*DB, error) {
	options, err := clickhouse.ParseDSN(url)
	if err != nil {
		return nil, fmt.Errorf("parse ClickHouse URL: %w", err)
	}
	if options.Protocol != clickhouse.HTTP {
		return nil, errors.New("parse ClickHouse URL: it must begin with http:// or https://")
	}
	views := options.Auth.Database
	if views == "" {
		views = access.DefaultDatabase
	}
	if !databaseName.MatchString(views) {
		return nil, fmt.Errorf("parse ClickHouse URL: %q is no database name", views)
	}
	if zone == time.Local {
		return nil, errors.New("open ClickHouse: the business zone needs an IANA name")
	}
	if err := cluster.check(options.Addr); err != nil {
		return nil, fmt.Errorf("open ClickHouse: %w", err)
	}
	given := options.Settings
	options.Settings = maps.Clone(settings)
	maps.Copy(options.Settings, cluster.settings())
	maps.Copy(options.Settings, given)
	options.MaxOpenConns = 16
	options.MaxIdleConns = 16
	options.DialTimeout = 5 * time.Second
	db := &DB{options: *options, views: views, zone: zone.String(), cluster: cluster}
	for _, address := range options.Addr {
		db.nodes = append(db.nodes, newNode(*options, address))
	}
	// Several processes begin with several nodes.
	db.preferred.Store(rand.Int64N(int64(len(db.nodes))))
	return db, nil
}

// Ping asks the server for a sign of life: on a cluster, any node.
func (db *DB) Ping(ctx context.Context) error {
	err := db.anywhere(ctx, func(ctx context.Context, n *node) error { return n.ping(ctx) })
	return fault.Wrap(err, "ping ClickHouse")
}

// About is what a server says of itself.
type About struct {
	// Version is ClickHouse's, "26.7.2.1", of a cluster the oldest; Now the server's clock.
	Version string
	Now     time.Time
	// Bytes is what the tables of all builds take on its disk, Free what is left there for it. Of
	// a cluster, Bytes are those of the node that has most, and Free of the one that has least.
	Bytes, Free uint64
}

// About asks the server about itself; of a cluster, the nodes that answer.
func (db *DB) About(ctx context.Context) (a About, err error) {
	found, errs := gather(ctx, db, db.nodes, db.about)
	answered := false
	for i, err := range errs {
		switch one := found[i]; {
		case err != nil:
		case !answered:
			a, answered = one, true
		default:
			a.Bytes, a.Free = max(a.Bytes, one.Bytes), min(a.Free, one.Free)
			if older(one.Version, a.Version) {
				a.Version = one.Version
			}
		}
	}
	if !answered {
		return a, fmt.Errorf("ask the server: %w", errors.Join(errs...))
	}
	return a, nil
}

// older says whether one version of ClickHouse came before another.
func older(a, b string) bool {
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return cmp.Compare(x, y)
	}) < 0
}

func (db *DB) about(ctx context.Context, n *node) (a About, err error) {
	c, err := n.server()
	if err != nil {
		return a, err
	}
	err = c.QueryRow(ctx, `SELECT version(), now64(3, 'UTC'),
		(SELECT sum(bytes_on_disk) FROM system.parts WHERE match(database, {builds:String})),
		(SELECT min(unreserved_space) FROM system.disks)`,
		clickhouse.Named("builds", "^"+db.Database(builtName)+"("+shardSuffix+"[0-9]*|"+copySuffix+")?$")).Scan(&a.Version, &a.Now, &a.Bytes, &a.Free)
	return a, err
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
	for {
		err := db.Ping(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Close gives the connections back.
func (db *DB) Close() error {
	var errs []error
	for _, n := range db.nodes {
		errs = append(errs, n.close())
	}
	return errors.Join(errs...)
}
