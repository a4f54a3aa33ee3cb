package enginestest

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestSweep(t *testing.T) {
	held, err := tempDir()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(held)
	left, err := os.MkdirTemp("", tempPattern)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(left)
	if err := os.WriteFile(filepath.Join(left, "lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{held, left} {
		if err := os.Chtimes(dir, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	sweep()
	if _, err := os.Stat(held); err != nil {
		t.Errorf("a living process lost its directory: %v", err)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("a dead process's directory is still there: %v", err)
	}
}
