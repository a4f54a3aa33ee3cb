package content

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"bitacora/adapters/pictures"
	"bitacora/adapters/postgres"
	"bitacora/domain/clinic"
	"bitacora/domain/fault"
)

// pictureHelp lists the places for pictures.
func pictureHelp() string {
	var b strings.Builder
	for _, s := range clinic.PictureSlots {
		name := s.Name
		if s.Of != "" {
			name += "/" + s.Of
		}
		fmt.Fprintf(&b, "  %-28s%s; %s, at least %d pixels wide\n", name, s.About, s.Ratio(), s.Least)
	}
	fmt.Fprintf(&b, "\nA file has at most %d MB and %d million pixels, all together %d MB. images.json contains the text for each\n"+
		"(alt, or decorative) and the point that a crop keeps (focus, as shares of width and height).\n",
		clinic.MaxPictureBytes>>20, clinic.MaxPicturePixels/1_000_000, clinic.MaxPicturesBytes>>20)
	return b.String()
}

// readPictures reads the pictures that content names from its folder, tells the content what the site
// needs to know of them, and reports every mistake with its file.
func readPictures(files fs.FS, content *clinic.Content) ([]pictures.Source, error) {
	if _, err := fs.Stat(files, clinic.PictureFolder); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the content keeps those that it had
	}
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
		errs = append(errs, ofPicture(s, err))
	}
	return errors.Join(errs...)
}

// ofPicture is an error with the picture that it is about.
func ofPicture(s pictures.Source, err error) error {
	return fault.Wrap(err, fmt.Sprintf("%s/%s.%s", clinic.PictureFolder, s.Picture.Name, s.Picture.Type))
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
