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
	"slices"
	"strings"
)

// Mistake is something wrong with a clinic's file.
type Mistake struct {
	// Path says where, as in "doctors[0].days"; empty for the file as a whole.
	Path string `json:"path"`
	// Line counts from 1; 0 where the file says nothing about it.
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (m Mistake) Error() string {
	text := m.Text
	if m.Path != "" {
		text = m.Path + ": " + text
	}
	if m.Line > 0 {
		text = fmt.Sprintf("line %d: %s", m.Line, text)
	}
	return text
}

// Mistakes are all that is wrong with a clinic's file, in its order.
type Mistakes []Mistake

func (m Mistakes) Error() string {
	return strings.Join(eachOf(m, Mistake.Error), "\n")
}

// node is a value of a JSON text, and where it stands.
type node struct {
	path string
	line int
	// value is a text, a json.Number, a bool, nil, a list of nodes or an object.
	value any
}

type object map[string]*node

// comment is the name of fields that are for people alone.
const comment = "//"

// Bounds of a clinic's file; a file beyond them is refused.
const (
	maxSheet = 1 << 20
	maxDepth = 12
)

// sheet reads a JSON text, and gathers what is wrong with it.
type sheet struct {
	text     []byte
	decoder  *json.Decoder
	err      error // of the text as JSON
	counted  int   // bytes of text whose lines are in line
	line     int
	lines    map[string]int
	mistakes Mistakes
}

// readSheet reads a text that is one value.
func readSheet(r io.Reader) (*sheet, *node, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSheet+1))
	if err != nil {
		return nil, nil, fmt.Errorf("read the clinic's facts: %w", err)
	}
	s := &sheet{text: text, line: 1, lines: map[string]int{}, decoder: json.NewDecoder(bytes.NewReader(text))}
	s.decoder.UseNumber()
	if len(text) > maxSheet {
		return nil, nil, Mistakes{{Text: fmt.Sprintf("has more than %d bytes", maxSheet)}}
	}
	root := s.read("", 0)
	if s.err == nil {
		if s.token(); errors.Is(s.err, io.EOF) {
			return s, root, nil
		}
		s.err = errors.New("goes on after its end")
	}
	if errors.Is(s.err, io.EOF) || errors.Is(s.err, io.ErrUnexpectedEOF) {
		s.err = errors.New("ends too early")
	}
	return nil, nil, append(s.mistakes, Mistake{Line: s.here(), Text: s.err.Error()})
}

// readJSON reads a JSON file of content, and gives it without white space. The function takes its value
// over, and reports what is wrong with it.
func readJSON(files fs.FS, name string, take func(*sheet, *node)) (json.RawMessage, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("read content: %w", err)
	}
	s, root, err := readSheet(bytes.NewReader(text))
	if err != nil {
		return nil, inFile(name, err)
	}
	if take(s, root); len(s.mistakes) > 0 {
		return nil, inFile(name, s.mistakes)
	}
	var b bytes.Buffer
	err = json.Compact(&b, text)
	return b.Bytes(), err
}

// inFile says of mistakes in which file they are.
func inFile(name string, err error) error {
	mistakes, ok := err.(Mistakes)
	if !ok {
		return fmt.Errorf("%s: %w", name, err)
	}
	slices.SortStableFunc(mistakes, func(a, b Mistake) int { return a.Line - b.Line })
	return errors.New(strings.Join(eachOf(mistakes, func(m Mistake) string {
		line := max(m.Line, 1)
		m.Line = 0
		return fmt.Sprintf("%s:%d: %s", name, line, m.Error())
	}), "\n"))
}

// here is the line of what comes next.
func (s *sheet) here() int {
	offset := int(s.decoder.InputOffset())
	next := len(s.text) - len(bytes.TrimLeft(s.text[offset:], " \t\r\n,:"))
	s.line += bytes.Count(s.text[min(s.counted, next):next], []byte("\n"))
	s.counted = max(s.counted, next)
	return s.line
}

// token is what comes next; nil after an error, which stays.
func (s *sheet) token() (token json.Token) {
	if s.err == nil {
		token, s.err = s.decoder.Token()
	}
	return token
}

func (s *sheet) more() bool { return s.err == nil && s.decoder.More() }

func (s *sheet) read(path string, depth int) *node {
	n := &node{path: path, line: s.here()}
	s.lines[path] = n.line
	if depth > maxDepth {
		s.err = cmp.Or(s.err, errors.New("is nested too deeply"))
	}
	switch token := s.token(); token {
	case json.Delim('{'):
		all := object{}
		for s.more() {
			line := s.here()
			name, _ := s.token().(string)
			one := s.read(inPath(path, name), depth+1)
			if all[name] != nil && name != comment {
				s.mistakes = append(s.mistakes, Mistake{one.path, line, "is there twice"})
			}
			all[name] = one
		}
		s.token()
		n.value = all
	case json.Delim('['):
		all := []*node{}
		for s.more() {
			all = append(all, s.read(fmt.Sprintf("%s[%d]", path, len(all)), depth+1))
		}
		s.token()
		n.value = all
	default:
		n.value = token
	}
	return n
}

func inPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (s *sheet) report(n *node, format string, args ...any) {
	s.mistakes = append(s.mistakes, Mistake{n.path, n.line, fmt.Sprintf(format, args...)})
}

// reportFlaws reports what is wrong with what stands at a path, but for what could not be read.
func (s *sheet) reportFlaws(path string, found []flaw) {
	unread := s.mistakes
	for _, f := range found {
		at := inPath(path, f.Field)
		parent, _, _ := strings.Cut(at, ".")
		if !slices.ContainsFunc(unread, func(m Mistake) bool { return m.Path == at || m.Path == path }) {
			s.mistakes = append(s.mistakes, Mistake{at, cmp.Or(s.lines[at], s.lines[parent]), f.text})
		}
	}
}

// entries reads an object whose fields have any name.
func (s *sheet) entries(n *node, like string, read func(name string, n *node)) {
	all, isObject := n.value.(object)
	if !isObject {
		s.report(n, "is no object like %s", like)
	}
	for _, name := range inOrder(all) {
		if name != comment {
			read(name, all[name])
		}
	}
}

// fields reads an object by the fields that it may have.
func (s *sheet) fields(n *node, known map[string]func(*node)) {
	names := slices.Sorted(maps.Keys(known))
	s.entries(n, fmt.Sprintf(`{"%s": …}`, names[0]), func(name string, one *node) {
		if read, ok := known[name]; ok {
			read(one)
		} else {
			s.report(one, "is no field%s", didYouMean(name, names))
		}
	})
}

// unlessNull are readers of fields of which null says nothing.
func unlessNull(known map[string]func(*node)) map[string]func(*node) {
	for name, read := range known {
		known[name] = func(n *node) {
			if n.value != nil {
				read(n)
			}
		}
	}
	return known
}

// inOrder are the names of an object's fields, as they stand in the file.
func inOrder(all object) []string {
	names := slices.Sorted(maps.Keys(all))
	slices.SortStableFunc(names, func(a, b string) int { return all[a].line - all[b].line })
	return names
}

// list reads each element of a list.
func (s *sheet) list(n *node, each func(*node)) {
	all, isList := n.value.([]*node)
	if !isList {
		s.report(n, "is no list like […]")
	}
	for _, one := range all {
		each(one)
	}
}

// anyText gives a reader of any text.
func (s *sheet) anyText(target *string) func(*node) {
	return func(n *node) {
		var isText bool
		if *target, isText = n.value.(string); !isText {
			s.report(n, `is no text like "…"`)
		}
	}
}

// words gives a text of one line that says something, of at most so many characters.
func (s *sheet) words(n *node, longest int) string {
	text, isText := n.value.(string)
	switch length := len([]rune(text)); {
	case !isText:
		s.report(n, `is no text like "…"`)
		return ""
	case strings.TrimSpace(text) == "":
		s.report(n, "is empty; leave it out if it is not known")
	case length > longest:
		s.report(n, "has %d characters, at most %d fit", length, longest)
	case line(text) != text || strings.ContainsAny(text, "{}|<>"):
		s.report(n, "%q has line breaks, double spaces, invisible signs or one of {}|<>", text)
	}
	return text
}

// into gives a reader of words.
func (s *sheet) into(target *string, longest int) func(*node) {
	return func(n *node) { *target = s.words(n, longest) }
}

// texts gives a list of words without repetitions.
func (s *sheet) texts(n *node) []string {
	all := []string{}
	s.list(n, func(one *node) {
		text := s.words(one, longestName)
		if slices.Contains(all, text) {
			s.report(one, "%q is there twice", text)
		}
		all = append(all, text)
	})
	return all
}

// whole gives a whole number within bounds.
func (s *sheet) whole(n *node, least, most int) int {
	number, isNumber := n.value.(json.Number)
	value, err := number.Int64()
	if !isNumber || err != nil || value < int64(least) || value > int64(most) {
		s.report(n, "is no whole number from %d to %d", least, most)
		return least
	}
	return int(value)
}

// didYouMean names the known name that is nearest to one that is not.
func didYouMean(name string, known []string) string {
	nearest, least := "", max(2, len(name)/3)+1
	for _, candidate := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d < least {
			nearest, least = candidate, d
		}
	}
	if nearest == "" {
		return "; the known ones are " + strings.Join(known, ", ")
	}
	return "; did you mean " + nearest + "?"
}

// distance is how many letters have to be changed, added or left out to make one word of another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
