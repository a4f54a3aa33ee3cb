package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	chquestions "bitacora/adapters/engines/questions"
	"bitacora/cmd/bitacora/eventlog"
	"bitacora/cmd/bitacora/programtest"
)

func TestTheAuditTellsWhoDidWhat(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewProgram(t)
	p.Made()
	const secret = "seis caballos cruzan"
	for _, arguments := range [][]string{
		{"add", "ana@clinica.example", "--password-stdin"},
		{"role", "ana@clinica.example", "owner"},
		{"add", "luis@clinica.example", "--password-stdin"},
		{"password", "luis@clinica.example", "--password-stdin"},
		{"remove", "luis@clinica.example"},
	} {
		if out, err := p.Run(secret, append([]string{"staff"}, arguments...)...); err != nil {
			t.Fatalf("staff %q: %v\n%s", arguments, err, out)
		}
	}
	lines := func(arguments ...string) (told []string) {
		t.Helper()
		out, err := p.Run("", append([]string{"audit", "--json"}, arguments...)...)
		if err != nil {
			t.Fatalf("audit %q: %v\n%s", arguments, err, out)
		}
		for line := range strings.Lines(out) {
			var l eventlog.AuditLine
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if l.Who != "operator" || !strings.HasSuffix(l.Time, "-05:00") {
				t.Errorf("%s", line)
			}
			told = append(told, l.What)
		}
		return told
	}
	for _, c := range []struct {
		asked []string
		want  []string
	}{
		{nil, []string{"StaffAccountAdded", "StaffRoleChanged", "StaffAccountAdded", "StaffPasswordChanged", "StaffAccountRemoved"}},
		{[]string{"--who", "Ana@clinica.example"}, []string{"StaffAccountAdded", "StaffRoleChanged"}},
		{[]string{"--what", "StaffAccountRemoved,StaffRoleChanged"}, []string{"StaffRoleChanged", "StaffAccountRemoved"}},
		{[]string{"--who", "nadie@clinica.example"}, nil},
		{[]string{"--since", "2020-01-01", "--until", "2020-12-31"}, nil},
	} {
		if got := lines(c.asked...); !slices.Equal(got, c.want) {
			t.Errorf("audit %q: %q, want %q", c.asked, got, c.want)
		}
	}
	if out, err := p.Run("", "audit"); err != nil || !strings.Contains(strings.Join(strings.Fields(out), " "), "operator StaffRoleChanged ana@clinica.example role=owner") {
		t.Errorf("%v\n%s", err, out)
	}
	// Analysts' questions stand among the events, by their time.
	kept := filepath.Join(p.Dir, "data", "questions")
	if home, err := os.Readlink(filepath.Join(p.Dir, "data", "engines")); err == nil {
		kept = filepath.Join(home, "questions")
	}
	if err := os.MkdirAll(kept, 0o700); err != nil {
		t.Fatal(err)
	}
	record := chquestions.NewRecord(kept)
	for _, at := range []time.Time{time.Now().Add(-time.Hour), time.Now()} {
		if err := record.Add(chquestions.Question{At: at, User: "analyst", Rows: 12}); err != nil {
			t.Fatal(err)
		}
	}
	all, err := p.Run("", "audit")
	if err != nil {
		t.Fatal(err)
	}
	told := strings.Split(strings.TrimSpace(all), "\n")
	if first, last := told[1], told[len(told)-1]; len(told) != 8 || !strings.Contains(strings.Join(strings.Fields(first), " "), " analyst AnalystAsked ") || !strings.Contains(last, "rows=12") {
		t.Errorf("with questions:\n%s", all)
	}
	if out, err := p.Run("", "audit", "--what", "AnalystAsked", "--who", "analyst", "--json"); err != nil || strings.Count(out, "\n") != 2 {
		t.Errorf("questions alone: %v\n%s", err, out)
	}
	for _, wrong := range [][]string{{"--what", "Nothing"}, {"--since", "gestern"}} {
		if out, err := p.Run("", append([]string{"audit"}, wrong...)...); err == nil {
			t.Errorf("audit %q:\n%s", wrong, out)
		}
	}
}
