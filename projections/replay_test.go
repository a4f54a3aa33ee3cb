package projections

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bitacora/domain/event"
)

// steady is a log of events that mean nothing to the tables.
type steady struct{}

func (steady) Scan(_ context.Context, after, through int64, limit int) ([]event.Recorded, error) {
	events := make([]event.Recorded, min(int64(limit), through-after))
	for i := range events {
		events[i] = event.Recorded{Position: after + int64(i) + 1, Stream: "staff/1", Payload: &event.StaffSignedIn{}}
	}
	return events, nil
}

// nowhere takes rows; the first failures of its writes fail.
type nowhere struct{ failures atomic.Int64 }

func (n *nowhere) Write(context.Context, Tables) error {
	if n.failures.Add(-1) >= 0 {
		return errors.New("away")
	}
	return nil
}

func (n *nowhere) Applied(_ context.Context, r Range, _ string) (int64, error) { return r.Last, nil }

// emptyParking is where nothing waits.
type emptyParking struct{}

func (emptyParking) Exclusions(context.Context) (Exclusions, error) {
	return Exclusions{Parked: map[string]int64{}}, nil
}

func (emptyParking) Park(context.Context, []Parked) error { return nil }

func ranges(count, size int64) []Range {
	list := make([]Range, count)
	for i := range list {
		list[i] = Range{First: int64(i)*size + 1, Last: int64(i+1) * size}
	}
	return list
}

func TestReplayKeepsToItsRate(t *testing.T) {
	for _, c := range []struct {
		rate, workers int
		ranges, size  int64
		want          time.Duration
	}{
		{0, 3, 10, 10_000, 0},
		{1000, 1, 1, 20_000, 20 * time.Second},
		{20_000, 1, 10, 10_000, 5 * time.Second},
		{20_000, 4, 10, 10_000, 5 * time.Second},
		{7, 3, 21, 1, 3 * time.Second},
	} {
		t.Run(fmt.Sprintf("%d per second, %d workers", c.rate, c.workers), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				var seen, done atomic.Int64
				err := Replay{
					Source: steady{}, Applier: Applier{Writer: &nowhere{}, Parking: emptyParking{}}, Workers: c.workers, Rate: c.rate,
					Observe: func(events int) { seen.Add(int64(events)) },
					Done:    func(_ context.Context, r Range) error { done.Add(r.Events()); return nil },
				}.Run(t.Context(), ranges(c.ranges, c.size))
				if err != nil {
					t.Fatal(err)
				}
				if all := c.ranges * c.size; seen.Load() != all || done.Load() != all {
					t.Errorf("%d events read, %d done, want %d", seen.Load(), done.Load(), all)
				}
				if took := time.Since(began); took.Round(time.Millisecond) != c.want {
					t.Errorf("took %v, want %v", took, c.want)
				}
			})
		})
	}
}

func TestReplayTriesARangeAgainWhileADatabaseIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := &nowhere{}
		away.failures.Store(5)
		troubles := 0
		replay := Replay{
			Source: steady{}, Applier: Applier{Writer: away, Parking: emptyParking{}}, Workers: 1,
			Done:    func(context.Context, Range) error { return nil },
			OnError: func(error) { troubles++ },
		}
		if err := replay.Run(t.Context(), ranges(2, 10)); err != nil || troubles != 5 {
			t.Errorf("%v after %d troubles, want none after 5", err, troubles)
		}
		away.failures.Store(1 << 30)
		began := time.Now()
		if err := replay.Run(t.Context(), ranges(2, 10)); err == nil {
			t.Error("a database that stays away is no error")
		}
		if took := time.Since(began); took < replayPatience || took > 2*replayPatience {
			t.Errorf("given up after %v", took)
		}
	})
}

// wordy is a log of one conversation whose messages all have the same long text.
type wordy struct{ text string }

func (w wordy) Scan(_ context.Context, after, through int64, limit int) ([]event.Recorded, error) {
	events := make([]event.Recorded, min(10, int64(limit), through-after))
	for i := range events {
		at := after + int64(i) + 1
		events[i] = event.Recorded{
			Position: at, ID: fmt.Sprint(at), Stream: "conversation/c", OccurredAt: time.UnixMilli(at),
			Payload: &event.VisitorMessageSent{
				Conversation: event.Conversation{ConversationID: "c", ConversationStartedAt: time.UnixMilli(1)},
				Progress:     event.Progress{Ordinal: int(at)}, Text: event.Text{Text: w.text}, MessageID: fmt.Sprint("m", at),
			},
		}
	}
	return events, nil
}

// kept takes rows as a table does.
type kept struct {
	writes []int
	all    Tables
}

func (k *kept) Write(_ context.Context, rows Tables) error {
	held := 0
	for _, m := range rows.Messages {
		held += len(m.Text)
	}
	k.writes = append(k.writes, held)
	k.all = Join(k.all, rows)
	return nil
}

func (k *kept) Applied(_ context.Context, r Range, _ string) (int64, error) { return r.Last, nil }

func TestARangeOfLongTextsIsWrittenInParts(t *testing.T) {
	const events, read = 200, 10
	log := wordy{strings.Repeat("a", 1<<20)}
	var into kept
	done := 0
	err := Replay{
		Source: log, Applier: Applier{Writer: &into, Parking: emptyParking{}}, Workers: 1,
		Done: func(context.Context, Range) error { done++; return nil },
	}.Run(t.Context(), ranges(1, events))
	if err != nil || done != 1 {
		t.Fatalf("%d ranges done, %v", done, err)
	}
	for _, held := range into.writes {
		if held >= replayTexts+read*len(log.text) {
			t.Errorf("%d bytes of texts were written at once", held)
		}
	}
	if len(into.all.Messages) != events || len(into.all.Conversations) != 1 || into.all.Conversations[0].MessageCount != events {
		t.Errorf("%d messages of %d conversations: %+v", len(into.all.Messages), len(into.all.Conversations), into.all.Conversations)
	}
	into.writes = nil
	if err := (Replay{
		Source: wordy{"hola"}, Applier: Applier{Writer: &into, Parking: emptyParking{}}, Workers: 1,
		Done: func(context.Context, Range) error { return nil },
	}).Run(t.Context(), ranges(1, events)); err != nil || len(into.writes) != 1 {
		t.Errorf("a range of short texts was written in %d parts, %v", len(into.writes), err)
	}
}
