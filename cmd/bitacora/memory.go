package main

import (
	"context"
	"sync"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// memory is a log for conversations that are not to be kept: those of a terminal, and of
// tests that move the clock. It has the promises of the real one that a desk relies on.
type memory struct {
	mu      sync.Mutex
	streams map[string][]event.Recorded
	started map[string]int
	places  map[string]clinic.Taken
}

func newMemory() *memory {
	return &memory{streams: map[string][]event.Recorded{}, started: map[string]int{}, places: map[string]clinic.Taken{}}
}

// ReadStream implements [chat.Log].
func (m *memory) ReadStream(_ context.Context, stream string) ([]event.Recorded, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]event.Recorded(nil), m.streams[stream]...), nil
}

// Append implements [chat.Log].
func (m *memory) Append(_ context.Context, a event.Append) ([]event.Recorded, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	version := len(m.streams[a.Stream])
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
	delete(m.places, a.Release)
	for i, d := range a.Drafts {
		m.streams[a.Stream] = append(m.streams[a.Stream], event.Recorded{
			ID: d.ID, Stream: a.Stream, Version: version + i + 1, OccurredAt: d.OccurredAt, RecordedAt: d.OccurredAt, Payload: d.Payload,
		})
	}
	return m.streams[a.Stream][version:], nil
}

func (m *memory) take(c event.Claim, release string) bool {
	for _, place := range c.Chairs {
		free := true
		for booking, t := range m.places {
			if booking != release && t.Chair == place && t.Begins.Before(c.Ends) && t.Ends.After(c.Begins) {
				free = false
			}
		}
		if free {
			m.places[c.BookingID] = clinic.Taken{Chair: place, Begins: c.Begins, Ends: c.Ends}
			return true
		}
	}
	return false
}

// Taken implements [chat.Log].
func (m *memory) Taken(_ context.Context, places []string, from, to time.Time) ([]clinic.Taken, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var taken []clinic.Taken
	for _, place := range places {
		for _, t := range m.places {
			if t.Chair == place && t.Begins.Before(to) && t.Ends.After(from) {
				taken = append(taken, t)
			}
		}
	}
	return taken, nil
}
