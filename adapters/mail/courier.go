package mail

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/message/router/middleware"

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

// Courier sends the staff every contact message of the log. One that the mail server does
// not take is tried again until it is [stale]. After a crash a message may be sent twice.
type Courier struct {
	// Subscriber feeds the log.
	Subscriber message.Subscriber
	Outbox     Outbox
	Clinic     clinic.Clinic
	Now        func() time.Time
	Logger     *slog.Logger
	// Pause is how long the courier waits after a first failure; a minute at most after
	// many. 0 stands for a second.
	Pause time.Duration

	// sent is the position up to which messages were sent by this process.
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
		m, ok := e.Payload.(*event.ContactMessageReceived)
		if !ok || e.Erased || e.Position <= c.sent || c.Now().Sub(e.RecordedAt) > stale {
			continue
		}
		if err := c.Outbox.Send(msg.Context(), c.letter(m, e.OccurredAt)); err != nil {
			c.Logger.Warn("contact message could not be mailed yet, trying again", "position", e.Position, "error", err)
			return err
		}
		c.sent = e.Position
		c.Logger.Info("contact message mailed", "position", e.Position)
	}
	return nil
}

func (c *Courier) letter(m *event.ContactMessageReceived, at time.Time) Letter {
	var text strings.Builder
	fmt.Fprintf(&text, "Formulario de contacto, %s\n\n", clinic.DayAndTime(at.In(c.Clinic.Zone)))
	fmt.Fprintf(&text, "Nombre: %s\nCorreo: %s\n", m.Name, m.Email)
	if m.Phone != "" {
		fmt.Fprintf(&text, "Teléfono: %s\n", m.Phone)
	}
	fmt.Fprintf(&text, "\n%s\n\n— \nAl responder a este correo escribe directamente a quien envió el mensaje.\n", m.Message)
	return Letter{ID: m.ContactID, Subject: "Mensaje de contacto de " + m.Name, ReplyTo: m.Email, Text: text.String(), At: at}
}
