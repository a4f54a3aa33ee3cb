package assistant

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

//go:embed data/intents.json
var intentsFile []byte

// intent is something visitors want to know, declared in data/intents.json.
type intent struct {
	// Name is also the name of the text that answers.
	Name  string `json:"name"`
	Topic string `json:"topic"`
	// First intents win as soon as they reach their threshold, whatever else was asked.
	First bool `json:"first"`
	// Threshold is the score from which on the intent is believed.
	Threshold float64 `json:"threshold"`
	// Answered is false when the clinic's content holds no answer.
	Answered bool     `json:"answered"`
	Sources  []string `json:"sources"`
	// Service is the slug of the service that is asked about.
	Service string `json:"service"`
	// Keywords are phrases by the weight they add. Words joined by " + " may stand
	// anywhere in the text.
	Keywords map[string][]string `json:"keywords"`
}

// defaultThreshold is that of an intent which declares none.
const defaultThreshold = 2

// misspelt is what a key word with one wrong letter counts, relative to the right one.
const misspelt = 0.9

// shortestCorrected is the length in letters from which on a word is corrected.
const shortestCorrected = 5

type form struct{ word, stem string }

// keyword is one phrase of an intent: parts that all must occur, each a run of stems.
type keyword struct {
	intent int
	weight float64
	parts  [][]string
}

// classifier finds what a text is about.
type classifier struct {
	language language
	intents  []intent
	// byStem holds the keywords by the first stem of their first part.
	byStem map[string][]keyword
	// stems are those of all keywords; forms are their longer words as written, to
	// correct towards, with their stems.
	stems map[string]bool
	forms []form
}

func newClassifier() (*classifier, error) {
	l, err := loadLanguage()
	if err != nil {
		return nil, err
	}
	c := &classifier{language: l, byStem: map[string][]keyword{}, stems: map[string]bool{}}
	if err := json.Unmarshal(intentsFile, &c.intents); err != nil {
		return nil, fmt.Errorf("read intents: %w", err)
	}
	forms := map[string]bool{}
	for i := range c.intents {
		if err := c.add(i, forms); err != nil {
			return nil, fmt.Errorf("read intent %s: %w", c.intents[i].Name, err)
		}
	}
	for _, word := range slices.Sorted(maps.Keys(forms)) {
		c.forms = append(c.forms, form{word, stem(word)})
	}
	return c, nil
}

func (c *classifier) add(i int, forms map[string]bool) error {
	in := &c.intents[i]
	if in.Threshold == 0 {
		in.Threshold = defaultThreshold
	}
	if in.Service != "" {
		in.Sources = append(in.Sources, "service/"+in.Service)
	}
	for _, weight := range slices.Sorted(maps.Keys(in.Keywords)) {
		w, err := strconv.ParseFloat(weight, 64)
		if err != nil {
			return fmt.Errorf("weight %q: %w", weight, err)
		}
		for _, phrase := range in.Keywords[weight] {
			k := keyword{intent: i, weight: w}
			for part := range strings.SplitSeq(phrase, " + ") {
				words := c.language.words(part)
				for j, word := range words {
					if len(word) >= shortestCorrected {
						forms[word] = true
					}
					words[j] = stem(word)
					c.stems[words[j]] = true
				}
				k.parts = append(k.parts, words)
			}
			c.addKeyword(k)
		}
	}
	return nil
}

// addKeyword takes forms of the same words as one keyword, with the larger weight.
func (c *classifier) addKeyword(k keyword) {
	first := k.parts[0][0]
	for i, known := range c.byStem[first] {
		if known.intent == k.intent && slices.EqualFunc(known.parts, k.parts, slices.Equal) {
			c.byStem[first][i].weight = max(known.weight, k.weight)
			return
		}
	}
	c.byStem[first] = append(c.byStem[first], k)
}

// token is a word of the text as the keywords see it.
type token struct {
	stem  string
	trust float64
}

func (c *classifier) tokens(text string) []token {
	words := c.language.words(text)
	tokens := make([]token, len(words))
	for i, w := range words {
		tokens[i] = c.token(w)
	}
	return tokens
}

func (c *classifier) token(word string) token {
	s := stem(word)
	if c.stems[s] || len(word) < shortestCorrected || c.language.everyday[word] {
		return token{s, 1}
	}
	for _, f := range c.forms {
		if oneEditApart(word, f.word) || len(s) >= shortestCorrected && oneEditApart(s, f.stem) {
			return token{f.stem, misspelt}
		}
	}
	return token{s, 1}
}

// classify gives the intent of a text; ok is false when nothing was recognised.
func (c *classifier) classify(text string) (in intent, ok bool) {
	scores := c.scores(c.tokens(text))
	best := -1
	for i, score := range scores {
		if score < c.intents[i].Threshold {
			continue
		}
		if c.intents[i].First {
			return c.intents[i], true
		}
		if best < 0 || score > scores[best] {
			best = i
		}
	}
	if best < 0 {
		return intent{}, false
	}
	return c.intents[best], true
}

func (c *classifier) scores(tokens []token) []float64 {
	scores := make([]float64, len(c.intents))
	tried := make(map[string]bool, len(tokens))
	for _, t := range tokens {
		if tried[t.stem] {
			continue
		}
		tried[t.stem] = true
		for _, k := range c.byStem[t.stem] {
			scores[k.intent] += k.weight * k.found(tokens)
		}
	}
	return scores
}

// found is how far the keyword is trusted to stand in the text; 0 if it does not.
func (k keyword) found(tokens []token) float64 {
	trust := 1.0
	for _, part := range k.parts {
		at := slices.IndexFunc(starts(tokens, len(part)), func(run []token) bool {
			return slices.EqualFunc(run, part, func(t token, s string) bool { return t.stem == s })
		})
		if at < 0 {
			return 0
		}
		for _, t := range tokens[at : at+len(part)] {
			trust = min(trust, t.trust)
		}
	}
	return trust
}

// starts lists the runs of n tokens.
func starts(tokens []token, n int) [][]token {
	var runs [][]token
	for i := 0; i+n <= len(tokens); i++ {
		runs = append(runs, tokens[i:i+n])
	}
	return runs
}
