package serve

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/staff"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/projections/builds"
)

// tablesState is what serve knows of the dashboard's tables: whether they are there, and since when not.
type tablesState struct {
	*app.App
	supervisor *engines.Supervisor
	// embedded says that this process runs ClickHouse, so that lost tables can be made anew in no other place.
	embedded bool
	missing  atomic.Pointer[missingTables]
}

// missingTables says what the dashboard lacks.
type missingTables struct {
	cause contract.ReadinessClickhouseCause
	// reason is for operators.
	reason string
	since  time.Time
}

const (
	// tablesWatched is how far apart looks at the tables begin; while the engine starts they ask nothing of it.
	tablesWatched, startWatched = time.Second, 20 * time.Millisecond
	// missingTold is how long they may be missing before the log says so: engines are started again at once.
	missingTold = 10 * time.Second
	// pingPatience is how long ClickHouse may take for a sign of life.
	pingPatience = 5 * time.Second
)

// watch looks at the tables until ctx ends.
func (t *tablesState) watch(ctx context.Context) {
	runs, told := t.supervisor.Runs(), false
	for ctx.Err() == nil {
		if now := t.supervisor.Runs(); now != runs {
			runs = now
			t.Tables.ForgetDamage()
			t.Builds.Follower.Again()
		}
		found := t.look(ctx)
		was := t.missing.Load()
		if found != nil && was != nil {
			found.since = was.since
		}
		switch {
		case ctx.Err() != nil:
			return
		case found == nil && told:
			told = false
			t.Log.Info("the dashboard's tables are there again", "missing since", was.since)
		case found != nil && !told && time.Since(found.since) > missingTold:
			told = true
			t.Log.Warn("the dashboard's tables are missing; visitors are served", "since", found.since, "reason", found.reason)
		}
		t.missing.Store(found)
		pause := tablesWatched
		if found != nil && found.cause == contract.ReadinessClickhouseCauseStarting {
			pause = startWatched
		}
		command.Pause(ctx, pause)
	}
}

// look finds out whether the tables are missing; nil where they are not.
func (t *tablesState) look(ctx context.Context) *missingTables {
	if a := t.supervisor.Absence(); a != nil {
		return &missingTables{reason: a.Reason, cause: contract.ReadinessClickhouseCause(a.Cause), since: a.Since}
	}
	asked, cancel := context.WithTimeout(ctx, pingPatience)
	defer cancel()
	if err := t.Tables.Ping(asked); err != nil {
		return &missingTables{reason: err.Error(), cause: contract.ReadinessClickhouseCauseUnanswered, since: time.Now()}
	}
	live, err := t.DB.LiveBuild(asked)
	if err != nil || !t.embedded {
		return nil
	}
	if err := t.lost(live); err != nil {
		return &missingTables{reason: err.Error(), cause: contract.ReadinessClickhouseCauseRebuilding, since: time.Now()}
	}
	return nil
}

// lost says why a build has to be made anew.
func (t *tablesState) lost(build string) error {
	if err := t.Builds.Follower.Obstacle(build); errors.Is(err, builds.ErrIncomplete) {
		return err
	}
	return t.Tables.Damaged(build)
}

// rebuildFailed has an engine begin anew that cannot work on its files.
func (t *tablesState) rebuildFailed(_ context.Context, err error) {
	if !clickhouse.Unreadable(err) {
		return
	}
	if err := t.Engines().ResetDamaged(); err != nil {
		t.Log.Error("ClickHouse's files cannot be set aside", "error", err)
	}
}

// live is [app.App.Live], or says that the tables are missing.
func (t *tablesState) live(ctx context.Context) (staff.Tables, staff.Through, error) {
	if m := t.missing.Load(); m != nil {
		return nil, staff.Through{}, staff.MissingTables(m.cause, m.since.In(t.Clinic.Zone))
	}
	return t.App.Live(ctx)
}
