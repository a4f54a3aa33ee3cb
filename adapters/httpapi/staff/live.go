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

// read gives up to where there is something to see. Whoever reads is recorded, too, and would otherwise make all
// who watch ask for everything anew.
func (p *liveState) read(ctx context.Context, live Live, acted OthersActed) (Through, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.asOf) < livePause/2 {
		return p.through, nil
	}
	_, through, err := live(ctx)
	if err != nil {
		return through, err
	}
	moved := p.asOf.IsZero() || through.Position < p.through.Position
	if through.Position > p.through.Position && !moved {
		if moved, err = acted(ctx, p.through.Position, through.Position); err != nil {
			return through, err
		}
	}
	if p.asOf = time.Now(); moved {
		p.through = through
	}
	return p.through, nil
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
	through, err := h.liveState.read(ctx, h.Live, h.OthersActed)
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
			next, err := h.liveState.read(ctx, h.Live, h.OthersActed)
			if err == nil && next.Position != through.Position {
				through = next
				s.Event("data", through.contract())
			}
		}
	}
}
