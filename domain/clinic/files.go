package clinic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"strconv"
	"strings"
	"time"
)

// Where content lies in its directory.
const (
	serviceFiles    = "services"
	profileFiles    = "doctors"
	postFiles       = "posts"
	testimonialFile = "testimonials.json"
	noticeFile      = "privacidad.md"
)

// ReadContent reads content from files, which [Documentation] describes. A part of which there is
// neither a file nor a folder is that of base; a folder says all that there is of its kind. All
// mistakes are reported at once, each with its file and line.
func ReadContent(files fs.FS, base Content) (Content, error) {
	c := base
	errs := []error{strangers(files)}
	if isThere(files, serviceFiles) {
		c.Services = nil
		errs = append(errs, eachMarkdown(files, serviceFiles, func(m *frontMatter) []flaw {
			s := Service{
				Slug: m.text("slug"), Title: m.text("title"), Description: m.text("description"),
				Icon: m.text("icon"), ImageURL: m.text("imageUrl"),
				Specialty: m.flag("specialty"), MenuText: m.text("menuText"), Badge: m.text("badge"),
				Featured: m.flag("featured"), Order: m.number("order"),
				Text: Text{Markdown: m.body},
			}
			c.Services = append(c.Services, s)
			return append(s.flaws(), m.named(s.Slug)...)
		}))
		errs = append(errs, readServicePages(files, c.Services))
	}
	if isThere(files, profileFiles) {
		c.Profiles = nil
		errs = append(errs, eachMarkdown(files, profileFiles, func(m *frontMatter) []flaw {
			p := Profile{
				Slug: m.text("slug"), Name: m.text("name"), Title: m.text("title"), Specialty: m.text("specialty"),
				Bio: m.text("bio"), Order: m.number("order"), Specialties: m.list("specialties"), Training: m.list("training"),
				Affiliations: m.list("affiliations"), Service: m.text("service"),
				PageTitle: m.text("pageTitle"), PageDescription: m.text("pageDescription"), Text: Text{Markdown: m.body},
			}
			c.Profiles = append(c.Profiles, p)
			return append(p.flaws(), m.named(p.Slug)...)
		}))
	}
	if isThere(files, postFiles) {
		c.Posts = nil
		errs = append(errs, eachMarkdown(files, postFiles, func(m *frontMatter) []flaw {
			p := Post{
				Slug: m.text("slug"), Title: m.text("title"), Excerpt: m.text("excerpt"),
				ImageURL: m.text("imageUrl"), PublishedAt: m.instant("publishedAt").UTC(), Topics: m.list("topics"),
				Text: Text{Markdown: m.body},
			}
			c.Posts = append(c.Posts, p)
			return append(p.flaws(), m.named(p.Slug)...)
		}))
	}
	if isThere(files, noticeFile) {
		errs = append(errs, readMarkdown(files, noticeFile, func(m *frontMatter) []flaw {
			c.Notice = Notice{
				Version: m.text("version"), Title: m.text("title"), Description: m.text("description"), Text: Text{Markdown: m.body},
			}
			return c.Notice.flaws()
		}))
	}
	var err error
	if isThere(files, testimonialFile) {
		c.Testimonials, err = readTestimonials(files)
		errs = append(errs, err)
	}
	if isThere(files, answerFiles) {
		c.Answers, err = readAnswers(files)
		errs = append(errs, err)
	}
	c.Pages, err = readPages(files, base.Pages)
	if err := errors.Join(append(errs, err)...); err != nil {
		return Content{}, err
	}
	if err := errors.Join(c.fits(), ofServices(files, c.Answers, c.Services)); err != nil {
		return Content{}, err
	}
	if isThere(files, PictureFolder) {
		if c.Pictures, err = readPictures(files, c); err != nil {
			return Content{}, err
		}
	}
	c.sort()
	return c, nil
}

// fits reports what does not go together.
func (c Content) fits() error {
	errs := []error{
		different(serviceFiles, c.Services, func(s Service) string { return s.Slug }),
		different(profileFiles, c.Profiles, func(p Profile) string { return p.Slug }),
		different(postFiles, c.Posts, func(p Post) string { return p.Slug }),
		different(testimonialFile, c.Testimonials, func(t Testimonial) string { return t.ID }),
	}
	if len(c.Services) == 0 {
		errs = append(errs, fmt.Errorf("%s: at least one is needed", serviceFiles))
	}
	return errors.Join(errs...)
}

// isThere says whether a folder of content has a file or a folder of a name.
func isThere(files fs.FS, name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil
}

// eachMarkdown reads the Markdown files of a folder.
func eachMarkdown(files fs.FS, folder string, read func(*frontMatter) []flaw) error {
	names, err := fs.Glob(files, folder+"/*.md")
	if err != nil {
		return fmt.Errorf("list %s: %w", folder, err)
	}
	var errs []error
	for _, name := range names {
		errs = append(errs, readMarkdown(files, name, read))
	}
	return errors.Join(errs...)
}

func readMarkdown(files fs.FS, name string, read func(*frontMatter) []flaw) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return fmt.Errorf("read content: %w", err)
	}
	m := readFrontMatter(name, string(text))
	if len(m.errs) > 0 {
		return errors.Join(m.errs...)
	}
	return m.finish(read(m))
}

// named holds a file to the name of what it says.
func (m *frontMatter) named(slug string) []flaw {
	if want := slug + ".md"; path.Base(m.file) != want {
		return []flaw{{field: "slug", text: "belongs into a file named " + want}}
	}
	return nil
}

func readTestimonials(files fs.FS) ([]Testimonial, error) {
	text, err := fs.ReadFile(files, testimonialFile)
	if err != nil {
		return nil, fmt.Errorf("read content: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if first, err := d.Token(); err != nil || first != json.Delim('[') {
		return nil, fmt.Errorf("%s:1: is not a JSON array", testimonialFile)
	}
	var all []Testimonial
	var errs []error
	for d.More() {
		line := lineOfNext(text, int(d.InputOffset()))
		var t Testimonial
		err := d.Decode(&t)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) {
			// A decoder does not find back into such a text.
			return nil, errors.Join(append(errs, fmt.Errorf("%s:%d: %w", testimonialFile, line, err))...)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", testimonialFile, line, withSuggestion(err)))
			continue
		}
		for _, f := range t.flaws() {
			errs = append(errs, fmt.Errorf("%s:%d: %s: %s", testimonialFile, line, f.field, f.text))
		}
		all = append(all, t)
	}
	return all, errors.Join(errs...)
}

// withSuggestion names the field that was perhaps meant.
func withSuggestion(err error) error {
	name, unknown := strings.CutPrefix(err.Error(), `json: unknown field "`)
	if !unknown {
		return err
	}
	name = strings.TrimSuffix(name, `"`)
	return fmt.Errorf("%s: is no field%s", name, didYouMean(name, []string{"id", "name", "comment", "rating", "location", "imageUrl"}))
}

// lineOfNext is the line of the first element of a JSON array after an offset.
func lineOfNext(text []byte, offset int) int {
	begins := len(text) - len(bytes.TrimLeft(text[offset:], " \t\r\n,"))
	return 1 + bytes.Count(text[:begins], []byte("\n"))
}

// Files is content as the files that [ReadContent] reads, by path, without the pictures themselves.
func (c Content) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, s := range c.Services {
		files[path.Join(serviceFiles, s.Slug+".md")] = markdownFile(s.Markdown,
			"title", quoted(s.Title), "slug", s.Slug, "description", quoted(s.Description),
			"icon", s.Icon, "imageUrl", s.ImageURL,
			"specialty", strconv.FormatBool(s.Specialty), "menuText", ifAny(s.MenuText), "badge", ifAny(s.Badge),
			"featured", strconv.FormatBool(s.Featured), "order", strconv.Itoa(s.Order))
		if s.Page != nil {
			files[path.Join(serviceFiles, s.Slug+".json")] = indented(s.Page)
		}
	}
	for _, p := range c.Profiles {
		files[path.Join(profileFiles, p.Slug+".md")] = markdownFile(p.Markdown,
			"name", quoted(p.Name), "slug", p.Slug, "title", quoted(p.Title), "specialty", quoted(p.Specialty),
			"bio", quoted(p.Bio), "order", strconv.Itoa(p.Order),
			"specialties", quotedList(p.Specialties), "training", quotedList(p.Training), "affiliations", quotedList(p.Affiliations),
			"service", p.Service, "pageTitle", ifAny(p.PageTitle), "pageDescription", ifAny(p.PageDescription))
	}
	for _, p := range c.Pages {
		files[path.Join(pageFiles, p.Name+".json")] = indented(p.Texts)
	}
	for _, p := range c.Posts {
		files[path.Join(postFiles, p.Slug+".md")] = markdownFile(p.Markdown,
			"title", quoted(p.Title), "slug", p.Slug, "excerpt", quoted(p.Excerpt), "imageUrl", p.ImageURL,
			"publishedAt", quoted(p.PublishedAt.Format(time.RFC3339)), "topics", cmp.Or(quotedList(p.Topics), "[]"))
	}
	files[noticeFile] = markdownFile(c.Notice.Markdown,
		"title", quoted(c.Notice.Title), "version", quoted(c.Notice.Version), "description", quoted(c.Notice.Description))
	maps.Copy(files, answerTexts(c.Answers))
	testimonials := c.Testimonials
	if testimonials == nil {
		testimonials = []Testimonial{}
	}
	text, err := jsonText(testimonials, "  ")
	if err != nil {
		return nil, fmt.Errorf("write testimonials: %w", err)
	}
	files[testimonialFile] = text
	told, err := toldOf(c.Pictures)
	if err != nil {
		return nil, fmt.Errorf("write what is told of pictures: %w", err)
	}
	if told != nil {
		files[pictureTexts] = told
	}
	return files, nil
}

// markdownFile writes a head of names and values, without the empty ones, and a text.
func markdownFile(text string, head ...string) []byte {
	var b bytes.Buffer
	b.WriteString(fence + "\n")
	for i := 0; i < len(head); i += 2 {
		if head[i+1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", head[i], head[i+1])
		}
	}
	b.WriteString(fence + "\n" + text)
	return b.Bytes()
}

// quoted is a text in double quotes on one line.
func quoted(text string) string {
	line, err := jsonText(text, "")
	if err != nil {
		panic(err) // a string can always be encoded
	}
	return strings.TrimSuffix(string(line), "\n")
}

// ifAny is a text in quotes, or nothing.
func ifAny(text string) string {
	if text == "" {
		return ""
	}
	return quoted(text)
}

// quotedList is a list of texts on one line; empty for none.
func quotedList(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return "[" + strings.Join(eachOf(texts, quoted), ", ") + "]"
}

// indented is JSON as people edit it.
func indented(text json.RawMessage) []byte {
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		panic(err) // what is content was read as JSON
	}
	b.WriteByte('\n')
	return b.Bytes()
}

func jsonText(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.Bytes(), err
}
