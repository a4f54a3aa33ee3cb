package crash

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/programtest"
)

// TestAPostgresThatHangsUnderLoad stops the database for longer than anybody waits for it, while
// people write, and lets it go on.
func TestAPostgresThatHangsUnderLoad(t *testing.T) {
	enginestest.Long(t)
	const patience = time.Second
	p := programtest.NewEmbedded(t, append(forTheMix(t), "BITACORA_STORE_TIMEOUT="+patience.String())...)
	p.Start()
	people := newClients(t, p)
	people.arrive(4, 50*time.Millisecond)
	answered := func(more int) {
		t.Helper()
		before := people.acknowledgements()
		p.Eventually("people are answered", time.Minute, func() error {
			if people.acknowledgements() < before+more {
				return errors.New("too few answers")
			}
			return nil
		})
	}
	answered(20)
	resume := enginestest.Hang(t, p.Pid("postgres"))
	p.Eventually("the program says what is missing", time.Minute, func() error {
		return p.Says(contract.Readiness{Status: "unavailable", Postgres: "unavailable", Clickhouse: "ok"})
	})
	began := time.Now()
	for range 10 {
		var refused *programtest.Refusal
		if err := p.Post("/api/chatbot", map[string]string{"sessionId": "late", "message": "¿Siguen ahí?"}, nil); !errors.As(err, &refused) || refused.Status != http.StatusServiceUnavailable {
			t.Errorf("answered %v", err)
		}
	}
	// Ten that waited would take ten times as long.
	if took := time.Since(began); took > 5*patience {
		t.Errorf("ten answers took %v", took)
	}
	resume()
	p.Eventually("the program is ready again", time.Minute, func() error {
		return p.Says(contract.Readiness{Status: "ready", Postgres: "ok", Clickhouse: "ok"})
	})
	answered(20)
	people.leave()
	people.mustAddUp()
}
