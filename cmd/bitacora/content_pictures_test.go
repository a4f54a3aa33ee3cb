package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/jpeg"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/programtest"
)

// photograph is a JPEG that tells where it was taken.
func photograph(t *testing.T, width, height int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = byte(i * 7 / 4)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		t.Fatal(err)
	}
	const place = "Exif\x00\x00GPS 8.98 N"
	return slices.Concat(b.Bytes()[:2], binary.BigEndian.AppendUint16([]byte{0xff, 0xe1}, uint16(len(place)+2)), []byte(place), b.Bytes()[2:])
}

func writePicture(t *testing.T, dir, name string, data []byte) {
	t.Helper()
	file := filepath.Join(dir, "images", name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// showsPictures waits until the site shows some pictures and no others.
func showsPictures(p *programtest.Program, want ...string) map[string]contract.Picture {
	p.T.Helper()
	var shown map[string]contract.Picture
	p.Eventually(fmt.Sprint("the site shows ", want), time.Minute, func() error {
		var facts contract.Clinic
		if err := p.Get("/api/clinic", "", &facts); err != nil {
			return err
		}
		shown = facts.Images
		var names []string
		for name := range shown {
			names = append(names, name)
		}
		slices.Sort(names)
		if !slices.Equal(names, want) {
			return fmt.Errorf("it shows %v", names)
		}
		return nil
	})
	return shown
}

// TestPicturesGoTheirWholeWay: from a folder to the site of a process that runs, into an export and
// back, through a backup to another place, and away again.
func TestPicturesGoTheirWholeWay(t *testing.T) {
	t.Parallel()
	p := programtest.NewProgram(t)
	p.Start()
	dir := filepath.Join(t.TempDir(), "content")
	p.MustRun("content", "export", dir)
	writePicture(t, dir, "services/endodoncia.jpg", photograph(t, 700, 500))
	writePicture(t, dir, "logo.svg", []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 2"><path d="M0 0h8v2z"/></svg>`))
	refused := func(says ...string) {
		t.Helper()
		out, err := p.Run("", "content", "import", dir)
		for _, s := range append(says, "nothing was imported") {
			if err == nil || !strings.Contains(out, s) {
				t.Errorf("import: %v, want %q:\n%s", err, s, out)
			}
		}
	}
	refused(`images/images.json:1: services/endodoncia: alt: say in a sentence what is seen on it, or "decorative": true`)
	writePicture(t, dir, "images.json", []byte(`{"services/endodoncia": {"alt": "La sala"}, "share": {"alt": "x"}, "hero/1": {"decorative": true}}`))
	writePicture(t, dir, "share.png", []byte("Hola"))
	writePicture(t, dir, "hero/1.jpg", photograph(t, 500, 400))
	refused("images/share.png: is no JPEG, PNG or WebP", "images/hero/1.jpg: has 500 × 400 pixels")
	showsPictures(p)

	for _, name := range []string{"share.png", "hero"} {
		if err := os.RemoveAll(filepath.Join(dir, "images", name)); err != nil {
			t.Fatal(err)
		}
	}
	writePicture(t, dir, "images.json", []byte(`{"services/endodoncia": {"alt": "La sala"}}`))
	imported := func(says ...string) {
		t.Helper()
		out := p.MustRun("content", "import", dir)
		for _, s := range says {
			if !strings.Contains(out, s) {
				t.Errorf("import did not say %q:\n%s", s, out)
			}
		}
	}
	imported("Making the sizes of services/endodoncia (2 of 2)", "added    images/logo\n", "added    images/services/endodoncia\n", "and 2 pictures of its own")
	shown := showsPictures(p, "logo", "services/endodoncia")
	for name, address := range map[string]string{
		"fallback": shown["services/endodoncia"].Src, "avif": shown["services/endodoncia"].Stem + "-700.avif", "share": *shown["services/endodoncia"].Share, "logo": shown["logo"].Src,
	} {
		var head http.Header
		if err := p.Get(address, "", &head); err != nil || !strings.HasPrefix(head.Get("Content-Type"), "image/") {
			t.Errorf("%s at %s: %v %v", name, address, head, err)
		}
	}
	var page string
	if err := p.Get("/services/endodoncia", "", &page); err != nil || !strings.Contains(page, shown["services/endodoncia"].Stem+"-640.avif") || !strings.Contains(page, `alt="La sala"`) ||
		!strings.Contains(page, `<meta property="og:image:width" content="1200">`) || !strings.Contains(page, *shown["services/endodoncia"].Share+`"`) {
		t.Errorf("the page does not show its picture: %v\n%.3000s", err, page)
	}

	exported := filepath.Join(t.TempDir(), "exported")
	p.MustRun("content", "export", exported)
	kept, err := os.ReadFile(filepath.Join(exported, "images", "services", "endodoncia.jpg"))
	if err != nil || bytes.Contains(kept, []byte("GPS")) || len(kept) < 10_000 {
		t.Errorf("the exported picture has %d bytes and tells where it was taken: %v", len(kept), err)
	}
	for _, from := range []string{exported, dir} {
		if out := p.MustRun("content", "import", from); !strings.Contains(out, "already") || strings.Contains(out, "Making") {
			t.Errorf("imported again from %s:\n%s", filepath.Base(from), out)
		}
	}

	p.MustRun("backup", "one")
	q := programtest.NewProgram(t)
	if err := os.CopyFS(filepath.Join(programtest.Backups(q), "one"), os.DirFS(filepath.Join(programtest.Backups(p), "one"))); err != nil {
		t.Fatal(err)
	}
	programtest.CopyKeys(t, p, q)
	q.MustRun("restore", "one")
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	q.MustRun("content", "export", elsewhere)
	for _, name := range []string{"images/services/endodoncia.jpg", "images/logo.svg", "images/images.json"} {
		before, err := fs.ReadFile(os.DirFS(exported), name)
		after, err2 := fs.ReadFile(os.DirFS(elsewhere), name)
		if err != nil || err2 != nil || !bytes.Equal(before, after) {
			t.Errorf("%s after a restore: %v, %v, %d and %d bytes", name, err, err2, len(before), len(after))
		}
	}

	if err := os.RemoveAll(filepath.Join(dir, "images")); err != nil {
		t.Fatal(err)
	}
	imported("Not in the folder, so that the site keeps what it has: images/.", "The site has this content already.")
	showsPictures(p, "logo", "services/endodoncia")
	if err := os.Mkdir(filepath.Join(dir, "images"), 0o755); err != nil {
		t.Fatal(err)
	}
	imported("removed  images/logo\n", "removed  images/services/endodoncia\n", "and 0 pictures of its own")
	showsPictures(p)
	if err := p.Get("/services/endodoncia", "", &page); err != nil || !strings.Contains(page, "/img/services/endodoncia-640.svg") {
		t.Errorf("the drawing did not return: %v", err)
	}
}

// TestTheProgramNeedsNoLibraryOfTheMachine: the encoders are linked, whatever is installed.
func TestTheProgramNeedsNoLibraryOfTheMachine(t *testing.T) {
	dir, err := programtest.Binaries()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "bitacora"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte("libavif.so")) || bytes.Contains(text, []byte("libwebp.so")) {
		t.Error("the program looks for libraries of the machine: it was built without the tag nodynamic")
	}
}
