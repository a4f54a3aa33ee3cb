package projections_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
	. "bitacora/projections"
	"bitacora/schema"
)

// example is the kept example of an event type's current version, as the log tells it.
func example(t *testing.T, eventType string) event.Recorded {
	t.Helper()
	kind, _ := event.KindOf(eventType)
	data, err := schema.EventExample(eventType, kind.Version)
	if err != nil {
		t.Fatal(err)
	}
	payload, err := event.Decode(eventType, kind.Version, data)
	if err != nil {
		t.Fatal(err)
	}
	return event.Recorded{Position: 1, ID: event.DerivedID(eventType), OccurredAt: time.Date(2026, 11, 3, 14, 30, 0, 0, time.UTC), Payload: payload}
}

// meaning is how the JSON Schema of an event type describes it.
func meaning(t *testing.T, eventType string) string {
	t.Helper()
	kind, _ := event.KindOf(eventType)
	text, err := schema.Events.ReadFile(fmt.Sprintf("events/%s.v%d.json", eventType, kind.Version))
	if err != nil {
		t.Fatal(err)
	}
	var described struct{ Description string }
	if err := json.Unmarshal(text, &described); err != nil || described.Description == "" {
		t.Errorf("the schema of %s has no description: %v", eventType, err)
	}
	return described.Description
}

// tablesOf are the tables that an event puts rows into.
func tablesOf(e event.Recorded) (names []string) {
	for table, rows := range reflect.ValueOf(RowsOf([]event.Recorded{e})).Fields() {
		if rows.Len() > 0 {
			names = append(names, "`"+TableOf(table)+"`")
		}
	}
	return names
}

func TestTheDictionaryTellsEveryEvent(t *testing.T) {
	const page = "../schema/reference/events.md"
	want := `# Events

The types of events, and the tables of ClickHouse that each adds rows to. [The schemas](../events/README.md) describe the payloads. This
page is generated: ` + "`go test ./projections -run TestTheDictionaryTellsEveryEvent -update`.\n\n| event | meaning | rows in |\n|---|---|---|\n"
	for _, eventType := range event.Types() {
		tables := tablesOf(example(t, eventType))
		if tables == nil {
			tables = []string{"none"}
		}
		want += fmt.Sprintf("| `%s` | %s | %s |\n", eventType, meaning(t, eventType), strings.Join(tables, ", "))
	}
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(page)
	if diff := cmp.Diff(want, string(kept)); err != nil || diff != "" {
		t.Errorf("%s (%v): go test ./projections -run TestTheDictionaryTellsEveryEvent -update\n%s", page, err, diff)
	}
}

// tellsAgain are the events whose rows take the place of others that are counted.
var tellsAgain = map[string]bool{"TextsMasked": true}

// TestTheRecountCountsEveryEventWithRows holds [analytics.Recount] against the projections:
// what it leaves out, bitacora verify cannot miss in the tables.
func TestTheRecountCountsEveryEventWithRows(t *testing.T) {
	before := []event.Recorded{example(t, "VisitStarted"), example(t, "ConversationStarted"), example(t, "LeadCaptured")}
	days := func(events ...event.Recorded) []analytics.Day {
		count := analytics.NewRecount()
		for _, e := range events {
			count.Add(e)
		}
		return count.Days(time.UTC, nil)
	}
	for _, eventType := range event.Types() {
		e := example(t, eventType)
		known := before
		if slices.ContainsFunc(before, func(b event.Recorded) bool { return b.ID == e.ID }) {
			known = nil
		}
		counted := !slices.Equal(days(known...), days(append(known, e)...))
		if tables := tablesOf(e); tables != nil && counted == tellsAgain[eventType] {
			t.Errorf("%s has rows in %s, and analytics.Recount counts it: %v", eventType, strings.Join(tables, ", "), counted)
		}
	}
}
