package demo

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"bitacora/adapters/archive/logtest"
)

func TestSeedingAgainChangesNothing(t *testing.T) {
	var log logtest.Log
	c := config()
	c.Months, c.Scale = 1, .3
	ctx := context.Background()
	first, err := Seed(ctx, &log, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum, events := log.Sum(), log.Len()
	second, err := Seed(ctx, &log, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if log.Sum() != sum || fmt.Sprint(first) != fmt.Sprint(second) {
		t.Errorf("first %+v, then %+v", first, second)
	}
	if first.Events != events || first.ThisMonth != log.Taken("2026-11") || first.Share != 1 {
		t.Errorf("report %+v of a log with %d events and %d conversations this month", first, events, log.Taken("2026-11"))
	}
}

func TestGoingOnFromAnEarlierHistory(t *testing.T) {
	var log logtest.Log
	c := config()
	c.Months = 1
	ctx := context.Background()
	if _, err := Seed(ctx, &log, c, nil); err != nil {
		t.Fatal(err)
	}
	before := log.Streams()
	c.After, c.Until = c.Until, time.Date(2026, 12, 10, 9, 0, 0, 0, panama)
	report, err := Seed(ctx, &log, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Conversations < 200 || log.Streams() != before+report.Conversations+report.Visits+report.ContactMessages {
		t.Errorf("report %+v, %d streams were there, then %d", report, before, log.Streams())
	}
}

// TestALaterEndAddsWhatFollowed ends at hours that cut conversations, calls and cancellations short.
func TestALaterEndAddsWhatFollowed(t *testing.T) {
	var log logtest.Log
	c := config()
	c.Months, c.Scale, c.Until = 1, .5, c.Until.AddDate(0, 0, -3)
	ctx := context.Background()
	for range 3 {
		before := log.Len()
		if _, err := Seed(ctx, &log, c, nil); err != nil {
			t.Fatal(err)
		}
		if log.Len() < before+50 {
			t.Errorf("%d events by %v, after %d", log.Len(), c.Until, before)
		}
		c.Until = c.Until.Add(26 * time.Hour)
	}
}

func TestSeedStopsWhenTheLogFails(t *testing.T) {
	down := errors.New("down")
	log := logtest.Log{Fail: down}
	if _, err := Seed(context.Background(), &log, config(), nil); !errors.Is(err, down) {
		t.Errorf("err = %v", err)
	}
}

var _ Log = (*logtest.Log)(nil)
