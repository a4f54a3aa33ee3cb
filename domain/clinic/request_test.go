package clinic

import (
	"testing"
	"time"

	"bitacora/domain/privacy"
)

func TestRequestsAreDueAfterWorkingDays(t *testing.T) {
	c := Default()
	c.Exceptions = []Exception{{Date: "2026-11-27"}, {Date: "2026-12-05"}, {Date: "2026-12-08"}}
	at := func(text string) time.Time {
		t.Helper()
		instant, err := time.ParseInLocation("2006-01-02 15:04:05", text, c.Zone)
		if err != nil {
			t.Fatal(err)
		}
		return instant
	}
	for asked, want := range map[string]string{
		"2026-11-02 00:00:00": "2026-11-16 23:59:59", // a Monday
		"2026-11-01 23:59:59": "2026-11-13 23:59:59", // a Sunday
		"2026-11-22 12:00:00": "2026-12-07 23:59:59", // over a day of rest
		"2026-11-24 12:00:00": "2026-12-10 23:59:59", // over two, and one that is a Saturday
	} {
		if got := c.Calendar().RequestDue(at(asked), privacy.Copy); !got.Equal(at(want)) || got.Location() != time.UTC {
			t.Errorf("asked %s: due %v, want %s", asked, got.In(c.Zone), want)
		}
	}
	for _, r := range []privacy.Request{privacy.Erase, privacy.Withdraw} {
		if got := c.Calendar().RequestDue(at("2026-11-22 12:00:00"), r); !got.Equal(at("2026-11-30 23:59:59")) {
			t.Errorf("%s: due %v", r, got.In(c.Zone))
		}
	}
}
