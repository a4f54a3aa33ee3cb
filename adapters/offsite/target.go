// Package offsite keeps a copy of the log at another place: base backups of Postgres and its write-ahead log, sealed
// for whoever holds the identity, as they come about; and the files without which nobody can read them, at a second place.
package offsite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"bitacora/adapters/durable"
)

// Target is a place that holds objects by name. Names are paths with slashes.
type Target interface {
	// Put stores an object, whole or not at all, in the place of one of that name.
	Put(ctx context.Context, name string, body io.Reader) error
	// Get opens an object; the error wraps [fs.ErrNotExist] where there is none.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// List gives the names of all objects below a folder, in their order.
	List(ctx context.Context, folder string) ([]string, error)
	// Delete removes an object; one that there is not is as it should be.
	Delete(ctx context.Context, name string) error
	// KeepsOld says why a replaced object could come back; empty: it cannot.
	KeepsOld(ctx context.Context) (string, error)
	// String names the place without its secrets.
	String() string
}

// Open gives the target of an address: file:///folder, sftp://user:password@host/folder?hostkey=SHA256:…,
// s3://key:secret@host/bucket/folder, or s3+http:// without TLS. It connects when it is used.
func Open(address string) (Target, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("is no address") // the parser's own words would show the password
	}
	switch u.Scheme {
	case "file":
		if !filepath.IsAbs(u.Path) || u.Host != "" {
			return nil, errors.New("a folder is named as file:///mnt/elsewhere")
		}
		return folder{filepath.Clean(u.Path)}, nil
	case "sftp":
		return newSFTP(u)
	case "s3", "s3+http":
		return newS3(u)
	}
	return nil, errors.New("is neither s3://, sftp:// nor file://")
}

// folder is a directory of a disk that is mounted here.
type folder struct{ dir string }

func (f folder) String() string { return "file://" + f.dir }

func (f folder) path(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

// Put refuses to make the folder itself: where a disk is not mounted, the copy would lie on this one.
func (f folder) Put(_ context.Context, name string, body io.Reader) error {
	if _, err := os.Stat(f.dir); err != nil {
		return fmt.Errorf("find the folder: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o700); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	return durable.Replace(f.path(name), body, nil)
}

func (f folder) Get(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(f.path(name))
}

func (f folder) List(_ context.Context, below string) (names []string, err error) {
	err = filepath.WalkDir(f.path(below), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, draftEnding) {
			return err
		}
		name, err = filepath.Rel(f.dir, name)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return names, err
}

func (f folder) Delete(_ context.Context, name string) error {
	if err := os.Remove(f.path(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (f folder) KeepsOld(context.Context) (string, error) { return "", nil }

// draftEnding is at the end of an object that is not whole yet.
const draftEnding = ".partial"

// getAll reads a small object.
func getAll(ctx context.Context, t Target, name string) ([]byte, error) {
	r, err := t.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

func putAll(ctx context.Context, t Target, name string, text []byte) error {
	return t.Put(ctx, name, bytes.NewReader(text))
}

// below is a name in a folder of the target.
func below(prefix, name string) string { return strings.TrimPrefix(path.Join(prefix, name), "/") }
