package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestParallelFirstMessagesStartExactlyWhatTheLimitLeaves(t *testing.T) {
	const limit, begun, parallel = 12, 5, 40
	p := newProgram(t, fmt.Sprint("BITACORA_MONTHLY_LIMIT=", limit))
	p.start()
	ask := func(session string) error {
		return p.post("/api/chatbot", map[string]string{"sessionId": session, "message": "¿Dónde quedan?"}, nil)
	}
	for i := range begun {
		if err := ask(fmt.Sprint("early-", i)); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	var started, refused int
	var arriving sync.WaitGroup
	for i := range parallel {
		arriving.Go(func() {
			err := ask(fmt.Sprint("late-", i))
			mu.Lock()
			defer mu.Unlock()
			var r *refusal
			switch {
			case err == nil:
				started++
			case errors.As(err, &r) && r.status == http.StatusTooManyRequests && strings.Contains(r.said, `"limitReached":true`):
				refused++
			default:
				t.Error(err)
			}
		})
	}
	arriving.Wait()
	if started != limit-begun || refused != parallel-started {
		t.Errorf("%d conversations started and %d were refused, want %d and %d", started, refused, limit-begun, parallel-limit+begun)
	}
	if err := ask("early-0"); err != nil {
		t.Errorf("a conversation that was begun may finish: %v", err)
	}
	cookie := p.signIn()
	p.eventually("status and dashboard say that the limit is reached", 20*time.Second, func() error {
		var status struct{ LimitReached bool }
		var kpis struct {
			TotalConversations int
			MonthlyLimit       struct {
				Current      int
				LimitReached bool
			}
		}
		if err := errors.Join(p.get("/api/chatbot/status", "", &status), p.get("/api/dashboard/kpis", cookie, &kpis)); err != nil {
			return err
		}
		if !status.LimitReached || !kpis.MonthlyLimit.LimitReached || kpis.MonthlyLimit.Current != limit || kpis.TotalConversations != limit {
			return fmt.Errorf("status %+v, KPIs %+v", status, kpis)
		}
		return nil
	})
}
