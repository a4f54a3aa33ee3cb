package eval

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"bitacora/domain/spelling"
)

// notation reads the files of the frozen sets, which testdata/frozen/README.md tells of.
type notation struct {
	// At is the moment of everything in the file.
	At time.Time
	// lets are the named patterns.
	lets map[string]string
}

// moment is how a file writes its now, in the business zone.
const moment = "2006-01-02T15:04"

// read gives each line that says something, but for those of the head, to a function.
func (n *notation) read(r io.Reader, zone *time.Location, line func(text string) error) error {
	n.lets = map[string]string{}
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		text := strings.TrimSpace(lines.Text())
		word, rest, _ := strings.Cut(text, " ")
		var err error
		switch {
		case text == "", word == "#", word == clinicOf:
		case word == "now":
			n.At, err = time.ParseInLocation(moment, rest, zone)
		case word == "let":
			name, pattern, _ := strings.Cut(rest, " ")
			n.lets["{"+name+"}"] = "(?:" + pattern + ")"
		default:
			err = line(text)
		}
		if err != nil {
			return fmt.Errorf("read line %d: %w", number, err)
		}
	}
	if n.At.IsZero() {
		return fmt.Errorf("the file has no line %q", "now "+moment)
	}
	return lines.Err()
}

// clinicOf begins the line of a head that names the file of another clinic than the default one.
const clinicOf = "clinic"

// ClinicOf is the file of the clinic that a set is about, as the set names it; empty for the default clinic.
func ClinicOf(set string) string {
	for line := range strings.Lines(set) {
		if name, ok := strings.CutPrefix(line, clinicOf+" "); ok {
			return strings.TrimSpace(name)
		}
	}
	return ""
}

// pattern reads a regular expression with the named ones in it.
func (n *notation) pattern(text string) (*regexp.Regexp, error) {
	for _, name := range slices.Sorted(maps.Keys(n.lets)) {
		text = strings.ReplaceAll(text, name, n.lets[name])
	}
	return regexp.Compile(text)
}

// demand is what a reply must say, and what it must not.
type demand struct{ has, lacks []*regexp.Regexp }

// take adds a line of a file to the demand; ok is false for a line that is none.
func (d *demand) take(n *notation, line string) (ok bool, err error) {
	sign, text, _ := strings.Cut(line, " ")
	if sign != "+" && sign != "-" {
		return false, nil
	}
	pattern, err := n.pattern(text)
	switch {
	case err != nil:
	case sign == "+":
		d.has = append(d.has, pattern)
	default:
		d.lacks = append(d.lacks, pattern)
	}
	return true, err
}

// breach is what a reply breaks of the demand; empty if it fulfils it.
func (d demand) breach(reply string) string {
	reply = folded(reply)
	for _, p := range d.has {
		if !p.MatchString(reply) {
			return "+ " + p.String()
		}
	}
	for _, p := range d.lacks {
		if found := p.FindString(reply); found != "" {
			return "- " + found
		}
	}
	return ""
}

// folded is a text without capitals and accents, on one line.
func folded(text string) string {
	return strings.Join(strings.Fields(spelling.Unaccented(text)), " ")
}
