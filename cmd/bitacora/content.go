package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bitacora/adapters/pictures"
	"bitacora/adapters/postgres"
	"bitacora/domain/clinic"
)

func newContent() *cobra.Command {
	out := command("export DIR", "Write the site's content into files",
		"  bitacora content export content", cobra.ExactArgs(1), exportContent)
	in := command("import DIR", "Take the site's content from files",
		"  bitacora content export content\n  $EDITOR content/posts/brackets-o-alineadores.md\n  bitacora content import content",
		cobra.ExactArgs(1), nil)
	overwrite := in.Flags().Bool("overwrite", false, "also replace answers that were taught on the dashboard since the export")
	in.Long = `Take the site's content from files, in the place of what there is: what is not in the
directory is removed. A running site shows it within seconds. The import may be repeated.

  services/SLUG.md   title, slug, description, icon, specialty, featured, order, imageUrl
  posts/SLUG.md      title, slug, excerpt, publishedAt, topics, imageUrl
  testimonials.json  id, name, comment, rating, location, imageUrl
  privacidad.md      title, version, description
  answers/TOPIC.md   what the assistant answers, each after a line "## SLUG": service, aspect, open,
                     the questions ("- ¿Duele?"), the answer, "English: " and the same in English;
                     "open: true" says that the answer is not known and the question can be passed on.
                     A line "|| …" after the answer is said where the clinic's file does not tell a
                     fact that the answer names; an open answer is answered where it tells them all

The clinic's own pictures lie in images/, as JPEG, PNG or WebP, with what is seen on them in
images/images.json: {"hero/1": {"alt": "La recepción", "focus": [0.5, 0.3]}, "hero/2": {"decorative": true}}.
They are cropped around the focus, shares of the width and height, made in the sizes that the site
needs, and kept without metadata such as the place where they were taken. A place without a picture
shows the site's own.

` + pictureHelp() + `
The texts of services, posts and privacidad.md are Markdown. Every text may name {{clinicName}},
{{tagline}}, {{phone1}}, {{phone2}}, {{phones}}, {{email}}, {{emergency}}, {{address}}, {{city}},
{{mapUrl}}, {{bookingUrl}}, {{hours}}, {{services}}, {{team}}, {{requestDays}} and {{erasureDays}},
the working days within which a copy of one's data is handed over, and anything else about them
done. Answers with a line "|| …" may also name what a clinic may not tell: ` + strings.Join(clinic.OptionalPlaceholders(), ", ") + `.
A consent names the version of privacidad.md: give it another one with every change of what
it promises. Where anything is wrong, every mistake is reported with its file and line, and nothing
is changed. Without any answers, those that the program brings along count. Answers that the staff
taught on the dashboard, or took back, after the directory was exported stay as they are, and are named;
--overwrite replaces them too. exported.json says of which version of the content an export is.`
	in.RunE = func(c *cobra.Command, given []string) error {
		files := os.DirFS(given[0])
		content, err := clinic.ReadContent(files)
		if err != nil {
			return fmt.Errorf("nothing was imported:\n%w", err)
		}
		sources, err := readPictures(files, &content)
		if err != nil {
			return fmt.Errorf("nothing was imported:\n%w", err)
		}
		since, err := exportedVersion(given[0])
		if err != nil {
			return fmt.Errorf("nothing was imported: %w", err)
		}
		if *overwrite {
			since = math.MaxInt64
		}
		a, err := openApp(c.Context())
		if err != nil {
			return err
		}
		return errors.Join(importContent(c.Context(), a.db.Content(), content, sources, since), a.close())
	}
	return group(&cobra.Command{Use: "content", Short: "What the clinic tells: services, testimonials, blog, answers, privacy"}, out, in)
}

// importContent stores content that was edited since a version of it.
func importContent(ctx context.Context, store *postgres.Content, content clinic.Content, sources []pictures.Source, since int64) error {
	was, _, err := store.Read(ctx)
	if err != nil {
		return err
	}
	if err := makePictures(ctx, store, sources); err != nil {
		return fmt.Errorf("nothing was imported:\n%w", err)
	}
	changed, left, err := store.ReplaceSince(ctx, content, since)
	if err != nil {
		return err
	}
	if len(left) > 0 {
		fmt.Printf("Left as the staff taught them since the export, or took them back: %s. --overwrite replaces them.\n", strings.Join(left, ", "))
	}
	if !changed {
		fmt.Println("The site has this content already.")
		return nil
	}
	fmt.Printf("The site now has %d services, %d testimonials and %d posts, the assistant %d answers.\n",
		len(content.Services), len(content.Testimonials), len(content.Posts), len(content.Answers))
	sayPictures(was.Pictures, content.Pictures)
	return nil
}

func exportContent(ctx context.Context, a *app, given []string) error {
	content, version, err := siteContent(ctx, a.db.Content())
	if err != nil {
		return err
	}
	files, err := content.Files()
	if err != nil {
		return err
	}
	if files[exportedFile], err = json.Marshal(exported{version}); err != nil {
		return fmt.Errorf("write version: %w", err)
	}
	if err := addOriginals(ctx, a.db.Content(), content, files); err != nil {
		return err
	}
	for name, text := range files {
		if err := writeFile(filepath.Join(given[0], filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	fmt.Printf("%d files are in %s.\n", len(files), given[0])
	return strangers(given[0], files)
}

func writeFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("make directory: %w", err)
	}
	if err := os.WriteFile(name, text, 0o644); err != nil {
		return fmt.Errorf("write content: %w", err)
	}
	return nil
}

// strangers tells of files that an import would take for content and that are none of it.
func strangers(dir string, files map[string][]byte) error {
	for _, pattern := range []string{"services/*.md", "posts/*.md", "answers/*.md", "images/*.*", "images/*/*.*"} {
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

// siteContent is what the site shows; a new clinic begins with what the project brings along.
func siteContent(ctx context.Context, store *postgres.Content) (content clinic.Content, version int64, err error) {
	if _, err := store.Seed(ctx, clinic.DefaultContent()); err != nil {
		return clinic.Content{}, 0, err
	}
	return store.Read(ctx)
}

// exportedFile says what an export was made of.
const exportedFile = "exported.json"

type exported struct {
	ContentVersion int64 `json:"contentVersion"`
}

// exportedVersion is the version of the content that a directory was exported from; 0 where it says
// nothing of it.
func exportedVersion(dir string) (int64, error) {
	var e exported
	text, err := os.ReadFile(filepath.Join(dir, exportedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &e)
	}
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", exportedFile, err)
	}
	return e.ContentVersion, nil
}
