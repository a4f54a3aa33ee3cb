package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"bitacora/adapters/engines"
	"bitacora/adapters/engines/confine"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
)

// clockPatience is how far clocks may lie apart.
const clockPatience = 5 * time.Second

// examineDisk says whether the disks can be written to, and hold what a rebuild and a backup need.
func examineDisk(_ context.Context, d *doctor) finding {
	type place struct {
		name, dir, setting string
		needs              uint64
	}
	places := []place{
		{"the data directory", d.config.DataDir, "BITACORA_DATA_DIR", app.Spare},
		{"the directory of backups", d.config.Backups(), "BITACORA_BACKUP_DIR", app.Spare + uint64(d.log.Bytes)},
		{"the keys directory", d.config.Keys().Dir, "BITACORA_KEYS_DIR", 1 << 20},
	}
	if d.at.EmbeddedClickHouse {
		places[0].needs += d.server.Bytes // a build beside those that there are
	}
	least := ^uint64(0)
	for _, p := range places {
		dir := app.Existing(p.dir)
		if _, err := written(dir); err != nil {
			return unwritable(p.name, dir, p.setting, err)
		}
		disk, err := app.DiskOf(dir)
		if err != nil {
			return failed(err.Error(), advise("see that %s can be reached", dir))
		}
		if disk.Free < p.needs {
			return failed(fmt.Sprintf("%s %s has %s left, and a rebuild or a backup needs %s", p.name, dir, command.SizeText(disk.Free), command.SizeText(p.needs)),
				advise("free some space (bitacora backup prune), or name another disk in %s", p.setting))
		}
		least = min(least, disk.Free)
	}
	if !d.at.EmbeddedClickHouse && d.answerOf(engines.ClickHouse) == nil && d.server.Free < d.server.Bytes+app.Spare {
		return failed(fmt.Sprintf("the disk of the ClickHouse server has %s left, and a rebuild needs %s", command.SizeText(d.server.Free), command.SizeText(d.server.Bytes+app.Spare)), advise("free some space there"))
	}
	return fine("%s left at least, of which a backup needs %s", command.SizeText(least), command.SizeText(app.Spare+uint64(d.log.Bytes)))
}

// unwritable says why a directory cannot be written to.
func unwritable(name, dir, setting string, err error) finding {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return failed(fmt.Sprintf("%s %s has no room left", name, dir), advise("free some space there, or name another disk in %s", setting))
	case errors.Is(err, syscall.EROFS):
		return failed(fmt.Sprintf("%s %s is mounted read-only", name, dir), advise("mount it writable, or name another directory in %s", setting))
	}
	return failed(fmt.Sprintf("%s %s cannot be written to: %v", name, dir, err), advise("let this user write there (chown), or name another directory in %s", setting))
}

// written writes a file that has no name, and gives the time that the file system gave it.
func written(dir string) (at time.Time, err error) {
	f, err := os.CreateTemp(dir, ".doctor-")
	if err != nil {
		return at, err
	}
	if err = os.Remove(f.Name()); err == nil { // whoever is killed leaves nothing
		_, err = f.WriteString("bitacora doctor\n")
	}
	if err == nil {
		err = f.Sync()
	}
	info, statErr := f.Stat()
	if err = errors.Join(err, statErr, f.Close()); err != nil {
		return at, err
	}
	return info.ModTime(), nil
}

// examineClock holds this machine's clock against those of the engines, of the file system and of the
// newest event.
func examineClock(ctx context.Context, d *doctor) finding {
	todo := advise("set the clock, and let a time service keep it (timedatectl set-ntp true)")
	now := d.now()
	if d.answerOf(engines.Postgres) == nil && !d.log.Newest.IsZero() {
		if ahead := d.log.Newest.Sub(now); ahead > clockPatience {
			return failed(fmt.Sprintf("the newest event was stored %v from now: the clock went backwards", ahead.Round(time.Second)), todo)
		}
	}
	clocks := map[string]func() (time.Time, error){}
	if d.answerOf(engines.Postgres) == nil {
		clocks["PostgreSQL's"] = func() (time.Time, error) { return d.db.Clock(ctx) }
	}
	if d.answerOf(engines.ClickHouse) == nil {
		clocks["ClickHouse's"] = func() (time.Time, error) { a, err := d.tables.About(ctx); return a.Now, err }
	}
	clocks["that of the disk"] = func() (time.Time, error) { return written(app.Existing(d.config.DataDir)) }
	var held []string
	for name, read := range clocks {
		before := d.now()
		at, err := read()
		after := d.now()
		if err != nil {
			continue // which is told of what it belongs to
		}
		if at.Before(before.Add(-clockPatience)) || at.After(after.Add(clockPatience)) {
			return failed(fmt.Sprintf("this machine's clock says %s, %s %s", after.UTC().Format(time.DateTime), name, at.UTC().Format(time.DateTime)), todo)
		}
		held = append(held, name)
	}
	slices.Sort(held)
	return fine("%s, as %s", now.In(d.clinic.Zone).Format(time.DateTime), strings.Join(held, ", "))
}

// examineFiles says which files ClickHouse can read.
func examineFiles(_ context.Context, d *doctor) finding {
	return confinement(d.config.ClickHouseURL == "", confine.Possible(), d.config.AnalystAnyway)
}

// confinement says which files ClickHouse can read; analyst, whether there is one without a wall.
func confinement(embedded, possible, analyst bool) finding {
	switch {
	case !embedded:
		return fine("ClickHouse is a server of its own")
	case possible:
		return fine("ClickHouse reads its own and no others")
	case analyst:
		return failed(confine.Missing, set("BITACORA_UNCONFINED_ANALYST=off").or(advise("or use a kernel with Landlock, or a ClickHouse server of its own (BITACORA_CLICKHOUSE_URL)")))
	}
	return fine("%s; so there is no analyst (BITACORA_UNCONFINED_ANALYST=on would make one)", confine.Missing)
}
