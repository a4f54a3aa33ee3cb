package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// rangeMacro is a macro of Grafana's data source for the range that somebody chose.
var rangeMacro = regexp.MustCompile(`\$__(date|time)Filter\((\w+)\)`)

// everyPanelFinds asks what each panel of the analysts' dashboard does, about the last year. The macros become what
// grafana/clickhouse-datasource makes of them: pkg/macros/macros.go, DateFilter and TimeFilter.
func everyPanelFinds(t *testing.T, views driver.Conn) {
	t.Helper()
	text, err := os.ReadFile("../../schema/grafana/analysts.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ RawSQL string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	to := time.Now().UTC()
	from := to.AddDate(-1, 0, 0)
	asked := 0
	for _, panel := range board.Panels {
		for _, target := range panel.Targets {
			asked++
			sql := rangeMacro.ReplaceAllStringFunc(target.RawSQL, func(macro string) string {
				of := rangeMacro.FindStringSubmatch(macro)
				if of[1] == "date" {
					return fmt.Sprintf("%s >= toDate('%s') AND %[1]s <= toDate('%[3]s')", of[2], from.Format(time.DateOnly), to.Format(time.DateOnly))
				}
				return fmt.Sprintf("%s >= toDateTime(%d) AND %[1]s <= toDateTime(%[3]d)", of[2], from.Unix(), to.Unix())
			})
			if strings.Trim(strings.Join(lines(t, views, sql), ""), "0\t\n") == "" {
				t.Errorf("the panel %q finds nothing: %s", panel.Title, sql)
			}
		}
	}
	if asked < 10 {
		t.Errorf("%d panels ask", asked)
	}
}
