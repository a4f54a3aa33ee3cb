package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"

	"bitacora/adapters/httpapi"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/fault"
)

func listen(setting, addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is taken by another program: stop it, or set %s", addr, setting)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("this user may not listen on %s: give the unit AmbientCapabilities=CAP_NET_BIND_SERVICE, or set %s to a port above 1023 that %s is forwarded to", addr, setting, addr)
	}
	return l, fault.Wrap(err, "listen on "+setting)
}

// serveHTTP serves HTTP until ctx ends; requests under way get a few seconds more.
func serveHTTP(ctx context.Context, a *app.App, l net.Listener, handler http.Handler) error {
	// The log is waited for before and after the assistant, which is cut short at a stop.
	storing := 2 * a.Config.StoreTimeout
	server := httpapi.NewServer(handler, a.Config.ReplyTimeout+storing, a.Log)
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
		a.Log.Warn("requests were cut off at the stop")
	}
	return nil
}

// ServeMetrics answers Prometheus until ctx ends. Where it cannot listen, visitors are
// served all the same.
func ServeMetrics(ctx context.Context, a *app.App, handler http.Handler) error {
	if a.Config.MetricsAddr == settings.MetricsOff {
		return nil
	}
	l, err := net.Listen("tcp", a.Config.MetricsAddr)
	if err != nil {
		a.Log.Error("metrics are not served: set BITACORA_METRICS_ADDR to a free address, or to off", "error", err)
		return nil
	}
	a.Log.Info("metrics are served", "addr", l.Addr().String())
	return serveHTTP(ctx, a, l, handler)
}
