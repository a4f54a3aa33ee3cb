// Package clinictest tells which form of address a text speaks in.
package clinictest

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"bitacora/domain/clinic"
)

// forms.txt lists the words of one form that cannot be of the other or of the third person:
// anywhere in a sentence, and as its first word, where only a request begins so.
//
//go:embed forms.txt
var formsFile string

var words = func() map[string][]string {
	lists := map[string][]string{}
	for line := range strings.Lines(formsFile) {
		name, list, _ := strings.Cut(line, ": ")
		lists[name] = strings.Fields(list)
	}
	return lists
}()

var (
	// fact is what the program fills in.
	fact = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	// clause is what ends where a request can begin.
	clause = regexp.MustCompile(`[^.:;!?¿¡(«»\n]+`)
	word   = regexp.MustCompile(`\pL+`)
)

// Foreign are the words of a text that are not of a form of address, but of the other one.
func Foreign(form clinic.FormOfAddress, text string) []string {
	other := clinic.FormsOfAddress[1-form].String()
	var found []string
	for _, part := range clause.FindAllString(fact.ReplaceAllString(text, " "), -1) {
		for i, w := range word.FindAllString(strings.ToLower(part), -1) {
			if slices.Contains(words[other+" anywhere"], w) || i == 0 && slices.Contains(words[other+" first"], w) {
				found = append(found, w)
			}
		}
	}
	return found
}
