// Package meaning finds what a visitor's message is about, by what it learned from
// sentences whose meaning is known, and tells at once when somebody needs help.
package meaning

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"bitacora/adapters/assistant/logistic"
	"bitacora/adapters/assistant/words"
)

// Meaning is what a message is about.
type Meaning struct {
	// Intent is one of [Learned.Intents]: the likeliest, or [Unknown] where none is likely
	// enough.
	Intent string
	// Likeliest is the intent that fits best, likely enough or not.
	Likeliest string
	// Confidence in the likeliest intent, from 0 to 1.
	Confidence float64
	// RunnerUp is the intent that fits second best, and how likely it is.
	RunnerUp           string
	RunnerUpConfidence float64
	// Urgent: the message tells of pain, injury or red-flag symptoms, now.
	Urgent bool
	// Grave: of symptoms that cannot wait for a dentist.
	Grave bool
	// Acute: a known sign says that it is urgent, and not only how the message sounds.
	Acute bool
}

// Reader finds the meaning of messages; it is safe for concurrent use.
type Reader struct {
	Language *words.Language
	learned  Learned
	// danger is the classifier of danger in all languages, and concepts are those of danger.
	danger   *logistic.Model
	concepts *words.Language
	judged   atomic.Pointer[judgement]
	signs    signs
}

// What was chosen by cross-validation over the training sentences.
var (
	intentSettings  = logistic.Settings{Epochs: 12, Rate: 0.3, Decay: 1e-5, Rarest: 1, Least: 2}
	urgencySettings = logistic.Settings{Epochs: 8, Rate: 0.7, Decay: 1e-5, Rarest: 2}
)

const (
	// leastConfidence is what the likeliest intent must reach to be believed.
	leastConfidence = 0.45
	// leastUrgency is the probability from which on a message that speaks of the mouth or
	// of ailing counts as urgent without any known sign.
	leastUrgency float32 = 0.03
	// sureUrgency is that from which on not even a word of the mouth or of ailing is needed,
	// because it may be misspelt.
	sureUrgency float32 = 0.6
)

// Learned is what a [Reader] learned from sentences.
type Learned struct {
	// Intents are those of the sentences.
	Intents         []string
	Intent, Urgency *logistic.Model
}

// Learn learns from words.json and the sentences of the files for a language.
func Learn(files fs.FS, of words.Code) (Learned, error) {
	language, err := words.Open(files)
	if err != nil {
		return Learned{}, err
	}
	sentences, err := ReadSentences(files, language, of)
	if err != nil {
		return Learned{}, err
	}
	var l Learned
	for _, s := range sentences {
		if !slices.Contains(l.Intents, s.Intent) {
			l.Intents = append(l.Intents, s.Intent)
		}
	}
	l.train(language, sentences)
	return l, nil
}

// New makes a reader with words.json, urgency.json and the concepts of danger of the files, and what was learned
// from them.
func New(files fs.FS, learned Learned, danger *logistic.Model) (*Reader, error) {
	r := &Reader{learned: learned, danger: danger}
	var err error
	if r.Language, err = words.Open(files); err != nil {
		return nil, err
	}
	if r.concepts, err = openConcepts(files); err != nil {
		return nil, err
	}
	if r.signs, err = readSigns(files, r.Language); err != nil {
		return nil, err
	}
	return r, nil
}

// train lets both classifiers learn at once.
func (l *Learned) train(language *words.Language, sentences []Sentence) {
	lists := make([][]string, len(sentences))
	occurs := map[string]int{}
	for i, s := range sentences {
		lists[i] = language.Words(s.Text)
		for _, w := range lists[i] {
			occurs[words.Stem(w)]++
		}
	}
	// A word that occurs once in training stands for the strange words of later texts.
	known := func(stem string) bool { return occurs[stem] > 1 }
	intents, urgency := make([]logistic.Example, len(sentences)), make([]logistic.Example, len(sentences))
	for i, s := range sentences {
		f := features(language, lists[i], known)
		intents[i] = logistic.Example{Features: f, Class: slices.Index(l.Intents, s.Intent)}
		urgency[i] = logistic.Example{Features: f}
		if s.Intent == Urgent {
			urgency[i].Class = 1
		}
	}
	done := make(chan struct{})
	go func() {
		l.Urgency = logistic.Train(urgency, 2, urgencySettings)
		close(done)
	}()
	l.Intent = logistic.Train(intents, len(l.Intents), intentSettings)
	<-done
}

// Read finds the meaning of a text.
func (r *Reader) Read(text string) Meaning {
	list := r.Language.Words(text)
	f := features(r.Language, list, r.Knows)
	p := r.learned.Intent.Probabilities(f)
	best, next := likeliest(p)
	m := Meaning{Likeliest: r.learned.Intents[best], Confidence: float64(p[best]), RunnerUp: r.learned.Intents[next], RunnerUpConfidence: float64(p[next])}
	urgency := r.learned.Urgency.Probabilities(f)[1]
	m.Grave, m.Acute, m.Urgent = r.signs.read(text, urgency)
	m.Urgent = r.urgent(text, m.Urgent, urgency)
	switch {
	case m.Urgent:
		m.Intent = Urgent
	case abuse.MatchString(strings.Join(list, " ")):
		m = m.As(Abuse)
		m.Confidence = 1
	case m.Likeliest == Urgent:
		m.Intent = r.calmest(p)
	case m.Confidence >= leastConfidence && len(list) > 0:
		m.Intent = m.Likeliest
	default:
		m.Intent = Unknown
	}
	return m
}

// likeliest are the places of the two greatest probabilities, of two or more.
func likeliest(p []float32) (best, next int) {
	next = 1
	for i := range p {
		switch {
		case p[i] > p[best]:
			best, next = i, best
		case i != best && p[i] > p[next]:
			next = i
		}
	}
	return best, next
}

// As is the meaning as another intent, by what is known beside its words; what fitted best is the
// runner-up then.
func (m Meaning) As(intent string) Meaning {
	if m.Likeliest != intent {
		m.RunnerUp, m.RunnerUpConfidence = m.Likeliest, m.Confidence
	}
	m.Intent, m.Likeliest = intent, intent
	return m
}

// abuse is what is said of an assistant only to insult it, whatever else resembles a question
// about who it is: "eres una porquería de bot".
var abuse = regexp.MustCompile(`\b(?:porqueria|basura|mierda|asco) de (?:bot|robot|asistente|programa|chat|maquina)\b`)

// calmest is the likeliest intent of a text that is not urgent after all.
func (r *Reader) calmest(p []float32) string {
	best := -1
	for i := range p {
		if r.learned.Intents[i] != Urgent && (best < 0 || p[i] > p[best]) {
			best = i
		}
	}
	return r.learned.Intents[best]
}

// Intents are those that sentences were learned of, sorted.
func (r *Reader) Intents() []string { return slices.Sorted(slices.Values(r.learned.Intents)) }

// Knows says whether a stem occurs in the sentences that were learned from.
func (r *Reader) Knows(stem string) bool { return r.learned.Intent.Known(logistic.IDOf(stem)) }
