package privacy

import (
	"regexp"
	"strings"
	"unicode"
)

// word is a word of a text.
type word struct {
	span
	plain string
	meaning
	// capital says that it begins with one, in a text where that means something.
	capital bool
	// gap is what stands before it.
	gap gap
}

func (w word) is(any meaning) bool { return w.meaning&any != 0 }

type gap int

const (
	space gap = iota
	// pause is a comma, a colon or the end of a line.
	pause
	// end is the end of a sentence, or anything that is no text.
	end
)

// naming looks for names in a text.
type naming struct {
	f     *folded
	words []word
	take  func(i, j int)
	// english says that there are English words.
	english bool
}

// longestName is of how many words a name is made, without those like "de la".
const longestName = 4

// naming reads the words of a text.
func (f *folded) naming(text string, take func(i, j int)) *naming {
	spans := f.withApostrophes(f.words())
	n := &naming{f: f, words: make([]word, len(spans)), take: take}
	for i, s := range spans {
		plain := f.plain(s)
		n.words[i] = word{span: s, plain: plain, meaning: meaningOf(plain), capital: unicode.IsUpper(f.firstRune(text, s))}
		n.english = n.english || english[plain]
		if i > 0 {
			n.words[i].gap = f.gap(spans[i-1], s)
		}
	}
	if n.shouts() {
		for i := range n.words {
			n.words[i].capital = false
		}
	}
	return n
}

// meaningOf is what a word may be; of a listed name there is a smaller form.
func meaningOf(plain string) meaning {
	m := vocabulary.words[plain]
	if n := len(plain) - len("ita"); m == 0 && n > 2 && (strings.HasSuffix(plain, "ita") || strings.HasSuffix(plain, "ito")) {
		m = (vocabulary.words[plain[:n]] | vocabulary.words[plain[:n]+plain[n+2:]]) & given
		if m != 0 {
			m |= ambiguous
		}
	}
	return m
}

// withApostrophes joins "O" and "Brien", which an apostrophe parts.
func (f *folded) withApostrophes(spans []span) []span {
	joined := spans[:0]
	for _, s := range spans {
		if last := len(joined) - 1; last >= 0 && s.from-joined[last].to == 1 && f.text[joined[last].to] == '\'' &&
			joined[last].to-joined[last].from == 1 && strings.ContainsRune("od", rune(f.text[joined[last].from])) {
			joined[last].to = s.to
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// plain is a word without its apostrophe.
func (f *folded) plain(s span) string {
	return strings.ReplaceAll(string(f.text[s.from:s.to]), "'", "")
}

// gap is what stands between two words.
func (f *folded) gap(a, b span) gap {
	between := string(f.text[a.to:b.from])
	abbreviated := a.to-a.from == 1 || vocabulary.words[string(f.text[a.from:a.to])]&(title|doctor|particle) != 0
	switch trimmed := strings.Trim(between, " "); {
	case trimmed == "" || trimmed == "-" && between == "-" || trimmed == "'" || trimmed == "." && abbreviated && (between != "." || a.to-a.from <= 3):
		return space
	case strings.Trim(trimmed, ",:;\n. ") == "" && trimmed != ".":
		return pause
	}
	return end
}

// shouts says that capitals mean nothing: there are no other letters, or everyday words within a
// sentence have them, too.
func (n *naming) shouts() bool {
	for _, w := range n.words[min(1, len(n.words)):] {
		if w.capital && len(w.plain) > 1 && w.gap == space && w.is(everyday) && !w.is(given|surname|particle) {
			return true
		}
	}
	return false
}

func (n *naming) hidden(i int) bool { return n.f.text[n.words[i].from] == hidden }

// english are words that only an English sentence has.
var english = map[string]bool{"my": true, "i": true, "im": true, "is": true, "the": true, "to": true, "he": true, "she": true, "they": true, "and": true, "by": true, "here": true, "you": true, "your": true, "have": true, "was": true, "are": true}

// foreign is how no Spanish word is spelt, and many a given name.
var foreign = regexp.MustCompile(`k|w|th|sh|jh|tz|tt|nn|ff|dd|y[ln]|ys|^y[aeiou]|^x|[^aeo]y$`)

// phrase is how sure it is by the words from the i-th one on, which are some of a list.
func (n *naming) phrase(i int, of map[string]certainty) (sure certainty) {
	phrase := ""
	for k := i; k < len(n.words) && k < i+3 && (k == i && n.words[k].gap < end || n.words[k].gap == space); k++ {
		phrase = strings.TrimSpace(phrase + " " + n.words[k].plain)
		sure = max(sure, of[phrase])
	}
	return sure
}

// foreign says that an unknown word is spelt as names are.
func (n *naming) foreign(w word) bool {
	return !n.english && w.meaning == 0 && len(w.plain) > 3 && foreign.MatchString(w.plain)
}

// whole says that names of the list, not all of them words as well, are all that was written.
func (n *naming) whole() bool {
	sure := false
	for i, w := range n.words {
		if !w.is(given|surname) || w.is(everyday) || i > 0 && w.gap != space {
			return false
		}
		sure = sure || !w.is(ambiguous) && w.is(given)
	}
	return sure && !n.ofPlace(0)
}

// ofPlace says that a name is one of a street, a hospital or a district.
func (n *naming) ofPlace(i int) bool {
	phrase := ""
	for k := i; k < len(n.words) && k < i+4; k++ {
		phrase = strings.TrimSpace(phrase + " " + n.words[k].plain)
		if vocabulary.places[phrase] {
			return true
		}
	}
	for k := i - 1; k >= 0 && k > i-4 && n.words[k+1].gap == space; k-- {
		if n.words[k].is(place) {
			return true
		}
		if !n.words[k].is(particle) {
			return false
		}
	}
	return false
}

// extent is the word behind a name that begins with the i-th one.
func (n *naming) extent(i int) int {
	to, taken := i+1, 1
	for to < len(n.words) && taken < longestName {
		next := to
		for next < len(n.words) && n.words[next].gap == space && n.words[next].is(particle) {
			next++
		}
		if next >= len(n.words) || n.words[next].gap != space {
			break
		}
		w := n.words[next]
		initial := next == to && len(w.plain) == 1 && (w.capital || n.f.at(w.to) == '.')
		listed := w.is(given | surname)
		other := w.capital && !w.is(everyday|particle|title|doctor|relative|place)
		if next > to && !w.is(given|surname) && inDistrict(n.words[to+1:]) {
			break
		}
		alike := taken == 1 && next == to && !n.words[i].capital && n.foreign(w)
		if !initial && !listed && !other && !alike {
			break
		}
		to, taken = next+1, taken+1
	}
	return to
}

// inDistrict says that words begin with the name of a district.
func inDistrict(words []word) bool {
	phrase := ""
	for _, w := range words[:min(len(words), longestPart)] {
		if phrase = strings.TrimSpace(phrase + " " + w.plain); vocabulary.districts[phrase] {
			return true
		}
	}
	return false
}
