package main

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/assistant"
	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines"
	"bitacora/adapters/engines/confine"
	"bitacora/adapters/postgres"
	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
	"bitacora/projections"
	"bitacora/projections/builds"
)

func newDoctor() *cobra.Command {
	return command("doctor", "Check the whole installation and say what to do",
		"  bitacora doctor", cobra.NoArgs, func(ctx context.Context, a *app, _ []string) error {
			return doctor{config: a.config, clinic: a.clinic, at: a.at, db: a.db, tables: a.tables, inspector: a.builds.inspector, demo: a.demo}.examine(ctx)
		})
}

// doctor examines an installation.
type doctor struct {
	config    config
	clinic    clinic.Clinic
	at        engines.Endpoints
	db        *postgres.DB
	tables    *clickhouse.DB
	inspector builds.Inspector
	demo      *demoMode
}

// finding is what one examination says: nothing to do, or what is wrong and the way out.
type finding struct {
	said, todo string
}

// examine prints what is found in each part of the installation.
func (d doctor) examine(ctx context.Context) error {
	examinations := []struct {
		of   string
		look func(context.Context) finding
	}{
		{"log", d.examineLog},
		{"tables", d.examineTables},
		{"files", func(context.Context) finding {
			return confinement(d.at.EmbeddedClickHouse, confine.Possible(), d.at.AnalystURL != "")
		}},
		{"projections", d.examineProjections},
		{"parked", d.examineParked},
		{"month", d.examineMonth},
		{"assistant", d.examineAssistant},
		{"staff", d.examineStaff},
		{"keys", func(context.Context) finding { return examineKeys(d.config, d.clinic.Zone) }},
		{"proxy", d.examineProxy},
	}
	healthy := true
	for _, e := range examinations {
		f := e.look(ctx)
		verdict := "ok "
		if f.todo != "" {
			verdict, healthy = "!! ", false
		}
		fmt.Printf("%s %-12s %s\n", verdict, e.of, f.said)
		if f.todo != "" {
			fmt.Printf("%18s %s\n", "→", f.todo)
		}
	}
	if reminder := numbersReminder(d.clinic, time.Now()); reminder != "" {
		fmt.Printf("-> %-12s %s\n", "numbers", reminder)
	}
	for _, advice := range keysAdvice(d.config, time.Now()) {
		fmt.Printf("-> %-12s %s\n", "keys", advice)
	}
	if !healthy {
		return errFound
	}
	return nil
}

// numbersReminder says that the numbers which people in danger are told should be checked again;
// empty if there is time. It makes no installation unhealthy.
func numbersReminder(c clinic.Clinic, now time.Time) string {
	if !c.NumbersDue(now) {
		return ""
	}
	numbers := slices.DeleteFunc([]string{c.Emergency, c.CrisisLine.Phone, c.CrisisLine.WhatsApp}, func(n string) bool { return n == "" })
	checked := "at an unknown time"
	if !c.NumbersChecked.IsZero() {
		checked = "on " + c.NumbersChecked.Format(time.DateOnly)
	}
	return fmt.Sprintf("people in danger are told to call %s, last checked %s: check them again and write the day into the clinic's file as \"numbersChecked\"",
		strings.Join(numbers, ", "), checked)
}

func (d doctor) examineLog(ctx context.Context) finding {
	head, err := d.db.Log().Head(ctx)
	if err != nil {
		return finding{err.Error(), "see that PostgreSQL runs and that BITACORA_DATABASE_URL names it"}
	}
	where := "a server of its own"
	if d.at.EmbeddedPostgres {
		where = "the embedded PostgreSQL"
	}
	said := fmt.Sprintf("%d events in %s", head, where)
	if yes, _, err := d.demo.began(ctx); err != nil {
		return finding{err.Error(), "see that PostgreSQL runs"}
	} else if yes {
		said += "; it began as a demo: patients and conversations of the channel demo are invented"
	}
	return finding{said: said}
}

func (d doctor) examineTables(ctx context.Context) finding {
	if err := d.tables.Ping(ctx); err != nil {
		return finding{err.Error(), "see that ClickHouse runs and that BITACORA_CLICKHOUSE_URL names it; chats go on and are projected later"}
	}
	build, err := builds.LiveOrFirst(ctx, d.db)
	if err != nil {
		return finding{err.Error(), "bitacora project makes the first build"}
	}
	s, err := d.db.BuildStatus(ctx, build)
	if err != nil {
		return finding{err.Error(), "see that PostgreSQL runs"}
	}
	if s.Version != projections.Version {
		return finding{
			fmt.Sprintf("build %s was made by version %d of the projections, this program is %d", build, s.Version, projections.Version),
			"bitacora rebuild; until then the dashboard answers as far as these tables go",
		}
	}
	now := time.Now()
	if _, err := d.tables.Reader(build).ConversationCount(ctx, analytics.Cohort{Period: analytics.MonthOf(now, d.clinic.Zone)}); err != nil {
		return finding{err.Error(), "run bitacora serve or bitacora project once: it makes the tables"}
	}
	return finding{said: fmt.Sprintf("build %s answers", build)}
}

// confinement says which files ClickHouse can read.
func confinement(embedded, possible, analyst bool) finding {
	switch {
	case !embedded:
		return finding{said: "ClickHouse is a server of its own"}
	case possible:
		return finding{said: "ClickHouse reads its own and no others"}
	case analyst:
		return finding{confine.Missing, "use a kernel with Landlock, or a ClickHouse server of its own (BITACORA_CLICKHOUSE_URL), or let nobody ask as analyst (BITACORA_UNCONFINED_ANALYST=off)"}
	}
	return finding{said: confine.Missing + "; so there is no analyst (BITACORA_UNCONFINED_ANALYST=on would make one)"}
}

// lagPatience is how long a projection may need for the events that came last.
const lagPatience = 3 * time.Second

func (d doctor) examineProjections(ctx context.Context) finding {
	build, err := builds.LiveOrFirst(ctx, d.db)
	if err != nil {
		return finding{err.Error(), "bitacora project makes the first build"}
	}
	for began := time.Now(); ; {
		head, err := d.db.Log().Head(ctx)
		if err != nil {
			return finding{err.Error(), "see that PostgreSQL runs"}
		}
		position, _, err := d.db.DataThrough(ctx, build)
		if err != nil {
			return finding{err.Error(), "see that PostgreSQL runs"}
		}
		if position >= head {
			return finding{said: fmt.Sprintf("applied up to %d, the end of the log", position)}
		}
		if time.Since(began) > lagPatience || !pause(ctx, 100*time.Millisecond) {
			return finding{fmt.Sprintf("applied up to %d, %d events behind", position, head-position), d.remedy(ctx, build)}
		}
	}
}

// remedy says what keeps a build from going on.
func (d doctor) remedy(ctx context.Context, build string) string {
	list, err := d.inspector.Inspect(ctx, time.Second)
	if err != nil {
		return err.Error()
	}
	for _, b := range list {
		if b.Build == build && b.Reason != "" {
			return b.Reason
		}
	}
	return "it moves: look again in a while"
}

// examineParked looks for what waits in the builds that are kept up.
func (d doctor) examineParked(ctx context.Context) finding {
	list, err := d.db.BuildStatuses(ctx)
	if err != nil {
		return finding{err.Error(), "see that PostgreSQL runs"}
	}
	var said []string
	for _, s := range list {
		if s.State.Followed() && s.Parked > 0 {
			said = append(said, fmt.Sprintf("%d conversations wait in build %s", s.Parked, s.Name))
		}
	}
	if len(said) > 0 {
		return finding{strings.Join(said, ", "), "bitacora parked list says on what; what another version of the program wrote is applied by itself when that one is back"}
	}
	return finding{said: "no conversation waits"}
}

func (d doctor) examineMonth(ctx context.Context) finding {
	month := time.Now().In(d.clinic.Zone).Format("2006-01")
	taken, err := d.db.Log().MonthlyCount(ctx, month)
	if err != nil {
		return finding{err.Error(), "see that PostgreSQL runs"}
	}
	limit := analytics.UsageOf(taken, d.config.MonthlyLimit)
	switch {
	case limit == nil:
		return finding{said: fmt.Sprintf("%d conversations in %s, no limit", taken, month)}
	case limit.LimitReached:
		return finding{
			fmt.Sprintf("%d of %d conversations in %s: the chatbot takes no new ones", limit.Current, limit.Limit, month),
			"raise BITACORA_MONTHLY_LIMIT, or wait for the next month",
		}
	}
	return finding{said: fmt.Sprintf("%d of %d conversations in %s", limit.Current, limit.Limit, month)}
}

func (d doctor) examineAssistant(context.Context) finding {
	spec, err := d.config.assistantSpec()
	if err == nil {
		_, err = assistant.New(spec, d.clinic)
	}
	if err != nil {
		return finding{err.Error(), "set BITACORA_ASSISTANT to one of those that bitacora serve --help lists"}
	}
	return finding{said: spec.String()}
}

func (d doctor) examineStaff(ctx context.Context) finding {
	accounts, err := d.db.Staff().Accounts(ctx)
	if err != nil {
		return finding{err.Error(), "see that PostgreSQL runs"}
	}
	if len(accounts) == 0 {
		return finding{"nobody can sign in to the dashboard", "bitacora staff add EMAIL"}
	}
	return finding{said: fmt.Sprintf("%d accounts", len(accounts))}
}

// examineProxy names proxies that a running program met on the day before.
func (d doctor) examineProxy(ctx context.Context) finding {
	met, err := d.db.UnnamedProxies(ctx, time.Now())
	if err != nil {
		return finding{err.Error(), "see that PostgreSQL runs"}
	}
	for _, p := range met {
		if !slices.ContainsFunc(d.config.TrustedProxies, func(n netip.Prefix) bool { return n.Contains(p.Address) }) {
			return finding{
				fmt.Sprintf("%s sent %s on %s and is not named: all visitors behind it count as one address",
					p.Address, p.Header, p.SeenAt.In(d.clinic.Zone).Format(time.DateTime)),
				fmt.Sprintf("if it is the proxy in front of the site: BITACORA_TRUSTED_PROXIES=%s; if it is not yours, a visitor sent the header, which does no harm",
					netip.PrefixFrom(p.Address, p.Address.BitLen())),
			}
		}
	}
	if len(d.config.TrustedProxies) == 0 {
		return finding{said: "none named, and none was met in the last 24 hours"}
	}
	return finding{said: fmt.Sprintf("%d networks named, and no other was met in the last 24 hours", len(d.config.TrustedProxies))}
}
