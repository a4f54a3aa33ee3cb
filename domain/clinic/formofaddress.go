package clinic

import (
	"fmt"
	"regexp"
	"strings"
)

// FormOfAddress is how the clinic's texts speak to whoever reads them.
type FormOfAddress int

// The forms of address; [Tu] is the one of a clinic that says none.
const (
	Tu FormOfAddress = iota
	Usted
)

// FormsOfAddress are all of them.
var FormsOfAddress = [...]FormOfAddress{Tu, Usted}

// String is the pronoun, by which a configuration file names the form.
func (f FormOfAddress) String() string { return [...]string{"tú", "usted"}[f] }

// MarshalText implements [encoding.TextMarshaler].
func (f FormOfAddress) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (f *FormOfAddress) UnmarshalText(text []byte) error {
	for _, form := range FormsOfAddress {
		if form.String() == string(text) {
			*f = form
			return nil
		}
	}
	return fmt.Errorf("%q is neither %q nor %q", text, Tu, Usted)
}

// addressed is a pair of words in a text, "{puedes|puede}", for tú and for usted. The name of a
// fact or an action of a template, in two braces, is none.
var addressed = regexp.MustCompile(`\{\{.*?\}\}|\{([^{}|\n]*)\|([^{}|\n]*)\}`)

// In is a text in a form of address: of every pair like "{puedes|puede}" the word of the form is
// left. A text without pairs is the same in both.
func (f FormOfAddress) In(text string) string {
	return addressed.ReplaceAllStringFunc(text, func(found string) string {
		pair := addressed.FindStringSubmatch(found)
		if strings.HasPrefix(found, "{{") {
			return found
		}
		return pair[1+int(f)]
	})
}
