package privacytest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// figures is how well one kind is masked, over lines and over what is marked in them.
type figures struct {
	marked, found  int
	lines, falsely int
}

func (f figures) recall() float64   { return float64(f.found) / float64(max(f.marked, 1)) }
func (f figures) mistaken() float64 { return float64(f.falsely) / float64(max(f.lines, 1)) }

// What a door promises that masks: how much of what is marked, and how few other lines.
var (
	least = map[string]float64{"phone": 0.98, "email": 0.98, "document": 0.98, "name": 0.95, "address": 0.95, "birth": 0.98}
	most  = map[string]float64{"ordinary": 0.01, "beside": 0.03}
)

// MustMask holds what came out behind a door against the samples that went in: it prints the figures
// and fails where they are worse than is promised. Something marked is masked if nothing of it stays
// but punctuation, by whichever mask; a line is masked falsely where anything else goes.
func MustMask(t testing.TB, samples []Sample, out []string) {
	t.Helper()
	if len(samples) == 0 || len(out) != len(samples) {
		t.Fatalf("%d texts came out of %d", len(out), len(samples))
	}
	into := map[string]*figures{"ordinary": {}, "beside": {}, "phone": {}, "email": {}, "document": {}, "name": {}, "address": {}, "birth": {}}
	for i, s := range samples {
		s.measure(t, out[i], into)
	}
	for _, kind := range slices.Sorted(maps.Keys(least)) {
		f := *into[kind]
		t.Logf("%s: %d of %d, recall %.3f", kind, f.found, f.marked, f.recall())
		if f.recall() < least[kind] {
			t.Errorf("%s: recall %.3f, want %.2f", kind, f.recall(), least[kind])
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(most)) {
		f := *into[kind]
		t.Logf("%s: %d of %d lines falsely masked, %.3f", kind, f.falsely, f.lines, f.mistaken())
		if f.mistaken() > most[kind] {
			t.Errorf("%s: %.3f falsely masked, want %.2f", kind, f.mistaken(), most[kind])
		}
	}
}

// fewestTelling is how many letters and digits tell somebody that are found by chance hardly ever.
const fewestTelling = 6

// MustTellNothing fails where a text holds any of what is personal in the samples.
func MustTellNothing(t testing.TB, samples []Sample, text string) {
	t.Helper()
	looked, found := 0, 0
	for _, s := range samples {
		for _, p := range s.Personal {
			personal := s.Text[p.From:p.To]
			if telling := strings.Map(onlyTelling, personal); utf8.RuneCountInString(telling) < fewestTelling {
				continue
			}
			looked++
			if strings.Contains(text, personal) {
				found++
				t.Errorf("%s %q can be read", p.Kind, personal)
			}
		}
	}
	t.Logf("%d of %d can be read in %d bytes", found, looked, len(text))
	if looked == 0 || text == "" {
		t.Error("nothing was looked for, or nowhere")
	}
}

func onlyTelling(r rune) rune {
	if tells(r) {
		return r
	}
	return -1
}

func (s Sample) measure(t testing.TB, out string, into map[string]*figures) {
	t.Helper()
	covered, ok := hidden(s.Text, out)
	if !ok {
		t.Errorf("%q came out as %q, which is another text", s.Text, out)
		return
	}
	for _, p := range s.Personal {
		into[p.Kind].marked++
		if covered.holds(s.Text, p) {
			into[p.Kind].found++
		} else {
			t.Logf("missed %s: %q: %q", p.Kind, s.Text, out)
		}
	}
	kind := "ordinary"
	if len(s.Personal) > 0 {
		kind = "beside"
	}
	into[kind].lines++
	for _, one := range covered {
		if !s.touches(one) {
			into[kind].falsely++
			t.Logf("false %s: %q: %q", kind, s.Text, out)
			return
		}
	}
}

var masks = regexp.MustCompile(`\[(?:teléfono|correo|documento|nombre|dirección|fecha)\]`)

// intervals are the bytes of a text, from one place to another, that masks stand for.
type intervals [][2]int

// hidden gives what of a text masks stand for in what came out; ok is false where that is no masked
// form of the text.
func hidden(text, out string) (covered intervals, ok bool) {
	rest := masks.Split(out, -1)
	if !strings.HasPrefix(text, rest[0]) {
		return nil, false
	}
	at := len(rest[0])
	for i, part := range rest[1:] {
		next := strings.Index(text[at:], part)
		if i == len(rest)-2 {
			next = len(text) - len(part) - at
		}
		if next < 0 || !strings.HasPrefix(text[at+next:], part) {
			return nil, false
		}
		covered = append(covered, [2]int{at, at + next})
		at += next + len(part)
	}
	return covered, at == len(text)
}

// holds says that every letter and digit of something personal is covered.
func (c intervals) holds(text string, p Span) bool {
	for i, r := range text[p.From:p.To] {
		at := p.From + i
		if tells(r) && !slices.ContainsFunc(c, func(one [2]int) bool { return one[0] <= at && at+utf8.RuneLen(r) <= one[1] }) {
			return false
		}
	}
	return true
}

// touches says that what is covered lies within what is marked, or takes in but punctuation of the rest.
func (s Sample) touches(one [2]int) bool {
	for i, r := range s.Text[one[0]:one[1]] {
		at := one[0] + i
		if tells(r) && !slices.ContainsFunc(s.Personal, func(p Span) bool { return p.From <= at && at < p.To }) {
			return false
		}
	}
	return true
}

func tells(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
