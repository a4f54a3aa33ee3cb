package chat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bitacora/domain/event"
)

// addressLimit is what an address may begin; nil where nothing bounds it.
func (s *Service) addressLimit(address string) *event.AddressLimit {
	if s.PerAddress == nil || address == "" {
		return nil
	}
	return &event.AddressLimit{Address: address, Hourly: s.PerAddress.Hourly, Daily: s.PerAddress.Daily}
}

// refuse records that a session found the month full, once per session and month.
func (s *Service) refuse(ctx context.Context, conversationID string) error {
	_, err := s.Log.Append(ctx, Refusal(conversationID, s.now(), s.Clinic.Zone, *s.MonthlyLimit))
	if err != nil && !errors.Is(err, event.ErrIDReused) {
		return fmt.Errorf("record refusal: %w", err)
	}
	return ErrLimitReached
}

// Refusal records that a new conversation was refused because its month was full.
func Refusal(conversationID string, at time.Time, zone *time.Location, limit int) event.Append {
	m := month(at, zone)
	return event.Append{
		Stream:          RefusalStream(m),
		ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{
			ID:         event.DerivedID("refusal", m, conversationID),
			OccurredAt: at,
			Payload:    &event.ChatRefused{Month: m, Limit: limit},
		}},
	}
}

// RefusalStream is the stream of a month's refusals.
func RefusalStream(month string) string { return "refusal/" + month }

func month(at time.Time, zone *time.Location) string { return at.In(zone).Format("2006-01") }
