package assistant

import (
	"math"
	"regexp"
	"strings"

	"bitacora/adapters/assistant/words"
	"bitacora/domain/clinic"
)

// passage is a section of what the clinic writes about a service, or in a post.
type passage struct {
	service clinic.Service
	// post is the one that the section is from; nil for a service's.
	post *clinic.Post
	// subject holds the stems of the post's title and topics.
	subject map[string]bool
	// sentences are the section's, with their stems.
	sentences []sentence
	// stems are how often a stem occurs; those of the headings count twice.
	stems map[string]float64
}

type sentence struct {
	text  string
	stems map[string]bool
	// paragraph is the number of the line that it stands in.
	paragraph int
}

// passages finds the section that answers a question.
type passages struct {
	all []passage
	// rarity is the weight of a stem: the greater the fewer sections have it.
	rarity map[string]float64
}

func newPassages(l *words.Language, k Knowledge) *passages {
	p := &passages{rarity: map[string]float64{}}
	for _, s := range k.Clinic.Services {
		p.add(l, k.Clinic.Fill(s.Markdown), "", passage{service: s})
	}
	for _, post := range k.Posts {
		post.Title = k.Clinic.Fill(post.Title)
		subject := stemSet(l, post.Title+" "+strings.Join(post.Topics, " "))
		p.add(l, k.Clinic.Fill(post.Markdown), post.Title, passage{post: &post, subject: subject})
	}
	for stem, n := range p.rarity {
		p.rarity[stem] = math.Log(float64(len(p.all)+1) / n)
	}
	return p
}

// add takes in the sections of a text.
func (p *passages) add(l *words.Language, markdown, title string, of passage) {
	for _, section := range strings.Split("\n"+markdown, "\n## ") {
		heading, body, ok := strings.Cut(section, "\n")
		if !ok || strings.TrimSpace(body) == "" {
			continue
		}
		one := of
		one.stems = map[string]float64{}
		for _, w := range l.Words(title + " " + heading + " " + heading + " " + body) {
			one.stems[words.Stem(w)]++
		}
		for _, said := range sentences(body) {
			said.stems = stemSet(l, said.text)
			one.sentences = append(one.sentences, said)
		}
		for stem := range one.stems {
			p.rarity[stem]++
		}
		p.all = append(p.all, one)
	}
}

func stemSet(l *words.Language, text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range l.Words(text) {
		if stem := words.Stem(w); len(stem) >= minStem {
			set[stem] = true
		}
	}
	return set
}

const (
	// saturation is the parameter of the usual BM25 score.
	saturation = 1.2
	// leastService and leastPost are what a section must reach to be an answer.
	leastService = 3.0
	leastPost    = 6.0
	// minStem is the length of the shortest stem that counts, and minRarity its least weight
	// to count as one of those by which a section answers.
	minStem   = 4
	minRarity = 1.5
	// severalMatches is how many of them a section must have where nothing names its subject.
	severalMatches = 2
)

// ofService gives the section that fits a question best among those of services, of one
// service if it is named, and how well it fits.
func (p *passages) ofService(stems []string, service string) (passage, float64) {
	matches := severalMatches
	if service != "" {
		matches = 1
	}
	return p.best(stems, leastService, matches, func(one passage) bool {
		return one.post == nil && (service == "" || one.service.Slug == service)
	})
}

// ofPost gives the section of a post that fits a question best, and better than something
// else does.
func (p *passages) ofPost(stems []string, than float64) (passage, float64) {
	return p.best(stems, max(leastPost, than), severalMatches, func(one passage) bool { return one.post != nil })
}

// best is the section with the highest score above the least one; without any, the score is 0.
func (p *passages) best(stems []string, least float64, matches int, fits func(passage) bool) (passage, float64) {
	best, top := -1, least
	for i, one := range p.all {
		if !fits(one) {
			continue
		}
		score, rare, subject := 0.0, 0, 0
		seen := map[string]bool{}
		for _, s := range stems {
			if n := one.stems[s]; n > 0 && !seen[s] && len(s) >= minStem {
				seen[s] = true
				score += p.rarity[s] * n * (1 + saturation) / (n + saturation)
				if p.rarity[s] >= minRarity {
					rare++
				}
				if one.subject[s] {
					subject++
				}
			}
		}
		// A question has to do with a post's subject, not only with words that stand in it.
		fitting := rare >= matches
		if one.post != nil {
			fitting = subject > 0 && (fitting || subject >= matches)
		}
		if score > top && fitting {
			best, top = i, score
		}
	}
	if best < 0 {
		return passage{}, 0
	}
	return p.all[best], top
}

// longestPassage is how much of a section is said, in bytes.
const longestPassage = 330

// beginning is the first sentences of a section.
func (one passage) beginning() string { return one.from(0, len(one.sentences)) }

// extract is the sentence of a section that has most to do with a question, with the one
// beside it in the same paragraph.
func (one passage) extract(stems []string, rarity map[string]float64) string {
	best, top := 0, 0.0
	for i, s := range one.sentences {
		score := 0.0
		for _, stem := range stems {
			if s.stems[stem] && len(stem) >= minStem {
				score += rarity[stem]
			}
		}
		if score > top && !strings.HasSuffix(s.text, ":") {
			best, top = i, score
		}
	}
	together := func(i int) bool {
		return i >= 0 && i+1 < len(one.sentences) && one.sentences[i].paragraph == one.sentences[i+1].paragraph
	}
	first := best
	if !together(best) && together(best-1) && len(one.from(best-1, 2)) > len(one.sentences[best-1].text) {
		first = best - 1
	}
	if !together(first) {
		return one.from(first, 1)
	}
	return one.from(first, 2)
}

func (one passage) from(first, most int) string {
	text := one.sentences[first].text
	for _, next := range one.sentences[first+1 : min(first+most, len(one.sentences))] {
		if len(text)+1+len(next.text) > longestPassage || strings.HasSuffix(next.text, ":") {
			break
		}
		text += " " + next.text
	}
	return text
}

var markup = regexp.MustCompile(`\*\*|__|^#+ |\[([^\]]*)\]\([^)]*\)`)

// listed is the mark of a point of a list.
var listed = regexp.MustCompile(`^(?:[-*]|\d+\.) +`)

// label is what a paragraph may begin with: "**Costo.** Depende".
var label = regexp.MustCompile(`^\*\*([^*]+)\.\*\* +(\S+)`)

// labelled joins a label with the sentence that it stands for: "Costo: depende".
func labelled(line string) string {
	parts := label.FindStringSubmatch(line)
	if parts == nil {
		return line
	}
	return parts[1] + ": " + strings.ToLower(parts[2]) + line[len(parts[0]):]
}

// sentences are those of a text in Markdown, without markup.
func sentences(markdown string) []sentence {
	var found []sentence
	paragraph := 0
	for line := range strings.Lines(markdown) {
		paragraph++
		line = listed.ReplaceAllString(strings.TrimSpace(line), "")
		line = strings.TrimSpace(markup.ReplaceAllString(labelled(line), "$1"))
		for line != "" {
			end := len(line)
			if at := sentenceEnd.FindStringIndex(line); at != nil {
				end = at[1]
			}
			found = append(found, sentence{text: strings.TrimSpace(line[:end]), paragraph: paragraph})
			line = line[end:]
		}
	}
	return found
}
