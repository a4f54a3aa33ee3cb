// Package privacy decides what of a text is personal and how it is hidden.
package privacy

import (
	"regexp"
	"strings"
	"unicode"

	"bitacora/domain/spelling"
)

// What a masked contact detail is replaced by, in the words of staff who read it.
const (
	maskedEmail    = "[correo]"
	maskedPhone    = "[teléfono]"
	maskedDocument = "[documento]"
	maskedName     = "[nombre]"
)

var (
	email = regexp.MustCompile(`(?i)[\p{L}\p{N}._%+\-]+@[\p{L}\p{N}.\-]+\.\p{L}{2,}`)
	// A Panamanian identity number: province, book, entry (8-123-4567, PE-12-345, E-8-12345).
	document = regexp.MustCompile(`(?i)\b(?:PE|E|N|\d{1,2}(?:AV|PI)?)-\d{1,4}-\d{3,6}\b`)
	// Seven digits or more, as people space them: telephone, card and account numbers.
	number = regexp.MustCompile(`[+(]*\d(?:[ .()\-]{0,2}\d){6,}`)
	// A number that is a date, perhaps with the hour that follows it.
	date = regexp.MustCompile(`^(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[-.]\d{1,2}[-.]\d{4})(?: \d{1,2})?$`)
)

// MaskContacts hides e-mail addresses, identity numbers and any number long enough to
// be a telephone's, but for the public ones: what the clinic itself gives everybody.
// Applying it to its own result changes nothing.
func MaskContacts(text string, public ...string) string {
	if !strings.ContainsAny(text, "@0123456789") {
		return text // as most messages, and the patterns are slow to find that out
	}
	text = email.ReplaceAllStringFunc(text, func(found string) string {
		for _, known := range public {
			if strings.EqualFold(found, known) {
				return found
			}
		}
		return maskedEmail
	})
	text = document.ReplaceAllStringFunc(text, unlessDate(maskedDocument))
	mask := unlessDate(maskedPhone)
	return number.ReplaceAllStringFunc(text, func(found string) string {
		for _, known := range public {
			if d := spelling.Digits(known); d != "" && d == spelling.Digits(found) {
				return found
			}
		}
		return mask(found)
	})
}

// MaskName hides a person's name where it stands as whole words. Applying it to its own result
// changes nothing.
func MaskName(text, name string) string {
	name = strings.TrimSpace(name)
	if !strings.ContainsFunc(name, unicode.IsLetter) || !strings.Contains(text, name) {
		return text
	}
	// A pattern is valid UTF-8.
	text, name = strings.ToValidUTF8(text, "\ufffd"), strings.ToValidUTF8(name, "\ufffd")
	whole := regexp.MustCompile(`(^|[^\p{L}\p{N}])` + regexp.QuoteMeta(name) + `($|[^\p{L}\p{N}])`)
	for range 2 { // names side by side share what stands between them
		text = whole.ReplaceAllString(text, "${1}"+maskedName+"${2}")
	}
	return text
}

func unlessDate(mask string) func(string) string {
	return func(found string) string {
		if date.MatchString(found) {
			return found
		}
		return mask
	}
}
