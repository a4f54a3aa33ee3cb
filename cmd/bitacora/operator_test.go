package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
)

// TestOperatorsAreInTheAudit does to the log and its tables what the command line can.
func TestOperatorsAreInTheAudit(t *testing.T) {
	p := newProgram(t)
	p.start()
	p.talkOnce(t)
	p.mustRun("rebuild")
	p.mustRun("rollback")
	p.mustRun("log", "export")
	p.mustRun("log", "export", "--personal")
	p.mustRun("parked", "retry") // nothing waits
	var told []string
	out := p.mustRun("audit", "--who", "operator", "--json")
	for line := range strings.Lines(out) {
		var l auditLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if l.Who != "operator" || l.Account != "" {
			t.Errorf("%s", line)
		}
		told = append(told, fmt.Sprint(l.What, l.Details))
	}
	if want := []string{"BuildSwitchedmap[from:b2 to:b1]", "LogExportedmap[]"}; len(told) != 3 || !strings.HasPrefix(told[0], "TablesRebuiltmap[build:b2 former:b1 through:") || !slices.Equal(told[1:], want) {
		t.Errorf("told %q", told)
	}

	owner := p.signIn()
	p.mustRun("staff", "role", "ana@clinica.example", "owner")
	var entries []contract.AuditEntry
	if err := p.get("/api/audit?account=operator&what=BuildSwitched", owner, &entries); err != nil || len(entries) != 1 || entries[0].Who != "operator" || entries[0].Account != "operator" {
		t.Errorf("%+v, %v", entries, err)
	}
	p.eventually("every build that is kept up holds the whole log", 20*time.Second, func() error {
		list, err := p.app().db.BuildStatuses(t.Context())
		for _, s := range list {
			if s.Lag() > 0 {
				return fmt.Errorf("%s is %d behind", s.Name, s.Lag())
			}
		}
		return err
	})
}

// talkOnce has a visitor say something.
func (p *program) talkOnce(t *testing.T) {
	t.Helper()
	if err := p.post("/api/chatbot", contract.ChatRequest{Message: "Hola", SessionID: "s-operator-1"}, nil); err != nil {
		t.Fatal(err)
	}
}
