package clickhouse

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
	"bitacora/projections/projectionstest"
)

// metricsText is the list of metrics as tools beside the program read it.
func metricsText(t *testing.T) string {
	t.Helper()
	var text bytes.Buffer
	text.WriteString("# The metrics of a cohort: each sql is an expression on the views cohort and cohort_days, the dashboard's own. This file is generated:\n" +
		"# go test ./adapters/clickhouse -run TestTheListOfMetricsIsWhole -update\n")
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := encoder.Encode(map[string]any{"metrics": Metrics()}); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestTheListOfMetricsIsWhole(t *testing.T) {
	const file = "../../schema/metrics.yaml"
	want := metricsText(t)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if diff := cmp.Diff(want, string(kept)); err != nil || diff != "" {
		t.Errorf("%s (%v): go test ./adapters/clickhouse -run TestTheListOfMetricsIsWhole -update\n%s", file, err, diff)
	}
	known := map[string]bool{}
	for _, m := range Metrics() {
		if known[m.Name] {
			t.Errorf("there are two metrics %s", m.Name)
		}
		known[m.Name] = true
	}
	if columns := strings.Count(kpisSQL+metricsSQL, " AS "); len(known) != columns {
		t.Errorf("%d of %d numbers have a meaning, a unit and a trap", len(known), columns)
	}
	for column := range fieldsOf(reflect.TypeFor[analytics.Counts]()) {
		if !known[column] {
			t.Errorf("the dashboard counts %s, which is no metric", column)
		}
	}
	for field := range fieldsOf(reflect.TypeFor[analytics.KPIs]()) {
		if !known[field] && !known[strings.TrimPrefix(field, "total_")] {
			t.Errorf("the dashboard shows %s, which is no metric", field)
		}
	}
}

// TestMetricsAreTheDashboardsNumbers asks for all of them in one question.
func TestMetricsAreTheDashboardsNumbers(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	reader := analyst(t, db)
	var names, expressions []string
	for _, m := range Metrics() {
		names, expressions = append(names, m.Name), append(expressions, m.SQL)
	}
	rapid.Check(t, func(t *rapid.T) {
		empty(t, db)
		log := append(projectionstest.Log().Draw(t, "log"), visit("una", time.Date(2026, 11, 2, 15, 0, 0, 0, time.UTC))...)
		write(t, db, log)
		c := analytics.Cohort{Period: analytics.Period{To: log[len(log)-1].OccurredAt.AddDate(0, 0, rapid.IntRange(1, 300).Draw(t, "days"))}, Hours: clinic.Default().Hours}
		c.From = c.To.AddDate(-1, 0, 0)
		counts, err := db.Reader(build).Counts(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		shown := map[string]any{}
		for _, numbers := range []any{counts, counts.KPIs()} {
			for name, index := range fieldsOf(reflect.TypeOf(numbers)) {
				shown[name] = reflect.ValueOf(numbers).FieldByIndex(index).Interface()
			}
		}
		found := cells(answer(t, reader, "SELECT "+strings.Join(expressions, ", ")+" FROM "+cohortCall, cohort(c)...))[1]
		for i, name := range names {
			want, ok := shown[name]
			if ok && !near(fmt.Sprint(want), found[i]) {
				t.Fatalf("%s is %s, on the dashboard %v", name, found[i], want)
			}
		}
	})
}

// near says whether two numbers are the same, but for the order in which they were divided.
func near(a, b string) bool {
	var x, y float64
	_, errA := fmt.Sscan(a, &x)
	_, errB := fmt.Sscan(b, &y)
	return errA == nil && errB == nil && math.Abs(x-y) <= 1e-9*math.Max(1, math.Abs(x))
}
