package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bitacora/adapters/engines"
	"bitacora/adapters/ledger"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
)

// bundlePatience is how old a key bundle may be before doctor advises to write it anew.
const bundlePatience = 7 * 24 * time.Hour

// examineKeys says whether the keys are those of the log, and nobody else's to read.
func examineKeys(ctx context.Context, d *doctor) finding {
	if f := keysAtRest(d.config, d.clinic.Zone); f.Status != statusOK {
		return f
	}
	if d.answerOf(engines.Postgres) != nil {
		return unasked(engines.Postgres)
	}
	keys := d.config.Keys()
	switch err := postgres.CheckKeys(ctx, d.db, keys); {
	case errors.Is(err, postgres.ErrOldCopy):
		return failed(err.Error(), run("bitacora keys restore").or(advise("stop bitacora serve first")))
	case errors.Is(err, keyfiles.ErrUnsealed):
		problem, way := wayOut(err)
		return failed(problem, advise("%s", way))
	case errors.Is(err, postgres.ErrNoKeys), errors.Is(err, postgres.ErrWrongKeys):
		return failed(fmt.Sprintf("%v (keys directory %s)", err, keys.Dir), advise("put this clinic's keys directory in its place, or correct BITACORA_KEYS_DIR or BITACORA_MASTER_KEY; no other key opens what is sealed"))
	case err != nil:
		return failed(err.Error(), advise("correct BITACORA_MASTER_KEY, or the file that it names"))
	}
	return keysAtRest(d.config, d.clinic.Zone)
}

// keysAtRest looks at the files that a restore needs besides a backup.
func keysAtRest(c settings.Config, zone *time.Location) finding {
	files, err := filepath.Glob(filepath.Join(c.Keys().Dir, "*.key"))
	if err != nil {
		return failed(err.Error(), advise("see that BITACORA_KEYS_DIR names a directory"))
	}
	var open []string
	for _, path := range append(files, c.Ledger().Path(), c.BundleFile()) {
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
			open = append(open, path)
		}
	}
	if len(open) > 0 {
		return failed("other users of this machine may reach "+strings.Join(open, ", "), run("chmod go= %s", command.ShellWords(open...)))
	}
	erasures, err := c.Ledger().All()
	if err != nil {
		return failed(err.Error(), advise("as it says; until then nothing starts"))
	}
	bundle, err := logdump.OpenBundle(c.BundleFile())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fine("no key bundle yet, %d erasures in the ledger", len(erasures))
	case err != nil:
		return failed(err.Error(), run("bitacora keys bundle"))
	}
	return fine("bundle of %s with %d keys, %d erasures in the ledger",
		bundle.WrittenAt.In(zone).Format(time.DateTime), bundle.Keys, len(erasures))
}

// examineBundle says what is to be thought of, though nothing is out of order.
func examineBundle(_ context.Context, d *doctor) finding { return keysAdvice(d.config, d.now()) }

func keysAdvice(c settings.Config, now time.Time) finding {
	bundle, err := logdump.OpenBundle(c.BundleFile())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return warn("there is no key bundle: nothing could be restored", run("bitacora keys bundle"))
	case err == nil && now.Sub(bundle.WrittenAt) > bundlePatience:
		return warn(fmt.Sprintf("the key bundle is %d days old", int(now.Sub(bundle.WrittenAt).Hours()/24)), run("bitacora keys bundle"))
	case err == nil && erasedAfter(c.Ledger(), bundle.WrittenAt):
		return warn("somebody was erased after the key bundle was written", run("bitacora keys bundle"))
	}
	if _, err := os.Stat(c.Keys().Copy()); err == nil {
		return warn(c.Keys().Copy()+" is the copy of a bitacora keys seal, or unseal, that was interrupted", advise("stop bitacora serve first, then call it again"))
	}
	for _, dir := range []string{"clickhouse/backups", "engines/clickhouse/backups"} {
		dir = filepath.Join(c.DataDir, dir)
		if list, err := os.ReadDir(dir); err == nil && len(list) > 0 {
			return warn(dir+" has backups of an earlier version, which hold in the clear what people said", run("bitacora backup && rm -r %s", command.ShellWords(dir)))
		}
	}
	if inside, err := filepath.Rel(c.DataDir, c.Keys().Dir); err == nil && filepath.IsLocal(inside) && c.DatabaseURL == "" {
		return warn("the keys lie beside the data that they open: whoever takes the disk has both", advise("move them to another disk, and name it in BITACORA_KEYS_DIR"))
	}
	return fine("it is newer than every erasure")
}

// How old the latest backup may be: where backups are made every night, and where somebody makes them.
const (
	nightlyPatience = 36 * time.Hour
	backupPatience  = 7 * 24 * time.Hour
)

func examineBackup(ctx context.Context, d *doctor) finding {
	list, err := app.Backups(d.config.Backups())
	if err != nil {
		return failed(err.Error(), advise("see that %s can be read", d.config.Backups()))
	}
	wrong, patience, why := warn, backupPatience, "BITACORA_BACKUP_DIR makes one every night"
	if d.config.BackupDir != "" {
		wrong, patience, why = failed, nightlyPatience, "the log of bitacora serve says why there was none at night"
	}
	todo := run("bitacora backup").or(advise("%s", why))
	broken := slices.IndexFunc(list, func(s app.Backup) bool { return s.Problem != "" && filepath.Ext(s.Name) != app.BackupDraft })
	newest := slices.IndexFunc(list, func(s app.Backup) bool { return s.Problem == "" && s.Of(d.log.FirstEvent) })
	switch {
	case newest < 0 && broken >= 0:
		return wrong(fmt.Sprintf("no backup in %s can be restored; %s: %s", d.config.Backups(), list[broken].Name, list[broken].Problem), todo)
	case newest < 0 && d.config.BackupDir != "" && d.beganSince(ctx, d.now().Add(-nightlyPatience)):
		return warn("there is no backup yet in "+d.config.Backups(), run("bitacora backup").or(advise("bitacora serve makes the first one within minutes")))
	case newest < 0:
		return wrong("there is no backup in "+d.config.Backups(), todo)
	}
	age := d.now().Sub(list[newest].TakenAt)
	switch {
	case age > patience:
		return wrong(fmt.Sprintf("the latest backup is %d hours old", int(age.Hours())), todo)
	case broken >= 0:
		return warn(fmt.Sprintf("the backup %s cannot be restored: %s", list[broken].Name, list[broken].Problem),
			run("rm -r %s", command.ShellWords(filepath.Join(d.config.Backups(), list[broken].Name))))
	}
	return fine("%s, %d hours old, %d events", list[newest].Name, int(age.Hours()), list[newest].Events)
}

// beganSince says whether the log has nothing from before a time.
func (d *doctor) beganSince(ctx context.Context, since time.Time) bool {
	if d.db == nil || d.logErr != nil {
		return false
	}
	first, err := d.db.Log().ScanClear(ctx, 0, math.MaxInt64, 1)
	return err == nil && (len(first) == 0 || first[0].RecordedAt.After(since))
}

// erasedAfter says whether somebody was erased after a time.
func erasedAfter(l *ledger.Ledger, at time.Time) bool {
	erasures, err := l.All()
	return err == nil && len(erasures) > 0 && erasures[len(erasures)-1].At.After(at)
}
