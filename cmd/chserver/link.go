package main

import (
	"net/http"
	"sync"
	"time"
)

// idleTimeout is how long a client may neither send nor take anything in the
// middle of a request.
const idleTimeout = 300 * time.Second

// link is the connection to the client of one request. A client that hangs
// holds it up for idleTimeout, and not at all once the server stops.
type link struct {
	controller *http.ResponseController
	mutex      sync.Mutex
	cut        bool
}

func newLink(w http.ResponseWriter) *link {
	return &link{controller: http.NewResponseController(w)}
}

func (l *link) beforeRead() { l.set(l.controller.SetReadDeadline, time.Now().Add(idleTimeout)) }

// afterBody lets the server go on reading, to notice that the client has gone.
func (l *link) afterBody() { l.set(l.controller.SetReadDeadline, time.Time{}) }

func (l *link) beforeWrite() { l.set(l.controller.SetWriteDeadline, time.Now().Add(idleTimeout)) }
func (l *link) afterAnswer() { l.set(l.controller.SetWriteDeadline, time.Time{}) }

func (l *link) set(deadline func(time.Time) error, at time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.cut {
		_ = deadline(at)
	}
}

// stop ends a read that waits, and leaves a moment to say why.
func (l *link) stop() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.cut = true
	_ = l.controller.SetReadDeadline(time.Now())
	_ = l.controller.SetWriteDeadline(time.Now().Add(time.Second))
}
