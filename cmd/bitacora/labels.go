package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"bitacora/domain/labelling"
)

func newAssistantLabels() *cobra.Command {
	dir := "."
	c := command("export", "Write what the staff labelled as training lines",
		"  bitacora assistant labels export --dir labels",
		cobra.NoArgs, func(ctx context.Context, a *app, _ []string) error { return exportLabels(ctx, a, dir) })
	c.Long = `Write what the staff labelled on the dashboard ("Por etiquetar") into a directory, in the format of
the assistant's own files:

  sentences/INTENT.txt    what visitors wrote, a line each
  questions/TOPIC.txt     the questions of an answer, below "## SLUG"

Contact details are masked; texts of erased and restricted people, and what was skipped, are not
among them. The assistant does not learn from it by itself: read the lines, and add those that
are good to its files. Files that are there already are not written over.`
	c.Flags().StringVar(&dir, "dir", dir, "where the files go")
	return group(&cobra.Command{Use: "labels", Short: "What the staff says that visitors meant"}, c)
}

func exportLabels(ctx context.Context, a *app, dir string) error {
	tables, _, err := a.live(ctx)
	if err != nil {
		return err
	}
	lines, err := tables.LabelledLines(ctx)
	if err != nil {
		return err
	}
	content, _, err := siteContent(ctx, a)
	if err != nil {
		return err
	}
	files, unknown := labelling.Files(lines, labelling.ChoicesOf(nil, content.Answers))
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(fmt.Errorf("%s is there already: nothing was written", name), err)
		}
	}
	for _, f := range files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(f.Name)), []byte(f.Text)); err != nil {
			return err
		}
	}
	fmt.Printf("%d labelled questions are in %d files in %s.\n", len(lines)-len(unknown), len(files), dir)
	for _, slug := range unknown {
		fmt.Fprintf(os.Stderr, "What is labelled with %s was left out: the clinic has no such answer any more.\n", slug)
	}
	return nil
}
