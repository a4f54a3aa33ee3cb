package engines

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// It is not parallel: the mask is the whole process's.
func TestCopiesAreForEverybody(t *testing.T) {
	before := syscall.Umask(0o077)
	t.Cleanup(func() { syscall.Umask(before) })
	source, target := filepath.Join(t.TempDir(), "native"), filepath.Join(t.TempDir(), "copy", "native")
	want := map[string]fs.FileMode{"..": 0o755, ".": 0o755, "bin": 0o755, "bin/postgres": 0o755, "share.txt": 0o644}
	write(t, filepath.Join(source, "bin", "postgres"), "program")
	write(t, filepath.Join(source, "share.txt"), "text")
	chmod(t, filepath.Join(source, "bin", "postgres"), 0o700)
	chmod(t, filepath.Join(source, "share.txt"), 0o600)
	chmod(t, filepath.Join(source, "bin"), 0o700)
	if err := os.Symlink("share.txt", filepath.Join(source, "link")); err != nil {
		t.Fatal(err)
	}
	if err := copyTree(target, source); err != nil {
		t.Fatal(err)
	}
	for name, mode := range want {
		info, err := os.Stat(filepath.Join(target, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != mode {
			t.Errorf("%s: %v, want %v", name, got, mode)
		}
	}
	if text, err := os.ReadFile(filepath.Join(target, "bin", "postgres")); err != nil || string(text) != "program" {
		t.Errorf("the program is %q, %v", text, err)
	}
}
