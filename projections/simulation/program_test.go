package simulation

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
	"bitacora/projections/projectionstest/memory"
)

// program is a process: one that keeps the builds up, or a command of an operator.
type program struct {
	number  int
	command bool
	db      *memory.DB
	tables  *memory.Tables

	follower  *builds.Follower
	parking   builds.ParkingRetrier
	exclusive builds.Exclusive
	rebuilder builds.Rebuilder
	rollback  builds.Rollback
	verifier  builds.Verifier
	adopter   builds.EpochAdopter

	cancel context.CancelFunc
	ended  chan struct{}
	// err is what came of a command, once it has ended.
	err error
}

// program connects everything as the command line does.
func (w *world) program(command bool) *program {
	w.begun++
	number := w.begun
	db, tables := w.postgres.As(w.callsOf(number, postgres)), w.clickhouse.As(w.callsOf(number, clickhouse))
	if !w.updated {
		db.Decode = outdated
	}
	clock, logger := projections.WallClock{}, slog.New(slog.DiscardHandler)
	store := func(build string) projections.ParkingStore { return db.Parking(build) }
	writer := func(build string) projections.Writer { return tables.Writer(build) }
	checker := builds.Checker{Builds: db, Tables: tables, Log: db}
	admission := builds.Admission{Checker: checker, Tables: tables}
	pauser := builds.Pauser{Builds: db, Clock: clock}
	erased := builds.ErasedTexts{Log: db, Tables: tables, Logger: logger}
	dropper := builds.Dropper{Builds: db, Leases: db, Tables: tables, Clock: clock}
	streams := builds.StreamApplier{
		Log: db, Skipped: db, Tables: tables,
		Writer: func(build string) builds.RetryWriter { return tables.Writer(build) },
	}
	p := &program{number: number, command: command, db: db, tables: tables, ended: make(chan struct{})}
	p.parking = builds.ParkingRetrier{
		Builds: db, Streams: streams, Log: db, Waiting: db, Logger: logger,
		Parking: func(build string) builds.ParkingQueue { return db.Parking(build) },
	}
	p.follower = &builds.Follower{
		Builds: recorder{db, w}, Admission: admission, Tables: tables, Parking: p.parking,
		Views: builds.Views{Tables: tables, Logger: logger},
		Subscriber: func(begin func(context.Context) error) message.Subscriber {
			return named{feed.NewSubscriber(db.Stores(), logger, feed.Config{
				BatchSize: 5, Lease: builds.LeaseTime, Pause: 200 * time.Millisecond, Begin: begin,
			})}
		},
		Writer: writer, Store: store, Clock: clock, Logger: logger,
	}
	p.verifier = builds.Verifier{
		Builds: db, Checker: checker, Pauser: pauser, Erased: erased, Waiting: db, Log: db, Skipped: db, Scratch: tables,
		Reader: func(build string) builds.VerifiedTables { return tables.Reader(build) }, Writer: writer,
		Progress: func(string) builds.Progress { return silent{} },
		Zone:     time.UTC, Clock: clock, Logger: logger,
	}
	switcher := builds.Switcher{Builds: db, Checker: checker, Pauser: pauser, Erased: erased, Tables: tables}
	p.exclusive = builds.Exclusive{Builds: db, Tables: tables, Leases: db, Follower: p.follower}
	p.rollback = builds.Rollback{Builds: db, Checker: checker, Switcher: switcher}
	p.rebuilder = builds.Rebuilder{
		Builds: db, Live: db,
		Planner: builds.Planner{Builds: db, Statuses: db, Checker: checker, Log: db, Tables: tables, Dropper: dropper},
		Replayer: builds.Replayer{
			Builds: db, Ranges: db, Admission: admission, Streams: streams, Waiting: db, Log: db,
			Writer: writer, Store: store, Logger: logger,
		},
		Checker: checker, Verifier: p.verifier, Switcher: switcher, Dropper: dropper, Follower: p.follower, Clock: clock,
	}
	p.adopter = builds.EpochAdopter{
		Builds: db, Checker: checker, Report: func(string, error) {},
		Adopt: db.AdoptEpoch,
	}
	w.processes = append(w.processes, p)
	return p
}

// named tells the calls of different subscriptions apart.
type named struct{ *feed.Subscriber }

type topicKey struct{}

func (n named) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	return n.Subscriber.Subscribe(context.WithValue(ctx, topicKey{}, topic), topic)
}

// run lets the program begin.
func (p *program) run(work func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	go func() {
		defer close(p.ended)
		work(ctx)
	}()
}

// silent is told how long work goes, and says nothing.
type silent struct{}

func (silent) Show(int64, int64) {}
func (silent) Done()             {}

func (silent) Say(string, ...any)                                 {}
func (silent) Progress(string, *atomic.Int64, int64) (end func()) { return func() {} }
func (silent) Compared(builds.Verification)                       {}

// patiently tries a command again while another process does the same.
func patiently(command func(context.Context, *program) error) func(context.Context, *program) error {
	return func(ctx context.Context, p *program) error {
		for {
			err := command(ctx, p)
			if !errors.Is(err, builds.ErrBusy) || ctx.Err() != nil {
				return err
			}
			time.Sleep(time.Second)
		}
	}
}

// The commands.

func retryParked(ctx context.Context, p *program) error {
	list, err := p.db.BuildStatuses(ctx)
	if err != nil {
		return err
	}
	for _, s := range list {
		waiting, err := p.db.Waiting(ctx, s.Name)
		if err != nil {
			return err
		}
		for _, one := range waiting {
			// It is not found where a process that has just begun to follow has retried it.
			if _, _, err := p.parking.Retry(ctx, s.Name, one.Stream); err != nil && !errors.Is(err, memory.ErrNotFound) {
				return err
			}
		}
	}
	return nil
}

func rebuild(ctx context.Context, p *program) error {
	return p.exclusive.Run(ctx, func(ctx context.Context) error {
		// The calls of two workers could not be told apart.
		_, err := p.rebuilder.Run(ctx, builds.Options{Workers: 1, Batch: 4}, silent{})
		return err
	})
}

func rollback(ctx context.Context, p *program) error {
	return p.exclusive.Run(ctx, func(ctx context.Context) error {
		_, _, err := p.rollback.Run(ctx, "", event.OperatorAct{})
		return err
	})
}

func adoptEpoch(ctx context.Context, p *program) error {
	_, _, err := p.adopter.Run(ctx)
	return err
}

func verify(ctx context.Context, p *program) error {
	return p.exclusive.Run(ctx, func(ctx context.Context) error {
		live, err := p.db.LiveBuild(ctx)
		if err != nil {
			return err
		}
		v, err := p.verifier.Verify(ctx, live, "")
		if err == nil && v.Differs() {
			err = errDiffers
		}
		return err
	})
}

// errDiffers: the live build differs from the log.
var errDiffers = errors.New("the live build differs from the log")
