package clinic

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Files of a folder of content that are no content themselves.
const (
	// DocumentationFile describes the others.
	DocumentationFile = "README.md"
	// ExportedFile says what an export was made of.
	ExportedFile = "exported.json"
)

//go:embed content.md
var documentation string

// Documentation is the description of the format, for whoever edits the files of a folder.
func Documentation() []byte {
	var facts []string
	for _, f := range (Clinic{Phones: []Phone{""}}).TextFacts() {
		facts = append(facts, f.Name)
	}
	return []byte(strings.NewReplacer("{{facts}}", named(facts), "{{optional}}", named(OptionalPlaceholders())).Replace(documentation))
}

// named are placeholders as Markdown shows them.
func named(placeholders []string) string { return "`" + strings.Join(placeholders, "`, `") + "`" }

// folders are what content lies in, with the names that files there may have.
var folders = map[string]*regexp.Regexp{
	serviceFiles: regexp.MustCompile(`\.(md|json)$`), profileFiles: regexp.MustCompile(`\.md$`), postFiles: regexp.MustCompile(`\.md$`),
	answerFiles: regexp.MustCompile(`\.md$`), pageFiles: regexp.MustCompile(`\.json$`),
}

// Folders are those that content lies in.
func Folders() []string {
	return slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(folders)), PictureFolder)))
}

// strangers reports files that are no content: what is misspelt would be left out without a word.
// Files whose names begin with a dot belong to editors and version control.
func strangers(files fs.FS) error {
	var errs []error
	known := append([]string{testimonialFile, noticeFile, DocumentationFile, ExportedFile}, eachOf(pageNames(), pageFile)...)
	report := func(name, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: "+format, append([]any{name}, args...)...))
	}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		folder, base := path.Split(name)
		folder = strings.TrimSuffix(folder, "/")
		inFolder, isFolder := folders[folder]
		switch {
		case err != nil:
			return err
		case name == ".":
		case strings.HasPrefix(base, "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case name == PictureFolder:
			return fs.SkipDir // readPictures reports what has no place there
		case entry.IsDir():
			if _, ours := folders[name]; !ours {
				report(name+"/", "is no folder of content%s", didYouMean(name, Folders()))
				return fs.SkipDir
			}
		case slices.Contains(known, name):
		case folder == pageFiles || !isFolder:
			report(name, "is no file of content%s", didYouMean(name, known))
		case !inFolder.MatchString(base):
			report(name, "is no file of content; those of %s/ are named like x%s", folder, map[bool]string{true: ".md or x.json", false: ".md"}[folder == serviceFiles])
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no such folder")
	}
	return errors.Join(append(errs, err)...)
}

// irregular reports what is neither a file nor a folder: to read a pipe or a device need not end.
func irregular(files fs.FS) error {
	found := map[string]error{}
	// A folder may be a link, which is followed only where the walk begins.
	for _, root := range append(Folders(), ".") {
		_ = fs.WalkDir(files, root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || entry.Type().IsRegular() {
				return nil // strangers reports what cannot be listed
			}
			if info, err := fs.Stat(files, name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
				found[name] = fmt.Errorf("%s: is neither a file nor a folder", name)
			}
			return nil
		})
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(found)) {
		errs = append(errs, found[name])
	}
	return errors.Join(errs...)
}

// Kept are the parts of content of which a folder has nothing, so that they stay as they are.
func Kept(files fs.FS) []string {
	parts := eachOf(Folders(), func(name string) string { return name + "/" })
	if isThere(files, pageFiles) {
		parts = append(parts, eachOf(pageNames(), pageFile)...)
	}
	parts = append(parts, testimonialFile, noticeFile)
	return slices.DeleteFunc(parts, func(name string) bool { return isThere(files, strings.TrimSuffix(name, "/")) })
}

// Changes say what one content has that another one has not: files, and in files of many what is in
// them, as "testimonials.json: yariela".
type Changes struct{ Added, Changed, Removed []string }

// None says that there is no difference.
func (c Changes) None() bool { return len(c.Added)+len(c.Changed)+len(c.Removed) == 0 }

// ChangesTo is what becomes of a content when another one takes its place.
func (c Content) ChangesTo(to Content) Changes {
	before, after := c.pieces(), to.pieces()
	var found Changes
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if was, there := before[name]; !there {
			found.Added = append(found.Added, name)
		} else if !bytes.Equal(was, after[name]) {
			found.Changed = append(found.Changed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, there := after[name]; !there {
			found.Removed = append(found.Removed, name)
		}
	}
	return found
}

// OfTheDefault are the parts of a content in which the project's own clinic still tells of itself: of
// its people, its patients and its history, which are no other clinic's.
func (c Content) OfTheDefault() (parts []string) {
	standard, own := DefaultContent().pieces(), c.pieces()
	for _, name := range slices.Sorted(maps.Keys(own)) {
		folder, _ := path.Split(name)
		part, _, _ := strings.Cut(name, ": ")
		switch {
		case !bytes.Equal(own[name], standard[name]):
		case folder == profileFiles+"/":
			parts = append(parts, folder)
		case slices.Contains(aboutItself, part), bytes.Contains(own[name], quotesPatients):
			parts = append(parts, part)
		}
	}
	return slices.Compact(parts)
}

// aboutItself are the files in which a clinic tells of itself and its patients, beside [profileFiles].
var aboutItself = []string{pageFile("about"), pageFile("home"), testimonialFile}

// quotesPatients stands in the page of a service that quotes some.
var quotesPatients = []byte(`"kind": "testimonials"`)

// pieces are the smallest things that can come and go.
func (c Content) pieces() map[string][]byte {
	files := c.Files()
	delete(files, testimonialFile)
	for _, t := range c.Testimonials {
		files[testimonialFile+": "+t.ID] = jsonText(t, "")
	}
	for _, a := range c.Answers {
		name := path.Join(answerFiles, a.Topic+".md")
		delete(files, name)
		files[name+": "+a.Slug] = answerTexts([]Answer{a})[name]
	}
	delete(files, pictureTexts)
	for _, p := range c.Pictures {
		files[path.Join(PictureFolder, p.Name)] = jsonText(p, "")
	}
	return files
}

// Notes are what an author should know of a content that is right in itself: texts that nobody sees,
// and links that the site leaves out because they lead nowhere.
func (c Content) Notes() []string {
	var notes []string
	note := func(file, format string, args ...any) { notes = append(notes, file+": "+fmt.Sprintf(format, args...)) }
	standard := DefaultContent()
	for _, s := range c.Services {
		own, _ := serviceOf(standard.Services, s.Slug)
		if s.Page != nil && s.Markdown != own.Markdown {
			note(path.Join(serviceFiles, s.Slug+".md"), "its text is not shown, since the page shows %s.json; without that file it is", s.Slug)
		}
	}
	for _, p := range c.Profiles {
		if _, there := serviceOf(c.Services, p.Service); p.Service != "" && !there {
			note(path.Join(profileFiles, p.Slug+".md"), "there is no service %q; the link to it is left out", p.Service)
		}
	}
	for file, texts := range c.linking() {
		for _, address := range texts {
			if strings.HasPrefix(address, "//") {
				note(file, "the link to %s leads to another site; write https:%s", address, address)
			} else if !c.HasPage(address) {
				note(file, "there is no page %s; the link to it is left out", address)
			}
		}
	}
	for _, m := range c.unoffered() {
		note(m.file, "speaks of %q, and there is no service %q", m.words, m.service)
	}
	slices.Sort(notes)
	return slices.Compact(notes)
}

// linking are the addresses of the site to which texts lead, by file.
func (c Content) linking() map[string][]string {
	found := map[string][]string{}
	inText := func(file, markdown string) {
		for _, m := range linkForm.FindAllStringSubmatch(markdown, -1) {
			found[file] = append(found[file], m[1])
		}
	}
	for _, s := range c.Services {
		inText(path.Join(serviceFiles, s.Slug+".md"), s.Markdown)
	}
	for _, p := range c.Profiles {
		inText(path.Join(profileFiles, p.Slug+".md"), p.Markdown)
	}
	for _, p := range c.Posts {
		inText(path.Join(postFiles, p.Slug+".md"), p.Markdown)
	}
	inText(noticeFile, c.Notice.Markdown)
	menus := c.menus()
	file := pageFile(sitePage)
	for _, l := range append(slices.Clone(menus.Header.Nav), menus.Footer.QuickLinks.Links...) {
		found[file] = append(found[file], l.Path)
	}
	for _, slug := range menus.listed() {
		found[file] = append(found[file], "/services/"+slug)
	}
	return found
}

// linkForm is a link of Markdown to another page of the site.
var linkForm = regexp.MustCompile(`\]\((/[^)#?\s]*)[^)]*\)`)
