package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"bitacora/adapters/pictures"
	"bitacora/adapters/postgres"
	"bitacora/domain/clinic"
)

// pictureHelp lists the places for pictures.
func pictureHelp() string {
	var b strings.Builder
	for _, s := range clinic.PictureSlots {
		name := s.Name
		if s.Of != "" {
			name += "/" + s.Of
		}
		fmt.Fprintf(&b, "  %-26s%s; at least %d pixels wide\n", name, s.About, s.Least)
	}
	return b.String()
}

// readPictures reads the pictures that content names from its folder, tells the content what the site
// needs to know of them, and reports every mistake with its file.
func readPictures(files fs.FS, content *clinic.Content) ([]pictures.Source, error) {
	var sources []pictures.Source
	var errs []error
	total := 0
	for i, p := range content.Pictures {
		s, err := pictures.Read(files, p)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		total += len(s.Original)
		content.Pictures[i] = s.Picture
		sources = append(sources, s)
	}
	if total > clinic.MaxPicturesBytes {
		errs = append(errs, fmt.Errorf("%s has %d MB of pictures; at most %d MB are taken", clinic.PictureFolder, total>>20, clinic.MaxPicturesBytes>>20))
	}
	return sources, errors.Join(errs...)
}

// makePictures makes and stores the files of pictures that are not stored yet, and tells how far it
// came: what an import that is broken off has made, the next one need not make again.
func makePictures(ctx context.Context, store *postgres.Content, sources []pictures.Source) error {
	var errs []error
	for i, s := range sources {
		names := []string{s.Picture.Original()}
		for _, f := range s.Picture.Files() {
			names = append(names, f.Name)
		}
		lacking, err := store.LackingPictureFiles(ctx, names)
		if err != nil {
			return err
		}
		if len(lacking) == 0 {
			continue
		}
		fmt.Fprintf(os.Stderr, "Making the sizes of %s (%d of %d)\n", s.Picture.Name, i+1, len(sources))
		err = s.Make(ctx, func(f clinic.PictureFile, data []byte) error { return store.AddPictureFile(ctx, f.Name, data) })
		if err == nil {
			err = store.AddPictureFile(ctx, s.Picture.Original(), s.Original)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s/%s.%s: %w", clinic.PictureFolder, s.Picture.Name, s.Picture.Type, err))
		}
	}
	return errors.Join(errs...)
}

// sayPictures tells how many pictures of its own the clinic has, and which of before are gone.
func sayPictures(was, now []clinic.Picture) {
	var gone []string
	for _, p := range was {
		if !slices.ContainsFunc(now, func(other clinic.Picture) bool { return other.Name == p.Name }) {
			gone = append(gone, p.Name)
		}
	}
	if len(now) > 0 {
		fmt.Printf("It shows %d pictures of the clinic's own.\n", len(now))
	}
	if len(gone) > 0 {
		fmt.Printf("Removed pictures, in whose places it shows its own again: %s.\n", strings.Join(gone, ", "))
	}
}

// addOriginals adds the pictures to the files of an export.
func addOriginals(ctx context.Context, store *postgres.Content, content clinic.Content, files map[string][]byte) error {
	for _, p := range content.Pictures {
		data, err := store.PictureFile(ctx, p.Original())
		if err != nil {
			return err
		}
		files[path.Join(clinic.PictureFolder, p.Name+"."+p.Type)] = data
	}
	return nil
}
