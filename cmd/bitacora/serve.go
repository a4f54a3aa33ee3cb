package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
			h, err := furnish()
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
func (h *house) serve(ctx context.Context) (err error) {
	listener, err := listen(h.config.Addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	supervisor, err := engines.Start(ctx, h.engines())
	if err != nil {
		return err
	}
	h.at = supervisor.Endpoints()
	h.release = func() error { return supervisor.Stop(context.WithoutCancel(ctx)) }
	defer func() { err = errors.Join(err, h.close()) }()
	if err := h.connect(ctx); err != nil {
		return err
	}
	if err := h.admitDemo(ctx); err != nil {
		return err
	}
	if _, err := h.liveBuild(ctx); err != nil {
		return err
	}
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return gaveUp(ctx, supervisor) })
	parts.Go(func() error { h.db.Watch(ctx, h.config.StoreTimeout); return nil })
	parts.Go(func() error { return h.project(ctx) })
	if h.autoRebuild {
		parts.Go(func() error { return h.renew(ctx) })
	}
	parts.Go(func() error { return h.receive(ctx, listener) })
	parts.Go(func() error { return h.deliver(ctx, h.address(listener.Addr())) })
	return parts.Wait()
}

// receive opens the site to visitors, in demo mode with a past.
func (h *house) receive(ctx context.Context, l net.Listener) error {
	if bool(h.config.Demo) {
		if err := h.openDemo(ctx); err != nil {
			return err
		}
	}
	if _, err := h.content(ctx); err != nil {
		return err
	}
	handler, err := h.handler(ctx, l.Addr())
	if err != nil {
		return err
	}
	h.welcome(l.Addr())
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return h.notify(ctx, h.address(l.Addr())) })
	parts.Go(func() error { handler.KeepPrinted(ctx); return nil })
	parts.Go(func() error { return h.tellMetrics(ctx, handler.Metrics) })
	parts.Go(func() error { return h.answer(ctx, l, handler) })
	return parts.Wait()
}

// address is the site's own, for links in letters.
func (h *house) address(at net.Addr) string {
	return cmp.Or(h.config.SiteURL, "http://"+at.String())
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

// answer serves HTTP until ctx ends; requests under way get a few seconds more.
func (h *house) answer(ctx context.Context, l net.Listener, handler http.Handler) error {
	// The log is waited for before and after the assistant, which is cut short at a stop.
	storing := 2 * h.config.StoreTimeout
	server := httpapi.NewServer(handler, h.config.ReplyTimeout+storing, h.log)
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
		h.log.Warn("requests were cut off at the stop")
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

func (h *house) handler(ctx context.Context, addr net.Addr) (*httpapi.Handler, error) {
	staff := h.db.Staff()
	c := httpapi.Config{
		WebhookSecret: h.config.WebhookSecret,
		Allowance: &httpapi.Allowance{
			Limit: h.config.MonthlyLimit, Live: h.live, Quota: h.db.Log(),
			Zone: h.clinic.Zone, Now: time.Now, Logger: h.log,
		},
		Staff: &httpapi.Gate{
			Accounts: staff, Sessions: staff, Devices: staff, Failures: staff,
			Log: h.db.Log(), Now: time.Now, Delay: httpapi.SignInDelay,
		},
		Live:           h.live,
		Demo:           func(ctx context.Context) (bool, error) { yes, _, err := h.beganAsDemo(ctx); return yes, err },
		Log:            h.db.Log(),
		Postgres:       h.db.Ping,
		StoreTimeout:   h.config.StoreTimeout,
		ClickHouse:     h.tablesReady,
		Zone:           h.clinic.Zone,
		Now:            time.Now,
		TrustedProxies: h.config.TrustedProxies,
		NoteProxy: func(ctx context.Context, peer netip.Addr, header string) error {
			return h.db.NoteProxy(ctx, postgres.UnnamedProxy{Address: peer, Header: header, SeenAt: time.Now()})
		},
		Throttle:   bool(h.config.Throttle),
		Collectors: h.collectors(),
		Logger:     h.log,
	}
	if err := h.site(&c, addr); err != nil {
		return nil, err
	}
	reception, err := h.reception(ctx, c)
	if err != nil {
		return nil, err
	}
	c.Desk, c.Bookings = reception, reception
	handler, err := httpapi.New(c)
	if err != nil {
		return nil, fmt.Errorf("make the HTTP interface: %w", err)
	}
	return handler, nil
}

// live is the build that readers see, and up to where it holds.
func (h *house) live(ctx context.Context) (httpapi.Tables, httpapi.Through, error) {
	build, err := h.db.LiveBuild(ctx)
	if err != nil {
		return nil, httpapi.Through{}, err
	}
	position, at, err := h.db.DataThrough(ctx, build)
	return h.tables.Reader(build), httpapi.Through{Position: position, Time: at}, err
}

// welcome tells the person at the terminal where everything is, once it is there.
func (h *house) welcome(addr net.Addr) {
	site := "http://" + addr.String()
	fmt.Fprintf(os.Stdout, "\nBitácora is ready.\n\n  Site        %s/\n  Dashboard   %s/dashboard\n", site, site)
	if bool(h.config.Demo) {
		fmt.Fprintf(os.Stdout, "  Login       %s / %s\n", demoEmail, demoPassword)
	}
	if h.at.AnalystURL != "" {
		fmt.Fprintf(os.Stdout, "  ClickHouse  %s/?database=%s\n  Analyst     %s / %s\n",
			h.at.AnalystURL, h.tables.ViewsDatabase(), h.at.AnalystUser, h.at.AnalystPassword)
	}
	fmt.Fprint(os.Stdout, "\nCtrl-C stops everything.\n\n")
}
