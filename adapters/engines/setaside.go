package engines

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"bitacora/domain/fault"
)

const (
	// setAsideName begins the name of a directory that was set aside; the time of that ends it.
	setAsideName = ClickHouse + ".damaged-"
	setAsideTime = "20060102T150405Z"
	// setAsideEvery is how often damaged data may be set aside: what damages them again is not cured by that.
	setAsideEvery = time.Hour
	setAsideKept  = 2
	// resetRequest is a file in the home that asks for the data to be set aside before the next run.
	resetRequest = ClickHouse + ".reset"
)

// SetAside are the directories of ClickHouse that were set aside, oldest first.
func (cfg Config) SetAside() []string {
	cfg = cfg.withDefaults()
	return home{dir: cfg.DataDir}.real().setAside()
}

// EmptySetAside removes what the directories that were set aside hold, which nobody can take parts out of.
// Their names stay, by which it is known when that was.
func (cfg Config) EmptySetAside() error {
	for _, dir := range cfg.SetAside() {
		if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil {
			return fmt.Errorf("empty what was set aside: %w", err)
		}
	}
	return nil
}

// real is the home that the link of a data directory leads to.
func (h home) real() home {
	if dir, err := filepath.EvalSymlinks(h.path(homeLink)); err == nil {
		h.dir = dir
	}
	return h
}

func (h home) setAside() []string {
	found, _ := filepath.Glob(h.path(setAsideName + "*")) // the pattern is a good one
	slices.Sort(found)
	return found
}

// mayBeSetAside says whether none was set aside within the hour.
func (h home) mayBeSetAside(now time.Time) bool {
	list := h.setAside()
	if len(list) == 0 {
		return true
	}
	last, err := time.Parse(setAsideTime, filepath.Base(list[len(list)-1])[len(setAsideName):])
	return err == nil && now.Sub(last).Abs() >= setAsideEvery
}

// putAside gives ClickHouse's directory, or what is in its place, another name, and removes what was set
// aside before the last two. Nothing uses the directory.
func (h home) putAside(now time.Time) (name string, err error) {
	name = h.path(setAsideName + now.UTC().Format(setAsideTime))
	if err := os.Rename(h.path(ClickHouse), name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("set %s aside: %w", h.path(ClickHouse), err)
	}
	list := h.setAside()
	for _, old := range list[:max(0, len(list)-setAsideKept)] {
		if err := os.RemoveAll(old); err != nil {
			return name, fmt.Errorf("remove what was set aside earlier: %w", err)
		}
	}
	return name, nil
}

// RequestReset asks for ClickHouse's data to be set aside: by the process that runs the engines, whose
// engine is ended, or by the next one. Running says that there is such a process.
func (cfg Config) RequestReset() (running bool, err error) {
	cfg = cfg.withDefaults()
	path := home{dir: cfg.DataDir}.real().path(resetRequest)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return false, fileError(path, err)
	}
	holder, ok := cfg.Holder()
	if pid := holder.Engines[ClickHouse]; ok && pid > 0 {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return true, fmt.Errorf("end ClickHouse (process %d): %w", pid, err)
		}
	}
	return ok, nil
}

// ResetDamaged sets ClickHouse's data aside where that may be done again: its engine runs, and cannot work
// on them.
func (cfg Config) ResetDamaged() error {
	if (home{dir: cfg.withDefaults().DataDir}).real().mayBeSetAside(time.Now()) {
		_, err := cfg.RequestReset()
		return err
	}
	return nil
}

// followReset does what [Config.RequestReset] asked for.
func (h home) followReset(now time.Time) (name string, err error) {
	request := h.path(resetRequest)
	if _, err := os.Lstat(request); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if name, err = h.putAside(now); err != nil {
		return "", err
	}
	err = os.Remove(request)
	return name, fault.Wrap(err, "take note of the reset")
}

// repair gives everything of ClickHouse to the engine's user again, with the modes that it needs. It may
// as far as this process may. Links are not followed.
func (h home) repair() error {
	root, err := os.OpenRoot(h.dir)
	if err != nil {
		return fmt.Errorf("open the data directory: %w", err)
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ClickHouse, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		least := fs.FileMode(0o600)
		switch {
		case name == ClickHouse:
			least = 0o711
		case name != ClickHouse+"/data" && !strings.HasPrefix(name, ClickHouse+"/data/"):
			return nil // what the engine printed is this process's
		case entry.IsDir():
			least = 0o700
		case !entry.Type().IsRegular():
			return nil
		}
		if u := h.user; u != nil && info.Sys().(*syscall.Stat_t).Uid != u.uid && name != ClickHouse {
			if err := root.Lchown(name, int(u.uid), int(u.gid)); err != nil {
				return err
			}
		}
		if mode := info.Mode().Perm(); mode&least != least {
			return root.Chmod(name, mode|least)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("repair owner and mode of %s: %w", h.path(ClickHouse), err)
	}
	return nil
}
