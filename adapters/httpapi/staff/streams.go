package staff

import (
	"context"
	"net/http"
	"sync"
	"time"

	"bitacora/adapters/httpapi/web"
	"bitacora/domain/staff"
)

const (
	// maxStreams is how many live streams one session may have in a process. Over HTTP/1.1 a
	// browser has six connections to a host: each stream takes one for good, and the pages
	// need the others. A proxy in front of several processes speaks HTTP/2.
	maxStreams = 4
	// streamRetry is when a page without a stream asks for one again.
	streamRetry = time.Minute
)

// errTooManyStreams leaves a page to ask by itself. To end the oldest stream instead would have
// two pages take it from each other for as long as both are open, since browsers connect again.
var errTooManyStreams = &web.Problem{
	Status:     http.StatusTooManyRequests,
	Message:    "Esta sesión ya recibe los datos nuevos en otras pestañas.",
	RetryAfter: streamRetry,
}

// streams are the live streams of this process.
type streams struct {
	mu sync.Mutex
	// open counts them by session.
	open map[staff.Token]int
}

func newStreams() *streams {
	return &streams{open: map[staff.Token]int{}}
}

// enter counts one more stream of a session until leave is called.
func (s *streams) enter(session staff.Token) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[session] >= maxStreams {
		return nil, errTooManyStreams
	}
	s.open[session]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.open[session]--; s.open[session] == 0 {
			delete(s.open, session)
		}
	}, nil
}

// stillOpen says whether a session is open, without using it. While the database cannot say, it is.
func (a *Authenticator) stillOpen(ctx context.Context, session staff.Token) bool {
	open, err := a.Sessions.SessionOpen(ctx, session, a.Now())
	return open || err != nil
}
