package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bitacora/cmd/bitacora/privacy"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/clinic"
	"bitacora/domain/staff"
	"bitacora/domain/teaching"
)

func TestContentIsEditedInFiles(t *testing.T) {
	p := programtest.NewProgram(t)
	p.Start()
	dir := filepath.Join(t.TempDir(), "content")
	if out, err := p.Run("", "content", "export", dir); err != nil || !strings.Contains(out, "77 files") {
		t.Fatalf("export: %v\n%s", err, out)
	}
	if out, err := p.Run("", "content", "import", dir); err != nil || !strings.Contains(out, "has this content already") {
		t.Errorf("import of what was exported: %v\n%s", err, out)
	}
	post := filepath.Join(dir, "posts", "brackets-o-alineadores.md")
	text, err := os.ReadFile(post)
	if err != nil {
		t.Fatal(err)
	}
	edit := func(old, new string) {
		t.Helper()
		if err := os.WriteFile(post, []byte(strings.Replace(string(text), old, new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	edit("publishedAt: ", "publishedAt: mañana ")
	before, _, _ := strings.Cut(string(text), "publishedAt:")
	progress := fmt.Sprintf("posts/brackets-o-alineadores.md:%d: publishedAt:", strings.Count(before, "\n")+1)
	if out, err := p.Run("", "content", "import", dir); err == nil || !strings.Contains(out, progress) {
		t.Errorf("import of a mistake: %v\n%s", err, out)
	}
	edit("Brackets o alineadores: cómo elegir", "Otro título")
	if out, err := p.Run("", "content", "import", dir); err != nil || !strings.Contains(out, "16 services, 8 testimonials and 12 posts") {
		t.Errorf("import: %v\n%s", err, out)
	}
	p.Eventually("the site shows the new title", 10*time.Second, func() error {
		var got struct{ Title string }
		if err := p.Get("/api/blog/slug/brackets-o-alineadores", "", &got); err != nil {
			return err
		}
		if got.Title != "Otro título" {
			return fmt.Errorf("title %q", got.Title)
		}
		return nil
	})
}

// TestAnImportIsKnownToTheNextReply edits an answer while the program runs, and asks for it.
func TestAnImportIsKnownToTheNextReply(t *testing.T) {
	p := programtest.NewProgram(t)
	p.Start()
	dir := t.TempDir()
	p.MustRun("content", "export", dir)
	file := filepath.Join(dir, "answers", "limpieza.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const edited = "Ahora con ultrasonido y pulido suave."
	changed := strings.Replace(string(text), "Incluye la revisión", edited+" Incluye la revisión", 1)
	if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	p.MustRun("content", "import", dir)
	asked := 0
	p.Eventually("the assistant tells what was imported", 20*time.Second, func() error {
		asked++
		var answer struct{ Response string }
		err := p.Post("/api/chatbot", map[string]string{"sessionId": fmt.Sprint("s", asked), "message": "¿hacen limpieza dental?"}, &answer)
		if err == nil && !strings.Contains(answer.Response, edited) {
			err = errors.New(answer.Response)
		}
		return err
	})
}

// TestAnImportNamesWhatWasTaughtSince brings back an export from before an answer was taught.
func TestAnImportNamesWhatWasTaughtSince(t *testing.T) {
	p := programtest.NewProgram(t)
	p.Start()
	dir := t.TempDir()
	p.MustRun("content", "export", dir)
	teaches := privacy.TeachingRegister(p.App())
	teaches.TellsOf = func(context.Context, string) (bool, error) { return false, nil }
	taught := clinic.Answer{Slug: "agua", Topic: "clinica", Questions: []string{"hay agua filtrada"}, Text: "Sí, en la sala."}
	if _, err := teaches.Publish(t.Context(), staff.Actor{ID: "ana"}, teaching.Draft{Answer: taught, Reason: "Prueba."}); err != nil {
		t.Fatal(err)
	}
	imports := func(want string, args ...string) {
		t.Helper()
		if out := p.MustRun(append([]string{"content", "import", dir}, args...)...); !strings.Contains(out, want) {
			t.Errorf("import %v says %q, want %q", args, out, want)
		}
	}
	const left = "Left as the staff taught them since the export, or took them back: agua. --overwrite replaces them."
	imports(left)
	imports("The site now has", "--overwrite")
	if out := p.MustRun("content", "import", dir); strings.Contains(out, "Left") || !strings.Contains(out, "already") {
		t.Errorf("imported again: %q", out)
	}
	// What was exported after it holds it, and nothing is newer.
	if _, err := teaches.Publish(t.Context(), staff.Actor{ID: "ana"}, teaching.Draft{Answer: taught, Reason: "Prueba."}); err != nil {
		t.Fatal(err)
	}
	p.MustRun("content", "export", dir)
	imports("has this content already")
}
