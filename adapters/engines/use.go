package engines

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"syscall"
	"time"
)

// Use gives a command its databases: the servers cfg names, the engines of the process that runs on the
// data directory, or, when there is none, engines started for the command's own duration. The command
// calls release when it is done. Where other commands still use engines started here, release waits for
// them; the end of a process that called Start does not.
func Use(ctx context.Context, cfg Config) (at Endpoints, release func() error, err error) {
	cfg = cfg.withDefaults()
	for begin := time.Now(); ; {
		s, err := Start(ctx, cfg)
		if err == nil {
			return s.endpoints, func() error { return s.leave(context.WithoutCancel(ctx), cfg.Log) }, nil
		}
		var busy *inUse
		if !errors.As(err, &busy) {
			return Endpoints{}, nil, err
		}
		at, release, err := visit(busy.home, cfg)
		if !errors.Is(err, errNotYet) {
			return at, release, err
		}
		if time.Since(begin) > visitPatience {
			return Endpoints{}, nil, busy
		}
		if pause(ctx, 50*time.Millisecond); ctx.Err() != nil {
			return Endpoints{}, nil, fmt.Errorf("wait for the engines in %s: %w", busy.home.dir, context.Cause(ctx))
		}
	}
}

// visitPatience is how long Use waits for a process that is just coming or going.
const visitPatience = time.Minute

// errNotYet says that the process that holds the home is just coming or going.
var errNotYet = errors.New("the engines are not ready")

// visit returns the endpoints of the process that holds the home, which keeps them up until release.
func visit(h home, cfg Config) (Endpoints, func() error, error) {
	lock, err := guestLock(h)
	if err != nil {
		return Endpoints{}, nil, err
	}
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil {
		lock.Close()
		return Endpoints{}, nil, errNotYet
	}
	host, err := readRecord(h)
	if err != nil || !host.Ready || !host.alive() {
		lock.Close()
		return Endpoints{}, nil, errNotYet
	}
	at, err := host.endpointsFor(cfg)
	if err != nil {
		lock.Close()
		return Endpoints{}, nil, err
	}
	return at, lock.Close, nil
}

// endpointsFor joins the servers that cfg names with the engines that the host runs.
func (host record) endpointsFor(cfg Config) (Endpoints, error) {
	at := host.Endpoints
	switch {
	case cfg.DatabaseURL != "":
		at.DatabaseURL, at.EmbeddedPostgres = cfg.DatabaseURL, false
	case !at.EmbeddedPostgres:
		return Endpoints{}, fmt.Errorf("process %d (%s) uses a PostgreSQL server of its own: set BITACORA_DATABASE_URL to the same", host.PID, host.Command)
	}
	switch {
	case cfg.ClickHouseURL != "":
		at.ClickHouseURL, at.EmbeddedClickHouse = cfg.ClickHouseURL, false
		at.AnalystURL, at.AnalystUser, at.AnalystPassword = "", "", ""
	case !at.EmbeddedClickHouse:
		return Endpoints{}, fmt.Errorf("process %d (%s) uses a ClickHouse server of its own: set BITACORA_CLICKHOUSE_URL to the same", host.PID, host.Command)
	}
	return at, nil
}

// leave stops the engines as soon as nobody else uses them.
func (s *Supervisor) leave(ctx context.Context, log *slog.Logger) error {
	if s.claim == nil {
		return nil
	}
	lock, err := guestLock(s.home)
	if err != nil {
		return errors.Join(err, s.Stop(ctx))
	}
	defer lock.Close()
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		log.Info("another command still uses the databases, waiting for it")
		for syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
			pause(ctx, 100*time.Millisecond)
		}
	}
	return s.Stop(ctx)
}

// guestLock opens the file that users of another process's engines lock together, and that this process
// locks for itself alone when it ends them.
func guestLock(h home) (*os.File, error) {
	path := h.path("guests.lock")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, placeFault(path, err)
	}
	return f, nil
}
