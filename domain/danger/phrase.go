package danger

import (
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// phrase is one line of a data file: words in their order, in the notation of data/README.md.
type phrase struct {
	// parts are parted by " + ": the first is what tells, the others stand anywhere in the text.
	parts []sequence
}

// sequence is a row of items that follow each other.
type sequence []item

// item matches one or more words.
type item struct {
	// word is a phonetic key; begins says that it is only a word's beginning.
	word   string
	begins bool
	// choices are sequences of which one stands here; an empty one stands for nothing.
	choices []sequence
	// gap is up to maxGap words, number a count from leastNumber to mostNumber.
	gap, number bool
	// first and last are the text's beginning, and the end of a sentence.
	first, last bool
}

const (
	maxGap = 4
	// Fewer pills are a dose, more are milligrams.
	leastNumber, mostNumber = 5, 199
)

// Tokens that are no words.
const (
	stop  = "."
	blank = ""
)

// match gives where a sequence that begins at i may end, by asking then for each possible end.
func (s sequence) match(tokens []string, i int, then func(end int) bool) bool {
	if len(s) == 0 {
		return then(i)
	}
	rest := func(end int) bool { return s[1:].match(tokens, end, then) }
	switch it := s[0]; {
	case it.choices != nil:
		for _, choice := range it.choices {
			if choice.match(tokens, i, rest) {
				return true
			}
		}
		return false
	case it.gap:
		for end := i; end <= len(tokens) && end-i <= maxGap; end++ {
			if end > i && (tokens[end-1] == stop || tokens[end-1] == blank) {
				return false
			}
			if rest(end) {
				return true
			}
		}
		return false
	case it.first:
		return i == 0 && rest(i)
	case it.last:
		return (i == len(tokens) || tokens[i] == stop) && rest(i)
	case i >= len(tokens):
		return false
	case it.number:
		n, err := strconv.Atoi(tokens[i])
		return err == nil && leastNumber <= n && n <= mostNumber && rest(i+1)
	}
	return s[0].is(tokens[i]) && rest(i+1)
}

func (it item) is(token string) bool {
	return token == it.word || it.begins && strings.HasPrefix(token, it.word)
}

// at says up to where a phrase tells something that begins at a place of a text.
func (p phrase) at(tokens []string, from int) (to int, ok bool) {
	if to, ok = p.parts[0].at(tokens, from); !ok {
		return 0, false
	}
	for _, part := range p.parts[1:] {
		if !part.in(tokens) {
			return 0, false
		}
	}
	return to, true
}

// at matches one word or more.
func (s sequence) at(tokens []string, from int) (to int, ok bool) {
	ok = s.match(tokens, from, func(end int) bool { to = end; return end > from })
	return to, ok
}

func (s sequence) in(tokens []string) bool {
	for i := range tokens {
		if _, ok := s.at(tokens, i); ok {
			return true
		}
	}
	return false
}

// phrases are looked for by the words that they may begin with.
type phrases struct {
	starting map[string][]phrase
	// others may begin with any word.
	others []phrase
}

func (p *phrases) add(one phrase) {
	words := one.parts[0].starts()
	if words == nil {
		p.others = append(p.others, one)
		return
	}
	if p.starting == nil {
		p.starting = map[string][]phrase{}
	}
	for word := range words {
		p.starting[word] = append(p.starting[word], one)
	}
}

// each gives every place at which one of the phrases stands, until found says that it is enough.
func (p *phrases) each(tokens []string, found func(from, to int) (enough bool)) {
	for i, token := range tokens {
		for _, list := range [][]phrase{p.starting[token], p.others} {
			for _, one := range list {
				if to, ok := one.at(tokens, i); ok && found(i, to) {
					return
				}
			}
		}
	}
}

// starts are the words that a sequence may begin with; nil if it may be any.
func (s sequence) starts() map[string]bool {
	words := map[string]bool{}
	for _, it := range s {
		optional := false
		for _, choice := range it.choices {
			if len(choice) == 0 {
				optional = true
				continue
			}
			first := choice.starts()
			if first == nil {
				return nil
			}
			maps.Copy(words, first)
		}
		switch {
		case optional:
			continue
		case it.choices != nil:
		case it.word == "", it.begins:
			return nil
		default:
			words[it.word] = true
		}
		return words
	}
	return nil
}

// reader turns lines into phrases.
type reader struct {
	lists map[string][]sequence
	// words are all that occur, long enough or not.
	words map[string]bool
}

func (r *reader) phrase(line string) (phrase, error) {
	var p phrase
	for text := range strings.SplitSeq(line, " + ") {
		s, err := r.sequence(text)
		if err != nil {
			return p, fmt.Errorf("%q: %w", line, err)
		}
		if len(s) == 0 {
			return p, fmt.Errorf("%q: says nothing", line)
		}
		p.parts = append(p.parts, s)
	}
	return p, nil
}

// sequence reads items parted by spaces; a group in brackets is one item.
func (r *reader) sequence(text string) (sequence, error) {
	choices, rest, err := r.choices(text)
	switch {
	case err != nil:
		return nil, err
	case rest != "":
		return nil, errors.New("a bracket is closed that is not open")
	case len(choices) > 1:
		return nil, errors.New("choices stand in brackets")
	}
	return choices[0], nil
}

// choices reads sequences parted by "|", up to the end or to a bracket that closes.
func (r *reader) choices(text string) (all []sequence, rest string, err error) {
	var s sequence
	for text = strings.TrimLeft(text, " "); text != "" && text[0] != ')'; text = strings.TrimLeft(text, " ") {
		var it item
		switch text[0] {
		case '|':
			all, s, text = append(all, s), nil, text[1:]
			continue
		case '(':
			if it.choices, text, err = r.choices(text[1:]); err == nil && text == "" {
				err = errors.New("a bracket is not closed")
			}
			text = strings.TrimPrefix(text, ")")
		default:
			end := strings.IndexAny(text+" ", " |()")
			it, err = r.item(text[:end])
			text = text[end:]
		}
		if err != nil {
			return nil, "", err
		}
		s = append(s, it)
	}
	return append(all, s), text, nil
}

func (r *reader) item(word string) (item, error) {
	switch word {
	case "...":
		return item{gap: true}, nil
	case "#":
		return item{number: true}, nil
	case "^":
		return item{first: true}, nil
	case "$":
		return item{last: true}, nil
	}
	if name, ok := strings.CutPrefix(word, "@"); ok {
		choices, known := r.lists[name]
		if !known {
			return item{}, fmt.Errorf("there is no list @%s", name)
		}
		return item{choices: choices}, nil
	}
	stem, begins := strings.CutSuffix(word, "*")
	it := item{word: phoneticKey(stem), begins: begins}
	r.words[it.word] = true
	return it, nil
}
