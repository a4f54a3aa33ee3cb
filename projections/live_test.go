package projections_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/go-cmp/cmp"

	. "bitacora/projections"
)

// feed delivers batches one by one, each after the former was acknowledged.
type feed struct {
	batches []Batch
	done    chan struct{}
	// last is the message that was delivered last.
	last *message.Message
}

func (f *feed) Subscribe(ctx context.Context, _ string) (<-chan *message.Message, error) {
	out := make(chan *message.Message)
	go func() {
		defer close(out)
		for _, b := range f.batches {
			msg, err := NewMessage(ctx, b)
			if err != nil {
				panic(err)
			}
			f.last = msg
			out <- msg
			select {
			case <-msg.Acked():
			case <-msg.Nacked():
				return
			case <-ctx.Done():
				return
			}
		}
		close(f.done)
		<-ctx.Done()
	}()
	return out, nil
}

func (f *feed) Close() error { return nil }

type writerFunc func(Tables) error

func (w writerFunc) Write(_ context.Context, t Tables) error { return w(t) }

func (w writerFunc) Applied(_ context.Context, r Range, _ string) (int64, error) { return r.Last, nil }

func run(t *testing.T, live Live) *message.Router {
	t.Helper()
	router := message.NewDefaultRouter(nil)
	if err := live.AddTo(t.Context(), router); err != nil {
		t.Fatal(err)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- router.Run(context.WithoutCancel(t.Context())) }()
	<-router.Running()
	t.Cleanup(func() {
		if err := errors.Join(router.Close(), <-stopped); err != nil {
			t.Error(err)
		}
	})
	return router
}

func await(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(30 * time.Second):
		t.Fatal("waited too long")
	}
}

func TestLiveTriesUntilABatchIsApplied(t *testing.T) {
	events := readEvents(t, "testdata/booking.events.jsonl")
	f := &feed{done: make(chan struct{}), batches: []Batch{{Events: events[:3]}, {Events: events[3:]}}}
	var applied []Tables
	var outcomes []bool
	tries := 0
	run(t, Live{
		Build:      "b1",
		Subscriber: f,
		Observe:    func(a Attempt) { outcomes = append(outcomes, a.Err == nil) },
		Writer: writerFunc(func(rows Tables) error {
			switch tries++; tries {
			case 1:
				return errors.New("connection refused")
			case 2:
				panic("a bug")
			}
			applied = append(applied, rows)
			return nil
		}),
	})
	await(t, f.done)
	if diff := cmp.Diff([]Tables{RowsOf(events[:3]), RowsOf(events[3:])}, applied); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]bool{false, false, true, true}, outcomes); diff != "" {
		t.Error(diff)
	}
}

func TestLiveStopsWhileTheTablesAreOut(t *testing.T) {
	f := &feed{done: make(chan struct{}), batches: []Batch{{Events: readEvents(t, "testdata/no_answer.events.jsonl")}}}
	tried := make(chan struct{}, 1)
	router := run(t, Live{
		Build:      "b1",
		Subscriber: f,
		Writer: writerFunc(func(Tables) error {
			select {
			case tried <- struct{}{}:
			default:
			}
			return errors.New("connection refused")
		}),
	})
	await(t, tried)
	if err := router.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-f.last.Acked():
		t.Error("a batch that was not applied was acknowledged")
	default:
	}
}
