package privacy

import (
	"bufio"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sample is a message in which what is personal is marked.
type sample struct {
	text  string
	spans []marked
}

type marked struct {
	kind     string
	from, to int
}

var marks = regexp.MustCompile(`\{(phone|email|document|name) ([^}]*)\}`)

// samples reads a file of the corpus; contacts.txt tells its notation.
func samples(t testing.TB, name string) []sample {
	t.Helper()
	f, err := os.Open("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []sample
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		message, err := strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, readSample(message))
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func readSample(message string) sample {
	var s sample
	var b strings.Builder
	last := 0
	for _, at := range marks.FindAllStringSubmatchIndex(message, -1) {
		b.WriteString(message[last:at[0]])
		from := b.Len()
		b.WriteString(message[at[4]:at[5]])
		s.spans = append(s.spans, marked{message[at[2]:at[3]], from, b.Len()})
		last = at[1]
	}
	b.WriteString(message[last:])
	s.text = b.String()
	return s
}

// figures is how well one kind is found, over lines and over what is marked in them.
type figures struct {
	marked, found  int
	lines, falsely int
}

// measure compares what is found with what is marked. Something marked is found if nothing of it
// stays but punctuation, by whichever mask; a line is masked falsely where anything else goes.
func measure(t testing.TB, all []sample, into map[string]*figures) {
	t.Helper()
	count := func(kind string) *figures {
		if into[kind] == nil {
			into[kind] = &figures{}
		}
		return into[kind]
	}
	for _, s := range all {
		found := find(s.text, Known{})
		covered := func(from, to int) bool {
			for _, one := range found {
				if one.from <= from && to <= one.to {
					return true
				}
			}
			return false
		}
		for _, m := range s.spans {
			count(m.kind).marked++
			if m.holds(s.text, covered) {
				count(m.kind).found++
			} else {
				t.Logf("missed %s: %q: %q", m.kind, s.text, Mask(s.text, Known{}))
			}
		}
		kind := "ordinary"
		if len(s.spans) > 0 {
			kind = "beside"
		}
		count(kind).lines++
		for _, one := range found {
			if !s.touches(one) {
				count(kind).falsely++
				t.Logf("false %s: %q: %q", kind, s.text, Mask(s.text, Known{}))
				break
			}
		}
	}
}

// holds says that every letter and digit of what is marked is covered.
func (m marked) holds(text string, covered func(from, to int) bool) bool {
	for i, r := range text[m.from:m.to] {
		b := fold(string(r)).text
		if len(b) > 0 && (isLetter(b[0]) || isDigit(b[0])) && !covered(m.from+i, m.from+i+len(string(r))) {
			return false
		}
	}
	return true
}

// touches says that a finding lies within what is marked, or takes in but punctuation of the rest.
func (s sample) touches(one finding) bool {
	for i, r := range s.text[one.from:one.to] {
		at := one.from + i
		inside := false
		for _, m := range s.spans {
			inside = inside || m.from <= at && at < m.to
		}
		b := fold(string(r)).text
		if !inside && len(b) > 0 && (isLetter(b[0]) || isDigit(b[0])) {
			return false
		}
	}
	return true
}

func (f figures) recall() float64   { return float64(f.found) / float64(max(f.marked, 1)) }
func (f figures) mistaken() float64 { return float64(f.falsely) / float64(max(f.lines, 1)) }

// corpus are the files of testdata.
var corpus = []string{"contacts", "documents", "names", "ordinary", "voices", "neighbours", "strangers", "callers", "passersby"}

func TestCorpus(t *testing.T) {
	into := map[string]*figures{}
	for _, name := range corpus {
		measure(t, samples(t, name), into)
	}
	for kind, least := range map[string]float64{"phone": 0.98, "email": 0.98, "document": 0.98, "name": 0.90} {
		f := *into[kind]
		t.Logf("%s: %d of %d, recall %.3f", kind, f.found, f.marked, f.recall())
		if f.recall() < least {
			t.Errorf("%s: recall %.3f, want %.2f", kind, f.recall(), least)
		}
	}
	for kind, most := range map[string]float64{"ordinary": 0.01, "beside": 0.03} {
		f := *into[kind]
		t.Logf("%s: %d of %d lines falsely masked, %.3f", kind, f.falsely, f.lines, f.mistaken())
		if f.mistaken() > most {
			t.Errorf("%s: %.3f falsely masked, want %.2f", kind, f.mistaken(), most)
		}
	}
}
