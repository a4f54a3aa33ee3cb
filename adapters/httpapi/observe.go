package httpapi

import (
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"bitacora/adapters/httpapi/web"
)

// clientAddresses finds out who asks: the peer, or behind the named proxies the address
// they vouch for.
func clientAddresses(proxies []netip.Prefix) func(http.Handler) http.Handler {
	if len(proxies) == 0 {
		return middleware.ClientIPFromRemoteAddr
	}
	trusted := make([]string, len(proxies))
	for i, p := range proxies {
		trusted[i] = p.String()
	}
	return middleware.ClientIPFromXFF(trusted...)
}

// metrics are the numbers of this interface, and of whatever the program adds.
type metrics struct {
	registry *prometheus.Registry
	duration *prometheus.HistogramVec
}

func newMetrics(added []prometheus.Collector) (*metrics, error) {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "bitacora_http_request_duration_seconds",
			Help:    "Time from the request's head to the end of the answer.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"method", "route", "status"}),
	}
	added = append([]prometheus.Collector{
		m.duration,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	}, added...)
	for _, c := range added {
		if err := m.registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// quiet routes are asked by machines every few seconds.
var quiet = map[string]bool{"/healthz": true, "/readyz": true}

// observe measures and logs every request: the route and never the path, since paths and
// queries name sessions and conversations.
func (a *api) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		// Deferred, so that a request whose answer was broken off is seen as well.
		defer func() {
			took := time.Since(began)
			route, method := chi.RouteContext(r.Context()).RoutePattern(), methodLabel(r.Method)
			status := ww.Status()
			if status == 0 {
				status = http.StatusOK
			}
			a.metrics.duration.WithLabelValues(method, route, strconv.Itoa(status)).Observe(took.Seconds())
			level := slog.LevelInfo
			if quiet[route] {
				level = slog.LevelDebug
			}
			a.Logger.LogAttrs(r.Context(), level, "request",
				slog.String("request_id", web.RequestID(r.Context())),
				slog.String("method", method),
				slog.String("route", route),
				slog.Int("status", status),
				slog.Int("bytes", ww.BytesWritten()),
				slog.Float64("ms", float64(took.Microseconds())/1000),
				slog.String("client", web.LogAddress(middleware.GetClientIPAddr(r.Context()))),
			)
		}()
		next.ServeHTTP(ww, r)
	})
}

// methodLabel keeps made-up methods from becoming label values.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// recoverer answers for a handler that panicked.
func (a *api) recoverer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler {
				panic(p)
			}
			a.Logger.LogAttrs(r.Context(), slog.LevelError, "request panicked",
				slog.String("request_id", web.RequestID(r.Context())), slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
			if ww, ok := w.(middleware.WrapResponseWriter); ok && ww.Status() != 0 {
				// The answer has begun: the client must not take it for whole.
				panic(http.ErrAbortHandler)
			}
			a.Fail(w, r, errPanicked)
		}()
		next.ServeHTTP(w, r)
	})
}
