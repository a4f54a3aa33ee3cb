package offsite

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pglogrepl"
)

// tail is the end of the write-ahead log, as far as it has come and was not shipped.
type tail struct {
	mu    sync.Mutex
	start pglogrepl.LSN
	bytes []byte
	// shipped is the end of what lies at the target, server that of the server's log at heard, when it last said.
	shipped, server pglogrepl.LSN
	heard           time.Time
	// full and room hold a word when a piece is to be cut, and when one was.
	full, room chan struct{}
}

func (t *tail) end() pglogrepl.LSN { return t.start + pglogrepl.LSN(len(t.bytes)) }

func (t *tail) got(start pglogrepl.LSN, piece []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.bytes) == 0 {
		t.start = start
	}
	t.bytes = append(t.bytes, piece...)
	if len(t.bytes) >= pieceBytes {
		signal(t.full)
	}
}

func (t *tail) ended(at pglogrepl.LSN) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.server, t.heard = at, time.Now().UTC()
}

func (t *tail) confirmed() pglogrepl.LSN {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shipped
}

func (t *tail) await(ctx context.Context, until time.Time) error {
	for {
		t.mu.Lock()
		waits := len(t.bytes) >= pending
		t.mu.Unlock()
		if !waits {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-t.room:
		case <-time.After(time.Until(until)):
			// The server hears of this side while it waits.
			return nil
		}
	}
}

// cut takes what has come. Whatever was committed before asOf is in it, or was shipped; zero: that is not known.
func (t *tail) cut() (bytes []byte, p piece, asOf time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	bytes, p.start, p.end, p.cutAt = t.bytes, t.start, t.end(), time.Now().UTC()
	if t.server <= max(p.end, t.shipped) {
		asOf = t.heard
	}
	t.bytes = nil
	signal(t.room)
	return bytes, p, asOf
}

func (t *tail) confirm(end pglogrepl.LSN) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shipped = end
}

// signal leaves a word unless one lies there.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
