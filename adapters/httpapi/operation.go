package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
)

// Probe says whether something the program needs is there.
type Probe func(ctx context.Context) error

// ErrStale is what a probe wraps where the engine answers, but its data is not up to date.
var ErrStale = errors.New("not kept up")

// ErrReadOnly is what a probe wraps where the engine answers and stores nothing.
var ErrReadOnly = errors.New("stores nothing")

// MissingError is what the probe of ClickHouse gives while the dashboard has no tables.
type MissingError struct {
	Cause contract.ReadinessClickhouseCause
	Since time.Time
	Err   error
}

func (e MissingError) Error() string { return e.Err.Error() }

func (e MissingError) Unwrap() error { return e.Err }

// probeTimeout is how long an engine may take to say that it is there.
const probeTimeout = 2 * time.Second

func (a *api) health(w http.ResponseWriter, _ *http.Request) {
	web.Encode(w, http.StatusOK, contract.Health{Status: contract.HealthStatusOk})
}

// readiness asks both engines at once. Without ClickHouse visitors are still served.
func (a *api) readiness(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), probeTimeout)
	defer cancel()
	var postgres, clickhouse error
	var asked sync.WaitGroup
	asked.Go(func() { postgres = a.Postgres(ctx) })
	asked.Go(func() { clickhouse = a.ClickHouse(ctx) })
	asked.Wait()

	ready := contract.Readiness{Status: contract.ReadinessStatusReady, Postgres: contract.ReadinessPostgresOk, Clickhouse: contract.ReadinessClickhouseOk, Version: a.Version}
	if a.OffsiteAsOf != nil {
		if asOf := a.OffsiteAsOf(); !asOf.IsZero() {
			ready.OffsiteAsOf = &asOf
		}
	}
	status := http.StatusOK
	if clickhouse != nil {
		ready.Status, ready.Clickhouse = contract.ReadinessStatusDegraded, contract.ReadinessClickhouseUnavailable
		if missing := new(MissingError); errors.As(clickhouse, missing) {
			since := missing.Since.UTC()
			ready.ClickhouseCause, ready.ClickhouseSince = &missing.Cause, &since
		}
		switch {
		case errors.Is(clickhouse, ErrReadOnly):
			ready.Clickhouse = contract.ReadinessClickhouseReadonly
		case errors.Is(clickhouse, ErrStale):
			ready.Clickhouse = contract.ReadinessClickhouseStale
		}
	}
	if a.Certificates != nil {
		said := contract.ReadinessCertificatesOk
		if a.Certificates() != nil {
			// Not unavailable: a restart would not help, and the program must run to get one.
			ready.Status, said = contract.ReadinessStatusDegraded, contract.ReadinessCertificatesMissing
		}
		ready.Certificates = &said
	}
	if postgres != nil {
		ready.Status, ready.Postgres = contract.ReadinessStatusUnavailable, contract.ReadinessPostgresUnavailable
		if errors.Is(postgres, ErrReadOnly) {
			ready.Postgres = contract.ReadinessPostgresReadonly
		}
		status = http.StatusServiceUnavailable
	}
	if a.stopping() {
		ready.Status, status = contract.ReadinessStatusStopping, http.StatusServiceUnavailable
	}
	if status != http.StatusOK {
		w.Header().Set("Retry-After", strconv.Itoa(int(web.RetryUnavailable.Seconds())))
	}
	web.Encode(w, status, ready)
}

// stopping says whether the process is to be sent nothing more.
func (a *api) stopping() bool {
	select {
	case <-a.Stopping:
		return true
	default:
		return false
	}
}

// hangUp ends connections with their answers while the process stops, so that a proxy opens none of
// them again for a request that would meet the end.
func (a *api) hangUp(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.stopping() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// handler gives the metrics to whoever reaches it: it belongs on a listener of its
// own, since how busy a clinic is, is nothing for its visitors.
func (m *metrics) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	return mux
}
