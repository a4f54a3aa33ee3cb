// Package throttle says how often somebody may do something: a token bucket each, of which every
// attempt takes a token. The buckets are kept elsewhere, where all processes see them.
package throttle

import "time"

// Rate is what one key may do.
type Rate struct {
	// Every is how long it takes until another token is there.
	Every time.Duration
	// Burst is how many may be taken at once, Patience how many more are lent before the tone changes.
	Burst, Patience int
}

// Bucket is that of a key. Keys of different things must differ.
type Bucket struct {
	Rate
	Key string
}

// Most is how long a bucket may take to be full again, at the most: beyond, nothing is taken.
func (r Rate) Most() time.Duration { return time.Duration(r.Burst+r.Patience) * r.Every }

// Verdict is how an attempt is treated.
type Verdict int

const (
	// Pass: within bounds.
	Pass Verdict = iota
	// SlowDown: beyond the burst, on a token that was lent.
	SlowDown
	// Abuse: goes on in spite of that.
	Abuse
)

// Judge says how an attempt is treated that found a bucket which needed some time to be full
// again, and how long it takes until the bucket has a token.
func (r Rate) Judge(needed time.Duration) (v Verdict, wait time.Duration) {
	after := needed + r.Every
	switch {
	case after > r.Most():
		v, after = Abuse, needed
	case after > time.Duration(r.Burst)*r.Every:
		v = SlowDown
	}
	return v, after - time.Duration(r.Burst-1)*r.Every
}
