package assistant

import (
	"math"
	"regexp"
	"strings"

	"bitacora/adapters/assistant/words"
	"bitacora/domain/clinic"
)

// passage is a section of what the clinic tells about a service.
type passage struct {
	service clinic.Service
	text    string
	// stems are how often a stem occurs; those of the heading count twice.
	stems map[string]float64
}

// passages finds the section that answers a question.
type passages struct {
	all []passage
	// rarity is what a stem tells: more the fewer sections have it.
	rarity map[string]float64
}

func newPassages(l *words.Language, services []clinic.Service) *passages {
	p := &passages{rarity: map[string]float64{}}
	for _, s := range services {
		for _, section := range strings.Split("\n"+s.Markdown, "\n## ") {
			heading, body, ok := strings.Cut(section, "\n")
			if !ok || strings.TrimSpace(body) == "" {
				continue
			}
			one := passage{service: s, text: plainSection(body), stems: map[string]float64{}}
			for _, w := range l.Words(heading + " " + heading + " " + body) {
				one.stems[words.Stem(w)]++
			}
			for stem := range one.stems {
				p.rarity[stem]++
			}
			p.all = append(p.all, one)
		}
	}
	for stem, n := range p.rarity {
		p.rarity[stem] = math.Log(float64(len(p.all)+1) / n)
	}
	return p
}

// Parameters of the usual BM25 score.
const (
	saturation = 1.2
	// leastScore is what a section must reach to be an answer.
	leastScore = 3.0
)

// find gives the section that fits a question best, of one service if it is named.
func (p *passages) find(stems []string, service string) (passage, bool) {
	best, top := -1, leastScore
	for i, one := range p.all {
		if service != "" && one.service.Slug != service {
			continue
		}
		score := 0.0
		seen := map[string]bool{}
		for _, s := range stems {
			if n := one.stems[s]; n > 0 && !seen[s] && len(s) >= 4 {
				seen[s] = true
				score += p.rarity[s] * n * (1 + saturation) / (n + saturation)
			}
		}
		if score > top {
			best, top = i, score
		}
	}
	if best < 0 {
		return passage{}, false
	}
	return p.all[best], true
}

// longestPassage is how much of a section is said, in bytes.
const longestPassage = 330

var markup = regexp.MustCompile(`\*\*|__|^#+ |\[([^\]]*)\]\([^)]*\)`)

// plainSection is the beginning of a section in whole sentences, without markup.
func plainSection(markdown string) string {
	var lines []string
	for line := range strings.Lines(markdown) {
		line = strings.TrimSpace(markup.ReplaceAllString(line, "$1"))
		if item, ok := strings.CutPrefix(line, "- "); ok {
			line = item
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	text := strings.Join(lines, " ")
	if len(text) <= longestPassage {
		return text
	}
	if cut := wholeSentences(strings.ToValidUTF8(text[:longestPassage], "")); cut != "" {
		return cut
	}
	return wholeSentences(text)
}
