package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bitacora/adapters/ledger"
	"bitacora/adapters/postgres"
)

// bundlePatience is how old a key bundle may be before doctor advises to write it anew.
const bundlePatience = 7 * 24 * time.Hour

// examineKeys looks at what a restore needs besides a backup.
func examineKeys(c config, zone *time.Location) finding {
	files, err := filepath.Glob(filepath.Join(c.keys().Dir, "*.key"))
	if err != nil {
		return finding{err.Error(), "see that BITACORA_KEYS_DIR names a directory"}
	}
	var open []string
	for _, path := range append(files, c.ledger().Path(), c.keyBundle()) {
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
			open = append(open, path)
		}
	}
	if len(open) > 0 {
		return finding{"other users of this machine may reach " + strings.Join(open, ", "), "chmod go= " + strings.Join(open, " ")}
	}
	erasures, err := c.ledger().All()
	if err != nil {
		return finding{err.Error(), "as it says; until then nothing starts"}
	}
	bundle, err := postgres.OpenBundle(c.keyBundle())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return finding{said: fmt.Sprintf("no key bundle yet, %d erasures in the ledger", len(erasures))}
	case err != nil:
		return finding{err.Error(), "bitacora backup writes it anew"}
	}
	return finding{said: fmt.Sprintf("bundle of %s with %d keys, %d erasures in the ledger",
		bundle.WrittenAt.In(zone).Format(time.DateTime), bundle.Keys, len(erasures))}
}

// keysAdvice says what is to be thought of, though nothing is out of order.
func keysAdvice(c config, now time.Time) (advice []string) {
	bundle, err := postgres.OpenBundle(c.keyBundle())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		advice = append(advice, "there is no key bundle: nothing could be restored; bitacora backup writes it")
	case err == nil && now.Sub(bundle.WrittenAt) > bundlePatience:
		advice = append(advice, fmt.Sprintf("the key bundle is %d days old: bitacora backup writes it anew", int(now.Sub(bundle.WrittenAt).Hours()/24)))
	case err == nil && erasedAfter(c.ledger(), bundle.WrittenAt):
		advice = append(advice, "somebody was erased after the key bundle was written: bitacora backup writes it anew")
	}
	if inside, err := filepath.Rel(c.DataDir, c.keys().Dir); err == nil && filepath.IsLocal(inside) && c.DatabaseURL == "" {
		advice = append(advice, "the keys lie beside the data that they open: whoever takes the disk has both")
	}
	for _, dir := range []string{"clickhouse/backups", "engines/clickhouse/backups"} {
		dir = filepath.Join(c.DataDir, dir)
		if list, err := os.ReadDir(dir); err == nil && len(list) > 0 {
			advice = append(advice, dir+" has backups of an earlier version, which hold in the clear what people said: make a new one and remove them")
		}
	}
	return advice
}

// erasedAfter says whether somebody was erased after a time.
func erasedAfter(l *ledger.Ledger, at time.Time) bool {
	erasures, err := l.All()
	return err == nil && len(erasures) > 0 && erasures[len(erasures)-1].At.After(at)
}
