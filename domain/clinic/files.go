package clinic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
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
	if err := irregular(files); err != nil {
		return Content{}, err
	}
	c := base
	errs := []error{strangers(files), readFolder(files, serviceFiles, &c.Services)}
	errs = append(errs, readServicePages(files, c.Services), readFolder(files, profileFiles, &c.Profiles),
		readFolder(files, postFiles, &c.Posts), readTestimonials(files, &c.Testimonials))
	if isThere(files, noticeFile) {
		c.Notice = Notice{}
		errs = append(errs, readDocument(files, noticeFile, &c.Notice))
	}
	serviceLines, err := readAnswers(files, &c.Answers)
	errs = append(errs, err, readPages(files, &c.Pages))
	if err := errors.Join(errs...); err != nil {
		return Content{}, err
	}
	if err := errors.Join(c.fits(), ofServices(c.Answers, c.Services, serviceLines)); err != nil {
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

// filesLike are the files whose names match a pattern, in order.
func filesLike(files fs.FS, pattern string) []string {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		panic(err) // only a wrong pattern is an error
	}
	return names
}

// readTestimonials reads testimonials.json, if it is there.
func readTestimonials(files fs.FS, all *[]Testimonial) error {
	if !isThere(files, testimonialFile) {
		return nil
	}
	*all = nil
	_, err := readJSON(files, testimonialFile, func(s *sheet, root *node) {
		s.list(root, func(n *node) {
			var t Testimonial
			known := map[string]func(*node){"rating": func(n *node) { t.Rating = s.whole(n, 0, 5) }}
			for _, f := range t.head() {
				known[f.name] = s.anyText(f.value.(*string))
			}
			s.fields(n, unlessNull(known))
			s.reportFlaws(n.path, flawsOfHead(t.head()))
			*all = append(*all, t)
		})
	})
	return err
}

// Files is content as the files that [ReadContent] reads, by path, without the pictures themselves.
func (c Content) Files() map[string][]byte {
	files := answerTexts(c.Answers)
	for _, s := range c.Services {
		files[path.Join(serviceFiles, s.Slug+".md")] = written(&s)
		if s.Page != nil {
			files[path.Join(serviceFiles, s.Slug+".json")] = jsonText(s.Page, "  ")
		}
	}
	for _, p := range c.Profiles {
		files[path.Join(profileFiles, p.Slug+".md")] = written(&p)
	}
	for _, p := range c.Pages {
		files[pageFile(p.Name)] = jsonText(p.Texts, "  ")
	}
	for _, p := range c.Posts {
		files[path.Join(postFiles, p.Slug+".md")] = written(&p)
	}
	files[noticeFile] = written(&c.Notice)
	files[testimonialFile] = jsonText(append([]Testimonial{}, c.Testimonials...), "  ")
	if len(c.Pictures) > 0 {
		files[pictureTexts] = jsonText(toldOf(c.Pictures), "  ")
	}
	return files
}

// jsonText is a part of content as JSON with an end of line, as people edit it where there is an indent.
func jsonText(v any, indent string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		panic(err) // content has texts, numbers and what was read as JSON
	}
	return b.Bytes()
}
