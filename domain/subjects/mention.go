package subjects

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/privacy"
)

// Mention is an event with a text of the staff that tells of a person.
type Mention struct {
	Stream   string
	Position int64
	// Type is that of the event.
	Type string
	At   time.Time
	By   string
	// Sealed says that the texts have a key of their own, which can be destroyed. Those of an event
	// that is older than that stay.
	Sealed bool
	// Slug and Version name the answer whose own texts tell of the person; Slug is empty where only a
	// reason does.
	Slug    string
	Version int

	asked bool
}

// ID names a text of the staff: its kind with its id, or its stream where the text is not sealed.
func (m Mention) ID() string {
	if kind, id, ok := Named(m.Stream); ok {
		return kind + "/" + id
	}
	return m.Stream
}

// mentions finds the texts of the staff that hold what the person told, or what was asked for.
func (s *search) mentions(ctx context.Context) (found []Mention, err error) {
	events, err := s.Log.StaffTexts(ctx)
	if err != nil {
		return nil, fmt.Errorf("read texts of the staff: %w", err)
	}
	for _, e := range events {
		p, ok := event.Nearest(e.Payload).(event.Personal)
		if !ok || e.Erased {
			continue
		}
		m := Mention{Stream: e.Stream, Position: e.Position, Type: e.Payload.EventType(), At: e.OccurredAt}
		_, _, m.Sealed = Named(e.Stream)
		if by, ok := p.(event.ByActor); ok {
			m.By = by.Actor()
		}
		m.asked = m.Sealed && m.ID() == s.asked.id
		mentioned, inAnswer := m.asked, m.asked
		for _, f := range p.PersonalFields() {
			for _, id := range privacy.Mentioned(*f.Value) {
				asked := id == s.asked.told
				if asked || s.followed[id] || s.names[id] {
					m.asked, mentioned = m.asked || asked, true
					inAnswer = inAnswer || f.Name != "reason" && !strings.HasPrefix(f.Name, "before.")
				}
			}
		}
		if taught, ok := p.(*event.AnswerTaught); ok && inAnswer {
			m.Slug, m.Version = taught.Answer.Slug, taught.Version
		}
		if mentioned {
			found = append(found, m)
		}
	}
	return found, nil
}

// TellsOf says whether a text of the staff holds a phone number, an e-mail address, a document's number
// or a full name by which the index knows somebody. Whoever stores such a text asks first.
func (r *Register) TellsOf(ctx context.Context, text string) (bool, error) {
	public, err := r.Public(ctx)
	if err != nil {
		return false, fmt.Errorf("read what is public: %w", err)
	}
	ids := slices.DeleteFunc(privacy.Mentioned(text), func(id privacy.Identifier) bool { return slices.Contains(public, id) })
	if len(ids) == 0 {
		return false, nil
	}
	streams, err := r.Index.Subjects(ctx, ids...)
	return slices.ContainsFunc(streams, ofPerson), fault.Wrap(err, "find subjects")
}
