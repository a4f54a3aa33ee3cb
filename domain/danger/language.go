package danger

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"bitacora/domain/spelling"
)

// language is what is known of how people in danger write in one language.
type language struct {
	name string
	// kinds holds the phrases of each kind of danger.
	kinds map[Kind]*phrases
	// harmless phrases say nothing of danger, whatever their words resemble.
	harmless phrases
	// spellings are the words that a spelling stands for, both by their sound.
	spellings map[string][]string
	// words are all that the file knows, long those into which typing errors are put right.
	words map[string]bool
	long  []string
}

// Sections of a data file beside the kinds of danger.
const (
	sectionHarmless = "harmless"
	sectionSpelling = "spelling"
	sectionEveryday = "everyday"
)

// mustRead reads a file that is part of the program and tested.
func mustRead(name string) *language {
	f, err := files.Open("data/" + name + ".txt")
	if err == nil {
		defer f.Close()
		var l *language
		if l, err = readLanguage(name, f); err == nil {
			return l
		}
	}
	panic(fmt.Sprintf("danger: read %s: %v", name, err))
}

// readLanguage reads a data file in the notation of data/README.md.
func readLanguage(name string, from io.Reader) (*language, error) {
	l := &language{name: name, kinds: map[Kind]*phrases{}, spellings: map[string][]string{}}
	r := &reader{lists: map[string][]sequence{}, words: map[string]bool{}}
	everyday := map[string]bool{}
	section := ""
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		list, choices, isList := strings.Cut(line, " = ")
		var err error
		switch {
		case line == "", strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
			if !slices.Contains([]string{sectionHarmless, sectionSpelling, sectionEveryday}, section) && !slices.Contains(Kinds, Kind(section)) {
				err = fmt.Errorf("there is no section %s", line)
			}
		case section == sectionSpelling && isList:
			long := phoneticKeys(list)
			for _, short := range phoneticKeys(choices) {
				l.spellings[short] = long
			}
		case section == sectionEveryday:
			for _, w := range phoneticKeys(line) {
				everyday[w] = true
			}
		case isList:
			r.lists[strings.TrimPrefix(list, "@")], _, err = r.choices(choices)
		default:
			err = l.add(section, line, r)
		}
		if err != nil {
			return nil, err
		}
	}
	for w := range r.words {
		if utf8.RuneCountInString(w) >= shortestCorrected {
			l.long = append(l.long, w)
		}
	}
	slices.Sort(l.long)
	l.words = r.words
	for w := range everyday {
		l.words[w] = true
	}
	return l, lines.Err()
}

func (l *language) add(section, line string, r *reader) error {
	p, err := r.phrase(line)
	switch {
	case err != nil:
		return err
	case section == sectionHarmless:
		l.harmless.add(p)
	case section == "":
		return fmt.Errorf("%q stands in no section", line)
	default:
		if l.kinds[Kind(section)] == nil {
			l.kinds[Kind(section)] = &phrases{}
		}
		l.kinds[Kind(section)].add(p)
	}
	return nil
}

func phoneticKeys(text string) []string {
	words := strings.Fields(spelling.Unaccented(text))
	for i, w := range words {
		words[i] = phoneticKey(w)
	}
	return words
}

// longestText is how many words of a text are looked at, as many as a message may have; of a
// longer one that is refused, half of them from its beginning and half from its end.
const longestText = 500

// read finds the kinds of danger in a text.
func (l *language) read(text string) []Kind {
	tokens := l.tokens(text)
	if len(tokens) > longestText {
		tokens = slices.Delete(tokens, longestText/2, len(tokens)-longestText/2)
	}
	remaining := slices.Clone(tokens)
	l.harmless.each(tokens, func(from, to int) bool {
		clear(remaining[from:to])
		return false
	})
	var found []Kind
	// The last kind comes first: what is said of somebody close is not said of oneself.
	for _, kind := range slices.Backward(Kinds) {
		phrases := l.kinds[kind]
		if phrases == nil {
			continue
		}
		phrases.each(remaining, func(from, to int) bool {
			found = append(found, kind)
			if kind == CrisisClose {
				clear(remaining[from:to])
			}
			return kind != CrisisClose
		})
	}
	return slices.Compact(found)
}
