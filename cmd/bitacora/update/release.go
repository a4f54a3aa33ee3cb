package update

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"aead.dev/minisign"

	"bitacora/cmd/bitacora/app"
)

// keysFile has the public keys of releases, and manifestFile what a release is, both in its folder.
const (
	keysFile     = "schema/production/release.pub"
	manifestFile = "release.json"
)

// signatureSuffix ends the name of an archive's signature.
const signatureSuffix = ".minisig"

// timesPacked bounds what an archive takes unpacked: that many times its size.
const timesPacked = 5

// manifest says which release a folder holds.
type manifest struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	// Committed is when the release's source was, by which releases are in order.
	Committed time.Time `json:"committed"`
}

func (m manifest) String() string {
	return fmt.Sprintf("%s of %s (commit %.12s)", m.Version, m.Committed.UTC().Format(time.DateOnly), m.Commit)
}

func manifestOf(folder string) (m manifest, err error) {
	text, err := os.ReadFile(filepath.Join(folder, manifestFile))
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return m, fmt.Errorf("read which release it is: %w", err)
	}
	return m, nil
}

// keysIn reads public keys, one a line. Lines of comment are passed over, as minisign writes one into its file.
func keysIn(file string) (keys []minisign.PublicKey, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the keys that releases are signed with: %w", err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "untrusted comment:") {
			continue
		}
		var key minisign.PublicKey
		if err := key.UnmarshalText([]byte(line)); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s holds no key", file)
	}
	return keys, nil
}

// verify holds an archive against its signature by one of the keys.
func verify(ctx context.Context, archive *os.File, keys []minisign.PublicKey) error {
	signature, err := os.ReadFile(archive.Name() + signatureSuffix)
	if err != nil {
		return fmt.Errorf("read the signature: %w", err)
	}
	reader := minisign.NewReader(interruptible{ctx, archive})
	if _, err := io.Copy(io.Discard, reader); err != nil {
		return fmt.Errorf("read the archive: %w", err)
	}
	for _, key := range keys {
		if reader.Verify(key, signature) {
			return nil
		}
	}
	return errors.New("the signature is not one of this archive by a key of the releases: it was changed, is incomplete, or is somebody else's. Nothing of it was run")
}

// unpack writes an archive's only folder below a directory, and gives its path.
func unpack(ctx context.Context, archive *os.File, dir string) (folder string, err error) {
	info, err := archive.Stat()
	if err == nil {
		err = app.EnoughRoom(dir, uint64(info.Size())*timesPacked, "the release")
	}
	if err == nil {
		_, err = archive.Seek(0, io.SeekStart)
	}
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("unpack: %w", err)
	}
	defer root.Close()
	packed, err := gzip.NewReader(interruptible{ctx, archive})
	if err != nil {
		return "", fmt.Errorf("unpack: %w", err)
	}
	for files := tar.NewReader(packed); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			name, _, _ := strings.Cut(header.Name, "/")
			folder = name
			err = write(root, header, files)
		}
		if err != nil {
			return "", fmt.Errorf("unpack: %w", err)
		}
	}
	return filepath.Join(dir, folder), nil
}

// write makes one entry of an archive, which cannot be outside of root.
func write(root *os.Root, header *tar.Header, content io.Reader) (err error) {
	switch header.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(filepath.Clean(header.Name), 0o755)
	case tar.TypeSymlink:
		return root.Symlink(header.Linkname, header.Name)
	case tar.TypeReg:
	default:
		return fmt.Errorf("%s is no file, folder or link", header.Name)
	}
	if err := root.MkdirAll(filepath.Dir(header.Name), 0o755); err != nil {
		return err
	}
	file, err := root.OpenFile(header.Name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, os.FileMode(header.Mode).Perm())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = io.Copy(file, content)
	return err
}

// interruptible is a reader that ends with its context.
type interruptible struct {
	ctx context.Context
	io.Reader
}

// Read implements io.Reader.
func (r interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}
