package details

import (
	"cmp"
	"regexp"
	"strings"

	"bitacora/adapters/assistant/words"
	"bitacora/domain/privacy"
)

// Completes says that a name is a known one with more of it: "Ana Ruiz" of "Ana".
func Completes(name, known string) bool { return known != "" && strings.HasPrefix(name, known+" ") }

// pair are two people, often of one family name: "Ana y Luis Ruiz".
var pair = regexp.MustCompile(`(?i)^(\p{L}+)((?: \p{L}+)*?) (?:and|y|e|&) (\p{L}+)((?: \p{L}+)*)$`)

// firstOfPair is the one of two people who is named first, with the family name of both; any other text as it is.
func firstOfPair(text string) string {
	m := pair.FindStringSubmatch(strings.Trim(text, " .,!"))
	if m == nil || !privacy.GivenName(words.Plain(m[1]), true) || !privacy.GivenName(words.Plain(m[3]), true) {
		return text
	}
	return m[1] + cmp.Or(m[2], m[4])
}
