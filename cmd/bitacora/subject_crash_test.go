package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/subjects"

	"bitacora/adapters/engines/enginestest"
)

// textsIn counts the messages of a conversation that have a text in a build.
func textsIn(t *testing.T, a *app, build, id string) (n int) {
	t.Helper()
	list, err := a.tables.Reader(build).Messages(context.Background(), id)
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

// erasedInLog says whether the log tells that a subject was erased, and whether its data are gone.
func erasedInLog(t *testing.T, a *app, subject string) (told, gone bool) {
	t.Helper()
	events, err := a.db.Log().ReadStream(context.Background(), subject)
	if err != nil || len(events) == 0 {
		t.Fatal(len(events), err)
	}
	for _, e := range events {
		_, is := e.Payload.(*event.SubjectErased)
		told, gone = told || is, gone || e.Erased
	}
	return told, gone
}

// mustFinish waits until no task with a subject is left.
func mustFinish(p *program, a *app) {
	p.t.Helper()
	p.eventually("every erasure that was begun is finished", 2*time.Minute, func() error {
		left, err := a.db.Log().PendingTasks(context.Background(), time.Now().Add(time.Hour))
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
	const conversations, messages, erasures, writers = 400, 10, 12, 4
	p := newProgram(t)
	p.start()
	a := p.app()
	fill(t, a, conversations, messages)
	p.applied(a)
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
				if err := p.post("/api/chatbot", body, nil); err != nil {
					t.Errorf("a visitor is answered %v", err)
				}
				answered.Add(1)
			}
		})
	}
	var said bytes.Buffer
	rebuild := p.command("rebuild", "--batch", "100", "--rate", "1000")
	rebuild.Stdout, rebuild.Stderr = &said, &said
	if err := rebuild.Start(); err != nil {
		t.Fatal(err)
	}
	register := subjectRegister(a)
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
	if out := p.mustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}

// TestAKilledErasureIsNoneOrIsFinished kills the command that erases at any moment, often right
// after it began, and once the program that goes on with it: each time either nothing has happened,
// or all of it does.
func TestAKilledErasureIsNoneOrIsFinished(t *testing.T) {
	enginestest.Long(t)
	const rounds = 20
	p := newProgram(t)
	p.start()
	a := p.app()
	fill(t, a, rounds, 4)
	p.applied(a)
	began := time.Now()
	p.mustRun("privacy", "find", "filled-0")
	usual := time.Since(began)
	for round := range rounds {
		id := fmt.Sprint("filled-", round)
		command := p.begin("privacy", "erase", id, "--yes")
		ended := make(chan error, 1)
		go func() { ended <- command.Wait() }()
		if round%4 == 0 {
			time.Sleep(rand.N(2 * usual))
		} else {
			awaitTask(t, a, chat.Stream(id), ended)
			time.Sleep(rand.N(60 * time.Millisecond))
		}
		command.Process.Kill()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Fatal("the command did not end")
		}
		if round == rounds/2 {
			p.kill("serve")
			p.start()
			a = p.app()
		}
	}
	mustFinish(p, a)
	p.applied(a)
	none, all := 0, 0
	for round := range rounds {
		id := fmt.Sprint("filled-", round)
		told, gone := erasedInLog(t, a, chat.Stream(id))
		switch left := textsIn(t, a, "b1", id); {
		case told && gone && left == 0:
			all++
		case !told && !gone && left == 4:
			none++
		default:
			t.Errorf("%s: the log tells of it: %v, its data are gone: %v, and the tables hold %d texts", id, told, gone, left)
		}
	}
	t.Logf("%d were erased, of %d there was nothing", all, none)
	if all < rounds/2 {
		t.Errorf("%d of %d were begun: the test kills too early", all, rounds)
	}
	if out := p.mustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}

// awaitTask waits until a command has noted what it is about to do, or ended.
func awaitTask(t *testing.T, a *app, subject string, ended chan error) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 20*time.Second; time.Sleep(time.Millisecond) {
		tasks, err := a.db.Log().PendingTasks(context.Background(), time.Now().Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(tasks, func(task subjects.Task) bool { return task.Subject == subject }) {
			return
		}
		select {
		case err := <-ended:
			ended <- err
			return
		default:
		}
	}
	t.Error(errors.New("the command began nothing"))
}
