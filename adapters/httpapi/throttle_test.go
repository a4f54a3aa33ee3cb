package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"
)

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

func throttled(h *testServer) { h.config.Throttle = true }

func TestBurstOfMessages(t *testing.T) {
	h := newTestServer(t, throttled)
	b := h.browser()
	replies := map[string]int{}
	for i := range int(sessionRate.burst + sessionRate.patience) {
		var got ChatResponse
		b.say("s1", fmt.Sprint("mensaje ", i)).into(http.StatusOK, &got)
		if got.MessageID == nil {
			replies["polite"]++
		} else {
			replies["stored"]++
		}
	}
	if replies["stored"] != int(sessionRate.burst) || len(h.conversation("s1").Lines) != 2*int(sessionRate.burst) {
		t.Errorf("replies %v, %d lines stored", replies, len(h.conversation("s1").Lines))
	}
	a := b.say("s1", "otro más")
	a.refused(http.StatusServiceUnavailable)
	wait, err := strconv.Atoi(a.Header().Get("Retry-After"))
	if err != nil || wait != int(sessionRate.patience)+1 {
		t.Errorf("Retry-After is %q", a.Header().Get("Retry-After"))
	}
	if a := h.browser().say("s2", "Hola"); a.Code != http.StatusOK {
		t.Errorf("another visitor behind the same address: %d", a.Code)
	}
	h.clock.advance(time.Duration(wait) * time.Second)
	var got ChatResponse
	b.say("s1", "Ya esperé").into(http.StatusOK, &got)
	if got.MessageID == nil {
		t.Errorf("after the wait: %+v", got)
	}
}

func TestBurstOfSessionsFromOneAddress(t *testing.T) {
	h := newTestServer(t, throttled, limited(0))
	b := h.browser()
	count := map[int]int{}
	for i := range int(addressRate.burst+addressRate.patience) + 5 {
		count[b.say(fmt.Sprint("s", i), "Hola").Code]++
	}
	// The month is full, so that 429 says the message got past the throttle.
	if count[429] != int(addressRate.burst) || count[200] != int(addressRate.patience) || count[503] != 5 {
		t.Errorf("answers %v", count)
	}
	other := h.browser()
	other.address = "192.0.2.99:1"
	other.say("s", "Hola").refused(http.StatusTooManyRequests)
}

func TestThrottleCanBeOff(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	for i := range 30 {
		var got ChatResponse
		if b.say("s1", fmt.Sprint(i)).into(http.StatusOK, &got); got.MessageID == nil {
			t.Fatalf("message %d was throttled", i)
		}
	}
}
