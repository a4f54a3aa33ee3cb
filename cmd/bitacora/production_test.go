package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// These tests look at what schema/production and schema/prometheus say; npm run production runs it.

func production(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../schema", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestProductionPageNamesCommandsThatExist reads the guided page and the archive's own.
func TestProductionPageNamesCommandsThatExist(t *testing.T) {
	root := newRoot()
	for _, page := range []string{"PRODUCTION.md", "production/README.md"} {
		named := regexp.MustCompile("(?m)(?:`|^|-- |on |bin/)bitacora ([a-z]+(?: [a-z]+)?)").FindAllStringSubmatch(production(t, page), -1)
		if len(named) < 3 {
			t.Errorf("%s names %d commands", page, len(named))
		}
		for _, m := range named {
			if found, _, err := root.Find(strings.Fields(m[1])); err != nil || found == root {
				t.Errorf("%s names bitacora %s, which does not exist", page, m[1])
			}
		}
	}
}

// alert is the part of a rule that people read.
type alert struct {
	Alert, Expr string
	Annotations struct{ Summary, Description string }
}

func alerts(t *testing.T) []alert {
	t.Helper()
	var file struct{ Groups []struct{ Rules []alert } }
	if err := yaml.Unmarshal([]byte(production(t, "prometheus/alerts.yml")), &file); err != nil {
		t.Fatal(err)
	}
	return file.Groups[0].Rules
}

// TestEveryAlertIsTried holds the rules against their own test, which promtool runs.
func TestEveryAlertIsTried(t *testing.T) {
	tried := production(t, "prometheus/alerts_test.yml")
	for _, a := range alerts(t) {
		if !strings.Contains(tried, `{alertname="`+a.Alert+`"}`) {
			t.Errorf("no test brings %s about", a.Alert)
		}
		if a.Annotations.Summary == "" || a.Annotations.Description == "" {
			t.Errorf("%s does not say what it is and what to do", a.Alert)
		}
	}
}

// TestEveryAlertOfTheOperatorsPageHasARule also finds a rule for nothing that is promised there.
func TestEveryAlertOfTheOperatorsPageHasARule(t *testing.T) {
	_, table, _ := strings.Cut(production(t, "OPERATIONS.md"), "| metric | alert when |")
	table, _, _ = strings.Cut(table, "\n\n")
	promised := regexp.MustCompile("(?m)^\\| `(\\w+)`").FindAllStringSubmatch(table, -1)
	if len(promised) < 9 {
		t.Errorf("the page promises %d alerts", len(promised))
	}
	list := alerts(t)
	for _, m := range promised {
		if !slices.ContainsFunc(list, func(a alert) bool { return strings.Contains(a.Expr, m[1]) }) {
			t.Errorf("no rule asks for %s", m[1])
		}
	}
}

// TestProxiesLeadToTheSiteAlone holds the configurations against the program's defaults.
func TestProxiesLeadToTheSiteAlone(t *testing.T) {
	c, err := loadConfig([]string{configVariable + "=" + noConfig})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"production/Caddyfile", "production/nginx.conf"} {
		if text := production(t, name); !strings.Contains(text, c.Addr) || strings.Contains(text, c.MetricsAddr) {
			t.Errorf("%s leads elsewhere than to %s", name, c.Addr)
		}
	}
	if text := production(t, "prometheus/prometheus.yml"); !strings.Contains(text, c.MetricsAddr) {
		t.Errorf("Prometheus does not ask %s", c.MetricsAddr)
	}
}
