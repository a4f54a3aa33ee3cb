package mail

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/projections"
)

// Outbox takes letters.
type Outbox interface {
	// Send hands a letter over, or says why it could not; it may be asked again.
	Send(ctx context.Context, l Letter) error
}

// Topic is the name under which the courier follows the log.
const Topic = "mail"

// stale is the age from which on a message is no longer sent: the staff has seen it on the
// dashboard, and a clinic that sets up its mail is not flooded with its past.
const stale = 72 * time.Hour

// Streams reads a stream of the log.
type Streams interface {
	ReadStream(ctx context.Context, stream string) ([]event.Recorded, error)
}

// Courier sends the staff a letter for every contact message of the log, every lead, and
// everything that flags a conversation. One that the outbox does not take is tried again until
// it is [stale]. Each is sent once; after a crash the last one may be sent twice.
type Courier struct {
	// Subscriber feeds the log.
	Subscriber message.Subscriber
	// Log holds the conversations that letters tell of.
	Log    Streams
	Outbox Outbox
	Clinic clinic.Clinic
	// Site is the site's own address, under which the dashboard is.
	Site   string
	Now    func() time.Time
	Logger *slog.Logger
	// Pause is how long the courier waits after a first failure; a minute at most after
	// many. 0 stands for a second.
	Pause time.Duration

	// sent is the position up to which letters were sent by this process.
	sent int64
}

// AddTo adds the courier to a router.
func (c *Courier) AddTo(r *message.Router) {
	pause := c.Pause
	if pause == 0 {
		pause = time.Second
	}
	retry := middleware.Retry{MaxRetries: -1, InitialInterval: pause, MaxInterval: time.Minute, Multiplier: 2, RandomizationFactor: 0.2}
	r.AddConsumerHandler(Topic, Topic, c.Subscriber, c.deliver).AddMiddleware(retry.Middleware, middleware.Recoverer)
}

func (c *Courier) deliver(msg *message.Message) error {
	batch, err := projections.BatchOf(msg)
	if err != nil {
		return err
	}
	for _, e := range batch.Events {
		if e.Erased || e.Position <= c.sent || c.Now().Sub(e.RecordedAt) > stale {
			continue
		}
		l, worth, err := c.letter(msg.Context(), e)
		if err != nil {
			return err
		}
		if !worth {
			continue
		}
		if err := c.Outbox.Send(msg.Context(), l); err != nil {
			c.Logger.Warn("letter could not be sent yet, trying again", "position", e.Position, "error", err)
			return err
		}
		c.sent = e.Position
		c.Logger.Info("letter sent", "type", e.Payload.EventType(), "position", e.Position)
	}
	return nil
}

// letter writes the letter about an event, if it is worth one.
func (c *Courier) letter(ctx context.Context, e event.Recorded) (l Letter, worth bool, err error) {
	switch p := e.Payload.(type) {
	case *event.ContactMessageReceived:
		return c.forwarded(p, e.OccurredAt), event.Live(p.Channel), nil
	case *event.LeadCaptured:
		return c.told(ctx, e, p.ConversationID, "lead")
	case *event.ConversationFlagged:
		return c.told(ctx, e, p.ConversationID, p.Flag)
	}
	return Letter{}, false, nil
}

// told writes of what happened in a conversation, unless it took place elsewhere.
func (c *Courier) told(ctx context.Context, e event.Recorded, id, what string) (Letter, bool, error) {
	events, err := c.Log.ReadStream(ctx, e.Stream)
	if err != nil {
		return Letter{}, false, fmt.Errorf("read conversation: %w", err)
	}
	of := chat.Fold(id, events)
	if of.Erased || !event.Live(of.Channel) {
		return Letter{}, false, nil
	}
	l, err := conversation{of, c.Site, c.Clinic.Zone, e.OccurredAt}.letter(what)
	return l, err == nil, err
}

func (c *Courier) forwarded(m *event.ContactMessageReceived, at time.Time) Letter {
	var text strings.Builder
	fmt.Fprintf(&text, "Formulario de contacto, %s\n\n", clinic.DayAndTime(at.In(c.Clinic.Zone)))
	fmt.Fprintf(&text, "Nombre: %s\nCorreo: %s\n", m.Name, m.Email)
	if m.Phone != "" {
		fmt.Fprintf(&text, "Teléfono: %s\n", m.Phone)
	}
	fmt.Fprintf(&text, "\n%s\n\n— \nAl responder a este correo escribe directamente a quien envió el mensaje.\n", m.Message)
	return Letter{ID: m.ContactID, Subject: "Mensaje de contacto de " + m.Name, ReplyTo: m.Email, Text: text.String(), At: at}
}
