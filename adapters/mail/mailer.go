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
	"bitacora/domain/subjects"
	"bitacora/projections"
)

// Outbox takes letters.
type Outbox interface {
	// Send hands a letter over, or says why it could not; it may be asked again.
	Send(ctx context.Context, l Letter) error
}

// Topic is the name under which the mailer follows the log.
const Topic = "mail"

// stale is the age from which on a message is no longer sent: the staff has seen it on the
// dashboard, and a clinic that sets up its mail is not flooded with its past.
const stale = 72 * time.Hour

// Streams reads a stream of the log.
type Streams interface {
	ReadStream(ctx context.Context, stream string) ([]event.Recorded, error)
}

// Mailer sends the staff a letter for every contact message of the log, every lead, and
// everything that flags a conversation. One that the outbox does not take is tried again until
// it is [stale]. Each is sent once; after a crash the last one may be sent twice.
type Mailer struct {
	// Subscriber feeds the log.
	Subscriber message.Subscriber
	// Log holds the conversations that letters are about.
	Log    Streams
	Outbox Outbox
	Clinic clinic.Clinic
	// Site is the site's own address, under which the dashboard is.
	Site   string
	Now    func() time.Time
	Logger *slog.Logger
	// Pause is how long the mailer waits after a first failure; a minute at most after
	// many. 0 stands for a second.
	Pause time.Duration

	// sent is the position up to which letters were sent by this process.
	sent int64
}

// AddTo subscribes to the log until ctx ends, and adds the mailer to a router.
func (m *Mailer) AddTo(ctx context.Context, r *message.Router) error {
	subscriber, err := projections.Subscribe(ctx, m.Subscriber, Topic)
	if err != nil {
		return err
	}
	pause := m.Pause
	if pause == 0 {
		pause = time.Second
	}
	retry := middleware.Retry{MaxRetries: -1, InitialInterval: pause, MaxInterval: time.Minute, Multiplier: 2, RandomizationFactor: 0.2}
	r.AddConsumerHandler(Topic, Topic, subscriber, m.deliver).AddMiddleware(retry.Middleware, middleware.Recoverer)
	return nil
}

func (m *Mailer) deliver(msg *message.Message) error {
	batch, err := projections.BatchOf(msg)
	if err != nil {
		return err
	}
	for _, e := range batch.Events {
		if e.Erased || e.Position <= m.sent || m.Now().Sub(e.RecordedAt) > stale {
			continue
		}
		l, worth, err := m.letter(msg.Context(), e)
		if err != nil {
			return err
		}
		if !worth {
			continue
		}
		if err := m.Outbox.Send(msg.Context(), l); err != nil {
			m.Logger.Warn("letter could not be sent yet, trying again", "position", e.Position, "error", err)
			return err
		}
		m.sent = e.Position
		m.Logger.Info("letter sent", "type", e.Payload.EventType(), "position", e.Position)
	}
	return nil
}

// letter writes the letter about an event, if it is worth one.
func (m *Mailer) letter(ctx context.Context, e event.Recorded) (l Letter, worth bool, err error) {
	switch p := e.Payload.(type) {
	case *event.ContactMessageReceived:
		// Those without a channel are older than letters, and may be a demo's.
		if p.Channel == "" || !event.Live(p.Channel) {
			return Letter{}, false, nil
		}
		used, err := m.mayBeUsed(ctx, e.Stream)
		return m.aboutMessage(p, e.OccurredAt), used, err
	case *event.LeadCaptured:
		return m.aboutConversation(ctx, e, p.ConversationID, "lead")
	case *event.PrivacyRequestReceived:
		return m.aboutRequest(ctx, e, p)
	case *event.ConversationFlagged:
		return m.aboutConversation(ctx, e, p.ConversationID, p.Flag)
	}
	return Letter{}, false, nil
}

// aboutConversation writes of what happened in a conversation, unless that is an imported one.
func (m *Mailer) aboutConversation(ctx context.Context, e event.Recorded, id, what string) (Letter, bool, error) {
	events, err := m.Log.ReadStream(ctx, e.Stream)
	if err != nil {
		return Letter{}, false, fmt.Errorf("read conversation: %w", err)
	}
	of := chat.Fold(id, events)
	if of.Erased || of.Restricted || !event.Live(of.Channel) {
		return Letter{}, false, nil
	}
	l, err := conversation{of, m.Site, m.Clinic.Zone, e.OccurredAt}.letter(what)
	return l, err == nil, err
}

// mayBeUsed says whether what somebody wrote may still be told: while a mail server was away, it
// may have been erased or restricted.
func (m *Mailer) mayBeUsed(ctx context.Context, stream string) (bool, error) {
	events, err := m.Log.ReadStream(ctx, stream)
	if err != nil {
		return false, fmt.Errorf("read contact message: %w", err)
	}
	of := subjects.Fold(stream, events)
	return !of.Erased && !of.Restricted, nil
}

// aboutRequest writes of what somebody asked about their own data. It holds nothing of them: what it
// leads to does.
func (m *Mailer) aboutRequest(ctx context.Context, e event.Recorded, p *event.PrivacyRequestReceived) (Letter, bool, error) {
	events, err := m.Log.ReadStream(ctx, e.Stream)
	if err != nil {
		return Letter{}, false, fmt.Errorf("read what the request stands on: %w", err)
	}
	for _, before := range events {
		switch p := before.Payload.(type) {
		case *event.ConversationStarted:
			if !event.Live(p.Channel) {
				return Letter{}, false, nil
			}
		case *event.ContactMessageReceived:
			if !event.Live(p.Channel) {
				return Letter{}, false, nil
			}
		}
	}
	l, err := request{p, m.Site, m.Clinic, e.OccurredAt}.letter()
	return l, err == nil, err
}

func (m *Mailer) aboutMessage(p *event.ContactMessageReceived, at time.Time) Letter {
	var text strings.Builder
	fmt.Fprintf(&text, "Formulario de contacto, %s\n\n", clinic.DayAndTime(at.In(m.Clinic.Zone)))
	fmt.Fprintf(&text, "Nombre: %s\nCorreo: %s\n", p.Name, p.Email)
	if p.Phone != "" {
		fmt.Fprintf(&text, "Teléfono: %s\n", p.Phone)
	}
	fmt.Fprintf(&text, "\n%s\n\n— \nAl responder a este correo escribe directamente a quien envió el mensaje.\n", p.Message)
	return Letter{ID: p.ContactID, Subject: "Mensaje de contacto de " + p.Name, ReplyTo: p.Email, Text: text.String(), At: at}
}
