package doctor

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/settings"
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
	programtest.Write(t, path, with(hex.EncodeToString(sum[:])), 0o600)
}

var bundleSum = regexp.MustCompile(`"sha256":"[^"]*"`)

func TestDoctorLooksAfterTheKeys(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	fresh := func(t *testing.T, c settings.Config) { writeBundle(t, c.BundleFile(), now.Add(-time.Hour)) }
	for name, test := range map[string]struct {
		set                func(*testing.T, settings.Config)
		said, todo, advice string
	}{
		"as it should be":  {fresh, "with 0 keys, 0 erasures", "", ""},
		"no bundle yet":    {func(*testing.T, settings.Config) {}, "no key bundle yet", "", "nothing could be restored"},
		"a damaged bundle": {func(t *testing.T, c settings.Config) { programtest.Write(t, c.BundleFile(), []byte("{}\n"), 0o600) }, "not a whole key bundle", "bitacora keys bundle", ""},
		"an old bundle":    {func(t *testing.T, c settings.Config) { writeBundle(t, c.BundleFile(), now.AddDate(0, 0, -9)) }, "2026-11-11", "", "9 days old"},
		"erased since": {func(t *testing.T, c settings.Config) {
			fresh(t, c)
			if err := c.Ledger().Add([]string{"chat-1"}, now); err != nil {
				t.Fatal(err)
			}
		}, "1 erasures", "", "somebody was erased after"},
		"a damaged ledger": {func(t *testing.T, c settings.Config) {
			fresh(t, c)
			programtest.Write(t, c.Ledger().Path(), []byte("x\n"), 0o600)
		}, "is damaged", "as it says", ""},
		"for all to read": {func(t *testing.T, c settings.Config) {
			fresh(t, c)
			programtest.Write(t, c.Ledger().Path(), nil, 0o644)
		}, "erasures", "chmod go=", ""},
		"a key for all to read": {func(t *testing.T, c settings.Config) {
			fresh(t, c)
			programtest.Write(t, filepath.Join(c.Keys().Dir, "epoch-0000.key"), nil, 0o640)
		}, "epoch-0000.key", "chmod go=", ""},
		"copies in the clear": {func(t *testing.T, c settings.Config) {
			fresh(t, c)
			programtest.Write(t, filepath.Join(c.DataDir, "clickhouse", "backups", "one"), nil, 0o600)
		}, "with 0 keys", "", "hold in the clear"},
	} {
		t.Run(name, func(t *testing.T) {
			c := settings.Config{DataDir: t.TempDir()}
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
