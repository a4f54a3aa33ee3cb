package clinic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	counted  int // bytes of text whose lines are in line
	line     int
	lines    map[string]int
	mistakes Mistakes
}

// readSheet reads a text that is one object.
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
	root, err := s.read("", 0)
	if err == nil {
		if _, isObject := root.value.(object); !isObject {
			err = errors.New(`is no JSON object, which begins with "{"`)
		} else if _, more := s.decoder.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("goes on after its end")
		}
	}
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("ends too early")
		}
		return nil, nil, Mistakes(append(s.mistakes, Mistake{Line: s.here(), Text: err.Error()}))
	}
	return s, root, nil
}

// here is the line of what comes next.
func (s *sheet) here() int {
	offset := int(s.decoder.InputOffset())
	next := len(s.text) - len(bytes.TrimLeft(s.text[offset:], " \t\r\n,:"))
	s.line += bytes.Count(s.text[min(s.counted, next):next], []byte("\n"))
	s.counted = max(s.counted, next)
	return s.line
}

func (s *sheet) read(path string, depth int) (*node, error) {
	n := &node{path: path, line: s.here()}
	s.lines[path] = n.line
	if depth > maxDepth {
		return nil, errors.New("is nested too deeply")
	}
	token, err := s.decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		n.value, err = s.readObject(path, depth)
	case json.Delim('['):
		n.value, err = s.readList(path, depth)
	default:
		n.value = token
	}
	return n, err
}

func (s *sheet) readObject(path string, depth int) (object, error) {
	all := object{}
	for s.decoder.More() {
		line := s.here()
		token, err := s.decoder.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		one, err := s.read(inPath(path, name), depth+1)
		if err != nil {
			return nil, err
		}
		if _, twice := all[name]; twice && name != comment {
			s.mistakes = append(s.mistakes, Mistake{one.path, line, "is there twice"})
		}
		all[name] = one
	}
	_, err := s.decoder.Token()
	return all, err
}

func (s *sheet) readList(path string, depth int) ([]*node, error) {
	all := []*node{}
	for s.decoder.More() {
		one, err := s.read(fmt.Sprintf("%s[%d]", path, len(all)), depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	_, err := s.decoder.Token()
	return all, err
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

// reportAt reports what is wrong with what stands at a path, or should.
func (s *sheet) reportAt(path, text string) {
	line := s.lines[path]
	if line == 0 {
		parent, _, _ := strings.Cut(path, ".")
		line = s.lines[parent]
	}
	s.mistakes = append(s.mistakes, Mistake{path, line, text})
}

// fields reads an object by the fields that it may have.
func (s *sheet) fields(n *node, known map[string]func(*node)) {
	all, isObject := n.value.(object)
	if !isObject {
		s.report(n, `is no object like {"%s": …}`, slices.Sorted(maps.Keys(known))[0])
		return
	}
	for _, name := range inOrder(all) {
		if read, ok := known[name]; ok {
			read(all[name])
		} else if name != comment {
			s.report(all[name], "is no field%s", didYouMean(name, slices.Sorted(maps.Keys(known))))
		}
	}
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
func (s *sheet) texts(n *node, longest int) []string {
	all := []string{}
	s.list(n, func(one *node) {
		text := s.words(one, longest)
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
