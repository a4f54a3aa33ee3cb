package engines

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bitacora/domain/fault"
)

// installPostgres returns the directory "native" of a PostgreSQL package that the engines' user can run:
// the npm package's own, or a copy in the home where that user cannot read it.
func installPostgres(h home, pack string) (string, error) {
	native := filepath.Join(pack, "native")
	if h.user != nil && !h.user.canRun(native) {
		copied, err := copyPackage(h, pack)
		if err != nil {
			return "", err
		}
		native = copied
	}
	return native, linkLibraries(h, native)
}

func (u user) canRun(native string) bool {
	for _, name := range []string{"bin/postgres", "bin/initdb"} {
		if u.blocked(filepath.Join(native, name), read|enter) != "" {
			return false
		}
	}
	for _, name := range []string{"share/postgresql/postgres.bki", "lib/libpq.so.5.18"} {
		if u.blocked(filepath.Join(native, name), read) != "" {
			return false
		}
	}
	return true
}

// readPackage reads which npm package is in a directory.
func readPackage(dir string) (manifest struct{ Name, Version string }, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	return manifest, fault.Wrap(err, "read the package's version")
}

// copyPackage keeps one copy, named for the package's version.
func copyPackage(h home, pack string) (string, error) {
	manifest, err := readPackage(pack)
	if err != nil {
		return "", err
	}
	target := h.path(Postgres, "dist-"+manifest.Version)
	if _, err := os.Stat(target); err == nil {
		return filepath.Join(target, "native"), nil
	}
	older, err := filepath.Glob(h.path(Postgres, "dist-*"))
	if err != nil {
		return "", fmt.Errorf("list older copies of PostgreSQL: %w", err)
	}
	for _, dir := range older {
		if err := os.RemoveAll(dir); err != nil {
			return "", fileError(dir, err)
		}
	}
	draft := target + ".partial"
	if err := copyTree(filepath.Join(draft, "native"), filepath.Join(pack, "native")); err != nil {
		return "", fileError(draft, err)
	}
	if err := os.Rename(draft, target); err != nil {
		return "", fileError(target, err)
	}
	return filepath.Join(target, "native"), nil
}

// copyTree copies a directory for everybody to read, whatever the modes of its files are.
func copyTree(target, source string) error {
	if err := makeDir(target, 0o755); err != nil {
		return err
	}
	if err := os.CopyFS(target, os.DirFS(source)); err != nil {
		return err
	}
	return filepath.WalkDir(target, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type() == fs.ModeSymlink {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode()&0o100 != 0 {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
}

// symlink is an entry of the package's pg-symlinks.json.
type symlink struct{ Source, Target string }

// linkLibraries makes the links between names and versions of the shared libraries, which npm packages
// cannot hold, in a directory of our own. The package stays untouched and may be read-only.
func linkLibraries(h home, native string) error {
	text, err := os.ReadFile(filepath.Join(native, "pg-symlinks.json"))
	if err != nil {
		return fmt.Errorf("read the PostgreSQL package: %w", err)
	}
	var links []symlink
	if err := json.Unmarshal(text, &links); err != nil {
		return fmt.Errorf("read the PostgreSQL package's links: %w", err)
	}
	dir := h.path(Postgres, "lib")
	if err := makeDir(dir, 0o755); err != nil {
		return fileError(dir, err)
	}
	for _, l := range links {
		source, name := filepath.Join(filepath.Dir(native), l.Source), filepath.Join(dir, filepath.Base(l.Target))
		if now, err := os.Readlink(name); err == nil && now == source {
			continue
		}
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fileError(name, err)
		}
		if err := os.Symlink(source, name); err != nil {
			return fileError(name, err)
		}
	}
	return nil
}
