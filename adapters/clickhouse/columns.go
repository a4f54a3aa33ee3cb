package clickhouse

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// columnOf is the name of the column, or of the filter, that a field stands for: LastAskedAt
// is last_asked_at. Lengths of time are in milliseconds: ActiveMillis is active_ms, and so is
// Active if it is a [time.Duration].
func columnOf(field reflect.StructField) string {
	var name strings.Builder
	for i, r := range field.Name {
		if unicode.IsUpper(r) && i > 0 {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToLower(r))
	}
	if t := field.Type; t == reflect.TypeFor[time.Duration]() || t == reflect.TypeFor[*time.Duration]() {
		return name.String() + "_ms"
	}
	return strings.NewReplacer("_millis", "_ms", "_i_d", "_id").Replace(name.String())
}

// fieldsByColumn are the fields of structs by the columns that they stand for.
var fieldsByColumn sync.Map // of reflect.Type to map[string][]int

func fieldsOf(t reflect.Type) map[string][]int {
	if known, ok := fieldsByColumn.Load(t); ok {
		return known.(map[string][]int)
	}
	fields := map[string][]int{}
	for _, field := range reflect.VisibleFields(t) {
		if field.IsExported() && !field.Anonymous {
			fields[columnOf(field)] = field.Index
		}
	}
	fieldsByColumn.Store(t, fields)
	return fields
}

// byName scans a row into the fields that its columns are named for, times in UTC. A column
// without a field is an error; a field without a column stays as it is. It is for answers of
// few rows: each row costs some microseconds.
func byName[T any](row driver.Rows, into *T) error {
	target := reflect.ValueOf(into).Elem()
	fields, columns := fieldsOf(target.Type()), row.ColumnTypes()
	values := make([]any, len(columns))
	for i, c := range columns {
		values[i] = reflect.New(c.ScanType()).Interface()
	}
	if err := row.Scan(values...); err != nil {
		return err
	}
	for i, c := range columns {
		index, ok := fields[c.Name()]
		if !ok {
			return fmt.Errorf("no field of %s is called as column %s is", target.Type(), c.Name())
		}
		value := reflect.ValueOf(values[i]).Elem()
		if at, ok := value.Interface().(time.Time); ok {
			value = reflect.ValueOf(at.UTC())
		}
		field := target.FieldByIndex(index)
		if !value.CanConvert(field.Type()) {
			return fmt.Errorf("column %s is a %s, which its field of %s cannot be", c.Name(), value.Type(), target.Type())
		}
		field.Set(value.Convert(field.Type()))
	}
	return nil
}
