package privacy

import (
	"bytes"
	"slices"
)

// patterns hides the names that stand where people name themselves or somebody close.
func (n *naming) patterns() {
	for i := 0; i < len(n.words); {
		i = max(n.nameAt(i), i+1)
	}
}

// nameAt hides the name that begins with a word, and gives the word behind it; 0 if there is none.
func (n *naming) nameAt(i int) int {
	w := n.words[i]
	if n.hidden(i) {
		return 0
	}
	if w.is(endsCue) && i+1 < len(n.words) {
		if sure := n.cueEndingAt(i); sure > 0 {
			if next := n.afterCue(i+1, sure); next > 0 {
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
func (n *naming) afterCue(i int, sure certainty) int {
	first := i
	for i < len(n.words) && i < first+5 && n.words[i].gap < end {
		w := n.words[i]
		// Who names themselves may be a doctor; of another's patient the doctor is named.
		opens := w.is(title|relative) || w.is(doctor) && sure > faint ||
			slices.Contains([]string{"la", "el", "los", "las", "mi", "mis", "su", "una", "un", "my", "the", "yo"}, w.plain)
		if !opens {
			break
		}
		i++
	}
	if i >= len(n.words) || n.words[i].gap == end {
		return 0
	}
	if i > first {
		sure = min(sure, weak)
	}
	if !n.begins(i, sure, i == first) {
		return 0
	}
	return n.hide(i)
}

// begins says that a word begins a name. Directly says that nothing stands between it and the cue.
func (n *naming) begins(i int, sure certainty, directly bool) bool {
	w := n.words[i]
	switch {
	case sure == faint && n.ofPlace(i):
		return false
	case n.beforeSurname(i), w.is(particle) && w.capital && n.extent(i) > i+1:
		return true
	case w.is(everyday) && (!w.capital || !w.is(given|surname)):
		return false
	case sure == faint:
		return w.is(given) && (w.capital || !w.is(ambiguous)) || n.foreign(w) && w.capital
	case w.is(given | surname):
		return directly || w.capital || !w.is(ambiguous) || n.phrase(i+1, vocabulary.behind) > 0
	case w.is(particle | place | doctor | title | relative | beforePlace):
		return false
	case sure == strong:
		return true
	}
	return len(w.plain) > 1 && w.capital || n.foreign(w) || directly && n.explained(i)
}

// explained says that an unknown word is followed by what says whose name it is: "soy wilfrido, el del puente".
func (n *naming) explained(i int) bool {
	switch {
	case len(n.words[i].plain) < 4 || i+2 >= len(n.words) || n.words[i+1].gap == end || n.words[i+2].gap != space:
		return false
	}
	next := n.words[i+2]
	return slices.Contains([]string{"la", "el"}, n.words[i+1].plain) && (next.is(relative) || slices.Contains([]string{"de", "del", "que", "q", "d"}, next.plain))
}

// beforeSurname says that a word which may be a name is followed by a surname that is nothing else.
func (n *naming) beforeSurname(i int) bool {
	w := n.words[i]
	if w.meaning&^(given|surname|ambiguous) != 0 || len(w.plain) < 3 || i+1 == len(n.words) || n.words[i+1].gap != space {
		return false
	}
	next := n.words[i+1]
	return next.is(surname) && !next.is(ambiguous|everyday)
}

// determined says that a relative is somebody's: "mi hija", "la niña".
func (n *naming) determined(i int) bool {
	return slices.Contains([]string{"mi", "mis", "my", "su", "sus", "la", "el", "los", "las", "tu", "un", "una", "nuestra", "nuestro", "our", "her", "his"}, n.words[i-1].plain)
}

// afterRelation hides the name that follows a relative or a title.
func (n *naming) afterRelation(i int) int {
	if i >= len(n.words) || n.words[i].gap != space && !(n.words[i].gap == pause && n.words[i].capital && n.words[i].is(given) && !n.words[i].is(everyday)) {
		return 0
	}
	w := n.words[i]
	if w.is(relative|title) && !w.capital && i+1 < len(n.words) || w.is(everyday) && i+1 < len(n.words) && n.words[i+1].gap == pause {
		return n.afterRelation(i + 1)
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
	if n.signs(i) || n.beforeCue(i) {
		return n.hide(i)
	}
	if !w.is(given) && !(w.capital && n.beforeSurname(i)) && !n.unknownName(i) || w.is(everyday) && !w.capital || w.is(ambiguous) && !w.capital {
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
	if sure && (listed > 1 || to > i+1 && !w.is(ambiguous)) || n.beforeSurname(i) || n.unknownName(i) || n.onlyGiven(w) || sure && n.joinsGiven(to) {
		return n.hide(i)
	}
	return 0
}

// onlyGiven says that a word is nothing but a given name, written as one.
func (n *naming) onlyGiven(w word) bool {
	return w.capital && w.is(given) && w.meaning&^(given|endsCue) == 0 && !n.english
}

// joinsGiven says that "y" and another given name stand at a place.
func (n *naming) joinsGiven(to int) bool {
	return to+1 < len(n.words) && n.words[to].plain == "y" && n.words[to].gap == space && n.words[to+1].gap == space && n.words[to+1].is(given) && !n.words[to+1].is(ambiguous)
}

// beforeCue says that a name which begins with a word is followed by a cue: "Ana le escribe".
func (n *naming) beforeCue(i int) bool {
	w := n.words[i]
	if w.is(everyday|title|doctor|relative|place|particle) && !w.is(given) || i > 0 && n.words[i-1].is(doctor) && w.gap == space {
		return false
	}
	to := n.extent(i)
	sure := n.phrase(to, vocabulary.behind)
	switch {
	case w.is(everyday) && !w.capital, w.is(ambiguous) && !w.capital && sure < strong:
		return false
	}
	switch sure {
	case strong:
		return w.is(given|surname) || w.capital
	case faint:
		return w.is(given) && !n.ofPlace(i)
	}
	return false
}

// signs says that the text ends with a name by which somebody says goodbye, which begins with a word:
// one behind a greeting, or names of the list that are the last sentence.
func (n *naming) signs(i int) bool {
	w := n.words[i]
	if i == 0 || w.gap == space || w.is(everyday|title|doctor|relative|place|particle) || n.extent(i) != len(n.words) {
		return false
	}
	before := bytes.TrimRight(n.f.text[:w.from], " ")
	ended := bytes.IndexByte([]byte(".!?,;\n"), before[len(before)-1]) >= 0
	if (w.is(given) || w.capital && w.is(surname)) && !w.is(ambiguous) && ended {
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

// hide hides the name that begins with a word, and those that "y" joins to it.
func (n *naming) hide(i int) int {
	to := n.extent(i)
	from := i
	if i > 0 && len(n.words[i-1].plain) == 1 && n.words[i-1].capital && n.words[i].gap == space && n.words[i-1].plain != "y" && n.words[i-1].plain != "a" {
		from-- // an initial
	}
	n.take(n.words[from].from, n.words[to-1].to)
	if to+1 < len(n.words) && slices.Contains([]string{"y", "e", "and"}, n.words[to].plain) && n.words[to].gap == space &&
		n.words[to+1].gap == space && n.begins(to+1, weak, false) || n.corrects(to) {
		return n.hide(to + 1)
	}
	return to
}

// corrects says that "no" and another spelling follow a name: "es Martha, no Marta".
func (n *naming) corrects(to int) bool {
	return to+1 < len(n.words) && n.words[to].plain == "no" && n.words[to].gap < end && n.words[to+1].gap == space && n.words[to+1].capital && n.begins(to+1, weak, false)
}

// unknownName says that an unknown word and a surname have capitals within a sentence.
func (n *naming) unknownName(i int) bool {
	w := n.words[i]
	return w.capital && w.meaning == 0 && i > 0 && w.gap == space && !n.words[i-1].capital && i+1 < len(n.words) &&
		n.words[i+1].gap == space && n.words[i+1].capital && n.words[i+1].is(surname)
}
