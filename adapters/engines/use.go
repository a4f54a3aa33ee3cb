package engines

import (
	"cmp"
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
	for begin, told := time.Now(), false; ; {
		s, err := Start(ctx, cfg)
		if err == nil {
			return s.endpoints, func() error { return s.stopWhenUnused(context.WithoutCancel(ctx), cfg.Log) }, nil
		}
		var busy *inUse
		if !errors.As(err, &busy) {
			return Endpoints{}, nil, err
		}
		at, release, err := attach(busy.home, cfg)
		if !errors.Is(err, errNotReady) {
			return at, release, err
		}
		if errors.Is(err, errLogAlone) && !told {
			told = true
			cfg.Log.Warn("waiting for another command, which works on the log without ClickHouse", "pid", busy.holder.PID, "command", busy.holder.Command)
		}
		if away := new(MissingError); errors.As(err, away) && time.Since(away.Since) > away.patience() {
			return Endpoints{}, nil, err
		}
		if time.Since(begin) > attachPatience {
			return Endpoints{}, nil, busy
		}
		if pause(ctx, 50*time.Millisecond); ctx.Err() != nil {
			return Endpoints{}, nil, fmt.Errorf("wait for the engines in %s: %w", busy.home.dir, context.Cause(ctx))
		}
	}
}

// attachPatience is how long Use waits for a process that is just starting or stopping.
const attachPatience = time.Minute

// missingPatience is how long ClickHouse may be away for a known reason before a command that needs it fails.
const missingPatience = 15 * time.Second

// MissingError says that a process runs the engines without ClickHouse, which does not start.
type MissingError struct{ Absence }

func (e MissingError) Error() string {
	return "ClickHouse has not run since " + e.Since.Format(time.DateTime) + ": " + e.text()
}

func (e MissingError) patience() time.Duration {
	if e.Cause == Starting {
		return attachPatience
	}
	return missingPatience
}

func (MissingError) Unwrap() error { return errNotReady }

// errNotReady: the process that holds the home is just starting or stopping.
var errNotReady = errors.New("the engines are not ready")

// errLogAlone: it left ClickHouse out, which is needed here.
var errLogAlone = fmt.Errorf("%w: ClickHouse was left out", errNotReady)

// attach returns the endpoints of the process that holds the home, which keeps them up until release.
func attach(h home, cfg Config) (Endpoints, func() error, error) {
	lock, err := openUsersLock(h)
	if err != nil {
		return Endpoints{}, nil, err
	}
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_SH|syscall.LOCK_NB) != nil {
		lock.Close()
		return Endpoints{}, nil, errNotReady
	}
	holder, err := readRecord(h)
	if err != nil || !holder.Ready || !holder.alive() || !isAt(lock, lock.Name()) {
		lock.Close()
		return Endpoints{}, nil, errNotReady
	}
	if holder.LogAlone && cfg.embedsClickHouse() {
		lock.Close()
		return Endpoints{}, nil, errLogAlone
	}
	if holder.Absence != nil && cfg.embedsClickHouse() {
		lock.Close()
		return Endpoints{}, nil, MissingError{*holder.Absence}
	}
	at, err := holder.endpointsFor(cfg)
	if err != nil {
		lock.Close()
		return Endpoints{}, nil, err
	}
	return at, lock.Close, nil
}

// endpointsFor joins the servers that cfg names with the engines of the process that holds the home.
func (r record) endpointsFor(cfg Config) (Endpoints, error) {
	at := r.Endpoints
	switch {
	case cfg.DatabaseURL != "":
		at.DatabaseURL, at.MigrationURL = cfg.server()
		at.EmbeddedPostgres = false
	case !at.EmbeddedPostgres:
		return Endpoints{}, fmt.Errorf("process %d (%s) uses a PostgreSQL server of its own: set BITACORA_DATABASE_URL to the same", r.PID, r.Command)
	}
	// A process of an earlier version has one address for everything.
	at.MigrationURL = cmp.Or(at.MigrationURL, at.DatabaseURL)
	switch {
	case cfg.WithoutClickHouse:
		at.ClickHouseURL, at.EmbeddedClickHouse = "", false
		at.AnalystURL, at.AnalystUser, at.AnalystPassword = "", "", ""
	case cfg.ClickHouseURL != "":
		at.ClickHouseURL, at.EmbeddedClickHouse = cfg.ClickHouseURL, false
		at.AnalystURL, at.AnalystUser, at.AnalystPassword = "", "", ""
	case !at.EmbeddedClickHouse:
		return Endpoints{}, fmt.Errorf("process %d (%s) uses a ClickHouse server of its own: set BITACORA_CLICKHOUSE_URL to the same", r.PID, r.Command)
	}
	return at, nil
}

// stopWhenUnused stops the engines as soon as nobody else uses them.
func (s *Supervisor) stopWhenUnused(ctx context.Context, log *slog.Logger) error {
	if s.lock == nil {
		return nil
	}
	lock, err := openUsersLock(s.home)
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

// isAt says whether an open file is the one that has the path now.
func isAt(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(open, there)
}

// usersLock is the name of the file that [openUsersLock] opens.
const usersLock = "guests.lock"

// openUsersLock opens the file of which every user of another process's engines has a shared lock, and of
// which a process takes the exclusive one before it stops them.
func openUsersLock(h home) (*os.File, error) {
	path := h.path(usersLock)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fileError(path, err)
	}
	return f, nil
}
