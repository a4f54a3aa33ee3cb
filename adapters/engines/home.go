package engines

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// nobody is the user the engines run as under root when no engine data says otherwise.
const nobody = 65534

// user is an account without a name.
type user struct{ uid, gid uint32 }

// home is the directory that holds everything of the engines.
type home struct {
	dir string
	// user is whom the engines run as; nil means the user of this process.
	user *user
}

func (h home) path(names ...string) string {
	return filepath.Join(append([]string{h.dir}, names...)...)
}

// settle finds the home that belongs to the data directory, or makes one.
func settle(cfg Config) (home, error) {
	if cfg.DataDir == "" {
		return home{}, errNoDataDir
	}
	h, err := findHome(cfg)
	if err != nil {
		return home{}, err
	}
	if h.dir, err = filepath.EvalSymlinks(h.dir); err != nil {
		return home{}, fmt.Errorf("find the data directory: %w", err)
	}
	for _, name := range []string{Postgres, ClickHouse} {
		if err := makeDir(h.path(name), 0o755); err != nil {
			return home{}, placeFault(h.path(name), err)
		}
	}
	return h, nil
}

// checkRoom wants this many bytes of free disk space.
func (h home) checkRoom(wanted uint64) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(h.dir, &disk); err != nil {
		return fmt.Errorf("measure free disk space: %w", err)
	}
	if free := uint64(disk.Bavail) * uint64(disk.Bsize); free < wanted {
		return fmt.Errorf("the disk that holds %s has only %d MiB left and the engines want %d: free some space, or name another directory in BITACORA_DATA_DIR",
			h.dir, free>>20, wanted>>20)
	}
	return nil
}

func findHome(cfg Config) (home, error) {
	mode := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711
	}
	if err := makeDir(cfg.DataDir, mode); err != nil {
		return home{}, placeFault(cfg.DataDir, err)
	}
	link := filepath.Join(cfg.DataDir, "engines")
	switch target, err := os.Readlink(link); {
	case err == nil:
		if _, err := os.Stat(target); err != nil {
			return home{}, fmt.Errorf("%s leads to %s, which is missing: bring that directory back, or remove the link to begin with empty databases", link, target)
		}
		return withUser(home{dir: target})
	case !errors.Is(err, fs.ErrNotExist):
		return home{}, placeFault(link, err)
	}
	h, err := withUser(home{dir: cfg.DataDir})
	if err != nil || h.user == nil {
		return h, err
	}
	wall := h.user.blocked(h.dir, enter)
	if wall == "" {
		return h, nil
	}
	if _, err := os.Stat(h.path(Postgres, "data")); err == nil {
		return home{}, fmt.Errorf("%s holds databases, but the user %d they belong to may not enter %s: allow it (chmod o+x), or move the data directory", h.dir, h.user.uid, wall)
	}
	if h.dir, err = makeRefuge(cfg); err != nil {
		return home{}, err
	}
	if wall := h.user.blocked(h.dir, enter); wall != "" {
		return home{}, fmt.Errorf("the engines may not run as root, and their user %d may enter neither %s nor %s: name a directory in BITACORA_DATA_DIR that other users can enter", h.user.uid, cfg.DataDir, wall)
	}
	if err := os.Symlink(h.dir, link); err != nil {
		return home{}, placeFault(link, err)
	}
	cfg.Log.Info("engine data lies outside the data directory, which the engines' user cannot enter", "home", h.dir)
	return withUser(h)
}

// makeRefuge makes a directory named for the data directory's path. Who removes the data directory means
// to begin anew, so that what an earlier one at the same path has left is reported, and neither used nor
// removed.
func makeRefuge(cfg Config) (string, error) {
	if err := makeDir(cfg.Refuge, 0o711); err != nil {
		return "", placeFault(cfg.Refuge, err)
	}
	sum := sha256.Sum256([]byte(cfg.DataDir))
	name := hex.EncodeToString(sum[:6])
	left, err := filepath.Glob(filepath.Join(cfg.Refuge, name+"-*"))
	if err != nil {
		return "", fmt.Errorf("list earlier databases: %w", err)
	}
	if len(left) > 0 {
		cfg.Log.Warn("databases of an earlier data directory at this path are still there, remove them to free the space", "directories", left)
	}
	dir, err := os.MkdirTemp(cfg.Refuge, name+"-")
	if err != nil {
		return "", placeFault(cfg.Refuge, err)
	}
	return dir, os.Chmod(dir, 0o711)
}

// withUser settles whom the engines run as.
func withUser(h home) (home, error) {
	var owner *user
	for _, dir := range []string{h.path(Postgres, "data"), h.path(ClickHouse, "data")} {
		if info, err := os.Stat(dir); err == nil && owner == nil {
			st := info.Sys().(*syscall.Stat_t)
			owner = &user{st.Uid, st.Gid}
		}
	}
	u, ok := choose(uint32(os.Geteuid()), owner)
	if !ok {
		return home{}, fmt.Errorf("the databases in %s belong to the user %d: start as that user or as root, or name another directory in BITACORA_DATA_DIR", h.dir, owner.uid)
	}
	h.user = u
	return h, nil
}

// choose picks the engines' user, nil for this process's own. It must be the owner of the data that are
// there already, which only root can become.
func choose(me uint32, owner *user) (u *user, ok bool) {
	switch {
	case me == 0 && (owner == nil || owner.uid == 0):
		return &user{nobody, nobody}, true
	case me == 0:
		return owner, true
	}
	return nil, owner == nil || owner.uid == me
}

// own gives a file or directory to the engines' user.
func (h home) own(path string) error {
	if h.user == nil {
		return nil
	}
	if err := os.Lchown(path, int(h.user.uid), int(h.user.gid)); err != nil {
		return fmt.Errorf("give %s to the engines' user: %w", path, err)
	}
	return nil
}

// privateDir makes a directory only the engines' user may enter.
func (h home) privateDir(names ...string) (string, error) {
	dir := h.path(names...)
	if err := makeDir(dir, 0o700); err != nil {
		return "", placeFault(dir, err)
	}
	return dir, h.own(dir)
}

// Permission bits of one class of users.
const (
	enter = 0o1
	read  = 0o4
)

// blocked names the first directory on the way to path that u may not enter, or path itself when u lacks
// the wanted bits there. It is empty when nothing is in the way.
func (u user) blocked(path string, want fs.FileMode) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path
	}
	for at, bits := real, want; ; at, bits = filepath.Dir(at), enter {
		info, err := os.Stat(at)
		if err != nil {
			return at
		}
		mode := info.Mode().Perm()
		switch st := info.Sys().(*syscall.Stat_t); {
		case st.Uid == u.uid:
			mode >>= 6
		case st.Gid == u.gid:
			mode >>= 3
		}
		if mode&bits != bits {
			return at
		}
		if at == filepath.Dir(at) {
			return ""
		}
	}
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

// secrets are the passwords of the engines' users.
type secrets struct {
	Postgres string `json:"postgres"`
	App      string `json:"app"`
	Analyst  string `json:"analyst"`
}

// loadSecrets reads the passwords of this home, or draws them once.
func loadSecrets(h home) (secrets, error) {
	var s secrets
	path := h.path("secrets.json")
	text, err := os.ReadFile(path)
	if err == nil {
		if err := json.Unmarshal(text, &s); err != nil {
			return s, fmt.Errorf("read engine passwords from %s: %w", path, err)
		}
		return s, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return s, placeFault(path, err)
	}
	s = secrets{rand.Text(), rand.Text(), rand.Text()}
	if text, err = json.Marshal(s); err != nil {
		return s, fmt.Errorf("encode engine passwords: %w", err)
	}
	return s, writeSecret(path, text)
}

// writeSecret writes a file of mode 0600, whole or not at all.
func writeSecret(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return placeFault(path, err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return placeFault(path, err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return placeFault(path, err)
	}
	return nil
}
