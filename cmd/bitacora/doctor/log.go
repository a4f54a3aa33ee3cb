package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/analytics"
	"bitacora/domain/staff"
	"bitacora/projections"
	"bitacora/projections/builds"
)

// unread is for an answer that did not come although the engine answered before.
func unread(err error) finding {
	return failed(err.Error(), advise("as for postgres, above; try again"))
}

func examineLog(ctx context.Context, d *doctor) finding {
	head, err := d.db.Log().Head(ctx)
	if err != nil {
		return unread(err)
	}
	said := fmt.Sprintf("%d events", head)
	if yes, _, err := d.demo.Began(ctx); err != nil {
		return unread(err)
	} else if yes {
		said += "; it began as a demo: patients and conversations of the channel demo are invented"
	}
	return fine("%s", said)
}

func examineTables(ctx context.Context, d *doctor) finding {
	build, err := d.db.LiveBuild(ctx)
	if errors.Is(err, postgres.ErrNotFound) {
		return failed("there are no tables yet", run("bitacora rebuild"))
	}
	if err != nil {
		return unread(err)
	}
	s, err := d.db.BuildStatus(ctx, build)
	if err != nil {
		return unread(err)
	}
	switch err := d.builds.Checker.Outdated(ctx, s); {
	case s.Version != projections.Version:
		return failed(fmt.Sprintf("build %s was made by version %d of the projections, this program is %d", build, s.Version, projections.Version),
			run("bitacora rebuild").or(advise("until then the dashboard answers as far as these tables go")))
	case errors.Is(err, builds.ErrOutdated):
		return warn(err.Error(), run("bitacora rebuild").or(advise("until then the dashboard counts by the days and hours of the former zone, and says so")))
	}
	if _, err := d.tables.Reader(build).ConversationCount(ctx, analytics.Cohort{Period: analytics.MonthOf(d.now(), d.clinic.Zone)}); err != nil {
		return failed(err.Error(), run("bitacora rebuild"))
	}
	return fine("build %s answers", build)
}

// lagPatience is how long a projection may need for the events that came last.
const lagPatience = 3 * time.Second

func examineProjections(ctx context.Context, d *doctor) finding {
	build, err := d.db.LiveBuild(ctx)
	if err != nil {
		return failed(err.Error(), run("bitacora rebuild"))
	}
	for began := time.Now(); ; {
		head, err := d.db.Log().Head(ctx)
		if err != nil {
			return unread(err)
		}
		position, _, err := d.db.DataThrough(ctx, build)
		if err != nil {
			return unread(err)
		}
		if position >= head {
			return fine("applied up to %d, the end of the log", position)
		}
		if time.Since(began) > lagPatience || !command.Pause(ctx, 100*time.Millisecond) {
			return d.behind(ctx, build, fmt.Sprintf("applied up to %d, %d events behind", position, head-position))
		}
	}
}

// behind says what keeps a build from going on; one that moves is late and no more.
func (d *doctor) behind(ctx context.Context, build, said string) finding {
	list, err := d.builds.Inspector.Inspect(ctx, time.Second)
	if err != nil {
		return unread(err)
	}
	for _, b := range list {
		if b.Build == build && b.Reason != "" {
			return failed(said, advise("%s", command.OneLine(b.Reason)))
		}
	}
	return warn(said+"; it moves", askAgain)
}

// examineParked looks for what waits in the builds that are kept up.
func examineParked(ctx context.Context, d *doctor) finding {
	list, err := d.db.BuildStatuses(ctx)
	if err != nil {
		return unread(err)
	}
	var said []string
	for _, s := range list {
		if s.State.Followed() && s.Parked > 0 {
			said = append(said, fmt.Sprintf("%d conversations wait in build %s", s.Parked, s.Name))
		}
	}
	if len(said) > 0 {
		return failed(strings.Join(said, ", "), advise("bitacora parked list says on what; what another version of the program wrote is applied by itself when that one is back"))
	}
	return fine("no conversation waits")
}

func examineMonth(ctx context.Context, d *doctor) finding {
	month := d.now().In(d.clinic.Zone).Format("2006-01")
	taken, err := d.db.Log().MonthlyCount(ctx, month)
	if err != nil {
		return unread(err)
	}
	limit := analytics.UsageOf(taken, d.config.MonthlyLimit)
	switch {
	case limit == nil:
		return fine("%d conversations in %s, no limit", taken, month)
	case limit.LimitReached:
		return failed(fmt.Sprintf("%d of %d conversations in %s: the chatbot takes no new ones", limit.Current, limit.Limit, month),
			advise("raise BITACORA_MONTHLY_LIMIT, or wait for the next month"))
	}
	return fine("%d of %d conversations in %s", limit.Current, limit.Limit, month)
}

func examineStaff(ctx context.Context, d *doctor) finding {
	accounts, err := d.db.Staff().Accounts(ctx)
	if err != nil {
		return unread(err)
	}
	if len(accounts) == 0 {
		return failed("nobody can sign in to the dashboard", advise("bitacora staff add EMAIL"))
	}
	return fine("%d accounts", len(accounts))
}

// examineSecondFactor says who signs in with a password alone.
func examineSecondFactor(ctx context.Context, d *doctor) finding {
	accounts, err := d.db.Staff().Accounts(ctx)
	if err != nil {
		return unread(err)
	}
	without := slices.DeleteFunc(slices.Clone(accounts), func(a staff.Account) bool { return a.SecondFactor })
	required := d.config.SecondFactor == settings.SecondFactorRequired
	switch {
	case len(without) == 0 && len(accounts) > 0:
		return fine("every account has a code beside its password")
	case required:
		return fine("it is required; %d of %d accounts have to set it up when they sign in next", len(without), len(accounts))
	case !d.config.Public():
		return fine("%d of %d accounts have one; nobody needs one", len(accounts)-len(without), len(accounts))
	}
	return warn(fmt.Sprintf("%d of %d accounts open a public dashboard with a password alone", len(without), len(accounts)), set("BITACORA_SECOND_FACTOR=required"))
}

func examineRetention(_ context.Context, d *doctor) finding {
	if len(d.config.Retention) == 0 {
		return warn("personal data are kept until somebody asks", set("BITACORA_RETENTION=conversations=24mo,leads=36mo,contact-messages=36mo").or(advise("bitacora retention lists beforehand whom that erases")))
	}
	return fine("%s", d.config.Retention)
}
