package clickhouse

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"bitacora/domain/analytics"
	"bitacora/projections/projectionstest"
)

// A column is spelled in the row and the table; insert, view and dictionary follow.
// These tests name the spelling that is missing, with TestEveryFieldIsJoined of the projections,
// TestEveryTableIsCompared and TestDictionaryTellsEveryColumn.

func TestEveryFieldHasItsColumn(t *testing.T) {
	columnsOf(t, conversations)
	columnsOf(t, messages)
	columnsOf(t, contacts)
	columnsOf(t, visits)
	columnsOf(t, ratings)
	columnsOf(t, bookings)
	columnsOf(t, contactHistory)
	columnsOf(t, chatRefusals)
	columnsOf(t, answersTaught)
	columnsOf(t, dataAccess)
}

// columnsOf finds out which column of an insert tells of each field of a row, by its index.
func columnsOf[R any](t fatal, into table[R]) map[int]column[R] {
	t.Helper()
	found := map[int]column[R]{}
	for i := range reflect.TypeFor[R]().NumField() {
		rows := make([]R, 2)
		projectionstest.Fill(reflect.ValueOf(&rows[1]).Elem().Field(i))
		var names []string
		for _, c := range into.columns {
			values := reflect.ValueOf(c.values(rows))
			if !reflect.DeepEqual(values.Index(0).Interface(), values.Index(1).Interface()) {
				names, found[i] = append(names, c.name), c
			}
		}
		if len(names) != 1 {
			t.Fatal(fmt.Sprintf("%s of %T goes into the columns %q of the insert, and should into one", reflect.TypeFor[R]().Field(i).Name, rows[0], names))
		}
	}
	return found
}

func TestViewsTellOfEveryColumn(t *testing.T) {
	for _, c := range comparedTables {
		_, view, _ := strings.Cut(shown(fileOf("view_"+c.table)), "\nAS ")
		for _, column := range declaredIn(fileOf("table_" + c.table)) {
			view += column.alias + " "
		}
		for _, column := range c.columns {
			names := c.table + "." + column
			if personal := names == "data_access.subject"; personal == regexp.MustCompile(`\b`+column+`\b`).MatchString(view) {
				t.Errorf("the view tells of the column %s: %v", names, personal)
			}
		}
	}
}

// TestQuestionsAnswerEveryField is about what is scanned by name, where nothing else would miss
// a column.
func TestQuestionsAnswerEveryField(t *testing.T) {
	for sql, answer := range map[string]any{
		kpisSQL: analytics.Counts{}, heatmapSQL: analytics.Start{}, funnelSQL: analytics.Steps{}, recountSQL: analytics.Day{},
		outcomesSQL: analytics.Outcomes{},
	} {
		for column := range fieldsOf(reflect.TypeOf(answer)) {
			if !regexp.MustCompile(`\b` + column + `\b`).MatchString(sql) {
				t.Errorf("%T is filled by a question without the column %s:\n%s", answer, column, sql)
			}
		}
	}
}

func TestEveryFilterHasItsCondition(t *testing.T) {
	known := map[string]string{}
	_, list, _ := strings.Cut(cohortDefinition, "\n    map(")
	list, _, _ = strings.Cut(list, ") AS known")
	for _, pair := range regexp.MustCompile(`'(\w+)', '([^']*)'`).FindAllStringSubmatch(list, -1) {
		known[pair[1]] = pair[2]
	}
	for column := range fieldsOf(reflect.TypeFor[analytics.Filter]()) {
		if !strings.Contains(cohortDefinition, "(wanted['"+column+"'] = '' OR ") && column != "rated_topic" { // which goes with rated
			t.Errorf("the view cohort has no condition %s", column)
		}
		if _, found := known[column]; !found {
			t.Errorf("the view cohort refuses the filter %s", column)
		}
		delete(known, column)
	}
	for name := range known {
		t.Errorf("the view cohort lets the filter %s through, which is none", name)
	}
}
