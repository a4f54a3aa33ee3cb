package postgres

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// How long it may take to open a connection, whichever server it leads to, and to see that an idle one
// still answers, and after which time Postgres ends what a client that is gone was waiting for.
const (
	connectTimeout = 5 * time.Second
	pingTimeout    = 2 * time.Second
	clientCheck    = 5 * time.Second
)

// parse reads the URL of a database. Where it names several servers, those that hang leave time for
// the others.
func parse(url string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("read database url: %w", err)
	}
	if c := config.ConnConfig; c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectTimeout / time.Duration(servers(c))
	}
	return config, nil
}

// parsePrimary is parse where, of several servers, the primary is meant unless the URL says otherwise: a
// former one may come back as the standby of the one after it.
func parsePrimary(url string) (*pgxpool.Config, error) {
	config, err := parse(url)
	if err != nil {
		return nil, err
	}
	if c := config.ConnConfig; c.ValidateConnect == nil && servers(c) > 1 {
		c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPrimary
	}
	return config, nil
}

// servers counts those that are named, each of which may be tried with encryption and without.
func servers(c *pgx.ConnConfig) int {
	type server struct {
		host string
		port uint16
	}
	named := map[server]bool{{c.Host, c.Port}: true}
	for _, f := range c.Fallbacks {
		named[server{f.Host, f.Port}] = true
	}
	return len(named)
}

// ConnectTo opens a single connection as the user that url names, without a role.
func ConnectTo(ctx context.Context, url string) (*pgx.Conn, error) {
	config, err := parsePrimary(url)
	if err != nil {
		return nil, err
	}
	return pgx.ConnectConfig(ctx, config.ConnConfig)
}

// openPool prepares the connections to a database; the first is made when it is needed.
func openPool(ctx context.Context, url string) (pool *pgxpool.Pool, connect connector, _ *breaker, err error) {
	config, err := parsePrimary(url)
	if err != nil {
		return nil, nil, nil, err
	}
	config.AfterConnect = takeRole
	config.AfterRelease = canStore
	if !strings.Contains(url, "pool_max_conns") {
		// Leases are renewed through the pool too: slow requests must leave room for that.
		config.MaxConns = 10
	}
	config.PingTimeout = pingTimeout
	b := new(breaker)
	config.ConnConfig.Tracer = deadlines{b}
	config.ConnConfig.RuntimeParams["client_connection_check_interval"] = milliseconds(clientCheck)
	// append_events relies on a fresh snapshot for each of its statements.
	config.ConnConfig.RuntimeParams["default_transaction_isolation"] = "read committed"
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "bitacora"
	}
	pool, err = pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("open database: %w", err)
	}
	alone := config.ConnConfig.Copy()
	alone.RuntimeParams["statement_timeout"] = milliseconds(callTimeout)
	connect = func(ctx context.Context) (*pgx.Conn, error) {
		conn, err := connectUncancelled(ctx, alone.Copy())
		if err != nil {
			return nil, err
		}
		if err := takeRole(ctx, conn); err != nil {
			hangUp(conn)
			return nil, err
		}
		return conn, nil
	}
	return pool, connect, b, nil
}

// canStore keeps a connection of the pool, unless it led to a standby, or its session began as read-only and
// stays so: the next one may lead to the primary, or store.
func canStore(conn *pgx.Conn) bool {
	server := conn.PgConn()
	return server.ParameterStatus("in_hot_standby") != "on" && server.ParameterStatus("default_transaction_read_only") != "on"
}

var errNotCancelled = errors.New("what is given up is not cancelled")

// connectUncancelled opens a connection whose statements are not cancelled on the server when they
// are given up here. A commit that is cancelled while it waits for a synchronous standby stands
// nevertheless, without being there: whoever asks again would be told that it is stored. Left alone
// it stays unseen, and keeps the append lock, until the standby has it.
func connectUncancelled(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	var connected atomic.Bool
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if connected.Load() {
			return nil, errNotCancelled
		}
		return dial(ctx, network, addr)
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	connected.Store(true)
	return conn, err
}

// milliseconds is a time as a setting of Postgres.
func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

func takeRole(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SET ROLE bitacora_writer")
	switch sqlState(err) {
	case "":
		return err
	case "22023": // no such role
		return fmt.Errorf("take role bitacora_writer: %w: %w", ErrNotMigrated, err)
	case "42501":
		return fmt.Errorf("take role bitacora_writer (an administrator must run: GRANT bitacora_writer TO %s): %w",
			pgx.Identifier{conn.Config().User}.Sanitize(), err)
	default:
		return fmt.Errorf("take role bitacora_writer: %w", err)
	}
}

// awaitPause lies between two attempts to reach a server that is not there yet.
const awaitPause = 500 * time.Millisecond

// Await returns when the server that url names takes connections. It waits while the server says that
// it is starting, and for patience while nobody answers at its address; any other refusal is the error.
func Await(ctx context.Context, url string, patience time.Duration, logger *slog.Logger) error {
	ends := time.Now().Add(patience)
	for waits := false; ; waits = true {
		conn, err := ConnectTo(ctx, url)
		hangUp(conn)
		const starting = "57P03"
		if err == nil || ctx.Err() != nil || sqlState(err) != starting && (!unreached(err) || time.Now().After(ends)) {
			return err
		}
		if !waits {
			logger.Warn("PostgreSQL is not there yet: waiting for it", "error", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(awaitPause):
		}
	}
}

// unreached says that nobody answers where a server should be.
func unreached(err error) bool {
	var dial *net.OpError
	var name *net.DNSError
	return errors.As(err, &dial) || errors.As(err, &name)
}
