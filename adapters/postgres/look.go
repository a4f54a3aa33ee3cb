package postgres

import (
	"context"
	"crypto/hmac"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"bitacora/domain/fault"
)

// Look opens a database for whoever examines it: as it is, whatever its version and its keys are.
// Nothing can be appended to it, and nothing personal be read.
func Look(ctx context.Context, url string, logger *slog.Logger) (*DB, error) {
	pool, connect, breaker, err := openPool(ctx, url)
	if err != nil {
		return nil, err
	}
	db := &DB{pool: pool, connect: connect, logger: logger, listener: newListener(connect, logger), breaker: breaker}
	db.log = newLog(pool, nil, nil, breaker)
	return db, nil
}

// About is what a server and the log in it say of themselves.
type About struct {
	// Major is the version of PostgreSQL, 18.
	Major int
	// Now is the server's clock, Newest when the last event was stored; zero where there is none.
	Now, Newest time.Time
	// ReadOnly: it stores nothing.
	ReadOnly bool
	// Schema is the name of the last migration, empty before the first.
	Schema string
	// GoesOn says that this program works with that schema, though it is not its own.
	GoesOn bool
	// FirstEvent and Epoch are those of the log, see [Bundle].
	FirstEvent, Epoch string
	// Bytes is what the database takes on its disk.
	Bytes int64
	// OpenTo is how many other logs are on the server whose users may open this one.
	OpenTo int
	// SynchronousNames is synchronous_standby_names: the standbys that a commit waits for.
	SynchronousNames string
	Standbys         Standbys
	Slot             Slot
}

// Slot is what the server keeps of its write-ahead log for a copy elsewhere.
type Slot struct {
	// Kept is how many bytes there are; nil where there is no slot.
	Kept *int64
	// Bounded says that the server gives the slot up before its disk is full.
	Bounded bool
}

// Standbys are the servers that receive what a primary writes.
type Standbys struct {
	// Attached is how many there are, Synchronous how many of them a commit may wait for.
	Attached, Synchronous int
	// Seen says whether the user is shown which of them are synchronous.
	Seen bool
}

// AboutServer asks a server about itself, over a connection of its own and without a role: what it says
// must not depend on the tables.
func AboutServer(ctx context.Context, url string) (a About, err error) {
	conn, err := ConnectTo(ctx, url)
	if err != nil {
		return a, fmt.Errorf("connect: %w", err)
	}
	defer hangUp(conn)
	var number int
	err = conn.QueryRow(ctx, query("about_server")).Scan(&number, &a.Now, &a.ReadOnly, &a.Bytes, &a.OpenTo,
		&a.SynchronousNames, &a.Standbys.Attached, &a.Standbys.Synchronous, &a.Standbys.Seen, &a.Slot.Kept, &a.Slot.Bounded)
	if err != nil {
		return a, fmt.Errorf("ask the server: %w", err)
	}
	a.Major = number / 10000
	done, err := appliedMigrations(ctx, conn)
	if err != nil || len(done) == 0 {
		return a, err
	}
	a.Schema = strings.TrimSuffix(slices.Max(slices.Collect(maps.Keys(done))), ".sql")
	all, err := migrations()
	if err != nil {
		return a, err
	}
	a.GoesOn = agree(all, done) == nil
	var newest *time.Time
	if err := conn.QueryRow(ctx, query("about_log")).Scan(&a.FirstEvent, &a.Epoch, &newest); err != nil {
		return a, fmt.Errorf("ask the log: %w", err)
	}
	if newest != nil {
		a.Newest = *newest
	}
	return a, nil
}

// Clock is the time of the server.
func (db *DB) Clock(ctx context.Context) (now time.Time, err error) {
	err = db.pool.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&now)
	return now, fault.Wrap(err, "read clock")
}

// CheckKeys says whether the keys are those of the database's log, as [Open] would, and changes nothing: the
// error wraps [ErrWrongKeys], [ErrNoKeys] or [ErrOldCopy].
func CheckKeys(ctx context.Context, db *DB, store KeyStore) error {
	var epoch int
	var check []byte
	var sealed bool
	if err := db.pool.QueryRow(ctx, query("key_binding")).Scan(&epoch, &check, &sealed); err != nil {
		return fmt.Errorf("read the newest key epoch: %w", err)
	}
	keys, err := store.Keys(ctx)
	if err != nil {
		return err
	}
	if from, ok := store.(outside); ok && len(keys) == 0 {
		if master, ok := from.MasterKey(); ok && epoch == 0 {
			keys = map[int]EpochKey{0: master}
		}
	}
	key, ok := keys[epoch]
	switch {
	case check == nil && !sealed: // a new log, which takes any
		return nil
	case ok && check != nil && !hmac.Equal(check, key.digest()):
		return ErrWrongKeys
	case ok:
		return nil
	case len(keys) > 0 && slices.Max(slices.Collect(maps.Keys(keys))) > epoch:
		return fmt.Errorf("%w (key epoch %d)", ErrOldCopy, epoch)
	}
	return fmt.Errorf("%w (key epoch %d)", ErrNoKeys, epoch)
}

// NotLetIn says whether a server was reached and did not let somebody in.
func NotLetIn(err error) bool {
	return strings.HasPrefix(sqlState(err), "28") || sqlState(err) == "3D000"
}
