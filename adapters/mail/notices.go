package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"bitacora/domain/event"
)

// Notice is a letter that the staff gets once.
type Notice struct {
	// Name and Of are those of [event.NoticeSent].
	Name, Of string
	// Letter writes it; nothing is sent, now or later, if it says that there is nothing to report.
	Letter func(ctx context.Context) (l Letter, worth bool, err error)
}

// Memory remembers which notices were sent.
type Memory interface {
	Streams
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// Notifier sends notices, each once. What the outbox does not take is tried again at the
// next call; after a crash between sending and remembering a notice may be sent twice. One
// process at a time may call it.
type Notifier struct {
	Memory Memory
	Outbox Outbox
	Now    func() time.Time
	Logger *slog.Logger
}

// Send sends those of some notices that were not sent before, and goes on after one that
// cannot be.
func (n Notifier) Send(ctx context.Context, due []Notice) error {
	var failures []error
	for _, notice := range due {
		if err := n.send(ctx, notice); err != nil {
			failures = append(failures, fmt.Errorf("send notice %s of %s: %w", notice.Name, notice.Of, err))
		}
	}
	return errors.Join(failures...)
}

func (n Notifier) send(ctx context.Context, notice Notice) error {
	stream := "notice/" + notice.Name + "/" + notice.Of
	sent, err := n.Memory.ReadStream(ctx, stream)
	if err != nil || len(sent) > 0 {
		return err
	}
	letter, worth, err := notice.Letter(ctx)
	if err != nil {
		return err
	}
	if worth {
		if err := n.Outbox.Send(ctx, letter); err != nil {
			return err
		}
		n.Logger.Info("notice sent", "notice", notice.Name, "of", notice.Of)
	}
	_, err = n.Memory.Append(ctx, event.Append{Stream: stream, ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{{
		ID:         event.DerivedID("notice", notice.Name, notice.Of),
		OccurredAt: n.Now().UTC().Truncate(time.Millisecond),
		Payload:    &event.NoticeSent{Notice: notice.Name, Of: notice.Of},
	}}})
	return err
}
