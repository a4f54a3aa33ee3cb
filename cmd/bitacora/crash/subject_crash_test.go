package crash

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/privacy"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/subjects"
)

// textsIn counts the messages of a conversation that have a text in a build.
func textsIn(t *testing.T, a *app.App, build, id string) (n int) {
	t.Helper()
	list, err := a.Tables.Reader(build).Messages(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.Text != "" {
			n++
		}
	}
	return n
}

// mustFinish waits until no task with a subject is left.
func mustFinish(p *programtest.Program, a *app.App) {
	p.T.Helper()
	p.Eventually("every erasure that was begun is finished", 2*time.Minute, func() error {
		left, err := a.DB.Log().PendingTasks(context.Background(), time.Now().Add(time.Hour))
		if err == nil && len(left) > 0 {
			err = fmt.Errorf("%d tasks, the first %+v", len(left), left[0])
		}
		return err
	})
}

// TestErasuresUnderLoad erases one conversation a second while visitors write and the tables are
// made anew: no visitor is refused, and none of those who were erased comes back in any build.
func TestErasuresUnderLoad(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	const conversations, messages, erasures, writers = 200, 10, 6, 4
	p := programtest.NewProgram(t)
	p.Start()
	a := p.App()
	programtest.Fill(t, a, conversations, messages)
	p.Applied(a)
	stop := make(chan struct{})
	var writing sync.WaitGroup
	var answered atomic.Int64
	for w := range writers {
		writing.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				body := map[string]string{"sessionId": fmt.Sprint("load ", w, n/4), "messageId": fmt.Sprint(n), "message": "¿A qué hora abren?"}
				if err := p.Post("/api/chatbot", body, nil); err != nil {
					t.Errorf("a visitor is answered %v", err)
				}
				answered.Add(1)
				time.Sleep(50 * time.Millisecond) // a load, not as much as the machine can do
			}
		})
	}
	var said bytes.Buffer
	rebuild := p.Command("rebuild", "--batch", "100", "--rate", "1000")
	rebuild.Stdout, rebuild.Stderr = &said, &said
	if err := rebuild.Start(); err != nil {
		t.Fatal(err)
	}
	register := privacy.SubjectRegister(a)
	var gone []string
	for i := range erasures {
		id := fmt.Sprint("filled-", i*conversations/erasures)
		began := time.Now()
		report, err := register.Erase(context.Background(), subjects.Erasure{By: event.ByOperator, Reason: event.ReasonRequest, Subjects: []string{chat.Stream(id)}})
		if err != nil {
			t.Errorf("erasure of %s: %v", id, err)
		}
		gone = append(gone, id)
		t.Logf("%s took %v, and waits for %v", id, time.Since(began).Round(time.Millisecond), report.Waiting)
		time.Sleep(time.Until(began.Add(time.Second)))
	}
	if err := rebuild.Wait(); err != nil {
		t.Errorf("the rebuild ended with %v\n%s", err, &said)
	}
	close(stop)
	writing.Wait()
	t.Logf("%d messages were answered", answered.Load())
	mustFinish(p, a)
	for _, build := range []string{"b1", "b2"} {
		for _, id := range gone {
			if n := textsIn(t, a, build, id); n != 0 {
				t.Errorf("%s holds %d texts of %s, who was erased", build, n, id)
			}
		}
		if n := textsIn(t, a, build, "filled-1"); n != messages {
			t.Errorf("%s holds %d texts of somebody who was not erased", build, n)
		}
	}
	if out := p.MustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}
