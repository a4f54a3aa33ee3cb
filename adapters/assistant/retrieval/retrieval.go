// Package retrieval finds, among what can be asked for, what somebody's question asks for: by what
// it learned from other ways to ask, and by what the question and a document have in common.
package retrieval

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"bitacora/adapters/assistant/logistic"
	"bitacora/adapters/assistant/words"
)

// Document is something that can be asked for.
type Document struct {
	// Name is that of the class of a [Classifier] which holds further ways to ask for it.
	Name string
	// Questions are ways to ask for it.
	Questions []string
	// Text is what is answered; its words count less than those of the questions.
	Text string
	// Subject is a word for what it is about, and Meaning one of the [Lexicon] for what it
	// tells of that; empty for none.
	Subject, Meaning string
}

func (d Document) equal(other Document) bool {
	return d.Name == other.Name && slices.Equal(d.Questions, other.Questions) && d.Text == other.Text && d.Subject == other.Subject && d.Meaning == other.Meaning
}

// Hit is a document that a text may ask for.
type Hit struct {
	// Document is its place in what the index was made of.
	Document int
	// Likely is how likely the text asks for it, from 0 to 1.
	Likely float64
}

// Ranking is what a text may ask for.
type Ranking struct {
	// Hits are the documents, the likeliest first.
	Hits []Hit
	// Other is the likeliest class that is none of the documents, and OtherLikely how likely the
	// text asks for that.
	Other       string
	OtherLikely float64
}

// Index holds documents; it is safe for concurrent use.
type Index struct {
	analyzer   Analyzer
	classifier Classifier
	documents  []Document
	items      []item
	space      *space
	// classes are those of the documents, -1 for none; others are the classes of no document.
	classes, others []int
	// exact are the documents by their questions, in plain words.
	exact      map[string]int
	vocabulary vocabulary
}

// item is what is compared of a document.
type item struct {
	counts []count
	// questions are in plain words.
	questions [][]string
}

// What was chosen by cross-validation over the clinic's questions.
const (
	// textShare is what a word of the answer counts beside one of a question, and meaningCount
	// how many questions a document's meaning counts as.
	textShare    = 0.5
	meaningCount = 3.7
)

// New makes an index of documents, quicker where a previous one holds most of them; nil for none.
func New(a Analyzer, c Classifier, documents []Document, previous *Index) *Index {
	x := &Index{
		analyzer: a, classifier: c, documents: documents, items: make([]item, len(documents)),
		exact: map[string]int{}, vocabulary: vocabulary{},
	}
	all := make([][]count, len(documents))
	for i, d := range documents {
		x.items[i] = previous.item(i, d)
		if x.items[i].counts == nil {
			x.items[i] = x.count(d)
		}
		all[i] = x.items[i].counts
		for _, list := range x.items[i].questions {
			x.vocabulary.add(list)
			x.exact[plain(list)] = i
		}
		x.classes = append(x.classes, slices.Index(c.Classes, d.Name))
	}
	for class := range c.Classes {
		if !slices.Contains(x.classes, class) {
			x.others = append(x.others, class)
		}
	}
	x.space = newSpace(all)
	return x
}

// item is what was compared of the same document, if it is there, most likely at the same place.
func (x *Index) item(at int, d Document) item {
	if x == nil {
		return item{}
	}
	if at >= len(x.documents) || x.documents[at].Name != d.Name {
		at = slices.IndexFunc(x.documents, func(one Document) bool { return one.Name == d.Name })
	}
	if at < 0 || !x.documents[at].equal(d) {
		return item{}
	}
	return x.items[at]
}

func (x *Index) count(d Document) item {
	c := counter{at: map[logistic.ID]int{}}
	var one item
	for _, text := range d.Questions {
		list := x.analyzer.Language.Words(text)
		one.questions = append(one.questions, list)
		for _, f := range x.analyzer.features(list, d.Subject) {
			c.add(f.ID, 1)
		}
	}
	for _, f := range x.analyzer.features(x.analyzer.Language.Words(d.Text), "") {
		c.add(f.ID, textShare)
	}
	if d.Meaning != "" {
		c.add(logistic.IDOf(meaningMark, d.Meaning), meaningCount)
	}
	one.counts = c.counts
	return one
}

func plain(list []string) string { return strings.Join(list, " ") }

// corrected are the words of a text, with those replaced that mean nothing known and are one
// typing error away from a word of the questions.
func (x *Index) corrected(list []string) []string {
	for i, w := range list {
		if len(w) < shortestCorrected || x.knows(words.Stem(w)) || x.analyzer.Language.Everyday(w) {
			continue
		}
		if known, ok := x.vocabulary.correct(w); ok {
			list[i] = known
		}
	}
	return list
}

// Speaks says whether a word is one of the documents or of the lexicon.
func (x *Index) Speaks(word string) bool {
	stem := words.Stem(word)
	return x.space.rarity[logistic.IDOf(stem)] > 0 || x.analyzer.Lexicon.meanings[stem] != nil
}

func (x *Index) knows(stem string) bool {
	id := logistic.IDOf(stem)
	return x.space.rarity[id] > 0 || x.classifier.Model.Known(id) || x.analyzer.Lexicon.meanings[stem] != nil
}

// How the classifier's scores and the likeness to a document add up: of a document that has a class,
// and of one that has none. They were chosen by leaving out lines, and all lines of documents.
const (
	classShare     = 1.2
	likeShare      = 9.6
	unlearned      = -2.4
	unlearnedShare = 24
	// otherSubject is taken from a document about something else than is spoken of.
	otherSubject = 2
	// verbatim is added to a document that has just the question that is asked, or, where nothing was learned of
	// it, one of the same telling words.
	verbatim = 8
)

// Rank gives what a text may ask for: at most so many documents, of those that fit. A text that
// names no subject has the given one, if that is not empty.
func (x *Index) Rank(text, subject string, most int, fits func(document int) bool) Ranking {
	list := x.analyzer.Language.Words(text)
	asked, known := x.exact[plain(list)]
	list = x.corrected(list)
	if named := x.analyzer.subject(list); named != "" {
		subject = named
	}
	features := x.analyzer.features(list, subject)
	scores := x.classifier.Model.Scores(features)
	var r Ranking
	for d, like := range x.space.scores(features) {
		if !fits(d) {
			continue
		}
		score := unlearned + unlearnedShare*like
		if class := x.classes[d]; class >= 0 {
			score = classShare*float64(scores[class]) + likeShare*like
		}
		if of := x.documents[d].Subject; subject != "" && of != "" && of != subject {
			score -= otherSubject
		}
		if known && d == asked || x.classes[d] < 0 && x.asks(list, d) {
			score += verbatim
		}
		r.Hits = append(r.Hits, Hit{d, score})
	}
	r.OtherLikely = math.Inf(-1)
	for _, class := range x.others {
		if score := classShare * float64(scores[class]); score > r.OtherLikely {
			r.Other, r.OtherLikely = x.classifier.Classes[class], score
		}
	}
	x.weigh(&r, scores)
	slices.SortFunc(r.Hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Likely, a.Likely), cmp.Compare(a.Document, b.Document))
	})
	r.Hits = r.Hits[:min(len(r.Hits), most)]
	return r
}

// Learned says that lines of a document were learned from.
func (x *Index) Learned(document int) bool { return x.classes[document] >= 0 }

// asks says that a text has the telling words of a question of a document, and no others.
func (x *Index) asks(list []string, document int) bool {
	lexicon := x.analyzer.Lexicon
	within := func(some, others []string) bool {
		return !slices.ContainsFunc(some, func(w string) bool { return !lexicon.Same(w, others) })
	}
	telling := lexicon.Telling(list)
	return len(telling) > 1 && slices.ContainsFunc(x.items[document].questions, func(question []string) bool {
		question = lexicon.Telling(question)
		return within(telling, question) && within(question, telling)
	})
}

// weigh makes probabilities of scores.
func (x *Index) weigh(r *Ranking, scores []float32) {
	all := 0.0
	for _, class := range x.others {
		all += math.Exp(classShare * float64(scores[class]))
	}
	for i := range r.Hits {
		r.Hits[i].Likely = math.Exp(r.Hits[i].Likely)
		all += r.Hits[i].Likely
	}
	for i := range r.Hits {
		r.Hits[i].Likely /= all
	}
	r.OtherLikely = math.Exp(r.OtherLikely) / all
}
