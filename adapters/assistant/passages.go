package assistant

import (
	"math"
	"regexp"
	"strings"

	"bitacora/adapters/assistant/retrieval"
	"bitacora/adapters/assistant/words"
)

// passage is a section of what the clinic writes about a service, or in a post.
type passage struct {
	// service is the slug of the service that it is about, post that of the post that it stands
	// in; one of them is empty.
	service, post string
	// title is that of the text that it stands in, heading its own; empty for the beginning.
	title, heading string
	// text is the whole section, without markup.
	text string
	// stems are how often a stem occurs; those of the headings count twice.
	stems map[string]float64
}

// source names the passage in a reply's sources, and link is where it is read on the site.
func (p passage) source() string {
	if p.post != "" {
		return "post/" + p.post
	}
	return "service/" + p.service
}

func (p passage) link(site string) string {
	path := "/services/" + p.service
	if p.post != "" {
		path = "/blog/" + p.post
	}
	return strings.TrimSuffix(site, "/") + path
}

// passages finds the section that answers a question.
type passages struct {
	all []passage
	// rarity is the weight of a stem: the greater the fewer sections have it.
	rarity  map[string]float64
	rarest  float64
	lexicon retrieval.Lexicon
}

func newPassages(a retrieval.Analyzer, k Knowledge) *passages {
	p := &passages{rarity: map[string]float64{}, lexicon: a.Lexicon}
	for _, s := range k.Clinic.Services {
		p.add(a.Language, k.Clinic.Fill(s.Markdown), passage{service: s.Slug, title: s.Title})
	}
	for _, post := range k.Posts {
		p.add(a.Language, k.Clinic.Fill(post.Markdown), passage{post: post.Slug, title: k.Clinic.Fill(post.Title)})
	}
	for stem, n := range p.rarity {
		p.rarity[stem] = math.Log(float64(len(p.all)+1) / n)
	}
	p.rarest = math.Log(float64(len(p.all) + 1))
	return p
}

// add takes in the sections of a text.
func (p *passages) add(l *words.Language, markdown string, of passage) {
	for _, section := range strings.Split("\n"+markdown, "\n## ") {
		heading, body, ok := strings.Cut(section, "\n")
		one := of
		one.heading, one.text = heading, plainText(body)
		if !ok || one.text == "" {
			continue
		}
		one.stems = map[string]float64{}
		for _, w := range l.Words(of.title + " " + heading + " " + heading + " " + one.text) {
			one.stems[words.Stem(w)]++
		}
		for stem := range one.stems {
			p.rarity[stem]++
		}
		p.all = append(p.all, one)
	}
}

const (
	// passageSaturation is the parameter of the usual BM25 score.
	passageSaturation = 1.2
	// leastCovered is the share of a question's telling words that a section must have, and
	// leastTelling how many they must be.
	leastCovered = 0.75
	leastTelling = 3
	// longestPassage is how much of a section is said at once, in bytes.
	longestPassage = 900
)

// find gives the section that has to do with a question, if one has nearly all of its telling
// words.
func (p *passages) find(list []string, service string) (passage, bool) {
	telling := p.lexicon.Telling(list)
	best, top := -1, 0.0
	for i, one := range p.all {
		score, has, all := 0.0, 0.0, 0.0
		for _, w := range telling {
			stem := words.Stem(w)
			rarity, known := p.rarity[stem]
			if !known {
				rarity = p.rarest
			}
			all += rarity
			if n := one.stems[stem]; n > 0 {
				has += rarity
				score += rarity * n * (1 + passageSaturation) / (n + passageSaturation)
			}
		}
		fits := service == "" || one.service == service || one.post != ""
		if fits && score > top && has >= leastCovered*all && len(one.text) <= longestPassage {
			best, top = i, score
		}
	}
	if best < 0 || len(telling) < leastTelling {
		return passage{}, false
	}
	return p.all[best], true
}

// beginning is the first section about a service.
func (p *passages) beginning(service string) (passage, bool) {
	for _, one := range p.all {
		if one.service == service && service != "" && one.heading == "" {
			return one, true
		}
	}
	return passage{}, false
}

var (
	markup = regexp.MustCompile(`\*\*|__|^#+ |\[([^\]]*)\]\([^)]*\)`)
	// emphasis is what is set in italics.
	emphasis = regexp.MustCompile(`\*([^*]+)\*`)
)

// plainText is a text in Markdown without markup; each paragraph and point of a list is a line.
func plainText(markdown string) string {
	var lines []string
	for line := range strings.Lines(markdown) {
		line = markup.ReplaceAllString(strings.TrimSpace(line), "$1")
		if line = emphasis.ReplaceAllString(line, "$1"); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
