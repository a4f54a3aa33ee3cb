package offsite

import (
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bitacora/adapters/offsite/offsitetest"
)

func targetAt(t *testing.T, address string) Target {
	t.Helper()
	target, err := Open(address)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

func TestATargetKeepsWhatItIsGiven(t *testing.T) {
	for kind, address := range offsitetest.Targets(t) {
		t.Run(kind, func(t *testing.T) {
			target := targetAt(t, address)
			if strings.Contains(target.String(), "secret") || strings.Contains(target.String(), "contrase") {
				t.Errorf("%s shows a secret", target)
			}
			if _, err := target.Get(t.Context(), "e/wal/absent"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("an absent object: %v", err)
			}
			if names, err := target.List(t.Context(), "e"); err != nil || len(names) > 0 {
				t.Errorf("an empty folder has %v, %v", names, err)
			}
			for _, name := range []string{"e/wal/2", "e/wal/1", "e/base/1", "other/1"} {
				for _, text := range []string{"first of " + name, name} {
					if err := putAll(t.Context(), target, name, []byte(text)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if text, err := getAll(t.Context(), target, "e/wal/1"); err != nil || string(text) != "e/wal/1" {
				t.Errorf("it gives %q, %v", text, err)
			}
			if names, err := target.List(t.Context(), "e"); err != nil || !slices.Equal(names, []string{"e/base/1", "e/wal/1", "e/wal/2"}) {
				t.Errorf("it lists %v, %v", names, err)
			}
			cut := io.MultiReader(strings.NewReader("half"), failing{})
			if err := target.Put(t.Context(), "e/wal/1", cut); err == nil {
				t.Error("half an object is taken")
			}
			if text, err := getAll(t.Context(), target, "e/wal/1"); err != nil || string(text) != "e/wal/1" {
				t.Errorf("after half of another it gives %q, %v", text, err)
			}
			if names, _ := target.List(t.Context(), "e/wal"); len(names) != 2 {
				t.Errorf("half an object is listed: %v", names)
			}
			for range 2 {
				if err := target.Delete(t.Context(), "e/wal/1"); err != nil {
					t.Error(err)
				}
			}
			if names, err := target.List(t.Context(), "e/wal"); err != nil || len(names) != 1 {
				t.Errorf("after a removal: %v, %v", names, err)
			}
			if keeps, err := target.KeepsOld(t.Context()); err != nil || keeps != "" {
				t.Errorf("it keeps old objects: %q, %v", keeps, err)
			}
		})
	}
}

// TestABucketThatKeepsVersionsIsNamed: an erased person's key could come back out of one.
func TestABucketThatKeepsVersionsIsNamed(t *testing.T) {
	target := targetAt(t, offsitetest.Targets(t)["s3"]).(*s3)
	if err := target.client.EnableVersioning(t.Context(), target.bucket); err != nil {
		t.Fatal(err)
	}
	if keeps, err := target.KeepsOld(t.Context()); err != nil || !strings.Contains(keeps, "versions") {
		t.Errorf("it says %q, %v", keeps, err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("cut off") }

func TestAddressesThatAreRefused(t *testing.T) {
	for address, says := range map[string]string{
		"":                           "neither",
		"https://host/x":             "neither",
		"file://relative/path":       "file:///mnt",
		"s3://host/bucket":           "key:secret",
		"s3://key:secret@host/":      "key:secret",
		"sftp://user:pw@host/folder": "hostkey",
		"sftp://host/folder":         "hostkey",
		"s3://key:sec%ret@host/b":    "no address",
	} {
		if _, err := Open(address); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "sec%ret") {
			t.Errorf("%q: %v, want %q", address, err, says)
		}
	}
}

// TestAMachineWithAnotherKeyGetsNothing: whoever stands between would read the keys' names and take the copies.
func TestAMachineWithAnotherKeyGetsNothing(t *testing.T) {
	address := offsitetest.Targets(t)["sftp"]
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.RawQuery = "hostkey=SHA256:AAAA"
	if err := putAll(t.Context(), targetAt(t, u.String()), "x", nil); err == nil || !strings.Contains(err.Error(), "not the one of the address") {
		t.Errorf("another key: %v", err)
	}
}

func TestAFolderThatIsNotMountedTakesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mnt")
	if err := putAll(t.Context(), targetAt(t, "file://"+dir), "x", nil); err == nil {
		t.Error("it was taken")
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made: %v", err)
	}
}
