// Package pictures makes of a clinic's pictures the files that its site shows: without metadata, the
// right way up, in the site's ratios, widths and formats. It takes seconds a picture, for imports only.
package pictures

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"

	"bitacora/domain/clinic"
)

// recipe changes with the way in which files are made of a picture, so that those of before are
// made anew by the next import.
const recipe = 1

// Source is a picture of which files can be made.
type Source struct {
	// Picture is what the site is told of it.
	Picture clinic.Picture
	// Original is the picture without metadata.
	Original []byte

	way int
}

// Read reads the picture of a folder that [clinic.ReadContent] found there, without decoding it.
// What is no picture, too small or too large is refused before anything is decoded.
func Read(files fs.FS, p clinic.Picture) (s Source, err error) {
	name, err := find(files, p)
	if err != nil {
		return s, err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	data, err := readBounded(files, name)
	if err != nil {
		return s, err
	}
	return newSource(p, data)
}

// newSource is a picture of the bytes of its file.
func newSource(p clinic.Picture, data []byte) (s Source, err error) {
	s.Picture = p
	if p.Type == "svg" {
		return s.drawn(data)
	}
	if looks := typeOf(data); looks != p.Type {
		return s, fmt.Errorf("is %s and not what its name says", cmp.Or(looks, "no JPEG, PNG or WebP"))
	}
	if s.Original, s.way, err = strip(p.Type, data); err != nil {
		return s, err
	}
	config, err := configOf(p.Type, bytes.NewReader(s.Original))
	if err != nil {
		return s, fmt.Errorf("cannot be read: %w", err)
	}
	width, height := config.Width, config.Height
	if width > clinic.MaxPictureSide || height > clinic.MaxPictureSide || width*height > clinic.MaxPicturePixels {
		return s, fmt.Errorf("has %d × %d pixels; at most %d million and %d on a side are taken", width, height, clinic.MaxPicturePixels/1_000_000, clinic.MaxPictureSide)
	}
	if across(s.way) {
		width, height = height, width
	}
	return s.sized(width, height)
}

// sized works out what is made of an original of a size.
func (s Source) sized(width, height int) (Source, error) {
	p, slot := &s.Picture, s.Picture.Slot()
	kept := crop(width, height, slot.Width, slot.Height, p.Focus)
	if slot.Logo() {
		kept = image.Rect(0, 0, width, height)
	}
	if kept.Dx() < slot.Least {
		return s, fmt.Errorf("has %d × %d pixels, of which %d × %d remain after the crop: at least %d × %d are needed",
			width, height, kept.Dx(), kept.Dy(), slot.Least, slot.Least*slot.Height/slot.Width)
	}
	p.Shown = clinic.Focus{
		X: share(p.Focus.X*float64(width)-float64(kept.Min.X), kept.Dx()),
		Y: share(p.Focus.Y*float64(height)-float64(kept.Min.Y), kept.Dy()),
	}
	if slot.Logo() {
		p.Width, p.Height = within(width, height, slot.Width, slot.Height)
	} else {
		p.Width = min(slot.Width, kept.Dx())
		p.Height = (p.Width*slot.Height + slot.Width/2) / slot.Width
		for _, w := range slot.Widths {
			if w < p.Width {
				p.Widths = append(p.Widths, w)
			}
		}
		p.Widths = append(p.Widths, p.Width)
	}
	return s.named(), nil
}

// named gives the picture the names of its files.
func (s Source) named() Source {
	p, slot := &s.Picture, s.Picture.Slot()
	p.SHA = digest(s.Original)
	p.Key = digest(fmt.Append(nil, recipe, p.SHA, p.Focus, p.Widths, p.Width, p.Height, slot.Shared))[:32]
	return s
}

// Make makes the files of a picture, one after the other, and hands each over.
func (s Source) Make(ctx context.Context, emit func(file clinic.PictureFile, data []byte) error) error {
	if s.Picture.Type == "svg" {
		return emit(s.Picture.Files()[0], s.Original)
	}
	m, err := s.decode()
	if err != nil {
		return err
	}
	slot := s.Picture.Slot()
	scaled := map[image.Point]*image.RGBA{}
	for _, f := range s.Picture.Files() {
		if err := ctx.Err(); err != nil {
			return err
		}
		size := image.Pt(f.Width, f.Height)
		if scaled[size] == nil {
			kept := crop(m.Bounds().Dx(), m.Bounds().Dy(), f.Width, f.Height, s.Picture.Focus)
			if slot.Logo() {
				kept = m.Bounds()
			}
			scaled[size] = scale(m, kept.Add(m.Bounds().Min), size, !slot.Logo())
		}
		var b bytes.Buffer
		if err := encode(&b, f.Type, scaled[size]); err != nil {
			return fmt.Errorf("encode %s: %w", f.Type, err)
		}
		if err := emit(f, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// Check decodes a picture, to find out whether files can be made of it.
func (s Source) Check() error {
	if s.Picture.Type == "svg" {
		return nil
	}
	_, err := s.decode()
	return err
}

func (s Source) decode() (image.Image, error) {
	m, err := decode(s.Picture.Type, bytes.NewReader(s.Original))
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", err)
	}
	return upright(m, s.way), nil
}

// find is the file of a picture: endings are written in several ways.
func find(files fs.FS, p clinic.Picture) (string, error) {
	folder, base := path.Split(path.Join(clinic.PictureFolder, p.Name))
	entries, err := fs.ReadDir(files, path.Clean(folder))
	if err != nil {
		return "", fmt.Errorf("look for picture: %w", err)
	}
	for _, e := range entries {
		ending := path.Ext(e.Name())
		if kind := strings.ToLower(ending); !e.IsDir() && strings.TrimSuffix(e.Name(), ending) == base && (kind == "."+p.Type || kind == ".jpeg" && p.Type == "jpg") {
			return folder + e.Name(), nil
		}
	}
	return "", fmt.Errorf("%s%s.%s: %w", folder, base, p.Type, fs.ErrNotExist)
}

func readBounded(files fs.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open picture: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, clinic.MaxPictureBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read picture: %w", err)
	case len(data) > clinic.MaxPictureBytes:
		return nil, fmt.Errorf("has more than %d MB", clinic.MaxPictureBytes>>20)
	case len(data) == 0:
		return nil, errors.New("is empty")
	}
	return data, nil
}

// typeOf is the type of a picture by its first bytes; empty for others.
func typeOf(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, jpegStart, 0xff}):
		return "jpg"
	case bytes.HasPrefix(data, pngStart):
		return "png"
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "webp"
	}
	return ""
}

func configOf(format string, r io.Reader) (image.Config, error) {
	switch format {
	case "jpg":
		return jpeg.DecodeConfig(r)
	case "png":
		return png.DecodeConfig(r)
	default:
		return webp.DecodeConfig(r)
	}
}

func decode(format string, r io.Reader) (image.Image, error) {
	switch format {
	case "jpg":
		return jpeg.Decode(r)
	case "png":
		return png.Decode(r)
	default:
		m, err := webp.Decode(r)
		if err == nil {
			widen(m)
		}
		return m, err
	}
}

// widen gives the colours of a WebP the whole range that the types of Go have: black is 16 in it and
// white 235, which the decoder leaves as it is.
func widen(m image.Image) {
	var planes *image.YCbCr
	switch m := m.(type) {
	case *image.YCbCr:
		planes = m
	case *image.NYCbCrA:
		planes = &m.YCbCr
	default:
		return // without loss, in whole colours
	}
	stretch := func(plane []byte, from, to, steps int) {
		for i, v := range plane {
			plane[i] = byte(min(max(to+(int(v)-from)*255/steps, 0), 255))
		}
	}
	stretch(planes.Y, 16, 0, 219)
	stretch(planes.Cb, 128, 128, 224)
	stretch(planes.Cr, 128, 128, 224)
}

// crop is the largest part of a picture in the ratio of width to height that has its focus as near to
// the middle as may be.
func crop(width, height, ratioWidth, ratioHeight int, focus clinic.Focus) image.Rectangle {
	w, h := width, (width*ratioHeight+ratioWidth/2)/ratioWidth
	if h > height {
		w, h = (height*ratioWidth+ratioHeight/2)/ratioHeight, height
	}
	w, h = max(min(w, width), 1), max(min(h, height), 1)
	x := min(max(int(focus.X*float64(width))-w/2, 0), width-w)
	y := min(max(int(focus.Y*float64(height))-h/2, 0), height-h)
	return image.Rect(x, y, x+w, y+h)
}

// within is a size in its own ratio that is at most another.
func within(width, height, most, mostHeight int) (int, int) {
	if width > most {
		width, height = most, max(height*most/width, 1)
	}
	if height > mostHeight {
		width, height = max(width*mostHeight/height, 1), mostHeight
	}
	return width, height
}

// share is a part of a length, as hundredths from 0 to 1.
func share(part float64, of int) float64 {
	return float64(int(min(max(part/float64(of), 0), 1)*100+0.5)) / 100
}

// scale draws a part of a picture in a size; on white where it is to be opaque.
func scale(m image.Image, part image.Rectangle, size image.Point, opaque bool) *image.RGBA {
	to := image.NewRGBA(image.Rectangle{Max: size})
	how := draw.Src
	if opaque {
		draw.Draw(to, to.Bounds(), image.White, image.Point{}, draw.Src)
		how = draw.Over
	}
	draw.CatmullRom.Scale(to, to.Bounds(), m, part, how, nil)
	return to
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
