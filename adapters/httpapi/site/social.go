package site

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"io/fs"
	"strings"
	"sync"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// socialFolder is where each picture of the build lies in the format and size in which pages are
// shared: those who show such a preview do not all read WebP.
const socialFolder = "social/"

// The size is that which webapp/src/app/head.ts tells.
const (
	socialWidth   = 1200
	socialHeight  = 630
	socialQuality = 85
)

// socialImages makes pictures when they are first asked for, and keeps them: there are no more than
// the build has.
type socialImages struct {
	build fs.FS
	mu    sync.Mutex
	made  map[string][]byte
}

// find gives the picture of a path like "social/services/ortodoncia.jpg"; fs.ErrNotExist where the
// build has none.
func (s *socialImages) find(name string) ([]byte, error) {
	stem, isJPEG := strings.CutSuffix(strings.TrimPrefix(name, socialFolder), ".jpg")
	if !isJPEG || !strings.HasPrefix(name, socialFolder) {
		return nil, fs.ErrNotExist
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if made, ok := s.made[name]; ok {
		return made, nil
	}
	content, err := readVisible(s.build, "img/"+stem+".webp")
	if err != nil {
		return nil, err
	}
	made, err := socialImage(content)
	if err != nil {
		return nil, fmt.Errorf("make %s: %w", name, err)
	}
	if s.made == nil {
		s.made = map[string][]byte{}
	}
	s.made[name] = made
	return made, nil
}

// socialImage fills the size with the middle of a picture.
func socialImage(content []byte) ([]byte, error) {
	picture, err := webp.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	seen := picture.Bounds()
	width, height := seen.Dx(), seen.Dx()*socialHeight/socialWidth
	if height > seen.Dy() {
		width, height = seen.Dy()*socialWidth/socialHeight, seen.Dy()
	}
	corner := seen.Min.Add(image.Pt((seen.Dx()-width)/2, (seen.Dy()-height)/2))
	sized := image.NewRGBA(image.Rect(0, 0, socialWidth, socialHeight))
	draw.CatmullRom.Scale(sized, sized.Bounds(), picture, image.Rectangle{Min: corner, Max: corner.Add(image.Pt(width, height))}, draw.Src, nil)
	var encoded bytes.Buffer
	err = jpeg.Encode(&encoded, sized, &jpeg.Options{Quality: socialQuality})
	return encoded.Bytes(), err
}
