package chat

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/domain/event"
)

// A booking that replaces another one, between the read and the append of a
// cancellation, is what is cancelled.
func TestACancellationIsDecidedAnewAfterARebooking(t *testing.T) {
	v := newVisit(t)
	v.says("hola", Understanding{})
	id := v.conversation().ID
	book := func(b ExternalBooking) {
		t.Helper()
		if _, err := v.service.Book(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	book(form("f1"))
	moved := form("f2")
	moved.Slot = moved.Slot.AddDate(0, 0, 1)
	v.log.beforeAppend = func() { book(moved) }
	if err := v.service.CancelBooking(t.Context(), id, "", "staff", "s1"); err != nil {
		t.Fatal(err)
	}
	events := v.log.streams[v.stream()]
	if p, ok := events[len(events)-1].Payload.(*event.AppointmentCancelled); !ok || p.BookingID != "f2" {
		t.Errorf("last event %+v", events[len(events)-1].Payload)
	}
	if c := v.conversation(); c.Appointment != nil || len(v.log.chairs) != 0 {
		t.Errorf("appointment %+v, chairs %v", c.Appointment, v.log.chairs)
	}
}

// refusing is a log that refuses everything.
type refusing struct {
	Log
	with    error
	appends int
}

func (l *refusing) Append(context.Context, event.Append) ([]event.Recorded, error) {
	l.appends++
	return nil, l.with
}

func TestHowOftenARefusalIsDecidedAnew(t *testing.T) {
	once := errors.New("broken")
	for _, test := range []struct {
		refusal, want error
		final         []error
		appends       int
	}{
		{refusal: event.ErrConflict, want: ErrBusy, appends: maxAttempts},
		{refusal: event.ErrSlotTaken, want: ErrBusy, appends: maxAttempts},
		{refusal: event.ErrSlotTaken, final: []error{event.ErrSlotTaken}, want: event.ErrSlotTaken, appends: 1},
		{refusal: once, want: once, appends: 1},
	} {
		service, _ := newService(echo)
		log := &refusing{Log: service.Log, with: test.refusal}
		service.Log = log
		var pauses []time.Duration
		service.Wait = func(_ context.Context, longest time.Duration) { pauses = append(pauses, longest) }
		_, _, err := service.decide(t.Context(), "c", func(*Conversation) (Decision, error) {
			return Decision{Events: []event.Payload{&event.VisitStarted{}}}, nil
		}, test.final...)
		if !errors.Is(err, test.want) || log.appends != test.appends {
			t.Errorf("%v, final %v: %v after %d appends", test.refusal, test.final, err, log.appends)
		}
		// The first repetition comes at once, the others ever later.
		if len(pauses) != max(0, test.appends-2) || !slices.IsSorted(pauses) || len(pauses) > 0 && (pauses[0] != firstPause || pauses[len(pauses)-1] != longestPause) {
			t.Errorf("%v: pauses %v", test.refusal, pauses)
		}
	}
}

func TestAQueueKeepsTheOrderAndIsBounded(t *testing.T) {
	var q Queue
	ctx := t.Context()
	leave, err := q.enter(ctx, "c")
	if err != nil {
		t.Fatal(err)
	}
	inside := make(chan int, maxWaiting)
	waiting := func(n int) {
		t.Helper()
		for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
			q.mu.Lock()
			present := q.entries["c"].present
			q.mu.Unlock()
			if present == n+1 {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d are there, want %d waiting", present, n)
			}
		}
	}
	var running sync.WaitGroup
	for i := range maxWaiting {
		running.Go(func() {
			leave, err := q.enter(ctx, "c")
			if err != nil {
				t.Error(err)
				return
			}
			inside <- i
			leave()
		})
		waiting(i + 1)
	}
	if _, err := q.enter(ctx, "c"); !errors.Is(err, ErrBusy) {
		t.Errorf("one too many: %v", err)
	}
	other, err := q.enter(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	other()
	leave()
	for i := range maxWaiting {
		if got := <-inside; got != i {
			t.Fatalf("%d came in as number %d", got, i)
		}
	}
	leave, err = q.enter(ctx, "c")
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := q.enter(gone, "c"); !errors.Is(err, context.Canceled) {
		t.Errorf("whoever has left: %v", err)
	}
	leave()
	running.Wait()
	if len(q.entries) != 0 {
		t.Errorf("the queue keeps %v", q.entries)
	}
}

// A decision may be made more than once: what it wrote outside of itself the first time would
// be there the second time.
func TestDecisionsWriteNothingCaptured(t *testing.T) {
	files := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !decides(call.Fun) {
				return true
			}
			for _, argument := range call.Args {
				if decision, ok := argument.(*ast.FuncLit); ok {
					found++
					for _, written := range capturedWrites(decision) {
						t.Errorf("%s: a decision writes %s, which it captured", files.Position(written.Pos()), written.Name)
					}
				}
			}
			return true
		})
	}
	if found < 7 {
		t.Errorf("%d decisions were looked at", found)
	}
}

func decides(called ast.Expr) bool {
	method, ok := called.(*ast.SelectorExpr)
	return ok && slices.Contains([]string{"decide", "decideOn"}, method.Sel.Name)
}

// capturedWrites are the variables that a function assigns to and did not declare itself.
func capturedWrites(f *ast.FuncLit) (written []*ast.Ident) {
	check := func(targets ...ast.Expr) {
		for _, target := range targets {
			for {
				switch inner := target.(type) {
				case *ast.SelectorExpr:
					target = inner.X
					continue
				case *ast.IndexExpr:
					target = inner.X
					continue
				case *ast.StarExpr:
					target = inner.X
					continue
				case *ast.Ident:
					if inner.Obj != nil && (inner.Obj.Pos() < f.Pos() || inner.Obj.Pos() > f.End()) {
						written = append(written, inner)
					}
				}
				break
			}
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			check(n.Lhs...)
		case *ast.IncDecStmt:
			check(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				check(n.Key, n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				check(n.X) // whoever has the address may write
			}
		}
		return true
	})
	return written
}

// TestNoReplyIsStoredToAMessageThatWasLost: the log goes back while the assistant thinks, as it does
// where a standby is promoted that lagged. The same message is taken again then.
func TestNoReplyIsStoredToAMessageThatWasLost(t *testing.T) {
	for name, kept := range map[string]int{"with its conversation": 0, "alone": 3} {
		t.Run(name, func(t *testing.T) {
			service, log := newService(echo)
			stream := Stream(ConversationID("web", "s"))
			if _, err := service.Receive(t.Context(), Message{SessionID: "s", MessageID: "m1", Text: "Hola"}); err != nil {
				t.Fatal(err)
			}
			service.Assistant = assistantFunc(func(ctx context.Context, q Question) (Reply, error) {
				service.Assistant = echo
				log.streams[stream], log.ids = log.streams[stream][:kept], map[string]bool{}
				return echo(ctx, q)
			})
			message := Message{SessionID: "s", MessageID: "m2", Text: "¿Siguen ahí?"}
			if _, err := service.Receive(t.Context(), message); !errors.Is(err, ErrLost) || len(log.streams[stream]) != kept {
				t.Errorf("%v, the log holds %s", err, log.types(stream))
			}
			if _, err := service.Receive(t.Context(), message); err != nil {
				t.Error(err)
			}
			if c := Fold(ConversationID("web", "s"), log.streams[stream]); !c.Started() || c.Lines[len(c.Lines)-1].Text != "Eco: ¿Siguen ahí?" {
				t.Errorf("the log holds %s", log.types(stream))
			}
		})
	}
}
