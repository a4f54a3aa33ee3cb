package main

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// TestAWrongCommandLineEndsWithTwo checks each kind of mistake by the program's exit code.
// None of them gets as far as to open a database.
func TestAWrongCommandLineEndsWithTwo(t *testing.T) {
	p := newProgram(t)
	for line, says := range map[string]string{
		"nonsense":                  `unknown command "nonsense" for "bitacora" (see bitacora --help)`,
		"rebiuld":                   `did you mean "rebuild"?`,
		"log nonsense":              `unknown command "nonsense" for "bitacora log"`,
		"parked nonsense":           "(see bitacora parked --help)",
		"staff nonsense":            "(see bitacora staff --help)",
		"content nonsense":          "(see bitacora content --help)",
		"projections nonsense":      "(see bitacora projections --help)",
		"serve now":                 "(see bitacora serve --help)",
		"migrate now":               "(see bitacora migrate --help)",
		"rebuild --quickly":         "unknown flag: --quickly (see bitacora rebuild --help)",
		"rebuild --rate fast":       "(see bitacora rebuild --help)",
		"rebuild b2":                "(see bitacora rebuild --help)",
		"verify b1 b2":              "(see bitacora verify --help)",
		"rollback b1 b2":            "(see bitacora rollback --help)",
		"parked skip":               "(see bitacora parked skip --help)",
		"restore":                   "(see bitacora restore --help)",
		"assistant eval":            "(see bitacora assistant eval --help)",
		"query nonsense":            "(see bitacora query --help)",
		"projections drop":          "(see bitacora projections drop --help)",
		"projections --window soon": "(see bitacora projections --help)",
	} {
		out, err := p.run("", strings.Fields(line)...)
		var ended *exec.ExitError
		if !errors.As(err, &ended) || ended.ExitCode() != exitMisused || !strings.Contains(out, says) {
			t.Errorf("bitacora %s: %v, want exit code %d and %q:\n%s", line, err, exitMisused, says, out)
		}
	}
}
