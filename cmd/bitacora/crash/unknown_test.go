package crash

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
)

var later struct {
	build sync.Once
	dir   string
}

// laterProgram is one that tells of a new fact with every message, writes the message in a new version, and
// knows a booking by another field. It is built once.
func laterProgram(t *testing.T) (dir string) {
	const sent = "Kind{Version: 1, New: func() Payload { return new(VisitorMessageSent) }},"
	later.build.Do(func() {
		later.dir = updated(t, "later",
			edit{"domain/event/codec.go", sent, `Kind{Version: 2, New: func() Payload { return new(VisitorMessageSent) }, Upcast: []Upcast{nil}},
	Kind{Version: 1, New: func() Payload { return new(MessageRead) }},`},
			edit{"domain/event/codec.go", "Kind{Version: 3, New: func() Payload { return new(AppointmentBooked) }, Upcast: []Upcast{nil, nil}}",
				"Kind{Version: 4, New: func() Payload { return new(AppointmentBooked) }, Upcast: []Upcast{nil, nil, bookedBy}}"},
			edit{"domain/event/codec.go", "// Types lists every event type", `type MessageRead struct{ Conversation }

func (*MessageRead) EventType() string { return "MessageRead" }

func bookedBy(old json.RawMessage) (json.RawMessage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(old, &fields); err != nil {
		return nil, err
	}
	fields["confirmedBy"] = fields["source"]
	delete(fields, "source")
	return json.Marshal(fields)
}

// Types lists every event type`},
			edit{"domain/event/conversation.go", "Source string `json:\"source\"`", "Source string `json:\"confirmedBy\"`"},
			edit{"domain/chat/decide.go", "return append(decided, c.record(at, &event.VisitorMessageSent{",
				"return append(append(decided, &event.MessageRead{Conversation: c.carried()}), c.record(at, &event.VisitorMessageSent{"})
	})
	return later.dir
}

// talkWith keeps some conversations going until stop, and gives what was refused for good.
func talkWith(p *programtest.Program, conversations int) (answered *atomic.Int64, stop func() []error) {
	var running sync.WaitGroup
	var mu sync.Mutex
	var refused []error
	answered = new(atomic.Int64)
	ctx, cancel := context.WithCancel(context.Background())
	say := func(i, n int) {
		body := map[string]string{"sessionId": fmt.Sprint("talk-", i), "messageId": fmt.Sprint("m", n), "message": "¿Cuánto cuesta una limpieza?"}
		for ctx.Err() == nil {
			err := p.Post("/api/chatbot", body, nil)
			var answer *programtest.Refusal
			switch {
			case err == nil:
				answered.Add(1)
				return
			case errors.As(err, &answer) && answer.Status != http.StatusServiceUnavailable:
				mu.Lock()
				refused = append(refused, err)
				mu.Unlock()
				return
			}
			command.Pause(ctx, 50*time.Millisecond) // the program is being started anew
		}
	}
	for i := range conversations {
		running.Go(func() {
			for n := 1; ctx.Err() == nil; n++ {
				say(i, n)
				command.Pause(ctx, 100*time.Millisecond)
			}
		})
	}
	return answered, func() []error { cancel(); running.Wait(); return refused }
}

func TestAnUpdateMayBeTakenBackUnderLoad(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewProgram(t)
	next := laterProgram(t)
	p.Start()
	answered, stop := talkWith(p, 4)
	goesOn := func(with string) {
		t.Helper()
		before := answered.Load()
		p.Eventually("visitors are answered by "+with, time.Minute, func() error {
			if n := answered.Load() - before; n < 20 {
				return fmt.Errorf("%d answers", n)
			}
			return nil
		})
	}
	restart := func(programs string) {
		p.Stop()
		p.Programs = programs
		p.Start()
	}
	goesOn("the first version")
	restart(next)
	goesOn("the later version")
	restart("")
	goesOn("the first version again")
	a := p.App()
	p.Eventually("what the first version does not know waits", 30*time.Second, func() error {
		out, _ := p.Run("", "parked", "list")
		return programtest.ContainsAll(out, []string{"not known to this program"})
	})
	for _, command := range [][]string{{"log", "check"}, {"log", "export"}, {"log", "places"}} {
		out, err := p.Run("", command...)
		if err == nil {
			t.Errorf("%v found nothing", command)
		}
		if err := programtest.ContainsAll(out, []string{"MessageRead version 1: ", "VisitorMessageSent version 2: ", "the first at position "}); err != nil {
			t.Errorf("%v %v", command, err)
		}
	}
	if out, err := p.Run("", "log", "check"); err == nil || strings.Contains(out, "something is wrong") {
		t.Errorf("log check: %v\n%s", err, out)
	}
	if out, err := p.Run("", "log", "places", "--rebuild"); err == nil || !strings.Contains(out, "left as they are") {
		t.Errorf("places are rebuilt from bookings that are not known: %v\n%s", err, out)
	}
	if out, err := p.Run("", "doctor"); err == nil || !strings.Contains(out, "conversations wait in build b1") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	if out, _ := p.Run("", "projections"); !strings.Contains(out, "conversations wait: bitacora parked list") {
		t.Errorf("projections:\n%s", out)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	restart(next)
	goesOn("the later version again")
	if refused := stop(); len(refused) > 0 {
		t.Errorf("%d messages were refused: %v", len(refused), refused[0])
	}
	a = p.App()
	p.Applied(a)
	p.Eventually("nothing waits any more", 30*time.Second, func() error {
		out, err := p.Run("", "parked", "list")
		if err == nil && !strings.Contains(out, "no conversation waits") {
			err = errors.New(out)
		}
		return err
	})
	p.MustRun("verify")
	p.MustRun("log", "check")
}

func TestWhatWaitedIsTriedAgainWhenTheLeaseChangesHands(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewProgram(t)
	one, other := followerOf(p, t), followerOf(p, t)
	v := programtest.NewVisit(t, one.App, "first", programtest.SomeDay)
	still := programtest.NewVisit(t, one.App, "second", programtest.SomeDay)
	bad, worse := v.AddUnreadable("type, 99", "data, NULL"), still.AddUnreadable("type, 99", "data, NULL")
	one.holds("two events that are not known")
	programtest.Damage(t, one.App, bad, 1)
	if n := one.active().Parked; n != 2 {
		t.Fatalf("%d conversations wait, want 2", n)
	}
	owner := one.active().Owner
	for _, f := range []*follower{one, other} {
		if f.stop(); one.active().Owner == "" || one.active().Owner != owner {
			break // the other one has it now
		}
		f.start()
	}
	p.Eventually("one of the two is applied", 30*time.Second, func() error {
		waiting, err := one.DB.Waiting(t.Context(), one.active().Name)
		if err == nil && (len(waiting) != 1 || waiting[0].Position != worse) {
			err = fmt.Errorf("%+v wait", waiting)
		}
		return err
	})
}
