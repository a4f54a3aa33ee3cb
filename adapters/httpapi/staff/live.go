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
	// liveKeepAlive is how often the connection of a watcher is kept alive.
	liveKeepAlive = 15 * time.Second
	// liveTime is how long a stream lasts. It is longer than a session may idle, so that
	// watching alone does not keep anybody signed in.
	liveTime = 35 * time.Minute
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

// Watch sends an event whenever there is new data. While the databases are away it sends none.
func (h *Handler) Watch(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), liveTime)
	defer cancel()
	through, err := h.liveState.read(ctx, h.Live)
	if err != nil {
		h.Fail(w, r, err)
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
	for !s.Broken {
		select {
		case <-ctx.Done():
			return
		case <-web.Closing(ctx):
			return
		case <-alive.C:
			s.KeepAlive()
		case <-look.C:
			next, err := h.liveState.read(ctx, h.Live)
			if err == nil && next.Position != through.Position {
				through = next
				s.Event("data", through.contract())
			}
		}
	}
}
