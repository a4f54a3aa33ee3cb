package clinic

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Where pictures and what is said of them lie in the directory of the content.
const (
	PictureFolder  = "images"
	pictureTexts   = PictureFolder + "/images.json"
	pictureEndings = "jpg, jpeg, png or webp"
)

// toldPicture is what images.json says of a picture.
type toldPicture struct {
	Alt        string     `json:"alt,omitempty"`
	Decorative bool       `json:"decorative,omitempty"`
	Focus      *[]float64 `json:"focus,omitempty"`

	line int
}

// readPictures reads which pictures there are and what is said of them: files of images/ and
// images/images.json. The pictures themselves are not looked at.
func readPictures(files fs.FS, c Content) ([]Picture, error) {
	told, err := readToldPictures(files)
	if err != nil {
		return nil, err
	}
	all := map[string]Picture{}
	var errs []error
	err = fs.WalkDir(files, PictureFolder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == pictureTexts || strings.HasPrefix(path.Base(name), ".") {
			return err
		}
		p, err := c.pictureIn(name)
		other, twice := all[p.Name]
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		case twice:
			errs = append(errs, fmt.Errorf("%s: there is %s.%s too", name, p.Name, other.Type))
		default:
			all[p.Name] = p
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list pictures: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p := all[name]
		for _, f := range p.tell(told[name]) {
			errs = append(errs, fmt.Errorf("%s:%d: %s: %s", pictureTexts, max(told[name].line, 1), name, f.Error()))
		}
		all[name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(told)) {
		if _, there := all[name]; !there {
			errs = append(errs, fmt.Errorf("%s:%d: %s: there is no such picture in %s/%s", pictureTexts, told[name].line, name, PictureFolder, didYouMean(name, slices.Sorted(maps.Keys(all)))))
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Picture) int { return cmp.Compare(a.Name, b.Name) }), errors.Join(errs...)
}

// pictureIn is the picture of a file by its name.
func (c Content) pictureIn(file string) (Picture, error) {
	rest := strings.TrimPrefix(file, PictureFolder+"/")
	ending := path.Ext(rest)
	p := Picture{Name: strings.TrimSuffix(rest, ending), Type: strings.ToLower(strings.TrimPrefix(ending, ".")), Focus: middle}
	if p.Type == "jpeg" {
		p.Type = "jpg"
	}
	slot, of := slotOf(p.Name)
	if slot.Name == "" {
		return Picture{}, fmt.Errorf("the site has no place of that name; it has %s", strings.Join(pictureNames(), ", "))
	}
	switch {
	case slot.Logo() && p.Type != "svg" && p.Type != "png":
		return Picture{}, errors.New("a logo is an svg or a png")
	case !slot.Logo() && p.Type == "heic":
		return Picture{}, fmt.Errorf("browsers do not show HEIC: have the telephone or a program write it as %s", pictureEndings)
	case !slot.Logo() && !slices.Contains([]string{"jpg", "png", "webp"}, p.Type):
		return Picture{}, fmt.Errorf("a picture's name ends in %s", pictureEndings)
	}
	named := map[string][]string{
		"hero":     {"1", "2", "3", "4"},
		"services": eachOf(c.Services, func(s Service) string { return s.Slug }),
		"doctors":  eachOf(c.Profiles, func(p Profile) string { return p.Slug }),
		"posts":    eachOf(c.Posts, func(p Post) string { return p.Slug }),
	}
	if known := named[slot.Name]; slot.Of != "" && !slices.Contains(known, of) {
		return Picture{}, fmt.Errorf("%q is not the %s%s", of, slot.Of, didYouMean(of, known))
	}
	return p, nil
}

// pictureNames are the names that files in images/ may have.
func pictureNames() []string {
	names := make([]string, len(PictureSlots))
	for i, s := range PictureSlots {
		if names[i] = s.Name; s.Of != "" {
			names[i] += "/…"
		}
	}
	return names
}

// tell takes over what is told of a picture, and reports what is wrong with it.
func (p *Picture) tell(told toldPicture) []flaw {
	var f flaws
	rule := p.Slot().Alt
	switch {
	case told.Alt != "" && told.Decorative:
		f.report("decorative", "what only decorates has no alt")
	case told.Alt != "":
		f.text("alt", told.Alt, maxAlt)
	case told.Decorative && rule == AltNeeded:
		f.report("decorative", "what it shows is told nowhere else: it needs an alt")
	case !told.Decorative && rule == AltNeeded:
		f.report("alt", "say in a sentence what is seen on it")
	case !told.Decorative && rule == AltOrDecorative:
		f.report("alt", `say in a sentence what is seen on it, or "decorative": true`)
	}
	p.Alt = told.Alt
	if told.Focus == nil {
		return f
	}
	at := *told.Focus
	inside := func(v float64) bool { return v >= 0 && v <= 1 }
	if len(at) != 2 || !inside(at[0]) || !inside(at[1]) {
		f.report("focus", "is not like [0.5, 0.3]: shares of the width and the height from the upper left corner")
		return f
	}
	p.Focus = Focus{at[0], at[1]}
	return f
}

// readToldPictures reads images.json; without the file nothing is told.
func readToldPictures(files fs.FS) (map[string]toldPicture, error) {
	told := map[string]toldPicture{}
	if !isThere(files, pictureTexts) {
		return told, nil
	}
	_, err := readJSON(files, pictureTexts, func(s *sheet, root *node) {
		s.entries(root, `{"hero/1": {"alt": "…"}}`, func(name string, n *node) {
			one := toldPicture{line: n.line}
			s.fields(n, unlessNull(map[string]func(*node){
				"alt": s.anyText(&one.Alt),
				"decorative": func(n *node) {
					var isFlag bool
					if one.Decorative, isFlag = n.value.(bool); !isFlag {
						s.report(n, "is neither true nor false")
					}
				},
				"focus": func(n *node) {
					one.Focus = &[]float64{}
					s.list(n, func(n *node) {
						number, _ := n.value.(json.Number)
						share, err := number.Float64()
						if err != nil {
							s.report(n, "is no number")
						}
						*one.Focus = append(*one.Focus, share)
					})
				},
			}))
			told[name] = one
		})
	})
	return told, err
}

// toldOf is what images.json says of pictures, by name.
func toldOf(pictures []Picture) map[string]toldPicture {
	told := map[string]toldPicture{}
	for _, p := range pictures {
		one := toldPicture{Alt: p.Alt, Decorative: p.Alt == "" && p.Slot().Alt == AltOrDecorative}
		if p.Focus != middle {
			one.Focus = &[]float64{p.Focus.X, p.Focus.Y}
		}
		told[p.Name] = one
	}
	return told
}
