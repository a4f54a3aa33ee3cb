package postgres_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/domain/event"
)

func TestRequestStreamsAreThoseWithAnOpenRequest(t *testing.T) {
	_, db := fresh(t)
	at := time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC)
	add := func(stream string, payloads ...event.Payload) {
		t.Helper()
		for _, p := range payloads {
			draft := event.Draft{ID: uuid.NewString(), OccurredAt: at, Payload: p}
			if _, err := db.Log().Append(t.Context(), event.Append{Stream: stream, ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{draft}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	asked, done := &event.PrivacyRequestReceived{Request: "copy", DueAt: at}, &event.PrivacyRequestDone{Outcome: event.RequestGranted}
	add("contact/1", &event.ContactMessageReceived{ContactID: "1"}, asked)
	add("contact/2", asked, done)
	add("contact/3", asked, asked, done)
	add("contact/4", &event.ContactMessageReceived{ContactID: "4"})
	for _, c := range []struct {
		done  bool
		limit int
		want  []string
	}{
		{false, 10, []string{"contact/3", "contact/1"}}, {true, 10, []string{"contact/3", "contact/2", "contact/1"}}, {true, 1, []string{"contact/3"}},
	} {
		if got, err := db.Log().RequestStreams(t.Context(), c.done, c.limit); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("done %v: %v, %v, want %v", c.done, got, err, c.want)
		}
	}
}
