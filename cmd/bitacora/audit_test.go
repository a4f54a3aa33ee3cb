package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestTheAuditTellsWhoDidWhat(t *testing.T) {
	p := newProgram(t)
	p.made()
	const secret = "seis caballos cruzan"
	for _, arguments := range [][]string{
		{"add", "ana@clinica.example", "--password-stdin"},
		{"role", "ana@clinica.example", "owner"},
		{"add", "luis@clinica.example", "--password-stdin"},
		{"password", "luis@clinica.example", "--password-stdin"},
		{"remove", "luis@clinica.example"},
	} {
		if out, err := p.run(secret, append([]string{"staff"}, arguments...)...); err != nil {
			t.Fatalf("staff %q: %v\n%s", arguments, err, out)
		}
	}
	lines := func(arguments ...string) (told []string) {
		t.Helper()
		out, err := p.run("", append([]string{"audit", "--json"}, arguments...)...)
		if err != nil {
			t.Fatalf("audit %q: %v\n%s", arguments, err, out)
		}
		for line := range strings.Lines(out) {
			var l auditLine
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
	if out, err := p.run("", "audit"); err != nil || !strings.Contains(strings.Join(strings.Fields(out), " "), "operator StaffRoleChanged ana@clinica.example role=owner") {
		t.Errorf("%v\n%s", err, out)
	}
	for _, wrong := range [][]string{{"--what", "Nothing"}, {"--since", "gestern"}} {
		if out, err := p.run("", append([]string{"audit"}, wrong...)...); err == nil {
			t.Errorf("audit %q:\n%s", wrong, out)
		}
	}
}
