package staff

import (
	"context"
	"net/http"
	"sync"
	"time"

	"bitacora/adapters/httpapi/web"
)

const (
	// livePause is how often the tables are asked whether they have moved, for all who watch.
	livePause = time.Second
	// liveKeepAlive is how often the connection of a watcher is kept alive, as long as the session
	// is open. Watching alone keeps nobody signed in.
	liveKeepAlive = 15 * time.Second
)

// liveState remembers up to where the tables are complete: many watch, and one of them asks.
type liveState struct {
	mu      sync.Mutex
	through Through
	asOf    time.Time
}

func (p *liveState) read(ctx context.Context, live Live) (Through, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.asOf) < livePause/2 {
		return p.through, nil
	}
	_, through, err := live(ctx)
	if err == nil {
		p.through, p.asOf = through, time.Now()
	}
	return through, err
}

// Watch sends an event whenever there is new data, until the session ends, in whatever process: it is
// told of that, and looks every liveKeepAlive, since it may miss it. While the databases are away it
// sends none.
func (h *DashboardHandler) Watch(w http.ResponseWriter, r *http.Request) {
	ctx, session := r.Context(), tokenHash(web.CookieToken(r, staffCookie))
	leave, err := h.Authenticator.streams.enter(session)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	defer leave()
	through, err := h.liveState.read(ctx, h.Live)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	// Before the look at the session: one that ends after it is told of.
	ended := h.Authenticator.SessionsEnded()
	if !h.Authenticator.stillOpen(ctx, session) {
		h.Fail(w, r, errNotSignedIn)
		return
	}
	s := web.NewEventStream(w)
	s.Begin()
	s.Event("data", through.contract())
	if r.Method == http.MethodHead {
		return
	}
	look, alive := time.NewTicker(livePause), time.NewTicker(liveKeepAlive)
	defer look.Stop()
	defer alive.Stop()
	for open := true; open && !s.Broken; {
		select {
		case <-ctx.Done():
			return
		case <-web.Closing(ctx):
			return
		case <-ended:
			ended = h.Authenticator.SessionsEnded()
			open = h.Authenticator.stillOpen(ctx, session)
		case <-alive.C:
			if open = h.Authenticator.stillOpen(ctx, session); open {
				s.KeepAlive()
			}
		case <-look.C:
			next, err := h.liveState.read(ctx, h.Live)
			if err == nil && next.Position != through.Position {
				through = next
				s.Event("data", through.contract())
			}
		}
	}
}
