package privacy

import (
	"bytes"
	"regexp"
	"slices"
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
	if n.shouts(text) {
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

// patterns hides the names that stand where people name themselves or somebody close.
func (n *naming) patterns() {
	for i := 0; i < len(n.words); {
		i = max(n.nameAt(i), i+1)
	}
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
	abbreviated := a.to-a.from == 1 || vocabulary.words[string(f.text[a.from:a.to])]&(title|doctor) != 0 || between == ". " && b.to-b.from == 1
	switch trimmed := strings.Trim(between, " "); {
	case trimmed == "" || trimmed == "-" && between == "-" || trimmed == "'" || trimmed == "." && abbreviated && (between != "." || a.to-a.from <= 3):
		return space
	case strings.Trim(trimmed, ",:;\n. ") == "" && len(trimmed) <= 3 && (trimmed != "." || vocabulary.words[string(f.text[a.from:a.to])]&endsCue != 0):
		return pause
	}
	return end
}

// shouts says that capitals mean nothing: there are no other letters, or everyday words within a
// sentence have them, too.
func (n *naming) shouts(text string) bool {
	for _, w := range n.words[min(1, len(n.words)):] {
		if w.capital && len(w.plain) > 1 && w.gap == space && w.is(everyday) && !w.is(given|surname|particle) {
			return true
		}
	}
	return len(n.words) > 2 && text == strings.ToUpper(text)
}

// nameAt hides the name that begins with a word, and gives the word behind it; 0 if there is none.
func (n *naming) nameAt(i int) int {
	w := n.words[i]
	if n.hidden(i) {
		return 0
	}
	if w.is(endsCue) && i+1 < len(n.words) {
		if sure := n.cueEndingAt(i); sure > 0 {
			if next := n.afterCue(i+1, sure, w); next > 0 {
				return next
			}
		}
	}
	if w.is(relative) && i > 0 && n.determined(i) || w.is(title) && !n.ofPlace(i) {
		if next := n.afterRelation(i + 1); next > 0 {
			return next
		}
	}
	return n.pair(i)
}

func (n *naming) hidden(i int) bool { return n.f.text[n.words[i].from] == hidden }

// cueEndingAt says how sure it is that a name follows a word.
func (n *naming) cueEndingAt(i int) certainty {
	phrase := n.words[i].plain
	found := vocabulary.cues[phrase]
	for k := i - 1; k >= 0 && k > i-5 && n.words[k+1].gap == space; k-- {
		phrase = n.words[k].plain + " " + phrase
		found = max(found, vocabulary.cues[phrase])
	}
	return found
}

// afterCue hides the name that follows a cue, over articles, titles and relatives between.
func (n *naming) afterCue(i int, sure certainty, cue word) int {
	first := i
	for i < len(n.words) && i < first+5 && n.words[i].gap < end {
		w := n.words[i]
		// Who names themselves may be a doctor; of another's patient the doctor is named.
		opens := w.is(title|relative) || w.is(doctor) && sure > faint || i > first && n.words[i-1].is(relative) && w.plain == "de" ||
			slices.Contains([]string{"la", "el", "los", "las", "mi", "mis", "su", "una", "un", "my", "the", "yo"}, w.plain)
		if !opens || w.is(given|surname) && w.capital {
			break
		}
		i++
	}
	if i >= len(n.words) || n.words[i].gap == end || i == first && n.words[i].gap == pause && sure == faint && cue.is(particle) {
		return 0
	}
	if i > first {
		sure = min(sure, weak)
		if n.words[i-1].is(relative|title) || n.words[i-1].plain == "de" {
			return n.afterRelation(i)
		}
	}
	if !n.begins(i, sure, i == first) {
		return 0
	}
	return n.hide(i)
}

// english are words that only an English sentence has.
var english = map[string]bool{"my": true, "i": true, "im": true, "is": true, "the": true, "to": true, "he": true, "she": true, "they": true, "and": true}

// foreign is how no Spanish word is spelt, and many a given name.
var foreign = regexp.MustCompile(`k|w|th|sh|jh|tz|tt|nn|ff|dd|y[ln]|ys|^y[aeiou]|^x|[^aeo]y$`)

// begins says that a word begins a name. Directly says that nothing stands between it and the cue.
func (n *naming) begins(i int, sure certainty, directly bool) bool {
	w := n.words[i]
	switch {
	case sure == faint && n.ofPlace(i):
		return false
	case n.beforeSurname(i):
		return true
	case w.is(everyday) && (!w.capital || !w.is(given|surname)):
		return false
	case sure == faint:
		return w.is(given) && (w.capital || !w.is(ambiguous)) || n.foreign(w) && (w.capital || n.explained(i))
	case w.is(given | surname):
		return directly || w.capital || !w.is(ambiguous)
	case w.is(particle | place | doctor | title | relative | beforePlace):
		return false
	case sure == strong:
		return len(w.plain) > 2
	}
	return len(w.plain) > 1 && w.capital && !inDistrict(n.words[i:]) || n.foreign(w) || directly && n.explained(i)
}

// explained says that an unknown word is followed by what says whose name it is: "soy wilfrido, el del puente".
func (n *naming) explained(i int) bool {
	switch {
	case n.words[i].meaning != 0:
		return false
	case n.phrase(i+1, vocabulary.behind) == strong:
		return true
	case len(n.words[i].plain) < 4 || i+2 >= len(n.words) || n.words[i+1].gap == end || n.words[i+2].gap != space:
		return false
	}
	next := n.words[i+2]
	return slices.Contains([]string{"la", "el"}, n.words[i+1].plain) && (next.is(relative) || slices.Contains([]string{"de", "del", "que", "q", "d"}, next.plain))
}

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

// beforeSurname says that a word which may be a name is followed by a surname that is nothing else.
func (n *naming) beforeSurname(i int) bool {
	w := n.words[i]
	if w.meaning&^(given|surname|ambiguous) != 0 || len(w.plain) < 3 || i+1 == len(n.words) || n.words[i+1].gap != space {
		return false
	}
	next := n.words[i+1]
	return next.is(surname) && !next.is(ambiguous|everyday) && (next.capital || !w.capital)
}

// determined says that a relative is somebody's: "mi hija", "la niña".
func (n *naming) determined(i int) bool {
	return slices.Contains([]string{"mi", "mis", "my", "su", "sus", "la", "el", "los", "las", "tu", "un", "una", "nuestra", "nuestro", "our", "her", "his"}, n.words[i-1].plain)
}

// afterRelation hides the name that follows a relative or a title.
func (n *naming) afterRelation(i int) int {
	if i >= len(n.words) || n.words[i].gap != space && !(n.words[i].gap == pause && n.onlyGiven(n.words[i])) {
		return 0
	}
	w := n.words[i]
	if slices.Contains([]string{"es", "is", "son"}, w.plain) && i+1 < len(n.words) && n.words[i+1].gap == space {
		if !n.begins(i+1, faint, false) {
			return 0
		}
		return n.hide(i + 1)
	}
	if w.is(relative|title) && !w.capital && i+1 < len(n.words) {
		return n.afterRelation(i + 1)
	}
	if w.plain == "de" && i+1 < len(n.words) && n.words[i+1].gap == space && n.begins(i+1, faint, false) {
		return n.hide(i + 1)
	}
	if !n.begins(i, weak, false) {
		return 0
	}
	return n.hide(i)
}

// pair hides a given name with what makes it a whole one, wherever it stands; alone only where it
// is all that was written.
func (n *naming) pair(i int) int {
	w := n.words[i]
	if n.whole() {
		return n.hide(i)
	}
	if len(w.plain) == 1 && w.capital && i+1 < len(n.words) && n.f.text[w.to] == '.' && n.words[i+1].gap == space && n.words[i+1].capital && n.words[i+1].is(surname) {
		return n.hide(i + 1)
	}
	if n.signs(i) || n.beforeCue(i) || n.listedBeside(i) {
		return n.hide(i)
	}
	if !w.is(given) && !(w.capital && n.beforeSurname(i)) || w.is(everyday) && !w.capital || w.is(ambiguous) && !w.capital {
		return 0
	}
	to := n.extent(i)
	if n.ofPlace(i) || i > 0 && n.words[i-1].is(doctor) && n.words[i].gap == space {
		return to
	}
	listed := 0
	sure := false
	for _, next := range n.words[i:to] {
		if next.is(given | surname) {
			listed++
			sure = sure || !next.is(ambiguous)
		}
	}
	if sure && (listed > 1 || to > i+1 && !w.is(ambiguous)) || n.beforeSurname(i) || n.onlyGiven(w) || sure && n.joinsGiven(to) {
		return n.hide(i)
	}
	return 0
}

// onlyGiven says that a word is nothing but a given name, written as one.
func (n *naming) onlyGiven(w word) bool {
	return w.capital && w.is(given) && w.meaning&^(given|endsCue) == 0 && !n.english && !vocabulary.places[w.plain]
}

// joinsGiven says that "y" and another given name stand at a place.
func (n *naming) joinsGiven(to int) bool {
	return to+1 < len(n.words) && n.words[to].plain == "y" && n.words[to].gap == space && n.words[to+1].gap == space && n.words[to+1].is(given) && !n.words[to+1].is(ambiguous)
}

// beforeCue says that a name which begins with a word is followed by a cue: "Ana le escribe".
func (n *naming) beforeCue(i int) bool {
	w := n.words[i]
	if w.is(everyday|title|doctor|relative|place|particle) && !w.is(given) || w.is(ambiguous|everyday) && !w.capital || i > 0 && n.words[i-1].is(doctor) && w.gap == space {
		return false
	}
	to := n.extent(i)
	switch n.phrase(to, vocabulary.behind) {
	case strong:
		return w.is(given|surname) || w.capital
	case faint:
		return w.is(given) && !n.ofPlace(i) || w.capital && n.foreign(w) || w.capital && w.meaning == 0 && to > i+1 && (i == 0 || w.gap != space)
	}
	return false
}

// listedBeside says that a name stands by itself before or behind something that is masked: "ana / 6123-4567".
func (n *naming) listedBeside(i int) bool {
	w := n.words[i]
	if !w.is(given) || w.is(everyday) || w.is(ambiguous) && !w.capital {
		return false
	}
	const between = " /-:;,|."
	before := bytes.TrimRight(n.f.text[:w.from], between)
	after := bytes.TrimLeft(n.f.text[n.words[n.extent(i)-1].to:], between)
	masked := len(before) > 0 && before[len(before)-1] == hidden
	return (masked || len(before) == 0) && (len(after) == 0 && masked || len(after) > 0 && after[0] == hidden)
}

// signs says that the text ends with a name by which somebody says goodbye, which begins with a word:
// one behind a greeting, or names of the list that are the last sentence.
func (n *naming) signs(i int) bool {
	w := n.words[i]
	if i == 0 || w.gap == space || w.is(everyday|title|doctor|relative|place|particle) || n.lastOf(i) != len(n.words) {
		return false
	}
	before := bytes.TrimRight(n.f.text[:w.from], " ")
	ended := bytes.IndexByte([]byte(".!?,;\n"), before[len(before)-1]) >= 0
	if w.is(given) && !w.is(ambiguous) && ended {
		return true
	}
	for k := i - 1; w.capital && k >= 0 && k > i-6; k-- {
		if slices.Contains([]string{"gracias", "saludos", "atentamente", "cordialmente", "bendiciones", "atte", "att", "thanks", "regards", "abrazo", "vemos", "luego", "pronto", "chao", "cheers"}, n.words[k].plain) {
			return true
		}
		if n.words[k].gap != space {
			return false
		}
	}
	return false
}

// lastOf is the word behind a name, with the initial that may end it.
func (n *naming) lastOf(i int) int {
	to := n.extent(i)
	if to == len(n.words)-1 && len(n.words[to].plain) == 1 && n.words[to].gap == space && n.words[to].plain != "y" {
		to++
	}
	return to
}

// whole says that names of the list, not all of them words as well, are all that was written.
func (n *naming) whole() bool {
	if len(n.words) > longestName {
		return false
	}
	sure := false
	for i, w := range n.words {
		if !w.is(given|surname) || w.is(everyday) || i > 0 && w.gap != space {
			return false
		}
		sure = sure || !w.is(ambiguous) && w.is(given)
	}
	last := len(n.words) - 1
	return sure && n.words[0].from == 0 && n.words[last].to == len(n.f.text) && !n.ofPlace(0)
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
		if n.words[k].is(place) && !n.words[k].is(given) || n.words[k].is(beforePlace) && k == i-1 {
			return true
		}
		if !n.words[k].is(particle | doctor | title) {
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
		for next < len(n.words) && next < to+3 && n.words[next].gap == space && n.words[next].is(particle) {
			next++
		}
		if next >= len(n.words) || n.words[next].gap != space || n.hidden(next) {
			break
		}
		w := n.words[next]
		initial := next == to && len(w.plain) == 1 && w.capital
		listed := w.is(given|surname) && (w.capital || !w.is(everyday))
		other := w.capital && !w.is(everyday|particle|title|doctor|relative|place)
		if next > to && (!w.is(given|surname) && inDistrict(n.words[to+1:]) || !w.capital && w.is(ambiguous) && !n.words[i].capital && !w.is(surname)) {
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

// hide hides the name that begins with a word, and those that "y" joins to it.
func (n *naming) hide(i int) int {
	to := n.lastOf(i)
	from := i
	if i > 0 && len(n.words[i-1].plain) == 1 && n.words[i-1].capital && n.words[i].gap == space && !n.hidden(i-1) && n.words[i-1].plain != "y" && n.words[i-1].plain != "a" {
		from-- // an initial
	}
	n.take(n.words[from].from, n.words[to-1].to)
	if to+1 < len(n.words) && n.words[to].gap == pause && n.words[to].capital && n.words[to].is(given) && slices.Contains([]string{"y", "e", "and"}, n.words[to+1].plain) {
		return n.hide(to)
	}
	if to+1 < len(n.words) && slices.Contains([]string{"y", "e", "and"}, n.words[to].plain) && n.words[to].gap == space &&
		n.words[to+1].gap == space && n.begins(to+1, weak, false) {
		return n.hide(to + 1)
	}
	return to
}
