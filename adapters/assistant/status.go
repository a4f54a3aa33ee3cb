package assistant

import (
	"context"
	"errors"
	"maps"
	"sync"
)

// ProviderStatus is how a provider has done since the program began.
type ProviderStatus struct {
	// Name is the provider's.
	Name string
	// Asked is how many questions it was to answer.
	Asked int
	// Fallbacks counts those that the embedded assistant answered in its place, by reason:
	// "resting", "busy", "spent", "timeout", "failed", "rejected".
	Fallbacks map[string]int
	// CircuitOpen: it failed repeatedly and is not asked for a while.
	CircuitOpen bool
}

// Provider says how the provider does; without one, its name is "none".
func (a *Assistant) Provider() ProviderStatus {
	if a.provider == nil {
		s := newRecord().status()
		s.Name = "none"
		return s
	}
	s := a.provider.record.status()
	s.Name, s.CircuitOpen = a.provider.name, !a.provider.breaker.closed()
	return s
}

// record counts what became of the questions to a provider.
type record struct {
	mu        sync.Mutex
	asked     int
	fallbacks map[string]int
}

func newRecord() *record {
	r := &record{fallbacks: map[string]int{}}
	for _, reason := range []string{"resting", "busy", "spent", "timeout", "failed", "rejected"} {
		r.fallbacks[reason] = 0 // so that a 0 is shown
	}
	return r
}

func (r *record) count(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	if err != nil {
		r.fallbacks[whyNot(err)]++
	}
}

func (r *record) status() ProviderStatus {
	r.mu.Lock()
	defer r.mu.Unlock()
	return ProviderStatus{Asked: r.asked, Fallbacks: maps.Clone(r.fallbacks)}
}

// whyNot is the kind of reason for which an answer is not used.
func whyNot(err error) string {
	var rejected rejection
	switch {
	case errors.Is(err, errCircuitOpen):
		return "resting"
	case errors.Is(err, errBusy):
		return "busy"
	case errors.Is(err, errSpent):
		return "spent"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return "timeout"
	case errors.As(err, &rejected):
		return "rejected"
	}
	return "failed"
}

// rejection is the reason why a whole answer is no reading.
type rejection struct{ error }

func (r rejection) Unwrap() error { return r.error }
