package privacy

import (
	"bytes"
	"slices"
	"strings"
)

// halfDigits is how many digits people write of a telephone at a time.
const halfDigits = 4

// contacts finds telephones and addresses that are known, however they are spaced.
func (f *folded) contacts(known []string, take func(mask string) func(i, j int)) {
	for _, one := range known {
		if strings.Contains(one, "@") {
			f.eachText(fold(one).text, anyByte, take(maskedEmail))
			continue
		}
		if digits := digitsOf(one); len(digits) >= fewestOfDocument {
			f.eachText(digits, isDigit, take(maskedPhone))
			f.eachText(national(digits), isDigit, take(maskedPhone))
		}
	}
}

// halves finds the halves of telephones that are known, where each stands by itself: they may be
// spread over a message, or over two.
func (f *folded) halves(known []string, take func(i, j int)) {
	for _, one := range known {
		digits := national(digitsOf(one))
		if strings.Contains(one, "@") || len(digits) < fewestDigits || len(digits) > 2*halfDigits {
			continue
		}
		for _, half := range [][]byte{digits[:len(digits)-halfDigits], digits[len(digits)-halfDigits:]} {
			if len(half) == halfDigits && !isYear(half) {
				f.eachText(half, isDigit, func(i, j int) {
					if !f.amongDigits(i, j) {
						take(i, j)
					}
				})
			}
		}
	}
}

// amongDigits says that other digits stand beside a part, as in a list of them.
func (f *folded) amongDigits(i, j int) bool {
	before := bytes.TrimRight(f.text[:i], " -.")
	after := bytes.TrimLeft(f.text[j:], " -.")
	return len(before) > 0 && isDigit(before[len(before)-1]) || len(after) > 0 && isDigit(after[0])
}

// isYear says that four digits are more often a year.
func isYear(digits []byte) bool {
	return bytes.HasPrefix(digits, []byte("19")) || bytes.HasPrefix(digits, []byte("20"))
}

func digitsOf(text string) []byte {
	return slices.DeleteFunc(fold(text).text, func(b byte) bool { return !isDigit(b) })
}

// national are the digits of a telephone without the country's code.
func national(digits []byte) []byte {
	if len(digits) > 2*halfDigits {
		return bytes.TrimPrefix(digits, []byte(countryCode))
	}
	return digits
}
