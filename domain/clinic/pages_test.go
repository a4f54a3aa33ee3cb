package clinic

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// exported is the project's own content as a folder.
func exported(t *testing.T) fstest.MapFS {
	t.Helper()
	files := DefaultContent().Files()
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: text}
	}
	return folder
}

func TestMistakesInPagesAreReportedWithLineAndReason(t *testing.T) {
	for _, tt := range []struct{ file, old, new, want string }{
		{"pages/home.json", `"heading": "Servicios destacados"`, `"headng": "Servicios destacados"`, `services.headng: is no field; did you mean heading?`},
		{"pages/home.json", `"heading": "Servicios destacados"`, `"headng": "Servicios destacados"`, `services: heading is missing`},
		{"pages/home.json", `"heading": "Servicios destacados"`, `"heading": " "`, `services.heading: is empty`},
		{"pages/home.json", `"heading": "Servicios destacados"`, `"heading": 7`, `services.heading: is no text like "…"`},
		{"pages/home.json", `"heading": "Servicios destacados"`, `"heading": ["x"]`, `services.heading: is no text like "…"`},
		{"pages/home.json", `"heading": "Servicios destacados"`, `"heading": "` + strings.Repeat("a", 121) + `"`, `services.heading: has 121 characters, at most 120 fit`},
		{"pages/home.json", `"heading": "Servicios destacados"`, `"heading": "En {{town}}"`, `services.heading: {{town}} is no fact of the clinic`},
		{"pages/home.json", `"heading": "Servicios destacados"`, `"heading": "En {{parking}}"`, `services.heading: {{parking}} may not be told`},
		{"pages/home.json", `"heading": "Servicios destacados"`, `"heading": "{Llama|Llame"`, `services.heading: has a brace`},
		{"pages/home.json", `"heading": "Servicios destacados"`, `"heading": "{{title}}"`, `services.heading: {{title}} is no fact`},
		{"pages/home.json", `"icon": "fa-microscope"`, `"icon": "microscope"`, `values.cards[1].icon: "microscope" is not an icon class`},
		{"pages/home.json", `"steps": [`, `"steps": [], "x": [`, `firstVisit.steps: is empty`},
		{"pages/home.json", `"steps": [`, `"steps": {}, "x": [`, `firstVisit.steps: is no list like […]`},
		{"pages/home.json", `"heading": "Servicios destacados",`, `"heading": "Servicios destacados"`, `invalid character '"'`},
		{"pages/home.json", `"heading": "Servicios destacados"`, `"heading": "a", "heading": "b"`, `services.heading: is there twice`},
		{"pages/site.json", `"path": "/about"`, `"path": "about"`, `header.nav[2].path: "about" is not a page of the site`},
		{"pages/site.json", `"diseno-sonrisa"`, `"Diseño"`, `header.menu.columns[1].slugs[2]: "Diseño" is not like diseno-sonrisa`},
		{"pages/not-found.json", `"lang": "en"`, `"lang": "de"`, `lang: "de" is neither es nor en`},
		{"services/ortodoncia.json", `"kind": "steps"`, `"kind": "step"`, `sections[3].kind: "step" is no kind of section; did you mean steps?`},
		{"services/ortodoncia.json", `"kind": "steps",`, ``, `sections[3]: kind is missing`},
		{"services/ortodoncia.json", `"id": "cuidados"`, `"id": "beneficios"`, `sections[5].id: "beneficios" is there twice`},
		{"services/ortodoncia.json", `"sections": [`, `"sections": [7, `, `sections[0]: is no object`},
		{"services/ortodoncia.json", `"closing": {`, `"closng": {`, `closng: is no field; did you mean closing?`},
		{"services/diseno-sonrisa.json", `"processAnchor": "proceso"`, `"processAnchor": "precio"`, `hero.processAnchor: no section has the id "precio"`},
		{"services/diseno-sonrisa.json", `"process": "`, `"proces": "`, `hero.proces: is no field; did you mean process?`},
		{"doctors/tadeo-villalaz.md", `slug: tadeo-villalaz`, `slug: tadeo`, `slug: belongs into a file named tadeo.md`},
		{"doctors/tadeo-villalaz.md", `order: 3`, `order: 0`, `order: 0 is not a place from 1 on`},
		{"doctors/tadeo-villalaz.md", `training: [`, `training: x[`, `training: "x[`},
		{"doctors/tadeo-villalaz.md", `bio: `, `specialtys: `, `specialtys: is no field of such a file; did you mean specialty?`},
		{"doctors/tadeo-villalaz.md", `Mide, fotografía`, `{{mide}}, fotografía`, `text: {{mide}} is no fact`},
		{"testimonials.json", `"rating"`, `"stars"`, `stars: is no field`},
		{"answers/ortodoncia.md", `service: ortodoncia`, `service: ortodonci`, `there is no service "ortodonci"`},
	} {
		folder := exported(t)
		text := string(folder[tt.file].Data)
		if !strings.Contains(text, tt.old) {
			t.Errorf("%s has no %s", tt.file, tt.old)
			continue
		}
		before, _, _ := strings.Cut(text, tt.old)
		line := 1 + strings.Count(before, "\n")
		folder[tt.file] = &fstest.MapFile{Data: []byte(strings.Replace(text, tt.old, tt.new, 1))}
		_, err := ReadContent(folder, Content{})
		if err == nil {
			t.Errorf("%s with %s is right", tt.file, tt.new)
			continue
		}
		at := slices.IndexFunc(strings.Split(err.Error(), "\n"), func(l string) bool {
			return strings.HasPrefix(l, tt.file+":") && strings.Contains(l, tt.want)
		})
		if at < 0 {
			t.Errorf("%s with %s: %q is not reported in\n%v", tt.file, tt.new, tt.want, err)
		} else if found := strings.Split(err.Error(), "\n")[at]; !ofParent(tt.want) && !strings.HasPrefix(found, fmt.Sprintf("%s:%d: ", tt.file, line)) {
			t.Errorf("%s is not on line %d: %s", tt.want, line, found)
		}
	}
}

// ofParent are mistakes that stand on the line of what surrounds them.
func ofParent(want string) bool {
	return strings.HasSuffix(want, "is missing") || strings.HasPrefix(want, "invalid") || strings.HasPrefix(want, "slug:")
}

func TestAllMistakesOfAFolderAreReportedAtOnce(t *testing.T) {
	folder := exported(t)
	for name, text := range map[string]string{
		"pages/hmoe.json": "{}", "pages/home.md": "x", "page/home.json": "{}", "testimonial.json": "[]", "services/x.txt": "x",
		"services/nada.json": "{}", "posts/x.json": "{}", "notes.docx": "x",
		".git/config": "x", ".DS_Store": "x", "services/.x.md.swp": "x", "README.md": "x", "exported.json": "{}",
	} {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	_, err := ReadContent(folder, Content{})
	if err == nil {
		t.Fatal("nothing is wrong")
	}
	for _, want := range []string{
		"pages/hmoe.json: is no file of content; did you mean pages/home.json?", "pages/home.md: is no file of content; did you mean pages/home.json?",
		"page/: is no folder of content; did you mean pages?", "testimonial.json: is no file of content; did you mean testimonials.json?",
		"services/x.txt: is no file of content; those of services/ are named like x.md or x.json", "posts/x.json: is no file of content; those of posts/ are named like x.md",
		"services/nada.json:1: there is no services/nada.md", "notes.docx: is no file of content",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not reported in\n%v", want, err)
		}
	}
	for _, right := range []string{".git", ".DS_Store", ".swp", "README.md:", "exported.json:"} {
		if strings.Contains(err.Error(), right) {
			t.Errorf("%s is reported in\n%v", right, err)
		}
	}
}

func TestWhatAFolderDoesNotHaveStays(t *testing.T) {
	had := DefaultContent()
	had.Posts, had.Profiles = had.Posts[:2], had.Profiles[:1]
	had.Pages[3].Texts = json.RawMessage(strings.Replace(string(had.Pages[3].Texts), "Contáctanos", "Llámanos", 1))
	all := exported(t)
	folder := fstest.MapFS{"testimonials.json": {Data: []byte("[]")}, "posts": {Mode: 0o755 | 1<<31}, "pages/home.json": all["pages/home.json"]}
	got, err := ReadContent(folder, had)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Posts) != 0 || len(got.Testimonials) != 0 {
		t.Errorf("%d posts, %d testimonials", len(got.Posts), len(got.Testimonials))
	}
	got.Posts, got.Testimonials = had.Posts, had.Testimonials
	if !reflect.DeepEqual(got, had) {
		t.Error("what was not in the folder was changed")
	}
	kept := Kept(folder)
	for _, want := range []string{"answers/", "doctors/", "services/", "pages/site.json", "privacidad.md"} {
		if !slices.Contains(kept, want) {
			t.Errorf("%s is not among %v", want, kept)
		}
	}
	for _, there := range []string{"posts/", "pages/", "pages/home.json", "testimonials.json"} {
		if slices.Contains(kept, there) {
			t.Errorf("%s is among %v", there, kept)
		}
	}
}

// TestStoredPagesFollowTheProject: what an older version stored can be exported, and imported again.
func TestStoredPagesFollowTheProject(t *testing.T) {
	stored := DefaultContent()
	i := slices.IndexFunc(stored.Pages, func(p Page) bool { return p.Name == sitePage })
	var texts map[string]any
	if err := json.Unmarshal(stored.Pages[i].Texts, &texts); err != nil {
		t.Fatal(err)
	}
	header := texts["header"].(map[string]any)
	header["book"], header["older"], texts["organization"], texts["//"] = "Mi cita", "Algo", map[string]any{"reserve": "Reservar"}, "Ours"
	delete(header, "home")
	text, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	stored.Pages[i].Texts = text
	completed := stored.Completed()
	files := completed.Files()
	file := string(files["pages/site.json"])
	for text, there := range map[string]bool{`"Mi cita"`: true, `"//": "Ours"`: true, `"home"`: true, `"older"`: false, `"organization"`: false} {
		if strings.Contains(file, text) != there {
			t.Errorf("%s: want %v in\n%s", text, there, file)
		}
	}
	folder := fstest.MapFS{"pages/site.json": {Data: []byte(file)}}
	if _, err := ReadContent(folder, completed); err != nil {
		t.Error(err)
	}
}

func TestChangesNameEverything(t *testing.T) {
	was, to := DefaultContent(), DefaultContent()
	to.Services = append(to.Services[1:], Service{Slug: "nuevo", Page: json.RawMessage("{}")})
	to.Testimonials, to.Answers, to.Profiles = to.Testimonials[1:], to.Answers[1:], to.Profiles[1:]
	to.Pages[0].Texts = bytes.Replace(to.Pages[0].Texts, []byte("Misión"), []byte("Meta"), 1)
	to.Notice.Version = "otra"
	got := was.ChangesTo(to)
	want := Changes{
		Added:   []string{"services/nuevo.json", "services/nuevo.md"},
		Changed: []string{"pages/about.json", "privacidad.md"},
		Removed: []string{
			"answers/" + was.Answers[0].Topic + ".md: " + was.Answers[0].Slug, "doctors/irina-solanilla.md",
			"services/ortodoncia.json", "services/ortodoncia.md", "testimonials.json: " + was.Testimonials[0].ID,
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if same := was.ChangesTo(DefaultContent()); !same.None() {
		t.Errorf("nothing changed: %+v", same)
	}
}

func TestMenusFollowWhatThereIs(t *testing.T) {
	c := DefaultContent()
	labels := func(links []Link) string {
		return strings.Join(eachOf(links, func(l Link) string { return l.Label }), ", ")
	}
	columns := func() (all []string) {
		for _, column := range c.MenuColumns() {
			all = append(all, column.Heading+": "+labels(column.Links))
		}
		return all
	}
	if got, want := columns(), []string{"Nuestras Especialidades: Ortodoncia, Endodoncia, Periodoncia, Rehabilitación oral", "Tratamientos Especializados: Implantes dentales, Muelas del juicio, Diseño de sonrisa"}; !slices.Equal(got, want) {
		t.Errorf("menu %q", got)
	}
	c.Services = slices.DeleteFunc(c.Services, func(s Service) bool { return s.Slug != "periodoncia" && s.Slug != "carillas" })
	c.Services = append(c.Services, Service{Slug: "sedacion", Title: "Sedación", Specialty: true})
	if got, want := columns(), []string{"Nuestras Especialidades: Periodoncia", "Tratamientos Especializados: Sedación"}; !slices.Equal(got, want) {
		t.Errorf("menu %q", got)
	}
	if got := labels(c.FooterServices()); got != "Periodoncia, Sedación" {
		t.Errorf("footer %q", got)
	}
	c.Services = c.Services[1:1]
	if got := c.MenuColumns(); len(got) != 0 {
		t.Errorf("menu of nothing %v", got)
	}
	if slices.ContainsFunc(c.Nav(), func(l Link) bool { return l.Menu }) {
		t.Error("the navigation opens a menu of nothing")
	}
}

func TestTextsLinkToPagesThatThereAre(t *testing.T) {
	c := DefaultContent()
	c.Services = slices.DeleteFunc(c.Services, func(s Service) bool { return s.Slug == "ortodoncia" })
	for html, want := range map[string]string{
		`<p>A <a href="/services/ortodoncia">la <b>b</b></a>.</p>`:      `<p>A la <b>b</b>.</p>`,
		`<a href="/services/ortodoncia#x">x</a>`:                        `x`,
		`<a href="/services/Endodoncia/">x</a>`:                         `<a href="/services/Endodoncia/">x</a>`,
		`<a href="/about/anselmo-pitti">x</a>`:                          `x`,
		`<a href="/about/irina-solanilla" rel="nofollow">x</a>`:         `<a href="/about/irina-solanilla" rel="nofollow">x</a>`,
		`<a href="/blog/nada">x</a> <a href="/blog">y</a>`:              `x <a href="/blog">y</a>`,
		`<a href="/servicios">x</a>`:                                    `x`,
		`<a href="/">x</a><a href="https://a.example/services/x">y</a>`: `<a href="/">x</a><a href="https://a.example/services/x">y</a>`,
		`<a href="/img/plano.pdf">x</a>`:                                `<a href="/img/plano.pdf">x</a>`,
	} {
		if got := c.Linked(html); got != want {
			t.Errorf("%s became %s", html, got)
		}
	}
	c.Posts = append(slices.Clone(c.Posts), Post{Slug: "otro", Text: Text{Markdown: "[mira](//evil.example/a)"}})
	notes := strings.Join(c.Notes(), "\n")
	for _, want := range []string{
		"posts/otro.md: the link to //evil.example/a leads to another site; write https://evil.example/a",
		"doctors/irina-solanilla.md: there is no service \"ortodoncia\"; the link to it is left out",
		"pages/site.json: there is no page /services/ortodoncia; the link to it is left out",
		"posts/brackets-o-alineadores.md: there is no page /services/ortodoncia; the link to it is left out",
		`pages/home.json: speaks of "ortodoncia", and there is no service "ortodoncia"`,
		`pages/about.json: speaks of "ortodoncia", and there is no service "ortodoncia"`,
		`posts/brackets-o-alineadores.md: speaks of "ortodoncia", and there is no service "ortodoncia"`,
	} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is not in\n%s", want, notes)
		}
	}
	c = DefaultContent()
	if notes := c.Notes(); len(notes) != 0 {
		t.Errorf("of the project's own content: %v", notes)
	}
	c.Services[0].Markdown = "Otro texto.\n"
	if notes := c.Notes(); len(notes) != 1 || !strings.HasPrefix(notes[0], "services/ortodoncia.md: its text is not shown") {
		t.Errorf("a text that nobody sees: %v", notes)
	}
}

// The texts that every clinic begins with: a place that they name is that of the clinic's file, and a
// sentence goes on after a colon.
func TestDefaultTextsSuitAnyClinic(t *testing.T) {
	facts, err := Load(strings.NewReader(`{"address": {"street": "Carrera 7", "city": "Bogotá"}, "zone": "America/Bogota"}`))
	if err != nil {
		t.Fatal(err)
	}
	c := DefaultContent()
	texts := map[string]any{}
	for _, s := range c.Services {
		texts[s.Slug+".json"] = facts.Texts(s.Page)
		texts[s.Slug+".md"] = facts.Fill(s.Markdown + s.Description + s.MenuText)
	}
	for _, p := range c.Pages {
		texts[p.Name] = c.PageTexts(facts, p.Name)
	}
	for _, p := range c.Posts {
		texts[p.Slug] = facts.Fill(p.Markdown + p.Excerpt)
	}
	if len(texts) < 40 {
		t.Fatalf("%d texts", len(texts))
	}
	newSentence := regexp.MustCompile(`\p{Ll}: \p{Lu}\p{Ll}+ \p{Ll}`)
	for name, text := range texts {
		said := fmt.Sprint(text)
		if strings.Contains(said, "Panamá") {
			t.Errorf("%s names a place of another clinic", name)
		}
		if at := newSentence.FindString(said); at != "" {
			t.Errorf("%s: %q", name, at)
		}
	}
}

func TestTextsOfWhatTheClinicDoesNotOfferAreNamed(t *testing.T) {
	without := func(slug string) Content {
		c := DefaultContent()
		c.Services = slices.DeleteFunc(c.Services, func(s Service) bool { return s.Slug == slug })
		c.Answers = nil
		return c
	}
	for slug, words := range treatments {
		if _, known := serviceOf(DefaultContent().Services, slug); !known {
			t.Errorf("%s is no service of the project's", slug)
		}
		c := without(slug)
		c.Testimonials = []Testimonial{{ID: "a", Comment: "Me hablaron de " + strings.ToUpper(words[0]) + "."}}
		found := c.unoffered()
		if !slices.ContainsFunc(found, func(m mention) bool { return m.file == testimonialFile && m.service == slug }) {
			t.Errorf("%s: %v", slug, found)
		}
		c.Services = append(slices.Clone(c.Services), Service{Slug: "otro", Title: "Consultorio de " + words[0]})
		if found := c.unoffered(); len(found) != 0 {
			t.Errorf("%s under another slug: %v", slug, found)
		}
	}
	// The words themselves stand in pairs of the forms of address, and in the head of a page.
	for slug, file := range map[string]string{"diseno-sonrisa": "pages/home.json", "periodoncia": "pages/services.json", "odontologia-laser": "pages/about.json"} {
		if found := without(slug).unoffered(); !slices.ContainsFunc(found, func(m mention) bool { return m.file == file }) {
			t.Errorf("%s: %v", slug, found)
		}
	}
}

// The description names every file, every field, every kind of section and every fact.
func TestTheFormatIsDocumented(t *testing.T) {
	text := string(Documentation())
	for _, p := range facts {
		if !strings.Contains(text, "`{{"+p.Key+"}}`") {
			t.Errorf("{{%s}} is not described", p.Key)
		}
	}
	for kind := range shapes().service.fields["sections"].each.kinds {
		if !strings.Contains(text, "`"+kind+"`") {
			t.Errorf("sections of kind %s are not described", kind)
		}
	}
	for name := range exported(t) {
		folder, _, _ := strings.Cut(name, "/")
		if !strings.Contains(text, "`"+folder) {
			t.Errorf("%s is not described", name)
		}
	}
	for _, d := range []document{&Service{}, &Profile{}, &Post{}, &Notice{}} {
		for _, field := range d.head() {
			if !strings.Contains(text, "`"+field.name+"`") {
				t.Errorf("%s of %T is not described", field.name, d)
			}
		}
	}
	for _, told := range []string{"`images/images.json`", "`alt`", "`decorative`", "`focus`", "`[encías, prevención]`"} {
		if !strings.Contains(text, told) {
			t.Errorf("%s is not described", told)
		}
	}
	if list, err := readList(`["Niños, adolescentes y adultos", "Brackets"]`); err != nil || len(list) != 2 {
		t.Errorf("the described list is %q, %v", list, err)
	}
	if strings.Contains(text, "{{facts}}") {
		t.Error("the facts are not listed")
	}
}

// FuzzPage: whatever stands in a file of texts, it is refused or shown.
func FuzzPage(f *testing.F) {
	files := DefaultContent().Files()
	f.Add(string(files["pages/not-found.json"]), string(files["services/diseno-sonrisa.json"]))
	f.Add(`{"meta": {"//": 1}}`, `{"sections": [{"kind": "text", "id": 1}], "hero": []}`)
	f.Add("{", `{"sections": null, "hero": {}, "closing": 7, "meta": "x"}`)
	base := DefaultContent()
	base.Answers = nil
	f.Fuzz(func(t *testing.T, page, service string) {
		read, err := ReadContent(fstest.MapFS{
			"pages/not-found.json": {Data: []byte(page)}, "services/diseno-sonrisa.json": {Data: []byte(service)},
			"services/diseno-sonrisa.md": {Data: files["services/diseno-sonrisa.md"]},
		}, base)
		if err != nil {
			return
		}
		if texts := read.PageTexts(Default(), "not-found"); texts["heading"] == "" {
			t.Errorf("accepted without a heading: %s", page)
		}
		written := read.Files()
		again := fstest.MapFS{}
		for name, text := range written {
			again[name] = &fstest.MapFile{Data: text}
		}
		if same, err := ReadContent(again, base); err != nil || !reflect.DeepEqual(read.Pages, same.Pages) {
			t.Errorf("%s became other texts: %v", page, err)
		}
	})
}
