package engines

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"bitacora/domain/fault"
)

// home is the directory of everything that the engines keep.
type home struct {
	dir string
	// user is whom the engines run as; nil means the user of this process.
	user *user
}

func (h home) path(names ...string) string {
	return filepath.Join(append([]string{h.dir}, names...)...)
}

// homeLink leads from the data directory to a home that lies elsewhere.
const homeLink = "engines"

// openHome finds the home that belongs to the data directory, or makes one.
func openHome(cfg Config) (home, error) {
	if cfg.DataDir == "" {
		return home{}, errors.New("no data directory given")
	}
	h, err := findHome(cfg)
	if err != nil {
		return home{}, err
	}
	if h.dir, err = filepath.EvalSymlinks(h.dir); err != nil {
		return home{}, fmt.Errorf("find the data directory: %w", err)
	}
	if err := makeDir(h.path(Postgres), 0o755); err != nil {
		return home{}, fileError(h.path(Postgres), err)
	}
	return h, nil
}

// checkRoom wants this many bytes of free disk space.
func (h home) checkRoom(wanted uint64) error {
	disk, err := DiskOf(h.dir)
	if err != nil {
		return err
	}
	if disk.Free < wanted {
		return fmt.Errorf("the disk that holds %s has only %d MiB left and the engines want %d: free some space, or name another directory in BITACORA_DATA_DIR",
			h.dir, disk.Free>>20, wanted>>20)
	}
	return nil
}

// Disk is what a disk holds, in bytes.
type Disk struct {
	// Free is what is left for ordinary users, Size what it holds at most.
	Free, Size uint64
}

// DiskOf measures the disk that a file or directory lies on.
func DiskOf(path string) (Disk, error) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(path, &disk); err != nil {
		return Disk{}, fmt.Errorf("measure free disk space: %w", err)
	}
	block := uint64(disk.Bsize)
	return Disk{Free: uint64(disk.Bavail) * block, Size: uint64(disk.Blocks) * block}, nil
}

func findHome(cfg Config) (home, error) {
	mode := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711
	}
	if err := makeDir(cfg.DataDir, mode); err != nil {
		return home{}, fileError(cfg.DataDir, err)
	}
	link := filepath.Join(cfg.DataDir, homeLink)
	switch target, err := os.Readlink(link); {
	case err == nil:
		if _, err := os.Stat(target); err != nil {
			return home{}, fmt.Errorf("%s leads to %s, which is missing: bring that directory back, or remove the link to begin with empty databases", link, target)
		}
		return withUser(home{dir: target})
	case !errors.Is(err, fs.ErrNotExist):
		return home{}, fileError(link, err)
	}
	h, err := withUser(home{dir: cfg.DataDir})
	if err != nil || h.user == nil {
		return h, err
	}
	closed := h.user.blocked(h.dir, enter)
	if closed == "" {
		return h, nil
	}
	if _, err := os.Stat(h.path(Postgres, "data")); err == nil {
		return home{}, fmt.Errorf("%s holds databases, but the user %d they belong to may not enter %s: allow it (chmod o+x), or move the data directory", h.dir, h.user.uid, closed)
	}
	if h.dir, err = makeFallback(cfg); err != nil {
		return home{}, err
	}
	if closed := h.user.blocked(h.dir, enter); closed != "" {
		return home{}, fmt.Errorf("the engines may not run as root, and their user %d may enter neither %s nor %s: name a directory in BITACORA_DATA_DIR that other users can enter", h.user.uid, cfg.DataDir, closed)
	}
	if err := os.Symlink(h.dir, link); err != nil {
		return home{}, fileError(link, err)
	}
	cfg.Log.Info("engine data lies outside the data directory, which the engines' user cannot enter", "home", h.dir)
	return withUser(h)
}

// makeFallback makes a directory named for the data directory's path. Who removes the data directory means
// to begin anew: databases of an earlier one at the same path are reported, and neither used nor removed.
func makeFallback(cfg Config) (string, error) {
	if err := makeDir(cfg.FallbackDir, 0o711); err != nil {
		return "", fileError(cfg.FallbackDir, err)
	}
	sum := sha256.Sum256([]byte(cfg.DataDir))
	name := hex.EncodeToString(sum[:6])
	left, err := filepath.Glob(filepath.Join(cfg.FallbackDir, name+"-*"))
	if err != nil {
		return "", fmt.Errorf("list earlier databases: %w", err)
	}
	if len(left) > 0 {
		cfg.Log.Warn("databases of an earlier data directory at this path are still there, remove them to free the space", "directories", left)
	}
	dir, err := os.MkdirTemp(cfg.FallbackDir, name+"-")
	if err != nil {
		return "", fileError(cfg.FallbackDir, err)
	}
	return dir, os.Chmod(dir, 0o711)
}

// own gives a file or directory to the engines' user.
func (h home) own(path string) error {
	if h.user == nil {
		return nil
	}
	err := os.Lchown(path, int(h.user.uid), int(h.user.gid))
	return fault.Wrap(err, "give "+path+" to the engines' user")
}

// privateDir makes a directory only the engines' user may enter.
func (h home) privateDir(names ...string) error {
	dir := h.path(names...)
	if err := makeDir(dir, 0o700); err != nil {
		return fileError(dir, err)
	}
	return h.own(dir)
}

// makeDir makes a directory and its missing parents with exactly this mode. Existing ones stay as they are.
func makeDir(dir string, mode fs.FileMode) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeDir(filepath.Dir(dir), mode); err != nil {
		return err
	}
	if err := os.Mkdir(dir, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.Chmod(dir, mode)
}
