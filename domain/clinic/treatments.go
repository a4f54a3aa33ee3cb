package clinic

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
)

//go:embed treatments.json
var treatmentsJSON []byte

// treatments are the words by which texts name the services that the project brings along, by slug.
var treatments = func() (all map[string][]string) {
	if err := json.Unmarshal(treatmentsJSON, &all); err != nil {
		panic(err)
	}
	return all
}()

// mention is a service that a file names, and the words by which it does.
type mention struct{ file, service, words string }

// unoffered are the services that texts name and no service of the clinic is called, one of each in a file. The
// answers of the chat are left out: each names its service, and is not given without that.
func (c Content) unoffered() (found []mention) {
	texts := map[string]string{}
	for file, text := range c.Files() {
		if !strings.HasPrefix(file, answerFiles+"/") && file != pictureTexts && file != noticeFile {
			texts[file] = inEachForm(string(text))
		}
	}
	var offered strings.Builder
	for _, s := range c.Services {
		offered.WriteString(inEachForm(s.Title + "\n" + s.Slug))
	}
	for slug, words := range treatments {
		if _, there := serviceOf(c.Services, slug); there || firstOf(words, offered.String()) != "" {
			continue
		}
		for file, text := range texts {
			if said := firstOf(words, text); said != "" {
				found = append(found, mention{file, slug, said})
			}
		}
	}
	return found
}

// inEachForm are the plain words of a text in each form of address, with a space on both sides.
func inEachForm(text string) string {
	return " " + strings.Join(eachOf(FormsOfAddress[:], func(form FormOfAddress) string { return PlainWords(form.In(text)) }), " ") + " "
}

// firstOf is the first of some words that plain words contain; empty where they contain none.
func firstOf(words []string, plain string) string {
	i := slices.IndexFunc(words, func(w string) bool { return strings.Contains(plain, " "+PlainWords(w)+" ") })
	if i < 0 {
		return ""
	}
	return words[i]
}
