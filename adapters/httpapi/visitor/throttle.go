package visitor

import (
	"net/http"
	"sync"
	"time"

	"bitacora/adapters/httpapi/web"
)

// verdict is how a message that came in is treated.
type verdict int

const (
	// pass: within bounds.
	pass verdict = iota
	// slowDown: faster than anybody types; asked politely to wait.
	slowDown
	// abuse: goes on in spite of that.
	abuse
)

// rate is what one key may do: so much at once, so much a second for long, and so many
// polite answers beyond it before the tone changes.
type rate struct {
	perSecond, burst, patience float64
}

// A visitor types; an address may be a whole office or a mobile network.
var (
	sessionRate = rate{perSecond: 1, burst: 10, patience: 20}
	addressRate = rate{perSecond: 10, burst: 200, patience: 200}
	visitRate   = rate{perSecond: 2, burst: 60}
)

// tooMany refuses what comes faster than people send it. It is not for the chat, where 429 means that
// the month's conversations are used up.
func tooMany(sentence string, wait time.Duration) error {
	return &web.Problem{Status: http.StatusTooManyRequests, Message: sentence, RetryAfter: wait}
}

// maxBuckets bounds the memory that made-up sessions and addresses can take.
const maxBuckets = 50_000

// throttle keeps a token bucket a key. A bucket goes below zero down to -patience.
type throttle struct {
	rate rate

	mu      sync.Mutex
	buckets map[string]bucket
}

type bucket struct {
	tokens float64
	at     time.Time
}

func newThrottle(r rate) *throttle {
	return &throttle{rate: r, buckets: map[string]bucket{}}
}

// take spends one token of a key, and says how long it takes until it has one again.
func (t *throttle) take(key string, now time.Time) (verdict, time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b, known := t.buckets[key]
	if !known {
		t.makeRoom(now)
		b = bucket{tokens: t.rate.burst, at: now}
	}
	b = t.refilled(b, now)
	v := pass
	switch {
	case b.tokens >= 1:
		b.tokens--
	case b.tokens >= 1-t.rate.patience:
		b.tokens--
		v = slowDown
	default:
		v = abuse
	}
	t.buckets[key] = b
	return v, time.Duration((1 - b.tokens) / t.rate.perSecond * float64(time.Second))
}

func (t *throttle) refilled(b bucket, now time.Time) bucket {
	if elapsed := now.Sub(b.at); elapsed > 0 {
		b.tokens = min(t.rate.burst, b.tokens+elapsed.Seconds()*t.rate.perSecond)
		b.at = now
	}
	return b
}

// makeRoom forgets keys that owe nothing, and all of them when that does not help.
func (t *throttle) makeRoom(now time.Time) {
	if len(t.buckets) < maxBuckets {
		return
	}
	for key, b := range t.buckets {
		if t.refilled(b, now).tokens >= t.rate.burst {
			delete(t.buckets, key)
		}
	}
	if len(t.buckets) >= maxBuckets {
		clear(t.buckets)
	}
}
