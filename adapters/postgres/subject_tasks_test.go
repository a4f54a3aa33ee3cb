package postgres_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"bitacora/domain/event"
	people "bitacora/domain/subjects"
)

func TestTasksAreKeptUntilTheyAreDone(t *testing.T) {
	_, db := fresh(t)
	log := db.Log()
	task := func(subject string, action people.Action, after time.Duration) people.Task {
		return people.Task{Subject: subject, Action: action, By: "s1", Reason: event.ReasonRequest, CancelBookings: action == people.Erasing, BegunAt: at.Add(after)}
	}
	begin := func(tasks ...people.Task) []people.Task {
		t.Helper()
		var subjects []string
		for _, one := range tasks {
			subjects = append(subjects, one.Subject)
		}
		err := log.BeginTasks(t.Context(), tasks)
		kept, listErr := log.TasksOf(t.Context(), subjects)
		if err = errors.Join(err, listErr); err != nil {
			t.Fatal(err)
		}
		return kept
	}
	pending := func(want ...people.Task) {
		t.Helper()
		got, err := log.PendingTasks(t.Context(), at.Add(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	restrict, erase := task("conversation/a", people.Restricting, 0), task("conversation/b", people.Erasing, time.Second)
	if kept := begin(restrict, erase, task("conversation/c", people.Erasing, time.Hour)); len(kept) != 3 {
		t.Errorf("kept %+v", kept)
	}
	pending(restrict, erase)
	restrict.Position = 7
	if err := log.MarkTask(t.Context(), restrict); err != nil {
		t.Fatal(err)
	}
	pending(restrict, erase)
	// An erasure takes the place of a restriction, and nothing that of an erasure.
	later := task("conversation/a", people.Erasing, 2*time.Second)
	begin(later)
	if kept := begin(task("conversation/b", people.Releasing, 3*time.Second)); !cmp.Equal(kept, []people.Task{erase}) {
		t.Errorf("kept %+v", kept)
	}
	// What ends now is another task than the one that is kept.
	if err := log.EndTask(t.Context(), restrict); err != nil {
		t.Fatal(err)
	}
	pending(erase, later)
	for _, done := range []people.Task{erase, later} {
		if err := log.EndTask(t.Context(), done); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := log.PendingTasks(t.Context(), at.Add(time.Minute)); err != nil || len(left) != 0 {
		t.Errorf("left %+v, %v", left, err)
	}
}

func TestWhoIsRestrictedAndWhoReadIsFound(t *testing.T) {
	_, db := fresh(t)
	log := db.Log()
	say := func(stream string, after time.Duration, p event.Payload) {
		t.Helper()
		mustAppend(t, log, request(stream, event.AnyVersion, event.Draft{ID: uuid.NewString(), OccurredAt: at.Add(after), Payload: p}))
	}
	for _, on := range []bool{true, false, true} {
		say("conversation/a", 0, &event.SubjectRestricted{By: "s1", On: on, Reason: event.ReasonRequest})
	}
	for _, on := range []bool{true, false} {
		say("contact/b", time.Second, &event.SubjectRestricted{By: event.ByOperator, On: on, Reason: event.ReasonRequest})
	}
	if streams, err := log.Restricted(t.Context()); err != nil || !slices.Equal(streams, []string{"conversation/a"}) {
		t.Errorf("restricted %v, %v", streams, err)
	}
	say("staff/s1", 0, &event.TranscriptOpened{StaffID: "s1", ConversationID: "a"})
	say("staff/s1", 0, &event.TranscriptOpened{StaffID: "s1", ConversationID: "ab"})
	say("staff/s2", 2*time.Second, &event.ContactMessagesOpened{StaffID: "s2", ContactIDs: []string{"x", "b"}})
	say("staff/s2", 2*time.Second, &event.ContactMessagesOpened{StaffID: "s2", ConversationIDs: []string{"ba"}})
	say("staff/s2", time.Second, &event.ExportTaken{StaffID: "s2", Rows: "contacts", Format: "csv"})
	readings, err := log.ReadingsOf(t.Context(), []string{"a", "b"})
	var types []string
	for _, e := range readings {
		types = append(types, e.Payload.EventType())
	}
	if err != nil || !slices.Equal(types, []string{"TranscriptOpened", "ExportTaken", "ContactMessagesOpened"}) {
		t.Errorf("readings %v, %v", types, err)
	}
	seen := map[string]int{}
	for e, err := range log.OfStaff(t.Context(), at, at.Add(time.Hour)) {
		if err != nil {
			t.Fatal(err)
		}
		seen[e.Payload.EventType()]++
	}
	if seen["SubjectRestricted"] != 5 || seen["TranscriptOpened"] != 2 {
		t.Errorf("of the staff: %v", seen)
	}
}
