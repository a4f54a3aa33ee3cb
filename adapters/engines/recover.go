package engines

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"bitacora/adapters/durable"
)

// Passwords is the file with the passwords of the embedded engines, which belongs to their data.
func (cfg Config) Passwords() (string, error) {
	h, err := findHome(cfg.withDefaults())
	return h.path("secrets.json"), err
}

// Empty reports that the data directory has no database of PostgreSQL.
func (cfg Config) Empty() error {
	h, err := findHome(cfg.withDefaults())
	if err != nil {
		return err
	}
	if _, err := os.Stat(h.path(Postgres, "data")); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fmt.Errorf("%s holds a database: name another directory in BITACORA_DATA_DIR, or move it away", h.path(Postgres, "data")))
	}
	return nil
}

// Recover makes a data directory of PostgreSQL out of a base backup and the write-ahead log after it, which fill
// writes. The next start applies that log, up to a moment unless it is zero. The passwords are those of the backup.
func Recover(cfg Config, until time.Time, passwords []byte, fill func(dir string) error) error {
	h, err := openHome(cfg.withDefaults())
	if err != nil {
		return err
	}
	data, draft := h.path(Postgres, "data"), h.path(Postgres, "data.partial")
	if err := cfg.Empty(); err != nil {
		return err
	}
	if err := os.RemoveAll(draft); err != nil {
		return fileError(draft, err)
	}
	if err := h.privateDir(Postgres, "data.partial"); err != nil {
		return err
	}
	if err := fill(draft); err != nil {
		return err
	}
	if err := writeRecovery(draft, until); err != nil {
		return err
	}
	err = filepath.WalkDir(draft, func(name string, _ fs.DirEntry, err error) error { return errors.Join(err, h.own(name)) })
	if err != nil {
		return err
	}
	if err := writeSecret(h.path("secrets.json"), passwords); err != nil {
		return err
	}
	if err := os.Rename(draft, data); err != nil {
		return fileError(data, err)
	}
	return durable.SyncDir(filepath.Dir(data))
}

// Unreached lets a recovery go on to the end of its log that failed since it has nothing from after the moment. It
// says whether there is such a recovery.
func (cfg Config) Unreached() (bool, error) {
	h, err := findHome(cfg.withDefaults())
	if err != nil {
		return false, err
	}
	data := h.path(Postgres, "data")
	if _, err := os.Stat(filepath.Join(data, "recovery.signal")); err != nil {
		return false, nil
	}
	file := filepath.Join(data, autoConf)
	text, err := os.ReadFile(file)
	if err != nil {
		return false, fileError(file, err)
	}
	whole := recoveryTarget.ReplaceAll(text, nil)
	if len(whole) == len(text) {
		return false, nil
	}
	if err := durable.Replace(file, bytes.NewReader(whole), nil); err != nil {
		return false, fileError(file, err)
	}
	return true, h.own(file)
}

// autoConf has the settings of a cluster itself.
const autoConf = "postgresql.auto.conf"

var recoveryTarget = regexp.MustCompile(`(?m)^recovery_target_.*\n`)

// writeRecovery lets the next start recover, and answer only afterwards. All that there is lies in pg_wal.
func writeRecovery(dir string, until time.Time) error {
	settings := "\nrestore_command = 'false'\nhot_standby = off\n"
	if !until.IsZero() {
		settings += fmt.Sprintf("recovery_target_time = '%s'\nrecovery_target_action = 'promote'\n", until.UTC().Format("2006-01-02 15:04:05.999999-07"))
	}
	if err := os.WriteFile(filepath.Join(dir, "recovery.signal"), nil, 0o600); err != nil {
		return fileError(dir, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, autoConf), os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fileError(dir, err)
	}
	_, err = f.WriteString(settings)
	return errors.Join(err, f.Close())
}
