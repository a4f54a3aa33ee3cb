package visitor

import (
	"strconv"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC)

func TestThrottle(t *testing.T) {
	r := rate{perSecond: 1, burst: 3, patience: 2}
	for name, c := range map[string]struct {
		every time.Duration
		want  []verdict
	}{
		"a burst":      {0, []verdict{pass, pass, pass, slowDown, slowDown, abuse, abuse}},
		"as it should": {time.Second, []verdict{pass, pass, pass, pass, pass, pass, pass}},
		"hammering":    {500 * time.Millisecond, []verdict{pass, pass, pass, pass, pass, slowDown, slowDown, slowDown, slowDown, abuse, slowDown, abuse, slowDown}},
		"much later":   {time.Hour, []verdict{pass, pass}},
	} {
		t.Run(name, func(t *testing.T) {
			limit, now := newThrottle(r), noon
			for i, want := range c.want {
				if got, _ := limit.take("k", now); got != want {
					t.Errorf("message %d: got %v, want %v", i+1, got, want)
				}
				now = now.Add(c.every)
			}
			if got, _ := limit.take("another", now); got != pass {
				t.Errorf("another key: %v", got)
			}
		})
	}
}

func TestThrottleForgetsRatherThanGrows(t *testing.T) {
	limit := newThrottle(sessionRate)
	for i := range 3 * maxBuckets {
		limit.take(strconv.Itoa(i), noon.Add(time.Duration(i)*time.Microsecond))
	}
	if n := len(limit.buckets); n > maxBuckets {
		t.Errorf("%d keys are remembered", n)
	}
}
