package main

import (
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bitacora/domain/clinic"
	"bitacora/webapp"
)

// text is one of a content's texts: where it stands, "pages/home.json: hero.slides[0].title", and what
// it says before facts are filled in.
type text struct{ where, says string }

// noSentences are fields of texts that are not shown as they are.
var noSentences = []string{"icon", "path", "id", "slugs", "lang", "kind", "processAnchor", "//"}

// leafTexts adds the texts of a JSON value.
func leafTexts(all []text, where string, value any) []text {
	switch value := value.(type) {
	case string:
		return append(all, text{where, value})
	case []any:
		for i, one := range value {
			all = leafTexts(all, fmt.Sprintf("%s[%d]", where, i), one)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if !slices.Contains(noSentences, name) {
				all = leafTexts(all, where+"."+name, value[name])
			}
		}
	}
	return all
}

func jsonLeaves(all []text, file string, texts json.RawMessage) []text {
	var value any
	if json.Unmarshal(texts, &value) != nil {
		return all
	}
	return leafTexts(all, file+":", value)
}

// textsOf are all texts of a content that anybody reads.
func textsOf(c clinic.Content) []text {
	var all []text
	add := func(file string, fields ...string) {
		for i := 0; i < len(fields); i += 2 {
			all = append(all, text{file + ": " + fields[i], fields[i+1]})
		}
	}
	for _, p := range c.Pages {
		all = jsonLeaves(all, "pages/"+p.Name+".json", p.Texts)
	}
	for _, s := range c.Services {
		add("services/"+s.Slug+".md", "title", s.Title, "description", s.Description, "menuText", s.MenuText, "badge", s.Badge)
		all = jsonLeaves(all, "services/"+s.Slug+".json", s.Page)
		if s.Page == nil {
			add("services/"+s.Slug+".md", "text", s.Markdown)
		}
	}
	for _, p := range c.Profiles {
		file := "doctors/" + p.Slug + ".md"
		add(file, "name", p.Name, "title", p.Title, "specialty", p.Specialty, "bio", p.Bio, "pageTitle", p.PageTitle, "pageDescription", p.PageDescription, "text", p.Markdown)
		for _, line := range slices.Concat(p.Specialties, p.Training, p.Affiliations) {
			add(file, "lines", line)
		}
	}
	for _, p := range c.Posts {
		add("posts/"+p.Slug+".md", "title", p.Title, "excerpt", p.Excerpt, "text", p.Markdown)
	}
	for _, t := range c.Testimonials {
		add("testimonials.json", "name", t.Name, "comment", t.Comment, "location", t.Location)
	}
	add("privacidad.md", "title", c.Notice.Title, "description", c.Notice.Description, "text", c.Notice.Markdown)
	for _, a := range c.Answers {
		add("answers/"+a.Topic+".md", a.Slug, a.Text, a.Slug+" English", a.English)
	}
	for _, p := range c.Pictures {
		add("images/images.json", p.Name, p.Alt)
	}
	return all
}

var (
	inlineMarkup = regexp.MustCompile(`</?(a|b|em|i|span|strong)\b[^>]*>|<!-- -->`)
	markup       = regexp.MustCompile(`(?s)<style.*?</style>|<[^>]*>`)
	jsonEscape   = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\"`, `"`, `\n`, " ", "\u2060", "", "\u00ad", "")
	markdownLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	lineBegin    = regexp.MustCompile(`(?m)^(#+|-|\d+\.) +`)
	sentenceEnd  = regexp.MustCompile(`[.!?:;…]+["»)]*(\s+|$)|\n+|\{\{[^}]*\}\}`)
)

// plain is what people read of a page, a reply or a letter: without markup, on one line.
func plain(said string) string {
	said = inlineMarkup.ReplaceAllString(jsonEscape.Replace(said), "")
	return strings.Join(strings.Fields(html.UnescapeString(markup.ReplaceAllString(said, " "))), " ")
}

// sentences are the parts of a text between which a fact or a full stop stands, as [plain] leaves them.
func sentences(says string) []string {
	says = lineBegin.ReplaceAllString(markdownLink.ReplaceAllString(strings.ReplaceAll(says, "**", ""), "$1"), "")
	var all []string
	for _, one := range strings.Split(strings.ReplaceAll(says, "||", "\n"), "\n") {
		for _, sentence := range sentenceEnd.Split(one, -1) {
			all = append(all, plain(sentence))
		}
	}
	return all
}

// ownSources hold the words of the program's own: those of buttons, of letters, and of replies that no
// clinic writes.
var ownSources = []string{"domain/chat", "adapters/mail", "adapters/assistant/data", "webapp/src/content"}

// ownWords are all that stands in them.
func ownWords(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, dir := range ownSources {
		err := fs.WalkDir(os.DirFS(path.Join("../..", dir)), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || !slices.Contains([]string{".tmpl", ".ts", ".json"}, path.Ext(name)) || strings.Contains(name, "answers") {
				return err
			}
			source, err := os.ReadFile(path.Join("../..", dir, name))
			all.Write(source)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

// ofName is where the name of somebody or something stands.
var ofName = regexp.MustCompile(`^(services/.*: title|(doctors/.*|testimonials\.json): name)$`)

// ownSentences are those of the default's content by which a page of it is known, in each form of
// address: of five words, or the name of somebody or something that another clinic has not.
func ownSentences(t *testing.T, other clinic.Content) map[string]string {
	t.Helper()
	source, told := ownWords(t), map[string]bool{}
	words := plain(clinic.Tu.In(source)) + "\n" + plain(clinic.Usted.In(source))
	for _, one := range textsOf(other) {
		for _, sentence := range sentences(clinic.Usted.In(one.says)) {
			told[sentence] = true
		}
	}
	found := map[string]string{}
	for _, one := range textsOf(clinic.DefaultContent()) {
		if ofName.MatchString(one.where) {
			found[strings.TrimPrefix(strings.TrimPrefix(one.says, "Dra. "), "Dr. ")] = one.where
			continue
		}
		for _, form := range clinic.FormsOfAddress {
			for _, sentence := range sentences(form.In(one.says)) {
				if len(strings.Fields(sentence)) >= 5 && !told[sentence] && !strings.Contains(words, sentence) {
					found[sentence] = one.where
				}
			}
		}
	}
	return found
}

// noDefaultText reports what is said that is the default's, facts apart.
func (p *published) noDefaultText(t *testing.T, own clinic.Content) {
	t.Helper()
	sentences := ownSentences(t, own)
	if len(sentences) < 1500 {
		t.Errorf("only %d of the default's sentences are looked for", len(sentences))
	}
	for _, where := range slices.Sorted(maps.Keys(p.said)) {
		said := plain(p.said[where])
		for _, sentence := range slices.Sorted(maps.Keys(sentences)) {
			if strings.Contains(said, sentence) {
				t.Errorf("%s says what stands in %s: %s", where, sentences[sentence], sentence)
			}
		}
	}
}

// TestNoTextOfTheDefaultIsCompiledIn: what browsers load has no content, which comes with the pages.
func TestNoTextOfTheDefaultIsCompiledIn(t *testing.T) {
	files, words := 0, ownWords(t)
	sentences := ownSentences(t, clinic.Content{})
	// The dashboard names the topics that the program knows.
	maps.DeleteFunc(sentences, func(sentence, _ string) bool { return strings.Contains(words, `"`+sentence+`"`) })
	err := fs.WalkDir(webapp.Dist(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !slices.Contains([]string{".js", ".html", ".css", ".webmanifest", ".json"}, path.Ext(name)) {
			return err
		}
		files++
		text, err := fs.ReadFile(webapp.Dist(), name)
		for sentence, where := range sentences {
			if strings.Contains(string(text), sentence) {
				t.Errorf("%s has a text of %s: %s", name, where, sentence)
			}
		}
		return err
	})
	if err != nil || files < 5 {
		t.Errorf("%d files were read: %v", files, err)
	}
}
