package projections_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bitacora/domain/event"
	. "bitacora/projections"
)

// TestRawTextReachesNoTable plants something in every personal field of every event, and finds none
// of it in any row, but for what is masked.
func TestRawTextReachesNoTable(t *testing.T) {
	const raw, masked = "RAW-6123-4567", "lo que queda"
	told := 0
	for _, eventType := range event.Types() {
		e := example(t, eventType)
		personal, ok := e.Payload.(event.Personal)
		if !ok {
			continue
		}
		for _, f := range personal.PersonalFields() {
			*f.Value = raw + " " + f.Name
			if f.Name == "masked" || strings.HasPrefix(f.Name, "masked.") {
				*f.Value = masked
			}
		}
		rows := fmt.Sprintf("%+v", strung(reflect.ValueOf(RowsOf([]event.Recorded{e}))))
		if strings.Contains(rows, raw) {
			t.Errorf("rows of %s hold what is personal: %s", eventType, rows)
		}
		if strings.Contains(rows, masked) {
			told++
		}
	}
	if told != 3 {
		t.Errorf("masked texts of %d event types are in rows, want those of both messages and of TextsMasked", told)
	}
}

// TestOnlyEventsSayWhatIsMasked: tables take texts of the type [event.Masked], and only the events
// themselves make one, of what the log holds as masked.
func TestOnlyEventsSayWhatIsMasked(t *testing.T) {
	looked := 0
	for _, folder := range []string{"domain", "projections", "adapters", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", folder), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			looked++
			text, err := os.ReadFile(path)
			if strings.Contains(string(text), "event.Masked(") {
				t.Errorf("%s takes a text for masked", path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if row, ok := reflect.TypeFor[MessageRow]().FieldByName("Text"); !ok || row.Type != reflect.TypeFor[event.Masked]() || looked < 100 {
		t.Errorf("a row's text is a %v, and %d files were looked at", row.Type, looked)
	}
}

// strung are all strings within a value.
func strung(v reflect.Value) (texts []string) {
	switch v.Kind() {
	case reflect.String:
		return []string{v.String()}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			texts = append(texts, strung(v.Index(i))...)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			texts = append(texts, strung(key)...)
			texts = append(texts, strung(v.MapIndex(key))...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			texts = append(texts, strung(v.Field(i))...)
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return strung(v.Elem())
		}
	}
	return texts
}
