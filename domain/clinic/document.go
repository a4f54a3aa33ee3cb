package clinic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"bitacora/domain/fault"
)

// document is a piece of content that lies in a Markdown file: a head of lines "name: value" between
// two lines "---", and a text.
type document interface {
	head() []headField
	markdown() *string
}

// headField is a field of a head: its name, and a pointer to a string, an int, a bool, a []string or
// a [time.Time].
type headField struct {
	name  string
	value any
}

func (s *Service) head() []headField {
	return []headField{
		{"title", &s.Title}, {slugField, &s.Slug}, {"description", &s.Description}, {iconField, &s.Icon}, {imageField, &s.ImageURL},
		{"specialty", &s.Specialty}, {"menuText", &s.MenuText}, {"badge", &s.Badge}, {"featured", &s.Featured}, {"order", &s.Order},
	}
}

func (p *Profile) head() []headField {
	return []headField{
		{"name", &p.Name}, {slugField, &p.Slug}, {"title", &p.Title}, {"specialty", &p.Specialty}, {"bio", &p.Bio}, {"order", &p.Order},
		{"specialties", &p.Specialties}, {"training", &p.Training}, {"affiliations", &p.Affiliations}, {"service", &p.Service},
		{"pageTitle", &p.PageTitle}, {"pageDescription", &p.PageDescription},
	}
}

func (p *Post) head() []headField {
	return []headField{
		{"title", &p.Title}, {slugField, &p.Slug}, {"excerpt", &p.Excerpt}, {imageField, &p.ImageURL},
		{"publishedAt", &p.PublishedAt}, {topicsField, &p.Topics},
	}
}

func (n *Notice) head() []headField {
	return []headField{{"title", &n.Title}, {"version", &n.Version}, {"description", &n.Description}}
}

func (t *Testimonial) head() []headField {
	return []headField{{idField, &t.ID}, {"name", &t.Name}, {"comment", &t.Comment}, {"location", &t.Location}, {imageField, &t.ImageURL}}
}

func (t *Text) markdown() *string { return &t.Markdown }

const (
	fence       = "---"
	topicsField = "topics"
)

// readFolder reads the Markdown files of a folder, if it is there.
func readFolder[T any, D interface {
	*T
	document
}](files fs.FS, folder string, all *[]T) (err error) {
	if !isThere(files, folder) {
		return nil
	}
	*all = nil
	for _, name := range filesLike(files, folder+"/*.md") {
		var one T
		err = errors.Join(err, readDocument(files, name, D(&one)))
		*all = append(*all, one)
	}
	return err
}

// readDocument reads a Markdown file. A file with a slug is named for it.
func readDocument(files fs.FS, name string, d document) error {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		return fmt.Errorf("read content: %w", err)
	}
	lines := strings.Split(strings.ReplaceAll(string(content), "\r\n", "\n"), "\n")
	if lines[0] != fence {
		return fmt.Errorf(`%s:1: begins with no line "---"`, name)
	}
	head, below := lines[1:], []string(nil)
	end := slices.Index(head, fence)
	if end >= 0 {
		head, below = head[:end], head[end+1:]
	}
	at, errs := readHead(name, head, d.head())
	if end < 0 {
		errs = append(errs, fmt.Errorf(`%s:%d: has no second line "---" that ends its head`, name, len(lines)))
	}
	body := strings.TrimLeft(strings.Join(below, "\n"), "\n")
	at["text"] = len(lines) - strings.Count(body, "\n")
	if body = strings.TrimRight(body, "\n"); body != "" {
		body += "\n"
	}
	*d.markdown() = body
	if len(errs) > 0 {
		// What cannot be read is not also reported as empty.
		return errors.Join(errs...)
	}
	found := flawsOf(d)
	for _, f := range d.head() {
		if slug, _ := f.value.(*string); f.name == slugField && *slug+".md" != path.Base(name) {
			found.report(slugField, "belongs into a file named %s.md", *slug)
		}
	}
	for _, f := range found {
		line := max(at[f.Field], 1)
		if before, _, found := strings.Cut(body, f.About); found && f.Field == "text" {
			line += strings.Count(before, "\n")
		}
		errs = append(errs, fmt.Errorf("%s:%d: %w", name, line, f))
	}
	return errors.Join(errs...)
}

// readHead reads lines from the second one of a file on, and says on which line each field stands.
func readHead(file string, lines []string, head []headField) (at map[string]int, errs []error) {
	at = map[string]int{}
	known := eachOf(head, func(f headField) string { return f.name })
	for i, line := range lines {
		name, value, isField := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		field := slices.Index(known, name)
		var err error
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
			continue
		case !isField || name == "":
			err = fmt.Errorf(`%q is not like "name: value"`, line)
		case at[name] != 0:
			err = fmt.Errorf("%s: is there twice", name)
		case field < 0:
			err = fmt.Errorf("%s: is no field of such a file%s", name, didYouMean(name, known))
		case value != "":
			err = head[field].read(value)
		}
		if at[name] = i + 2; err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", file, i+2, err))
		}
	}
	return at, errs
}

func (f headField) read(value string) (err error) {
	switch target := f.value.(type) {
	case *string:
		*target, err = readText(value)
	case *int:
		if *target, err = strconv.Atoi(value); err != nil {
			err = fmt.Errorf("%q is not a whole number", value)
		}
	case *bool:
		*target, err = readFlag(value)
	case *[]string:
		*target, err = readList(value)
	case *time.Time:
		*target, err = readInstant(value)
	}
	return fault.Wrap(err, f.name)
}

func readText(value string) (text string, err error) {
	switch value[0] {
	case '"':
		if json.Unmarshal([]byte(value), &text) != nil {
			return "", errors.New(`is not a text in "…" on one line`)
		}
		return text, nil
	case '\'':
		inner, ok := strings.CutSuffix(value[1:], "'")
		if !ok {
			return "", errors.New("is not a text in '…' on one line")
		}
		return strings.ReplaceAll(inner, "''", "'"), nil
	case '|', '>', '[', '{', '&', '*', '!', '%', '@', '`':
		return "", fmt.Errorf(`put what begins with %q into "…"`, value[0])
	}
	if strings.Contains(value, ": ") || strings.Contains(value, " #") {
		return "", errors.New(`put what contains ": " or " #" into "…"`)
	}
	return value, nil
}

func readFlag(value string) (bool, error) {
	if value != "true" && value != "false" {
		return false, fmt.Errorf("%q is neither true nor false", value)
	}
	return value == "true", nil
}

func readList(value string) (list []string, err error) {
	if !strings.HasPrefix(value, "[") || !strings.HasSuffix(value, "]") {
		return nil, fmt.Errorf("%q is not a list like [encías, prevención]", value)
	}
	// Quoted texts may have commas.
	if json.Unmarshal([]byte(value), &list) == nil {
		return list, nil
	}
	list = nil
	for part := range strings.SplitSeq(value[1:len(value)-1], ",") {
		if part = strings.TrimSpace(part); part != "" {
			text, err := readText(part)
			if err != nil {
				return nil, err
			}
			list = append(list, text)
		}
	}
	return list, nil
}

func readInstant(value string) (time.Time, error) {
	text, err := readText(value)
	if err != nil {
		return time.Time{}, err
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, fmt.Errorf("%q is not an instant like 2026-11-03T09:00:00-05:00", text)
	}
	return t.UTC(), nil
}

// written is a document as its file, without the fields that say nothing.
func written(d document) []byte {
	var b bytes.Buffer
	b.WriteString(fence + "\n")
	for _, f := range d.head() {
		if value := f.String(); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", f.name, value)
		}
	}
	b.WriteString(fence + "\n" + *d.markdown())
	return b.Bytes()
}

// unquoted are the fields whose texts are words of the site, and need no quotes.
var unquoted = []string{slugField, iconField, imageField, "service"}

// String is the value as it is written; empty where it says nothing.
func (f headField) String() string {
	switch value := f.value.(type) {
	case *string:
		if *value == "" || slices.Contains(unquoted, f.name) {
			return *value
		}
	case *[]string:
		if len(*value) == 0 && f.name != topicsField {
			return ""
		}
		return "[" + strings.Join(eachOf(*value, func(text string) string { return onOneLine(text) }), ", ") + "]"
	case *time.Time:
		return onOneLine(value.Format(time.RFC3339))
	}
	return onOneLine(f.value)
}

// onOneLine is a text, a number or a flag as JSON.
func onOneLine(value any) string { return strings.TrimSuffix(string(jsonText(value, "")), "\n") }
