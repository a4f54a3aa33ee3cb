package privacy

import "strings"

// meaning is what a word may be where names are looked for.
type meaning uint16

const (
	given meaning = 1 << iota
	surname
	ambiguous
	everyday
	particle
	title
	doctor
	relative
	place
	beforePlace
	endsCue
)

// certainty is how sure it is that a name follows.
type certainty int

const (
	// faint: a given name of the list; weak: one of the list, or what begins with a capital;
	// strong: any word that is not an everyday one.
	faint certainty = iota + 1
	weak
	strong
)

// vocabulary is what is known of the words of and around names.
var vocabulary = struct {
	words map[string]meaning
	cues  map[string]certainty
	// behind follow a name.
	behind map[string]certainty
	// places bear a name, in districts people live.
	places, districts map[string]bool
}{map[string]meaning{}, map[string]certainty{}, map[string]certainty{}, map[string]bool{}, map[string]bool{}}

func init() {
	sections := map[string]meaning{
		"given": given, "surnames": surname, "ambiguous": ambiguous, "ordinary": everyday, "particles": particle,
		"titles": title, "doctors": doctor, "relatives": relative, "places": place, "before places": beforePlace,
	}
	cues := map[string]certainty{"strong": strong, "weak": weak, "faint": faint}
	phrases := map[string]map[string]bool{"named places": vocabulary.places, "districts": vocabulary.districts}
	behind := map[string]certainty{"behind, strong": strong, "behind": faint}
	section := ""
	for line := range strings.Lines(mustRead("names")) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case cues[section] > 0:
			vocabulary.cues[line] = cues[section]
			vocabulary.words[line[strings.LastIndex(line, " ")+1:]] |= endsCue
		case behind[section] > 0:
			vocabulary.behind[line] = behind[section]
		case phrases[section] != nil:
			for phrase := range strings.SplitSeq(line, ", ") {
				phrases[section][phrase] = true
			}
		case sections[section] == 0:
			panic("privacy: data/names.txt has an unknown section " + section)
		default:
			for word := range strings.FieldsSeq(line) {
				vocabulary.words[word] |= sections[section]
			}
		}
	}
}

// GivenName says that a word, in plain small letters, is a given name. Only says that it must be
// nothing else.
func GivenName(word string, only bool) bool {
	of := vocabulary.words[word]
	return of&given != 0 && !(only && of&(ambiguous|everyday) != 0)
}

// Name says that a word, in plain small letters, is a given name or a surname.
func Name(word string) bool { return vocabulary.words[word]&(given|surname) != 0 }
