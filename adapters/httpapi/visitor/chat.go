package visitor

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/chat"
	"bitacora/domain/throttle"
)

// chatCookie carries the secret of the browser that began a conversation.
const chatCookie = "__Host-bitacora-chat"

const (
	slowDownReply   = "Un momento, por favor: los mensajes llegan muy rápido y no alcanzo a leerlos. El último no lo leí; en unos segundos puedo recibirlo de nuevo."
	tooManyMessages = "Llegan demasiados mensajes desde esta conexión. Dentro de unos instantes se puede intentar de nuevo."
)

// ChatStatus says whether the month's conversations are used up.
func (h *Handler) ChatStatus(r *http.Request) (contract.ChatStatus, error) {
	limit, err := h.MonthlyUsage.Current(r.Context())
	if err != nil {
		return contract.ChatStatus{}, err
	}
	return contract.ChatStatus{LimitReached: limit != nil && limit.LimitReached}, nil
}

// ChatMessage answers a message.
func (h *Handler) ChatMessage(w http.ResponseWriter, r *http.Request) {
	m, err := h.visitorMessage(r)
	if reply, ok := errors.AsType[untaken](err); ok {
		web.Encode(w, http.StatusOK, contract.ChatResponse{Response: string(reply)})
		return
	}
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	answer, err := h.Chat.Receive(r.Context(), m)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	if answer.Token != "" {
		web.SetCookie(w, chatCookie, answer.Token, 0)
	}
	web.Encode(w, http.StatusOK, chatResponse(answer))
}

// chatResponse has no message id where nothing was stored.
func chatResponse(answer chat.Answer) contract.ChatResponse {
	if answer.Unstored != nil {
		return contract.ChatResponse{Response: answer.Text}
	}
	return contract.ChatResponse{
		Response: answer.Text, MessageID: &answer.MessageID, Action: contract.IfValid(contract.ChatAction(answer.Action)), Suggestions: answer.Suggestions,
		Calendar: calendarPath(answer.Calendar),
	}
}

// untaken is the answer to a message that comes too fast: it is answered, and not taken.
type untaken string

func (untaken) Error() string { return "messages come too fast" }

// visitorMessage is the message that a request brings.
func (h *Handler) visitorMessage(r *http.Request) (chat.Message, error) {
	var body contract.ChatRequest
	if err := web.Decode(r, &body); err != nil {
		return chat.Message{}, err
	}
	v, wait, err := h.pace(r.Context(), body.SessionID)
	if v != throttle.Pass || err != nil {
		if reply, found := h.Chat.InDanger(body.Message); found {
			return chat.Message{}, untaken(reply.Text)
		}
	}
	switch {
	case err != nil:
		return chat.Message{}, err
	case v == throttle.SlowDown:
		return chat.Message{}, untaken(slowDownReply)
	case v == throttle.Abuse:
		return chat.Message{}, &web.Problem{Status: http.StatusServiceUnavailable, Message: tooManyMessages, RetryAfter: wait}
	}
	m := chat.Message{
		SessionID:   body.SessionID,
		MessageID:   contract.Deref(body.MessageID),
		Text:        body.Message,
		Referrer:    contract.Deref(body.Referrer),
		ResumeToken: web.CookieToken(r, chatCookie),
		Address:     web.ClientKey(r.Context()),
	}
	if m.ResumeToken == "" {
		m.NewToken = h.newToken(m)
	}
	return m, nil
}

// leastSecret is how long a message id must be for nobody to guess it: a UUID is longer.
const leastSecret = 16

// newToken is the secret for the browser of a conversation that begins. It is derived from all of
// the message: only who sends the same one again can be given it again. Whoever knows the session
// alone does not know the message's id.
func (h *Handler) newToken(m chat.Message) string {
	if h.DeriveToken == nil || len(m.MessageID) < leastSecret {
		return web.NewToken()
	}
	return web.Token(h.DeriveToken(m.SessionID, m.MessageID, m.Text, m.Referrer))
}

// pace says whether a message comes at a speed that the clinic's visitors have.
func (h *Handler) pace(ctx context.Context, sessionID string) (throttle.Verdict, time.Duration, error) {
	return h.take(ctx,
		throttle.Bucket{Rate: addressRate, Key: "messages of " + web.ClientKey(ctx)},
		throttle.Bucket{Rate: sessionRate, Key: "session " + chat.ConversationID("web", sessionID)})
}

// slow is pace for calls that are refused beyond it.
func (h *Handler) slow(ctx context.Context, sessionID string) error {
	v, wait, err := h.pace(ctx, sessionID)
	if err == nil && v != throttle.Pass {
		err = tooMany(tooManyMessages, wait)
	}
	return err
}

// ChatConversation gives a conversation back to the browser that began it.
func (h *Handler) ChatConversation(r *http.Request, body contract.ChatConversationRequest) (contract.ChatConversation, error) {
	read, err := h.Conversations.Transcript(r.Context(), body.SessionID, web.CookieToken(r, chatCookie))
	if err != nil {
		return contract.ChatConversation{}, err
	}
	messages := make([]contract.ChatMessage, len(read.Lines))
	for i, l := range read.Lines {
		messages[i] = contract.ChatMessage{ID: strconv.Itoa(i + 1), Text: l.Masked, IsUser: l.FromVisitor, Timestamp: l.At.UTC(), Rating: contract.IfValid(contract.Rating(l.Rating)), RatingReason: contract.IfValid(contract.RatingReason(l.RatingReason)), Action: contract.IfValid(contract.ChatAction(l.Action()))}
		if l.MessageID != "" {
			messages[i].MessageID = &l.MessageID
		}
	}
	if len(messages) > 0 {
		last := &messages[len(messages)-1]
		last.Suggestions, last.Calendar = read.Suggestions, calendarPath(read.Calendar)
	}
	answer := contract.ChatConversation{SessionID: body.SessionID, Messages: messages}
	if a := read.Upcoming(h.now()); a != nil {
		answer.Appointment = new(a.Slot.UTC())
	}
	return answer, nil
}

// RateReply records what a visitor thinks of a reply.
func (h *Handler) RateReply(r *http.Request, body contract.ReplyRating) error {
	if err := h.slow(r.Context(), body.SessionID); err != nil {
		return err
	}
	return h.Conversations.Rate(r.Context(), chat.Rating{
		SessionID: body.SessionID, ResumeToken: web.CookieToken(r, chatCookie), MessageID: body.MessageID, Value: string(body.Rating), Reason: contract.Deref(body.Reason),
	})
}
