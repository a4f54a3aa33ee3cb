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
