package clinic

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
)

func TestDefaultContentIsEnoughForANewClinic(t *testing.T) {
	c := DefaultContent()
	if len(c.Services) < 10 || len(c.Testimonials) < 8 || len(c.Posts) < 12 {
		t.Errorf("%d services, %d testimonials, %d posts", len(c.Services), len(c.Testimonials), len(c.Posts))
	}
	if len(c.Featured()) == 0 || c.Services[0].Order != 1 {
		t.Errorf("featured: %d; first in order: %+v", len(c.Featured()), c.Services[0].Slug)
	}
	for i := range len(c.Posts) - 1 {
		if c.Posts[i].PublishedAt.Before(c.Posts[i+1].PublishedAt) {
			t.Errorf("%s stands before %s", c.Posts[i].Slug, c.Posts[i+1].Slug)
		}
	}
	first := c.Posts[len(c.Posts)-1].PublishedAt
	if got := len(c.Published(first)); got != 1 {
		t.Errorf("%d posts are published at the time of the first", got)
	}
}

func TestFilesAreReadBackAsTheyWere(t *testing.T) {
	c := DefaultContent()
	c.Services[0].ImageURL = "/images/uno.webp"
	c.Services[0].Title = `Comillas " y <b> # : fin`
	c.Posts[0].Topics = []string{"encías", "true", "12"}
	files := c.Files()
	written := fstest.MapFS{}
	for name, text := range files {
		written[name] = &fstest.MapFile{Data: text}
	}
	again, err := ReadContent(written, Content{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(c, again) {
		t.Error("content changed on its way through files")
	}
}

func TestHeadsAreWrittenAsPeopleWriteThem(t *testing.T) {
	at := time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC)
	for want, d := range map[string]document{
		"---\ntitle: \"A \\\"b\\\" <c>\"\nslug: a\nicon: fa-x\nspecialty: true\nfeatured: false\norder: 2\n---\nx\n":     &Service{Title: `A "b" <c>`, Slug: "a", Icon: "fa-x", Specialty: true, Order: 2, Text: Text{Markdown: "x\n"}},
		"---\ntitle: \"A\"\nslug: a\nimageUrl: /x\npublishedAt: \"2026-11-03T14:00:00Z\"\ntopics: [\"b\", \"c\"]\n---\n": &Post{Title: "A", Slug: "a", ImageURL: "/x", PublishedAt: at, Topics: []string{"b", "c"}},
		"---\npublishedAt: \"2026-11-03T14:00:00Z\"\ntopics: []\n---\n":                                                  &Post{PublishedAt: at},
		"---\nname: \"A\"\norder: 1\nservice: b\n---\n":                                                                  &Profile{Name: "A", Order: 1, Service: "b", Training: []string{}},
	} {
		if got := string(written(d)); got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}

func TestMistakesInFilesAreReportedAtOnceWithTheirPlace(t *testing.T) {
	const service = "---\ntitle: \"Uno\"\nslug: uno\ndescription: 'Es ''uno''.'\nicon: fa-tooth\norder: 1\nspecialty: false\nfeatured: true\n---\n\nTexto.\n"
	files := fstest.MapFS{
		"services/uno.md":    {Data: []byte(service)},
		"services/dos.md":    {Data: []byte(strings.NewReplacer("order: 1", "order: uno", "featured: true", "feature: yes").Replace(service))},
		"services/tres.md":   {Data: []byte(strings.NewReplacer("slug: uno", "slug: Uno", "fa-tooth", "tooth\nimageUrl: https://x.example/a.png", "Texto.", "Llame al {{fax}}.").Replace(service))},
		"services/cuatro.md": {Data: []byte("title: x\n")},
		"services/cinco.md":  {Data: []byte("---\ntitle: x\n")},
		"services/seis.md":   {Data: []byte("---\ntitle: a: b\ntitle: c\nnada\n---\n")},
		"posts/p.md":         {Data: []byte("---\ntitle: P\nslug: p\nexcerpt: |\npublishedAt: ayer\ntopics: encías\n---\nx\n")},
		"privacidad.md":      {Data: []byte("---\ntitle: T\nversion:\ndescription: D\n---\nEn {{diezDias}}.\n")},
		"testimonials.json":  {Data: []byte("[\n  {\"id\": \"a\", \"name\": \"A\", \"comment\": \"Bien\", \"rating\": 6, \"location\": \"\"},\n  {\"id\": \"b\", \"stars\": 3}\n]\n")},
	}
	_, err := ReadContent(files, Content{})
	if err == nil {
		t.Fatal("no mistake was found")
	}
	for _, want := range []string{
		`services/dos.md:6: order: "uno" is not a whole number`, "services/dos.md:8: feature: is no field",
		`services/tres.md:3: slug: "Uno"`, "services/tres.md:5: icon:", "services/tres.md:6: imageUrl:", "services/tres.md:12: text: {{fax}}",
		`services/cuatro.md:1: begins with no line "---"`, "services/cinco.md:3: has no second line",
		"services/seis.md:3: title: is there twice", `services/seis.md:4: "nada"`,
		"posts/p.md:4: excerpt: put what begins with", `posts/p.md:5: publishedAt: "ayer"`, `posts/p.md:6: topics: "encías" is not a list`,
		"privacidad.md:3: version: is empty", "privacidad.md:6: text: {{diezDias}}",
		"testimonials.json:2: [0].rating: is no whole number from 0 to 5", "testimonials.json:2: [0].location: is empty", `testimonials.json:3: [1].stars: is no field`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not reported in:\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "uno.md") {
		t.Errorf("a mistake was found where there is none:\n%v", err)
	}
}

func TestContentThatIsMissing(t *testing.T) {
	if _, err := ReadContent(fstest.MapFS{}, Content{Pages: DefaultContent().Pages}); err == nil || err.Error() != "services: at least one is needed" {
		t.Errorf("no service: %v", err)
	}
	_, err := ReadContent(fstest.MapFS{"privacidad.md": {Data: []byte("---\ntitle: T\nversion: 1\ndescription: D\n---\nx\n")}, "testimonials.json": {Data: []byte("[]")}}, Content{})
	for _, want := range []string{"pages/home.json: is missing", "pages/site.json: is missing"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not reported in: %v", want, err)
		}
	}
	if _, err := ReadContent(fstest.MapFS{}, Content{}); err == nil {
		t.Error("an empty directory was read")
	}
}

// TestOwnContentNamesNoFact reads the texts as they are kept: a fact that stood in one would be
// told by a clinic of which it is not true.
func TestOwnContentNamesNoFact(t *testing.T) {
	c := Default()
	facts := append([]string{c.Name, c.Tagline, c.Email, c.Address.Street, c.Address.Building, c.Emergency, c.CrisisLine.WhatsApp}, Numbers(c.Phones)...)
	err := fs.WalkDir(ownContent, "content", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := ownContent.ReadFile(name)
		for _, fact := range facts {
			if strings.Contains(string(text), fact) {
				t.Errorf("%s names %q", name, fact)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestFillNamesFacts(t *testing.T) {
	c := Default()
	if got, want := c.Fill("Llama a {{clinicName}}: {{phone1}} o {{phone2}}; {{nada}}"), "Llama a Clínica Dental Regency: +507 200-0101 o +507 6000-0101; {{nada}}"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAPostIsPublishedFromItsTimeOn(t *testing.T) {
	at := time.Date(2026, 11, 3, 12, 0, 0, 0, time.UTC)
	c := Content{Posts: []Post{{Slug: "a", PublishedAt: at}}}
	if len(c.Published(at.Add(-time.Millisecond))) != 0 || len(c.Published(at)) != 1 {
		t.Error("a post is not published exactly from its time on")
	}
}

// To read a pipe or a device need not end.
func TestWhatIsNoFileIsNotRead(t *testing.T) {
	_, err := ReadContent(fstest.MapFS{
		"privacidad.md": {Mode: fs.ModeNamedPipe},
		"posts/a.md":    {Mode: fs.ModeDevice},
	}, DefaultContent())
	want := "posts/a.md: is neither a file nor a folder\nprivacidad.md: is neither a file nor a folder"
	if err == nil || err.Error() != want {
		t.Errorf("read %v", err)
	}
	dir, elsewhere := t.TempDir(), t.TempDir()
	if err := errors.Join(syscall.Mkfifo(filepath.Join(elsewhere, "a.md"), 0o600), os.Symlink(elsewhere, filepath.Join(dir, "posts")), os.Symlink("/dev/zero", filepath.Join(dir, "README.md"))); err != nil {
		t.Fatal(err)
	}
	want = "README.md: is neither a file nor a folder\nposts/a.md: is neither a file nor a folder"
	if _, err := ReadContent(os.DirFS(dir), DefaultContent()); err == nil || err.Error() != want {
		t.Errorf("behind links: read %v", err)
	}
}
