package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/domain/event"
)

func TestWhatTheStaffDidIsReadInOrderAndByPeriod(t *testing.T) {
	url, db := fresh(t)
	log := db.Log()
	appends := func(stream string, at time.Time, id string) {
		t.Helper()
		if _, err := log.Append(t.Context(), event.Append{Stream: stream, ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{
			{ID: uuid.NewString(), OccurredAt: at, Payload: &event.TranscriptOpened{StaffID: "1", ConversationID: id}},
		}}); err != nil {
			t.Fatal(err)
		}
	}
	appends("staff/1", at.Add(time.Minute), "later")
	appends("staff/2", at, "first")
	appends("staff/1", at, "second")
	appends("staffing", at, "no account's")
	appends("operators", at, "no operator's")
	appends(event.OperatorStream, at.Add(time.Second), "operator's")
	appends("staff/1", at.Add(-time.Millisecond), "before")
	appends("staff/1", at.Add(time.Hour), "after")
	// More than one page, and all at one instant.
	all := make([]event.Append, 2100)
	for i := range all {
		all[i] = event.Append{Stream: "staff/3", ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{
			{ID: uuid.NewString(), OccurredAt: at.Add(2 * time.Minute), Payload: &event.StaffSignedIn{StaffID: "3"}},
		}}
	}
	if err := log.AppendAll(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	var told []string
	var first int64
	for e, err := range log.OfStaff(t.Context(), at, at.Add(time.Hour)) {
		if err != nil {
			t.Fatal(err)
		}
		if opened, ok := e.Payload.(*event.TranscriptOpened); ok {
			told = append(told, opened.ConversationID)
			if opened.ConversationID == "first" {
				first = e.Position
			}
		} else {
			told = append(told, ".")
		}
	}
	if got, want := strings.Join(told, " "), "first second operator's later"+strings.Repeat(" .", len(all)); got != want {
		t.Errorf("told %d: %.60s", len(told), got)
	}
	for _, c := range []struct {
		after, upTo int64
		want        bool
	}{{first - 2, first + 1, false}, {first - 2, first + 2, true}, {first + 1, first + 2, true}, {first + 2, first + 4, true}, {first + 4, first + 2000, false}, {first, first, false}} {
		if holds, err := db.Staff().OthersActed(t.Context(), c.after, c.upTo); err != nil || holds != c.want {
			t.Errorf("after %d up to %d others' are there: %v, %v", c.after-first, c.upTo-first, holds, err)
		}
	}
	conn := owner(t, url)
	exec(t, conn, "SET enable_seqscan = off")
	var plan string
	rows, err := conn.Query(t.Context(), "EXPLAIN SELECT 1 FROM events WHERE (starts_with(stream, 'staff/') OR starts_with(stream, 'operator/')) AND occurred_at >= now() ORDER BY occurred_at, position LIMIT 10")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		plan += line + "\n"
	}
	if !strings.Contains(plan, "events_of_staff") {
		t.Errorf("the index is not used:\n%s", plan)
	}
}
