package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/postgres/logdump"
)

// writeBundle makes a bundle without keys that was written at a time.
func writeBundle(t *testing.T, path string, at time.Time) {
	t.Helper()
	text := func(sum string) []byte {
		header, err := json.Marshal(logdump.Bundle{WrittenAt: at, SHA256: sum})
		if err != nil {
			t.Fatal(err)
		}
		return append(header, '\n')
	}
	writeBundleOf(t, path, text(""))
}

// writeBundleOf writes a bundle that was changed, with the checksum that it has now.
func writeBundleOf(t *testing.T, path string, text []byte) {
	t.Helper()
	with := func(sum string) []byte { return bundleSum.ReplaceAll(text, []byte(`"sha256":"`+sum+`"`)) }
	sum := sha256.Sum256(with(strings.Repeat("0", 64)))
	write(t, path, with(hex.EncodeToString(sum[:])), 0o600)
}

var bundleSum = regexp.MustCompile(`"sha256":"[^"]*"`)

func write(t *testing.T, path string, text []byte, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func TestDoctorLooksAfterTheKeys(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	fresh := func(t *testing.T, c config) { writeBundle(t, c.keyBundle(), now.Add(-time.Hour)) }
	for name, test := range map[string]struct {
		set                func(*testing.T, config)
		said, todo, advice string
	}{
		"as it should be":  {fresh, "with 0 keys, 0 erasures", "", ""},
		"no bundle yet":    {func(*testing.T, config) {}, "no key bundle yet", "", "nothing could be restored"},
		"a damaged bundle": {func(t *testing.T, c config) { write(t, c.keyBundle(), []byte("{}\n"), 0o600) }, "not a whole key bundle", "bitacora keys bundle", ""},
		"an old bundle":    {func(t *testing.T, c config) { writeBundle(t, c.keyBundle(), now.AddDate(0, 0, -9)) }, "2026-11-11", "", "9 days old"},
		"erased since": {func(t *testing.T, c config) {
			fresh(t, c)
			if err := c.ledger().Add([]string{"chat-1"}, now); err != nil {
				t.Fatal(err)
			}
		}, "1 erasures", "", "somebody was erased after"},
		"a damaged ledger": {func(t *testing.T, c config) { fresh(t, c); write(t, c.ledger().Path(), []byte("x\n"), 0o600) }, "is damaged", "as it says", ""},
		"for all to read":  {func(t *testing.T, c config) { fresh(t, c); write(t, c.ledger().Path(), nil, 0o644) }, "erasures", "chmod go=", ""},
		"a key for all to read": {func(t *testing.T, c config) {
			fresh(t, c)
			write(t, filepath.Join(c.keys().Dir, "epoch-0000.key"), nil, 0o640)
		}, "epoch-0000.key", "chmod go=", ""},
		"copies in the clear": {func(t *testing.T, c config) {
			fresh(t, c)
			write(t, filepath.Join(c.DataDir, "clickhouse", "backups", "one"), nil, 0o600)
		}, "with 0 keys", "", "hold in the clear"},
	} {
		t.Run(name, func(t *testing.T) {
			c := config{DataDir: t.TempDir()}
			test.set(t, c)
			f := keysAtRest(c, time.UTC)
			if !strings.Contains(f.Sentence, test.said) || !strings.Contains(f.text(), test.todo) || (f.Status == statusFailed) != (test.todo != "") {
				t.Errorf("found %+v", f)
			}
			want := test.advice
			if want == "" {
				want = "beside the data"
			}
			if advice := keysAdvice(c, now); advice.Status != statusWarning || advice.text() == "" || !strings.Contains(advice.Sentence, want) {
				t.Errorf("advised: %+v", advice)
			}
		})
	}
}
