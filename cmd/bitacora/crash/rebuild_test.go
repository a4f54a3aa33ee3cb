package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/projections/builds"
)

// load is something that is asked for at a steady rate, however long the answers take. Where
// a machine cannot keep up, atOnce of them wait and the next are asked later.
type load struct {
	perSecond         int
	began             time.Time
	offered, answered atomic.Int64
	ended             chan struct{}
	asking            sync.WaitGroup
	once              sync.Once
}

// atOnce bounds what waits for an answer, below what would time out on a slow machine.
const atOnce = 64

// offer begins a load. The function is called once for every turn of the schedule, beside
// the calls that are still waiting, and says whether it was answered.
func offer(t testing.TB, perSecond int, ask func(turn int) bool) *load {
	l := &load{perSecond: perSecond, began: time.Now(), ended: make(chan struct{})}
	t.Cleanup(func() { l.stop() }) // where a failure comes before its end
	l.asking.Go(func() {
		slots := make(chan struct{}, atOnce)
		for turn := 0; ; turn++ {
			due := l.began.Add(time.Duration(turn) * time.Second / time.Duration(perSecond))
			select {
			case <-time.After(time.Until(due)):
			case <-l.ended:
				return
			}
			slots <- struct{}{}
			l.offered.Add(1)
			l.asking.Go(func() {
				defer func() { <-slots }()
				if ask(turn) {
					l.answered.Add(1)
				}
			})
		}
	})
	return l
}

// stop ends the schedule and waits for the answers.
func (l *load) stop() {
	l.once.Do(func() { close(l.ended) })
	l.asking.Wait()
}

// end stops the load, and says how many were answered: all that were asked.
func (l *load) end(t *testing.T) (answered int) {
	t.Helper()
	lasted := time.Since(l.began)
	l.stop()
	offered := l.offered.Load()
	t.Logf("%d asked in %v, %.0f per second of the %d intended", offered, lasted.Round(time.Millisecond), float64(offered)/lasted.Seconds(), l.perSecond)
	if answered := l.answered.Load(); answered != offered {
		t.Errorf("%d asked, %d answered", offered, answered)
	}
	return int(offered)
}

// pollDashboard asks the dashboard, and fails for a refusal or an answer that goes behind one that
// was there before it was asked for.
func pollDashboard(p *programtest.Program, perSecond int) *load {
	type reported struct {
		TotalConversations, TotalMessages int
		DataThrough                       struct{ Position int64 }
	}
	cookie := p.SignIn()
	var mu sync.Mutex
	var latest reported
	return offer(p.T, perSecond, func(int) bool {
		mu.Lock()
		before := latest
		mu.Unlock()
		var now reported
		if err := p.Get("/api/dashboard/kpis", cookie, &now); err != nil {
			p.T.Errorf("the dashboard refused: %v", err)
			return false
		}
		if now.TotalConversations < before.TotalConversations || now.TotalMessages < before.TotalMessages || now.DataThrough.Position < before.DataThrough.Position {
			p.T.Errorf("an answer went back from %+v to %+v", before, now)
		}
		mu.Lock()
		defer mu.Unlock()
		latest.TotalConversations = max(latest.TotalConversations, now.TotalConversations)
		latest.TotalMessages = max(latest.TotalMessages, now.TotalMessages)
		latest.DataThrough.Position = max(latest.DataThrough.Position, now.DataThrough.Position)
		return true
	})
}

// sendMessages sends messages of visitors, and fails for a refusal.
func sendMessages(p *programtest.Program, perSecond int) *load {
	return offer(p.T, perSecond, func(turn int) bool {
		body := map[string]string{"sessionId": fmt.Sprint("load-", turn/4), "messageId": fmt.Sprint("m-", turn), "message": "¿Cuál es el horario?"}
		if err := p.Post("/api/chatbot", body, nil); err != nil {
			p.T.Errorf("a message was refused: %v", err)
			return false
		}
		return true
	})
}

func TestRebuildAndRollbackUnderLoad(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	rebuildAndRollBackUnderLoad(t, programtest.NewProgram(t), 20, 4)
}

func TestAClusterIsRebuiltAndRolledBackUnderLoad(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	rebuildAndRollBackUnderLoad(t, onCluster(t, enginestest.StartCluster(t, 2, 2)), 8, 2)
}

// rebuildAndRollBackUnderLoad has so many messages sent and questions asked in a second.
func rebuildAndRollBackUnderLoad(t *testing.T, p *programtest.Program, send, poll int) {
	p.Start()
	polling, sending := pollDashboard(p, poll), sendMessages(p, send)
	// answers waits until so many more of both loads were answered.
	answers := func(messages, questions int64) {
		messages, questions = messages+sending.answered.Load(), questions+polling.answered.Load()
		p.Eventually("the clinic is busy", time.Minute, func() error {
			if m, q := sending.answered.Load(), polling.answered.Load(); m < messages || q < questions {
				return fmt.Errorf("%d messages and %d questions answered", m, q)
			}
			return nil
		})
	}
	answers(int64(3*send), int64(3*poll))
	for _, step := range []struct {
		command []string
		live    string
	}{
		{[]string{"rebuild"}, "b2"},
		{[]string{"rollback"}, "b1"},
		{[]string{"rebuild"}, "b3"},
		{[]string{"verify"}, "b3"},
	} {
		began, messages, questions := time.Now(), sending.offered.Load(), polling.offered.Load()
		out := p.MustRun(step.command...)
		messages, questions = sending.offered.Load()-messages, polling.offered.Load()-questions
		t.Logf("%v took %v, meanwhile %d messages and %d questions:\n%s", step.command, time.Since(began).Round(time.Millisecond), messages, questions, out)
		if messages == 0 || questions == 0 {
			t.Errorf("%v: %d messages and %d questions came meanwhile", step.command, messages, questions)
		}
		says := map[string][]string{
			"rebuild":  {"build " + step.live + " is live", "no difference. Held for "},
			"rollback": {"build " + step.live + " is live"},
			"verify":   {"build " + step.live + " against the log", "no difference. Held for "},
		}
		if err := programtest.ContainsAll(out, says[step.command[0]]); err != nil {
			t.Errorf("%v: %v", step.command, err)
		}
		answers(int64(send), int64(poll))
	}
	acknowledged, asked := sending.end(t), polling.end(t)
	t.Logf("%d messages acknowledged, dashboard asked %d times", acknowledged, asked)
	a := p.App()
	p.Eventually("every build that is kept up holds the whole log", 20*time.Second, func() error {
		list, err := a.DB.BuildStatuses(context.Background())
		for _, s := range list {
			if s.Lag() > 0 {
				err = errors.Join(err, fmt.Errorf("%s is %d behind", s.Name, s.Lag()))
			}
		}
		return err
	})
	if inLog, inTables := programtest.Counted(t, a); inLog != acknowledged || inTables != acknowledged {
		t.Errorf("%d messages were acknowledged, the log holds %d, the tables %d", acknowledged, inLog, inTables)
	}
	var list []builds.Inspection
	if err := json.Unmarshal([]byte(p.MustRun("projections", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Build != "b1" || list[0].State != builds.Kept || list[1].State != builds.Live {
		t.Errorf("builds afterwards: %+v", list)
	}
	p.MustRun("verify")
	p.MustRun("verify", "b1")
	p.MustRun("verify", "b1", "--against", "b3")
}

// TestABuildThatIsWrittenMeanwhileIsSound looks at a build's tables after more was applied
// than there was when its standing was read, as it happens to a rollback under load.
func TestABuildThatIsWrittenMeanwhileIsSound(t *testing.T) {
	enginestest.Long(t)
	p, a, visits := programtest.Running(t)
	before, err := a.DB.BuildStatus(t.Context(), "b1")
	if err != nil {
		t.Fatal(err)
	}
	visits[0].Say("sigo aquí")
	p.Applied(a)
	if err := a.Builds.Checker.Check(t.Context(), before); err != nil {
		t.Error(err)
	}
}
