package main

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"image"
	"image/color"
	_ "image/jpeg"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "golang.org/x/image/webp"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/clinic"
)

// shownOnlyIn are texts of states in which no page is when it is opened: while something loads, where it
// failed, after something was done, at another time of day, of what this clinic has not or has a picture
// of, and what stands in the chat.
var shownOnlyIn = regexp.MustCompile(`^pages/chat\.json|[.:](loading|error|empty|toasts|errors|success|failed|pending|unavailable|erase|operator|active)\b` +
	`|\.(topBar\.(open|closed|opens)|hero\.play|map\.title|mailBody|whatsapp|photoAlt|drawn|duration|facts\.(minutes|price)|agenda\.(next|none))$`)

// pageOf is the page on which a text of a file stands; empty for those of all pages.
func pageOf(file string, c clinic.Content) []string {
	folder, name, _ := strings.Cut(strings.TrimSuffix(strings.TrimSuffix(file, ".md"), ".json"), "/")
	var services, people, posts []string
	for _, s := range c.Services {
		services = append(services, "/services/"+s.Slug)
	}
	for _, p := range c.Profiles {
		people = append(people, "/about/"+p.Slug)
	}
	for _, p := range c.Posts {
		posts = append(posts, "/blog/"+p.Slug)
	}
	switch folder {
	case "services":
		return []string{"/services", "/services/" + name, "/"}
	case "doctors":
		return []string{"/about", "/about/" + name}
	case "posts":
		return []string{"/blog", "/blog/" + name}
	case "testimonials":
		return []string{"/"}
	case "privacidad":
		return []string{"/privacidad"}
	}
	return map[string][]string{
		"home": {"/"}, "about": {"/about"}, "blog": append(posts, "/blog"), "contact": {"/contact", "/contact?enviado=1"}, "doctor": people,
		"not-found": {"/no/existe"}, "privacy": {"/privacidad", "/privacidad?borrado=1"}, "services": append(services, "/services"),
		"site": slices.Concat([]string{"/", "/about", "/services"}, services),
	}[name]
}

// shown is what can be read of a page: its texts and those that stand in for pictures or name a field, a
// link or the page itself.
func (p *published) shown(path string) string {
	said := p.said["GET "+path+" (200)"] + p.said["GET "+path+" (404)"]
	said = scripts.ReplaceAllString(said, " ")
	var all strings.Builder
	for _, m := range spoken.FindAllStringSubmatch(said, -1) {
		all.WriteString(" " + m[1])
	}
	return plain(said) + " " + plain(all.String())
}

var (
	scripts = regexp.MustCompile(`(?s)<script.*?</script>`)
	spoken  = regexp.MustCompile(`\s(?:alt|aria-label|aria-roledescription|content|placeholder|title)="([^"]*)"`)
)

// ownTexts reports texts of the clinic that do not stand where they belong.
func (p *published) ownTexts(t *testing.T, facts clinic.Clinic, c clinic.Content) {
	t.Helper()
	looked := 0
	for _, one := range textsOf(c) {
		file, _, _ := strings.Cut(one.where, ":")
		if shownOnlyIn.MatchString(one.where) || strings.HasPrefix(file, "answers/") || strings.HasPrefix(file, "images/") {
			continue
		}
		var said strings.Builder
		for _, page := range pageOf(file, c) {
			said.WriteString(p.shown(page))
		}
		for _, sentence := range sentences(facts.FillFirst(one.says)) {
			looked++
			if !strings.Contains(said.String(), sentence) {
				t.Errorf("%s is not to be read on %v: %s", one.where, pageOf(file, c), sentence)
			}
		}
	}
	if looked < 300 {
		t.Errorf("only %d sentences were looked for", looked)
	}
}

// ownAnswers asks the assistant what it was taught.
func (p *published) ownAnswers(t *testing.T, facts clinic.Clinic, c clinic.Content) {
	t.Helper()
	for _, a := range c.Answers {
		if a = a.Of(facts); a.Open {
			continue // what the clinic has not told is passed on in the program's words
		}
		want := facts.Fill(a.Text)
		if said := plain(p.ask("own-"+a.Slug, a.Questions[0])); !strings.Contains(said, want) {
			t.Errorf("%q is not answered with %s: %s", a.Questions[0], a.Slug, said[strings.LastIndex(said, "{"):])
		}
	}
}

// ownPictures reports pictures that are not the clinic's, or not to be found for good.
func (p *published) ownPictures(t *testing.T, dir string, c clinic.Content) {
	t.Helper()
	var facts contract.Clinic
	if err := p.Get("/api/clinic", "", &facts); err != nil {
		t.Fatal(err)
	}
	if len(facts.Images) != len(c.Pictures) || len(c.Pictures) < 12 {
		t.Errorf("%d of %d pictures are shown", len(facts.Images), len(c.Pictures))
	}
	skies := map[string]color.RGBA{}
	for _, picture := range c.Pictures {
		if picture.Name == clinic.LogoPicture {
			continue
		}
		original, err := os.ReadFile(filepath.Join(dir, "images", picture.Name+"."+picture.Type))
		if err != nil {
			t.Fatal(err)
		}
		skies[picture.Name] = skyOf(t, original)
	}
	for _, picture := range c.Pictures {
		shown := facts.Images[picture.Name]
		data := p.picture(t, shown.Src)
		if shown.Alt != picture.Alt {
			t.Errorf("%s: %q stands in for it, not %q", picture.Name, shown.Alt, picture.Alt)
		}
		if picture.Name == clinic.LogoPicture {
			if !bytes.Contains(data, []byte("#6b1f3a")) {
				t.Errorf("the logo is another one: %.200s", data)
			}
			continue
		}
		if got := nearest(skies, skyOf(t, data)); got != picture.Name {
			t.Errorf("%s shows %s", picture.Name, got)
		}
		if shown.Share == nil {
			continue
		}
		if got := nearest(skies, skyOf(t, p.picture(t, *shown.Share))); got != picture.Name {
			t.Errorf("%s is shared as %s", picture.Name, got)
		}
	}
	for name, where := range map[string]string{
		"logo": "/", "hero/1": "/", "welcome": "/", "doctors/ximena-prada": "/about/ximena-prada", "services/coronas-ceramicas": "/services/coronas-ceramicas",
		"services/valoracion-integral": "/services", "posts/el-cepillo-que-sirve": "/blog/el-cepillo-que-sirve",
	} {
		if page := html.UnescapeString(p.said["GET "+where+" (200)"]); !strings.Contains(scripts.ReplaceAllString(page, ""), facts.Images[name].Src) {
			t.Errorf("%s does not show %s", where, name)
		}
	}
	for where, name := range map[string]string{
		"/": "share", "/about": "share", "/services/coronas-ceramicas": "services/coronas-ceramicas", "/blog/que-traer-la-primera-vez": "posts/que-traer-la-primera-vez",
	} {
		if page := p.said["GET "+where+" (200)"]; !regexp.MustCompile(`og:image" content="[^"]*` + regexp.QuoteMeta(*facts.Images[name].Share)).MatchString(page) {
			t.Errorf("%s is not shared with %s", where, name)
		}
	}
	for where, page := range p.said {
		if found := ofTheBuild.FindString(page); found != "" {
			t.Errorf("%s shows a picture of the default: %s", where, found)
		}
	}
}

// ofTheBuild is the address of a picture that the site brings along for the default clinic.
var ofTheBuild = regexp.MustCompile(`/(img/(hero|posts|services|welcome|before|after|share)|social/)[^"\s]*`)

// picture gives a picture whose address shows the same for good.
func (p *published) picture(t *testing.T, address string) []byte {
	t.Helper()
	text := p.open(http.MethodGet, address, "image/webp", "")
	where := fmt.Sprintf("GET %s (200)", address)
	if said := p.said[where]; !strings.Contains(said, "immutable") {
		t.Errorf("%s may change: %.200s", address, said)
	}
	delete(p.said, where)
	return []byte(text)
}

// skyOf is the colour of a picture above, a little beside the middle.
func skyOf(t *testing.T, data []byte) color.RGBA {
	t.Helper()
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v: %.100s", err, data)
	}
	b := m.Bounds()
	return color.RGBAModel.Convert(m.At(b.Min.X+b.Dx()*9/20, b.Min.Y+b.Dy()/16)).(color.RGBA)
}

// nearest is the picture whose colour is the most like another one.
func nearest(skies map[string]color.RGBA, sky color.RGBA) string {
	far := func(name string) int {
		r, g, b := int(skies[name].R)-int(sky.R), int(skies[name].G)-int(sky.G), int(skies[name].B)-int(sky.B)
		return r*r + g*g + b*b
	}
	return slices.MinFunc(slices.Sorted(maps.Keys(skies)), func(a, b string) int { return cmp.Compare(far(a), far(b)) })
}

// ownRoutes reports addresses that should not be there, and those that should.
func (p *published) ownRoutes(t *testing.T, c clinic.Content) {
	t.Helper()
	standard := clinic.DefaultContent()
	var gone []string
	for _, s := range standard.Services {
		gone = append(gone, "/services/"+s.Slug, "/api/services/slug/"+s.Slug)
	}
	for _, d := range standard.Profiles {
		gone = append(gone, "/about/"+d.Slug, "/api/doctors/slug/"+d.Slug)
	}
	for _, post := range standard.Posts {
		gone = append(gone, "/blog/"+post.Slug, "/api/blog/slug/"+post.Slug)
	}
	for _, address := range gone {
		if p.open(http.MethodGet, address, "text/html", ""); p.said["GET "+address+" (404)"] == "" {
			t.Errorf("%s is still there", address)
		}
	}
	want := []string{"/", "/about", "/services", "/contact", "/blog", "/privacidad"}
	for _, s := range c.Services {
		want = append(want, "/services/"+s.Slug)
	}
	for _, d := range c.Profiles {
		want = append(want, "/about/"+d.Slug)
	}
	for _, post := range c.Posts {
		want = append(want, "/blog/"+post.Slug)
	}
	var mapped []string
	for _, m := range located.FindAllStringSubmatch(p.said["GET /sitemap.xml (200)"], -1) {
		mapped = append(mapped, m[1])
	}
	slices.Sort(want)
	if slices.Sort(mapped); !slices.Equal(mapped, want) {
		t.Errorf("the map of the site has %v, not %v", mapped, want)
	}
	links := regexp.MustCompile(`href="(/[^"#?]*)`)
	for where, page := range p.said {
		for _, m := range links.FindAllStringSubmatch(page, -1) {
			if m[1] == "/login" || m[1] == "/dashboard" || path.Ext(m[1]) != "" || slices.Contains(want, m[1]) {
				continue
			}
			t.Errorf("%s leads to %s", where, m[1])
		}
	}
	for _, address := range want[1:] {
		if address != "/privacidad" && !strings.Contains(p.said["GET / (200)"]+p.said["GET /about (200)"]+p.said["GET /blog (200)"], `href="`+address+`"`) {
			t.Errorf("nothing leads to %s", address)
		}
	}
}

// exportsAs reports what an export has otherwise than the folder that was imported.
func (p *published) exportsAs(t *testing.T, dir string) {
	t.Helper()
	exported := filepath.Join(t.TempDir(), "exported")
	p.MustRun("content", "export", exported)
	err := fs.WalkDir(os.DirFS(exported), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == clinic.DocumentationFile || name == clinic.ExportedFile {
			return err
		}
		after, err := os.ReadFile(filepath.Join(exported, name))
		if before, missing := os.ReadFile(filepath.Join(dir, name)); missing != nil || !bytes.Equal(before, after) {
			t.Errorf("%s is exported otherwise than it was imported, %v", name, missing)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
