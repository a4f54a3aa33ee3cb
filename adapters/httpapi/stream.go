package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"bitacora/domain/chat"
)

// How a reply is streamed.
const (
	// streamPatience is how long the answer's status waits for the outcome: within it, errors
	// are answered as those of the plain call.
	streamPatience = 400 * time.Millisecond
	// streamBeat keeps the connection alive while the assistant thinks.
	streamBeat = 5 * time.Second
	// streamWrite bounds each write to a client that does not read.
	streamWrite = 10 * time.Second
	// streamPiece is about how many bytes of the reply an event carries.
	streamPiece = 24
)

// chatStream answers as [api.chatMessage] does, as server-sent events. A reply is checked
// and stored before its first word is sent: whoever loses the connection finds it with the
// same message id.
func (a *api) chatStream(w http.ResponseWriter, r *http.Request) {
	m, err := a.visitorMessage(r)
	if err != nil {
		var told untaken
		if errors.As(err, &told) {
			s := &stream{w: w, control: http.NewResponseController(w)}
			s.begin()
			s.reply(ChatResponse{Response: string(told)})
			return
		}
		a.fail(w, r, err)
		return
	}
	type outcome struct {
		answer chat.Answer
		err    error
	}
	received := make(chan outcome, 1)
	go func() {
		answer, err := a.Chat.Receive(r.Context(), m)
		received <- outcome{answer, err}
	}()
	s := &stream{w: w, control: http.NewResponseController(w)}
	begin := func() {
		if m.NewToken != "" {
			setCookie(w, chatCookie, m.NewToken, 0)
		}
		s.begin()
	}
	// The desk ends its work in bounded time, also for a client that has left.
	wait := time.NewTimer(streamPatience)
	defer wait.Stop()
	for {
		select {
		case <-wait.C:
			if !s.begun {
				begin()
			}
			s.beat()
			wait.Reset(streamBeat)
		case o := <-received:
			switch {
			case o.err != nil && !s.begun:
				a.fail(w, r, o.err)
			case r.Context().Err() != nil:
				// Nobody listens any more.
			case o.err != nil:
				if p, listens := a.explain(w, r, o.err); listens {
					s.event("error", streamError(p, requestID(r.Context())))
				}
			default:
				if !s.begun {
					begin()
				}
				s.reply(chatResponse(o.answer))
			}
			return
		}
	}
}

// streamedError is an error that comes after the status was sent.
type streamedError struct {
	Error
	Status int `json:"status"`
	// RetryAfter is what the header of the same name says otherwise, in seconds.
	RetryAfter int `json:"retryAfter,omitempty"`
}

func streamError(p *problem, requestID string) streamedError {
	e := streamedError{Error: Error{Message: p.message, RequestID: requestID}, Status: p.status, RetryAfter: p.retrySeconds()}
	if p.limitReached {
		e.LimitReached = &p.limitReached
	}
	return e
}

// stream writes server-sent events. Errors of the connection have nobody left to be told.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	begun   bool
	// broken says that the client no longer takes anything.
	broken bool
}

func (s *stream) begin() {
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("X-Accel-Buffering", "no")
	// Packed events would wait for each other.
	h.Set(gzhttp.HeaderNoCompression, "1")
	s.w.WriteHeader(http.StatusOK)
	s.begun = true
}

// reply sends a reply in pieces, and whole with its last event.
func (s *stream) reply(whole ChatResponse) {
	for _, piece := range pieces(whole.Response) {
		s.event("delta", map[string]string{"text": piece})
	}
	s.event("done", whole)
}

func (s *stream) event(name string, data any) {
	// json.Marshal writes no line breaks.
	encoded, err := json.Marshal(data)
	if err != nil {
		return
	}
	s.send(fmt.Sprintf("event: %s\ndata: %s\n\n", name, encoded))
}

func (s *stream) beat() { s.send(": \n\n") }

func (s *stream) send(text string) {
	_ = s.control.SetWriteDeadline(time.Now().Add(streamWrite))
	if _, err := s.w.Write([]byte(text)); err != nil || s.control.Flush() != nil {
		s.broken = true
	}
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
