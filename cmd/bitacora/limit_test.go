package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/cmd/bitacora/programtest"
)

func TestParallelFirstMessagesStartExactlyWhatTheLimitLeaves(t *testing.T) {
	const limit, begun, parallel = 12, 5, 40
	p := programtest.NewProgram(t, fmt.Sprint("BITACORA_MONTHLY_LIMIT=", limit))
	p.Start()
	ask := func(session string) error {
		return p.Post("/api/chatbot", map[string]string{"sessionId": session, "message": "¿Dónde quedan?"}, nil)
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
			var r *programtest.Refusal
			switch {
			case err == nil:
				started++
			case errors.As(err, &r) && r.Status == http.StatusTooManyRequests && strings.Contains(r.Said, `"limitReached":true`):
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
	cookie := p.SignIn()
	p.Eventually("status and dashboard say that the limit is reached", 20*time.Second, func() error {
		var status struct{ LimitReached bool }
		var kpis struct {
			TotalConversations int
			MonthlyLimit       struct {
				Current      int
				LimitReached bool
			}
		}
		if err := errors.Join(p.Get("/api/chatbot/status", "", &status), p.Get("/api/dashboard/kpis", cookie, &kpis)); err != nil {
			return err
		}
		if !status.LimitReached || !kpis.MonthlyLimit.LimitReached || kpis.MonthlyLimit.Current != limit || kpis.TotalConversations != limit {
			return fmt.Errorf("status %+v, KPIs %+v", status, kpis)
		}
		return nil
	})
}
