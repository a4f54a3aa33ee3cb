package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// StreamWrite bounds each write to a client that does not read.
const StreamWrite = 10 * time.Second

// EventStream writes server-sent events. Errors of the connection have no reader left.
type EventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	// Begun says that the head of the answer was sent.
	Begun bool
	// Broken says that the client no longer takes anything.
	Broken bool
}

// NewEventStream is an answer of events.
func NewEventStream(w http.ResponseWriter) *EventStream {
	return &EventStream{w: w, control: http.NewResponseController(w)}
}

// Begin sends the head of the answer.
func (s *EventStream) Begin() {
	h := s.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("X-Accel-Buffering", "no")
	// Packed events would wait for each other.
	h.Set(gzhttp.HeaderNoCompression, "1")
	s.w.WriteHeader(http.StatusOK)
	s.Begun = true
}

// Event sends one event with its data as JSON, after the head of the answer.
func (s *EventStream) Event(name string, data any) {
	// json.Marshal writes no line breaks.
	encoded, err := json.Marshal(data)
	if err != nil {
		return
	}
	s.send(fmt.Sprintf("event: %s\ndata: %s\n\n", name, encoded))
}

// KeepAlive sends what clients skip, so that no proxy takes the connection for dead.
func (s *EventStream) KeepAlive() { s.send(": \n\n") }

func (s *EventStream) send(text string) {
	if !s.Begun {
		s.Begin()
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(StreamWrite))
	if _, err := s.w.Write([]byte(text)); err != nil || s.control.Flush() != nil {
		s.Broken = true
	}
}
