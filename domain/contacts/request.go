package contacts

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// Request is what somebody asked about their own data, see [event.PrivacyRequestReceived].
type Request struct {
	ID, Request string
	At, DueAt   time.Time
	// DoneAt is when it was done; zero while it is open. Outcome says what became of it, By who
	// said so: an account, or [event.ByVisitor].
	DoneAt      time.Time
	Outcome, By string
}

// Open says that nobody has done it yet.
func (r Request) Open() bool { return r.DoneAt.IsZero() }

func (c *Contact) requestDone(p *event.PrivacyRequestDone, at time.Time) {
	for i, r := range c.Requests {
		if r.ID == p.RequestID && r.Open() {
			c.Requests[i].DoneAt, c.Requests[i].Outcome, c.Requests[i].By = at, p.Outcome, p.By
		}
	}
}

// due is when the first of the open requests is; the zero time where none is open.
func (c *Contact) due() (first time.Time) {
	for _, r := range c.Requests {
		if r.Open() && (first.IsZero() || r.DueAt.Before(first)) {
			first = r.DueAt
		}
	}
	return first
}

// ErrNoRequest: nothing of that name was asked.
var ErrNoRequest = fault.New(fault.NotFound, "request does not exist")

// maxRequests bounds how many contacts with requests are given at once, the latest ones.
const maxRequests = 500

// Requests gives the contacts that asked something about their own data which is not done yet, what
// is due first at the front; with done also those whose requests are all done, after them.
func (r *Register) Requests(ctx context.Context, done bool) ([]Contact, error) {
	streams, err := r.Log.RequestStreams(ctx, done, maxRequests)
	if err != nil {
		return nil, fmt.Errorf("list requests: %w", err)
	}
	found, err := r.readStreams(ctx, streams)
	if err != nil {
		return nil, err
	}
	open := found[:0:0]
	for _, c := range slices.Backward(found) {
		if !c.due().IsZero() {
			open = append(open, c)
		}
	}
	slices.SortStableFunc(open, func(a, b Contact) int { return a.due().Compare(b.due()) })
	finished := slices.DeleteFunc(found, func(c Contact) bool { return !c.due().IsZero() })
	return append(open, finished...), nil
}

// OpenRequests says how many contacts asked something about their own data that is not done yet,
// and when the first of it is due, without reading anything personal.
func (r *Register) OpenRequests(ctx context.Context) (contacts int, due time.Time, err error) {
	streams, err := r.Log.RequestStreams(ctx, false, maxRequests)
	if err != nil || len(streams) == 0 {
		return 0, due, err
	}
	events, err := r.Log.ReadStreams(ctx, streams, "PrivacyRequestReceived", "PrivacyRequestDone")
	if err != nil {
		return 0, due, fmt.Errorf("read requests: %w", err)
	}
	for _, stream := range streams {
		own := slices.DeleteFunc(slices.Clone(events), func(e event.Recorded) bool { return e.Stream != stream })
		ref, _ := RefOf(stream)
		c := Fold(ref, own)
		if first := c.due(); due.IsZero() || first.Before(due) {
			due = first
		}
	}
	return len(streams), due, nil
}

// readStreams gives the contacts of some streams.
func (r *Register) readStreams(ctx context.Context, streams []string) ([]Contact, error) {
	refs := make([]Ref, len(streams))
	for i, stream := range streams {
		refs[i], _ = RefOf(stream)
	}
	return r.Read(ctx, refs)
}

// RefOf names the contact of a stream; ok is false for streams of other kinds.
func RefOf(stream string) (ref Ref, ok bool) {
	if id, ok := strings.CutPrefix(stream, event.ContactStream("")); ok {
		return Ref{Message, id}, true
	}
	id, ok := strings.CutPrefix(stream, chat.Stream(""))
	return Ref{Lead, id}, ok
}

// FinishRequest takes down what became of a request, unless that is known already.
func (r *Register) FinishRequest(ctx context.Context, ref Ref, request, outcome string, by Change) (Contact, error) {
	if !slices.Contains(event.RequestOutcomes, outcome) {
		return Contact{}, chat.Invalid("El resultado no es válido.")
	}
	same := func(p event.Payload) bool { return p.(*event.PrivacyRequestDone).Outcome == outcome }
	c, err := r.add(ctx, ref, "request", by, same, func(c *Contact) event.Payload {
		i := slices.IndexFunc(c.Requests, func(known Request) bool { return known.ID == request })
		if i < 0 || !c.Requests[i].Open() {
			return nil
		}
		return &event.PrivacyRequestDone{Contact: c.carried(), RequestID: request, Outcome: outcome, By: by.StaffID}
	})
	if err == nil && !slices.ContainsFunc(c.Requests, func(known Request) bool { return known.ID == request }) {
		err = ErrNoRequest
	}
	return c, err
}
