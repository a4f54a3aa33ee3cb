package main

import (
	"errors"
	"fmt"
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
