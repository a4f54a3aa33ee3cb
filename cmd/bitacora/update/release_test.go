package update

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/adapters/engines"
	"bitacora/cmd/bitacora/app"
)

// TestNothingIsUnpackedWithoutRoom: an archive takes a multiple of its size.
func TestNothingIsUnpackedWithoutRoom(t *testing.T) {
	usual := app.DiskOf
	defer func() { app.DiskOf = usual }()
	const size = 1000
	app.DiskOf = func(string) (engines.Disk, error) { return engines.Disk{Free: app.Spare + timesPacked*size - 1}, nil }
	file := filepath.Join(t.TempDir(), "bitacora.tar.gz")
	if err := os.WriteFile(file, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	archive, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	below := t.TempDir()
	if _, err := unpack(t.Context(), archive, below); err == nil || !strings.Contains(err.Error(), "left, and the release wants ") {
		t.Errorf("unpacked: %v", err)
	}
	if left, err := os.ReadDir(below); err != nil || len(left) > 0 {
		t.Errorf("%v lie there, %v", left, err)
	}
}
