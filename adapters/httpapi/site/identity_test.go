package site

import (
	"bytes"
	"errors"
	"image/jpeg"
	"image/png"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"bitacora/domain/clinic"
	"bitacora/domain/palette"
	"bitacora/webapp"
)

// built is the build and its page.
func built(t *testing.T) (fs.FS, []byte) {
	t.Helper()
	build := webapp.Dist()
	page, err := fs.ReadFile(build, shell)
	if err != nil {
		t.Fatalf("npm run build comes first: %v", err)
	}
	return build, page
}

func TestTheBuildSaysWhatIsReplacedInIt(t *testing.T) {
	_, page := built(t)
	for _, said := range []string{builtLanguage, builtColor, headEnd} {
		if strings.Count(string(page), said) != 1 {
			t.Errorf("webapp/index.html does not say %s once", said)
		}
	}
}

func TestTheDefaultLooksAsTheBuildDoes(t *testing.T) {
	build, page := built(t)
	own, err := identify(build, page, clinic.Default())
	if err != nil || len(own.files) > 0 {
		t.Errorf("%v, %v", slices.Collect(maps.Keys(own.files)), err)
	}
	if want := strings.Replace(string(page), `lang="es"`, `lang="es-PA"`, 1); string(own.page) != want {
		t.Errorf("the page is another one:\n%s", own.page)
	}
}

func TestAnotherClinicHasItsOwnColorsAndIcons(t *testing.T) {
	build, page := built(t)
	c := clinic.Default()
	c.Name, c.Country, c.Theme = "Odontología Sierra Nevada", "", palette.Theme{Primary: "#6b1f3a", Accent: "#4f6b1f"}
	own, err := identify(build, page, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<html lang="es">`, `content="#431220"`, `<link rel="stylesheet" href="/theme.css?`} {
		if !strings.Contains(string(own.page), want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	if strings.LastIndex(string(own.page), `rel="stylesheet"`) != strings.Index(string(own.page), `rel="stylesheet" href="/theme.css`) {
		t.Error("a stylesheet comes after that of the clinic")
	}
	for name, side := range map[string]int{"img/icon-180.png": 180, "img/icon-192.png": 192, "img/icon-512.png": 512, "img/share.png": 1200} {
		drawn, err := png.DecodeConfig(bytes.NewReader(own.files[name]))
		if err != nil || drawn.Width != side {
			t.Errorf("%s: %+v, %v", name, drawn, err)
		}
		if before, err := fs.ReadFile(build, name); err != nil || bytes.Equal(before, own.files[name]) {
			t.Errorf("%s is that of the build (%v)", name, err)
		}
	}
	for _, name := range []string{"img/map.svg", "img/placeholder.svg", "img/doctors/irina-solanilla.svg", "img/welcome.svg", "img/hero/1-640.svg", "img/services/ortodoncia.svg"} {
		if len(own.files[name]) == 0 {
			t.Errorf("%s is that of the build", name)
		}
	}
	for name, content := range own.files {
		for shade, color := range palette.Default.Colors() {
			isGum := strings.HasPrefix(shade, "clay-") && strings.HasSuffix(name, ".svg") && name != "img/map.svg"
			if strings.Contains(string(content), string(color)) && !isGum {
				t.Errorf("%s has the default's %s", name, shade)
			}
		}
	}
	named := clinic.Default()
	named.Name = "···"
	if own, err := identify(build, page, named); err != nil || len(own.files) > 0 {
		t.Errorf("a name without letters: %v, %v", slices.Collect(maps.Keys(own.files)), err)
	}
}

func TestPagesAreSharedWithAPictureOfTheSizeThatTheyTell(t *testing.T) {
	build, _ := built(t)
	images := socialImages{build: build}
	for _, name := range []string{"social/services/ortodoncia.jpg", "social/posts/brackets-o-alineadores.jpg", "social/welcome.jpg"} {
		content, err := images.find(name)
		if err != nil {
			t.Fatal(err)
		}
		if is, err := jpeg.DecodeConfig(bytes.NewReader(content)); err != nil || is.Width != 1200 || is.Height != 630 {
			t.Errorf("%s: %+v, %v", name, is, err)
		}
		if again, err := images.find(name); err != nil || &again[0] != &content[0] {
			t.Errorf("%s is made twice (%v)", name, err)
		}
	}
	for _, name := range []string{"social/none.jpg", "social/services/ortodoncia.webp", "social/../index.jpg", "services/ortodoncia.jpg", "social/.jpg"} {
		if _, err := images.find(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(images.made) != 3 {
		t.Errorf("%d pictures are kept", len(images.made))
	}
}
