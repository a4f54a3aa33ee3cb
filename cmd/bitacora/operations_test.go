package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	gocmp "github.com/google/go-cmp/cmp"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
)

// TestOperationsPageRuns runs every command of the operator's page, in its order.
func TestOperationsPageRuns(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	page, err := os.ReadFile("../../schema/OPERATIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	p, a, _ := programtest.RunningEmbedded(t)
	p.SignIn()
	commands := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		for line := range strings.Lines(block[1]) {
			args, ok := strings.CutPrefix(strings.TrimSpace(line), "bitacora ")
			if !ok {
				t.Errorf("%q is no command of this program", line)
				continue
			}
			commands++
			p.MustRun(strings.Fields(args)...)
		}
	}
	if commands < 24 {
		t.Errorf("the page shows %d commands", commands)
	}
	entries, err := os.ReadDir(filepath.Join(p.Dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.ContainsFunc(dataFiles, func(f []string) bool { return strings.TrimSuffix(f[0], "/") == e.Name() }) {
			t.Errorf("the reference of files lacks %s", e.Name())
		}
	}
	// What cannot be done is said, and not waited for.
	live, err := a.DB.LiveBuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for line, says := range map[string]string{
		"verify b99":                      "build b99: not found",
		"verify --against b99":            "build b99: not found",
		"verify --against " + live:        "cannot be held against itself",
		"projections drop b99":            "build b99: not found",
		"projections drop " + live:        "build " + live + " is live",
		"rollback b99":                    "no build to go back to",
		"parked skip 3 --reason because":  "no conversation waits for event 3",
		"parked skip 3x --reason because": `"3x" is no position`,
		"kpis --as-of yesterday":          `--as-of: "yesterday" is neither`,
		"restore nothing":                 "no such file",
		"rebuild --rate -1":               "must not be below 0",
	} {
		if out, err := p.Run("", strings.Fields(line)...); err == nil || !strings.Contains(out, says) {
			t.Errorf("bitacora %s: %v, want %q:\n%s", line, err, says, out)
		}
	}
}

// TestOnlyMetricsThatExistAreAskedFor holds the dashboard, the alerts and the page against /metrics.
func TestOnlyMetricsThatExistAreAskedFor(t *testing.T) {
	// Of a domain and of a copy elsewhere there are metrics although neither comes about.
	p, a, _ := programtest.Running(t, "BITACORA_DOMAIN=clinica.test", "BITACORA_THROTTLE=on", "BITACORA_PLACEHOLDERS=allow", "BITACORA_HTTP_ADDR="+programtest.FreeAddr(t), "BITACORA_HTTPS_ADDR="+programtest.FreeAddr(t), "BITACORA_ACME_DIRECTORY=https://"+programtest.FreeAddr(t),
		"BITACORA_REPLICATE=file:///absent/log", "BITACORA_REPLICATE_KEYS=file:///absent/keys", "BITACORA_REPLICATE_RECIPIENTS=age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p")
	p.MustRun("rebuild")
	if err := p.Post("/api/chatbot", map[string]string{"sessionId": "s", "message": "¿Dónde quedan?"}, nil); err != nil {
		t.Fatal(err)
	}
	epoch, err := a.DB.Log().Epoch(t.Context())
	if err == nil {
		err = postgres.SelfChecks{DB: a.DB}.Note(t.Context(), postgres.SelfCheck{What: app.CheckedLog, Of: epoch, At: time.Now(), Findings: []string{}})
	}
	if err != nil {
		t.Fatal(err)
	}
	answer, err := programtest.HTTPClient.Get("http://" + p.Metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	reported, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^# HELP (bitacora_\w+) (.*)$`).FindAllStringSubmatch(string(reported), -1) {
		if page := metricsPage(t); !strings.Contains(page, "| `"+m[1]+"` |") || !strings.Contains(page, "| "+m[2]+" |") {
			t.Errorf("the reference of metrics lacks %s", m[0])
		}
	}
	names := regexp.MustCompile(`\bbitacora_[a-z0-9_]+`)
	database := regexp.MustCompile(`^bitacora_b[0-9]+(_shard[0-9]*)?$`)
	others := []string{"bitacora_owner", "bitacora_worker", "bitacora_writer"} // roles of Postgres
	composed := readCompose(t)
	for volume := range composed.Volumes {
		others = append(others, composed.Name+"_"+volume) // as Docker names it
	}
	for _, file := range []string{"../../schema/grafana/bitacora.json", "../../schema/prometheus/alerts.yml", "../../schema/OPERATIONS.md", "../../schema/SERVERS.md"} {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, ".json") && !json.Valid(page) {
			t.Errorf("%s is no JSON", file)
		}
		for _, name := range names.FindAllString(string(page), -1) {
			if database.MatchString(name) || slices.Contains(others, name) {
				continue // of a build, who asks it, or where it lies
			}
			if !strings.Contains(string(reported), "\n"+name+" ") && !strings.Contains(string(reported), "\n"+name+"{") {
				t.Errorf("%s asks for %s, which /metrics does not tell", file, name)
			}
		}
	}
}

// rangeMacro is a macro of Grafana's data source for the range that somebody chose.
var rangeMacro = regexp.MustCompile(`\$__(date|time)Filter\((\w+)\)`)

// everyPanelFinds asks what each panel of the analysts' dashboard does, about the last year; its days are those of the
// log in the clinic's zone. The macros become what
// grafana/clickhouse-datasource makes of them: pkg/macros/macros.go, DateFilter and TimeFilter.
func everyPanelFinds(t *testing.T, views driver.Conn, f *facts) {
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
			if panel.Title == "By day" {
				got := lines(t, views, "SELECT toDate(time), conversations FROM ("+sql+") WHERE conversations > 0")
				if diff := gocmp.Diff(f.dayRows(), got); diff != "" {
					t.Errorf("its days (-log +panel):\n%s", diff)
				}
			}
		}
	}
	if asked < 10 {
		t.Errorf("%d panels ask", asked)
	}
}
