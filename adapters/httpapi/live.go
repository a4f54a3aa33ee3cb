package httpapi

import (
	"context"
	"net/http"
	"sync"
	"time"
)

const (
	// livePause is how often the tables are asked whether they have moved, for all who watch.
	livePause = time.Second
	// liveBeat is how often a watcher that nothing is told hears at least something.
	liveBeat = 15 * time.Second
	// liveTime is how long a stream lasts. It is longer than a session may idle, so that
	// watching alone does not keep anybody signed in.
	liveTime = 35 * time.Minute
)

// liveState remembers up to where the tables hold: many watch, and one of them asks.
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

// watch tells whenever there is new data. While the databases are away it tells nothing.
func (a *api) watch(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), liveTime)
	defer cancel()
	through, err := a.liveState.read(ctx, a.Live)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	s := &stream{w: w, control: http.NewResponseController(w)}
	s.begin()
	s.event("data", through.contract())
	if r.Method == http.MethodHead {
		return
	}
	look, beat := time.NewTicker(livePause), time.NewTicker(liveBeat)
	defer look.Stop()
	defer beat.Stop()
	for !s.broken {
		select {
		case <-ctx.Done():
			return
		case <-closing(ctx):
			return
		case <-beat.C:
			s.beat()
		case <-look.C:
			next, err := a.liveState.read(ctx, a.Live)
			if err == nil && next.Position != through.Position {
				through = next
				s.event("data", through.contract())
			}
		}
	}
}
