package assistant

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/retrieval"
	"bitacora/domain/clinic"
)

// What lines may ask for beside the clinic's answers: what nobody has told, what is none of the
// clinic's business, and intents, whose names have a mark before them.
const (
	untold     = "sin-respuesta"
	offTopic   = "fuera-de-tema"
	intentMark = "="
)

// readLines reads what the clinic's answers are asked for by: the questions of its content as the
// program has it, those of questions/TOPIC.txt, and what asks for something else. A line "## SLUG"
// names the answer that those below it ask for.
func readLines(files fs.FS, a *answers) ([]retrieval.Line, error) {
	var lines []retrieval.Line
	for _, one := range clinic.DefaultContent().Answers {
		for _, question := range one.Questions {
			lines = append(lines, retrieval.Line{Text: question, Class: one.Slug})
		}
	}
	names, err := fs.Glob(files, "questions/*.txt")
	if err != nil {
		return nil, fmt.Errorf("find questions: %w", err)
	}
	slices.Sort(names)
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read questions: %w", err)
		}
		class := strings.TrimSuffix(path.Base(name), ".txt")
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			slug, begins := strings.CutPrefix(line, "## ")
			switch {
			case begins:
				class = slug
			case line != "" && !strings.HasPrefix(line, "#"):
				lines = append(lines, retrieval.Line{Text: line, Class: class})
			}
		}
	}
	sentences, err := meaning.ReadSentences(files)
	if err != nil {
		return nil, err
	}
	return append(lines, intentLines(sentences, a)...), nil
}

// answered are the intents whose questions the clinic's answers speak of, or nothing does: they
// are no classes of their own.
var answered = append([]string{"pago", "seguro", "primera-visita", "persona", meaning.Unknown}, aboutCare...)

// mostOfIntent bounds how many lines there are of an intent, so that none is likelier than
// others only for having more.
const mostOfIntent = 60

// intentLines are lines that ask for an intent, evenly taken of its sentences. What an answer of the
// clinic may be asked for by is none of them.
func intentLines(sentences []meaning.Sentence, a *answers) []retrieval.Line {
	byIntent := map[string][]retrieval.Line{}
	for _, s := range sentences {
		one, known := a.find(s.Intent, a.stems(s.Text))
		if known && one.phrases == nil && !slices.Contains(answered, s.Intent) {
			byIntent[s.Intent] = append(byIntent[s.Intent], retrieval.Line{Text: s.Text, Class: intentMark + s.Intent})
		}
	}
	var lines []retrieval.Line
	for _, intent := range slices.Sorted(maps.Keys(byIntent)) {
		all := byIntent[intent]
		for n := range min(len(all), mostOfIntent) {
			lines = append(lines, all[n*len(all)/min(len(all), mostOfIntent)])
		}
	}
	return lines
}
