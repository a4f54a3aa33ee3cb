package assistant

import (
	"context"
	"sync"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// Memory is a log for conversations that are not to be kept: those of an evaluation, and of
// tests that move the clock. It keeps the promises of the real one that a chat service relies on.
type Memory struct {
	mu      sync.Mutex
	Streams map[string][]event.Recorded
	started map[string]int
	chairs  map[string]clinic.Taken
}

// NewMemory makes an empty log.
func NewMemory() *Memory {
	return &Memory{Streams: map[string][]event.Recorded{}, started: map[string]int{}, chairs: map[string]clinic.Taken{}}
}

// ReadStream implements [chat.Log].
func (m *Memory) ReadStream(_ context.Context, stream string) ([]event.Recorded, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]event.Recorded(nil), m.Streams[stream]...), nil
}

// Append implements [chat.Log].
func (m *Memory) Append(_ context.Context, a event.Append) ([]event.Recorded, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	version := len(m.Streams[a.Stream])
	switch {
	case a.ExpectedVersion != event.AnyVersion && a.ExpectedVersion != version:
		return nil, event.ErrConflict
	case a.MonthlyLimit != nil && a.MonthlyLimit.Limit != nil && m.started[a.MonthlyLimit.Month] >= *a.MonthlyLimit.Limit:
		return nil, event.ErrMonthlyLimitReached
	case a.Claim != nil && !m.take(*a.Claim, a.Release):
		return nil, event.ErrSlotTaken
	}
	if a.MonthlyLimit != nil {
		m.started[a.MonthlyLimit.Month]++
	}
	delete(m.chairs, a.Release)
	for i, d := range a.Drafts {
		m.Streams[a.Stream] = append(m.Streams[a.Stream], event.Recorded{
			ID: d.ID, Stream: a.Stream, Version: version + i + 1, OccurredAt: d.OccurredAt, RecordedAt: d.OccurredAt, Payload: d.Payload,
		})
	}
	return m.Streams[a.Stream][version:], nil
}

func (m *Memory) take(c event.Claim, release string) bool {
	for _, chair := range c.Chairs {
		free := true
		for booking, t := range m.chairs {
			if booking != release && t.Chair == chair && t.Begins.Before(c.Ends) && t.Ends.After(c.Begins) {
				free = false
			}
		}
		if free {
			m.chairs[c.BookingID] = clinic.Taken{Chair: chair, Begins: c.Begins, Ends: c.Ends}
			return true
		}
	}
	return false
}

// Taken implements [chat.Log].
func (m *Memory) Taken(_ context.Context, chairs []string, from, to time.Time) ([]clinic.Taken, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var taken []clinic.Taken
	for _, chair := range chairs {
		for _, t := range m.chairs {
			if t.Chair == chair && t.Begins.Before(to) && t.Ends.After(from) {
				taken = append(taken, t)
			}
		}
	}
	return taken, nil
}
