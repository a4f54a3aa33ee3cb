package main

import (
	"context"
	"io"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/adapters/postgres"
	"bitacora/projections"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

// batchPause is how far apart batches begin. To store one costs ClickHouse about the same
// whether it holds one message or a hundred.
const batchPause = 200 * time.Millisecond

// buildOperators are the parts that manage the builds of the tables, connected to this clinic's databases.
type buildOperators struct {
	// tables waits for ClickHouse.
	tables    builds.Waiter
	checker   builds.Checker
	pauser    builds.Pauser
	parking   builds.ParkingRetrier
	follower  *builds.Follower
	exclusive builds.Exclusive
	dropper   builds.Dropper
	verifier  builds.Verifier
	rollback  builds.Rollback
	rebuilder builds.Rebuilder
	inspector builds.Inspector
	renewer   *builds.Renewer
	// withdrawer takes the texts of people out of all builds.
	withdrawer builds.Withdrawer
	refiller   builds.Refiller
}

// operateBuilds connects the operators to the log and the tables. Published, if not nil, is called
// after the analysts' views were pointed at another build, or made on a node that lacked them.
func operateBuilds(a *app, published func(context.Context)) *buildOperators {
	db, tables, clock, logger := a.db, a.tables, projections.WallClock{}, a.log
	store := func(build string) projections.ParkingStore { return db.Parking(build) }
	writer := func(build string) projections.Writer { return a.meters.measured(build, tables.Writer(build)) }

	checker := builds.Checker{Builds: db, Tables: tables, Log: db.Log(), Zone: a.clinic.Zone.String()}
	admission := builds.Admission{Checker: checker, Tables: tables}
	pauser := builds.Pauser{Builds: db, Clock: clock, Logger: logger}
	awaited := builds.SayingWaiter{Waiter: tables, Logger: logger, Patience: a.patience}
	erased := builds.ErasedTexts{Log: db.Log(), Tables: tables, Leases: db, Clock: clock, Logger: logger}
	dropper := builds.Dropper{Builds: db, Leases: db, Tables: tables, Clock: clock}
	streams := builds.StreamApplier{
		Log: db.Log(), Skipped: db.Log(), Tables: tables,
		Writer: func(build string) builds.RetryWriter { return tables.Writer(build) },
	}
	parking := builds.ParkingRetrier{
		Builds: db, Streams: streams, Log: db.Log(), Waiting: db, Logger: logger,
		Parking: func(build string) builds.ParkingQueue { return db.Parking(build) },
	}
	follower := &builds.Follower{
		Builds: db, Admission: admission, Tables: tables, Parking: parking,
		Views: builds.Views{Tables: tables, Published: published, Logger: logger},
		Subscriber: func(begin func(context.Context) error) message.Subscriber {
			return postgres.NewSubscriber(db, feed.Config{Lease: builds.LeaseTime, Pause: batchPause, Begin: begin})
		},
		Writer: writer, Store: store, Clock: clock, Logger: logger,
	}
	verifier := builds.Verifier{
		Builds: db, Checker: checker, Pauser: pauser, Erased: erased, Waiting: db, Log: db.History(), Skipped: db.Log(), Scratch: tables,
		Reader:   func(build string) builds.VerifiedTables { return tables.Reader(build) },
		Writer:   func(build string) projections.Writer { return tables.Writer(build) },
		Progress: func(work string) builds.Progress { return newProgress(work) },
		Zone:     a.clinic.Zone, Clock: clock, Logger: logger,
	}
	switcher := builds.Switcher{Builds: db, Checker: checker, Pauser: pauser, Erased: erased, Tables: tables}
	exclusive := builds.Exclusive{Builds: db, Tables: awaited, Leases: db, Follower: follower}
	rebuilder := builds.Rebuilder{
		Builds: db, Live: db,
		Planner: builds.Planner{Builds: db, Statuses: db, Checker: checker, Log: db.Log(), Tables: tables, Dropper: dropper},
		Replayer: builds.Replayer{
			Builds: db, Ranges: db, Admission: admission, Streams: streams, Waiting: db, Log: db.History(),
			Writer: writer, Store: store, Logger: logger,
		},
		Checker: checker, Verifier: verifier, Switcher: switcher, Dropper: dropper, Follower: follower, Clock: clock,
	}
	return &buildOperators{
		tables:  awaited,
		checker: checker, pauser: pauser, parking: parking, follower: follower, dropper: dropper, verifier: verifier,
		exclusive: exclusive, rebuilder: rebuilder,
		rollback:   builds.Rollback{Builds: db, Checker: checker, Switcher: switcher},
		withdrawer: builds.Withdrawer{Builds: db, Names: tables, Texts: erased, Streams: streams},
		refiller:   builds.Refiller{Builds: db, Tables: tables, Texts: erased, Published: published},
		inspector:  builds.Inspector{Builds: db, Checker: checker, Tables: tables, Clock: clock},
		renewer: &builds.Renewer{
			Builds: db, Checker: checker, Exclusive: exclusive, Clock: clock, Logger: logger,
			Rebuild: func(ctx context.Context) error {
				// One worker: visitors and staff are served meanwhile.
				_, err := rebuilder.Run(ctx, builds.Options{Workers: 1, By: actOfProgram}, &reporter{out: io.Discard})
				return err
			},
		},
	}
}
