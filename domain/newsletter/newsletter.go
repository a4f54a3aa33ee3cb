// Package newsletter keeps the e-mail addresses that get the clinic's newsletter. An address counts once
// whoever reads its mailbox confirmed it, and is erased with the subscription.
package newsletter

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/privacy"
	"bitacora/domain/subjects"
)

// Unconfirmed is how long an address is kept that nobody confirms.
const Unconfirmed = 7 * 24 * time.Hour

// Log is the part of the event log that subscriptions need.
type Log interface {
	ReadStreams(ctx context.Context, streams []string, types ...string) ([]event.Recorded, error)
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// List lists subscriptions.
type List interface {
	// Subscriptions names the streams of the subscriptions that are confirmed, or are not, and of which
	// nothing was heard since an instant; the oldest first and none that was erased.
	Subscriptions(ctx context.Context, confirmed bool, since time.Time) ([]string, error)
}

// Eraser erases subscriptions for good.
type Eraser interface {
	Erase(ctx context.Context, e subjects.Erasure) (subjects.Report, error)
}

// Subscription is an address for the newsletter. Its id is a secret of whoever reads the mailbox.
type Subscription struct {
	ID, Email string
	// ConfirmedAt is zero as long as nobody confirmed it.
	ConfirmedAt time.Time
}

// Register keeps the subscriptions.
type Register struct {
	Log    Log
	List   List
	Index  subjects.Index
	Eraser Eraser
	// Ask writes to the address how it is confirmed; nil: there is no newsletter.
	Ask           func(ctx context.Context, s Subscription) error
	NoticeVersion func(ctx context.Context) string
	Now           func() time.Time
	// NewID makes an id that nobody guesses.
	NewID func() string
}

// ErrNone: there is no such subscription, or no newsletter.
var ErrNone = fault.New(fault.NotFound, "there is no such subscription")

// Subscribe writes to an address that it is to be confirmed, whether or not it is known, or gives
// [clinic.InvalidFields].
func (r *Register) Subscribe(ctx context.Context, email string) error {
	if r.Ask == nil {
		return ErrNone
	}
	if email = strings.TrimSpace(email); !clinic.IsEmail(email) {
		return clinic.InvalidFields{"email": clinic.WrongEmail}
	}
	s := Subscription{Email: email}
	known, err := r.of(ctx, email)
	switch {
	case err != nil:
		return err
	case len(known) > 0:
		_, s.ID, _ = subjects.Named(known[0])
	default:
		s.ID = r.NewID()
		if err := r.append(ctx, s.ID, &event.SubscriptionRequested{SubscriptionID: s.ID, Email: email}); err != nil {
			return err
		}
	}
	return r.Ask(ctx, s)
}

// Confirm says that whoever reads the mailbox wants the newsletter; repeating it changes nothing.
func (r *Register) Confirm(ctx context.Context, id string) error {
	s, err := r.find(ctx, id)
	if err != nil || !s.ConfirmedAt.IsZero() {
		return err
	}
	return r.append(ctx, id, &event.SubscriptionConfirmed{SubscriptionID: id, NoticeVersion: r.NoticeVersion(ctx)})
}

// Cancel erases an address with every subscription of it. One that there is not is cancelled already.
func (r *Register) Cancel(ctx context.Context, id string) error {
	s, err := r.find(ctx, id)
	if fault.KindOf(err) == fault.NotFound {
		return nil
	}
	var streams []string
	if err == nil {
		streams, err = r.of(ctx, s.Email)
	}
	if err != nil {
		return err
	}
	if own := event.SubscriptionStream(id); !slices.Contains(streams, own) {
		streams = append(streams, own)
	}
	return r.erase(ctx, event.ByVisitor, event.ReasonRequest, streams)
}

// Expire erases the addresses that nobody confirmed in time.
func (r *Register) Expire(ctx context.Context) error {
	streams, err := r.List.Subscriptions(ctx, false, r.Now().Add(-Unconfirmed))
	if err != nil || len(streams) == 0 {
		return err
	}
	return r.erase(ctx, event.ByProgram, event.ReasonRetention, streams)
}

// Confirmed are the subscriptions that get the newsletter, the oldest first.
func (r *Register) Confirmed(ctx context.Context) ([]Subscription, error) {
	streams, err := r.List.Subscriptions(ctx, true, r.Now())
	if err != nil {
		return nil, err
	}
	var all []Subscription
	for _, stream := range streams {
		_, id, _ := subjects.Named(stream)
		switch s, err := r.find(ctx, id); {
		case err == nil:
			all = append(all, s)
		case fault.KindOf(err) != fault.NotFound:
			return nil, err
		}
	}
	return all, nil
}

// of names the streams of the subscriptions of an address.
func (r *Register) of(ctx context.Context, email string) (streams []string, err error) {
	for _, id := range privacy.Identify([]event.Field{{Name: "email", Value: &email}}) {
		found, err := r.Index.Subjects(ctx, id)
		if err != nil {
			return nil, fmt.Errorf("find subscriptions: %w", err)
		}
		for _, stream := range found {
			if kind, _, _ := subjects.Named(stream); kind == subjects.Subscription {
				streams = append(streams, stream)
			}
		}
	}
	return streams, nil
}

// find gives a subscription whose data may be used.
func (r *Register) find(ctx context.Context, id string) (Subscription, error) {
	stream := event.SubscriptionStream(id)
	events, err := r.Log.ReadStreams(ctx, []string{stream})
	if err != nil {
		return Subscription{}, fmt.Errorf("read subscription: %w", err)
	}
	of := subjects.Fold(stream, events)
	if len(events) == 0 || of.Erased || of.Restricted {
		return Subscription{}, ErrNone
	}
	s := Subscription{ID: id, Email: of.Reach().Email}
	if len(of.Consents) > 0 {
		s.ConfirmedAt = of.Consents[0].At
	}
	return s, nil
}

func (r *Register) append(ctx context.Context, id string, p event.Payload) error {
	_, err := r.Log.Append(ctx, event.Append{Stream: event.SubscriptionStream(id), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{{
		ID: event.DerivedID(id, p.EventType()), OccurredAt: r.Now().UTC().Truncate(time.Millisecond), Payload: p,
	}}})
	return fault.Wrap(err, "keep subscription")
}

func (r *Register) erase(ctx context.Context, by, reason string, streams []string) error {
	_, err := r.Eraser.Erase(ctx, subjects.Erasure{By: by, Reason: reason, Subjects: streams})
	return fault.Wrap(err, "erase subscriptions")
}
