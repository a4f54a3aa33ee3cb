package backup

import (
	"context"
	"path/filepath"
	"time"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/fault"
	"bitacora/projections/builds"
)

const (
	// backupHour is when, in the business zone, the backup of the night is due: after erasures and the
	// rotation of keys.
	backupHour = 5
	// backupRound is how often it is looked for; one that was missed is made up for.
	backupRound = 10 * time.Minute
)

// KeepBackups makes a backup every night, where BITACORA_BACKUP_DIR is set, until ctx ends, and removes
// what is not kept any longer. Of any number of processes one does it.
func KeepBackups(ctx context.Context, a *app.App) {
	if a.Config.BackupDir == "" {
		return
	}
	for {
		_, err := a.DB.TryWithLease(ctx, "backup", builds.LeaseTime, func(ctx context.Context) error {
			return backUpIfDue(ctx, a, time.Now().In(a.Clinic.Zone))
		})
		if err != nil && ctx.Err() == nil {
			a.Log.Error("there is no backup of this night yet, trying again", "error", err, "after", backupRound)
		}
		if !command.Pause(ctx, backupRound) {
			return
		}
	}
}

// backUpIfDue makes a backup unless there is one since the last night's hour.
func backUpIfDue(ctx context.Context, a *app.App, now time.Time) error {
	dir := a.Config.BackupDir
	log, err := app.FirstEvent(ctx, a.DB)
	if err != nil {
		return err
	}
	newest, ok, err := app.NewestBackup(dir, log)
	if err != nil || ok && !newest.TakenAt.Before(app.LastNight(now, backupHour)) {
		return err
	}
	name := app.BackupNameAt(now)
	m, err := backUp(ctx, a, filepath.Join(dir, name))
	if err != nil {
		return err
	}
	a.Log.Info("backup made", "name", name, "events", m.Head)
	goes, err := outdated(dir, a.Config.BackupKeep, now, a.Clinic.Zone)
	if err == nil {
		err = removeBackups(goes)
	}
	return fault.Wrap(err, "remove older backups")
}
