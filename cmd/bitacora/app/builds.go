package app

import (
	"context"
	"io"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/command"
	"bitacora/projections"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

// BatchPause is how far apart batches begin. To store one costs ClickHouse about the same
// whether it holds one message or a hundred.
const BatchPause = 200 * time.Millisecond

// Builds are the parts that manage the builds of the tables, connected to this clinic's databases.
type Builds struct {
	// Tables waits for ClickHouse.
	Tables    builds.Waiter
	Checker   builds.Checker
	pauser    builds.Pauser
	Parking   builds.ParkingRetrier
	Follower  *builds.Follower
	Exclusive builds.Exclusive
	Dropper   builds.Dropper
	Verifier  builds.Verifier
	Rollback  builds.Rollback
	Rebuilder builds.Rebuilder
	Inspector builds.Inspector
	Renewer   *builds.Renewer
	// Withdrawer takes the texts of people out of all builds.
	Withdrawer builds.Withdrawer
	Refiller   builds.Refiller
}

// OperateBuilds connects the operators to the log and the tables. Published, if not nil, is called
// after the analysts' views were pointed at another build, or made on a node that lacked them.
func OperateBuilds(a *App, published func(context.Context)) *Builds {
	db, tables, clock, logger := a.DB, a.Tables, projections.WallClock{}, a.Log
	store := func(build string) projections.ParkingStore { return db.Parking(build) }
	writer := func(build string) projections.Writer { return a.Meters.measured(build, tables.Writer(build)) }

	checker := builds.Checker{Builds: db, Tables: tables, Log: db.Log(), Zone: a.Clinic.Zone.String()}
	admission := builds.Admission{Checker: checker, Tables: tables}
	pauser := builds.Pauser{Builds: db, Clock: clock, Logger: logger}
	awaited := builds.SayingWaiter{Waiter: tables, Logger: logger, Patience: a.Patience}
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
			return postgres.NewSubscriber(db, feed.Config{Lease: builds.LeaseTime, Pause: BatchPause, Begin: begin})
		},
		Writer: writer, Store: store, Clock: clock, Logger: logger,
	}
	if copies, ok := clickhouse.CopiesOf(tables); ok {
		follower.Writer = func(build string) projections.Writer { return a.Meters.measured(build, copies.Follower(build)) }
		follower.Fill = builds.Filler{Builds: db, Tables: copies, Log: db.Log(), Erased: erased, Store: store, Published: published, Clock: clock, Logger: logger}.Keep
	}
	verifier := builds.Verifier{
		Builds: db, Checker: checker, Pauser: pauser, Erased: erased, Waiting: db, Log: db.Log(), Skipped: db.Log(), Scratch: tables,
		Reader:  func(build string) builds.VerifiedTables { return tables.Reader(build) },
		Sampled: postgres.Parts{Log: db.Log()},
		SampleReader: func(build string, shares uint32, subjects []string) builds.VerifiedTables {
			return tables.Reader(build).Sample(shares, subjects)
		},
		Writer:   func(build string) projections.Writer { return tables.Writer(build) },
		Progress: func(work string) builds.Progress { return command.NewProgress(work) },
		Zone:     a.Clinic.Zone, Clock: clock, Logger: logger,
	}
	switcher := builds.Switcher{Builds: db, Checker: checker, Pauser: pauser, Erased: erased, Tables: tables}
	exclusive := builds.Exclusive{Builds: db, Tables: awaited, Leases: db, Follower: follower}
	rebuilder := builds.Rebuilder{
		Builds: db, Live: db,
		Planner: builds.Planner{Builds: db, Statuses: db, Checker: checker, Log: db.Log(), Tables: tables, Dropper: dropper},
		Replayer: builds.Replayer{
			Builds: db, Ranges: db, Admission: admission, Streams: streams, Waiting: db, Log: db.Log(),
			Writer: writer, Store: store, Logger: logger,
		},
		Checker: checker, Verifier: verifier, Switcher: switcher, Dropper: dropper, Follower: follower, Clock: clock,
	}
	return &Builds{
		Tables:  awaited,
		Checker: checker, pauser: pauser, Parking: parking, Follower: follower, Dropper: dropper, Verifier: verifier,
		Exclusive: exclusive, Rebuilder: rebuilder,
		Rollback:   builds.Rollback{Builds: db, Checker: checker, Switcher: switcher},
		Withdrawer: builds.Withdrawer{Builds: db, Names: tables, Texts: erased, Streams: streams},
		Refiller:   builds.Refiller{Builds: db, Tables: tables, Texts: erased},
		Inspector:  builds.Inspector{Builds: db, Checker: checker, Tables: tables, Clock: clock},
		Renewer: &builds.Renewer{
			Builds: db, Checker: checker, Exclusive: exclusive, Clock: clock, Logger: logger,
			Rebuild: func(ctx context.Context) error {
				// One worker: visitors and staff are served meanwhile.
				_, err := rebuilder.Run(ctx, builds.Options{Workers: 1, By: ActOfProgram}, &Reporter{Out: io.Discard})
				return err
			},
		},
	}
}
