package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
)

// What a session and an address may send at once, and how much more is answered politely.
const (
	sessionBurst, sessionPatience = 10, 20
	addressBurst, addressPatience = 200, 200
)

func throttled(h *testServer) { h.config.Visitor.Throttle = h.db.Throttle(h.clock.Now) }

func TestBurstOfMessages(t *testing.T) {
	h := newTestServer(t, throttled)
	b := h.browser()
	replies := map[string]int{}
	for i := range sessionBurst + sessionPatience {
		var got contract.ChatResponse
		b.say("s1", fmt.Sprint("mensaje ", i)).into(http.StatusOK, &got)
		if got.MessageID == nil {
			replies["polite"]++
		} else {
			replies["stored"]++
		}
	}
	if replies["stored"] != sessionBurst || len(h.conversation("s1").Lines) != 2*sessionBurst {
		t.Errorf("replies %v, %d lines stored", replies, len(h.conversation("s1").Lines))
	}
	a := b.say("s1", "otro más")
	a.refused(http.StatusServiceUnavailable)
	wait, err := strconv.Atoi(a.Header().Get("Retry-After"))
	if err != nil || wait != sessionPatience+1 {
		t.Errorf("Retry-After is %q", a.Header().Get("Retry-After"))
	}
	if a := h.browser().say("s2", "Hola"); a.Code != http.StatusOK {
		t.Errorf("another visitor behind the same address: %d", a.Code)
	}
	h.clock.advance(time.Duration(wait) * time.Second)
	var got contract.ChatResponse
	b.say("s1", "Ya esperé").into(http.StatusOK, &got)
	if got.MessageID == nil {
		t.Errorf("after the wait: %+v", got)
	}
}

func TestBurstOfSessionsFromOneAddress(t *testing.T) {
	h := newTestServer(t, throttled, limited(0))
	b := h.browser()
	count := map[int]int{}
	for i := range addressBurst + addressPatience + 5 {
		count[b.say(fmt.Sprint("s", i), "Hola").Code]++
	}
	// The month is full, so that 429 says the message got past the throttle.
	if count[429] != addressBurst || count[200] != addressPatience || count[503] != 5 {
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
		var got contract.ChatResponse
		if b.say("s1", fmt.Sprint(i)).into(http.StatusOK, &got); got.MessageID == nil {
			t.Fatalf("message %d was throttled", i)
		}
	}
}
