package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/offsite"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/clinic"
)

var rewrite = flag.Bool("update", false, "write schema/reference anew")

const referenceFolder = "../../schema/reference"

// generated ends the first paragraph of every page of the reference.
const generated = "This page is generated: `go test ./cmd/bitacora -run TestReference -update`.\n"

// writtenElsewhere are the pages that other tests and "npm run bench" write.
var writtenElsewhere = []string{"views.md", "events.md", "measurements.md", "measurements.json"}

// TestReference holds the pages of schema/reference to the program.
func TestReference(t *testing.T) {
	t.Parallel()
	pages := map[string]string{
		"settings.md": settingsPage(), "commands.md": commandsPage(), "metrics.md": metricsPage(t), "files.md": filesPage(),
	}
	for name, text := range pages {
		file := filepath.Join(referenceFolder, name)
		if *rewrite {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if kept, err := os.ReadFile(file); err != nil || string(kept) != text {
			t.Errorf("%s is not of this program (%v): go test ./cmd/bitacora -run TestReference -update", file, err)
		}
	}
	entries, err := os.ReadDir(referenceFolder)
	if err != nil || len(entries) != len(pages)+len(writtenElsewhere) {
		t.Errorf("%s contains %d files, %v", referenceFolder, len(entries), err)
	}
	for _, name := range writtenElsewhere {
		if _, err := os.Stat(filepath.Join(referenceFolder, name)); err != nil {
			t.Error(err)
		}
	}
}

// table is one in Markdown.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		for _, cell := range cells {
			b.WriteString("| " + strings.ReplaceAll(strings.TrimSpace(cell), "|", `\|`) + " ")
		}
		b.WriteString("|\n")
	}
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

func settingsPage() string {
	var rows [][]string
	for _, s := range settings.All() {
		secret := ""
		if s.Secret {
			secret = "yes"
		}
		rows = append(rows, []string{code(s.Name), code(s.Standard), s.Help, secret})
	}
	return "# Settings\n\nThe environment or the configuration file contains them ([how to change one](../OPERATIONS.md#change-a-setting)). A secret may lie in a\n" +
		"file: the setting with `_FILE` at the end of its name contains the path. " + generated + "\n" +
		table([]string{"setting", "default", "meaning", "secret"}, rows)
}

func commandsPage() string {
	var b strings.Builder
	b.WriteString("# Commands\n\nThe same text is printed by `--help`. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a check found something.\n" + generated)
	describe(&b, newRoot())
	return b.String()
}

// describe writes the section of a command and those of the commands below it.
func describe(b *strings.Builder, c *cobra.Command) {
	if c.Hidden {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n", c.CommandPath())
	long := strings.Replace(cmp.Or(c.Long, c.Short+"."), settings.Help(), "Settings: [settings](settings.md).", 1)
	for line := range strings.Lines(strings.TrimSpace(long)) {
		if strings.HasPrefix(line, "  ") {
			line = "  " + line // preformatted in Markdown
		}
		b.WriteString(line)
	}
	usage := strings.TrimSuffix(c.UseLine(), " [flags]")
	if flags := c.LocalNonPersistentFlags().FlagUsages(); c.HasAvailableLocalFlags() && flags != "" {
		usage += "\n\n" + strings.TrimRight(flags, "\n")
	}
	if c.Example != "" {
		usage += "\n\n" + c.Example
	}
	if !c.HasSubCommands() || c.Example != "" {
		fmt.Fprintf(b, "\n\n```text\n%s\n```\n", usage)
	} else {
		b.WriteString("\n")
	}
	for _, sub := range c.Commands() {
		describe(b, sub)
	}
}

var described = regexp.MustCompile(`fqName: "([^"]+)", help: "([^"]+)", .*variableLabels: \{([^}]*)\}`)

func metricsPage(t *testing.T) string {
	t.Helper()
	rows := [][]string{{code("bitacora_http_request_duration_seconds"), "histogram", "method, route, status", "Time from the request's head to the end of the answer."}}
	for _, c := range append(app.NewMeters().Collectors(settings.Config{}, nil), app.VersionCollector(&contract.Version{}), app.CertificateCollector(nil), new(offsite.Shipper)) {
		list := make(chan *prometheus.Desc)
		go func() { c.Describe(list); close(list) }()
		for d := range list {
			m := described.FindStringSubmatch(d.String())
			if m == nil {
				t.Fatalf("no description: %s", d)
			}
			kind := "gauge"
			if _, is := c.(*prometheus.HistogramVec); is {
				kind = "histogram"
			} else if strings.HasSuffix(m[1], "_total") {
				kind = "counter"
			}
			rows = append(rows, []string{code(m[1]), kind, strings.ReplaceAll(m[3], ",", ", "), m[2]})
		}
	}
	slices.SortFunc(rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	var rules [][]string
	for _, a := range alerts(t) {
		rules = append(rules, []string{code(a.Alert), a.Labels.Severity, code(strings.Join(strings.Fields(a.Expr), " ")), cmp.Or(a.For, "at once"), a.Annotations.Description})
	}
	return "# Metrics and alerts\n\n`/metrics` at `BITACORA_METRICS_ADDR` reports them, beside those of Go and of the process. " + generated + "\n" +
		table([]string{"metric", "type", "labels", "meaning"}, rows) +
		"\n## Alerts\n\n[alerts.yml](../prometheus/alerts.yml) contains these rules ([how to load it](../PRODUCTION.md#alerts)).\n\n" +
		table([]string{"alert", "severity", "condition", "after", "begin with"}, rules)
}

// dataFiles are what lies in a data directory. TestOperationsPageRuns holds them to one.
var dataFiles = [][]string{
	{"analysts/", "named analysts' accounts, with hashes of their passwords (`bitacora analyst`)"},
	{"assets/", "files of the site of this release and the two before it"},
	{"backups/", "backups, a directory each (`BITACORA_BACKUP_DIR`); NAME.partial was interrupted"},
	{"certificates/", "certificates of `BITACORA_DOMAIN`, their keys, the account of the ACME server, and why an attempt failed"},
	{"clickhouse/", "the derived tables, and `chserver.log`"},
	{"clickhouse.damaged-TIME/", "damaged tables that were set aside; the two latest remain"},
	{"engines", "link to the engines' directory, where their user cannot enter this one"},
	{"engines.json", "lock, process, children and addresses of the engines"},
	{"guests.lock", "lock of the commands that use these engines"},
	{"keys/", "key files, `bundle`, `erasures`, `anchors`; `copy` while a command changes the files (`BITACORA_KEYS_DIR`)"},
	{"master.key", "key of an installation older than key epochs, until its first rotation"},
	{"outbox/", "letters to the staff, where no mail server is set"},
	{"postgres/", "the log, accounts, texts and pictures, and `postgres.log`"},
	{"questions/", "analysts' questions of the last 90 days"},
	{"secrets.json", "passwords of the embedded engines"},
}

func filesPage() string {
	var rows [][]string
	for _, f := range dataFiles {
		rows = append(rows, []string{code(f[0]), f[1]})
	}
	var fields [][]string
	for _, f := range clinic.Fields {
		without := "a placeholder, or a default"
		if f.Optional {
			without = "the assistant does not know it"
		}
		fields = append(fields, []string{code(f.Name), f.About, without})
	}
	var places [][]string
	for _, s := range clinic.PictureSlots {
		name := code(s.Name)
		if s.Of != "" {
			name = code(s.Name+"/") + " " + s.Of
		}
		places = append(places, []string{name, s.About, s.Ratio(), fmt.Sprintf("%d pixels wide", s.Least)})
	}
	return "# Files\n\n" + generated +
		"\n## The data directory\n\n`BITACORA_DATA_DIR`, by default `.data`.\n\n" + table([]string{"name", "contains"}, rows) +
		"\n## The clinic's file\n\n`BITACORA_CLINIC_FILE` names it; `bitacora clinic example` prints one with every field, `bitacora clinic check` looks at one.\n" +
		"Texts are Spanish, on one line, of at most 300 characters. Fields called `//` are comments.\n\n" +
		table([]string{"field", "contains", "without it"}, fields) +
		"\n## The clinic's pictures\n\n" +
		fmt.Sprintf("In `images/` of the content ([how to import](../OPERATIONS.md#texts-pictures-and-facts)): JPEG, PNG or WebP of at most %d MB and %d million pixels, %d MB together.\n\n",
			clinic.MaxPictureBytes>>20, clinic.MaxPicturePixels/1_000_000, clinic.MaxPicturesBytes>>20) +
		table([]string{"file", "shown", "cut to", "at least"}, places)
}
