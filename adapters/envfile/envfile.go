// Package envfile reads and writes files of settings, NAME=value a line. It takes only what systemd's
// EnvironmentFile=, Compose's env_file and this program read in the same way, so that one file serves all.
package envfile

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"bitacora/domain/fault"
)

// Setting is a value that a file sets.
type Setting struct {
	Name, Value string
	// Line is the number of its line, from 1.
	Line int
}

// Mistake is a line that sets nothing. Its reason repeats nothing of the line, which may hold a secret.
type Mistake struct {
	Line   int
	Reason string
}

func (m Mistake) Error() string { return fmt.Sprintf("%d: %s", m.Line, m.Reason) }

// maxLine bounds the length of a line, in bytes.
const maxLine = 1 << 20

var (
	named = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)
	// alike are the values of which nobody expands a variable, ends at a comment, or drops a backslash.
	alike = regexp.MustCompile("^(?:([^'\"#$\\\\`]*)|'([^']*[^'\\\\]|)'|\"((?:[^\"$\\\\`]|\\\\[\"$\\\\`])*)\")$")
	// bare is what a shell takes without quotes, too.
	bare = regexp.MustCompile(`^[A-Za-z0-9_.,:/@%+=-]*$`)
	// escaped are the characters that a backslash protects between double quotes.
	escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`")
	escape  = regexp.MustCompile(`\\(.)`)
)

// Parse reads a file, and goes on after a mistake, to report them all. The same name may come twice:
// that is for the caller to judge.
func Parse(r io.Reader) (list []Setting, mistakes []Mistake, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		text := lines.Text()
		if n == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' || text[0] == ';' {
			continue
		}
		name, value, reason := parseLine(text)
		if reason != "" {
			mistakes = append(mistakes, Mistake{n, reason})
			continue
		}
		list = append(list, Setting{name, value, n})
	}
	err = lines.Err()
	return list, mistakes, fault.Wrap(err, "read settings")
}

func parseLine(text string) (name, value, reason string) {
	parts := named.FindStringSubmatch(text)
	switch {
	case !utf8.ValidString(text) || strings.ContainsFunc(text, isControl):
		return "", "", "is no text in UTF-8"
	case parts == nil:
		return "", "", "is no NAME=value, without spaces around the sign, and no comment, which begins with #"
	}
	forms := alike.FindStringSubmatch(strings.TrimSpace(parts[2]))
	if forms == nil {
		return "", "", parts[1] + ": put 'single quotes' around a value with a quote, #, $, ` or backslash; a comment has a line of its own"
	}
	return parts[1], cmp.Or(forms[1], forms[2], escape.ReplaceAllString(forms[3], "$1")), ""
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\t' }

// ErrControl is what no line can hold.
var ErrControl = errors.New("has a line break or another control character")

// Line sets a value, quoted where it has to be.
func Line(name, value string) (string, error) {
	switch {
	case !utf8.ValidString(value) || strings.ContainsFunc(value, unicode.IsControl):
		return "", fmt.Errorf("%s: %w", name, ErrControl)
	case bare.MatchString(value):
	case !strings.Contains(value, "'") && !strings.HasSuffix(value, `\`):
		value = "'" + value + "'"
	default:
		value = `"` + escaped.Replace(value) + `"`
	}
	return name + "=" + value, nil
}
