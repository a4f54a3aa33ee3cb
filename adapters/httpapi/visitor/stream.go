package visitor

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/chat"
)

// How a reply is streamed.
const (
	// streamPatience is how long the answer's status waits for the outcome once the message is
	// stored: within it, errors are answered as those of the plain call.
	streamPatience = 400 * time.Millisecond
	// streamKeepAlive is how often the connection is kept alive while the assistant thinks.
	streamKeepAlive = 5 * time.Second
	// streamPiece is about how many bytes of the reply an event carries.
	streamPiece = 24
)

// ChatStream answers as [Handler.ChatMessage] does, as server-sent events. A reply is checked and
// stored before its first word is sent: whoever loses the connection finds it with the same
// message id.
func (h *Handler) ChatStream(w http.ResponseWriter, r *http.Request) {
	m, err := h.visitorMessage(r)
	if err != nil {
		if reply, ok := errors.AsType[untaken](err); ok {
			sendReply(web.NewEventStream(w), contract.ChatResponse{Response: string(reply)})
			return
		}
		h.Fail(w, r, err)
		return
	}
	type outcome struct {
		answer chat.Answer
		err    error
	}
	received, accepted := make(chan outcome, 1), make(chan chat.Answer, 1)
	m.Accepted = func(a chat.Answer) { accepted <- a }
	go func() {
		answer, err := h.Chat.Receive(r.Context(), m)
		received <- outcome{answer, err}
	}()
	s := web.NewEventStream(w)
	var token string
	begin := func() {
		if token != "" {
			web.SetCookie(w, chatCookie, token, 0)
		}
		s.Begin()
	}
	// The chat service ends its work in bounded time, also for a client that has left.
	wait := time.NewTimer(streamPatience)
	wait.Stop()
	defer wait.Stop()
	for {
		select {
		case a := <-accepted:
			token = a.Token
			wait.Reset(streamPatience)
		case <-wait.C:
			if !s.Begun {
				begin()
			}
			s.KeepAlive()
			wait.Reset(streamKeepAlive)
		case o := <-received:
			switch {
			case o.err != nil && !s.Begun:
				h.Fail(w, r, o.err)
			case r.Context().Err() != nil:
				// Nobody listens any more.
			case o.err != nil:
				if p, listens := h.Explain(w, r, o.err); listens {
					s.Event("error", streamError(p, web.RequestID(r.Context())))
				}
			default:
				if !s.Begun {
					token = o.answer.Token
					begin()
				}
				sendReply(s, chatResponse(o.answer))
			}
			return
		}
	}
}

// streamedError is an error that comes after the status was sent.
type streamedError struct {
	contract.Error
	Status int `json:"status"`
	// RetryAfter is what the header of the same name says otherwise, in seconds.
	RetryAfter int `json:"retryAfter,omitempty"`
}

func streamError(p *web.Problem, requestID string) streamedError {
	return streamedError{Error: p.Body(requestID), Status: p.Status, RetryAfter: p.RetrySeconds()}
}

// sendReply sends a reply in pieces, and whole with its last event.
func sendReply(s *web.EventStream, whole contract.ChatResponse) {
	for _, piece := range pieces(whole.Response) {
		s.Event("delta", map[string]string{"text": piece})
	}
	s.Event("done", whole)
}

// pieces cuts a text after spaces, so that the pieces make the text again.
func pieces(text string) []string {
	var cut []string
	for len(text) > streamPiece {
		i := strings.IndexAny(text[streamPiece:], " \n")
		if i < 0 {
			break
		}
		at := streamPiece + i + 1
		cut, text = append(cut, text[:at]), text[at:]
	}
	return append(cut, text)
}
