package projections_test

import (
	"fmt"
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
