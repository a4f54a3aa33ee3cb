package backup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/cmd/bitacora/programtest"
)

// TestKeysAreSealedByCommand: an older installation gets a master key, later another one, and then none.
func TestKeysAreSealedByCommand(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewEmbedded(t)
	first, second := "BITACORA_MASTER_KEY="+keyfiles.NewMasterKey().Text(), "BITACORA_MASTER_KEY="+keyfiles.NewMasterKey().Text()
	before := strings.Replace(first, "KEY=", "KEY_BEFORE=", 1)
	plain := p.Environ
	called := func(line string, settings ...string) (string, error) {
		t.Helper()
		p.Environ = append(plain[:len(plain):len(plain)], settings...)
		return p.Run("", strings.Fields(line)...)
	}
	works := func(line string, settings ...string) {
		t.Helper()
		if out, err := called(line, settings...); err != nil {
			t.Errorf("bitacora %s with %v: %v\n%s", line, settings, err, out)
		}
	}
	refused := func(says, line string, settings ...string) {
		t.Helper()
		if out, err := called(line, settings...); err == nil || !strings.Contains(out, says) {
			t.Errorf("bitacora %s with %v: %v, want %q\n%s", line, settings, err, says, out)
		}
	}
	works("demo --scale 0.01")
	refused("BITACORA_MASTER_KEY is not set", "keys seal")
	p.Environ = plain
	p.Start()
	refused("(bitacora serve) uses these keys: stop it first", "keys seal", first)
	p.Stop()
	refused("call bitacora keys seal", "log check", first)
	works("keys seal", first)
	works("log check", first)
	refused("BITACORA_MASTER_KEY is not set", "log check")
	refused("another master key", "log check", second)
	refused("another master key", "keys seal", second)
	works("keys rotate", second, before) // the new key is sealed by the new master key
	works("keys seal", second, before)
	works("log check", second)
	works("keys unseal", second)
	works("log check")

	// Keys that were brought for a restore are sealed before there is a log.
	q := programtest.NewEmbedded(t, first)
	if err := os.CopyFS(filepath.Join(q.Dir, "data", "keys"), os.DirFS(filepath.Join(p.Dir, "data", "keys"))); err != nil {
		t.Fatal(err)
	}
	q.MustRun("keys", "seal")
	if found, err := filepath.Glob(filepath.Join(q.Dir, "data", "*")); err != nil || len(found) != 1 {
		t.Errorf("a data directory was begun: %v, %v", found, err)
	}
}
