// Package content has the commands about the clinic's file and the texts and pictures of its site.
package content

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/clinic"
	"bitacora/domain/fault"
)

// NewContent is "bitacora content".
func NewContent() *cobra.Command {
	out := app.LogCommand("export DIR", "Write the site's content into files",
		"  bitacora content export content", cobra.ExactArgs(1), exportContent)
	command.WhenLeft(out, "the files are not whole: the same command again writes them all")
	in := app.LogCommand("import DIR", "Take the site's content from files",
		"  bitacora content export content\n  $EDITOR content/posts/brackets-o-alineadores.md\n  bitacora content import content",
		cobra.ExactArgs(1), nil)
	overwrite := in.Flags().Bool("overwrite", false, "also replace answers that were taught on the dashboard since the export")
	in.Long = `Replace the site's content by files. A running site shows it within seconds. The import may be
repeated.

The README.md of an exported folder describes every file: texts of pages and menus, services, people,
posts, testimonials, the notice of privacy, answers. A folder contains all files of
its kind: a missing file is removed from the site. A missing folder, or a missing file of a page,
changes nothing. The import lists added, changed, removed and kept texts.

The clinic's own pictures lie in images/, as JPEG, PNG or WebP; a place without one shows the site's:

` + pictureHelp() + `
Where anything is wrong, every mistake is reported with its file and line, and nothing is changed.
Answers that the staff taught on the dashboard, or took back, after the directory was exported stay as
they are, and are named; --overwrite replaces them too. exported.json says of which version of the
content an export is.`
	in.RunE = func(c *cobra.Command, given []string) error {
		since, err := exportedVersion(given[0])
		if err != nil {
			return fmt.Errorf("nothing was imported: %w", err)
		}
		if *overwrite {
			since = math.MaxInt64
		}
		// What is wrong in itself needs no database.
		if _, err := clinic.ReadContent(os.DirFS(given[0]), clinic.DefaultContent()); err != nil && !anyKept(given[0]) {
			return fmt.Errorf("nothing was imported:\n%w", err)
		}
		a, err := app.Open(c)
		if err != nil {
			return err
		}
		return errors.Join(importContent(c.Context(), c.OutOrStdout(), a, given[0], since), a.Close())
	}
	check := command.Needing(command.NeedsNothing, &cobra.Command{
		Use:   "check DIR",
		Short: "Report mistakes in a directory of content",
		Long: `Report the mistakes in a directory of content, each with its file and line, texts that no page shows,
and texts about a service that the clinic does not offer. It decodes the pictures.
It needs no database: for a missing folder or page it assumes the program's own.`,
		Example: "  bitacora content check content",
		Args:    cobra.ExactArgs(1),
		RunE:    func(c *cobra.Command, given []string) error { return checkContent(c.OutOrStdout(), given[0]) },
	})
	return command.Group(&cobra.Command{Use: "content", Short: "Export, check, preview and import the texts and pictures of the site"},
		out, in, check, newPreview())
}

// checkContent reports what an author should know of a folder.
func checkContent(w io.Writer, dir string) error {
	content, err := clinic.ReadContent(os.DirFS(dir), clinic.DefaultContent())
	if err != nil {
		return err
	}
	sources, err := readPictures(os.DirFS(dir), &content)
	errs := []error{err}
	for _, s := range sources {
		errs = append(errs, ofPicture(s, s.Check()))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	tellNotes(w, dir, content)
	fmt.Fprintf(w, "%s is right: %s of content.\n", dir, amount(len(content.Files()), "file", "files"))
	return nil
}

func anyKept(dir string) bool { return len(clinic.Kept(os.DirFS(dir))) > 0 }

// tellNotes tells what will not be seen, and what is not in the folder.
func tellNotes(w io.Writer, dir string, content clinic.Content) {
	for _, note := range content.Notes() {
		fmt.Fprintln(w, note)
	}
	if kept := clinic.Kept(os.DirFS(dir)); len(kept) > 0 {
		fmt.Fprintf(w, "Not in the folder, so that the site keeps what it has: %s.\n", strings.Join(kept, ", "))
	}
}

// importContent stores the content of a folder that was edited since a version of it.
func importContent(ctx context.Context, w io.Writer, a *app.App, dir string, since int64) error {
	store := a.DB.Content()
	before, version, err := store.Read(ctx)
	if err != nil {
		return err
	}
	if version == 0 {
		before = FirstContent(a.Clinic)
	}
	files := os.DirFS(dir)
	content, err := clinic.ReadContent(files, before)
	if err != nil {
		return fmt.Errorf("nothing was imported:\n%w", err)
	}
	sources, err := readPictures(files, &content)
	if err == nil {
		err = makePictures(ctx, store, sources)
	}
	if err != nil {
		return fmt.Errorf("nothing was imported:\n%w", err)
	}
	changed, left, err := store.ReplaceSince(ctx, content, since)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		fmt.Fprintf(w, "Left as the staff taught them since the export, or took them back: %s. --overwrite replaces them.\n", strings.Join(left, ", "))
	}
	tellNotes(w, dir, content)
	if !changed {
		fmt.Fprintln(w, "The site has this content already.")
		return nil
	}
	after, _, err := store.Read(ctx)
	if err != nil {
		return err
	}
	changes := before.ChangesTo(after)
	for _, list := range []struct {
		did   string
		names []string
	}{{"added", changes.Added}, {"changed", changes.Changed}, {"removed", changes.Removed}} {
		for _, name := range list.names {
			fmt.Fprintf(w, "%-8s %s\n", list.did, name)
		}
	}
	fmt.Fprintf(w, "The site now has %s, %s and %s, %s, %s of texts and %s of its own, the assistant %s.\n",
		amount(len(content.Services), "service", "services"), amount(len(content.Testimonials), "testimonial", "testimonials"),
		amount(len(content.Posts), "post", "posts"), amount(len(content.Profiles), "person", "people"), amount(len(content.Pages), "page", "pages"),
		amount(len(content.Pictures), "picture", "pictures"), amount(len(content.Answers), "answer", "answers"))
	return nil
}

func amount(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// OthersTexts are the parts of a clinic's content that tell of the built-in clinic; none where the
// clinic is that.
func OthersTexts(facts clinic.Clinic, content clinic.Content) []string {
	if facts.Name == clinic.Default().Name {
		return nil
	}
	return content.OfTheDefault()
}

// WarnOfOthersTexts says which texts of the site tell of people and patients who are not the clinic's.
func WarnOfOthersTexts(a *app.App, content clinic.Content) {
	if others := OthersTexts(a.Clinic, content); len(others) > 0 {
		a.Log.Warn("the site says of itself what is made up: bitacora content export DIR, edit it, bitacora content import DIR", "texts", strings.Join(others, ", "))
	}
}

func exportContent(ctx context.Context, a *app.App, given []string) error {
	content, version, err := SiteContent(ctx, a)
	if err != nil {
		return err
	}
	files := content.Files()
	if files[clinic.ExportedFile], err = json.Marshal(exported{version}); err != nil {
		return fmt.Errorf("write version: %w", err)
	}
	if err := addOriginals(ctx, a.DB.Content(), content, files); err != nil {
		return err
	}
	files[clinic.DocumentationFile] = clinic.Documentation()
	for _, folder := range clinic.Folders() {
		if err := os.MkdirAll(filepath.Join(given[0], folder), 0o755); err != nil {
			return fmt.Errorf("make directory: %w", err)
		}
	}
	for name, text := range files {
		if err := WriteFile(filepath.Join(given[0], filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	fmt.Printf("%s in %s.\n", amount(len(files), "file is", "files are"), given[0])
	return strangers(given[0], files)
}

// WriteFile writes a file of content, with its folders.
func WriteFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("make directory: %w", err)
	}
	return fault.Wrap(os.WriteFile(name, text, 0o644), "write content")
}

// strangers tells of files that an import would take for content and that are none of it.
func strangers(dir string, files map[string][]byte) error {
	for _, pattern := range []string{"services/*.md", "services/*.json", "doctors/*.md", "posts/*.md", "answers/*.md", "images/*.*", "images/*/*.*"} {
		names, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			return fmt.Errorf("look through %s: %w", dir, err)
		}
		for _, name := range names {
			if _, ours := files[name]; !ours {
				fmt.Fprintf(os.Stderr, "%s was there before and is not on the site; an import would add it.\n", name)
			}
		}
	}
	return nil
}

// FirstContent is what a clinic begins with: what the project brings along, but for the people and
// patients of its own clinic, whom no other one has.
func FirstContent(facts clinic.Clinic) clinic.Content {
	content := clinic.DefaultContent()
	if facts.Name != clinic.Default().Name {
		content.Profiles, content.Testimonials = nil, nil
	}
	return content
}

// SiteContent is what the site shows; a new clinic has [FirstContent].
func SiteContent(ctx context.Context, a *app.App) (content clinic.Content, version int64, err error) {
	store := a.DB.Content()
	if _, err := store.Seed(ctx, FirstContent(a.Clinic)); err != nil {
		return clinic.Content{}, 0, err
	}
	return store.Read(ctx)
}

type exported struct {
	ContentVersion int64 `json:"contentVersion"`
}

// exportedVersion is the version of the content that a directory was exported from; 0 where it says
// nothing of it.
func exportedVersion(dir string) (int64, error) {
	var e exported
	name := filepath.Join(dir, clinic.ExportedFile)
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	var text []byte
	switch {
	case err != nil:
	case !info.Mode().IsRegular(): // to read a pipe need not end
		err = errors.New("it is no file")
	default:
		text, err = os.ReadFile(name)
	}
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	return e.ContentVersion, fault.Wrap(err, "read "+clinic.ExportedFile)
}
