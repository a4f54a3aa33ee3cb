package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"time"

	"bitacora/domain/chat"
)

// ChatService receives visitors.
type ChatService interface {
	// Receive stores a visitor's message and answers it.
	Receive(ctx context.Context, m chat.Message) (chat.Answer, error)
	// InDanger gives the answer to somebody in danger whose message is not taken; found says
	// that the text tells of danger.
	InDanger(text string) (reply chat.Reply, found bool)
	// Visit counts a visit, and that the chat was opened in it.
	Visit(ctx context.Context, v chat.Visit) error
	// Rate records what a visitor thinks of a reply.
	Rate(ctx context.Context, r chat.Rating) error
	// Transcript gives a conversation back to the browser that began it.
	Transcript(ctx context.Context, sessionID, resumeToken string) ([]chat.Line, error)
}

// chatCookie carries the secret of the browser that began a conversation.
const chatCookie = "__Host-bitacora-chat"

const slowDownReply = "Estás escribiendo muy rápido y no alcanzo a leerte. Espera unos segundos y vuelve a enviarme tu mensaje, por favor."

func (a *api) chatStatus(w http.ResponseWriter, r *http.Request) {
	limit, err := a.MonthlyUsage.Current(r.Context())
	if err != nil {
		a.fail(w, r, err)
		return
	}
	encode(w, http.StatusOK, ChatStatus{LimitReached: limit != nil && limit.LimitReached})
}

func (a *api) chatMessage(w http.ResponseWriter, r *http.Request) {
	m, err := a.visitorMessage(r)
	var told untaken
	if errors.As(err, &told) {
		encode(w, http.StatusOK, ChatResponse{Response: string(told)})
		return
	}
	if err != nil {
		a.fail(w, r, err)
		return
	}
	answer, err := a.Chat.Receive(r.Context(), m)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	if answer.Started && m.NewToken != "" {
		setCookie(w, chatCookie, m.NewToken, 0)
	}
	encode(w, http.StatusOK, chatResponse(answer))
}

// actionOf is what a reply offers to do; nil for nothing.
func actionOf(action string) *ChatAction {
	if a := ChatAction(action); a.Valid() {
		return &a
	}
	return nil
}

// chatResponse has no message id where nothing was stored.
func chatResponse(answer chat.Answer) ChatResponse {
	if answer.Unstored != nil {
		return ChatResponse{Response: answer.Text}
	}
	return ChatResponse{Response: answer.Text, MessageID: &answer.MessageID, Action: actionOf(answer.Action)}
}

// untaken is the answer to a message that comes too fast: it is answered, and not taken.
type untaken string

func (untaken) Error() string { return "messages come too fast" }

// visitorMessage is the message that a request brings.
func (a *api) visitorMessage(r *http.Request) (chat.Message, error) {
	var body ChatRequest
	if err := decode(r, &body); err != nil {
		return chat.Message{}, err
	}
	v, wait := a.pace(r.Context(), body.SessionID)
	if v != pass {
		if reply, found := a.Chat.InDanger(body.Message); found {
			return chat.Message{}, untaken(reply.Text)
		}
	}
	switch v {
	case slowDown:
		return chat.Message{}, untaken(slowDownReply)
	case abuse:
		return chat.Message{}, &problem{status: http.StatusServiceUnavailable, message: tooManyMessages, retryAfter: wait}
	}
	m := chat.Message{
		SessionID:   body.SessionID,
		MessageID:   deref(body.MessageID),
		Text:        body.Message,
		Referrer:    deref(body.Referrer),
		ResumeToken: cookieToken(r, chatCookie),
		Address:     clientKey(r.Context()),
	}
	if m.ResumeToken == "" {
		m.NewToken = newToken()
	}
	return m, nil
}

// pace says whether a message comes at a speed that the clinic's visitors have.
func (a *api) pace(ctx context.Context, sessionID string) (verdict, time.Duration) {
	if !a.Throttle {
		return pass, 0
	}
	now := a.Now()
	if v, wait := a.addresses.take(clientKey(ctx), now); v != pass {
		return v, wait
	}
	// A key of fixed size, whatever was sent.
	return a.sessions.take(chat.ConversationID("web", sessionID), now)
}

func (a *api) chatConversation(w http.ResponseWriter, r *http.Request) {
	var body ChatConversationRequest
	if err := decode(r, &body); err != nil {
		a.fail(w, r, err)
		return
	}
	lines, err := a.Chat.Transcript(r.Context(), body.SessionID, cookieToken(r, chatCookie))
	if err != nil {
		a.fail(w, r, err)
		return
	}
	messages := make([]ChatMessage, len(lines))
	for i, l := range lines {
		messages[i] = ChatMessage{ID: strconv.Itoa(i + 1), Text: l.Masked, IsUser: l.FromVisitor, Timestamp: l.At.UTC(), Rating: ratingOf(l), Action: actionOf(l.Action())}
		if l.MessageID != "" {
			messages[i].MessageID = &l.MessageID
		}
	}
	encode(w, http.StatusOK, ChatConversation{SessionID: body.SessionID, Messages: messages})
}

// ratingOf is what the visitor thinks of a reply; nil if nothing, or not any more.
func ratingOf(l chat.Line) *Rating {
	if r := Rating(l.Rating); r.Valid() {
		return &r
	}
	return nil
}

func (a *api) rateReply(w http.ResponseWriter, r *http.Request) {
	var body ReplyRating
	if err := decode(r, &body); err != nil {
		a.fail(w, r, err)
		return
	}
	if v, wait := a.pace(r.Context(), body.SessionID); v != pass {
		a.fail(w, r, &problem{status: http.StatusServiceUnavailable, message: tooManyMessages, retryAfter: wait})
		return
	}
	err := a.Chat.Rate(r.Context(), chat.Rating{
		SessionID: body.SessionID, ResumeToken: cookieToken(r, chatCookie), MessageID: body.MessageID, Value: string(body.Rating),
	})
	if err != nil {
		a.fail(w, r, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// tokenBytes is the size of the secrets in cookies.
const tokenBytes = 32

func newToken() string {
	secret := make([]byte, tokenBytes)
	rand.Read(secret)
	return base64.RawURLEncoding.EncodeToString(secret)
}

// cookieToken is the secret in a cookie; empty when there is none or it is not one of ours.
func cookieToken(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	if secret, err := base64.RawURLEncoding.Strict().DecodeString(c.Value); err != nil || len(secret) != tokenBytes {
		return ""
	}
	return c.Value
}

// setCookie keeps a secret in the browser for so long, or until it is closed where that is
// 0, out of reach of scripts and of other sites' writes. The name's prefix binds it to this
// host.
func setCookie(w http.ResponseWriter, name, value string, keep time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(keep.Seconds()),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// dropCookie makes the browser forget a secret.
func dropCookie(w http.ResponseWriter, name string) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Path: "/", MaxAge: -1,
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
