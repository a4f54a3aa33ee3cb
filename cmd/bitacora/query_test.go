package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
)

func TestAQuestionOfTheDashboardIsPrintedAndRun(t *testing.T) {
	enginestest.Long(t)
	p, a, _ := programtest.Running(t)
	p.Applied(a)
	sql, err := os.ReadFile("../../adapters/clickhouse/queries/conversation_count.sql")
	if err != nil {
		t.Fatal(err)
	}
	if out := p.MustRun("query", "conversation_count"); out != string(sql) {
		t.Errorf("printed:\n%s", out)
	}
	november := " --run --from 2026-11-01 --to 2026-11-30"
	for line, says := range map[string]string{
		"conversation_count" + november:                                " 6 ",
		"conversation_count" + november + " --filter lead=true,hour=3": " 0 ",
		"conversation_count --run --from 2026-10-01 --to 2026-10-31":   " 0 ",
		"messages" + november + " --param conversation_id=visit-1":     "hola",
		"conversations" + november:                                     "before_started_at",
		"conversation_counts":                                          "conversation_count, conversations",
		"--help":                                                       "NAME is one of contact_counts, contacts",
		"conversation_count --run --from 2026-11-30 --to 2026-11-01":   "posterior",
	} {
		if out, _ := p.Run("", append([]string{"query"}, strings.Fields(line)...)...); !strings.Contains(out, says) {
			t.Errorf("bitacora query %s does not say %q:\n%s", line, says, out)
		}
	}
	for _, filter := range []string{"hour=25", "leads=true", "lead=yes"} {
		out, err := p.Run("", append([]string{"query", "conversation_count", "--filter", filter}, strings.Fields(november)...)...)
		var ended *exec.ExitError
		if !errors.As(err, &ended) || ended.ExitCode() != 2 || !strings.Contains(out, "'lead':'true|false'") {
			t.Errorf("--filter %s: %v\n%s", filter, err, out)
		}
	}
}

func TestAFileOfSQLIsRunOnTheViews(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, _ := programtest.Running(t)
	p.Applied(a)
	p.Published(a)
	file := filepath.Join(p.Dir, "one.sql")
	for sql, answers := range map[string]map[string]string{
		"SELECT sum(conversations) AS n, 'a' AS b FROM kpis_daily WHERE date <= today()": {"csv": "\"n\",\"b\"\n6,\"a\"\n", "json": `{"n":6,"b":"a"}` + "\n", "xml": "csv, json, table"},
		"DROP VIEW conversations":         {"csv": "readonly"},
		"SELECT count() FROM nonsense":    {"csv": "nonsense"},
		"SELECT toString(today()) = '' x": {"table": "x"},
	} {
		if err := os.WriteFile(file, []byte(sql), 0o600); err != nil {
			t.Fatal(err)
		}
		for format, says := range answers {
			if out, _ := p.Run("", "query", file, "--format", format); !strings.Contains(out, says) {
				t.Errorf("%s as %s does not say %q:\n%s", sql, format, says, out)
			}
		}
	}
}

// TestAnExportGoesOn after it was killed, with the files of one that was not, and writes nothing twice.
func TestAnExportGoesOn(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, visits := programtest.Running(t)
	p.Applied(a)
	p.Published(a)
	whole, killed := filepath.Join(p.Dir, "whole"), filepath.Join(p.Dir, "killed")
	p.MustRun("export", whole)
	c := p.Command("export", killed)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p.Eventually("the first file", time.Minute, func() error {
		if found, err := filepath.Glob(filepath.Join(killed, "*", "*.parquet")); err != nil || len(found) == 0 {
			return fmt.Errorf("no file yet: %v", err)
		}
		return nil
	})
	if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	t.Logf("the first export ended: %v", c.Wait())
	p.MustRun("export", killed)
	want, got := filesBelow(t, whole), filesBelow(t, killed)
	for name, file := range want { // but for the manifests, since an export is itself an event of the log
		if other := got[strings.Replace(name, whole, killed, 1)]; filepath.Ext(name) == ".parquet" && other.content != file.content {
			t.Errorf("%s differs", name)
		}
	}
	// An export is itself an access to data, and a row of the next one.
	if out := p.MustRun("export", whole); !strings.Contains(out, " 1 of them written now") {
		t.Errorf("nothing else came, and it says %s", out)
	}
	visits[0].Say("una más")
	p.Applied(a)
	if out := p.MustRun("export", whole); strings.Contains(out, " 1 of them written now") {
		t.Errorf("a message came, and it says %s", out)
	}
	if err := os.Mkdir(filepath.Join(p.Dir, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.Dir, "full", "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for line, says := range map[string]string{p.Dir + "/full": "contains other files", p.Dir + "/new --format csv": "parquet"} {
		if out, err := p.Run("", append([]string{"export"}, strings.Fields(line)...)...); err == nil || !strings.Contains(out, says) {
			t.Errorf("export %s: %v, %s", line, err, out)
		}
	}
}

// TestAnalystsHaveAccountsOfTheirOwn while everything runs: the engine goes on through each change.
func TestAnalystsHaveAccountsOfTheirOwn(t *testing.T) {
	enginestest.Long(t)
	p, a, _ := programtest.RunningEmbedded(t)
	p.Published(a)
	engine := p.Pid("clickhouse")
	ask := func(name, password string) (status int) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.At.AnalystURL, strings.NewReader("SELECT count() FROM conversations"))
		if err != nil {
			t.Fatal(err)
		}
		r.SetBasicAuth(name, password)
		response, err := programtest.HTTPClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.StatusCode
	}
	secret := func(out string) string {
		t.Helper()
		_, password, found := strings.Cut(strings.TrimSpace(out), "not shown again: ")
		if !found {
			t.Fatalf("no password in %s", out)
		}
		return password
	}
	if out := p.MustRun("analyst", "list"); !strings.Contains(out, "Nobody yet") {
		t.Errorf("list: %s", out)
	}
	first := secret(p.MustRun("analyst", "add", "ana"))
	if status := ask("ana", first); status != http.StatusOK {
		t.Errorf("ana asks: %d", status)
	}
	if out := p.MustRun("analyst", "list"); !strings.HasPrefix(out, "ana ") || strings.Contains(out, first) {
		t.Errorf("list: %s", out)
	}
	second := secret(p.MustRun("analyst", "rotate", "ana"))
	if before, after := ask("ana", first), ask("ana", second); before == http.StatusOK || after != http.StatusOK {
		t.Errorf("after a rotation: %d with the former password, %d with the present one", before, after)
	}
	if out := p.MustRun("audit", "--what", "AnalystAsked"); !strings.Contains(out, "ana") {
		t.Errorf("audit: %s", out)
	}
	p.MustRun("analyst", "revoke", "ana")
	if status := ask("ana", second); status == http.StatusOK {
		t.Error("ana asks after the revocation")
	}
	if engine != p.Pid("clickhouse") {
		t.Error("the engine was started again")
	}
	said := p.Output.String() + p.MustRun("audit") + p.MustRun("analyst", "list")
	for _, password := range []string{first, second} {
		if strings.Contains(said, password) {
			t.Errorf("the password %s is shown again in %s", password, said)
		}
	}
	for line, says := range map[string]string{
		"add analyst": "cannot be called", "add Ana": "cannot be called", "add a;b": "cannot be called", "rotate eva": "no analyst eva", "revoke eva": "no analyst eva",
	} {
		if out, err := p.Run("", append([]string{"analyst"}, strings.Fields(line)...)...); err == nil || !strings.Contains(out, says) {
			t.Errorf("analyst %s: %s", line, out)
		}
	}
	p.MustRun("analyst", "add", "eva")
	if out, err := p.Run("", "analyst", "add", "eva"); err == nil || !strings.Contains(out, "analyst rotate eva") {
		t.Errorf("added twice: %s", out)
	}
}
