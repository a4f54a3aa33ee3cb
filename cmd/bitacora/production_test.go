package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"bitacora/cmd/bitacora/settings"
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

// alert is the part of a rule that people read.
type alert struct {
	Alert, Expr, For string
	Labels           struct{ Severity string }
	Annotations      struct{ Summary, Description string }
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

// TestEveryAlertIsOnTheOperatorsPage finds an alert without a line for the night, and a line without its alert.
func TestEveryAlertIsOnTheOperatorsPage(t *testing.T) {
	page, rules := production(t, "OPERATIONS.md"), map[string]bool{}
	for _, a := range alerts(t) {
		rules[a.Alert] = true
		if !strings.Contains(page, "`"+a.Alert+"`") {
			t.Errorf("the page does not say what to do about %s", a.Alert)
		}
	}
	for _, m := range regexp.MustCompile("`(Bitacora[A-Z]\\w+)`").FindAllStringSubmatch(page, -1) {
		if !rules[m[1]] {
			t.Errorf("no rule is called %s", m[1])
		}
	}
}

// TestTheTemplateIsTheUnitOfOneOfSeveral holds the template for several clinics to be the unit in all but its names.
func TestTheTemplateIsTheUnitOfOneOfSeveral(t *testing.T) {
	template := production(t, "production/bitacora@.service")
	for _, own := range []string{"Environment=BITACORA_CONFIG=/etc/bitacora-%i/bitacora.env\n", "-%i", " (%i)"} {
		if !strings.Contains(template, own) {
			t.Errorf("the template has no %q", own)
		}
		template = strings.ReplaceAll(template, own, "")
	}
	if diff := cmp.Diff(production(t, "production/bitacora.service"), template); diff != "" {
		t.Error(diff)
	}
}

// TestProxiesLeadToTheSiteAlone holds the configurations against the program's defaults.
func TestProxiesLeadToTheSiteAlone(t *testing.T) {
	c, err := settings.Load([]string{settings.ConfigVariable + "=" + settings.NoConfig})
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

// block is a framed block of a page, under its heading.
type block struct{ Heading, Commands string }

// framed are the blocks of the guided page, and the headings below which something stands indented.
func framed(t *testing.T) (blocks []block, indented map[string]bool) {
	t.Helper()
	indented = map[string]bool{}
	heading, open := "", false
	for line := range strings.Lines(production(t, "PRODUCTION.md")) {
		switch {
		case strings.HasPrefix(line, "```") && open:
			open = false
		case line == "```sh\n":
			open = true
			blocks = append(blocks, block{Heading: heading})
		case strings.HasPrefix(line, "```"):
			t.Errorf("a block is framed as %q, which nobody runs", strings.TrimSpace(line))
		case open:
			blocks[len(blocks)-1].Commands += line
		case strings.HasPrefix(line, "#"):
			heading = strings.TrimSpace(strings.TrimLeft(line, "#"))
		case strings.HasPrefix(line, "    "):
			indented[heading] = true
		}
	}
	return blocks, indented
}

// fromOutside is all that the task does in the place of the world, by the heading of the block.
var fromOutside = map[string]string{
	"Install":                                "an empty machine with the release, to which a name leads",
	"The clinic's facts, texts and pictures": "what the clinic wrote, and its pictures",
	"With Caddy":                             "an authority that signs, and is believed",
	"With nginx":                             "a certificate that is believed, on a machine without Caddy",
	"Update, and go back":                    "the next release",
}

// TestTheProductionTaskRunsThePage holds what npm run production runs against the page: its blocks, all of
// them, as they stand and in their order, and beside them nothing that an operator would do.
func TestTheProductionTaskRunsThePage(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "node", "../tasks/guide.mjs").Output()
	if err != nil {
		t.Fatal(err)
	}
	var runs []struct {
		block
		Before, After string
	}
	if err := json.Unmarshal(out, &runs); err != nil {
		t.Fatal(err)
	}
	blocks, indented := framed(t)
	var run []block
	used := map[string]bool{}
	operators := regexp.MustCompile(`(?m)\bbitacora [a-z]|/etc/bitacora|systemctl (enable|start|restart)`)
	for _, r := range runs {
		run = append(run, r.block)
		outside := r.Before + r.After
		if outside == "" {
			continue
		}
		used[r.Heading] = true
		if fromOutside[r.Heading] == "" || !indented[r.Heading] {
			t.Errorf("%s: the page does not say that this comes from outside:\n%s", r.Heading, outside)
		}
		if found := operators.FindString(outside); found != "" {
			t.Errorf("%s: %q is an operator's to do, and not on the page", r.Heading, found)
		}
	}
	if d := cmp.Diff(blocks, run); d != "" || len(blocks) < 15 {
		t.Errorf("the task runs something else than the page's %d blocks:\n%s", len(blocks), d)
	}
	for heading := range fromOutside {
		if !used[heading] {
			t.Errorf("nothing comes from outside in %s", heading)
		}
	}
}

// TestTheProductionTaskOnlyLooks: what is run after a block asks, and does nothing that the page leaves out.
func TestTheProductionTaskOnlyLooks(t *testing.T) {
	does := regexp.MustCompile(`systemctl (enable|start|stop|restart)|/etc/|runuser`)
	for _, file := range []string{"outside.mjs", "published.mjs"} {
		looks, err := os.ReadFile(filepath.Join("../tasks", file))
		if err != nil {
			t.Fatal(err)
		}
		if found := does.FindString(string(looks)); found != "" {
			t.Errorf("%s does more than look: %s", file, found)
		}
	}
}
