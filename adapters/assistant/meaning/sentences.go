package meaning

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"bitacora/adapters/assistant/words"
)

// Names of intents that mean something to the program; all others are known from the
// files only.
const (
	// Urgent is a visitor in pain, hurt, or with red-flag symptoms.
	Urgent = "urgencia"
	// Unknown is what the clinic has nothing to say about.
	Unknown = "otro"
	// GoOn are words that answer or go on, and say nothing by themselves.
	GoOn = "seguir"
	// Abuse are insults.
	Abuse = "insulto"
)

// Sentence is what a visitor may write, and what it means.
type Sentence struct {
	Text, Intent string
}

// ReadSentences reads training sentences of a language: every file sentences/<intent>.txt holds one
// sentence a line; empty lines, and lines that begin with "#", say nothing. A group in
// brackets, "(quiero|necesito) una cita", stands for any one of its choices. Those for English are in
// sentences/en, beside what Spanish ones may be of English, too.
func ReadSentences(files fs.FS, l *words.Language, of words.Code) ([]Sentence, error) {
	all, err := sentencesIn(files, "sentences")
	if err != nil || of != words.English {
		return all, err
	}
	english, err := sentencesIn(files, "sentences/en")
	all = slices.DeleteFunc(all, func(s Sentence) bool { return !words.Fits(l.Words(s.Text), of) })
	return append(all, english...), err
}

func sentencesIn(files fs.FS, folder string) ([]Sentence, error) {
	names, err := fs.Glob(files, folder+"/*.txt")
	if err != nil {
		return nil, fmt.Errorf("find sentences: %w", err)
	}
	slices.Sort(names)
	var all []Sentence
	for _, name := range names {
		lines, err := readLines(files, name)
		if err != nil {
			return nil, err
		}
		intent := strings.TrimSuffix(path.Base(name), ".txt")
		for _, line := range lines {
			for _, text := range Expand(line) {
				all = append(all, Sentence{text, intent})
			}
		}
	}
	return all, nil
}

// readLines reads a file's lines but those that say nothing.
func readLines(files fs.FS, name string) ([]string, error) {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// mostExpanded bounds how many sentences a line with choices stands for.
const mostExpanded = 20

// Expand writes out the choices of a line: "(quiero|necesito) una cita". Where there are too many combinations, those are taken that
// together hold every choice as evenly as can be.
func Expand(line string) []string {
	if !strings.Contains(line, "|") {
		return []string{line}
	}
	var parts [][]string
	all := 1
	for rest := line; rest != ""; {
		fixed, after, group := strings.Cut(rest, "(")
		parts = append(parts, []string{fixed})
		if !group {
			break
		}
		choices, tail, _ := strings.Cut(after, ")")
		parts = append(parts, strings.Split(choices, "|"))
		all *= len(parts[len(parts)-1])
		rest = tail
	}
	texts := make([]string, 0, min(all, mostExpanded))
	for n := range min(all, mostExpanded) {
		at := n
		if all > mostExpanded {
			at = n * all / mostExpanded
		}
		var b strings.Builder
		for i, p := range parts {
			pick := at % len(p)
			if all > mostExpanded {
				pick = (n*(2*i+1) + at) % len(p)
			}
			b.WriteString(p[pick])
			at /= len(p)
		}
		texts = append(texts, strings.Join(strings.Fields(b.String()), " "))
	}
	return texts
}
