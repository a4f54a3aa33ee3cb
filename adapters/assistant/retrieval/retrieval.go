// Package retrieval finds, among what can be asked for, what is nearest to somebody's question:
// by its rare words, by what words mean, and by the letters of misspelt ones.
package retrieval

import (
	"cmp"
	"math"
	"slices"

	"bitacora/adapters/assistant/words"
	"bitacora/domain/spelling"
)

// Document is something that can be asked for.
type Document struct {
	// Questions are ways to ask for it.
	Questions []string
	// Text is what is answered; its words count less than those of the questions.
	Text string
	// Subject is a word for what it is about, and Meaning one of the [Lexicon] for what it
	// tells of that; empty for none.
	Subject, Meaning string
}

// Hit is how near a document is to a question.
type Hit struct {
	// Document is its place in what the index was made of.
	Document int
	// Score is 0 for nothing in common, and greater the nearer.
	Score float64
	// Likely is how likely the document answers the question, from 0 to 1: less where another
	// is as near, or where it has nothing of what the question is about.
	Likely float64
}

// Index holds documents; it is safe for concurrent use.
type Index struct {
	language  *words.Language
	lexicon   Lexicon
	subjectOf func(stems []string) string
	documents []Document
	// whole compares a text with all that a document says, lines with each of its questions.
	whole, lines *space
	// ofLine are the documents that questions belong to.
	ofLine []int
	// has are the features of all that each document says.
	has []map[string]float64
	// vocabulary holds the longer words of the questions, by length.
	vocabulary map[int][]string
}

// What was chosen by cross-validation over the clinic's questions: how much the kinds of features
// count relative to each other, …
const (
	stemWeight    = 1.2
	synonymWeight = 6
	pairWeight    = 0.5
	gramWeight    = 0.14
	subjectWeight = 0.8
)

// … and how much what a document says counts, beside its nearest question.
const (
	wholeShare = 1.9
	lineShare  = 0.34
	// textShare is what a word of the answer counts beside one of a question, and meaningCount
	// how many questions a document's meaning counts as.
	textShare    = 0.23
	meaningCount = 3.7
	// otherSubject is what is left of the score of a document about something else than is named.
	otherSubject = 0.8
)

// New makes an index of documents. subjectOf names what a text is about, by its stems, in the
// words of [Document.Subject].
func New(l *words.Language, lexicon Lexicon, subjectOf func(stems []string) string, documents []Document) *Index {
	x := &Index{
		language: l, lexicon: lexicon, subjectOf: subjectOf, documents: documents,
		whole: newSpace(), lines: newSpace(), vocabulary: map[int][]string{},
	}
	known := map[string]bool{}
	for i, d := range documents {
		counts := map[string]float64{}
		for _, text := range d.Questions {
			list := l.Words(text)
			for _, w := range list {
				if !known[w] && len(w) >= shortestCorrected {
					x.vocabulary[len(w)] = append(x.vocabulary[len(w)], w)
				}
				known[w] = true
			}
			line := map[string]float64{}
			for _, f := range x.features(list, d.Subject) {
				counts[f.name]++
				line[f.name] = 1
			}
			x.lines.add(line)
			x.ofLine = append(x.ofLine, i)
		}
		for _, f := range x.features(l.Words(d.Text), "") {
			counts[f.name] += textShare
		}
		if d.Meaning != "" {
			counts[meaningMark+d.Meaning] += meaningCount
		}
		x.has = append(x.has, counts)
		x.whole.add(counts)
	}
	x.whole.finish()
	x.lines.finish()
	return x
}

// Marks tell the kinds of features apart; a stem has none.
const (
	meaningMark = "="
	subjectMark = "@"
	gramMark    = '~'
)

// features are what is compared of a text.
func (x *Index) features(list []string, subject string) []feature {
	seen := map[string]bool{}
	var found []feature
	add := func(name string, weight float64) {
		if !seen[name] {
			seen[name] = true
			found = append(found, feature{name, weight})
		}
	}
	last := ""
	for _, w := range list {
		stem := words.Stem(w)
		meanings := x.lexicon.meanings[stem]
		alike := stem
		if len(meanings) > 0 {
			add(stem, stemWeight/2)
			alike = meaningMark + meanings[0]
		} else {
			add(stem, stemWeight)
		}
		for _, meaning := range meanings {
			add(meaningMark+meaning, synonymWeight)
		}
		if last != "" {
			add(last+" "+alike, pairWeight)
		}
		last = alike
		if len(w) >= shortestGrams {
			padded := "<" + w + ">"
			for i := 0; i+4 <= len(padded); i++ {
				add(string(gramMark)+padded[i:i+4], gramWeight)
			}
		}
	}
	if subject != "" {
		add(subjectMark+subject, subjectWeight)
	}
	return found
}

const (
	// shortestCorrected is the length from which on a typing error is corrected, and
	// shortestGrams that from which on parts of a word are compared.
	shortestCorrected = 6
	shortestGrams     = 5
)

// corrected are the words of a text, with those replaced that mean nothing known and are one
// typing error away from a word of the questions.
func (x *Index) corrected(list []string) []string {
	for i, w := range list {
		stem := words.Stem(w)
		if len(w) < shortestCorrected || x.lines.rarity[stem] > 0 || x.lexicon.meanings[stem] != nil || x.language.Everyday(w) {
			continue
		}
		for n := len(w) - 1; n <= len(w)+1; n++ {
			if at := slices.IndexFunc(x.vocabulary[n], func(known string) bool { return spelling.OneEditApart(w, known) || spelling.SoundAlike(w, known) }); at >= 0 {
				list[i] = x.vocabulary[n][at]
				break
			}
		}
	}
	return list
}

// Rank gives the documents that are nearest to a text, the nearest first, at most as many as
// most, of those that fit. A text that names no subject has the given one, if that is not empty.
func (x *Index) Rank(text, subject string, most int, fits func(document int) bool) []Hit {
	list := x.corrected(x.language.Words(text))
	stems := make([]string, len(list))
	for i, w := range list {
		stems[i] = words.Stem(w)
	}
	if named := x.subjectOf(stems); named != "" {
		subject = named
	}
	features := x.features(list, subject)
	lines := make([]float64, len(x.documents))
	for line, s := range x.lines.scores(features) {
		lines[x.ofLine[line]] = max(lines[x.ofLine[line]], s)
	}
	var hits []Hit
	for d, s := range x.whole.scores(features) {
		if !fits(d) {
			continue
		}
		hit := Hit{Document: d, Score: wholeShare*s + lineShare*lines[d]}
		if of := x.documents[d].Subject; subject != "" && of != "" && of != subject {
			hit.Score *= otherSubject
		}
		hits = append(hits, hit)
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Document, b.Document))
	})
	for i := range min(len(hits), most) {
		next := 0.0
		if i+1 < len(hits) {
			next = hits[i+1].Score
		}
		hits[i].Likely = likely(hits[i].Score, hits[i].Score-next, x.covered(list, hits[i].Document), len(list))
	}
	return hits[:min(len(hits), most)]
}

// likely is how likely a document answers a question, by a logistic regression over questions
// that were held out, questions whose document was held out, and questions about other matters.
func likely(score, margin, covered float64, length int) float64 {
	z := -3.8 + 1.25*score + 4.67*min(margin, 0.4) + 2.31*covered
	if length <= 3 {
		z -= 1.2
	}
	return 1 / (1 + math.Exp(-z))
}

// covered is the share of a text's telling words, by their rarity, that a document has.
func (x *Index) covered(list []string, document int) float64 {
	all, has := 0.0, 0.0
	for _, w := range x.lexicon.Telling(list) {
		stem := words.Stem(w)
		rarity, known := x.whole.rarity[stem]
		if !known {
			rarity = x.whole.rarest
		}
		_, there := x.has[document][stem]
		for _, m := range x.lexicon.meanings[stem] {
			if of, known := x.whole.rarity[meaningMark+m]; known {
				rarity = min(rarity, of)
			}
			_, means := x.has[document][meaningMark+m]
			there = there || means
		}
		all += rarity
		if there {
			has += rarity
		}
	}
	return has / max(all, 1e-9)
}
