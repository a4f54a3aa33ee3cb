package projections_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/event"
	. "bitacora/projections"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.events.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no events to project: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".events.jsonl")
		t.Run(name, func(t *testing.T) {
			events := readEvents(t, file)
			var b strings.Builder
			fmt.Fprintf(&b, "version %d\n", Version)
			for _, e := range events {
				fmt.Fprintf(&b, "%d %s\n", e.Position, e.Payload.EventType())
				describe(&b, RowsOf([]event.Recorded{e}))
			}
			fmt.Fprintln(&b, "joined")
			describe(&b, RowsOf(events))

			golden := filepath.Join("testdata", name+".rows.golden")
			if *update {
				mustBeNewVersion(t, golden, b.String())
				if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s (-want +got, -update rewrites it):\n%s", golden, diff)
			}
		})
	}
}

// mustBeNewVersion sees to it that events do not get other rows under the same version: builds
// made before would then differ from those made after.
func mustBeNewVersion(t *testing.T, golden, rows string) {
	t.Helper()
	before, err := os.ReadFile(golden)
	if err != nil {
		return // a new one
	}
	version, _, _ := strings.Cut(rows, "\n")
	if was, _, _ := strings.Cut(string(before), "\n"); was == version && rows != string(before) {
		t.Fatalf("the same events have other rows than in version %d: raise projections.Version", Version)
	}
}

func readEvents(t *testing.T, file string) (events []event.Recorded) {
	t.Helper()
	lines, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(lines) {
		var e struct {
			Position           int64
			Version            int
			Type, Text, Masked string
			At                 time.Time
			Erased             bool
			Data               json.RawMessage
			// Texts are sealed fields by name.
			Texts map[string]string
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		p, err := event.Decode(e.Type, max(1, e.Version), string(e.Data))
		if err != nil {
			t.Fatal(err)
		}
		if personal, ok := p.(event.Personal); ok {
			texts := map[string]string{"text": e.Text, "masked": e.Masked, "note": e.Text}
			maps.Copy(texts, e.Texts)
			for _, f := range personal.PersonalFields() {
				*f.Value = texts[f.Name]
			}
		}
		events = append(events, event.Recorded{
			Position: e.Position, ID: fmt.Sprintf("event-%d", e.Position), OccurredAt: e.At, Payload: p, Erased: e.Erased,
		})
	}
	return events
}

// describe writes rows with the fields that they state, which leaves out empty ones.
func describe(b *strings.Builder, t Tables) {
	for _, r := range t.Conversations {
		describeRow(b, "conversation", reflect.ValueOf(r))
	}
	for _, r := range t.Messages {
		describeRow(b, "message", reflect.ValueOf(r))
	}
	for _, r := range t.Contacts {
		describeRow(b, "contact", reflect.ValueOf(r))
	}
	for _, r := range t.Visits {
		describeRow(b, "visit", reflect.ValueOf(r))
	}
	for _, r := range t.Ratings {
		describeRow(b, "rating", reflect.ValueOf(r))
	}
	for _, r := range t.Bookings {
		describeRow(b, "booking", reflect.ValueOf(r))
	}
	for _, r := range t.ContactHistory {
		describeRow(b, "contact history", reflect.ValueOf(r))
	}
	for _, r := range t.ChatRefusals {
		describeRow(b, "chat refusal", reflect.ValueOf(r))
	}
	for _, r := range t.AnswersTaught {
		describeRow(b, "answer taught", reflect.ValueOf(r))
	}
	for _, r := range t.DataAccess {
		describeRow(b, "data access", reflect.ValueOf(r))
	}
}

func describeRow(b *strings.Builder, table string, row reflect.Value) {
	fmt.Fprintf(b, "  %s\n", table)
	for i := range row.NumField() {
		value := row.Field(i)
		if value.IsZero() {
			continue
		}
		shown := reflect.Indirect(value).Interface()
		if at, ok := shown.(time.Time); ok {
			shown = at.Format(time.RFC3339Nano)
		}
		fmt.Fprintf(b, "    %-22s %v\n", row.Type().Field(i).Name, shown)
	}
}
