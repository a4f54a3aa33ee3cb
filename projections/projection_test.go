package projections

import (
	"reflect"
	"strings"
	"testing"
)

func TestRowsOfEveryTableAreCounted(t *testing.T) {
	var rows Tables
	v := reflect.ValueOf(&rows).Elem()
	for i := range v.NumField() {
		v.Field(i).Set(reflect.MakeSlice(v.Field(i).Type(), i+1, i+1))
	}
	counts := rows.Counts()
	for i := range v.NumField() {
		if table := strings.ToLower(v.Type().Field(i).Name); counts[table] != i+1 {
			t.Errorf("%d rows of %s are counted as %d", i+1, table, counts[table])
		}
	}
}
