package bench

import (
	"fmt"
	"testing"
	"time"

	"bitacora/cmd/bitacora/programtest"
)

// BenchmarkRecovery measures from a kill until a visitor is answered again, and until the dashboard counts that
// conversation. The control is one without a kill.
func BenchmarkRecovery(b *testing.B) {
	p := programtest.NewEmbedded(b)
	p.Start()
	cookie := p.SignIn()
	counts := func(least int) func() error {
		return func() error {
			var kpis struct{ TotalMessages int }
			err := p.Get("/api/dashboard/kpis", cookie, &kpis)
			if err == nil && kpis.TotalMessages < least {
				err = fmt.Errorf("%d messages of %d", kpis.TotalMessages, least)
			}
			return err
		}
	}
	written, answers := 0, 0
	say := func() error {
		written++
		return p.Post("/api/chatbot", map[string]string{"sessionId": fmt.Sprint("recovery-", written), "message": "¿A qué hora abren?"}, nil)
	}
	for part, kill := range map[string]func(){
		"none":       func() {},
		"serve":      func() { p.Kill("serve"); p.Start() },
		"postgres":   func() { p.Kill("postgres") },
		"clickhouse": func() { p.Kill("clickhouse") },
	} {
		b.Run("killed="+part, func(b *testing.B) {
			var answered, counted []float64
			for b.Loop() {
				for range sized(5, 1) {
					p.Rest()
					began := time.Now()
					kill()
					p.Eventually("a visitor is answered", time.Minute, say)
					answered = append(answered, float64(time.Since(began).Milliseconds()))
					answers++
					p.Eventually("the dashboard counts it", time.Minute, counts(2*answers))
					counted = append(counted, float64(time.Since(began).Milliseconds()))
				}
			}
			b.ReportMetric(0, "ns/op")
			reportMedian(b, answered, "answered-ms")
			reportMedian(b, counted, "caught-up-ms")
		})
	}
}
