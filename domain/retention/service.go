package retention

import (
	"context"
	"fmt"
	"math"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// Log is the part of the event log that a retention needs.
type Log interface {
	// ScanClear gives up to limit events after one position and through another, without what is
	// personal.
	ScanClear(ctx context.Context, after, through int64, limit int) ([]event.Recorded, error)
	ReadStream(ctx context.Context, stream string) ([]event.Recorded, error)
	// Erased lists the streams whose personal data were erased.
	Erased(ctx context.Context) ([]string, error)
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// Eraser erases the personal data of streams for good, as of people who ask for it, by
// [event.ByOperator] or [event.ByProgram]. Erasing them again changes nothing.
type Eraser interface {
	Erase(ctx context.Context, by string, streams []string) error
}

// Service erases what was kept for long enough.
type Service struct {
	Log    Log
	Eraser Eraser
	Rules  Rules
	// Now is in the zone in which months are counted.
	Now   func() time.Time
	NewID func() string
}

const (
	scanned = 5000
	// erasedAtOnce is how many go before it is recorded.
	erasedAtOnce = 500
)

// Plan lists who goes now. Nothing is changed.
func (s *Service) Plan(ctx context.Context) ([]Due, error) {
	if len(s.Rules) == 0 {
		return nil, nil
	}
	erased, err := s.erased(ctx)
	if err != nil {
		return nil, err
	}
	var census Census
	for at := int64(0); ; {
		events, err := s.Log.ScanClear(ctx, at, math.MaxInt64, scanned)
		if err != nil {
			return nil, fmt.Errorf("count who is kept: %w", err)
		}
		if len(events) == 0 {
			return census.Due(s.Rules, s.Now(), erased), nil
		}
		for _, e := range events {
			census.Add(e)
		}
		at = events[len(events)-1].Position
	}
}

// erased are the streams of people who are gone.
func (s *Service) erased(ctx context.Context) (map[string]bool, error) {
	streams, err := s.Log.Erased(ctx)
	if err != nil {
		return nil, fmt.Errorf("list who was erased: %w", err)
	}
	erased := make(map[string]bool, len(streams))
	for _, stream := range streams {
		erased[stream] = true
	}
	return erased, nil
}

// Apply erases who goes now, and gives them. By is [event.ByOperator] or [event.ByProgram]. What was
// done is recorded as it is done; after a failure the rest goes with the next call.
func (s *Service) Apply(ctx context.Context, by string) (gone []Due, err error) {
	due, err := s.Plan(ctx)
	for len(due) > 0 && err == nil {
		some := due[:min(erasedAtOnce, len(due))]
		due = due[len(some):]
		if some, err = s.still(ctx, some); err == nil && len(some) > 0 {
			err = s.erase(ctx, some, by)
		}
		if err == nil {
			gone = append(gone, some...)
		}
	}
	return gone, err
}

// still leaves out who came back since the plan was made.
func (s *Service) still(ctx context.Context, due []Due) (still []Due, err error) {
	erased, err := s.erased(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range due {
		events, err := s.Log.ReadStream(ctx, d.Stream)
		if err != nil {
			return nil, fmt.Errorf("read who goes: %w", err)
		}
		var census Census
		for _, e := range events {
			census.Add(e)
		}
		still = append(still, census.Due(s.Rules, s.Now(), erased)...)
	}
	return still, nil
}

func (s *Service) erase(ctx context.Context, due []Due, by string) error {
	streams := make([]string, len(due))
	done := &event.RetentionApplied{Rules: s.Rules.String(), OperatorAct: event.OperatorAct{By: by}}
	counts := map[Kind]*int{Conversations: &done.Conversations, Leads: &done.Leads, ContactMessages: &done.ContactMessages}
	for i, d := range due {
		streams[i] = d.Stream
		*counts[d.Kind]++
	}
	if err := s.Eraser.Erase(ctx, by, streams); err != nil {
		return fmt.Errorf("erase who was kept for long enough: %w", err)
	}
	_, err := s.Log.Append(ctx, event.Append{
		Stream: event.OperatorStream, ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{ID: s.NewID(), OccurredAt: s.Now().UTC().Truncate(time.Millisecond), Payload: done}},
	})
	return fault.Wrap(err, "record what was erased")
}
