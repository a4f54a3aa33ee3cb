package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"time"

	ch "bitacora/adapters/clickhouse"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/staff"
	"bitacora/domain/chat"
)

// counted is a quota, or a source that does not answer.
type counted struct {
	taken int
	err   error
}

func (c counted) MonthlyCount(context.Context, string) (int, error) { return c.taken, c.err }

// A reader who moves on ends the count; that says nothing about the projections.
func TestACountThatNobodyWaitsForIsNoFailure(t *testing.T) {
	var logged bytes.Buffer
	limit := 10
	usage := &staff.MonthlyUsage{
		Limit: &limit,
		Live: func(context.Context) (staff.Tables, staff.Through, error) {
			return nil, staff.Through{}, errors.New("away")
		},
		Counter: counted{err: context.Canceled},
		Zone:    time.UTC,
		Now:     time.Now,
		Logger:  slog.New(slog.NewTextHandler(&logged, nil)),
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := usage.Current(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, not the reader's departure", err)
	}
	if logged.Len() > 0 {
		t.Errorf("logged %s", &logged)
	}
}

// TestWhicheverSourceKnowsOfMoreWins holds card and status to the greater of both counts. The
// server projects nothing by itself: until a test says so, only the quota knows.
func TestWhicheverSourceKnowsOfMoreWins(t *testing.T) {
	const limit = 3
	begin := func(n int) func(*testServer) {
		return func(h *testServer) {
			for i := range n {
				if a := h.browser().say(fmt.Sprint("s", i), "Hola"); a.Code != http.StatusOK {
					h.t.Fatalf("conversation %d: %d %s", i, a.Code, a.Body)
				}
			}
		}
	}
	away := func(h *testServer) {
		gone, err := ch.Open("http://127.0.0.1:1/bitacora", panama(h.t))
		if err != nil {
			h.t.Fatal(err)
		}
		h.config.Staff.MonthlyUsage.Live = func(context.Context) (staff.Tables, staff.Through, error) {
			return gone.Reader(build), staff.Through{}, nil
		}
	}
	// What was projected is counted anew only after a while.
	later := func(h *testServer) { h.clock.advance(time.Second) }
	counter := func(q staff.MonthlyCounter) func(*testServer) {
		return func(h *testServer) { h.config.Staff.MonthlyUsage.Counter = q }
	}
	imported := func(h *testServer) {
		for i := range limit {
			past := chat.Past{Source: "import", Key: fmt.Sprint(i), Messages: []chat.PastMessage{{At: noon.Add(-time.Hour), Text: "Hola", FromVisitor: true}}}
			drafted, err := past.Decide(panama(h.t))
			if err != nil {
				h.t.Fatal(err)
			}
			if _, err := h.db.Log().Append(h.t.Context(), drafted); err != nil {
				h.t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		before, after []func(*testServer)
		current       int64
	}{
		"nothing begun":                     {current: 0},
		"one is left, nothing projected":    {after: []func(*testServer){begin(2)}, current: 2},
		"the last one, nothing projected":   {after: []func(*testServer){begin(limit)}, current: limit},
		"the last one, projected":           {after: []func(*testServer){begin(limit), (*testServer).project}, current: limit},
		"the first projected, others not":   {after: []func(*testServer){begin(1), (*testServer).project, begin(limit)}, current: limit},
		"the projections are away":          {before: []func(*testServer){away}, after: []func(*testServer){begin(limit)}, current: limit},
		"the quota is missing":              {before: []func(*testServer){counter(counted{})}, after: []func(*testServer){begin(limit), (*testServer).project, later}, current: limit},
		"the quota knows of fewer":          {before: []func(*testServer){counter(counted{taken: 1})}, after: []func(*testServer){begin(limit), (*testServer).project, later}, current: limit},
		"the quota does not answer":         {before: []func(*testServer){counter(counted{err: errors.New("away")})}, after: []func(*testServer){begin(limit), (*testServer).project, later}, current: limit},
		"imported into this month":          {after: []func(*testServer){imported}, current: limit},
		"imported into this month and seen": {after: []func(*testServer){imported, (*testServer).project}, current: limit},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestServer(t, append([]func(*testServer){limited(limit)}, c.before...)...)
			b := h.staff()
			var status contract.ChatStatus
			// Whoever asked before must not keep the next one from the truth.
			b.get("/api/chatbot/status").into(http.StatusOK, &status)
			for _, do := range c.after {
				do(h)
			}
			b.get("/api/chatbot/status").into(http.StatusOK, &status)
			var kpis contract.Kpis
			b.get("/api/dashboard/kpis").into(http.StatusOK, &kpis)
			if kpis.MonthlyLimit.Current != c.current || status.LimitReached != (c.current >= limit) || kpis.MonthlyLimit.LimitReached != status.LimitReached {
				t.Errorf("card %+v, status %+v, want %d", *kpis.MonthlyLimit, status, c.current)
			}
		})
	}
}

func TestWithoutAnySourceTheLimitIsNotKnown(t *testing.T) {
	h := newTestServer(t, limited(3), func(h *testServer) {
		h.config.Staff.MonthlyUsage.Counter = counted{err: context.DeadlineExceeded}
		h.config.Staff.MonthlyUsage.Live = func(context.Context) (staff.Tables, staff.Through, error) {
			return nil, staff.Through{}, context.DeadlineExceeded
		}
	})
	h.browser().get("/api/chatbot/status").refused(http.StatusServiceUnavailable)
}
