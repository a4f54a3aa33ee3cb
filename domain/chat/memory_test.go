package chat

import (
	"context"
	"strings"
	"sync"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// memoryLog is a log in memory with the promises that [Service] relies on; the real one is
// held to them in adapters/postgres.
type memoryLog struct {
	mu      sync.Mutex
	streams map[string][]event.Recorded
	ids     map[string]bool
	months  map[string]int
	chairs  map[string]clinic.Taken
	// beforeAppend runs once, in place of another request that comes in between.
	beforeAppend func()
	// reads counts how often a stream was read.
	reads int
}

func newMemoryLog() *memoryLog {
	return &memoryLog{streams: map[string][]event.Recorded{}, ids: map[string]bool{}, months: map[string]int{}, chairs: map[string]clinic.Taken{}}
}

func (l *memoryLog) ReadStream(_ context.Context, stream string) ([]event.Recorded, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reads++
	return append([]event.Recorded(nil), l.streams[stream]...), nil
}

func (l *memoryLog) Append(_ context.Context, a event.Append) ([]event.Recorded, error) {
	if f := l.beforeAppend; f != nil {
		l.beforeAppend = nil
		f()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ids[a.Drafts[0].ID] {
		return nil, nil
	}
	if a.ExpectedVersion != event.AnyVersion && a.ExpectedVersion != len(l.streams[a.Stream]) {
		return nil, event.ErrConflict
	}
	if q := a.MonthlyLimit; q != nil {
		if q.Limit != nil && l.months[q.Month] >= *q.Limit {
			return nil, event.ErrMonthlyLimitReached
		}
	}
	if a.Claim != nil && !l.take(a.Claim, a.Release) {
		return nil, event.ErrSlotTaken
	}
	if a.MonthlyLimit != nil {
		l.months[a.MonthlyLimit.Month]++
	}
	delete(l.chairs, a.Release)
	for _, d := range a.Drafts {
		l.ids[d.ID] = true
		l.streams[a.Stream] = append(l.streams[a.Stream], event.Recorded{
			ID: d.ID, Stream: a.Stream, Version: len(l.streams[a.Stream]) + 1, OccurredAt: d.OccurredAt, Payload: d.Payload,
		})
	}
	return nil, nil
}

func (l *memoryLog) take(c *event.Claim, release string) bool {
	for _, chair := range c.Chairs {
		free := true
		for booking, t := range l.chairs {
			free = free && (booking == release || t.Chair != chair || !t.Begins.Before(c.Ends) || !t.Ends.After(c.Begins))
		}
		if free {
			l.chairs[c.BookingID] = clinic.Taken{Chair: chair, Begins: c.Begins, Ends: c.Ends}
			return true
		}
	}
	return false
}

func (l *memoryLog) Taken(_ context.Context, chairs []string, from, to time.Time) ([]clinic.Taken, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var taken []clinic.Taken
	for _, t := range l.chairs {
		for _, chair := range chairs {
			if t.Chair == chair && t.Begins.Before(to) && t.Ends.After(from) {
				taken = append(taken, t)
			}
		}
	}
	return taken, nil
}

func (l *memoryLog) types(stream string) string {
	var names []string
	for _, e := range l.streams[stream] {
		names = append(names, e.Payload.EventType())
	}
	return strings.Join(names, " ")
}
