package clickhouse

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/domain/analytics"
)

// cohortSelect is the SELECT of the analysts' view, without its settings.
var cohortSelect = func() string {
	_, definition, begins := strings.Cut(shown(fileOf("view_cohort")), "\nAS ")
	definition, _, ends := strings.Cut(definition, "\nSETTINGS")
	if !begins || !ends { // which is tested
		panic("view_cohort.sql defines no view with settings")
	}
	return definition
}()

// cohortDefinition is that SELECT over the tables of a build. The program's connections have the view's settings.
var cohortDefinition = strings.ReplaceAll(cohortSelect, "{database}.", "")

// cohortOfDays is that SELECT for a period of days and the clinic's opening hours.
var cohortOfDays = strings.NewReplacer(
	"{from:DateTime64(3, 'UTC')}", "toDateTime64(toDateOrZero({from_day:String}), 3, '{zone}')",
	"{to:DateTime64(3, 'UTC')}", "toDateTime64(toDateOrZero({to_day:String}) + 1, 3, '{zone}')",
	"{opening:Array(Tuple(UInt16, UInt16))}", "{opening}::Array(Tuple(UInt16, UInt16))",
).Replace(cohortSelect)

// cohortCall is how a question asks the view.
const cohortCall = "cohort(from = {from:DateTime64(3, 'UTC')}, to = {to:DateTime64(3, 'UTC')}, filter = {filter:Map(String, String)}, opening = {opening:Array(Tuple(UInt16, UInt16))})"

// overTables makes a question one that a build's tables answer without the view, which would
// cost some milliseconds, and might be that of another program.
func overTables(question string) string {
	if !strings.Contains(question, cohortCall) {
		return question
	}
	return "WITH cohort AS (\n" + cohortDefinition + "\n)\n" + strings.ReplaceAll(question, cohortCall, "cohort")
}

// cohort passes a cohort to the questions about one; a filter that is missing in the map
// narrows nothing.
func cohort(c analytics.Cohort) []any {
	return []any{
		millis("from", c.From),
		millis("to", c.To),
		clickhouse.Named("filter", wanted(c.Filter)),
		clickhouse.Named("opening", opening(c.Opening())),
	}
}

// wanted names what a filter asks for as the view's conditions do.
func wanted(f analytics.Filter) map[string]string {
	w := map[string]string{}
	for field, value := range reflect.ValueOf(f).Fields() {
		if value.IsZero() {
			continue
		}
		asked := reflect.Indirect(value).Interface()
		if length, ok := asked.(time.Duration); ok {
			asked = length.Milliseconds()
		}
		w[columnOf(field)] = fmt.Sprint(asked)
	}
	return w
}

func opening(spans []analytics.WeekSpan) string {
	texts := make([]string, len(spans))
	for i, s := range spans {
		texts[i] = fmt.Sprintf("(%d, %d)", s.Opens, s.Closes)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}
