package clickhouse

import (
	_ "embed"
	"regexp"
	"strings"
)

//go:embed queries/metrics.sql
var metricsSQL string

// Metric is a number of a cohort of conversations.
type Metric struct {
	Name    string `yaml:"name"`
	Meaning string `yaml:"meaning"`
	// SQL is an expression on the views cohort and cohort_days.
	SQL  string `yaml:"sql"`
	Unit string `yaml:"unit"`
	Trap string `yaml:"trap"`
}

var metricLines = regexp.MustCompile(`(?m)^    -- (.+) \[(.+)\]\. (.+)\n    (.+?) +AS (\w+),?$`)

// Metrics are those that the dashboard asks for in the question kpis, and those of the question metrics.
func Metrics() (all []Metric) {
	for _, m := range metricLines.FindAllStringSubmatch(kpisSQL+metricsSQL, -1) {
		all = append(all, Metric{Name: m[5], Meaning: m[1], SQL: m[4], Unit: m[2], Trap: m[3]})
	}
	return all
}

// meanings fills the meanings of metrics into a view that shows them.
func meanings(statement string) string {
	for _, m := range Metrics() {
		statement = strings.ReplaceAll(statement, "{meaning of "+m.Name+"}", "'"+strings.ReplaceAll(m.Meaning, "'", "''")+"'")
	}
	return statement
}
