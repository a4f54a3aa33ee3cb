package clinic

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// withPictures is the default content with files in images/.
func withPictures(t *testing.T, pictures map[string]string) fstest.MapFS {
	t.Helper()
	files := DefaultContent().Files()
	all := fstest.MapFS{}
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: text}
	}
	for name, text := range pictures {
		all[path.Join(PictureFolder, name)] = &fstest.MapFile{Data: []byte(text)}
	}
	return all
}

func TestPicturesAreReadBackAsTheyWere(t *testing.T) {
	files := withPictures(t, map[string]string{
		"logo.svg": "", "hero/2.JPEG": "", "doctors/irina-solanilla.webp": "", ".DS_Store": "", "posts/.hidden": "", "share.png": "",
		"images.json": `{"hero/2": {"decorative": true, "focus": [0.25, 1]}, "doctors/irina-solanilla": {"alt": "Ana Ruiz, {{clinicName}}"},
			"share": {"alt": "La clínica"}}`,
	})
	content, err := ReadContent(files, DefaultContent())
	if err != nil {
		t.Fatal(err)
	}
	want := []Picture{
		{Name: "doctors/irina-solanilla", Alt: "Ana Ruiz, {{clinicName}}", Focus: middle, Type: "webp"},
		{Name: "hero/2", Focus: Focus{0.25, 1}, Type: "jpg"},
		{Name: "logo", Focus: middle, Type: "svg"},
		{Name: "share", Alt: "La clínica", Focus: middle, Type: "png"},
	}
	if diff := cmp.Diff(want, content.Pictures); diff != "" {
		t.Error(diff)
	}
	written := content.Files()
	files["images/images.json"].Data = written["images/images.json"]
	if again, err := ReadContent(files, DefaultContent()); err != nil || !cmp.Equal(again.Pictures, want) {
		t.Errorf("read back: %v\n%s", err, cmp.Diff(want, again.Pictures))
	}
	if none := DefaultContent().Files(); none["images/images.json"] != nil {
		t.Error("there is something to say of no picture")
	}
}

func TestMistakesOfPicturesAreReportedWithTheirPlace(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		says  []string
	}{
		"unknown": {map[string]string{"hero.jpg": "", "heroes/1.jpg": "", "logo/1.svg": "", "hero/5.jpg": "", "hero/1/2.jpg": "", "services/astrologia.jpg": "", "posts/nada.jpg": "", "doctors/Ana Ruiz.jpg": "", "images.json": `{}`},
			[]string{"images/hero.jpg: the site has no place of that name; it has logo, hero/…", "images/heroes/1.jpg: the site", "images/logo/1.svg: the site",
				`images/hero/5.jpg: "5" is not the 1 to 4; did you mean 1?`, `images/hero/1/2.jpg: "1/2"`, `images/services/astrologia.jpg: "astrologia" is not the SLUG of a service`, `images/posts/nada.jpg: "nada"`, `images/doctors/Ana Ruiz.jpg: "Ana Ruiz" is not the SLUG of a doctor`}},
		"type": {map[string]string{"hero/1.heic": "", "hero/2.gif": "", "hero/3": "", "logo.jpg": "", "welcome.svg": ""},
			[]string{"images/hero/1.heic: browsers do not show HEIC", "images/hero/2.gif: a picture's name ends in jpg, jpeg, png or webp", "images/hero/3: a picture's", "images/logo.jpg: a logo is an svg or a png", "images/welcome.svg: a picture's"}},
		"twice":        {map[string]string{"hero/1.jpg": "", "hero/1.png": "", "images.json": `{"hero/1": {"decorative": true}}`}, []string{"images/hero/1.png: there is hero/1.jpg too"}},
		"nothing told": {map[string]string{"hero/1.jpg": "", "share.jpg": ""}, []string{`images/images.json:1: hero/1: alt: say in a sentence what is seen on it, or "decorative": true`, "images/images.json:1: share: alt: say in a sentence what is seen on it"}},
		"told": {map[string]string{"doctors/irina-solanilla.jpg": "", "hero/1.jpg": "", "hero/2.jpg": "", "hero/3.jpg": "", "hero/4.jpg": "", "images.json": "{\n\"doctors/irina-solanilla\": {\"decorative\": true},\n\"hero/1\": {\"alt\": \"x\", \"decorative\": true},\n\"hero/2\": {\"alt\": \"{{nada}}\"},\n\"hero/3\": {\"alt\": \"" + strings.Repeat("x", 201) + "\"},\n\"hero/4\": {\"alt\": \"x\", \"focus\": [1.5, 0]},\n\"hero/9\": {\"alt\": \"x\"}}"},
			[]string{"images.json:2: doctors/irina-solanilla: decorative: what it shows is told nowhere else", "images.json:3: hero/1: decorative: what only decorates has no alt", "images.json:4: hero/2: alt: {{nada}} is no fact", "images.json:5: hero/3: alt: has 201 characters, at most 200 fit", "images.json:6: hero/4: focus: is not like [0.5, 0.3]", "images.json:7: hero/9: there is no such picture in images/; did you mean hero/1?"}},
		"list":    {map[string]string{"images.json": `[]`}, []string{"images/images.json:1: is no object like"}},
		"field":   {map[string]string{"images.json": "{\n\"hero/1\": {\"text\": \"x\"}}"}, []string{`images/images.json:2: hero/1.text: is no field`}},
		"cut":     {map[string]string{"images.json": "{\"hero/1\": {\"alt\": \"x\"}\n"}, []string{"images/images.json:"}},
		"repeats": {map[string]string{"images.json": "{\"hero/1\": {},\n\"hero/1\": {}}"}, []string{"images/images.json:2: hero/1: is there twice"}},
	} {
		_, err := ReadContent(withPictures(t, c.files), DefaultContent())
		for _, says := range c.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v\nwant %q", name, err, says)
			}
		}
	}
	if _, err := ReadContent(withPictures(t, nil), DefaultContent()); errors.Is(err, fs.ErrNotExist) || err != nil {
		t.Errorf("without pictures: %v", err)
	}
}

// TestEveryPlaceHasItsFiles holds the places to what the site and the networks need of each.
func TestEveryPlaceHasItsFiles(t *testing.T) {
	names := map[string]bool{}
	for _, s := range PictureSlots {
		if names[s.Name] {
			t.Errorf("%s is there twice", s.Name)
		}
		names[s.Name] = true
		if !slices.IsSorted(s.Widths) || len(s.Widths) > 0 && s.Widths[len(s.Widths)-1] >= s.Width || s.Least > s.Width || s.About == "" {
			t.Errorf("%s: %+v", s.Name, s)
		}
		p := Picture{Name: s.Name, Type: "png", Key: "k", Width: s.Width, Height: s.Height, Widths: append(slices.Clone(s.Widths), s.Width)}
		if s.Of != "" {
			p.Name += "/x"
		}
		kinds := map[string]int{}
		for _, f := range p.Files() {
			kinds[f.Type]++
		}
		want := map[string]int{"webp": len(p.Widths), "avif": len(p.Widths)}
		switch {
		case s.Logo():
			want = map[string]int{"png": 1}
		case s.Only:
			want = map[string]int{"jpg": 1}
		case s.Shared:
			want["jpg"] = 1
		}
		if !maps.Equal(kinds, want) {
			t.Errorf("%s: %v, want %v", s.Name, kinds, want)
		}
	}
}
