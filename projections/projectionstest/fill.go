package projectionstest

import (
	"reflect"
	"time"
)

// Fill sets every field below a value to something that is not zero.
func Fill(value reflect.Value) {
	switch value.Kind() {
	case reflect.Struct:
		if value.Type() == reflect.TypeFor[time.Time]() {
			value.Set(reflect.ValueOf(Edges[0]))
			return
		}
		for _, field := range value.Fields() {
			Fill(field)
		}
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		Fill(value.Index(0))
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		Fill(value.Elem())
	case reflect.String:
		value.SetString("filled")
	case reflect.Bool:
		value.SetBool(true)
	default:
		value.Set(reflect.ValueOf(1).Convert(value.Type()))
	}
}
