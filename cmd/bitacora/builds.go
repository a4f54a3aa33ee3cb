package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/postgres"
	"bitacora/projections"
	"bitacora/projections/builds"
)

// batchPause is how far apart batches begin. To store one costs ClickHouse about the same
// whether it holds one message or a hundred.
const batchPause = 200 * time.Millisecond

// buildOperators are what operates the builds of the tables, over this clinic's databases.
type buildOperators struct {
	checker  builds.Checker
	streams  builds.StreamApplier
	parking  builds.ParkingRetrier
	follower *builds.Follower
}

// newBuildOperators connects them. Published, if not nil, is called after the analysts' views
// were pointed at another build.
func newBuildOperators(db *postgres.DB, tables *clickhouse.DB, m *meters, published func(context.Context), logger *slog.Logger) *buildOperators {
	checker := builds.Checker{Builds: db, Tables: tables, Log: db.Log()}
	streams := builds.StreamApplier{
		Log: db.Log(), Skipped: db, Tables: tables,
		Writer: func(build string) builds.RetryWriter { return tables.Writer(build) },
	}
	parking := builds.ParkingRetrier{
		Streams: streams, Log: db.Log(), Waiting: db, Logger: logger,
		Parking: func(build string) builds.ParkingQueue { return db.Parking(build) },
	}
	return &buildOperators{
		checker: checker, streams: streams, parking: parking,
		follower: &builds.Follower{
			Builds: db, Admission: builds.Admission{Checker: checker, Tables: tables}, Tables: tables, Parking: parking,
			Views: builds.Views{Tables: tables, Published: published, Logger: logger},
			Subscriber: func(begin func(context.Context) error) message.Subscriber {
				return postgres.NewSubscriber(db, postgres.SubscriberConfig{Lease: builds.LeaseTime, Pause: batchPause, Begin: begin})
			},
			Writer: func(build string) projections.Writer { return m.measured(build, tables.Writer(build)) },
			Store:  func(build string) projections.ParkingStore { return db.Parking(build) },
			Clock:  projections.WallClock{}, Logger: logger,
		},
	}
}

// analystsRenewer keeps what analysts may do on a server of one's own as this program declares it.
func analystsRenewer(tables *clickhouse.DB, password string, logger *slog.Logger) func(context.Context) {
	return func(ctx context.Context) {
		err := tables.AdmitAnalysts(ctx, password)
		switch {
		case errors.Is(err, clickhouse.ErrMayNotGrant):
			logger.Info("analysts are not admitted: bitacora migrate prints the SQL for who may", "error", err)
		case err != nil:
			logger.Warn("analysts cannot be admitted", "error", err)
		}
	}
}
