package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"bitacora/adapters/engines"
	"bitacora/adapters/httpapi"
	"bitacora/adapters/postgres"
	"bitacora/projections"
	"bitacora/projections/builds"
)

func newServe() *cobra.Command {
	var autoRebuild bool
	c := &cobra.Command{
		Use:     "serve",
		Short:   "Run the site, the dashboard, the projections and the embedded engines",
		Long:    "Run the site, the dashboard, the projections and the embedded engines, until Ctrl-C.\n\n" + configHelp(),
		Example: "  bitacora serve\n  BITACORA_ADDR=127.0.0.1:9000 BITACORA_MONTHLY_LIMIT=1000 bitacora serve",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			h, err := configure()
			if err != nil {
				return err
			}
			h.autoRebuild = autoRebuild
			return h.serve(c.Context())
		},
	}
	c.Flags().BoolVar(&autoRebuild, "auto-rebuild", false, "rebuild by itself when the live tables were made by another version of the program")
	return c
}

// serve builds everything, runs everything, and stops it in reverse.
func (a *app) serve(ctx context.Context) (err error) {
	listener, err := listen(a.config.Addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	supervisor, err := engines.Start(ctx, a.engines())
	if err != nil {
		return err
	}
	a.at = supervisor.Endpoints()
	a.release = func() error { return supervisor.Stop(context.WithoutCancel(ctx)) }
	defer func() { err = errors.Join(err, a.close()) }()
	if err := a.connect(ctx); err != nil {
		return err
	}
	if err := a.admitDemo(ctx); err != nil {
		return err
	}
	if _, err := builds.LiveOrFirst(ctx, a.db); err != nil {
		return err
	}
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return gaveUp(ctx, supervisor) })
	parts.Go(func() error { a.db.Watch(ctx, a.config.StoreTimeout); return nil })
	parts.Go(func() error { return a.project(ctx) })
	if a.autoRebuild {
		parts.Go(func() error { a.renewer().Run(ctx); return nil })
	}
	parts.Go(func() error { return a.run(ctx, listener) })
	parts.Go(func() error { return a.deliver(ctx, a.address(listener.Addr())) })
	return parts.Wait()
}

// renewer rebuilds whenever another version of the program made the live tables.
func (a *app) renewer() builds.Renewer {
	return builds.Renewer{
		Builds: a.db, Exclusive: a.builds.exclusive, Clock: projections.WallClock{}, Logger: a.log,
		Rebuild: func(ctx context.Context) error {
			_, err := a.builds.rebuilder.Run(ctx, builds.StandardOptions(), &reporter{out: io.Discard})
			return err
		},
	}
}

// run opens the site to visitors, in demo mode with a past.
func (a *app) run(ctx context.Context, l net.Listener) error {
	if bool(a.config.Demo) {
		if err := a.openDemo(ctx); err != nil {
			return err
		}
	}
	if _, err := a.content(ctx); err != nil {
		return err
	}
	handler, err := a.handler(ctx, l.Addr())
	if err != nil {
		return err
	}
	a.printAddress(l.Addr())
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return a.notify(ctx, a.address(l.Addr())) })
	parts.Go(func() error { handler.KeepRendered(ctx); return nil })
	parts.Go(func() error { return a.serveMetrics(ctx, handler.Metrics) })
	parts.Go(func() error { return a.serveHTTP(ctx, l, handler) })
	return parts.Wait()
}

// address is the site's own, for links in letters.
func (a *app) address(at net.Addr) string {
	return cmp.Or(a.config.SiteURL, "http://"+at.String())
}

func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is taken by another program: stop it, or set BITACORA_ADDR", addr)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on BITACORA_ADDR: %w", err)
	}
	return l, nil
}

// serveHTTP serves HTTP until ctx ends; requests under way get a few seconds more.
func (a *app) serveHTTP(ctx context.Context, l net.Listener, handler http.Handler) error {
	// The log is waited for before and after the assistant, which is cut short at a stop.
	storing := 2 * a.config.StoreTimeout
	server := httpapi.NewServer(handler, a.config.ReplyTimeout+storing, a.log)
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), storing)
		defer cancel()
		stopped <- server.Shutdown(grace)
	}()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve HTTP: %w", err)
	}
	if err := <-stopped; errors.Is(err, context.DeadlineExceeded) {
		a.log.Warn("requests were cut off at the stop")
	}
	return nil
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

func (a *app) handler(ctx context.Context, addr net.Addr) (*httpapi.Handler, error) {
	staff := a.db.Staff()
	c := httpapi.Config{
		WebhookSecret: a.config.WebhookSecret,
		MonthlyUsage: &httpapi.MonthlyUsage{
			Limit: a.config.MonthlyLimit, Live: a.live, Counter: a.db.Log(),
			Zone: a.clinic.Zone, Now: time.Now, Logger: a.log,
		},
		Staff: &httpapi.Authenticator{
			Accounts: staff, Sessions: staff, Devices: staff, Failures: staff,
			Log: a.db.Log(), Now: time.Now, Delay: httpapi.SignInDelay,
		},
		Live:           a.live,
		Demo:           func(ctx context.Context) (bool, error) { yes, _, err := a.beganAsDemo(ctx); return yes, err },
		Log:            a.db.Log(),
		Postgres:       a.db.Ping,
		StoreTimeout:   a.config.StoreTimeout,
		ClickHouse:     a.tablesReady,
		Zone:           a.clinic.Zone,
		Now:            time.Now,
		TrustedProxies: a.config.TrustedProxies,
		NoteProxy: func(ctx context.Context, peer netip.Addr, header string) error {
			return a.db.NoteProxy(ctx, postgres.UnnamedProxy{Address: peer, Header: header, SeenAt: time.Now()})
		},
		Throttle:   bool(a.config.Throttle),
		Collectors: a.collectors(),
		Logger:     a.log,
	}
	if err := a.site(&c, addr); err != nil {
		return nil, err
	}
	conversations, err := a.siteChat(ctx, c.Content, c.Origin)
	if err != nil {
		return nil, err
	}
	c.Chat, c.Bookings = meteredChat{conversations, a.meters.chat}, conversations
	handler, err := httpapi.New(c)
	if err != nil {
		return nil, fmt.Errorf("make the HTTP interface: %w", err)
	}
	return handler, nil
}

// live is the build that readers see, and up to where it holds.
func (a *app) live(ctx context.Context) (httpapi.Tables, httpapi.Through, error) {
	build, err := a.db.LiveBuild(ctx)
	if err != nil {
		return nil, httpapi.Through{}, err
	}
	position, at, err := a.db.DataThrough(ctx, build)
	return a.tables.Reader(build), httpapi.Through{Position: position, Time: at}, err
}

// printAddress tells the person at the terminal where everything is, once it is there.
func (a *app) printAddress(addr net.Addr) {
	site := "http://" + addr.String()
	fmt.Fprintf(os.Stdout, "\nBitácora is ready.\n\n  Site        %s/\n  Dashboard   %s/dashboard\n", site, site)
	if bool(a.config.Demo) {
		fmt.Fprintf(os.Stdout, "  Login       %s / %s\n", demoEmail, demoPassword)
	}
	if a.at.AnalystURL != "" {
		fmt.Fprintf(os.Stdout, "  ClickHouse  %s/?database=%s\n  Analyst     %s / %s\n",
			a.at.AnalystURL, a.tables.ViewsDatabase(), a.at.AnalystUser, a.at.AnalystPassword)
	}
	fmt.Fprint(os.Stdout, "\nCtrl-C stops everything.\n\n")
}
