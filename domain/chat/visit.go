package chat

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"bitacora/domain/event"
)

// Visit is what a visitor's browser sends before anything is said.
type Visit struct {
	// SessionID is the one that the visit's chat messages carry, see [Message].
	SessionID string
	// OpenedBy is [event.OpenedByVisitor] or [event.OpenedByItself] once the chat's panel is
	// open; empty before.
	OpenedBy string
}

func (v Visit) check() error {
	switch {
	case strings.TrimSpace(v.SessionID) == "":
		return Invalid("Falta el identificador de la sesión.")
	case utf8.RuneCountInString(v.SessionID) > MaxID:
		return Invalid("El identificador es demasiado largo.")
	case v.OpenedBy != "" && v.OpenedBy != event.OpenedByVisitor && v.OpenedBy != event.OpenedByItself:
		return Invalid("No se entiende quién abrió el chat.")
	}
	return nil
}

// Visit counts a visit, and that its panel was opened, each once. A visit whose conversation
// has begun says nothing new: the conversation implies both.
func (s *Service) Visit(ctx context.Context, v Visit) error {
	if err := v.check(); err != nil {
		return err
	}
	id := ConversationID("web", v.SessionID)
	_, _, err := s.decide(ctx, id, func(c *Conversation) (Decision, error) {
		at := s.now()
		return Decision{At: at, Events: c.visit(v.OpenedBy, at)}, nil
	})
	return err
}

// visit decides what a visit adds that is not known yet.
func (c *Conversation) visit(openedBy string, at time.Time) (decided []event.Payload) {
	if c.Started() {
		return nil
	}
	if c.VisitStartedAt.IsZero() {
		decided = c.record(at, &event.VisitStarted{Visit: event.Visit{VisitID: c.ID, VisitStartedAt: at}})
	}
	if openedBy != "" && !c.opened[openedBy] {
		decided = append(decided, c.record(at, &event.WidgetOpened{
			Visit: event.Visit{VisitID: c.ID, VisitStartedAt: c.VisitStartedAt}, By: openedBy,
		})...)
	}
	return decided
}
