package clinic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Page is the texts of one page of the site, or of what surrounds all of them: JSON of the shape that
// the project's own file has. A field "//" is a comment.
type Page struct {
	// Name is that of its file: home, about, site and so on.
	Name  string
	Texts json.RawMessage
}

const (
	pageFiles = "pages"
	// slugsField is a list of services.
	slugsField = "slugs"
)

// pathForm is an address of the site, of which search and parts of a page are no part.
var pathForm = regexp.MustCompile(`^/([a-z0-9]+(-[a-z0-9]+)*(/[a-z0-9]+(-[a-z0-9]+)*)*)?$`)

// shapes are those of the files of texts: of each page by its name, and of a service's own page.
var shapes = sync.OnceValue(func() (all struct {
	pages   map[string]*shape
	service *shape
}) {
	nodes := func(folder string) map[string]*node {
		found := map[string]*node{}
		for _, name := range filesLike(ownContent, "content/"+folder+"/*.json") {
			take := func(_ *sheet, root *node) { found[strings.TrimSuffix(path.Base(name), ".json")] = root }
			if _, err := readJSON(ownContent, name, take); err != nil {
				panic(err)
			}
		}
		return found
	}
	all.pages = map[string]*shape{}
	for name, root := range nodes(pageFiles) {
		all.pages[name] = shapeOf(root)
	}
	all.service = shapeOf(slices.Collect(maps.Values(nodes(serviceFiles)))...)
	return all
})

// pageNames are the names of all pages with texts, in order.
func pageNames() []string { return slices.Sorted(maps.Keys(shapes().pages)) }

func pageFile(name string) string { return path.Join(pageFiles, name+".json") }

// readPages reads pages/<name>.json. A page without a file keeps the texts that it had.
func readPages(files fs.FS, pages *[]Page) (err error) {
	had := *pages
	*pages = nil
	for _, name := range pageNames() {
		file := pageFile(name)
		page, ok := pageOf(had, name)
		if isThere(files, file) {
			texts, wrong := readJSON(files, file, func(s *sheet, root *node) { shapes().pages[name].check(s, root, "") })
			page, err = Page{name, texts}, errors.Join(err, wrong)
		} else if !ok {
			err = errors.Join(err, fmt.Errorf("%s: is missing", file))
		}
		*pages = append(*pages, page)
	}
	return err
}

// readServicePages reads services/<slug>.json, which services have that show more than one text.
func readServicePages(files fs.FS, services []Service) (err error) {
	for _, name := range filesLike(files, serviceFiles+"/*.json") {
		slug := strings.TrimSuffix(path.Base(name), ".json")
		i := slices.IndexFunc(services, func(s Service) bool { return s.Slug == slug })
		if i < 0 {
			err = errors.Join(err, fmt.Errorf("%s:1: there is no %s/%s.md, the service that it is the page of", name, serviceFiles, slug))
			continue
		}
		texts, wrong := readJSON(files, name, func(s *sheet, root *node) {
			if shapes().service.check(s, root, ""); len(s.mistakes) == 0 {
				checkSections(s, root.value.(object))
			}
		})
		services[i].Page, err = texts, errors.Join(err, wrong)
	}
	return err
}

// checkSections reports ids of sections that are there twice, and a link to one that is not there.
func checkSections(s *sheet, fields object) {
	ids := map[any]bool{}
	for _, section := range fields["sections"].value.([]*node) {
		id := section.value.(object)[idField]
		if ids[id.value] {
			s.report(id, "%q is there twice", id.value)
		}
		ids[id.value] = true
	}
	hero := fields["hero"].value.(object)
	if anchor, ok := hero[anchorField]; ok && !ids[anchor.value] {
		s.report(anchor, "no section has the id %q", anchor.value)
	} else if ok != (hero["process"] != nil) {
		s.report(fields["hero"], "process and %s are there together or not at all", anchorField)
	}
}

func pageOf(pages []Page, name string) (Page, bool) {
	return find(pages, func(p Page) bool { return p.Name == name })
}

// Completed is content that an older version of the project stored, with what it did not know: the
// pages, their newer texts, and, before it had any, the people, the services' own pages and, older still,
// the answers. Who has stored pages and no answers wants none.
func (c Content) Completed() Content {
	standard := DefaultContent()
	if len(c.Pages) == 0 {
		c.Pages, c.Profiles = standard.Pages, standard.Profiles
		if len(c.Answers) == 0 {
			c.Answers = standard.Answers
		}
		c.Services = slices.Clone(c.Services)
		for i, s := range c.Services {
			if own, ok := serviceOf(standard.Services, s.Slug); ok {
				c.Services[i].Page, c.Services[i].MenuText, c.Services[i].Badge = own.Page, own.MenuText, own.Badge
			}
		}
		return c
	}
	pages := make([]Page, len(standard.Pages))
	for i, own := range standard.Pages {
		pages[i] = own
		if stored, ok := pageOf(c.Pages, own.Name); ok {
			pages[i].Texts = completedTexts(stored.Texts, own.Texts, shapes().pages[own.Name])
		}
	}
	c.Pages = pages
	return c
}

// completedTexts leaves what lacks nothing as it is.
func completedTexts(stored, standard json.RawMessage, of *shape) json.RawMessage {
	var value, again, own any
	if json.Unmarshal(stored, &value) != nil || json.Unmarshal(stored, &again) != nil || json.Unmarshal(standard, &own) != nil {
		return standard
	}
	if after := jsonText(of.completed(again, own), ""); !bytes.Equal(jsonText(value, ""), after) {
		return bytes.TrimSpace(after)
	}
	return stored
}

func serviceOf(all []Service, slug string) (Service, bool) {
	return find(all, func(s Service) bool { return s.Slug == slug })
}

// find is the first one that is looked for.
func find[T any](all []T, is func(T) bool) (one T, ok bool) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i], true
	}
	return one, false
}

// Texts is a page's texts, or nil, in the clinic's words: see [Clinic.FillFirst]. A list goes without the
// entries of which the clinic does not tell what they name. What the site itself puts in ({{title}}) is left.
func (c Clinic) Texts(texts json.RawMessage) any {
	var value any
	if json.Unmarshal(texts, &value) != nil {
		return nil
	}
	told, _ := c.fillAll(value)
	return told
}

// fillAll fills the texts in a value, and says whether one of them, not counting those in lists, names
// nothing that is told.
func (c Clinic) fillAll(value any) (filled any, untold bool) {
	switch value := value.(type) {
	case string:
		text := c.FillFirst(value)
		return text, text == "" && value != ""
	case []any:
		told := make([]any, 0, len(value))
		for _, one := range value {
			if one, untold := c.fillAll(one); !untold {
				told = append(told, one)
			}
		}
		return told, false
	case map[string]any:
		delete(value, comment)
		for name, one := range value {
			one, nothing := c.fillAll(one)
			value[name], untold = one, untold || nothing
		}
	}
	return value, untold
}

// PageTexts are the texts of a page by its name, in the clinic's words.
func (c Content) PageTexts(facts Clinic, name string) map[string]any {
	page, _ := pageOf(c.Pages, name)
	texts, _ := facts.Texts(page.Texts).(map[string]any)
	return texts
}
