package chat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/danger"
	"bitacora/domain/event"
)

// Log is the part of the event log that a conversation needs.
type Log interface {
	// ReadStream gives all events of a stream in order; none if it does not exist.
	ReadStream(ctx context.Context, stream string) ([]event.Recorded, error)
	// Append stores all drafts or none. It answers [event.ErrConflict] when the stream
	// moved on, [event.ErrMonthlyLimitReached] when the month is full, [event.AddressLimitReached] when
	// an address began as much as it may and [event.ErrSlotTaken] when a claimed place is not
	// free.
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
	// Taken lists when the named places of the agenda are taken between two instants.
	Taken(ctx context.Context, places []string, from, to time.Time) ([]clinic.Taken, error)
}

// Assistant answers a visitor's question out of what the clinic says about itself.
type Assistant interface {
	Reply(ctx context.Context, q Question) (Reply, error)
}

// Question is what the assistant is asked.
type Question struct {
	ConversationID string
	// Text is the visitor's message.
	Text string
	// History holds the stored messages before it, oldest first, without what was said of a
	// danger to life: that is nobody's business who answers something else.
	History []Line
	// At is when the message was accepted.
	At time.Time
	// Asked is what the dialogue asked last, and Offered the times it offered then.
	Asked   Step
	Offered []time.Time
	// Known are the days that are spoken of: those of the offered or the chosen times, and the
	// wished one.
	Known []time.Time
	// Understood is what the message means, where that was found out before.
	Understood Understanding
}

// Reply is a complete answer of the assistant.
type Reply struct {
	Text      string
	Provider  string
	Model     string
	TokensIn  int
	TokensOut int
	// Topic is what the visitor asked about.
	Topic string
	// Answered is false when the clinic's content had no answer.
	Answered bool
	// Sources names the pieces of content the reply rests on.
	Sources []string
	// Public are contact details that need no masking in the text: the clinic's own.
	Public []string
	// Dialogue is where the arranging of an appointment stands after the reply; the
	// [Service] sets it.
	Dialogue *event.Dialogue
}

// Answer is what the visitor gets.
type Answer struct {
	ConversationID string
	MessageID      string
	Text           string
	Model          string
	// Action is what the reply offers to do, see [Line.Action].
	Action string
	// Started says that this message began the conversation.
	Started bool
	// Unstored is why the message could not be taken, though it was answered, because it tells
	// of danger; MessageID is empty then. Nil as a rule.
	Unstored error
	// Insight says how the reply came about; nil where it was stored before.
	Insight *Insight
}

// Insight is what was understood of a message and what was made of it.
type Insight struct {
	Understood Understanding
	Reply      Reply
	Events     []event.Payload
}

// Errors of [Service.Receive] and [Service.Transcript], beside [Invalid].
var (
	// ErrLimitReached: the month's conversations are used up, so no new one begins.
	ErrLimitReached = errors.New("monthly limit of conversations is reached")
	// ErrAssistantFailed: the message is stored, and there is no reply to it.
	ErrAssistantFailed = errors.New("assistant failed to reply")
	// ErrErased: the person's data was erased, and the conversation ended with it.
	ErrErased = errors.New("conversation was erased")
	// ErrBound: the conversation belongs to a browser whose cookie the caller does not show.
	ErrBound = errors.New("conversation is bound to another browser")
	// ErrNotYours: the conversation does not exist or belongs to another browser.
	ErrNotYours = errors.New("conversation is not the caller's")
	// ErrBusy: too much is said in the conversation at once. Repeating the message later, with
	// the same id, is safe.
	ErrBusy = errors.New("conversation is busy")
)

// Service is where visitors are received: it stores what they say before anybody thinks
// about it, asks the assistant, and stores the reply before anybody sees it.
type Service struct {
	Log          Log
	Understander Understander
	Assistant    Assistant
	// Clinic is what appointments are arranged for; its zone decides when a month begins.
	Clinic clinic.Clinic
	// SiteURL is the site's own address, "https://clinica.example", under which followed
	// booking links are counted; empty: they lead to the form directly.
	SiteURL string
	// MonthlyLimit is the number of conversations allowed in a month; nil for no limit.
	MonthlyLimit *int
	// PerAddress bounds the conversations that begin from the address of a message; nil: none is bound.
	PerAddress *event.AddressLimit
	// ReplyTimeout bounds the assistant's work on one message, and StoreTimeout how long the log
	// may take before it and after it: to store the message, and the reply.
	ReplyTimeout, StoreTimeout time.Duration
	// Open ends when the program is about to stop: assistants that others wait for are then
	// cut short, and what is known without them is answered and stored. Nil: never.
	Open context.Context
	// Queue is shared by the desks of a process; nil: nobody waits for each other.
	Queue *Queue
	// Wait pauses for a random part of a time, or until ctx ends; nil: not at all.
	Wait func(ctx context.Context, longest time.Duration)
	Now  func() time.Time
	// NewID draws a UUID.
	NewID func() string
}

// Receive takes a visitor's message and answers it. A message id that was answered
// before gets the stored answer again. The work goes on when the caller goes away, so
// that a retry finds the reply. Somebody in danger is answered whatever happens: where the
// message cannot be taken, the answer is given without it.
func (s *Service) Receive(ctx context.Context, m Message) (Answer, error) {
	answer, err := s.receive(ctx, m)
	if err != nil {
		if reply, found := s.InDanger(m.Text); found {
			return Answer{Text: reply.Text, Model: reply.Model, Unstored: err}, nil
		}
	}
	return answer, err
}

func (s *Service) receive(ctx context.Context, m Message) (Answer, error) {
	m, err := m.checked()
	if err != nil {
		return Answer{}, err
	}
	if m.MessageID == "" {
		m.MessageID = s.NewID()
	}
	ctx = context.WithoutCancel(ctx)
	c, started, err := s.accept(ctx, m)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{ConversationID: c.ID, MessageID: m.MessageID, Started: started}
	line, answered := c.replyTo(m.MessageID)
	if !answered {
		if line, answer.Insight, err = s.answer(ctx, c, m.MessageID); err != nil {
			return Answer{}, err
		}
	}
	answer.Text, answer.Model, answer.Action = line.Text, line.Model, line.Action()
	return answer, nil
}

// accepted is what became of a visitor's message.
type accepted struct {
	c *Conversation
	// started says that the message began the conversation, reused that its id stands for
	// another text.
	started, reused bool
}

// accept stores the visitor's message, unless it is stored already.
func (s *Service) accept(ctx context.Context, m Message) (c *Conversation, started bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.StoreTimeout)
	defer cancel()
	id := ConversationID(m.Channel, m.SessionID)
	result, err := decide(ctx, s, id, func(c *Conversation) (accepted, event.Append, error) {
		switch {
		case !c.mayGoOn(m.ResumeToken):
			return accepted{}, event.Append{}, ErrBound
		case c.Erased:
			return accepted{}, event.Append{}, ErrErased
		}
		at := s.now()
		a := event.Append{Stream: Stream(id), ExpectedVersion: c.Version}
		if line, stored := c.visitorLine(m.MessageID); stored {
			a.Drafts = s.drafts(c.bind(m.ResumeToken, at), at)
			return accepted{c: c, reused: line.Text != m.Text}, a, nil
		}
		result := accepted{c: c, started: !c.Started()}
		if result.started {
			a.MonthlyLimit = &event.MonthlyLimit{Month: month(at, s.Clinic.Zone), Limit: s.MonthlyLimit, AddressLimit: s.share(m.Address)}
			if danger.Read(m.Text).Found() {
				a.MonthlyLimit.Limit = nil
			}
		}
		a.Drafts = s.drafts(c.receive(m, at), at)
		return result, a, nil
	})
	switch {
	case errors.Is(err, event.ErrMonthlyLimitReached):
		return nil, false, s.refuse(ctx, id)
	case result.reused:
		return nil, false, Invalid("El identificador del mensaje ya se usó para otro mensaje.")
	}
	return result.c, result.started, err
}

// share is what an address may begin; nil where nothing bounds it.
func (s *Service) share(address string) *event.AddressLimit {
	if s.PerAddress == nil || address == "" {
		return nil
	}
	return &event.AddressLimit{Address: address, Hourly: s.PerAddress.Hourly, Daily: s.PerAddress.Daily}
}

// answered is the stored reply to a message, and how it came about unless it was stored before.
type answered struct {
	line    Line
	insight *Insight
}

// answer finds a reply and stores it, or the fact that there is none. What the dialogue
// decides is decided anew as long as the conversation, or the agenda, moves on.
func (s *Service) answer(ctx context.Context, c *Conversation, messageID string) (Line, *Insight, error) {
	asked := s.now()
	thinking, cancel := context.WithTimeout(ctx, s.ReplyTimeout)
	defer cancel()
	if s.Open != nil {
		defer context.AfterFunc(s.Open, cancel)()
	}
	understood, content, failure := s.think(thinking, c, messageID, asked)
	latency := s.now().Sub(asked)
	goesOn := understood.Urgent || len(understood.flags()) > 0 || !c.idle()

	ctx, cancel = context.WithTimeout(ctx, s.StoreTimeout)
	defer cancel()
	// As a rule nobody else wrote since the message was accepted, and nothing has to be read again.
	result, err := decideKnown(ctx, s, c.ID, c, func(c *Conversation) (answered, event.Append, error) {
		var result answered
		a := event.Append{Stream: Stream(c.ID), ExpectedVersion: c.Version}
		at := s.now()
		var decided []event.Payload
		_, before := c.replyTo(messageID)
		if !before && failure != nil {
			decided = append(decided, &event.AssistantFailed{
				Conversation: c.carried(), ReplyTo: messageID,
				LatencyMillis: latency.Milliseconds(), Reason: reason(failure),
			})
		}
		if !before && (failure == nil || goesOn) {
			t, err := s.turn(ctx, c, messageID, understood, content, at)
			if err != nil {
				return result, a, err
			}
			reply := t.reply(latency)
			decided = append(decided, t.decided...)
			a.Claim, a.Release = t.claim, t.release
			result.insight = &Insight{Understood: understood, Reply: reply, Events: decided}
		}
		a.Drafts = s.drafts(decided, at)
		result.line, _ = c.replyTo(messageID)
		return result, a, nil
	})
	if err != nil {
		return Line{}, nil, err
	}
	if result.line.Text == "" {
		return Line{}, nil, fmt.Errorf("%w: %w", ErrAssistantFailed, failure)
	}
	return result.line, result.insight, nil
}

// think finds out what a message means and, where it is a question, what the clinic's
// content answers. To danger there is an answer before anybody is asked.
func (s *Service) think(ctx context.Context, c *Conversation, messageID string, at time.Time) (u Understanding, content *Reply, err error) {
	q := question(c, messageID, at)
	if told := c.dangerIn(messageID); told.Found() {
		reply := dangerReply(s.Clinic, told, string(told.Kinds[0]))
		return Understanding{Danger: told}, &reply, nil
	}
	u, err = s.Understander.Understand(ctx, q)
	if told, ok := c.afterDanger(messageID); ok && (err != nil || !u.movesOnFrom(told)) {
		return s.stay(told)
	}
	if err != nil || !needsAnswer(c, u) {
		return u, nil, err
	}
	q.Understood = u
	reply, err := s.Assistant.Reply(ctx, q)
	if err == nil && reply.Text == "" {
		err = errEmptyReply
	}
	if err != nil {
		reply = s.withoutContent(u, at)
	}
	return u, &reply, err
}

// withoutContent stands for an answer that the clinic's content did not give: an urgency is
// answered all the same, and what is being arranged goes on.
func (s *Service) withoutContent(u Understanding, at time.Time) Reply {
	name := "sin-contenido"
	if u.Urgent {
		name = "urgencia"
	}
	return Reply{
		Text: render(name, scene{Clinic: s.Clinic, at: at}), Provider: dialogueProvider, Model: dialogueModel,
		Topic: u.Topic, Answered: u.Urgent, Sources: []string{"clinic/phones"},
	}
}

// turn lets the dialogue decide on a message.
func (s *Service) turn(ctx context.Context, c *Conversation, messageID string, u Understanding, content *Reply, at time.Time) (*turn, error) {
	t := &turn{service: s, c: c, u: u, content: content, at: at, messageID: messageID}
	if !u.Danger.Found() && (u.Urgent || c.Dialogue.Asked != string(StepIdle) || usable(c, u) || u.Intent != IntentNone && u.Intent != IntentAsk) {
		var err error
		if t.taken, err = s.taken(ctx, at, c.Dialogue.Specialty, u.Specialty, s.generalService(), c.booked()); err != nil {
			return nil, err
		}
	}
	t.decideTurn()
	return t, nil
}

// taken lists when the chairs of some services are taken, as far ahead as is booked.
func (d *Service) taken(ctx context.Context, at time.Time, services ...string) ([]clinic.Taken, error) {
	var chairs []string
	for _, s := range services {
		if s != "" {
			chairs = append(chairs, d.Clinic.Agenda.Chairs(s)...)
		}
	}
	taken, err := d.Log.Taken(ctx, chairs, at, at.AddDate(0, 0, d.Clinic.Agenda.Days+1))
	if err != nil {
		return nil, fmt.Errorf("read agenda: %w", err)
	}
	return taken, nil
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
		Stream:          "refusal/" + m,
		ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{
			ID:         event.DerivedID("refusal", m, conversationID),
			OccurredAt: at,
			Payload:    &event.ChatRefused{Month: m, Limit: limit},
		}},
	}
}

// Transcript gives a stored conversation back to the browser that began it, with
// contact details masked, and binds it to that browser.
func (s *Service) Transcript(ctx context.Context, sessionID, resumeToken string) ([]Line, error) {
	id := ConversationID("web", sessionID)
	events, err := s.Log.ReadStream(ctx, Stream(id))
	if err != nil {
		return nil, fmt.Errorf("read conversation: %w", err)
	}
	c := Fold(id, events)
	if !c.Started() || c.Erased || !c.mayResume(resumeToken) {
		return nil, ErrNotYours
	}
	if !c.bound {
		_, err = decide(ctx, s, id, func(c *Conversation) (nothing struct{}, a event.Append, err error) {
			at := s.now()
			a = event.Append{Stream: Stream(id), ExpectedVersion: c.Version, Drafts: s.drafts(c.bind(resumeToken, at), at)}
			return nothing, a, nil
		})
	}
	return c.Lines, err
}

var errEmptyReply = errors.New("reply is empty")

func reason(failure error) string {
	switch {
	case errors.Is(failure, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(failure, errEmptyReply):
		return "empty"
	default:
		return "unavailable"
	}
}

func question(c *Conversation, messageID string, at time.Time) Question {
	q := Question{ConversationID: c.ID, At: at, Asked: Step(c.Dialogue.Asked), Offered: c.Dialogue.Offered, Known: c.knownDays()}
	private := c.dangerous()
	for _, l := range c.Lines {
		if l.FromVisitor && l.MessageID == messageID {
			q.Text = l.Text
			break
		}
		if !private[l.MessageID] {
			q.History = append(q.History, l)
		}
	}
	return q
}

// now is in whole milliseconds of UTC: what the log, the projections and the ends of a
// date range all agree on.
func (s *Service) now() time.Time { return s.Now().UTC().Truncate(time.Millisecond) }

func (s *Service) drafts(payloads []event.Payload, at time.Time) []event.Draft {
	drafts := make([]event.Draft, len(payloads))
	for i, p := range payloads {
		drafts[i] = event.Draft{ID: s.NewID(), OccurredAt: at, Payload: p}
	}
	return drafts
}

func month(at time.Time, zone *time.Location) string { return at.In(zone).Format("2006-01") }
