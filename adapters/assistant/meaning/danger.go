package meaning

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"bitacora/adapters/assistant/logistic"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/danger"
)

// dangerClasses are those between which the classifier of danger decides: everyday messages, those that are
// urgent for a dentist, those that only sound dangerous, and the kinds of danger.
var dangerClasses = func() []string {
	classes := []string{everyday, Urgent, harmless}
	for _, kind := range danger.Kinds {
		classes = append(classes, string(kind))
	}
	return classes
}()

const (
	everyday = "everyday"
	harmless = "harmless"
)

// Places among the classes; firstDanger is that of the first kind of danger.
const (
	urgentClass = iota + 1
	harmlessClass
	firstDanger
)

// What was chosen by cross-validation over the lines of danger, see TestDangerIsHeardOnLinesLeftOut.
var dangerSettings = logistic.Settings{Epochs: 12, Rate: 0.5, Decay: 1e-5, Rarest: 2, Least: 2}

const (
	// leastDanger is the probability from which on a text speaks of danger, leastOfFew that of a text of fewWords or
	// less, which in a dialogue may be any answer, and leastNamed that of a danger or an urgency from which on a text
	// does where a phrase names a danger.
	leastDanger float32 = 0.45
	leastOfFew  float32 = 0.85
	leastNamed  float32 = 0.06
	fewWords            = 6
	// likelyHarmless is that from which on a text that sounds urgent is not, unless its intent is likelier an urgency,
	// sureHarmless that from which on not even then. sureUrgent is that of an urgency from which on a text is urgent
	// without any known sign, leastSounding what all classifiers must hear of one where a sign stands.
	likelyHarmless float32 = 0.4
	sureHarmless   float32 = 0.8
	sureUrgent     float32 = 0.5
	leastSounding  float32 = 0.01
	// fewestDangerWords is the length of the shortest text that is judged; phrases find what is shorter.
	fewestDangerWords = 3
)

// dangerLine is a training line, with the sentences that it stands for.
type dangerLine struct {
	class int
	texts []string
}

// mostEveryday is how many everyday sentences are learned from for one other: more of them outweigh the dangers.
const mostEveryday = 0.6

// ofUrgencies are the questions about urgencies: they are of several classes, from a loose tooth to a faint, and teach none.
const ofUrgencies = "urgencias.txt"

// readDangers reads the known examples, danger/CLASS.txt and, as a contrast, the urgencies and a part of all other sentences and
// questions, one of each line. Those with a phrase of danger are left out.
func readDangers(files fs.FS) ([]dangerLine, error) {
	examples, err := danger.Examples()
	if err != nil {
		return nil, fmt.Errorf("read examples of danger: %w", err)
	}
	var all, contrast []dangerLine
	for _, e := range examples {
		all = append(all, dangerLine{max(0, slices.Index(dangerClasses, string(e.Kind))), []string{e.Text}})
	}
	for _, folder := range []string{"danger", "sentences", "sentences/en", "questions", "questions/en"} {
		names, err := fs.Glob(files, folder+"/*.txt")
		if err != nil {
			return nil, fmt.Errorf("find %s: %w", folder, err)
		}
		slices.Sort(names)
		for _, name := range names {
			if strings.HasPrefix(folder, "questions") && path.Base(name) == ofUrgencies {
				continue
			}
			class := max(0, slices.Index(dangerClasses, strings.TrimSuffix(path.Base(name), ".txt")))
			lines, err := readLines(files, name)
			if err != nil {
				return nil, err
			}
			for _, line := range lines {
				switch texts := Expand(line); {
				case class == 0:
					contrast = append(contrast, dangerLine{class, texts[:1]})
				case folder == "danger" || !danger.Read(texts[0]).Found():
					all = append(all, dangerLine{class, texts})
				}
			}
		}
	}
	others := 0
	for _, line := range all {
		if line.class > 0 {
			others += len(line.texts)
		}
	}
	slices.SortStableFunc(contrast, func(a, b dangerLine) int { return cmp.Compare(logistic.IDOf(a.texts[0]), logistic.IDOf(b.texts[0])) })
	most := len(all) + int(mostEveryday*float64(others))
	for _, line := range contrast {
		if len(all) < most && !danger.Read(line.texts[0]).Found() {
			all = append(all, line)
		}
	}
	return all, nil
}

// openConcepts opens the concepts of danger: what words of a danger have in common.
func openConcepts(files fs.FS) (*words.Language, error) {
	f, err := files.Open("danger/concepts.json")
	if err != nil {
		return nil, fmt.Errorf("open concepts of danger: %w", err)
	}
	defer f.Close()
	return words.Read(f)
}

// LearnDanger learns from what the files contain about danger, in all languages.
func LearnDanger(files fs.FS) (*logistic.Model, error) {
	language, err := words.Open(files)
	if err != nil {
		return nil, err
	}
	concepts, err := openConcepts(files)
	if err != nil {
		return nil, err
	}
	lines, err := readDangers(files)
	if err != nil {
		return nil, err
	}
	return trainDanger(language, concepts, lines), nil
}

func trainDanger(language, concepts *words.Language, lines []dangerLine) *logistic.Model {
	var examples []logistic.Example
	for _, line := range lines {
		for _, text := range line.texts {
			examples = append(examples, logistic.Example{Features: dangerFeatures(concepts, language.Words(text)), Class: line.class})
		}
	}
	return logistic.Train(examples, len(dangerClasses), dangerSettings)
}

// dangerFeatures are what the classifier of danger sees of a text.
func dangerFeatures(concepts *words.Language, list []string) []logistic.Feature {
	return features(concepts, list, func(string) bool { return true })
}

// sentenceEnds are the marks at the end of a sentence.
const sentenceEnds = ".;!?\n"

var sentenceEnd = regexp.MustCompile(`[` + sentenceEnds + `]+`)

// judgement is what the classifier makes of a text.
type judgement struct {
	text string
	// few says that the text has fewWords or less.
	few bool
	// kind is the likeliest kind of danger, danger the probability that there is one of any kind, of the whole text
	// or of one of its sentences.
	kind   danger.Kind
	danger float32
	// urgent and harmless are the probabilities of the whole text.
	urgent, harmless float32
}

// Danger is the danger that a text likely speaks of, as a whole or in one of its sentences; likely says whether
// there is any, unlikely that there is none even where a phrase names one.
func (r *Reader) Danger(text string) (kind danger.Kind, likely, unlikely bool) {
	j, least := r.judge(text), leastDanger
	if j.few {
		least = leastOfFew
	}
	return j.kind, j.danger >= least, j.danger+j.urgent < leastNamed
}

// urgent says whether a text is urgent that sounds so, or not: it is likely urgent for a dentist, or likely a figure of
// speech or a question. The probability of an urgency is that of the classifier of intents.
func (r *Reader) urgent(text string, sounds bool, urgency float32) bool {
	j := r.judge(text)
	heard := j.urgent+j.danger+urgency >= leastSounding
	return j.urgent >= sureUrgent || sounds && heard && j.harmless < min(sureHarmless, max(likelyHarmless, urgency))
}

// judge classifies a text. The last judgement is kept, because a message is asked about more than once.
func (r *Reader) judge(text string) *judgement {
	if last := r.judged.Load(); last != nil && last.text == text {
		return last
	}
	j := &judgement{text: text, few: len(r.Language.Words(text)) <= fewWords}
	if whole := r.classify(text); whole != nil {
		j.urgent, j.harmless = whole[urgentClass], whole[harmlessClass]
		j.consider(whole)
		if parts := sentenceEnd.Split(strings.TrimRight(text, sentenceEnds), -1); len(parts) > 1 {
			for _, part := range parts {
				j.consider(r.classify(part))
			}
		}
	}
	r.judged.Store(j)
	return j
}

// consider takes the danger of a text or sentence with some probabilities, where it is likelier than those before.
func (j *judgement) consider(p []float32) {
	best, sum := firstDanger, float32(0)
	for i := firstDanger; i < len(p); i++ {
		if sum += p[i]; p[i] > p[best] {
			best = i
		}
	}
	if sum > j.danger {
		j.kind, j.danger = danger.Kind(dangerClasses[best]), sum
	}
}

// classify gives the probabilities of the classes of danger; nil for a text that is too short.
func (r *Reader) classify(text string) []float32 {
	list := r.Language.Words(text)
	if len(list) < fewestDangerWords {
		return nil
	}
	return r.danger.Probabilities(dangerFeatures(r.concepts, list))
}
