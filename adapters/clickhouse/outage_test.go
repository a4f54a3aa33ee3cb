package clickhouse

import (
	"context"
	"errors"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/engines"
	"bitacora/adapters/engines/enginestest"
	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/projectionstest"
)

// feed delivers a log one event a batch, each after the former was acknowledged.
type feed struct {
	log  []event.Recorded
	acks atomic.Int64
	done chan struct{}
}

func (f *feed) Subscribe(ctx context.Context, _ string) (<-chan *message.Message, error) {
	out := make(chan *message.Message)
	go func() {
		defer close(out)
		for i := range f.log {
			msg, err := projections.NewMessage(ctx, projections.Batch{Events: f.log[i : i+1]})
			if err != nil {
				panic(err)
			}
			out <- msg
			select {
			case <-msg.Acked():
				f.acks.Add(1)
			case <-msg.Nacked():
				return
			}
		}
		close(f.done)
		<-ctx.Done()
	}()
	return out, nil
}

func (f *feed) Close() error { return nil }

func TestLiveOutlastsKilledServers(t *testing.T) {
	enginestest.Long(t)
	supervisor := enginestest.Supervisor(t)
	db, err := Open(supervisor.Endpoints().ClickHouseURL, panama(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.CreateBuild(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	var log []event.Recorded
	for seed := range 4 {
		for _, e := range projectionstest.Log().Example(seed) {
			e.Position = int64(len(log) + 1)
			log = append(log, e)
		}
	}
	f := &feed{log: log, done: make(chan struct{})}
	router := message.NewDefaultRouter(nil)
	var failures atomic.Int64
	live := projections.Live{Build: build, Subscriber: f, Writer: db.Writer(build), Observe: func(a projections.Attempt) {
		if a.Err != nil {
			failures.Add(1)
		}
	}}
	if err := live.AddTo(t.Context(), router); err != nil {
		t.Fatal(err)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- router.Run(context.WithoutCancel(t.Context())) }()

	for round := range int64(3) {
		for enough := round * int64(len(log)) / 4; f.acks.Load() < enough; {
			time.Sleep(time.Millisecond)
		}
		if pid := supervisor.PID(engines.ClickHouse); pid != 0 {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
	}
	select {
	case <-f.done:
	case <-time.After(2 * time.Minute):
		t.Fatalf("applied %d of %d batches, then no more; %d attempts failed", f.acks.Load(), len(log), failures.Load())
	}
	if err := errors.Join(router.Close(), <-stopped); err != nil {
		t.Error(err)
	}
	if failures.Load() == 0 {
		t.Error("no attempt failed, so nothing was shown")
	}
	if diff := cmp.Diff(projections.RowsOf(log), stored(t, db), sameRows); diff != "" {
		t.Errorf("after the kills (-want +got):\n%s", diff)
	}
}
