package visitor

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"bitacora/domain/throttle"
)

var noon = time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC)

// empty is a throttle whose buckets have nothing to lend any more.
type empty struct {
	asked int
	err   error
}

func (e *empty) Take(_ context.Context, buckets ...throttle.Bucket) ([]time.Duration, error) {
	e.asked++
	needed := make([]time.Duration, len(buckets))
	for i, b := range buckets {
		needed[i] = b.Most()
	}
	return needed, e.err
}

// TestWhoGoesOnAskingCostsNothing: a key without a token is asked for again when it could have one.
func TestWhoGoesOnAskingCostsNothing(t *testing.T) {
	now, buckets := noon, &empty{}
	h := &Handler{Config: Config{Throttle: buckets}, now: func() time.Time { return now }}
	one := throttle.Bucket{Rate: sessionRate, Key: "k"}
	for range 5 {
		if v, wait, err := h.take(t.Context(), one); v != throttle.Abuse || wait != 21*time.Second || err != nil {
			t.Errorf("%v, wait %v, %v", v, wait, err)
		}
	}
	if buckets.asked != 1 {
		t.Errorf("the database was asked %d times", buckets.asked)
	}
	now = now.Add(time.Second)
	_, _, _ = h.take(t.Context(), one)
	if buckets.asked != 2 {
		t.Errorf("the database was asked %d times when a token could be there", buckets.asked)
	}
}

func TestNothingPassesWithoutTheBuckets(t *testing.T) {
	h := &Handler{Config: Config{Throttle: &empty{err: errors.New("away")}}, now: time.Now}
	if _, _, err := h.take(t.Context(), throttle.Bucket{Rate: visitRate, Key: "k"}); err == nil {
		t.Error("it passed")
	}
	if err := h.few(t.Context(), visitRate, "visits of ", tooManyMessages); err == nil {
		t.Error("a visit passed")
	}
}

func TestRefusedForgetsRatherThanGrows(t *testing.T) {
	var r refused
	for i := range 3 * maxRefused {
		r.note(strconv.Itoa(i), refusal{until: noon.Add(time.Hour)}, noon)
	}
	if n := len(r.keys); n > maxRefused {
		t.Errorf("%d keys are remembered", n)
	}
}
