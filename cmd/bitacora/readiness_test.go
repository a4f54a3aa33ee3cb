package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
)

// readiness is what the program says of itself to whoever watches it.
func (p *program) readiness() (said contract.Readiness, err error) {
	var refused *refusal
	if err = p.get("/readyz", "", &said); errors.As(err, &refused) && refused.status == http.StatusServiceUnavailable {
		err = json.Unmarshal([]byte(refused.said), &said)
	}
	return said, err
}

func (p *program) says(want contract.Readiness) error {
	said, err := p.readiness()
	want.Version = said.Version // which TestVersion looks at
	if err == nil && said != want {
		err = fmt.Errorf("it says %+v, want %+v", said, want)
	}
	return err
}

func TestReadinessThroughTheDeathOfAnEngine(t *testing.T) {
	p := newProgram(t)
	p.start()
	ready := contract.Readiness{Status: "ready", Postgres: "ok", Clickhouse: "ok"}
	for engine, without := range map[string]contract.Readiness{
		"clickhouse": {Status: "degraded", Postgres: "ok", Clickhouse: "unavailable"},
		"postgres":   {Status: "unavailable", Postgres: "unavailable", Clickhouse: "ok"},
	} {
		if err := p.says(ready); err != nil {
			t.Errorf("before %s is killed: %v", engine, err)
		}
		p.kill(engine)
		p.eventually("what is missing is told after "+engine+" was killed", time.Minute, func() error {
			if err := p.get("/healthz", "", nil); err != nil {
				t.Errorf("without %s the program does not count as alive: %v", engine, err)
			}
			err := p.says(without)
			if err != nil && p.says(ready) == nil { // it is started again at once, and this looked too late
				p.kill(engine)
			}
			return err
		})
		p.eventually("the program is ready again after "+engine+" was killed", time.Minute, func() error { return p.says(ready) })
		message := map[string]string{"sessionId": engine, "message": "¿A qué hora abren?"}
		p.eventually("visitors are answered", time.Minute, func() error { return p.post("/api/chatbot", message, nil) })
	}
	p.applied(p.app())
}
