// Package chartnotes is what the staff writes into the dashboard's chart: a campaign, a closed week.
package chartnotes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/privacy"
	"bitacora/domain/staff"
)

const (
	// MaxText bounds a note, in runes.
	MaxText = 120
	// maxDays bounds what a note is about.
	maxDays = 366
)

// Note stands in the chart from the first to the last of its days, "2026-11-24".
type Note struct {
	ID, From, To, Text string
}

// Log is the part of the event log that notes need.
type Log interface {
	// All gives the events of notes, oldest first.
	All(ctx context.Context) ([]event.Recorded, error)
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// Register keeps the notes.
type Register struct {
	Log Log
	// TellsOf reports whether a text tells of a person whom the clinic knows.
	TellsOf func(ctx context.Context, text string) (bool, error)
	Now     func() time.Time
	NewID   func() string
}

// All are the notes of now, the earliest first.
func (r *Register) All(ctx context.Context) ([]Note, error) {
	events, err := r.Log.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("list chart notes: %w", err)
	}
	byID := map[string]Note{}
	for _, e := range events {
		id := strings.TrimPrefix(e.Stream, event.ChartNotePrefix)
		delete(byID, id)
		if p, ok := event.Nearest(e.Payload).(*event.ChartNoted); ok && !p.Removed && !e.Erased {
			byID[id] = Note{ID: id, From: p.From, To: p.To, Text: p.Note}
		}
	}
	notes := make([]Note, 0, len(byID))
	for _, n := range byID {
		notes = append(notes, n)
	}
	slices.SortFunc(notes, func(a, b Note) int { return strings.Compare(a.From+a.To+a.ID, b.From+b.To+b.ID) })
	return notes, nil
}

// Set stores a note, or a change of it, unless it is so already. One without a text is removed.
func (r *Register) Set(ctx context.Context, by staff.Actor, n Note) error {
	n.Text = chat.CleanText(n.Text)
	if err := r.refuse(ctx, n); err != nil {
		return err
	}
	notes, err := r.All(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(notes, func(known Note) bool { return known.ID == n.ID })
	if i < 0 && n.Text == "" || i >= 0 && notes[i] == n {
		return nil
	}
	draft := event.Draft{
		ID: r.NewID(), OccurredAt: r.Now().UTC().Truncate(time.Millisecond),
		Payload: &event.ChartNoted{From: n.From, To: n.To, Removed: n.Text == "", By: by.ID, Note: n.Text},
	}
	if by.RequestID != "" {
		draft.Metadata = map[string]string{"requestId": by.RequestID}
	}
	_, err = r.Log.Append(ctx, event.Append{Stream: event.ChartNoteStream(n.ID), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{draft}})
	return fault.Wrap(err, "store chart note")
}

func (r *Register) refuse(ctx context.Context, n Note) error {
	from, err := time.Parse(time.DateOnly, n.From)
	to, err2 := time.Parse(time.DateOnly, n.To)
	switch {
	case errors.Join(err, err2) != nil:
		return chat.Invalid("Los días de la nota no son válidos.")
	case to.Before(from), to.Sub(from) >= maxDays*24*time.Hour:
		return chat.Invalid("El último día de la nota debe seguir al primero, en menos de un año.")
	case utf8.RuneCountInString(n.Text) > MaxText:
		return chat.Invalid(fmt.Sprintf("La nota es demasiado larga: el máximo es de %d caracteres.", MaxText))
	}
	tells, err := r.TellsOf(ctx, n.Text)
	if err != nil {
		return fmt.Errorf("look for people in chart note: %w", err)
	}
	if tells || privacy.Mask(n.Text, privacy.Known{}) != n.Text {
		return chat.Invalid("La nota de la gráfica no puede contener datos de personas.")
	}
	return nil
}
