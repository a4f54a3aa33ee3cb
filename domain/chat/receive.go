package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/danger"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/privacy"
)

// Answer is what the visitor gets.
type Answer struct {
	ConversationID string
	MessageID      string
	Text           string
	Model          string
	// Action is what the reply offers to do, see [Line.Action].
	Action string
	// Suggestions are what may be pressed instead of writing, see [Conversation.Suggestions].
	Suggestions []string
	// Calendar names the conversation to [Service.CalendarEntry]; empty where there is no entry to offer.
	Calendar string
	// Started says that this message began the conversation.
	Started bool
	// Token is the secret that the browser gets to keep; empty for none. It is [Message.NewToken] of
	// the message that began the conversation, and of the same one again, whose answer was lost.
	Token string
	// Unstored is why the message could not be taken, though it was answered, because it speaks
	// of danger; MessageID is empty then. Nil as a rule.
	Unstored error
	// Insight says how the reply came about; nil where it was stored before.
	Insight *Insight
}

// Insight is what was understood of a message and what was made of it.
type Insight struct {
	Understood Understanding
	Reply      Reply
}

// with adds the stored reply to an answer; what may be pressed only where nothing was said since.
func (a Answer) with(reply Line, c *Conversation, in clinic.Clinic) Answer {
	a.Text, a.Model, a.Action = reply.Text, reply.Model, reply.Action()
	if c.Lines.lastReply().MessageID == reply.MessageID {
		a.Suggestions, a.Calendar = c.Suggestions(in), c.CalendarReference(in)
	}
	return a
}

// Receive takes a visitor's message and answers it. A message id that was answered
// before gets the stored answer again. The work goes on when the caller goes away, so
// that a retry finds the reply. Somebody in danger is answered whatever happens: where the
// message cannot be taken, the answer is given without it.
func (s *Service) Receive(ctx context.Context, m Message) (Answer, error) {
	answer, err := s.receive(context.WithoutCancel(ctx), m)
	if err != nil {
		if reply, found := s.InDanger(m.Text); found {
			return Answer{Text: reply.Text, Model: reply.Model, Unstored: err}, nil
		}
	}
	return answer, err
}

// InDanger gives the answer to somebody in danger, without asking or storing anything; found
// says that the text speaks of danger. It is for whoever cannot take the message.
func (s *Service) InDanger(text string) (reply Reply, found bool) {
	d := s.danger(CleanText(text))
	if !d.Found() {
		return Reply{}, false
	}
	return dangerReply(s.Clinic, d), true
}

func (s *Service) receive(ctx context.Context, m Message) (Answer, error) {
	m, err := m.checked()
	if err != nil {
		return Answer{}, err
	}
	if m.MessageID == "" {
		m.MessageID = s.NewID()
	}
	c, answer, err := s.accept(ctx, m)
	if err != nil {
		return Answer{}, err
	}
	if m.Accepted != nil {
		m.Accepted(answer)
	}
	if reply, answered := c.Lines.replyTo(m.MessageID); answered {
		return answer.with(reply, c, s.Clinic), nil
	}
	return s.answer(ctx, c, answer, s.understand(ctx, c, m.MessageID))
}

// accept stores the visitor's message, unless it is stored already.
func (s *Service) accept(ctx context.Context, m Message) (*Conversation, Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, s.StoreTimeout)
	defer cancel()
	id := ConversationID(m.Channel, m.SessionID)
	c, accepted, err := s.decide(ctx, id, func(c *Conversation) (Decision, error) { return s.decideMessage(c, m) })
	if errors.Is(err, event.ErrMonthlyLimitReached) {
		return nil, Answer{}, s.refuse(ctx, id)
	}
	if err != nil {
		return nil, Answer{}, err
	}
	if line, _ := c.Lines.visitorLine(m.MessageID); line.Text != m.Text {
		return nil, Answer{}, Invalid("El identificador del mensaje ya se usó para otro mensaje.")
	}
	return c, accepted.Answer, nil
}

// decideMessage decides what an accepted message adds to the conversation.
func (s *Service) decideMessage(c *Conversation, m Message) (Decision, error) {
	switch {
	case !c.mayGoOn(m.ResumeToken):
		return Decision{}, ErrBound
	case c.Erased:
		return Decision{}, ErrErased
	case c.Restricted:
		return Decision{}, ErrRestricted
	}
	d := Decision{At: s.now(), Answer: Answer{ConversationID: c.ID, MessageID: m.MessageID, Started: !c.Started()}}
	if d.Answer.Started || c.beganWith(m, d.At) {
		d.Answer.Token = m.NewToken
	}
	if _, stored := c.Lines.visitorLine(m.MessageID); stored {
		d.Events = c.bind(m.ResumeToken, d.At)
		return d, nil
	}
	if d.Answer.Started {
		d.MonthlyLimit = &event.MonthlyLimit{Month: month(d.At, s.Clinic.Zone), Limit: s.MonthlyLimit, AddressLimit: s.addressLimit(m.Address)}
		if s.danger(m.Text).Found() {
			d.MonthlyLimit.Limit = nil
		}
	}
	d.Events = c.receive(m, d.At)
	return d, nil
}

// findings are what was found out about a message before its reply is decided on.
type findings struct {
	Understanding
	// content is the answer out of the clinic's content, where one was asked for.
	content *Reply
	// failure is why something was not found out; nil as a rule.
	failure error
	// replies says that there is a reply, also where something was not found out.
	replies bool
	latency time.Duration
}

// understand finds out what a message means and, where it is a question, what the clinic's
// content answers.
func (s *Service) understand(ctx context.Context, c *Conversation, messageID string) findings {
	ctx, cancel := context.WithTimeout(ctx, s.ReplyTimeout)
	defer cancel()
	asked := s.now()
	if s.Running != nil {
		defer context.AfterFunc(s.Running, cancel)()
	}
	f := s.find(ctx, c, messageID, asked)
	f.latency = s.now().Sub(asked)
	f.replies = f.failure == nil || f.Urgent || len(f.flags()) > 0 || !c.idle()
	return f
}

// find asks the understander and the assistant. To a danger that a phrase names there is an answer before
// anybody is asked, and to any other one before the dialogue goes on or a provider is asked.
func (s *Service) find(ctx context.Context, c *Conversation, messageID string, at time.Time) findings {
	inDanger := func(d danger.Danger) findings {
		return findings{Understanding: Understanding{Danger: d}, content: new(dangerReply(s.Clinic, d))}
	}
	if d := s.dangerIn(c.Lines, messageID); d.Found() {
		return inDanger(d)
	}
	q := question(c, s.Clinic, messageID, at)
	u, err := s.Understander.Understand(ctx, q)
	if d := s.likelyDanger(c, u, q.Text); d.Found() {
		return inDanger(d)
	}
	if u.Requests = privacy.ReadRequests(q.Text); len(u.Requests) > 0 && !u.Urgent {
		return findings{Understanding: u}
	}
	if d, ok := s.afterDanger(c.Lines, messageID); ok && (err != nil || !u.movesOnFrom(d)) {
		return findings{Understanding: Understanding{Danger: d}, content: new(afterDangerReply(s.Clinic, d))}
	}
	q.Understood = u
	if s.Further != nil && err == nil && needsReading(c, u) {
		if further, err := s.Further.Understand(ctx, q); err == nil {
			u, q.Understood = further, further
		}
	}
	if err != nil || !needsAnswer(c, u) {
		return findings{Understanding: u, failure: err}
	}
	reply, err := s.Assistant.Reply(ctx, q)
	if err == nil && reply.Text == "" {
		err = errEmptyReply
	}
	if err != nil {
		reply = withoutContent(s.Clinic, u, at)
	}
	return findings{Understanding: u, content: &reply, failure: err}
}

// answer decides on a reply and stores it, or the fact that there is none.
func (s *Service) answer(ctx context.Context, c *Conversation, accepted Answer, f findings) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, s.StoreTimeout)
	defer cancel()
	_, replied, err := s.decideOn(ctx, c.ID, c, func(c *Conversation) (Decision, error) { return s.decideReply(ctx, c, accepted, f) })
	if err != nil {
		return Answer{}, err
	}
	if replied.Answer.Text == "" {
		return Answer{}, fmt.Errorf("%w: %w", ErrAssistantFailed, f.failure)
	}
	return replied.Answer, nil
}

// decideReply decides what the reply to an accepted message adds to the conversation, and says;
// nothing is added where the message was answered meanwhile.
func (s *Service) decideReply(ctx context.Context, c *Conversation, accepted Answer, f findings) (Decision, error) {
	switch { // since the message was accepted
	case c.Erased:
		return Decision{}, ErrErased
	case c.Restricted:
		return Decision{}, ErrRestricted
	}
	d := Decision{At: s.now()}
	messageID := accepted.MessageID
	if _, stored := c.Lines.visitorLine(messageID); !stored {
		return Decision{}, ErrLost
	}
	if reply, answered := c.Lines.replyTo(messageID); answered {
		d.Answer = accepted.with(reply, c, s.Clinic)
		return d, nil
	}
	if f.failure != nil {
		d.Events = []event.Payload{&event.AssistantFailed{
			Conversation: c.carried(), ReplyTo: messageID, LatencyMillis: f.latency.Milliseconds(), Reason: reason(f.failure),
		}}
	}
	if !f.replies {
		return d, nil
	}
	t := &turn{
		clinic: s.Clinic, links: s.links(), c: c, u: f.Understanding, content: f.content, messageID: messageID, at: d.At, decision: d,
	}
	if needsAgenda(c, f.Understanding) {
		var err error
		if t.taken, err = s.taken(ctx, d.At, c.Dialogue.Specialty, f.Specialty, generalService(s.Clinic), c.booked()); err != nil {
			return Decision{}, err
		}
	}
	reply := t.decide(f.latency)
	d = t.decision
	stored, _ := c.Lines.replyTo(messageID)
	d.Answer = accepted.with(stored, c, s.Clinic)
	d.Answer.Insight = &Insight{Understood: f.Understanding, Reply: reply}
	return d, nil
}

// taken lists when the chairs of some services are taken, as far ahead as is booked.
func (s *Service) taken(ctx context.Context, at time.Time, services ...string) ([]clinic.Taken, error) {
	var chairs []string
	for _, service := range services {
		if service != "" {
			chairs = append(chairs, s.Clinic.Agenda.Chairs(service)...)
		}
	}
	taken, err := s.Log.Taken(ctx, chairs, at, at.AddDate(0, 0, s.Clinic.Agenda.Days+1))
	return taken, fault.Wrap(err, "read agenda")
}

// NextFree is when an appointment of a service is free next; the zero time where none is as far ahead as is booked.
func (s *Service) NextFree(ctx context.Context, service string) (time.Time, error) {
	now := s.now()
	taken, err := s.taken(ctx, now, service)
	if err != nil {
		return time.Time{}, err
	}
	if free := s.Clinic.Free(service, taken, now); len(free) > 0 {
		return free[0], nil
	}
	return time.Time{}, nil
}

// Decision is what a conversation leads to: everything in it is stored together, or nothing.
type Decision struct {
	// Events happened At; none: nothing is stored.
	Events []event.Payload
	At     time.Time
	// MonthlyLimit is what a new conversation counts against; nil for none.
	MonthlyLimit *event.MonthlyLimit
	// Claim is the chair that is taken, nil for none, and Release the booking whose chair is
	// given back, empty for none.
	Claim   *event.Claim
	Release string
	// Answer is what the visitor gets; the zero value where nobody waits for an answer.
	Answer Answer
}

// maxAttempts bounds how often a decision is made anew because another process was faster.
const maxAttempts = 16

// The pause before another attempt is drawn from a range that doubles up to the longest:
// about what the other process needs for one decision, then for some.
const (
	firstPause   = 5 * time.Millisecond
	longestPause = 160 * time.Millisecond
)

// decide reads a conversation, decides, and appends; anew as long as the conversation moves on
// meanwhile or a claimed chair is taken. Each time the decision gets the conversation as it is
// then, which it may fold forward; what else it finds out is in its result. The final refusals
// of the log are those that deciding anew does not change. [ErrBusy] says that others were
// faster again and again.
func (s *Service) decide(ctx context.Context, id string, decision func(*Conversation) (Decision, error), final ...error) (*Conversation, Decision, error) {
	return s.decideOn(ctx, id, nil, decision, final...)
}

// decideOn is [Service.decide] on a conversation that was read before, which spares reading it
// where nobody else wrote since; nil if it was not.
func (s *Service) decideOn(ctx context.Context, id string, c *Conversation, decision func(*Conversation) (Decision, error), final ...error) (*Conversation, Decision, error) {
	leave, err := s.Queue.enter(ctx, id)
	if err != nil {
		return nil, Decision{}, fmt.Errorf("wait for the conversation: %w", err)
	}
	defer leave()
	stream := Stream(id)
	if c != nil {
		stream = c.stream()
	}
	var refusal error
	for attempt := range maxAttempts {
		if attempt > 1 && s.Wait != nil {
			s.Wait(ctx, min(firstPause<<(attempt-2), longestPause))
		}
		if c == nil {
			if c, err = s.read(ctx, id, stream); err != nil {
				return nil, Decision{}, err
			}
		}
		d, err := decision(c)
		if err != nil {
			return nil, Decision{}, err
		}
		refusal = s.append(ctx, c, d)
		if refusal == nil {
			return c, d, nil
		}
		anew := errors.Is(refusal, event.ErrConflict) || errors.Is(refusal, event.ErrSlotTaken)
		if !anew || slices.ContainsFunc(final, func(end error) bool { return errors.Is(refusal, end) }) {
			return nil, Decision{}, fmt.Errorf("store decision: %w", refusal)
		}
		c = nil
	}
	return nil, Decision{}, fmt.Errorf("store decision: %w: %w after %d attempts", ErrBusy, refusal, maxAttempts)
}

func (s *Service) read(ctx context.Context, id, stream string) (*Conversation, error) {
	events, err := s.Log.ReadStream(ctx, stream)
	if err != nil {
		return nil, fmt.Errorf("read conversation: %w", err)
	}
	c := Fold(id, events)
	c.public = s.Clinic.Contacts()
	return c, nil
}

// append stores a decision, if nobody else wrote since the conversation was read.
func (s *Service) append(ctx context.Context, c *Conversation, d Decision) error {
	if len(d.Events) == 0 {
		return nil
	}
	a := event.Append{
		Stream: c.stream(), ExpectedVersion: c.Version, Drafts: make([]event.Draft, len(d.Events)),
		MonthlyLimit: d.MonthlyLimit, Claim: d.Claim, Release: d.Release,
	}
	for i, p := range d.Events {
		a.Drafts[i] = event.Draft{ID: s.NewID(), OccurredAt: d.At, Payload: p}
		c.stored(p, a.Drafts[i].ID)
	}
	if _, err := s.Log.Append(ctx, a); err != nil {
		return err
	}
	c.Version += len(d.Events)
	return nil
}
