package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// blankedAtOnce keeps a statement that names conversations far below the server's limit.
const blankedAtOnce = 1000

// Blank removes the texts of conversations from a build and from the disk, and says how many of
// them had any. The messages' texts are all that a build tells in somebody's words. A build that
// there is not has none. A node of a cluster without the rows that another replica has is [ErrLost]:
// it may be back with them, texts and all, until it was refilled.
func (db *DB) Blank(ctx context.Context, build string, conversations []string) (had int, err error) {
	if len(conversations) == 0 {
		return 0, nil
	}
	found, err := ofEach(ctx, db, func(ctx context.Context, n *node) (int, error) { return db.blankOn(ctx, n, build, conversations) })
	if err != nil {
		return 0, fmt.Errorf("remove texts from build %s: %w", build, err)
	}
	list, err := db.holdings(ctx, build)
	if err != nil {
		return 0, fmt.Errorf("remove texts from build %s: %w", build, err)
	}
	for _, g := range db.gapsOf(build, list, "") {
		if g.From != "" {
			return 0, fmt.Errorf("remove texts from build %s: %w: %s is not filled", build, ErrLost, g.Node)
		}
	}
	most := map[uint32]int{} // of the replicas of each shard
	for i, n := range db.nodes {
		most[n.place.shard] = max(most[n.place.shard], found[i])
	}
	for _, n := range most {
		had += n
	}
	return had, nil
}

// blankOn removes the texts from all rows that a node has of a build.
func (db *DB) blankOn(ctx context.Context, n *node, build string, conversations []string) (had int, err error) {
	server, err := n.server()
	if err != nil {
		return 0, err
	}
	var holding []string
	err = server.QueryRow(ctx, `SELECT groupArray(database) FROM system.tables
		WHERE has({databases:Array(String)}, database) AND name = 'messages' AND endsWith(engine, 'MergeTree')`,
		clickhouse.Named("databases", db.databases(build))).Scan(&holding)
	if err != nil {
		return 0, err
	}
	for _, database := range holding {
		found, err := blankIn(ctx, n, database, conversations)
		if err != nil {
			return had, err
		}
		had += found
	}
	return had, nil
}

// blankIn removes the texts from a node's rows in a database.
func blankIn(ctx context.Context, n *node, database string, conversations []string) (had int, err error) {
	conn, err := n.conn(database)
	if err != nil {
		return 0, err
	}
	for some := range slices.Chunk(conversations, blankedAtOnce) {
		found, err := blank(ctx, conn, some)
		if missing(err) {
			return 0, nil
		}
		if err != nil {
			return had, err
		}
		had += found
	}
	if err := discard(ctx, conn); err != nil && !missing(err) {
		return had, fmt.Errorf("from the disk: %w", err)
	}
	return had, nil
}

// blank removes the texts from what is read.
func blank(ctx context.Context, conn driver.Conn, conversations []string) (had int, err error) {
	names := make([]string, len(conversations))
	for i, id := range conversations {
		names[i] = "'" + quoted(id) + "'"
	}
	where := "WHERE text != '' AND conversation_id IN (" + strings.Join(names, ", ") + ")"
	var found uint64
	err = conn.QueryRow(ctx, "SELECT uniqExact(conversation_id) FROM messages "+where).Scan(&found)
	if err == nil && found > 0 {
		err = conn.Exec(ctx, "ALTER TABLE messages UPDATE text = '' "+where+" SETTINGS mutations_sync = 2")
	}
	return int(found), err
}

// The settings of table_messages.sql by which what was replaced need not stay on the disk.
const discarding = "old_parts_lifetime = 0, min_rows_to_fsync_after_merge = 1, min_compressed_bytes_to_fsync_after_merge = 1"

const (
	// discardPatience is how long a query may go on with what was replaced.
	discardPatience = 10 * time.Second
	discardPause    = 20 * time.Millisecond
)

// discard removes from the disk what mutations and merges of messages have replaced so far, and
// what the server has put aside. The server would do the first by itself, minutes later.
func discard(ctx context.Context, conn driver.Conn) error {
	var table string
	if err := conn.QueryRow(ctx, "SELECT create_table_query FROM system.tables WHERE database = currentDatabase() AND name = 'messages'").Scan(&table); err != nil {
		return err
	}
	if !strings.Contains(table, "old_parts_lifetime = 0") { // made by an earlier version
		if err := conn.Exec(ctx, "ALTER TABLE messages MODIFY SETTING "+discarding); err != nil {
			return err
		}
	}
	if err := discardReplaced(ctx, conn); err != nil {
		return err
	}
	var aside uint64
	err := conn.QueryRow(ctx, "SELECT count() FROM system.detached_parts WHERE database = currentDatabase() AND table = 'messages'").Scan(&aside)
	if err == nil && aside > 0 {
		err = conn.Exec(ctx, "ALTER TABLE messages DROP DETACHED PARTITION ALL SETTINGS allow_drop_detached = 1")
	}
	return err
}

// discardReplaced removes what mutations and merges of messages have replaced so far.
func discardReplaced(ctx context.Context, conn driver.Conn) error {
	const list = "SELECT groupArray(name) FROM system.parts WHERE database = currentDatabase() AND table = 'messages' AND NOT active"
	var replaced []string
	if err := conn.QueryRow(ctx, list).Scan(&replaced); err != nil {
		return err
	}
	for until := time.Now().Add(discardPatience); len(replaced) > 0; {
		// There is no such partition; but with it goes whatever is replaced and not in use.
		if err := conn.Exec(ctx, "ALTER TABLE messages DROP PARTITION 0"); err != nil {
			return err
		}
		err := conn.QueryRow(ctx, list+" AND has({replaced:Array(String)}, name)", clickhouse.Named("replaced", replaced)).Scan(&replaced)
		if err != nil {
			return err
		}
		if len(replaced) > 0 && time.Now().After(until) {
			return fmt.Errorf("%d parts are in use", len(replaced))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(discardPause):
		}
	}
	return nil
}
