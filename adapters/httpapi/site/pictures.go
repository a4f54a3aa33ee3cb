package site

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"path"
	"regexp"
	"slices"
	"sync"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/clinic"
)

// pictureRoot is where the clinic's own pictures lie. What an address shows never changes.
const pictureRoot = "/images/"

// pictureName is the form of the files that are made of pictures; originals have none of it.
var pictureName = regexp.MustCompile(`^[0-9a-f]{32}-[0-9]{1,4}\.(avif|webp|jpg|png|svg)$`)

// pictureTypes are set here, since a machine's own list need not know them.
var pictureTypes = map[string]string{
	".avif": "image/avif", ".webp": "image/webp", ".jpg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml",
}

// drawingPolicy holds a drawing that is opened by itself to what it is as a picture.
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// pictureWait is how long a picture waits for the database.
const pictureWait = 5 * time.Second

func (s *Site) servePicture(w http.ResponseWriter, r *http.Request, name string) {
	w.Header().Set("Cache-Control", "no-store")
	if !pictureName.MatchString(name) {
		s.Fail(w, r, web.ErrNotFound)
		return
	}
	data, known := s.pictures.get(name)
	if !known {
		ctx, cancel := context.WithTimeout(r.Context(), pictureWait)
		defer cancel()
		var err error
		if data, err = s.Content.Contents.PictureFile(ctx, name); err != nil {
			if errors.Is(err, clinic.ErrNoPicture) {
				err = web.ErrNotFound
			}
			s.Fail(w, r, err)
			return
		}
		s.pictures.keep(name, data)
	}
	ending := path.Ext(name)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("Content-Type", pictureTypes[ending])
	w.Header().Set("ETag", `"`+name+`"`)
	if ending == ".svg" {
		w.Header().Set("Content-Security-Policy", drawingPolicy)
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

// pictureCache remembers files of pictures, so that a page of pictures does not wait for the database,
// nor fail with it.
type pictureCache struct {
	mu    sync.Mutex
	files map[string][]byte
	bytes int
}

// pictureMemory bounds what is remembered: more than the pictures of a site have, as a rule.
const pictureMemory = 32 << 20

func (c *pictureCache) get(name string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	data, ok := c.files[name]
	return data, ok
}

func (c *pictureCache) keep(name string, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, there := c.files[name]; there || len(data) > pictureMemory {
		return
	}
	for other, old := range c.files { // any: all of them are asked for about as often
		if c.bytes+len(data) <= pictureMemory {
			break
		}
		delete(c.files, other)
		c.bytes -= len(old)
	}
	if c.files == nil {
		c.files = map[string][]byte{}
	}
	c.files[name] = data
	c.bytes += len(data)
}

// picturesOf are the pictures as the site is told of them, by their names.
func picturesOf(facts clinic.Clinic, pictures []clinic.Picture) map[string]contract.Picture {
	told := map[string]contract.Picture{}
	for _, p := range pictures {
		files := p.Files()
		// The first is the smallest: what reads no other type shall not load the largest.
		src := files[0]
		one := contract.Picture{
			Src: pictureRoot + src.Name, Alt: facts.Fill(p.Alt), Width: src.Width, Height: src.Height,
			Stem: pictureRoot + p.Key, Widths: append([]int{}, p.Widths...),
			Focus: []int{int(p.Shown.X * 100), int(p.Shown.Y * 100)},
		}
		if i := slices.IndexFunc(files, func(f clinic.PictureFile) bool { return f.Type == "jpg" }); i >= 0 {
			one.Share = contract.Optional(pictureRoot + files[i].Name)
		}
		told[p.Name] = one
	}
	return told
}
