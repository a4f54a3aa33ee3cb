package projections

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"bitacora/projections/projectionstest"
)

var innerCapital = regexp.MustCompile(`([a-z])([A-Z])`)

// TableOf is the name of the table that a field of [Tables] is of.
func TableOf(field reflect.StructField) string {
	return strings.ToLower(innerCapital.ReplaceAllString(field.Name, "${1}_$2"))
}

func TestRowsOfEveryTableAreCounted(t *testing.T) {
	var rows Tables
	v := reflect.ValueOf(&rows).Elem()
	for i := range v.NumField() {
		v.Field(i).Set(reflect.MakeSlice(v.Field(i).Type(), i+1, i+1))
	}
	counts := rows.Counts()
	for i := range v.NumField() {
		if table := TableOf(v.Type().Field(i)); counts[table] != i+1 {
			t.Errorf("%d rows of %s are counted as %d", i+1, table, counts[table])
		}
	}
}

func TestEveryFieldIsJoined(t *testing.T) {
	joins(t, ConversationRow.key, (*ConversationRow).join)
	joins(t, MessageRow.key, (*MessageRow).join)
	joins(t, ContactRow.key, (*ContactRow).join)
	joins(t, VisitRow.key, (*VisitRow).join)
	joins(t, RatingRow.key, (*RatingRow).join)
	joins(t, BookingRow.key, (*BookingRow).join)
}

// joins joins a row that says everything to one of the same key that says nothing, either way.
func joins[R any](t *testing.T, keyOf func(R) rowKey, join func(*R, R)) {
	var full, empty R
	projectionstest.Fill(reflect.ValueOf(&full).Elem())
	for i := range reflect.TypeFor[R]().NumField() {
		other := full
		reflect.ValueOf(&other).Elem().Field(i).SetZero()
		if keyOf(other) != keyOf(full) {
			reflect.ValueOf(&empty).Elem().Field(i).Set(reflect.ValueOf(full).Field(i))
		}
	}
	first, second := empty, full
	join(&first, full)
	join(&second, empty)
	for field, want := range reflect.ValueOf(full).Fields() {
		for _, got := range []R{first, second} {
			if got := reflect.ValueOf(got).FieldByIndex(field.Index); !reflect.DeepEqual(got.Interface(), want.Interface()) {
				t.Errorf("%T.join leaves %s at %v", full, field.Name, got)
			}
		}
	}
}
