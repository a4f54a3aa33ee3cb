package main

import (
	"testing"
	"time"
)

func TestSummaryIsOfTheLastWholeWeek(t *testing.T) {
	panama, err := time.LoadLocation("America/Panama")
	if err != nil {
		t.Fatal(err)
	}
	for now, want := range map[string]string{
		"2026-11-16T06:59:59-05:00": "2026-11-02",
		"2026-11-16T07:00:00-05:00": "2026-11-09",
		"2026-11-18T12:00:00-05:00": "2026-11-09",
		"2026-11-22T23:59:00-05:00": "2026-11-09",
		"2026-11-23T11:00:00Z":      "2026-11-09",
		"2026-11-23T12:00:00Z":      "2026-11-16",
	} {
		at, err := time.Parse(time.RFC3339, now)
		if err != nil {
			t.Fatal(err)
		}
		week := lastWeek(at.In(panama))
		if got := week.From.Format(time.DateOnly); got != want || week.To.Sub(week.From) != 7*24*time.Hour {
			t.Errorf("%s: the week of %s, want %s", now, got, want)
		}
	}
}
