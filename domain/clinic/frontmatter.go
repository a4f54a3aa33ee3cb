package clinic

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// frontMatter is the head of a Markdown file: lines of "name: value" between two lines of
// "---", in the part of YAML that one-line values need.
type frontMatter struct {
	file   string
	values map[string]string
	lines  map[string]int
	body   string
	// bodyLine is the line on which the text begins.
	bodyLine int
	// known are the fields that were asked for.
	known []string
	// errs are the mistakes found so far.
	errs []error
}

const fence = "---"

func readFrontMatter(file, text string) *frontMatter {
	m := &frontMatter{file: file, values: map[string]string{}, lines: map[string]int{}}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if lines[0] != fence {
		m.report(1, errors.New(`begins with no line "---"`))
		return m
	}
	for i, line := range lines[1:] {
		number := i + 2
		if line == fence {
			body := strings.TrimLeft(strings.Join(lines[number:], "\n"), "\n")
			m.bodyLine = len(lines) - strings.Count(body, "\n")
			if m.body = strings.TrimRight(body, "\n"); m.body != "" {
				m.body += "\n"
			}
			return m
		}
		m.readLine(number, line)
	}
	m.report(len(lines), errors.New(`has no second line "---" that ends its head`))
	return m
}

func (m *frontMatter) readLine(number int, line string) {
	name, value, ok := strings.Cut(line, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
	case !ok || name == "":
		m.report(number, fmt.Errorf(`%q is not like "name: value"`, line))
	case m.lines[name] != 0:
		m.report(number, fmt.Errorf("%s: is there twice", name))
	default:
		m.values[name], m.lines[name] = value, number
	}
}

func (m *frontMatter) report(line int, err error) {
	m.errs = append(m.errs, fmt.Errorf("%s:%d: %w", m.file, line, err))
}

// take reads a value, if the file has it, and crosses it off.
func take[T any](m *frontMatter, name string, read func(string) (T, error)) T {
	m.known = append(m.known, name)
	value, there := m.values[name]
	delete(m.values, name)
	if !there || value == "" {
		var none T
		return none
	}
	v, err := read(value)
	if err != nil {
		m.report(m.lines[name], fmt.Errorf("%s: %w", name, err))
	}
	return v
}

func (m *frontMatter) text(name string) string       { return take(m, name, readText) }
func (m *frontMatter) number(name string) int        { return take(m, name, readNumber) }
func (m *frontMatter) flag(name string) bool         { return take(m, name, readFlag) }
func (m *frontMatter) list(name string) []string     { return take(m, name, readList) }
func (m *frontMatter) instant(name string) time.Time { return take(m, name, readInstant) }
func (m *frontMatter) complain(f flaw) {
	line := m.line(f.field)
	if before, _, found := strings.Cut(m.body, f.about); found && f.field == "text" {
		line += strings.Count(before, "\n")
	}
	m.report(line, fmt.Errorf("%s: %s", f.field, f.text))
}
func (m *frontMatter) line(field string) int {
	switch {
	case field == "text":
		return m.bodyLine
	case m.lines[field] != 0:
		return m.lines[field]
	default:
		return 1
	}
}

// finish gives all mistakes of the file: those of reading it, those of what it says, and
// names that mean nothing.
func (m *frontMatter) finish(found []flaw) error {
	for _, name := range slices.Sorted(maps.Keys(m.values)) {
		m.report(m.lines[name], fmt.Errorf("%s: is no field of such a file%s", name, didYouMean(name, m.known)))
	}
	// What cannot be read is not also reported as empty.
	if len(m.errs) == 0 {
		for _, f := range found {
			m.complain(f)
		}
	}
	return errors.Join(m.errs...)
}

func readText(value string) (string, error) {
	switch value[0] {
	case '"':
		var text string
		if err := json.Unmarshal([]byte(value), &text); err != nil {
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

func readNumber(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", value)
	}
	return n, nil
}

func readFlag(value string) (bool, error) {
	switch value {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", value)
}

func readList(value string) ([]string, error) {
	inner, opened := strings.CutPrefix(value, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !opened || !closed {
		return nil, fmt.Errorf("%q is not a list like [encías, prevención]", value)
	}
	var list []string
	// Quoted texts may have commas.
	if err := json.Unmarshal([]byte(value), &list); err == nil {
		return list, nil
	}
	list = nil
	for part := range strings.SplitSeq(inner, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		text, err := readText(part)
		if err != nil {
			return nil, err
		}
		list = append(list, text)
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
	return t, nil
}
