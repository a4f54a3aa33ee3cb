package demo

import (
	"embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed data
var data embed.FS

// script is what is said in one language. Texts have alternatives, "{Hola|Buenas}", and
// facts, "$phone".
type script struct {
	Greeting   []exchange `json:"greeting"`
	Thanks     []exchange `json:"thanks"`
	Gibberish  []exchange `json:"gibberish"`
	Correction []exchange `json:"correction"`
	// Accept, Name, Contact and Both are how a contact is left.
	Accept  []exchange `json:"accept"`
	Name    []exchange `json:"name"`
	Contact []exchange `json:"contact"`
	Both    []exchange `json:"both"`
	// Day, Pick and Confirm book in the chat; Form and Call lead to a booking elsewhere.
	Day     []exchange `json:"day"`
	Pick    []exchange `json:"pick"`
	Confirm []exchange `json:"confirm"`
	Form    []exchange `json:"form"`
	Call    []exchange `json:"call"`
	// Attention is what the staff is to hear of, whatever the conversation is about.
	Attention []exchange `json:"attention"`
	// Groups are the topics of the profile.
	Groups map[string]group `json:"groups"`
}

type group struct {
	Openings  []exchange `json:"openings"`
	Followups []exchange `json:"followups"`
	// Unanswered are questions that the clinic's content has no answer to.
	Unanswered []exchange `json:"unanswered"`
}

// exchange is a visitor's message and the reply to it.
type exchange struct {
	// Topic is what the assistant takes the message to be about.
	Topic string   `json:"topic"`
	Ask   []string `json:"ask"`
	Reply []string `json:"reply"`
	// Sources are the pieces of content that the reply is based on.
	Sources []string `json:"sources"`
	// Tool says that the assistant looks something up.
	Tool bool `json:"tool"`
	// Unanswered says that the reply has no answer.
	Unanswered bool `json:"unanswered"`
	// Taught is the answer that the staff taught for it, by its slug; empty for none.
	Taught string `json:"taught"`
	// Flag is what in the message asks for the staff's attention; empty for nothing.
	Flag string `json:"flag"`
}

type people struct {
	First []string `json:"first"`
	Last  []string `json:"last"`
}

func loadScripts() (map[string]*script, people, error) {
	scripts := map[string]*script{"es": {}, "en": {}}
	var p people
	for name, into := range map[string]any{"es": scripts["es"], "en": scripts["en"], "people": &p} {
		text, err := data.ReadFile("data/" + name + ".json")
		if err != nil {
			return nil, p, fmt.Errorf("read demo texts: %w", err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			return nil, p, fmt.Errorf("read demo texts %s: %w", name, err)
		}
	}
	for _, s := range scripts {
		for _, g := range s.Groups {
			for i := range g.Unanswered {
				g.Unanswered[i].Unanswered = true
			}
		}
	}
	return scripts, p, nil
}

// spin chooses among the alternatives of a text: "{Hola|Buenas{ tardes|}}".
func spin(r *rand.Rand, text string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			b.WriteString(text)
			return tidy(b.String())
		}
		b.WriteString(text[:open])
		options, rest := alternatives(text[open+1:])
		b.WriteString(spin(r, one(r, options)))
		text = rest
	}
}

// alternatives splits what follows an opening brace, and gives what comes after the
// closing one.
func alternatives(text string) (options []string, rest string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch c := text[i]; {
		case c == '{':
			depth++
		case c == '}' && depth == 0:
			return append(options, text[from:i]), text[i+1:]
		case c == '}':
			depth--
		case c == '|' && depth == 0:
			options, from = append(options, text[from:i]), i+1
		}
	}
	return append(options, text[from:]), ""
}

// tidy drops the space that an empty alternative leaves behind. A space at an end is
// kept: it may be an alternative's own.
func tidy(text string) string {
	for _, sign := range []string{"?", ".", ",", "!"} {
		text = strings.ReplaceAll(text, " "+sign, sign)
	}
	for strings.Contains(text, "  ") {
		text = strings.ReplaceAll(text, "  ", " ")
	}
	return text
}

// habit is how one visitor writes.
type habit struct {
	lang                     string
	capitals, sloppy, polite bool
}

var unaccented = strings.NewReplacer("á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u", "Á", "A", "É", "E", "Í", "I", "Ó", "O", "Ú", "U", "¿", "", "¡", "")

var shortened = map[string]string{
	"que": "q", "qué": "q", "porque": "xq", "por qué": "xq", "para": "pa", "también": "tb", "por": "x", "estoy": "toy", "gracias": "grax", "favor": "fa", "dónde": "dnd", "muy": "muyyy",
}

// write is a message as the visitor types it.
func (h habit) write(r *rand.Rand, text string) string {
	if !h.polite {
		text = strings.NewReplacer("¿", "", "¡", "").Replace(text)
	}
	if h.lang == "es" && r.Float64() < profile.noAccents {
		text = unaccented.Replace(text)
	}
	words := strings.Split(text, " ")
	if h.sloppy {
		for i, w := range words {
			if short, ok := shortened[strings.ToLower(w)]; ok {
				words[i] = short
			}
		}
	}
	if r.Float64() < profile.typo {
		i := r.IntN(len(words))
		words[i] = mistype(r, words[i])
	}
	text = strings.Join(words, " ")
	switch {
	case h.capitals:
		text = shout(text)
	case !h.polite && r.Float64() < 0.7:
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToLower(first)) + text[size:]
	}
	if bare := strings.TrimRight(text, "?."); !h.polite && bare != "" && r.Float64() < 0.3 {
		return bare
	}
	return text
}

// shout puts a text in capitals, but not the names of facts.
func shout(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		if !strings.Contains(w, "$") {
			words[i] = strings.ToUpper(w)
		}
	}
	return strings.Join(words, " ")
}

// mistype swaps, drops or doubles a letter of a word that is long enough for it.
func mistype(r *rand.Rand, word string) string {
	letters := []rune(word)
	if len(letters) < 5 || strings.Contains(word, "$") {
		return word
	}
	i := 1 + r.IntN(len(letters)-2)
	switch r.IntN(3) {
	case 0:
		letters[i], letters[i+1] = letters[i+1], letters[i]
		return string(letters)
	case 1:
		return string(letters[:i]) + string(letters[i+1:])
	}
	return string(letters[:i]) + string(letters[i]) + string(letters[i:])
}
