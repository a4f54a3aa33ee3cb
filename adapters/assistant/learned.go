package assistant

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/gob"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"bitacora/adapters/assistant/logistic"
	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/retrieval"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/clinic"
	"bitacora/domain/danger"
)

// learned is what the assistant knows from examples, of each language by itself: what is said in one
// changes nothing of the other.
type learned struct {
	// Inputs is the hash of what it was learned from.
	Inputs           [sha256.Size]byte
	Spanish, English lessons
	// Danger hears of danger in both.
	Danger *logistic.Model
}

// lessons are what sentences of a language mean, and which answers its lines ask for.
type lessons struct {
	Meaning meaning.Learned
	Answers retrieval.Classifier
}

// of are those of a language.
func (l *learned) of(language words.Code) *lessons {
	if language == words.English {
		return &l.English
	}
	return &l.Spanish
}

//go:embed learned.bin
var learnedFile []byte

// ownLearned is what was learned from the program's own files, read once; see [WriteLearned].
var ownLearned = sync.OnceValues(func() (learned, error) { return readLearned(learnedFile) })

func readLearned(file []byte) (l learned, err error) {
	if err := gob.NewDecoder(bytes.NewReader(file)).Decode(&l); err != nil {
		return learned{}, fmt.Errorf("read what was learned: %w", err)
	}
	return l, nil
}

// learnedFrom is what is learned from files: at once what the program carries, where they hold what
// that was learned from, or else after some seconds.
func learnedFrom(files fs.FS) (learned, error) {
	inputs, err := hashInputs(files)
	if err != nil {
		return learned{}, err
	}
	if own, err := ownLearned(); err == nil && own.Inputs == inputs {
		return own, nil
	}
	return learn(files, inputs)
}

// WriteLearned learns from the program's own files and gives what `learned.bin` is to hold.
func WriteLearned() ([]byte, error) {
	inputs, err := hashInputs(ownData())
	if err != nil {
		return nil, err
	}
	l, err := learn(ownData(), inputs)
	if err != nil {
		return nil, err
	}
	return encodeLearned(l)
}

func encodeLearned(l learned) ([]byte, error) {
	var file bytes.Buffer
	if err := gob.NewEncoder(&file).Encode(l); err != nil {
		return nil, fmt.Errorf("write what was learned: %w", err)
	}
	return file.Bytes(), nil
}

func learn(files fs.FS, inputs [sha256.Size]byte) (learned, error) {
	l := learned{Inputs: inputs}
	var err error
	if l.Danger, err = meaning.LearnDanger(files); err != nil {
		return learned{}, err
	}
	for _, language := range words.Codes {
		if *l.of(language), err = learnLessons(files, language); err != nil {
			return learned{}, err
		}
	}
	return l, nil
}

func learnLessons(files fs.FS, of words.Code) (l lessons, err error) {
	if l.Meaning, err = meaning.Learn(files, of); err != nil {
		return l, err
	}
	analyzer, answers, err := readAnalyzer(files, clinic.Clinic{})
	if err != nil {
		return l, err
	}
	lines, err := readLines(files, answers, of)
	if err != nil {
		return l, err
	}
	l.Answers = retrieval.Learn(analyzer, lines)
	return l, nil
}

// inputs are the files that something is learned from.
var inputs = []string{"words.json", "asking.json", "specialties.json", "answers.json", "sentences/*.txt", "questions/*.txt", "sentences/en/*.txt", "questions/en/*.txt", "danger/*"}

// hashInputs tells apart what can be learned from.
func hashInputs(files fs.FS) (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	for _, pattern := range inputs {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			return sum, fmt.Errorf("find %s: %w", pattern, err)
		}
		slices.Sort(names)
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			if err != nil {
				return sum, fmt.Errorf("read %s: %w", name, err)
			}
			fmt.Fprintf(h, "%s %d %s\n", name, len(text), text)
		}
	}
	examples, err := danger.Examples()
	if err != nil {
		return sum, fmt.Errorf("read examples of danger: %w", err)
	}
	fmt.Fprintf(h, "%q\n", examples)
	for _, a := range clinic.DefaultContent().Answers {
		fmt.Fprintf(h, "%s %q\n", a.Slug, a.Questions)
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
}
