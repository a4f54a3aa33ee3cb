package visitor

import (
	"context"
	"net/http"
	"sync"
	"time"

	"bitacora/adapters/httpapi/web"
	"bitacora/domain/throttle"
)

// A visitor types; an address may be a whole office or a mobile network.
var (
	sessionRate = throttle.Rate{Every: time.Second, Burst: 10, Patience: 20}
	addressRate = throttle.Rate{Every: time.Second / 10, Burst: 200, Patience: 200}
	visitRate   = throttle.Rate{Every: time.Second / 2, Burst: 60}
)

// Throttle keeps the token buckets of all processes.
type Throttle interface {
	// Take takes a token of each bucket, as far as its patience goes, and says how long each
	// needed to be full again before that.
	Take(ctx context.Context, buckets ...throttle.Bucket) (needed []time.Duration, err error)
}

// take takes of buckets and gives the first verdict that is not to pass. Where the buckets cannot be
// reached nothing passes: what is sent could not be stored either.
func (h *Handler) take(ctx context.Context, buckets ...throttle.Bucket) (throttle.Verdict, time.Duration, error) {
	if h.Throttle == nil {
		return throttle.Pass, 0, nil
	}
	now := h.now()
	for _, b := range buckets {
		if wait := h.refused.wait(b.Key, now); wait > 0 {
			return throttle.Abuse, wait, nil
		}
	}
	needed, err := h.Throttle.Take(ctx, buckets...)
	if err != nil {
		return throttle.Pass, 0, err
	}
	for i, b := range buckets {
		v, wait := b.Judge(needed[i])
		if v == throttle.Abuse {
			h.refused.note(b.Key, refusal{until: now.Add(needed[i] + b.Every - b.Most()), free: now.Add(wait)}, now)
		}
		if v != throttle.Pass {
			return v, wait, nil
		}
	}
	return throttle.Pass, 0, nil
}

// few bounds what an address does that is refused beyond its rate.
func (h *Handler) few(ctx context.Context, r throttle.Rate, what, sentence string) error {
	v, wait, err := h.take(ctx, throttle.Bucket{Rate: r, Key: what + web.ClientKey(ctx)})
	if err == nil && v != throttle.Pass {
		err = tooMany(sentence, wait)
	}
	return err
}

// tooMany refuses what comes faster than people send it. It is not for the chat, where 429 means that
// the month's conversations are used up.
func tooMany(sentence string, wait time.Duration) error {
	return &web.Problem{Status: http.StatusTooManyRequests, Message: sentence, RetryAfter: wait}
}

// maxRefused bounds the memory that made-up sessions and addresses can take.
const maxRefused = 50_000

// refused remembers in one process which keys go on in spite of refusals, so that they cost the
// database nothing until their bucket could have a token. Whatever the other processes see, it has
// none before.
type refused struct {
	mu   sync.Mutex
	keys map[string]refusal
}

// refusal is until when nothing is taken, and when the bucket has a token of its own again.
type refusal struct{ until, free time.Time }

// wait is how long a key that is refused waits for a token; 0 where it may be asked for.
func (r *refused) wait(key string, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if one, found := r.keys[key]; found && now.Before(one.until) {
		return one.free.Sub(now)
	}
	return 0
}

func (r *refused) note(key string, one refusal, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.keys) >= maxRefused {
		for key, old := range r.keys {
			if !now.Before(old.until) {
				delete(r.keys, key)
			}
		}
	}
	if r.keys == nil || len(r.keys) >= maxRefused {
		r.keys = map[string]refusal{}
	}
	r.keys[key] = one
}
