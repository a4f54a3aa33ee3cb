package privacy

import (
	"bytes"
	"regexp"
)

// The parts of an address, as people write and say them.
const (
	mailLabel = `[\p{L}0-9][\p{L}0-9\-]*`
	mailDot   = `(?:\s?[.,]\s?|\s*[(\[]\s*(?:punto|dot|\.)\s*[)\]]\s*|\s+(?:punto|dot)\s+)`
	// saidDot stands within the part before the @.
	saidDot  = `(?:\s*[(\[]\s*(?:punto|dot)\s*[)\]]\s*|\s+(?:punto|dot|guion bajo|guion|raya baja|raya|underscore|underline|dash)\s+)`
	mailUser = `[\p{L}0-9._%+'\-]*[\p{L}0-9_](?:` + saidDot + `[\p{L}0-9._%+'\-]*[\p{L}0-9_])*`
	// providers need no domain behind them.
	providers = `(?:g ?mail|gmial|gmai|hot ?mail|hotmal|yahoo|outlook|icloud|live|protonmail|msn)`
	endings   = `(?:com|con|net|org|edu|gob|gov|ac|es|pa|co|mx|cr|info|me|us|uk|ca|io|dev)`
	mailAt    = `(?:\s?@\s?|\s*[(\[{<]\s*(?:@|a|at|arroba)\s*[)\]}>]\s*|\s+(?:arr?o[bv]a|aroba)\s+)`
	mailHost  = `(?:(?:` + mailLabel + mailDot + `){1,4}?` + endings + `(?:\s?[.,]\s?(?:pa|mx|co|es|cr|uk|ar))?\b|` +
		mailLabel + `(?:\.` + mailLabel + `)*\.\p{L}{2,}|` + providers + `(?:\s?(?:[.,]\s?|punto\s)?com)?\b)`
)

var addresses = []*regexp.Regexp{
	regexp.MustCompile(`(?:[\p{L}._\-]+ \d+|` + mailUser + `)` + mailAt + mailHost),
	// English "at", which says a place, too.
	regexp.MustCompile(mailUser + `\s+at\s+(?:` + mailLabel + `(?:\s+dot\s+` + mailLabel + `)+|` + providers + `(?:\.com|\b))`),
	// The @ is forgotten.
	regexp.MustCompile(`[\p{L}.\-]*[\d._][\p{L}\d._\-]*\s+` + providers + `(?:` + mailDot + `|\s)(?:com|es|co)\b`),
	regexp.MustCompile(`(?:correo|e-?mail|mail)(?: electronico)?(?: es| is)?:? ([\p{L}\d._\-]+\s+` + providers + `(?:` + mailDot + `|\s)(?:com|es|co))\b`),
}

// saidBefore are the words of an address that is said: "mi correo es ana perez arroba gmail".
var saidBefore = regexp.MustCompile(`(?:correo|e-?mail|mail)(?: electronico)?(?: es| is)?[:,]? ((?:[\p{L}0-9]+ ){1,3})$`)

// saidReach is how far before an address its words are looked for.
const saidReach = 96

// linking words are no part of an address.
var linking = regexp.MustCompile(`^(?:es|is|seria|mi)\b`)

// accounts stand before the name of an account that is public.
var accounts = regexp.MustCompile(`^(?:instagram|insta|ig|facebook|face|tiktok|twitter|redes|en)\s?@`)

func (f *folded) mayHoldAddress() bool {
	for _, sign := range []string{"@", "arroba", "arrova", "aroba", " at ", "(a)", "[a]", "(at)", "[at]", "mail", "yahoo", "outlook", "icloud"} {
		if bytes.Contains(f.text, []byte(sign)) {
			return true
		}
	}
	return false
}

func (f *folded) emails(take func(i, j int)) {
	if !f.mayHoldAddress() {
		return
	}
	for _, pattern := range addresses {
		for _, at := range pattern.FindAllSubmatchIndex(f.text, -1) {
			i, j := at[0], at[1]
			if len(at) > 2 {
				i, j = at[2], at[3]
			}
			if accounts.Match(f.text[i:j]) || bytes.IndexByte(f.text[i:j], hidden) >= 0 {
				continue
			}
			if bytes.IndexByte(f.text[i:j], '@') < 0 {
				if before := saidBefore.FindSubmatchIndex(f.text[max(0, i-saidReach):i]); before != nil {
					if from := max(0, i-saidReach) + before[2]; !linking.Match(f.text[from:]) {
						i = from
					}
				}
			}
			take(i, j)
		}
	}
}
