package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/domain/analytics"
	"bitacora/projections"
)

// mustRun runs a command that has to succeed.
func (p *program) mustRun(args ...string) string {
	p.t.Helper()
	out, err := p.run("", args...)
	if err != nil {
		p.t.Fatalf("bitacora %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// poll asks the dashboard every so often until it is stopped, and fails for a refusal or an
// answer that goes back.
func (p *program) poll(every time.Duration) (stop func() (asked int)) {
	cookie := p.signIn()
	ctx, cancel := context.WithCancel(context.Background())
	var polling sync.WaitGroup
	asked := 0
	polling.Go(func() {
		conversations, messages, position := 0, 0, int64(0)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for ctx.Err() == nil {
			<-tick.C
			var now struct {
				TotalConversations, TotalMessages int
				DataThrough                       struct{ Position int64 }
			}
			asked++
			if err := p.get("/api/dashboard/kpis", cookie, &now); err != nil {
				p.t.Errorf("the dashboard refused: %v", err)
				continue
			}
			if now.TotalConversations < conversations || now.TotalMessages < messages || now.DataThrough.Position < position {
				p.t.Errorf("an answer went back from %d conversations, %d messages at %d to %+v", conversations, messages, position, now)
			}
			conversations, messages, position = now.TotalConversations, now.TotalMessages, now.DataThrough.Position
		}
	})
	return func() int {
		cancel()
		polling.Wait()
		return asked
	}
}

// send sends messages at a rate until it is stopped, and fails for a refusal.
func (p *program) send(perSecond int) (stop func() (acknowledged int)) {
	ctx, cancel := context.WithCancel(context.Background())
	var ticking, sending sync.WaitGroup
	var acknowledged atomic.Int64
	ticking.Go(func() {
		began := time.Now()
		for i := 0; ctx.Err() == nil; i++ {
			time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / time.Duration(perSecond))))
			sending.Go(func() {
				body := map[string]string{"sessionId": fmt.Sprint("load-", i/4), "messageId": fmt.Sprint("m-", i), "message": "¿Cuál es el horario?"}
				if err := p.post("/api/chatbot", body, nil); err != nil {
					p.t.Errorf("a message was refused: %v", err)
					return
				}
				acknowledged.Add(1)
			})
		}
	})
	return func() int {
		cancel()
		ticking.Wait()
		sending.Wait()
		return int(acknowledged.Load())
	}
}

// counted is how many messages of visitors the log holds, and how many the live build does.
func counted(t *testing.T, h *house) (inLog, inTables int) {
	t.Helper()
	ctx := context.Background()
	live, err := h.db.LiveBuild(ctx)
	if err != nil {
		t.Fatal(err)
	}
	r := &recounter{house: h, count: analytics.NewRecount(), progress: newProgress("events")}
	head, err := h.db.Log().Head(ctx)
	if err == nil {
		err = r.through(ctx, head)
	}
	if err != nil {
		t.Fatal(err)
	}
	days, err := h.tables.Reader(live).Days(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.count.Days(h.clinic.Zone, nil) {
		inLog += d.VisitorMessages
	}
	for _, d := range days {
		inTables += d.VisitorMessages
	}
	return inLog, inTables
}

func TestRebuildAndRollbackUnderLoad(t *testing.T) {
	p := newProgram(t)
	p.start()
	endPolling, endSending := p.poll(50*time.Millisecond), p.send(200)
	time.Sleep(3 * time.Second)
	for _, step := range []struct {
		command []string
		live    string
	}{
		{[]string{"rebuild"}, "b2"},
		{[]string{"rollback"}, "b1"},
		{[]string{"rebuild"}, "b3"},
	} {
		began := time.Now()
		out := p.mustRun(step.command...)
		t.Logf("%v took %v:\n%s", step.command, time.Since(began).Round(time.Millisecond), out)
		if !strings.Contains(out, "build "+step.live+" is live") || step.command[0] == "rebuild" && !strings.Contains(out, "no difference") {
			t.Errorf("%v said:\n%s", step.command, out)
		}
		time.Sleep(time.Second)
	}
	acknowledged, asked := endSending(), endPolling()
	t.Logf("%d messages acknowledged, dashboard asked %d times", acknowledged, asked)
	h := p.house()
	p.eventually("every build that is kept up holds the whole log", 20*time.Second, func() error {
		list, err := h.db.Standing(context.Background())
		for _, s := range list {
			if s.Lag() > 0 {
				err = errors.Join(err, fmt.Errorf("%s is %d behind", s.Name, s.Lag()))
			}
		}
		return err
	})
	if inLog, inTables := counted(t, h); inLog != acknowledged || inTables != acknowledged {
		t.Errorf("%d messages were acknowledged, the log holds %d, the tables %d", acknowledged, inLog, inTables)
	}
	var builds []observed
	if err := json.Unmarshal([]byte(p.mustRun("projections", "--json")), &builds); err != nil {
		t.Fatal(err)
	}
	if len(builds) != 2 || builds[0].Build != "b1" || builds[0].State != projections.Kept || builds[1].State != projections.IsLive {
		t.Errorf("builds afterwards: %+v", builds)
	}
	p.mustRun("verify")
	p.mustRun("verify", "b1")
	p.mustRun("verify", "b1", "--against", "b3")
}
