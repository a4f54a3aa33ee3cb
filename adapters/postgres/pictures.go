package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/clinic"
	"bitacora/domain/fault"
)

// PictureFile gives an original or a file that was made of it, see [clinic.Picture]. What a name
// holds never changes; one that is not there is [clinic.ErrNoPicture].
func (c *Content) PictureFile(ctx context.Context, name string) (data []byte, err error) {
	data, err = again(c.pool, func() (data []byte, err error) {
		return data, c.pool.QueryRow(ctx, query("picture_file"), name).Scan(&data)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		err = clinic.ErrNoPicture
	}
	return data, fault.Wrap(err, "read picture "+name)
}

// LackingPictureFiles gives those of some files of pictures that are not stored.
func (c *Content) LackingPictureFiles(ctx context.Context, names []string) ([]string, error) {
	lacking, err := lackingPictureFiles(ctx, c.pool, names)
	return lacking, fault.Wrap(err, "look for files of pictures")
}

// AddPictureFile stores a file of a picture ahead of the content that names it: content with a picture
// is stored only where its files are.
func (c *Content) AddPictureFile(ctx context.Context, name string, data []byte) error {
	_, err := c.pool.Exec(ctx, query("picture_file_add"), name, data)
	return fault.Wrap(err, "store file of picture")
}

func lackingPictureFiles(ctx context.Context, q querier, names []string) ([]string, error) {
	rows, err := q.Query(ctx, query("picture_files_lacking"), names)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// pictureFiles are the names of all files that pictures need.
func pictureFiles(pictures []clinic.Picture) []string {
	names := []string{}
	for _, p := range pictures {
		names = append(names, p.Original())
		for _, f := range p.Files() {
			names = append(names, f.Name)
		}
	}
	return names
}

// storePictures stores which pictures there are, and removes the files that none of them needs.
func storePictures(ctx context.Context, tx pgx.Tx, pictures []clinic.Picture) error {
	names := pictureFiles(pictures)
	lacking, err := lackingPictureFiles(ctx, tx, names)
	if err != nil {
		return err
	}
	if len(lacking) > 0 {
		return fmt.Errorf("files of pictures are missing, since other content was stored meanwhile: %s and others", lacking[0])
	}
	rows := pgx.CopyFromSlice(len(pictures), func(i int) ([]any, error) {
		p := pictures[i]
		widths := p.Widths
		if widths == nil {
			widths = []int{}
		}
		return []any{p.Name, p.Alt, p.Focus.X, p.Focus.Y, p.Shown.X, p.Shown.Y, p.Type, p.SHA, p.Key, p.Width, p.Height, widths}, nil
	})
	columns := []string{"name", "alt", "focus_x", "focus_y", "shown_x", "shown_y", "type", "sha256", "key", "width", "height", "widths"}
	if _, err := tx.CopyFrom(ctx, pgx.Identifier{"pictures"}, columns, rows); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, query("picture_files_tidy"), names)
	return err
}

func readPictures(ctx context.Context, tx pgx.Tx) ([]clinic.Picture, error) {
	all, err := collect(ctx, tx, query("pictures"), func(row pgx.CollectableRow) (p clinic.Picture, err error) {
		err = row.Scan(&p.Name, &p.Alt, &p.Focus.X, &p.Focus.Y, &p.Shown.X, &p.Shown.Y, &p.Type, &p.SHA, &p.Key, &p.Width, &p.Height, &p.Widths)
		if len(p.Widths) == 0 {
			p.Widths = nil
		}
		return p, err
	})
	if len(all) == 0 {
		all = nil
	}
	return all, err
}
