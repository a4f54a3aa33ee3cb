package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	ch "bitacora/adapters/clickhouse"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/staff"
	"bitacora/adapters/httpapi/web"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/chat"
)

func TestHealthReadinessMetrics(t *testing.T) {
	lag := prometheus.NewGauge(prometheus.GaugeOpts{Name: "bitacora_test_lag", Help: "x"})
	h := newTestServer(t, func(h *testServer) { h.config.Collectors = []prometheus.Collector{lag} })
	b := h.browser()
	var health contract.Health
	b.get("/healthz").into(http.StatusOK, &health)
	var ready contract.Readiness
	asked := 0
	for ; ready.Status != contract.ReadinessStatusReady && asked < 20; asked++ { // a busy machine may take longer than a probe
		b.get("/readyz").into(http.StatusOK, &ready)
	}
	if ready != (contract.Readiness{Status: contract.ReadinessStatusReady, Postgres: contract.ReadinessPostgresOk, Clickhouse: contract.ReadinessClickhouseOk}) {
		t.Errorf("readiness %+v", ready)
	}
	b.get("/no/such/page")
	b.get("/api/no/such/call")
	b.send("BREW", "/", nil, nil)
	for _, address := range []string{"192.0.2.1:1", "10.0.0.1:1", "127.0.0.1:1"} {
		b.address = address
		if a := b.get("/metrics"); a.Code != http.StatusNotFound {
			t.Errorf("/metrics is answered where visitors come in, to %s: %d", address, a.Code)
		}
	}
	metrics := httptest.NewRecorder()
	h.handler.(*Handler).Metrics.ServeHTTP(metrics, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, want := range []string{
		fmt.Sprintf(`bitacora_http_request_duration_seconds_count{method="GET",route="/readyz",status="200"} %d`, asked),
		`route="/*",status="404"`, `method="other"`, "bitacora_test_lag 0", "go_goroutines",
	} {
		if !strings.Contains(metrics.Body.String(), want) {
			t.Errorf("metrics lack %s", want)
		}
	}
	if strings.Contains(metrics.Body.String(), "such") {
		t.Error("a made-up path became a label")
	}
	if _, err := New(Config{Collectors: []prometheus.Collector{lag, lag}}); err == nil {
		t.Error("the same collector was registered twice")
	}
}

func TestWithoutClickHouse(t *testing.T) {
	h := newTestServer(t, limited(2), func(h *testServer) {
		// Port 1 refuses connections.
		gone, err := ch.Open("http://127.0.0.1:1/bitacora", panama(h.t))
		if err != nil {
			h.t.Fatal(err)
		}
		h.config.ClickHouse = gone.Ping
		h.config.Staff.Live = func(context.Context) (staff.Tables, staff.Through, error) {
			return gone.Reader(build), staff.Through{}, nil
		}
		h.config.Staff.MonthlyUsage.Live = h.config.Staff.Live
	})
	b := h.staff()
	var ready contract.Readiness
	b.get("/readyz").into(http.StatusOK, &ready)
	if ready != (contract.Readiness{Status: contract.ReadinessStatusDegraded, Postgres: contract.ReadinessPostgresOk, Clickhouse: contract.ReadinessClickhouseUnavailable}) {
		t.Errorf("readiness %+v", ready)
	}
	if a := b.get("/healthz"); a.Code != http.StatusOK {
		t.Errorf("alive: %d", a.Code)
	}
	for _, question := range []string{
		"kpis", "conversations", "timeseries", "funnel", "heatmap", "topics", "questions", "quality",
		"export?format=csv", "export?format=jsonl&rows=messages", "export?format=parquet",
	} {
		path := "/api/dashboard/" + question
		a := b.get(path)
		if a.refused(http.StatusServiceUnavailable); a.Header().Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", path)
		}
	}
	for _, session := range []string{"s1", "s2"} {
		if a := b.say(session, "Hola"); a.Code != http.StatusOK {
			t.Errorf("chat: %d %s", a.Code, a.Body)
		}
	}
	var status contract.ChatStatus
	b.get("/api/chatbot/status").into(http.StatusOK, &status)
	if !status.LimitReached {
		t.Error("the quota did not stand in for the projections")
	}
	if a := b.get("/api/dashboard/conversation/" + chat.ConversationID("web", "s1") + "/messages"); a.Code != http.StatusOK {
		t.Errorf("transcript: %d", a.Code)
	}
}

// TestWithoutPostgres cuts the line to a real server.
func TestWithoutPostgres(t *testing.T) {
	line := enginestest.NewLine(t, postgrestest.Database(t))
	h := newTestServerOn(t, line.URL, keyfiles.NewMasterKey(), limited(5))
	b := h.staff()
	b.say("s1", "Hola")
	b.get("/") // a program that is up has its texts
	line.Cut()

	var ready contract.Readiness
	b.get("/readyz").into(http.StatusServiceUnavailable, &ready)
	if ready.Status != contract.ReadinessStatusUnavailable || ready.Postgres != contract.ReadinessPostgresUnavailable {
		t.Errorf("readiness %+v", ready)
	}
	for _, ask := range []func() answer{
		func() answer { return b.say("s2", "Hola") },
		func() answer { return b.readBack("s1") },
		func() answer { return b.get("/api/chatbot/status") },
		func() answer { return b.get("/api/dashboard/kpis") },
		func() answer { return b.get("/api/auth/user") },
		func() answer {
			return b.post("/api/auth/login", contract.Credentials{Username: anaEmail, Password: anaPassword})
		},
		func() answer { return b.post("/api/auth/logout", nil) },
	} {
		a := ask()
		if a.refused(http.StatusServiceUnavailable); a.Header().Get("Retry-After") != "5" {
			t.Errorf("Retry-After is %q", a.Header().Get("Retry-After"))
		}
	}
	if b.cookies[staffCookie] == "" {
		t.Error("a sign-out that failed took the cookie, so that nobody can repeat it")
	}
	if a := b.get("/healthz"); a.Code != http.StatusOK {
		t.Errorf("alive: %d", a.Code)
	}
	if a := b.get("/"); a.Code != http.StatusOK {
		t.Errorf("site: %d", a.Code)
	}
}

func TestWhoWentAwayIsNoFailure(t *testing.T) {
	h := newTestServer(t)
	b := h.staff()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/auth/user", nil)
	r.AddCookie(&http.Cookie{Name: staffCookie, Value: b.cookies[staffCookie]})
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	if w.Code != web.StatusClientGone || strings.Contains(h.log.String(), "request failed") {
		t.Errorf("%d, log\n%s", w.Code, h.log)
	}
}

func TestProjectedCountIsSharedForASecond(t *testing.T) {
	h := newTestServer(t, limited(1))
	asked := 0
	counted := h.config.Staff.MonthlyUsage.Live
	h.config.Staff.MonthlyUsage.Live = func(ctx context.Context) (staff.Tables, staff.Through, error) {
		asked++
		return counted(ctx)
	}
	for range 20 {
		if _, err := h.config.Staff.MonthlyUsage.Current(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	h.clock.advance(time.Second)
	if _, err := h.config.Staff.MonthlyUsage.Current(t.Context()); err != nil {
		t.Fatal(err)
	}
	if asked != 2 {
		t.Errorf("the tables were asked %d times", asked)
	}
	if _, err := (&staff.MonthlyUsage{Now: h.clock.Now, Logger: slog.New(slog.DiscardHandler)}).Current(t.Context()); err != nil {
		t.Error(err)
	}
}
