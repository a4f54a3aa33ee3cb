// Package keyfiles keeps the keys of key epochs in files, apart from the database.
package keyfiles

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"bitacora/adapters/durable"
	"bitacora/adapters/postgres"
)

// Store is a [postgres.KeyStore] in a directory, with a file of mode 0600 for each key: one is destroyed
// without touching the others. What a disk or a file system keeps of a file that was overwritten
// and removed is beyond it. Reading the keys never writes.
type Store struct {
	// Dir is made when the first key is kept.
	Dir string
	// Master, if any, seals the files that are written; one that is not sealed is [ErrUnsealed] then.
	// Before is one that the others may still be sealed with. [Store.Seal] seals them anew.
	Master, Before *MasterKey
	// Begun says that the log has its keys already: none is put into an empty directory.
	Begun bool
	// Single is the file with the one key that an older installation has: the key of the first
	// epoch. It is read as long as the directory holds none, and destroyed with that key.
	Single string

	// unsealedToo reads files that are not sealed although there is a Master.
	unsealedToo bool
}

// Errors of key files.
var (
	// ErrUnsealed: there is a master key, and a file is not sealed.
	ErrUnsealed = errors.New("it is not sealed, and BITACORA_MASTER_KEY is set: unset BITACORA_MASTER_KEY where it is not this clinic's, or call bitacora keys seal")
	// ErrNoneYet: the keys of a log are begun together with it.
	ErrNoneYet = errors.New("there are no keys yet: bitacora serve begins them")
)

// keyFile is the name of a key's file, or of what a crash left of one, with more behind it.
var keyFile = regexp.MustCompile(`^epoch-(\d{4,9})\.key(\..+)?$`)

func (s Store) file(epoch int) string {
	return filepath.Join(s.Dir, fmt.Sprintf("epoch-%04d.key", epoch))
}

// Keys implements [postgres.KeyStore].
func (s Store) Keys(context.Context) (map[int]postgres.EpochKey, error) {
	keys, err := s.inDir()
	if err != nil || len(keys) > 0 {
		return keys, err
	}
	if single, ok, err := s.single(); err != nil {
		return nil, err
	} else if ok {
		return map[int]postgres.EpochKey{0: single}, nil
	}
	return s.inDir() // a first rotation may have ended meanwhile
}

func (s Store) inDir() (map[int]postgres.EpochKey, error) {
	files, err := s.files()
	if err != nil {
		return nil, err
	}
	keys := map[int]postgres.EpochKey{}
	for name, epoch := range files {
		if name != s.file(epoch) {
			continue
		}
		key, err := s.read(epoch)
		if _, gone := os.Lstat(name); errors.Is(gone, fs.ErrNotExist) {
			// Destroyed meanwhile, and perhaps half overwritten when it was read: the next may be there.
			return s.inDir()
		}
		if err != nil {
			return nil, fmt.Errorf("read key file %s: %w", name, err)
		}
		keys[epoch] = key
	}
	return keys, nil
}

// files are those of the directory and of the copy in it that hold keys, or did, with the epoch of each.
func (s Store) files() (map[string]int, error) {
	files := map[string]int{}
	for _, dir := range []string{s.Dir, s.Copy()} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read keys directory: %w", err)
		}
		for _, entry := range entries {
			name := keyFile.FindStringSubmatch(entry.Name())
			if name == nil {
				continue
			}
			epoch, err := strconv.Atoi(name[1])
			if err != nil {
				return nil, fmt.Errorf("read keys directory: %w", err)
			}
			files[filepath.Join(dir, entry.Name())] = epoch
		}
	}
	return files, nil
}

// single reads the key of an older installation.
func (s Store) single() (key postgres.EpochKey, ok bool, err error) {
	if s.Single == "" || s.Master != nil && !s.unsealedToo {
		return key, false, nil
	}
	text, err := os.ReadFile(s.Single)
	if _, gone := os.Lstat(s.Single); errors.Is(gone, fs.ErrNotExist) {
		return key, false, nil // destroyed meanwhile, and perhaps half overwritten when it was read
	}
	if err != nil {
		return key, false, fmt.Errorf("read master key: %w", err)
	}
	master, err := ParseMasterKey(strings.TrimSpace(string(text)))
	if err != nil {
		return key, false, fmt.Errorf("%s: %w", s.Single, err)
	}
	return postgres.EpochKey(master), true, nil
}

// MasterKey returns the master key, which was the key of the first epoch itself in logs that are older than
// key epochs; ok is false where there is none.
func (s Store) MasterKey() (key postgres.EpochKey, ok bool) {
	if s.Master == nil {
		return key, false
	}
	return postgres.EpochKey(*s.Master), true
}

// Add implements [postgres.KeyStore]. Nothing is put beside keys that these settings do not open.
func (s Store) Add(ctx context.Context, epoch int, key postgres.EpochKey) error {
	held, err := s.Keys(ctx)
	if err == nil && len(held) == 0 && s.Begun {
		err = ErrNoneYet
	}
	if err != nil {
		return err
	}
	if err := s.makeDir(); err != nil {
		return fmt.Errorf("make keys directory: %w", err)
	}
	if epoch > 0 {
		// From now on the directory holds keys, and the single one is not looked for.
		if single, ok, err := s.single(); err != nil {
			return err
		} else if ok {
			if err := s.write(0, single); err != nil {
				return fmt.Errorf("keep key of key epoch 0: %w", err)
			}
		}
	}
	if err := s.write(epoch, key); err != nil {
		return fmt.Errorf("keep key of key epoch %d: %w", epoch, err)
	}
	return nil
}

func (s Store) makeDir() error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	return durable.SyncDir(filepath.Dir(s.Dir))
}

// write keeps a key under its name unless there is one, whole or not at all.
func (s Store) write(epoch int, key postgres.EpochKey) error {
	text, err := s.encode(epoch, key)
	if err != nil {
		return err
	}
	draft, err := s.draft(epoch, text)
	if err != nil {
		return err
	}
	err = os.Link(draft, s.file(epoch))
	if errors.Is(err, fs.ErrExist) {
		err = durable.Shred(draft)
	} else if err == nil {
		err = os.Remove(draft)
	}
	return errors.Join(err, durable.SyncDir(s.Dir))
}

// draft writes a file through to the disk whose name none of the keys has.
func (s Store) draft(epoch int, text string) (name string, err error) {
	f, err := os.CreateTemp(s.Dir, filepath.Base(s.file(epoch))+".*") // 0600
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	return f.Name(), errors.Join(err, f.Sync(), f.Close())
}

const (
	sealedPrefix = "sealed "
	// purpose derives the key of the files from the master key.
	purpose = "bitacora key files"
)

func (s Store) encode(epoch int, key postgres.EpochKey) (string, error) {
	if s.Master == nil {
		return hex.EncodeToString(key[:]) + "\n", nil
	}
	aead, err := postgres.EpochKey(*s.Master).AEAD(purpose)
	if err != nil {
		return "", err
	}
	return sealedPrefix + base64.StdEncoding.EncodeToString(aead.Seal(nil, nil, key[:], []byte(strconv.Itoa(epoch)))) + "\n", nil
}

func (s Store) read(epoch int) (postgres.EpochKey, error) {
	content, err := os.ReadFile(s.file(epoch))
	if err != nil {
		return postgres.EpochKey{}, err
	}
	text := strings.TrimSpace(string(content))
	sealed, isSealed := strings.CutPrefix(text, sealedPrefix)
	switch {
	case !isSealed:
		key, err := ParseMasterKey(text)
		if err != nil {
			return postgres.EpochKey{}, errors.New("it does not hold a key")
		}
		if s.Master != nil && !s.unsealedToo {
			return postgres.EpochKey{}, ErrUnsealed
		}
		return postgres.EpochKey(key), nil
	case s.Master == nil:
		return postgres.EpochKey{}, errors.New("it is sealed with a master key, and BITACORA_MASTER_KEY is not set")
	}
	for _, master := range []*MasterKey{s.Master, s.Before} {
		if master == nil {
			continue
		}
		if key, err := opened(*master, epoch, sealed); err == nil {
			return key, nil
		}
	}
	return postgres.EpochKey{}, fmt.Errorf("%w: it is sealed with another master key than BITACORA_MASTER_KEY", postgres.ErrWrongKeys)
}

func opened(master MasterKey, epoch int, text string) (key postgres.EpochKey, err error) {
	sealed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return key, err
	}
	aead, err := postgres.EpochKey(master).AEAD(purpose)
	if err != nil {
		return key, err
	}
	plain, err := aead.Open(nil, nil, sealed, []byte(strconv.Itoa(epoch)))
	if err != nil || len(plain) != len(key) {
		return key, postgres.ErrWrongKeys
	}
	return postgres.EpochKey(plain), nil
}

// DestroyBefore implements [postgres.KeyStore]: also what a crash left of a key goes, and its copy.
func (s Store) DestroyBefore(_ context.Context, epoch int) error {
	files, err := s.files()
	if err == nil && s.Single != "" && s.Master == nil {
		files[s.Single] = 0
	}
	for name, of := range files {
		if of < epoch {
			err = errors.Join(err, destroy(name))
		}
	}
	if err != nil {
		return fmt.Errorf("destroy keys of before key epoch %d: %w", epoch, err)
	}
	return nil
}

// destroy shreds a key's file, which has another name first: a crash does not leave what is half
// overwritten where a key is looked for.
func destroy(name string) error {
	gone, dir := name+".destroyed", filepath.Dir(name)
	if err := durable.Shred(gone); err != nil {
		return err
	}
	if err := os.Rename(name, gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return errors.Join(durable.SyncDir(dir), durable.Shred(gone), durable.SyncDir(dir))
}
