package postgres_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/postgres"
	"bitacora/domain/clinic"
)

func readContent(t *testing.T, c *postgres.Content) (clinic.Content, int64) {
	t.Helper()
	content, version, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := c.Version(t.Context()); err != nil || again != version {
		t.Errorf("version %d, read with version %d, %v", again, version, err)
	}
	return content, version
}

// withoutHTML is content as it was before it was stored.
func withoutHTML(c clinic.Content) clinic.Content {
	for i := range c.Services {
		c.Services[i].HTML = ""
	}
	for i := range c.Posts {
		c.Posts[i].HTML = ""
	}
	for i := range c.Profiles {
		c.Profiles[i].HTML = ""
	}
	c.Notice.HTML = ""
	return c
}

func TestContentIsSeededOnce(t *testing.T) {
	_, db := fresh(t)
	content := db.Content()
	if got, version := readContent(t, content); version != 0 || len(got.Services)+len(got.Posts)+len(got.Testimonials) != 0 {
		t.Errorf("version %d: %+v", version, got)
	}
	if seeded, err := content.Seed(t.Context(), clinic.DefaultContent()); !seeded || err != nil {
		t.Fatalf("seeded %v, %v", seeded, err)
	}
	got, version := readContent(t, content)
	if diff := cmp.Diff(clinic.DefaultContent(), withoutHTML(got)); version != 1 || diff != "" {
		t.Errorf("version %d, content changed in the database (-want +got):\n%s", version, diff)
	}
	other := clinic.DefaultContent()
	other.Posts = other.Posts[:1]
	if seeded, err := content.Seed(t.Context(), other); seeded || err != nil {
		t.Errorf("seeded again: %v, %v", seeded, err)
	}
}

func TestContentIsReplacedWhereItDiffers(t *testing.T) {
	_, db := fresh(t)
	content := db.Content()
	if changed, err := content.Replace(t.Context(), clinic.DefaultContent()); !changed || err != nil {
		t.Fatalf("first content: %v, %v", changed, err)
	}
	if changed, err := content.Replace(t.Context(), clinic.DefaultContent()); changed || err != nil {
		t.Errorf("the same content: %v, %v", changed, err)
	}
	other := clinic.DefaultContent()
	other.Posts, other.Services[0].Title = other.Posts[1:], "Otra"
	other.Notice.Version = "otra"
	other.Testimonials[0], other.Testimonials[1] = other.Testimonials[1], other.Testimonials[0]
	if changed, err := content.Replace(t.Context(), other); !changed || err != nil {
		t.Errorf("other content: %v, %v", changed, err)
	}
	got, version := readContent(t, content)
	if diff := cmp.Diff(other, withoutHTML(got)); version != 2 || diff != "" {
		t.Errorf("version %d (-want +got):\n%s", version, diff)
	}
}

func TestContentIsMadeSafeWhenStoredAndWhenRead(t *testing.T) {
	url, db := fresh(t)
	c := clinic.DefaultContent()
	c.Posts = c.Posts[:1]
	c.Posts[0].Markdown = "Hola <script>alert(1)</script> **y** <img src=\"/a.webp\" loading=\"lazy\" onerror=\"x()\">"
	if _, err := db.Content().Replace(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	const want = "<p>Hola  <strong>y</strong> <img src=\"/a.webp\" loading=\"lazy\"></p>\n"
	var stored string
	conn := owner(t, url)
	if err := conn.QueryRow(t.Context(), "SELECT html FROM posts").Scan(&stored); err != nil || stored != want {
		t.Errorf("stored %q, %v", stored, err)
	}
	exec(t, conn, "UPDATE posts SET html = html || '<iframe src=\"https://x.example\"></iframe><a href=\"javascript:x\">y</a>'")
	got, _ := readContent(t, db.Content())
	if got.Posts[0].HTML != want+"y" {
		t.Errorf("read %q", got.Posts[0].HTML)
	}
	if !strings.Contains(got.Posts[0].Markdown, "<script>") {
		t.Error("what the clinic wrote was changed")
	}
}

// Content that was stored before there was a notice comes with the project's own.
func TestContentWithoutANoticeHasTheProjects(t *testing.T) {
	url, db := fresh(t)
	if _, err := db.Content().Replace(t.Context(), clinic.DefaultContent()); err != nil {
		t.Fatal(err)
	}
	stored, _ := readContent(t, db.Content())
	exec(t, owner(t, url), "DELETE FROM notice")
	got, _ := readContent(t, db.Content())
	if diff := cmp.Diff(stored.Notice, got.Notice); diff != "" || !strings.Contains(got.Notice.HTML, "<h2") {
		t.Errorf("(-stored +read):\n%s", diff)
	}
}

// Content that was stored before pages and people were content comes with the project's own, and
// one that an older version stored with what that version did not know.
func TestContentFromBeforeThePagesHasTheProjects(t *testing.T) {
	url, db := fresh(t)
	c := clinic.DefaultContent()
	c.Services[0].Title = "Otra"
	if _, err := db.Content().Replace(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	conn := owner(t, url)
	exec(t, conn, "DELETE FROM pages")
	exec(t, conn, "DELETE FROM profiles")
	exec(t, conn, "UPDATE services SET page = '', menu_text = '', badge = ''")
	got, _ := readContent(t, db.Content())
	if diff := cmp.Diff(c, withoutHTML(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	c.Services[0].Title = "Otra más"
	if _, err := db.Content().Replace(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	exec(t, conn, `UPDATE pages SET texts = jsonb_set(texts::jsonb - 'callToAction', '{topBar,call}', '"Otro"')::text WHERE name = 'site'`)
	got, _ = readContent(t, db.Content())
	texts := got.PageTexts(clinic.Default(), "site")
	if call := texts["topBar"].(map[string]any)["call"]; call != "Otro" || texts["callToAction"] == nil {
		t.Errorf("call %q, %v", call, texts["callToAction"])
	}
}
