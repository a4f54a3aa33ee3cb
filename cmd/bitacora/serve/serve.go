// Package serve runs the site, the dashboard and the projections, and sends the letters.
package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	learned "bitacora/adapters/assistant"
	"bitacora/adapters/clickhouse"
	"bitacora/adapters/dossier"
	"bitacora/adapters/engines"
	"bitacora/adapters/httpapi"
	"bitacora/adapters/httpapi/booking"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/staff"
	"bitacora/adapters/httpapi/visitor"
	"bitacora/adapters/httpapi/web"
	"bitacora/adapters/offsite"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/accounts"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/assistant"
	"bitacora/cmd/bitacora/backup"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/content"
	"bitacora/cmd/bitacora/privacy"
	"bitacora/cmd/bitacora/selfcheck"
	"bitacora/cmd/bitacora/settings"
	"bitacora/cmd/bitacora/setup"
	"bitacora/domain/chartnotes"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/fault"
	"bitacora/domain/subjects"
	"bitacora/domain/teaching"
	"bitacora/projections/builds"
)

// New is "bitacora serve".
func New() *cobra.Command {
	var check bool
	c := &cobra.Command{
		Use:     "serve",
		Short:   "Run the site, the dashboard, the projections and the embedded engines",
		Long:    "Run the site, the dashboard, the projections and the embedded engines, until Ctrl-C.\n\n" + settings.Help(),
		Example: "  bitacora serve\n  BITACORA_ADDR=127.0.0.1:9000 BITACORA_MONTHLY_LIMIT=1000 bitacora serve",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := app.Configure()
			if err != nil {
				return err
			}
			if err := a.Presentable(); err != nil {
				return err
			}
			if check {
				return app.CheckMigrations(c.Context(), a)
			}
			a.WarnOfLeftOut()
			return serve(c.Context(), a)
		},
	}
	c.Flags().BoolVar(&check, "check-migrations", false, "only report which migrations of the database this program would apply, and change nothing; exit code 3: the former program cannot go on after them")
	c.Flags().Bool("auto-rebuild", true, "")
	_ = c.Flags().MarkDeprecated("auto-rebuild", "serve always rebuilds by itself")
	return c
}

// questionPatience is how long the staff waits for a ClickHouse that gives no sign of life.
const questionPatience = 5 * time.Second

// logPatience is how long a start waits for a PostgreSQL elsewhere at whose address nobody answers.
const logPatience = 2 * time.Minute

// server is the site and the dashboard over the clinic's log and tables.
type server struct {
	*app.App
	demo     *setup.DemoMode
	listener net.Listener
	tls      *ownTLS
	state    *tablesState
	// stopping is closed when the process is told to stop.
	stopping <-chan struct{}
	// url is the site's own, for links in letters.
	url string
	// shipper copies the log elsewhere; nil where nothing does.
	shipper *offsite.Shipper
	// answers are made once.
	answers func() (*learned.Assistant, error)
}

// serve starts everything, runs everything, and stops it in reverse.
func serve(ctx context.Context, a *app.App) (err error) {
	listener, err := listen("BITACORA_ADDR", a.Config.Addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	own, err := listenTLS(ctx, a)
	if err != nil {
		return err
	}
	defer own.close()
	if err := giveUpPorts(); err != nil {
		return err
	}
	answers := sync.OnceValues(func() (*learned.Assistant, error) { return assistant.NewAssistantFor(a) })
	go answers() // a third of what a start computes: the engines start meanwhile
	cfg := a.Engines()
	cfg.ClickHouseLater = true
	supervisor, err := engines.Start(ctx, cfg)
	if err != nil {
		return err
	}
	a.At = supervisor.Endpoints()
	a.Release = func() error { return supervisor.Stop(context.WithoutCancel(ctx)) }
	defer func() { err = errors.Join(err, a.Close()) }()
	if a.Config.DatabaseURL != "" {
		if err := postgres.Await(ctx, a.At.DatabaseURL, logPatience, a.Log); err != nil {
			return fmt.Errorf("wait for PostgreSQL: %w", err)
		}
	}
	a.Patience = 0
	if err := a.Connect(ctx); err != nil {
		return err
	}
	if a.At.EmbeddedPostgres {
		if err := a.DB.EndLeases(ctx); err != nil {
			return err
		}
	}
	demo := setup.DemoOf(a.DB, a.Clinic)
	if err := demo.Admit(ctx, a.Config.Demo); err != nil {
		return err
	}
	if _, err := builds.LiveOrFirst(ctx, a.DB); err != nil {
		return err
	}
	if a.Config.DatabaseURL != "" && a.Config.KeysDir == "" {
		a.Log.Warn("the keys lie in the data directory of this machine, and nothing else opens personal data: set BITACORA_KEYS_DIR, or copy them", "dir", a.Config.Keys().Dir)
	}
	state := &tablesState{App: a, supervisor: supervisor, embedded: a.At.EmbeddedClickHouse}
	shipper, err := backup.NewShipper(a)
	if err != nil {
		return fmt.Errorf("copy the log elsewhere: %w", err)
	}
	site := server{a, demo, listener, own, state, ctx.Done(), cmp.Or(a.Config.SiteURL, "http://"+HereAt(listener.Addr().String())), shipper, answers}
	ctx, end := delayed(ctx, a.Config.StopDelay)
	defer end()
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return gaveUp(ctx, supervisor) })
	parts.Go(func() error { backup.Ship(ctx, a, shipper); return nil })
	parts.Go(func() error { a.DB.Watch(ctx, a.Config.StoreTimeout); return nil })
	parts.Go(func() error { a.Builds.Follower.Follow(ctx); return nil })
	parts.Go(func() error {
		privacy.SubjectRegister(a).Finish(ctx, func(err error) {
			a.Log.Warn("an erasure or a restriction is not done everywhere yet, trying again", "error", err)
		})
		return nil
	})
	parts.Go(func() error { state.watch(ctx); return nil })
	if state.embedded {
		a.Builds.Renewer.Lost, a.Builds.Renewer.Failed = state.lost, state.rebuildFailed
	}
	parts.Go(func() error { a.Builds.Renewer.Run(ctx); return nil })
	parts.Go(func() error { return site.run(ctx) })
	parts.Go(func() error { return deliver(ctx, a, site.url) })
	parts.Go(func() error { keepOutbox(ctx, a); return nil })
	parts.Go(func() error { indexSubjects(ctx, a); return nil })
	parts.Go(func() error { backup.KeepErasing(ctx, a); return nil })
	parts.Go(func() error { selfcheck.Keep(ctx, a); return nil })
	return parts.Wait()
}

// delayed is a context that ends some time after another one.
func delayed(ctx context.Context, delay time.Duration) (context.Context, context.CancelFunc) {
	later, end := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		command.Pause(later, delay)
		end()
	})
	return later, func() { stop(); end() }
}

// run opens the site to visitors, in demo mode with a past.
func (s server) run(ctx context.Context) error {
	if s.Config.Demo {
		limit, err := s.demo.Renew(ctx)
		if err != nil {
			return err
		}
		if s.Config.MonthlyLimit == nil {
			s.Config.MonthlyLimit = &limit
		}
	}
	shown, _, err := content.SiteContent(ctx, s.App)
	if err != nil {
		return err
	}
	if s.Config.Demo {
		if err := s.demo.Teach(ctx, privacy.TeachingRegister(s.App)); err != nil {
			return err
		}
	}
	content.WarnOfOthersTexts(s.App, shown)
	handler, err := s.handler(ctx)
	if err != nil {
		return err
	}
	if err := s.printAddress(ctx); err != nil {
		return err
	}
	go debug.FreeOSMemory() // as much again as is kept was only for the start
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return notify(ctx, s.App, s.url) })
	parts.Go(func() error { privacy.Retain(ctx, s.App); return nil })
	parts.Go(func() error { backup.KeepBackups(ctx, s.App); return nil })
	parts.Go(func() error { return ServeMetrics(ctx, s.App, handler.Metrics) })
	parts.Go(func() error { return serveHTTP(ctx, s.App, s.listener, handler) })
	parts.Go(func() error { return s.tls.run(ctx, s.App, s.url, handler) })
	return parts.Wait()
}

// gaveUp ends the program when an engine cannot be kept running.
func gaveUp(ctx context.Context, s *engines.Supervisor) error {
	select {
	case <-ctx.Done():
		return nil
	case <-s.Done():
		return s.Err()
	}
}

func (s server) handler(ctx context.Context) (*httpapi.Handler, error) {
	store, log := s.DB.Staff(), s.DB.Log()
	pages, err := siteConfig(s.App, s.url)
	if err != nil {
		return nil, err
	}
	answers, err := s.answers()
	if err != nil {
		return nil, err
	}
	conversations, err := assistant.SiteChat(ctx, s.App, answers, pages.Content, pages.Origin)
	if err != nil {
		return nil, err
	}
	pages.Agenda = conversations
	version, err := app.OwnVersion(s.Engines())
	if err != nil {
		return nil, err
	}
	usage := &staff.MonthlyUsage{
		Limit: s.Config.MonthlyLimit, Live: s.state.live, Counter: log,
		Zone: s.Clinic.Zone, Now: time.Now, Logger: s.Log,
	}
	persons, taught := privacy.SubjectRegister(s.App), privacy.TeachingRegister(s.App)
	taught.Log, taught.TellsOf = log, persons.TellsOf
	taught.Rehearse = func(ctx context.Context, a clinic.Answer) (now, then teaching.Replier, err error) {
		return conversations.Rehearse(ctx, a)
	}
	letters, err := outbox(s.App)
	if err != nil {
		return nil, err
	}
	handler, err := httpapi.New(httpapi.Config{
		Site: pages,
		Visitor: visitor.Config{
			Chat:          app.MeteredChat{Chat: conversations, Meters: s.Meters.Chat},
			Conversations: conversations,
			Browser:       &chat.Browser{Log: log, Eraser: privacy.OwnErasure{Register: privacy.SubjectRegister(s.App)}, Now: time.Now},
			MonthlyUsage:  usage,
			Mailbox:       &clinic.Mailbox{Log: log, Clinic: s.Clinic, Now: time.Now, NoticeVersion: pages.Content.NoticeVersion, IDOf: log.DeriveID},
			Newsletter:    privacy.NewsletterRegister(s.App, pages.Content.NoticeVersion, letters, s.url),
			Throttle:      s.throttle(),
			DeriveToken:   log.DeriveToken,
		},
		Booking: booking.Config{Bookings: conversations, Secret: s.Config.WebhookSecret},
		Staff: staff.Config{
			Authenticator: staff.NewAuthenticator(staff.AuthenticatorConfig{
				Accounts: store, Sessions: store, Devices: store, Failures: store, Factors: store,
				Throttle: s.DB.Throttle(nil), SessionsEnded: s.DB.SessionsEnded, Log: log, Now: time.Now, Delay: staff.SignInDelay,
				Failed: func(reason string) { s.Meters.SignIns.WithLabelValues(reason).Inc() },
			}),
			Accounts: accounts.StaffRegister(s.App), SecondFactorRequired: s.Config.SecondFactor == settings.SecondFactorRequired,
			OpenSessions: store.OpenSessions, LatestOfStaff: log.LatestOfStaff,
			Live:          s.state.live,
			MonthlyUsage:  usage,
			OthersActed:   store.OthersActed,
			ProviderUsage: conversations.ProviderUsage,
			Demo:          func(ctx context.Context) (bool, error) { yes, _, err := s.demo.Began(ctx); return yes, err },
			Log:           log,
			Bookings:      conversations,
			Meanings:      conversations.Meanings,
			Contacts:      &contacts.Register{Log: log, Now: time.Now},
			Waiting:       waitingRegister(s.App),
			Colleagues:    store.Accounts,
			Questions:     conversations,
			Persons:       persons,
			WriteCopy: func(w io.Writer, c subjects.Copy, format string) (string, error) {
				return dossier.FileName(c, format, s.Clinic), dossier.Write(w, c, format, s.Clinic)
			},
			Teaching:   taught,
			ChartNotes: &chartnotes.Register{Log: postgres.ChartNotes{Log: log}, TellsOf: persons.TellsOf, Now: time.Now, NewID: taught.NewID},
			Taught:     pages.Content.Changed,
			Clinic:     s.Clinic,
		},
		Responder: web.Responder{Logger: s.Log, KindOf: kindOf},
		Bound: func(ctx context.Context) context.Context {
			return clickhouse.WithPatience(postgres.WithTimeout(ctx, s.Config.StoreTimeout), questionPatience)
		},
		Postgres:       s.logReady,
		ClickHouse:     s.tablesReady,
		Certificates:   certificatesReady(s.tls),
		TrustedProxies: s.Config.TrustedProxies, StrictSubdomains: s.Config.StrictSubdomains,
		NoteProxy: func(ctx context.Context, peer netip.Addr, header string) error {
			return s.DB.NoteProxy(ctx, postgres.UnnamedProxy{Address: peer, Header: header, SeenAt: time.Now()})
		},
		Stopping:    s.stopping,
		Version:     version,
		OffsiteAsOf: s.shipper.AsOf,
		Collectors:  append(s.Meters.Collectors(s.Config, s.DB), app.VersionCollector(version), app.CertificateCollector(s.tls.states), s.shipper),
		Now:         time.Now,
	})
	return handler, fault.Wrap(err, "make the HTTP interface")
}

// throttle is what bounds bursts; nil where nothing does.
func (s server) throttle() visitor.Throttle {
	if !s.Config.Throttle {
		return nil
	}
	return s.DB.Throttle(nil)
}

// logReady says whether the log answers and takes what visitors write.
func (s server) logReady(ctx context.Context) error {
	err := s.DB.Ping(ctx)
	if errors.Is(err, postgres.ErrReadOnly) {
		return fmt.Errorf("%w: %w", httpapi.ErrReadOnly, err)
	}
	return err
}

// tablesReady says whether the dashboard's tables answer and are kept up; if not, the
// program is degraded: visitors are served, the dashboard is late or missing.
func (s server) tablesReady(ctx context.Context) (err error) {
	missing := s.state.missing.Load()
	if missing != nil {
		defer func() {
			if err != nil {
				err = httpapi.MissingError{Cause: missing.cause, Since: missing.since, Err: err}
			}
		}()
		if missing.cause != contract.ReadinessClickhouseCauseRebuilding {
			return errors.New(missing.reason)
		}
	}
	if err := s.Tables.Ping(ctx); err != nil {
		return err
	}
	if err := s.Tables.Complete(ctx); err != nil { // the other replicas answer
		return fmt.Errorf("%w: %w", httpapi.ErrReadOnly, err)
	}
	live, err := s.DB.LiveBuild(ctx)
	if err != nil {
		return nil // Postgres is away, which its own probe says
	}
	if refused := s.Meters.NotStored(live); refused != nil {
		return fmt.Errorf("%w: %w", httpapi.ErrReadOnly, refused)
	}
	if obstacle := s.Builds.Follower.Obstacle(live); obstacle != nil {
		return fmt.Errorf("%w: %w", httpapi.ErrStale, obstacle)
	}
	return nil
}

// kindOf classifies the errors of both engines.
func kindOf(err error) fault.Kind { return cmp.Or(clickhouse.KindOf(err), postgres.KindOf(err)) }

// printAddress says where everything is. What it says to a terminal holds a password, which no journal
// is to keep.
func (s server) printAddress(ctx context.Context) error {
	site := "http://" + HereAt(s.listener.Addr().String())
	if settings.IsJournal(os.Stdout, os.Getenv(settings.JournalStream)) {
		s.Log.Info("ready", "site", site, "url", s.url, "clickhouse", s.At.AnalystURL)
		return nil
	}
	fmt.Fprintf(os.Stdout, "\nBitácora is ready.\n\n  Site        %s/\n  Dashboard   %s/dashboard\n", site, site)
	accounts, err := s.DB.Staff().Accounts(ctx)
	if err != nil {
		return err
	}
	if len(accounts) == 0 {
		fmt.Fprintln(os.Stdout, "  Login       nobody yet: bitacora staff add EMAIL --role owner, in another terminal")
	}
	if s.Config.Demo {
		fmt.Fprintf(os.Stdout, "  Login       %s / %s\n  Owner       %s / %s\n", setup.DemoEmail, setup.DemoPassword, setup.DemoOwner, setup.DemoPassword)
	}
	if s.At.AnalystURL != "" {
		fmt.Fprintf(os.Stdout, "  ClickHouse  %s/?database=%s\n  Analyst     %s / %s\n",
			s.At.AnalystURL, s.Tables.ViewsDatabase(), s.At.AnalystUser, s.At.AnalystPassword)
	}
	fmt.Fprint(os.Stdout, "\nCtrl-C stops everything.\n\n")
	return nil
}
