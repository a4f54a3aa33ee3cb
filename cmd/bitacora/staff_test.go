package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWeakPasswordsAreRefusedOnTheCommandLine(t *testing.T) {
	p := newProgram(t)
	for _, command := range []string{"add", "password"} {
		for password, says := range map[string]string{
			"corta":            "entre 12 y 128 caracteres",
			"Contraseña2026":   "demasiado fácil de adivinar",
			"ana.gomez-2026":   "el nombre de la cuenta",
			"clínica regency!": "el de la clínica",
		} {
			out, err := p.run(password, "staff", command, "ana.gomez@clinica.example", "--password-stdin")
			if err == nil || !strings.Contains(out, says) || strings.Contains(out, password) {
				t.Errorf("staff %s, %s: %v\n%s", command, password, err, out)
			}
		}
	}
	// Nothing was begun for them.
	if _, err := os.Stat(filepath.Join(p.dir, "data")); !os.IsNotExist(err) {
		t.Errorf("the data directory: %v", err)
	}
}

func TestRolesOnTheCommandLine(t *testing.T) {
	p := newProgram(t)
	const secret = "seis caballos cruzan"
	run := func(says string, fails bool, arguments ...string) {
		t.Helper()
		out, err := p.run(secret, append([]string{"staff"}, arguments...)...)
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
	p := newProgram(t)
	p.start()
	const way = "bitacora staff add EMAIL --role owner"
	if !strings.Contains(p.output.String(), way) {
		t.Errorf("nothing leads to a first account:\n%s", p.output)
	}
	p.signIn()
	p.stop()
	p.start()
	if strings.Contains(p.output.String(), way) {
		t.Errorf("there is an account:\n%s", p.output)
	}
}
