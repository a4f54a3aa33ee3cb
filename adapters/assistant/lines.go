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
	"bitacora/adapters/assistant/words"
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
// program has it, those of questions/TOPIC.txt, and what asks for something else. Those for English are in
// questions/en, beside what others may be of English, too. A line "## SLUG" names the answer that those
// below it ask for.
func readLines(files fs.FS, a *answers, of words.Code) ([]retrieval.Line, error) {
	var lines []retrieval.Line
	for _, one := range clinic.DefaultContent().Answers {
		for _, question := range one.Questions {
			lines = append(lines, retrieval.Line{Text: question, Class: one.Slug})
		}
	}
	further, err := linesIn(files, "questions")
	if err != nil {
		return nil, err
	}
	lines = append(lines, further...)
	sentences, err := meaning.ReadSentences(files, a.language, of)
	if err != nil {
		return nil, err
	}
	if of == words.English {
		lines = slices.DeleteFunc(lines, func(l retrieval.Line) bool { return !words.Fits(a.language.Words(l.Text), of) })
		if further, err = linesIn(files, "questions/en"); err != nil {
			return nil, err
		}
		lines = append(lines, further...)
	}
	return append(lines, intentLines(sentences, a)...), nil
}

func linesIn(files fs.FS, folder string) (lines []retrieval.Line, err error) {
	names, err := fs.Glob(files, folder+"/*.txt")
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
				for _, text := range meaning.Expand(line) {
					lines = append(lines, retrieval.Line{Text: text, Class: class})
				}
			}
		}
	}
	return lines, nil
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
