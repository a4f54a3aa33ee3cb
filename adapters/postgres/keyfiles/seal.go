package keyfiles

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"bitacora/adapters/durable"
	"bitacora/adapters/postgres"
	"bitacora/domain/fault"
)

// Copy is the directory in which [Store.Seal] keeps the files as they were. Where it is there, a
// run was interrupted, and repeating it removes it.
func (s Store) Copy() string { return filepath.Join(s.Dir, "copy") }

// InAnyForm reads files that are not sealed also where there is a Master, for whoever seals them.
func (s Store) InAnyForm() Store {
	s.unsealedToo = true
	return s
}

// Seal puts files that Master seals in the place of all key files, and says how many there are. A
// copy is kept until every new file was opened. Interrupted anywhere, it leaves each key in a file
// that [Store.InAnyForm] reads, and repeating it brings it to its end. No rotation may run
// meanwhile, see [postgres.DB.WithoutRotation].
func (s Store) Seal(ctx context.Context) (keys int, err error) { return s.rewrite(ctx, s.Master) }

// Unseal is the opposite of [Store.Seal]: the new files are not sealed.
func (s Store) Unseal(ctx context.Context) (keys int, err error) { return s.rewrite(ctx, nil) }

func (s Store) rewrite(ctx context.Context, master *MasterKey) (int, error) {
	s = s.InAnyForm()
	held, err := s.Keys(ctx)
	if err != nil {
		return 0, err
	}
	to := Store{Dir: s.Dir, Master: master}
	prove := func() error {
		now, err := to.Keys(ctx)
		if err == nil && !maps.Equal(now, held) {
			err = postgres.ErrWrongKeys
		}
		if err != nil {
			return fmt.Errorf("open the new key files: %w; the files as they were are in %s", err, s.Copy())
		}
		return nil
	}
	steps := []func() error{s.sweep, s.copyFiles}
	for epoch, key := range held {
		steps = append(steps, func() error { return to.replace(ctx, epoch, key) })
	}
	steps = append(steps, prove)
	if _, ok, err := s.single(); err != nil {
		return 0, err
	} else if ok {
		steps = append(steps, func() error { return destroy(s.Single) })
	}
	err = inSteps(ctx, append(steps, s.sweep)...)
	return len(held), fault.Wrap(err, "write the key files anew")
}

// inSteps ends between two steps where ctx does.
func inSteps(ctx context.Context, steps ...func() error) error {
	for _, step := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes the copy and what an interrupted run left beside it.
func (s Store) sweep() error {
	files, err := s.files()
	if err != nil {
		return err
	}
	for name, epoch := range files {
		if name != s.file(epoch) {
			err = errors.Join(err, durable.Shred(name))
		}
	}
	if err := errors.Join(err, durable.ShredFiles(s.Copy())); err != nil {
		return err
	}
	if err := os.Remove(s.Copy()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.SyncDir(s.Dir)
}

// copyFiles copies the key files as they are.
func (s Store) copyFiles() error {
	files, err := s.files()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.Copy(), 0o700); err != nil {
		return err
	}
	if _, ok, err := s.single(); err != nil {
		return err
	} else if ok {
		files[s.Single] = 0
	}
	for name := range files {
		text, err := os.ReadFile(name)
		if err == nil {
			err = durable.Write(filepath.Join(s.Copy(), filepath.Base(name)), text)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(durable.SyncDir(s.Copy()), durable.SyncDir(s.Dir))
}

// replace puts a new file in the place of that of an epoch, whose bytes are overwritten.
func (s Store) replace(ctx context.Context, epoch int, key postgres.EpochKey) error {
	text, err := s.encode(epoch, key)
	if err != nil {
		return err
	}
	draft, err := s.draft(epoch, text)
	if err != nil {
		return err
	}
	old := draft + ".old"
	return inSteps(ctx,
		func() error {
			if err := os.Link(s.file(epoch), old); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		},
		func() error { return errors.Join(os.Rename(draft, s.file(epoch)), durable.SyncDir(s.Dir)) },
		func() error { return errors.Join(durable.Shred(old), durable.SyncDir(s.Dir)) })
}
