package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

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
