// Package postgres keeps the log and all that is decided in one transaction with it: the
// events, the keys of their personal data, the month's quota, the checkpoints of the
// projections, and the staff who may read. It also feeds the log to Watermill, see
// [Subscriber].
package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/adapters/postgres/queries"
	"bitacora/domain/fault"
)

// query returns the text of a query by its name.
var query = queries.Named

// Errors of the database as a whole.
var (
	// ErrUnavailable: Postgres could not be reached. Of an append, whether it was stored
	// is then unknown; repeating it with the same event ids is safe.
	ErrUnavailable = errors.New("the log cannot be reached")
	// ErrNotFound: there is no such row.
	ErrNotFound = fault.New(fault.NotFound, "not found")
	// ErrNotMigrated: the database lacks tables this program needs.
	ErrNotMigrated = errors.New("database is not migrated")
)

// DB is the clinic's Postgres database. It is safe for concurrent use.
type DB struct {
	pool     *pgxpool.Pool
	connect  connector
	logger   *slog.Logger
	log      *Log
	listener *listener
	breaker  *breaker
}

// Open connects to the database that url names, as the writer's role. The database must
// have been migrated, see [Migrate]. The keys must be those its personal data was sealed
// with; the first Open of a new log draws one, and binds the log to it. The errors to tell apart
// are [ErrNotMigrated], [ErrWrongKeys], [ErrNoKeys] and [ErrOldCopy].
func Open(ctx context.Context, url string, keys KeyStore, logger *slog.Logger) (*DB, error) {
	pool, connect, breaker, err := openPool(ctx, url)
	if err != nil {
		return nil, err
	}
	db := &DB{pool: pool, connect: connect, logger: logger, listener: newListener(connect, logger), breaker: breaker}
	var ring *keyring
	if err = checkMigrated(ctx, pool); err == nil {
		ring, err = openKeyring(ctx, keys, pool)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	db.log = newLog(pool, ring, newWriter(connect, breaker, logger), breaker)
	return db, nil
}

// Log is the log of this database.
func (db *DB) Log() *Log { return db.log }

// Connect opens a connection in the writer's role beside those of the pool; the caller closes it. Its statements
// end after a time, and are not cancelled on the server.
func (db *DB) Connect(ctx context.Context) (*pgx.Conn, error) { return db.connect(ctx) }

// BeforeKeysGo has every rotation call keep before it destroys the key of the key epoch before.
func (db *DB) BeforeKeysGo(keep func(context.Context) error) { db.log.keepBundle = keep }

// Ping says whether the database answers, and, where [DB.Watch] looks after it, stores: the error is
// [ErrReadOnly] where it does not.
func (db *DB) Ping(ctx context.Context) error {
	if db.breaker.open.Load() {
		return fmt.Errorf("ping database: %w", ErrUnavailable)
	}
	if err := db.pool.Ping(ctx); err != nil {
		return fmt.Errorf("ping database: %w", err)
	}
	if db.breaker.readOnly.Load() {
		return fmt.Errorf("ping database: %w", ErrReadOnly)
	}
	return nil
}

// Size is how many bytes the database takes on its disk.
func (db *DB) Size(ctx context.Context) (bytes int64, err error) {
	err = pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
		// The size is for roles that may connect, which the writer's need not be. Sizes of tables
		// would wait for whoever locks one.
		if _, err := tx.Exec(ctx, "SET LOCAL ROLE NONE"); err != nil {
			return err
		}
		return tx.QueryRow(ctx, "SELECT pg_database_size(current_database())").Scan(&bytes)
	})
	return bytes, fault.Wrap(err, "measure database")
}

// Close answers what is still queued with an error and disconnects.
func (db *DB) Close() {
	if db.log != nil && db.log.writer != nil {
		db.log.writer.close()
	}
	db.listener.close()
	db.pool.Close()
}

// Unavailable says whether an error of this package means that Postgres could not be
// reached or was stopping, and not that the request was wrong.
func Unavailable(err error) bool {
	if err == nil {
		return false
	}
	for _, end := range []error{ErrUnavailable, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, end) {
			return true
		}
	}
	var network net.Error
	var connect *pgconn.ConnectError
	return errors.As(err, &connect) || errors.As(err, &network) || transient(err)
}

// transient says that a statement failed for a reason outside of it.
func transient(err error) bool {
	state := sqlState(err)
	if state == "" {
		return !errors.Is(err, pgx.ErrNoRows) && pgconn.SafeToRetry(err)
	}
	if refusals[state] {
		return true
	}
	// Connection, lost a lock or deadlock, resources, stopping, the system under it.
	for _, class := range []string{"08", "40", "53", "57", "58"} {
		if strings.HasPrefix(state, class) {
			return true
		}
	}
	return false
}

// collect reads the rows of a query.
func collect[T any](ctx context.Context, from querier, sql string, scan pgx.RowToFunc[T], args ...any) ([]T, error) {
	rows, err := from.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

// again repeats a read whose connection turned out to be dead, as all idle connections are
// once Postgres has restarted.
func again[T any](pool *pgxpool.Pool, read func() (T, error)) (T, error) {
	found, err := read()
	if Unavailable(err) && !errors.Is(err, context.DeadlineExceeded) {
		pool.Reset()
		return read()
	}
	return found, err
}

// KindOf is what an error of the driver means to whoever asked; errors of this package carry
// their kind.
func KindOf(err error) fault.Kind {
	if Unavailable(err) {
		return fault.Unavailable
	}
	return ""
}

// sqlState is the SQLSTATE that Postgres answered; empty where it answered nothing.
func sqlState(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code
	}
	return ""
}
