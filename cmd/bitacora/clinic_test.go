package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/content"
	"bitacora/domain/clinic"
)

// runs gives what a command prints, without the databases.
func runs(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&out)
	err := root.ExecuteContext(t.Context())
	return out.String(), err
}

func TestTheClinicsFileIsChecked(t *testing.T) {
	t.Setenv("BITACORA_CLINIC_FILE", "")
	write := func(text string) string {
		file := filepath.Join(t.TempDir(), "clinic.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	whole := write(strings.NewReplacer(".example", ".test", "-0110", "-7110").Replace(string(clinic.Example())))
	broken := write("{\n  \"parkin\": \"Sí.\",\n  \"children\": {\n    \"fromMonths\": \"dos\"\n  }\n}\n")
	for name, tt := range map[string]struct {
		file  string
		found bool
		want  []string
	}{
		"nothing to say": {whole, false, []string{"no mistakes, 0 placeholders, 0 facts not told"}},
		"mistakes": {broken, true, []string{
			broken + ":2: parkin: is no field; did you mean parking?", broken + ":4: children.fromMonths: is no whole number from 0 to 216",
			"2 mistakes; a program would not start",
		}},
		"built in": {"", true, []string{
			"placeholder  phones                 +507 200-0101", "placeholder  name                   Clínica Dental Regency", "placeholder  links.map",
			"not told     parking                Estacionamiento", "the built-in facts: no mistakes, 11 placeholders, 16 facts not told.",
		}},
	} {
		args := []string{"clinic", "check", tt.file}
		if tt.file == "" {
			args = args[:2]
		}
		out, err := runs(t, args...)
		if errors.Is(err, command.ErrFound) != tt.found || !tt.found && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, want := range tt.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, out)
			}
		}
	}
	t.Setenv("BITACORA_CLINIC_FILE", broken)
	out, err := runs(t, "clinic", "check", "--json")
	var r content.ClinicReport
	if !errors.Is(err, command.ErrFound) || json.Unmarshal([]byte(out), &r) != nil || len(r.Mistakes) != 2 || r.Mistakes[1].Line != 4 || r.Mistakes[1].Path != "children.fromMonths" {
		t.Errorf("as JSON: %v\n%s", err, out)
	}
	if _, err := runs(t, "clinic", "check", "nowhere.json"); err == nil || errors.Is(err, command.ErrFound) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestTheClinicsFactsAreShown(t *testing.T) {
	example, err := runs(t, "clinic", "example")
	if err != nil || example != string(clinic.Example()) {
		t.Errorf("example: %v\n%s", err, example)
	}
	shown := func(text string) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "clinic.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := runs(t, "clinic", "show", file)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return out
	}
	out := shown(strings.ReplaceAll(example, ".example", ".test"))
	for _, f := range clinic.Default().Untold() {
		if !strings.Contains(out, f.Name) {
			t.Errorf("%s is not shown:\n%s", f.Name, out)
		}
	}
	// The example's own links lead nowhere: visitors are not sent there.
	if out := shown(example); strings.Contains(out, "Reservas") || strings.Contains(out, "https://mapa.") {
		t.Errorf("a link to nowhere is shown:\n%s", out)
	}
}
