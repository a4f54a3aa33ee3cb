package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/adapters/engines"
	"bitacora/cmd/bitacora/programtest"
)

func TestWeakPasswordsAreRefusedOnTheCommandLine(t *testing.T) {
	p := programtest.NewProgram(t)
	// A data directory that has begun, in which no engine ever ran.
	data := filepath.Join(p.Dir, "data")
	if err := os.MkdirAll(filepath.Join(data, engines.Postgres), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"add", "password"} {
		for password, says := range map[string]string{
			"corta":            "entre 12 y 128 caracteres",
			"Contraseña2026":   "demasiado fácil de adivinar",
			"ana.gomez-2026":   "el nombre de la cuenta",
			"clínica regency!": "el de la clínica",
		} {
			out, err := p.Run(password, "staff", command, "ana.gomez@clinica.example", "--password-stdin")
			if err == nil || !strings.Contains(out, says) || strings.Contains(out, password) {
				t.Errorf("staff %s, %s: %v\n%s", command, password, err, out)
			}
		}
	}
	// No engine was started for them.
	for dir, want := range map[string]int{data: 1, filepath.Join(data, engines.Postgres): 0} {
		if left, err := os.ReadDir(dir); err != nil || len(left) != want {
			t.Errorf("in %s is %v, %v", dir, left, err)
		}
	}
}

func TestRolesOnTheCommandLine(t *testing.T) {
	p := programtest.NewProgram(t)
	p.Made()
	const secret = "seis caballos cruzan"
	run := func(says string, fails bool, arguments ...string) {
		t.Helper()
		out, err := p.Run(secret, append([]string{"staff"}, arguments...)...)
		if (err != nil) != fails || !strings.Contains(out, says) {
			t.Errorf("staff %q: %v\n%s", arguments, err, out)
		}
	}
	run(`there is no role "admin"`, true, "add", "ana@clinica.example", "--role", "admin", "--password-stdin")
	run("as staff", false, "add", "luis@clinica.example", "--password-stdin")
	run("as owner", false, "add", "ana@clinica.example", "--role", "owner", "--password-stdin")
	run("luis@clinica.example is reader", false, "role", "luis@clinica.example", "reader")
	run(`there is no role "jefe"`, true, "role", "luis@clinica.example", "jefe")
	run("nadie@clinica.example has no account", true, "role", "nadie@clinica.example", "staff")
	for _, last := range [][]string{{"role", "ana@clinica.example", "staff"}, {"remove", "ana@clinica.example"}} {
		run("make another one first (bitacora staff role EMAIL owner)", true, last...)
	}
	run("ana@clinica.example    owner", false, "list")
	run("luis@clinica.example   reader", false, "list")
}

// TestTheStartSaysHowSomebodySignsIn: nobody is to look for the way in on a page of the documentation.
func TestTheStartSaysHowSomebodySignsIn(t *testing.T) {
	p := programtest.NewProgram(t)
	p.Start()
	const way = "bitacora staff add EMAIL --role owner"
	if !strings.Contains(p.Output.String(), way) {
		t.Errorf("nothing leads to a first account:\n%s", p.Output)
	}
	p.SignIn()
	p.Stop()
	p.Start()
	if strings.Contains(p.Output.String(), way) {
		t.Errorf("there is an account:\n%s", p.Output)
	}
}
