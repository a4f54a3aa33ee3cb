package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bitacora/cmd/bitacora/settings"
)

// TestCompletionOffersWhatIsMeant asks as the shells' scripts do.
func TestCompletionOffersWhatIsMeant(t *testing.T) {
	const files, nothing, directories = ":0", ":4", ":16"
	t.Setenv(settings.ConfigVariable, settings.NoConfig)
	backups := t.TempDir()
	for line, want := range map[string]string{
		"reb":                             "rebuild\tMake the tables anew|" + nothing,
		"staff role ana@x.test ":          "owner|" + nothing,
		"staff add ana@x.test --role ":    "reader|" + nothing,
		"privacy erase x --reason ":       "request|" + nothing,
		"privacy export x --format ":      "json|" + nothing,
		"init --set BITACORA_SITE":        "BITACORA_SITE_URL=\tthe site's own address|:6",
		"init --set address":              "address.city=|:6",
		"query ":                          "kpis|" + files,
		"import ":                         "|" + files,
		"clinic check ":                   "|" + files,
		"assistant eval one ":             "|" + files,
		"content export ":                 "|" + directories,
		"serve ":                          "|" + nothing,
		"staff add ":                      "|" + nothing,
		"serve --config ":                 "|" + files,
		"restore --from " + backups + " ": "|" + nothing,
	} {
		words := strings.Split(line, " ")
		out, err := runs(t, append([]string{"__complete"}, words...)...)
		offers, directive, _ := strings.Cut(want, "|")
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if err != nil || lines[len(lines)-1] != directive && !slices.Contains(lines, directive) {
			t.Errorf("%q: %v\n%s, want %s", line, err, out, directive)
		}
		if offers != "" && !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, offers) }) {
			t.Errorf("%q does not offer %s:\n%s", line, offers, out)
		}
	}
}

// TestCompletionScripts are read by the shells that are here.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		script, err := runs(t, "completion", shell)
		if err != nil || !strings.Contains(script, "bitacora") {
			t.Errorf("%s: %v", shell, err)
		}
		path, err := exec.LookPath(shell)
		if err != nil || shell == "powershell" {
			continue
		}
		file := filepath.Join(t.TempDir(), "completion")
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(path, "-n", file).CombinedOutput(); err != nil {
			t.Errorf("%s does not read its script: %v\n%s", shell, err, out)
		}
	}
}
