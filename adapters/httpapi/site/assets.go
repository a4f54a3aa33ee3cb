package site

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// assetRoot is where a build has the files with a hash of their content in the name.
	assetRoot = "assets/"
	// formerReleases is how many releases before this one keep their assets.
	formerReleases = 2
	// partial begins the name of a copy that is not complete.
	partial = ".partial-"
)

// Assets are those of several releases, the latest first.
type Assets []fs.FS

// Open implements [fs.FS].
func (a Assets) Open(name string) (fs.File, error) {
	if asset, is := strings.CutPrefix(name, assetRoot); is {
		for _, release := range a {
			if f, err := release.Open(asset); err == nil {
				return f, nil
			}
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// KeepAssets copies the assets of a build that begins to be served into a directory, removes those of all
// but the latest releases before it, and gives theirs. A build without assets changes nothing.
func KeepAssets(build fs.FS, dir string, now time.Time) (Assets, error) {
	files, err := fs.ReadDir(build, strings.TrimSuffix(assetRoot, "/"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list assets: %w", err)
	}
	// Names contain the hashes of what they name.
	names := sha256.New()
	for _, file := range files {
		fmt.Fprintln(names, file.Name())
	}
	current := hex.EncodeToString(names.Sum(nil)[:8])
	if err := copyAssets(build, filepath.Join(dir, current)); err != nil {
		return nil, err
	}
	if err := os.Chtimes(filepath.Join(dir, current), now, now); err != nil {
		return nil, fmt.Errorf("date assets: %w", err)
	}
	return formerAssets(dir, current)
}

// copyAssets makes a directory with the assets of a build, complete or not at all.
func copyAssets(build fs.FS, to string) error {
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	assets, err := fs.Sub(build, strings.TrimSuffix(assetRoot, "/"))
	if err != nil {
		return fmt.Errorf("open assets: %w", err)
	}
	dir := filepath.Dir(to)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make directory of assets: %w", err)
	}
	copied, err := os.MkdirTemp(dir, partial)
	if err == nil {
		err = os.CopyFS(copied, assets)
	}
	if err == nil {
		err = os.Rename(copied, to)
	}
	if err != nil {
		return fmt.Errorf("copy assets: %w", err)
	}
	return nil
}

// formerAssets gives the assets of the latest releases before the current one, and removes all others'.
func formerAssets(dir, current string) (former Assets, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list releases: %w", err)
	}
	served := map[string]time.Time{}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && entry.Name() != current {
			served[entry.Name()] = info.ModTime()
		}
	}
	for _, name := range slices.SortedFunc(maps.Keys(served), func(a, b string) int { return served[b].Compare(served[a]) }) {
		path := filepath.Join(dir, name)
		if len(former) < formerReleases && !strings.HasPrefix(name, partial) {
			former = append(former, os.DirFS(path))
		} else if err := os.RemoveAll(path); err != nil {
			return nil, fmt.Errorf("remove assets of an old release: %w", err)
		}
	}
	return former, nil
}
