package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// Browser is what a visitor's browser may do with the conversations that it began, as the secret of
// its cookie proves.
type Browser struct {
	Log    BrowserLog
	Eraser Eraser
	Now    func() time.Time
}

// BrowserLog is the part of the event log that a browser's conversations need.
type BrowserLog interface {
	// StreamsOfBrowser names the streams of the conversations that a browser began, by the hash of
	// its secret; at most limit, the latest ones.
	StreamsOfBrowser(ctx context.Context, resumeHash string, limit int) ([]string, error)
	// ReadStreams gives the events of some streams, each in order; with types only those.
	ReadStreams(ctx context.Context, streams []string, types ...string) ([]event.Recorded, error)
}

// Eraser erases what visitors said.
type Eraser interface {
	// Erase erases streams for good, on the word of who said it, and cancels their appointments to
	// come; pending says that copies in tables and letters follow by themselves. Repeating it changes
	// nothing.
	Erase(ctx context.Context, streams []string) (pending bool, err error)
}

// ErrOtherAppointments: there are other appointments to come than those of which the visitor was
// told that they are cancelled, too.
var ErrOtherAppointments = fault.New(fault.Conflict, "other appointments would be cancelled than were named")

// maxHeld bounds how many conversations a browser can erase at once.
const maxHeld = 200

// Held are the conversations that a browser began, also those that were erased since, oldest first;
// none for one without a secret. With sessions only those of these.
func (b *Browser) Held(ctx context.Context, resumeToken string, sessions ...string) ([]*Conversation, error) {
	if resumeToken == "" {
		return nil, nil
	}
	streams, err := b.streams(ctx, resumeToken, sessions)
	if err != nil || len(streams) == 0 {
		return nil, err
	}
	events, err := b.Log.ReadStreams(ctx, streams)
	if err != nil {
		return nil, fmt.Errorf("read conversations of browser: %w", err)
	}
	var held []*Conversation
	for _, stream := range streams {
		own := slices.DeleteFunc(slices.Clone(events), func(e event.Recorded) bool { return e.Stream != stream })
		c := Fold(strings.TrimPrefix(stream, Stream("")), own)
		if c.Started() && c.mayResume(resumeToken) {
			held = append(held, c)
		}
	}
	slices.SortFunc(held, func(a, b *Conversation) int { return a.StartedAt.Compare(b.StartedAt) })
	return held, nil
}

func (b *Browser) streams(ctx context.Context, resumeToken string, sessions []string) ([]string, error) {
	if len(sessions) == 0 {
		streams, err := b.Log.StreamsOfBrowser(ctx, hashToken(resumeToken), maxHeld)
		return streams, fault.Wrap(err, "find conversations of browser")
	}
	streams := make([]string, min(len(sessions), maxHeld))
	for i := range streams {
		streams[i] = Stream(ConversationID("web", sessions[i]))
	}
	slices.Sort(streams)
	return slices.Compact(streams), nil
}

// Upcoming is the appointment to come as of an instant; nil if there is none, or nobody knows whose.
func (c *Conversation) Upcoming(at time.Time) *Appointment {
	if c.Erased || c.Appointment == nil || !c.Appointment.Slot.After(at) {
		return nil
	}
	return c.Appointment
}

// Upcoming are the appointments to come of conversations, the next one first.
func (b *Browser) Upcoming(held []*Conversation) []Appointment {
	var upcoming []Appointment
	for _, c := range held {
		if a := c.Upcoming(b.Now()); a != nil {
			upcoming = append(upcoming, *a)
		}
	}
	slices.SortFunc(upcoming, func(a, b Appointment) int { return a.Slot.Compare(b.Slot) })
	return upcoming
}

// Erase erases conversations that the browser holds, with the appointments to come, whose times must
// be among those that were named. It answers [ErrNotYours] where it holds none, and is repeated
// without harm: what an earlier call erased or cancelled is done. Pending is as in [Eraser.Erase].
func (b *Browser) Erase(ctx context.Context, held []*Conversation, named []time.Time) (pending bool, err error) {
	if len(held) == 0 {
		return false, ErrNotYours
	}
	for _, a := range b.Upcoming(held) {
		if !slices.ContainsFunc(named, a.Slot.Equal) {
			return false, ErrOtherAppointments
		}
	}
	streams := make([]string, len(held))
	for i, c := range held {
		streams[i] = Stream(c.ID)
	}
	return b.Eraser.Erase(ctx, streams)
}
