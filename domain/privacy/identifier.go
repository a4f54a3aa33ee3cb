package privacy

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"bitacora/domain/event"
)

// Kind is a kind of [Identifier].
type Kind string

// The kinds of identifiers.
const (
	KindPhone    Kind = "phone"
	KindEmail    Kind = "email"
	KindDocument Kind = "document"
	// KindName is a full name. Several people may have it, so that it leads from nobody to anybody.
	KindName Kind = "name"
)

// Identifier is something by which a person is found again: one value, however it was written.
// Of a phone number it is the digits, without the prefix of Panama; of an e-mail address its usual
// form; of a document its letters and digits, whether or not they were parted, so that numbers
// which differ only in where they are parted are one. Of a name it is the words in lower case
// without accents.
type Identifier struct {
	Kind  Kind
	Value string
}

// ErrNoIdentifier: a text is not one phone number, e-mail address, document's number or full name.
var ErrNoIdentifier = errors.New("this is neither a phone number, nor an e-mail address, nor the number of a document, nor a full name")

// longestIdentifier is more bytes than anybody needs who says a number in words.
const longestIdentifier = 400

// ParseIdentifier reads what somebody types who looks for a person: a phone number, an e-mail
// address or the number of a document, in any way that [Mask] would find too, or a full name. A word
// before a number says which of them a bare number is: "pasaporte 123456789", "tel 2026612".
func ParseIdentifier(text string) (Identifier, error) {
	if len(text) > longestIdentifier {
		return Identifier{}, ErrNoIdentifier
	}
	for _, cue := range []string{"", "tel ", "documento ", "correo "} {
		switch found := identifiersIn(cue + text); {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return Identifier{}, ErrNoIdentifier
		}
	}
	if name := fullName(text); name.Value != "" {
		return name, nil
	}
	return Identifier{}, ErrNoIdentifier
}

// Mentioned gives every identifier that a text may hold: those that [Mask] finds, and each run of words
// that may be somebody's full name.
func Mentioned(text string) []Identifier {
	found := identifiersIn(text)
	f := fold(text)
	words := f.naming(text, nil).words
	for i := range words {
		for j := i + 1; j < min(len(words), i+longestFullName) && words[j].gap == space; j++ {
			found = append(found, nameOf(words[i:j+1]))
		}
	}
	return distinct(found)
}

// longestFullName is of how many words a full name is made at most, with those like "de la".
const longestFullName = 7

// fullName is the name that a text is; without a value where it is none, or only a part of one.
func fullName(text string) Identifier {
	f := fold(strings.TrimSpace(text))
	n := f.naming(text, nil)
	for i, w := range n.words {
		if i > 0 && w.gap != space {
			return Identifier{}
		}
	}
	if len(n.words) > longestFullName || slices.ContainsFunc(f.text, isDigit) {
		return Identifier{}
	}
	return nameOf(n.words)
}

// nameOf is the full name that some words are: two at least that no sentence needs.
func nameOf(words []word) Identifier {
	plain, names := make([]string, len(words)), 0
	for i, w := range words {
		plain[i] = w.plain
		switch {
		case w.is(particle):
		case w.is(everyday) && !w.is(given|surname):
			return Identifier{}
		case len(w.plain) > 1:
			names++
		}
	}
	if names < 2 {
		return Identifier{}
	}
	return Identifier{KindName, strings.Join(plain, " ")}
}

// Identify gives the identifiers in the personal fields of an event, each once: those of fields
// that hold nothing else, and those in texts, as [Mask] finds them. A text that stands beside its
// masked form is searched only where that hides a contact.
func Identify(fields []event.Field) []Identifier {
	var found []Identifier
	for _, field := range fields {
		value := *field.Value
		switch {
		case value == "" || field.Name == "masked":
		case field.Name == "name":
			found = append(found, fullName(value))
		case field.Name == "phone":
			found = append(found, identified(maskedPhone, fold(value).text))
		case field.Name == "email":
			found = append(found, identified(maskedEmail, fold(value).text))
		case field.Name == "text" && !contactsMasked(fields):
		default:
			found = append(found, identifiersIn(value)...)
		}
	}
	return distinct(found)
}

// contactsMasked says that a text's masked form hides a contact, or that it has none.
func contactsMasked(fields []event.Field) bool {
	at := slices.IndexFunc(fields, func(f event.Field) bool { return f.Name == "masked" })
	if at < 0 {
		return true
	}
	return slices.ContainsFunc([]string{maskedEmail, maskedPhone, maskedDocument}, func(mask string) bool {
		return strings.Contains(*fields[at].Value, mask)
	})
}

func identifiersIn(text string) []Identifier {
	s := newSearch(text, Known{})
	s.patterns(text)
	found := make([]Identifier, len(s.found))
	for i, one := range s.found {
		found[i] = identified(one.mask, []byte(one.plain))
	}
	return distinct(found)
}

// distinct takes out what is there already, and what holds nothing.
func distinct(all []Identifier) []Identifier {
	var some []Identifier
	for _, one := range all {
		if one.Value != "" && !slices.Contains(some, one) {
			some = append(some, one)
		}
	}
	return some
}

// identified is the identifier that a part of a folded text is.
func identified(mask string, plain []byte) Identifier {
	switch mask {
	case maskedEmail:
		return Identifier{KindEmail, normalEmail(string(plain))}
	case maskedPhone:
		return Identifier{KindPhone, normalPhone(plain)}
	default:
		return Identifier{KindDocument, normalDocument(plain)}
	}
}

// normalPhone is the digits of a number: those of Panama without, all others with their prefix.
func normalPhone(plain []byte) string {
	digits := strings.TrimPrefix(string(slices.DeleteFunc(slices.Clone(plain), func(b byte) bool { return !isDigit(b) })), "00")
	if local, ok := strings.CutPrefix(digits, countryCode); ok && (len(local) == 7 || len(local) == 8) {
		return local
	}
	return digits
}

var (
	bracketed   = regexp.MustCompile(`[(\[{<]\s*(@|a|at|arroba|punto|dot|\.)\s*[)\]}>]`)
	saidAt      = regexp.MustCompile(`\s+(?:a|at|arr?o[bv]a|aroba)\s+`)
	saidUnder   = regexp.MustCompile(`\s+(?:guion bajo|raya baja|underscore|underline)\s+`)
	saidDash    = regexp.MustCompile(`\s+(?:guion|raya|dash)\s+`)
	saidPoint   = regexp.MustCompile(`\s+(?:punto|dot)\s+`)
	forgottenAt = regexp.MustCompile(`\s+(` + providers + `)`)
	pointlessAt = regexp.MustCompile(`@(` + providers + `)\s*(com|es|co)?$`)
)

// normalEmail is an address as a mail server takes it, without accents.
func normalEmail(plain string) string {
	text := " " + strings.TrimSpace(plain) + " "
	text = bracketed.ReplaceAllString(text, " $1 ")
	if !strings.Contains(text, "@") {
		text = replaceLast(saidAt, text, "@")
	}
	for _, said := range []struct {
		as    *regexp.Regexp
		plain string
	}{{saidUnder, "_"}, {saidDash, "-"}, {saidPoint, "."}} {
		text = said.as.ReplaceAllString(text, said.plain)
	}
	if !strings.Contains(text, "@") {
		text = replaceLast(forgottenAt, text, "@$1")
	}
	user, host, ok := strings.Cut(text, "@")
	if !ok {
		return ""
	}
	host = strings.Join(strings.Fields(strings.ReplaceAll(host, ",", ".")), " ")
	if at := pointlessAt.FindStringSubmatch("@" + host); at != nil {
		ending := at[2]
		if ending == "" {
			ending = "com"
		}
		host = at[1] + "." + ending
	}
	host = strings.TrimSuffix(strings.Join(strings.Fields(host), ""), ".")
	return strings.Join(strings.Fields(user), "") + "@" + host
}

// replaceLast replaces the last place at which a pattern fits.
func replaceLast(pattern *regexp.Regexp, text, by string) string {
	all := pattern.FindAllStringIndex(text, -1)
	if all == nil {
		return text
	}
	at := all[len(all)-1]
	return text[:at[0]] + pattern.ReplaceAllString(text[at[0]:at[1]], by) + text[at[1]:]
}

var (
	documentDigits = regexp.MustCompile(`[a-z]+|\d+`)
	checkedBehind  = regexp.MustCompile(`,?\s?d\.?v\.?:?\s?\d{1,2}$`)
)

// normalDocument is the letters and digits of a number, without the zeros that its parts begin
// with and without the digits it is checked by.
func normalDocument(plain []byte) string {
	var b strings.Builder
	for _, part := range documentDigits.FindAllString(string(checkedBehind.ReplaceAll(plain, nil)), -1) {
		switch {
		case part == "guion" || part == "raya":
		case isDigit(part[0]) && len(part) > 1:
			b.WriteString(strings.TrimLeft(part[:len(part)-1], "0") + part[len(part)-1:])
		default:
			b.WriteString(part)
		}
	}
	return b.String()
}
