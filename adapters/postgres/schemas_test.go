package postgres_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/postgres"
	"bitacora/domain/event"
	"bitacora/schema"
)

func TestEveryEventHasSchemaAndExample(t *testing.T) {
	schemas, err := postgres.LoadSchemas()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, eventType := range event.Types() {
		kind, _ := event.KindOf(eventType)
		for version := 1; version <= kind.Version; version++ {
			name := fmt.Sprintf("%s.v%d.json", eventType, version)
			want["events/"+name] = true
			example, err := schema.EventExample(eventType, version)
			if err != nil || example == "" {
				t.Errorf("the schema %s contains no example: %v", name, err)
				continue
			}
			if err := schemas.Validate(eventType, version, []byte(example)); err != nil {
				t.Errorf("example %s: %v", name, err)
			}
			payload, err := event.Decode(eventType, version, example)
			if err != nil {
				t.Errorf("example %s: %v", name, err)
				continue
			}
			checkEncoding(t, schemas, payload)
			if version == kind.Version {
				checkFilled(t, name, payload, []byte(example))
			}
		}
	}
	err = fs.WalkDir(schema.Events, "events", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".json") && !want[path] {
			t.Errorf("%s describes no event of this program", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// checkEncoding proves that what this program writes agrees with the schema it names.
func checkEncoding(t *testing.T, schemas *postgres.Schemas, payload event.Payload) {
	t.Helper()
	data, version, err := event.Encode(payload)
	if err != nil {
		t.Fatal(err)
	}
	if err := schemas.Validate(payload.EventType(), version, data); err != nil {
		t.Errorf("%s as it is written: %v", payload.EventType(), err)
	}
}

// checkFilled proves that the example of a current version shows every field, and that
// nothing of it is lost in reading.
func checkFilled(t *testing.T, name string, payload event.Payload, example []byte) {
	t.Helper()
	for _, field := range reflect.VisibleFields(reflect.TypeOf(payload).Elem()) {
		if field.Anonymous || field.Tag.Get("json") == "-" {
			continue
		}
		if reflect.ValueOf(payload).Elem().FieldByIndex(field.Index).IsZero() {
			t.Errorf("example %s leaves %s empty", name, field.Name)
		}
	}
	data, _, err := event.Encode(payload)
	if err != nil {
		t.Fatal(err)
	}
	var was, is any
	if err := json.Unmarshal(example, &was); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &is); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(was, is); diff != "" {
		t.Errorf("example %s read and written again (-was +is):\n%s", name, diff)
	}
}

// TestNoSealedFieldIsInTheClear fills each field of each event that is sealed, and looks for it in the clear part.
func TestNoSealedFieldIsInTheClear(t *testing.T) {
	for _, eventType := range event.Types() {
		kind, _ := event.KindOf(eventType)
		example, err := schema.EventExample(eventType, kind.Version)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := event.Decode(eventType, kind.Version, example)
		if err != nil {
			t.Fatal(err)
		}
		p, ok := payload.(event.Personal)
		if !ok {
			continue
		}
		for _, f := range p.PersonalFields() {
			*f.Value = "secret"
		}
		if data, _, err := event.Encode(payload); err != nil || strings.Contains(string(data), "secret") {
			t.Errorf("%s, %v", data, err)
		}
	}
}

func TestSchemasDescribeTheConversationAlike(t *testing.T) {
	names, err := fs.Glob(schema.Events, "events/*.json")
	if err != nil {
		t.Fatal(err)
	}
	type property = map[string]any
	var want map[string]property
	for _, name := range names {
		text, err := schema.Events.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var document struct{ Properties map[string]property }
		if err := json.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		started, of := document.Properties["conversationStartedAt"], document.Properties["conversationId"]
		if started == nil {
			continue
		}
		got := map[string]property{"conversationStartedAt": started, "conversationId": of}
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s tells of the conversation otherwise than those before (-want +got):\n%s", name, diff)
		}
	}
	if want == nil {
		t.Error("no event carries its conversation")
	}
}

func TestSchemasRefuseWhatIsNoEvent(t *testing.T) {
	schemas, err := postgres.LoadSchemas()
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"a field is missing": `{"staffId": "s1"}`,
		"a field too many":   `{"staffId": "s1", "conversationId": "c1", "phone": "6123-4567"}`,
		"a wrong type":       `{"staffId": 1, "conversationId": "c1"}`,
		"no JSON":            `{`,
	} {
		if schemas.Validate("TranscriptOpened", 1, []byte(data)) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if schemas.Validate("TranscriptOpened", 99, []byte(`{}`)) == nil {
		t.Error("an unknown version was accepted")
	}
}
