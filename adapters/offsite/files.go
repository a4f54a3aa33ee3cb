package offsite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"filippo.io/age"
)

// Files are those without which nobody can read what is copied, of today only: the keys, the ledger of erasures, the
// passwords of the engines, the clinic's file. One that is gone here goes there.
type Files struct {
	// Target is another place than that of the copies. It must not keep what was replaced.
	Target     Target
	Recipients []age.Recipient
	// Here gives the files by the names that they have there.
	Here func() (map[string]string, error)
	// Erasures counts those of the ledger.
	Erasures func() (int, error)

	// there are the files as they were shipped; nil before the first round.
	there map[string]fs.FileInfo
}

// filesFolder has the files at the target.
const filesFolder = "files"

func fileObject(name string) string { return path.Join(filesFolder, name) + sealEnding }

// ship brings the target up to date, and gives how many erasures it knows of at least, and the requests that it took.
func (f *Files) ship(ctx context.Context) (erasures, requests int, err error) {
	if erasures, err = f.Erasures(); err != nil {
		return 0, 0, err
	}
	here, err := f.Here()
	if err != nil {
		return 0, 0, fmt.Errorf("list the keys: %w", err)
	}
	if f.there == nil {
		if f.there, err = f.list(ctx); err != nil {
			return 0, 1, fmt.Errorf("list the copied keys: %w", err)
		}
	}
	to := sealed{f.Target, f.Recipients}
	for _, name := range slices.Sorted(maps.Keys(here)) {
		info, err := os.Stat(here[name])
		if errors.Is(err, fs.ErrNotExist) {
			delete(here, name)
			continue
		}
		if err != nil {
			return 0, requests, fmt.Errorf("read the keys: %w", err)
		}
		if before := f.there[name]; before != nil && os.SameFile(before, info) && before.Size() == info.Size() && before.ModTime().Equal(info.ModTime()) {
			continue
		}
		text, err := os.ReadFile(here[name])
		if err != nil {
			return 0, requests, fmt.Errorf("read the keys: %w", err)
		}
		requests++
		if err := to.putText(ctx, fileObject(name), text); err != nil {
			return 0, requests, fmt.Errorf("ship the keys: %w", err)
		}
		f.there[name] = info
	}
	for name := range f.there {
		if _, is := here[name]; is {
			continue
		}
		requests++
		if err := f.Target.Delete(ctx, fileObject(name)); err != nil {
			return 0, requests, fmt.Errorf("remove a copied key: %w", err)
		}
		delete(f.there, name)
	}
	return erasures, requests, nil
}

// list names what lies at the target, of which nothing more is known.
func (f *Files) list(ctx context.Context) (map[string]fs.FileInfo, error) {
	names, err := f.Target.List(ctx, filesFolder)
	there := map[string]fs.FileInfo{}
	for _, name := range names {
		there[fileName(name)] = nil
	}
	return there, err
}

func fileName(object string) string {
	return strings.TrimSuffix(strings.TrimPrefix(object, filesFolder+"/"), sealEnding)
}

// FetchFiles opens each file of the target and hands it to put, by its name.
func FetchFiles(ctx context.Context, from Target, identities []age.Identity, put func(name string, content io.Reader) error) error {
	names, err := from.List(ctx, filesFolder)
	if err != nil {
		return fmt.Errorf("list the copied keys: %w", err)
	}
	if len(names) == 0 {
		return fmt.Errorf("%s holds no keys", from)
	}
	for _, object := range names {
		err := open(ctx, from, object, identities, func(content io.Reader) error { return put(fileName(object), content) })
		if err != nil {
			return err
		}
	}
	return nil
}
