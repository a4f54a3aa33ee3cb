package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

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
