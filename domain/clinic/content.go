package clinic

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Content is what the clinic says: the texts of its pages, its people and services, what patients say,
// its blog, what becomes of personal data, and what the assistant answers. Texts are Spanish and may
// name a fact of the clinic, see [Clinic.Fill].
type Content struct {
	// Services are in the order in which they are shown.
	Services []Service
	// Testimonials are in the order in which they are shown.
	Testimonials []Testimonial
	// Posts are newest first.
	Posts []Post
	// Notice is the page about personal data.
	Notice Notice
	// Pages are the texts of the site's pages, by name.
	Pages []Page
	// Profiles are the people, in the order in which they are shown.
	Profiles []Profile
	// Answers are by topic, in the order of their files.
	Answers []Answer
	// Pictures are in the order of their names. Where there is none, the site shows its own.
	Pictures []Picture
}

// Service is something the clinic treats.
type Service struct {
	// Slug names the service in addresses.
	Slug  string
	Title string
	// Description is one sentence.
	Description string
	// Icon is an icon class name, "fa-tooth".
	Icon string
	// ImageURL is a path of the site; empty if the service has no picture.
	ImageURL string
	// Specialty says that the menus lead to it.
	Specialty bool
	// MenuText is what the menu says of it, a few words; Badge what it puts beside the title of one
	// that stands out. Both may be empty.
	MenuText, Badge string
	// Featured services are shown on the home page.
	Featured bool
	// Order is the place in every list of services, 1 first.
	Order int
	// Page is what its page shows in the place of the text: a head, sections and a closing, as JSON;
	// nil where the text is all.
	Page json.RawMessage
	Text
}

// Testimonial is what a patient said about the clinic.
type Testimonial struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Comment string `json:"comment"`
	// Rating is a number of stars, 0 to 5.
	Rating   int    `json:"rating"`
	Location string `json:"location"`
	// ImageURL is a path of the site; empty if there is no picture.
	ImageURL string `json:"imageUrl,omitempty"`
}

// Post is an article of the blog.
type Post struct {
	// Slug names the post in addresses.
	Slug  string
	Title string
	// Excerpt is one or two sentences.
	Excerpt string
	// ImageURL is a path of the site; empty if the post has no picture.
	ImageURL string
	// PublishedAt is from when on the site shows the post.
	PublishedAt time.Time
	Topics      []string
	Text
}

// Notice is what people are told of their data before they leave any.
type Notice struct {
	// Version names what it says: whoever agrees, agrees to that version. It is to be another one
	// with every change of what is promised.
	Version string
	Title   string
	// Description is one or two sentences.
	Description string
	Text
}

// Text is a long text: as the clinic writes it, and as the site shows it.
type Text struct {
	Markdown string
	// HTML is made of the Markdown when content is stored; empty before.
	HTML string
}

// Published are the posts that are published by an instant.
func (c Content) Published(now time.Time) []Post {
	return slices.DeleteFunc(slices.Clone(c.Posts), func(p Post) bool { return p.PublishedAt.After(now) })
}

// Featured are the services of the home page.
func (c Content) Featured() []Service {
	return slices.DeleteFunc(slices.Clone(c.Services), func(s Service) bool { return !s.Featured })
}

// sort puts everything in the order in which it is shown.
func (c Content) sort() {
	slices.SortStableFunc(c.Services, func(a, b Service) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Slug, b.Slug))
	})
	slices.SortStableFunc(c.Profiles, func(a, b Profile) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Slug, b.Slug))
	})
	slices.SortStableFunc(c.Posts, func(a, b Post) int {
		return cmp.Or(b.PublishedAt.Compare(a.PublishedAt), cmp.Compare(a.Slug, b.Slug))
	})
}

//go:embed content
var ownContent embed.FS

var defaultContent = sync.OnceValue(func() Content {
	own, err := fs.Sub(ownContent, "content")
	if err != nil {
		panic(err)
	}
	c, err := ReadContent(own, Content{})
	if err != nil {
		panic(err)
	}
	return c
})

// DefaultContent is the content that the project brings along, with which a new clinic
// begins.
func DefaultContent() Content {
	c := defaultContent()
	return Content{
		slices.Clone(c.Services), slices.Clone(c.Testimonials), slices.Clone(c.Posts), c.Notice, slices.Clone(c.Pages),
		slices.Clone(c.Profiles), slices.Clone(c.Answers), slices.Clone(c.Pictures),
	}
}

var (
	slugForm        = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	iconForm        = regexp.MustCompile(`^fa-[a-z0-9]+(-[a-z0-9]+)*$`)
	placeholderForm = regexp.MustCompile(`\{\{[^}]*\}\}`)
)

// Lengths, in runes, beyond which a text no longer fits where it is shown.
const (
	maxTitle    = 120
	maxSentence = 400
	maxTopic    = 40
	maxVersion  = 40
	maxMarkdown = 60_000
)

// longest are the lengths of texts by field; the others are titles.
var longest = map[string]int{
	"description": maxSentence, "excerpt": maxSentence, "bio": maxSentence, "pageDescription": maxSentence, "comment": 2 * maxSentence,
	"specialties": maxSentence, "training": maxSentence, "affiliations": maxSentence,
	"badge": maxTopic, topicsField: maxTopic, "version": maxVersion,
}

// maybeNone are the texts that a file may leave out.
var maybeNone = []string{imageField, "menuText", "badge", "service", "pageTitle", "pageDescription"}

// flawsOf is what is wrong with a document.
func flawsOf(d document) flaws {
	f := flawsOfHead(d.head())
	text := *d.markdown()
	switch d.(type) {
	case *Profile: // one without a text has no page
		if text == "" {
			return f
		}
	case *Notice: // the site leaves out a line that names an untold fact
		text = placeholderForm.ReplaceAllStringFunc(text, withoutOptional)
	}
	f.text("text", text, maxMarkdown)
	return f
}

func flawsOfHead(head []headField) (f flaws) {
	for _, field := range head {
		length := cmp.Or(longest[field.name], maxTitle)
		switch value := field.value.(type) {
		case *string:
			switch {
			case *value == "" && slices.Contains(maybeNone, field.name):
			case field.name == "service":
				f.slug(field.name, *value)
			case !f.formed(field.name, *value):
				f.text(field.name, *value, length)
			}
		case *[]string:
			for _, one := range *value {
				f.text(field.name, one, length)
			}
		case *int:
			if *value < 1 {
				f.report(field.name, "%d is not a place from 1 on", *value)
			}
		case *time.Time:
			if value.IsZero() {
				f.report(field.name, "is missing")
			}
		}
	}
	return f
}

// flaws gathers what is wrong.
type flaws []flaw

func (f *flaws) report(field, format string, args ...any) {
	*f = append(*f, flaw{Flaw{Field: field}, fmt.Sprintf(format, args...)})
}

func (f *flaws) slug(field, value string) {
	if !slugForm.MatchString(value) {
		f.report(field, "%q is not like diseno-sonrisa", value)
	}
}

func (f *flaws) text(field, value string, longest int) {
	length := 0
	for _, form := range FormsOfAddress {
		length = max(length, utf8.RuneCountInString(form.In(value)))
	}
	switch {
	case strings.TrimSpace(value) == "":
		f.report(field, "is empty")
		f.is(FlawEmpty, "")
	case length > longest:
		f.report(field, "has %d characters, at most %d fit", length, longest)
		f.is(FlawTooLong, strconv.Itoa(longest))
	}
	if brace := strings.IndexAny(addressed.ReplaceAllString(value, ""), "{}"); brace >= 0 {
		f.report(field, "has a brace that is of no fact like {{phones}} and of no pair like {puedes|puede}")
	}
	for _, name := range placeholderForm.FindAllString(value, -1) {
		if p, known := placeholders[name]; !known {
			f.report(field, "%s is no fact of the clinic%s", name, didYouMean(name, slices.Sorted(maps.Keys(placeholders))))
			f.is(FlawUnknownFact, name)
		} else if p.optional {
			f.report(field, "%s may not be told; only a text of a page, or that of an answer before ||, can name it", name)
		}
	}
}

// formed reports a text that has not the form of its field; ok is false for a field that has none.
func (f *flaws) formed(field, value string) (ok bool) {
	switch field {
	case slugField, idField, anchorField, slugsField:
		f.slug(field, value)
	case iconField:
		if !iconForm.MatchString(value) {
			f.report(field, "%q is not an icon class like fa-tooth", value)
		}
	case imageField:
		if path.Clean(value) != value || !strings.HasPrefix(value, "/") || strings.HasPrefix(value, "//") {
			f.report(field, "%q is not a path of the site like /images/x.webp", value)
		}
	case pathField:
		if !pathForm.MatchString(value) {
			f.report(field, "%q is not a page of the site like /services", value)
		}
	case languageField:
		if value != "es" && value != "en" {
			f.report(field, "%q is neither es nor en", value)
		}
	default:
		return false
	}
	return true
}

// different reports names that several pieces of content of one kind share.
func different[T any](kind string, all []T, name func(T) string) error {
	seen := map[string]bool{}
	var found []error
	for _, one := range all {
		if seen[name(one)] {
			found = append(found, fmt.Errorf("%s: %q is there twice", kind, name(one)))
		}
		seen[name(one)] = true
	}
	return errors.Join(found...)
}
