package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/content"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/clinic"
)

// TestPreviewShowsAFolder serves the project's own content from a folder, and edits it while it is shown.
func TestPreviewShowsAFolder(t *testing.T) {
	dir := t.TempDir()
	files := clinic.DefaultContent().Files()
	for name, text := range files {
		if err := content.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), text); err != nil {
			t.Fatal(err)
		}
	}
	get, ended := previewed(t, dir, clinic.Default())
	edit := func(old, new string) {
		t.Helper()
		file := filepath.Join(dir, "pages", "home.json")
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, []byte(strings.ReplaceAll(string(text), old, new)), 0o600)
		}
		// Whatever the file system's clock is worth.
		if err == nil {
			err = os.Chtimes(file, time.Time{}, time.Now().Add(time.Duration(len(new))*time.Second))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"/": "Por qué elegirnos", "/services/ortodoncia": "Tipos de tratamiento", "/about/irina-solanilla": "Perfil profesional", "/api/pages/home": `"meta"`, "/img/map.svg": "<svg", "/sitemap.xml": "/about</loc>",
	} {
		if status, body := get(path); status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d %.200s", path, status, body)
		}
	}
	edit("Por qué elegirnos", "Por qué venir")
	if _, body := get("/"); !strings.Contains(body, "Por qué venir") {
		t.Errorf("an edited text is not seen: %.300s", body)
	}
	edit("Por qué venir", "En {{nada}}")
	if status, body := get("/"); status != http.StatusUnprocessableEntity || !strings.Contains(body, "pages/home.json:") || !strings.Contains(body, "values.heading: {{nada}} is no fact") {
		t.Errorf("a mistake: %d %.300s", status, body)
	}
	edit("En {{nada}}", "Otra vez bien")
	if status, body := get("/"); status != http.StatusOK || !strings.Contains(body, "Otra vez bien") {
		t.Errorf("put right: %d", status)
	}
	if status, _ := get("/api/services/slug/nada"); status != http.StatusNotFound {
		t.Errorf("no service: %d", status)
	}
	if err := ended(); err != nil {
		t.Error(err)
	}
}

// TestPreviewShowsPictures serves the foreign clinic's folder: its pictures are made when they are asked
// for, and another file in their place is another address.
func TestPreviewShowsPictures(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(foreignFolder, "content"))); err != nil {
		t.Fatal(err)
	}
	facts, err := app.ReadFacts(filepath.Join(foreignFolder, "clinic.json"))
	if err != nil {
		t.Fatal(err)
	}
	get, ended := previewed(t, dir, facts)
	portrait := regexp.MustCompile(`src="(/images/[^"]+\.webp)"[^>]*alt="La doctora Ximena Prada|alt="La doctora Ximena Prada[^>]*src="(/images/[^"]+\.webp)"`)
	shown := func() string {
		t.Helper()
		status, page := get("/about/ximena-prada")
		m := portrait.FindStringSubmatch(page)
		if status != http.StatusOK || m == nil {
			t.Fatalf("%d, no portrait: %.3000s", status, page)
		}
		address := m[1] + m[2]
		if status, data := get(address); status != http.StatusOK || http.DetectContentType([]byte(data)) != "image/webp" {
			t.Errorf("%s: %d %.40q", address, status, data)
		}
		return address
	}
	before := shown()
	if status, page := get("/"); status != http.StatusOK || !strings.Contains(page, "Bienvenido a la Casa Roble") || ofTheBuild.MatchString(page) {
		t.Errorf("the home page is not the clinic's: %d %s", status, ofTheBuild.FindString(page))
	}
	other, err := os.ReadFile(filepath.Join(dir, "images", "hero", "3.webp"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "images", "doctors", "ximena-prada.webp"), other, 0o600); err != nil {
		t.Fatal(err)
	}
	if after := shown(); after == before {
		t.Error("another picture has the address of the one before")
	}
	if err := os.WriteFile(filepath.Join(dir, "images", "doctors", "ximena-prada.webp"), []byte("Hola"), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, page := get("/about"); status != http.StatusUnprocessableEntity || !strings.Contains(page, "images/doctors/ximena-prada.webp: is no JPEG, PNG or WebP") {
		t.Errorf("a file that is no picture: %d %.300s", status, page)
	}
	if err := ended(); err != nil {
		t.Error(err)
	}
}

// previewed shows a folder: how to ask for a page, and how to end it.
func previewed(t *testing.T, dir string, facts clinic.Clinic) (get func(path string) (int, string), end func() error) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	url, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- content.Preview(ctx, dir, "127.0.0.1:0", facts, func(at string) { url <- at })
	}()
	var at string
	select {
	case at = <-url:
	case err := <-ended:
		t.Fatal(err)
	}
	get = func(path string) (int, string) {
		t.Helper()
		answer, err := http.Get(at + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(body)
	}
	return get, func() error {
		stop()
		return <-ended
	}
}

func TestPreviewRefuses(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", "192.0.2.1:80", "x"} {
		if err := content.Preview(t.Context(), t.TempDir(), addr, clinic.Default(), nil); err == nil || !strings.Contains(err.Error(), "not an address of this machine alone") {
			t.Errorf("%s: %v", addr, err)
		}
	}
	if err := content.Preview(t.Context(), filepath.Join(t.TempDir(), "nada"), "127.0.0.1:0", clinic.Default(), nil); err == nil {
		t.Error("a folder that is not there was shown")
	}
	if out, err := (&programtest.Program{T: t, Dir: t.TempDir()}).Run("", "content", "check", "nada"); err == nil || !strings.Contains(fmt.Sprint(out, err), "there is no such folder") {
		t.Errorf("check of no folder: %v\n%s", err, out)
	}
}

// What an import would refuse, a check refuses, without a database; neither waits for a pipe.
func TestACheckRefusesWhatAnImportWould(t *testing.T) {
	run := func(command, dir string) (string, error) {
		var out strings.Builder
		c := content.NewContent()
		c.SetOut(&out)
		c.SetArgs([]string{command, dir})
		c.SilenceUsage, c.SilenceErrors = true, true
		err := c.ExecuteContext(t.Context())
		return out.String(), err
	}
	dir := t.TempDir()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1800, 1200))); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	damaged := slices.Clone(whole)
	damaged[len(damaged)/2]++
	writePicture(t, dir, "images.json", []byte(`{"hero/1": {"decorative": true}}`))
	writePicture(t, dir, "hero/1.png", damaged)
	if out, err := run("check", dir); err == nil || !strings.Contains(err.Error(), "images/hero/1.png: cannot be read") {
		t.Errorf("a damaged picture: %v %s", err, out)
	}
	writePicture(t, dir, "hero/1.png", whole)
	if out, err := run("check", dir); err != nil || !strings.Contains(out, "is right") {
		t.Errorf("a whole picture: %v %s", err, out)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "exported.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"check", "import"} {
		if out, err := run(command, dir); err == nil || !strings.Contains(err.Error(), "exported.json") {
			t.Errorf("%s of a pipe: %v %s", command, err, out)
		}
	}
}
