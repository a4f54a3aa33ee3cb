package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/eventlog"
	"bitacora/cmd/bitacora/programtest"
)

// TestOperatorsAreInTheAudit does to the log and its tables what the command line can.
func TestOperatorsAreInTheAudit(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewProgram(t)
	p.Start()
	talkOnce(p, t)
	p.MustRun("rebuild")
	p.MustRun("rollback")
	p.MustRun("log", "export")
	p.MustRun("log", "export", "--personal")
	p.MustRun("export", filepath.Join(p.Dir, "views"))
	p.MustRun("parked", "retry") // nothing waits
	var told []string
	out := p.MustRun("audit", "--who", "operator", "--json")
	for line := range strings.Lines(out) {
		var l eventlog.AuditLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if l.Who != "operator" || l.Account != "" {
			t.Errorf("%s", line)
		}
		told = append(told, fmt.Sprint(l.What, l.Details))
	}
	if want := []string{"BuildSwitchedmap[from:b2 to:b1]", "LogExportedmap[]", "ExportTakenmap[format:parquet rows:views]"}; len(told) != 4 || !strings.HasPrefix(told[0], "TablesRebuiltmap[build:b2 former:b1 through:") || !slices.Equal(told[1:], want) {
		t.Errorf("told %q", told)
	}

	owner := p.SignIn()
	p.MustRun("staff", "role", "ana@clinica.example", "owner")
	var entries []contract.AuditEntry
	if err := p.Get("/api/audit?account=operator&what=BuildSwitched", owner, &entries); err != nil || len(entries) != 1 || entries[0].Who != "operator" || entries[0].Account != "operator" {
		t.Errorf("%+v, %v", entries, err)
	}
	p.Eventually("every build that is kept up holds the whole log", 20*time.Second, func() error {
		list, err := p.App().DB.BuildStatuses(t.Context())
		for _, s := range list {
			if s.Lag() > 0 {
				return fmt.Errorf("%s is %d behind", s.Name, s.Lag())
			}
		}
		return err
	})
}

// talkOnce has a visitor say something.
func talkOnce(p *programtest.Program, t *testing.T) {
	t.Helper()
	if err := p.Post("/api/chatbot", contract.ChatRequest{Message: "Hola", SessionID: "s-operator-1"}, nil); err != nil {
		t.Fatal(err)
	}
}
