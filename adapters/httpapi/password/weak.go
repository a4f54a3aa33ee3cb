package password

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ccojocar/zxcvbn-go"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// Reasons to refuse a new password.
const (
	ErrCommon = Refusal("La contraseña es demasiado fácil de adivinar: use varias palabras que no vayan juntas, o deje que un gestor de contraseñas la elija.")
	ErrOwn    = Refusal("La contraseña no puede apoyarse en el nombre de la cuenta ni en el de la clínica.")
)

// safeScore is zxcvbn's for what takes more than 10^10 guesses.
const safeScore = 3

// shortestName is the length, in characters, from which a name is told from a syllable.
const shortestName = 4

// spanish are words that Spanish passwords are often made of, beside those that zxcvbn knows.
//
//go:embed spanish.txt
var spanish string

// New is [Hash] for a password that somebody chose. It refuses, besides, what guessers try
// first ([ErrCommon]), and what is made of names that they know ([ErrOwn]): the account's
// e-mail address, the clinic's name.
func New(password string, names ...string) (string, error) {
	if err := checkLength(password); err != nil {
		return "", err
	}
	plain := fold(password)
	var own []string
	for _, name := range names {
		local, _, _ := strings.Cut(name, "@")
		own = append(own, squeeze(fold(local)))
		own = append(own, strings.FieldsFunc(fold(name), apart)...)
	}
	if taken := namedPart(plain, own); taken > 0 && utf8.RuneCountInString(plain)-taken < MinLength {
		return "", ErrOwn
	}
	if zxcvbn.PasswordStrength(unit(plain), append(own, strings.Fields(spanish)...)).Score < safeScore {
		return "", ErrCommon
	}
	return Hash(password)
}

// namedPart is how many characters of a text are names.
func namedPart(plain string, names []string) int {
	longestFirst := slices.SortedFunc(slices.Values(names), func(a, b string) int { return len(b) - len(a) })
	text := squeeze(plain)
	rest := text
	for _, name := range longestFirst {
		if utf8.RuneCountInString(name) >= shortestName {
			rest = strings.ReplaceAll(rest, name, "")
		}
	}
	return utf8.RuneCountInString(text) - utf8.RuneCountInString(rest)
}

// fold leaves lower case without accents, in which words are looked up.
func fold(text string) string {
	// A transformer keeps a state.
	unaccented := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
	plain, _, err := transform.String(unaccented, text)
	if err != nil {
		plain = text
	}
	return strings.ToLower(plain)
}

func apart(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// squeeze leaves letters and digits.
func squeeze(text string) string {
	return strings.Join(strings.FieldsFunc(text, apart), "")
}

// unit is what a text repeats, or the text itself.
func unit(text string) string {
	if text == "" {
		return text
	}
	return text[:1+strings.Index((text + text)[1:], text)]
}
