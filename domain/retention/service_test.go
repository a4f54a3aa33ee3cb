package retention

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"bitacora/domain/event"
)

// memory is a log and what erases it.
type memory struct {
	events []event.Recorded
	erased []string
	// before is called before each stream is read once more, failing before some are erased.
	before  func(stream string)
	failing error
}

func (m *memory) add(stream string, at time.Time, p event.Payload) {
	m.events = append(m.events, event.Recorded{Position: int64(len(m.events) + 1), Stream: stream, OccurredAt: at, Payload: p})
}

func (m *memory) ScanClear(_ context.Context, after, _ int64, limit int) ([]event.Recorded, error) {
	rest := m.events[after:]
	return rest[:min(limit, len(rest))], nil
}

func (m *memory) ReadStream(_ context.Context, stream string) (events []event.Recorded, err error) {
	if m.before != nil {
		m.before(stream)
	}
	for _, e := range m.events {
		if e.Stream == stream {
			events = append(events, e)
		}
	}
	return events, nil
}

func (m *memory) Erased(context.Context) ([]string, error) { return m.erased, nil }

func (m *memory) Append(_ context.Context, a event.Append) ([]event.Recorded, error) {
	for _, d := range a.Drafts {
		m.add(a.Stream, d.OccurredAt, d.Payload)
	}
	return nil, nil
}

func (m *memory) Erase(_ context.Context, _ string, streams []string) error {
	if m.failing != nil {
		return m.failing
	}
	m.erased = append(m.erased, streams...)
	return nil
}

// applied are the counts that were recorded.
func (m *memory) applied() (counts []int) {
	for _, e := range m.events {
		if p, ok := e.Payload.(*event.RetentionApplied); ok {
			counts = append(counts, p.Conversations)
		}
	}
	return counts
}

func newService(conversations int) (*Service, *memory) {
	now := time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)
	m := &memory{}
	for i := range conversations {
		m.add(fmt.Sprint("conversation/", i), now.AddDate(-3, 0, 0), &event.ConversationStarted{})
	}
	rules, _ := ParseRules("conversations=24mo")
	return &Service{Log: m, Eraser: m, Rules: rules, Now: func() time.Time { return now }, NewID: func() string { return "id" }}, m
}

func TestManyGoInParts(t *testing.T) {
	s, m := newService(2*erasedAtOnce + 7)
	gone, err := s.Apply(t.Context(), event.ByProgram)
	if err != nil || len(gone) != 2*erasedAtOnce+7 || fmt.Sprint(m.applied()) != "[500 500 7]" {
		t.Errorf("%d are gone, %v are recorded, %v", len(gone), m.applied(), err)
	}
	if again, err := s.Apply(t.Context(), event.ByProgram); err != nil || again != nil || len(m.applied()) != 3 {
		t.Errorf("%d go again, %v", len(again), err)
	}
}

func TestWhatFailsGoesWithTheNextCall(t *testing.T) {
	s, m := newService(3)
	m.failing = errors.New("no disk")
	if gone, err := s.Apply(t.Context(), event.ByProgram); !errors.Is(err, m.failing) || gone != nil || m.applied() != nil {
		t.Errorf("%v are gone, %v are recorded, %v", gone, m.applied(), err)
	}
	m.failing = nil
	if gone, err := s.Apply(t.Context(), event.ByProgram); err != nil || len(gone) != 3 || fmt.Sprint(m.applied()) != "[3]" {
		t.Errorf("%v are gone, %v are recorded, %v", gone, m.applied(), err)
	}
}

// TestNobodyGoesWhoComesBackOrWaits: somebody who writes while others are erased stays, and so does
// who asked for something and has no answer yet, or whose data are restricted.
func TestNobodyGoesWhoComesBackOrWaits(t *testing.T) {
	s, m := newService(6)
	long := s.Now().AddDate(-3, 0, 0)
	m.add("conversation/2", long, &event.PrivacyRequestReceived{RequestID: "r1"})
	m.add("conversation/3", long, &event.PrivacyRequestReceived{RequestID: "r2"})
	m.add("conversation/3", long, &event.PrivacyRequestDone{RequestID: "r2"})
	m.add("conversation/4", long, &event.SubjectRestricted{On: true})
	m.add("conversation/5", long, &event.SubjectRestricted{On: true})
	m.add("conversation/5", long, &event.SubjectRestricted{})
	m.before = func(stream string) {
		if m.before = nil; stream == "conversation/0" {
			m.add("conversation/1", s.Now(), &event.VisitorMessageSent{})
		}
	}
	gone, err := s.Apply(t.Context(), event.ByProgram)
	if err != nil || len(gone) != 3 || strings.Join(m.erased, " ") != "conversation/0 conversation/3 conversation/5" || fmt.Sprint(m.applied()) != "[3]" {
		t.Errorf("%v are gone, %v, %v", gone, m.erased, err)
	}
}

func TestWithoutRulesNobodyGoes(t *testing.T) {
	s, m := newService(3)
	s.Rules = nil
	if gone, err := s.Apply(t.Context(), event.ByProgram); err != nil || gone != nil || m.applied() != nil {
		t.Errorf("%v are gone, %v", gone, err)
	}
}
