package privacy

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

var (
	// tight stands between the parts of a number as it is written, loose as it is said.
	tight = regexp.MustCompile(`^(?: |[ ]?[-_*/~]{1,2} ?|\.| ?[)\]] ?-? ?| ?-? ?[(\[])$`)
	loose = regexp.MustCompile(`^[ \n\-./()\[\]_*~,;|"'>]*(?:(?:y|i|luego|despues|guion|raya|espacio|punto|coma|and|then|dash|sigue|seguido de|mas)[ \n,.]+){0,3}$`)
	// phoneCue says that a telephone number is near.
	phoneCue = regexp.MustCompile(`\b(?:tel|tels|telefonos?|telf|cel|celu|celular|cell|movil|numeros?|num|nro|no|whatsapps?|watsap|wasap|whats|wsp|wasa|llam[a-z]*|marc[a-z]*|marqu[a-z]*|escrib[a-z]*|contact[a-z]*|call|text|phone|mobile|number|fijo|yappy|oficina|comuni[a-z]*)\b`)
	// glued are the words after which people leave no space.
	glued = regexp.MustCompile(`(?:^|[^a-z])(?:t|c|no|ws|es|al|wa)$`)
	// gluedCue are those that say that a telephone number follows, also one in groups.
	gluedCue  = regexp.MustCompile(`(?:^|[^a-z])(?:tel|telf|tlf|telefono|cel|celu|celular|cell|movil|numero|num|nro|whatsapp|wasap|watsap|whats|wsp|wasa|wpp|wp|ws|wa|phone|fijo|contacto|casa|ofi|oficina|llamar|llamen)$`)
	plus      = regexp.MustCompile(`(?:\+ ?\(? ?|\(\+ ?|\bmas )$`)
	extension = regexp.MustCompile(`^,? ?(?:ext(?:ension)?|int)\.? ?\d{1,5}\b`)
	open      = regexp.MustCompile(`[(\[]+$`)
	// mobile is Panama's, local the form of its other numbers.
	mobile = regexp.MustCompile(`^(?:00)?(?:507)?6\d{7}$`)
	local  = regexp.MustCompile(`^(?:(?:507)?[2-57-9]\d{6}|6\d{6})$`)
)

// countryCode is Panama's, which people leave out.
const countryCode = "507"

// Bounds of what is one number.
const (
	fewestDigits = 7
	mostDigits   = 19
	mostGroups   = 24
	cueReach     = 48
)

// group is a run of digits in a number.
type group struct {
	span
	digits string
	// loosely says that something stands before it that is said, and not written, in a number.
	loosely bool
	// inWords says that the number was told in words.
	inWords bool
}

func (f *folded) phones(text string, take func(i, j int)) {
	if !slices.ContainsFunc(f.runs(text), longEnough) {
		return
	}
	f.hideOrdinary()
	for _, run := range f.runs(text) {
		begins := true
		for longEnough(run) {
			n := f.phone(run, begins)
			begins = n > 0
			if n > 0 {
				to := run[n-1].to
				take(f.withPrefix(run[0].from), to+len(extension.Find(f.text[to:])))
			}
			run = run[max(n, 1):]
		}
	}
}

// longEnough says that a run has the digits of a number.
func longEnough(run []group) bool {
	digits := 0
	for _, g := range run {
		if digits += len(g.digits); digits >= fewestDigits {
			return true
		}
	}
	return false
}

// runs are the digits that may be parts of one number.
func (f *folded) runs(text string) [][]group {
	var runs [][]group
	last := 0
	for _, at := range someDigits.FindAllIndex(f.text, -1) {
		i, j := at[0], at[1]
		if i > 0 && isLetter(f.text[i-1]) {
			before := f.text[max(0, i-16):i]
			if !gluedCue.Match(before) && (j-i < fewestDigits || !glued.Match(before)) {
				last = 0
				continue
			}
		}
		if j < len(f.text) && isLetter(f.text[j]) && j-i < fewestDigits {
			last = 0
			continue
		}
		from, to := f.original(i, j)
		g := group{span{i, j}, string(f.text[i:j]), false, strings.ContainsFunc(text[from:to], unicode.IsLetter)}
		switch gap := f.text[last:i]; {
		case last == 0 || i-last > 32 || !tight.Match(gap) && !loose.Match(gap):
			runs = append(runs, nil)
		default:
			g.loosely = !tight.Match(gap)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], g)
		last = j
	}
	return runs
}

// phone is of how many groups the number is made that a run begins with; 0 if it begins with none.
// The rest of a list is one only if it is a mobile number of Panama's, or stands apart and is
// written: else a list would end in a number, and once that is masked, in another.
func (f *folded) phone(run []group, begins bool) int {
	run = run[:min(len(run), mostGroups)]
	digits, tightly := "", 0
	international := plus.Match(f.text[max(0, run[0].from-5):run[0].from])
	cued := f.cued(run[0].from)
	for n, g := range run {
		if n > 0 && (g.loosely && tightly == 0) {
			tightly = n
		}
		digits += g.digits
		if mobile.MatchString(digits) && !listed(run[:n+1], cued) || international && len(digits) == len("5072001234") && strings.HasPrefix(digits, "507") && local.MatchString(digits) {
			return n + 1
		}
	}
	if tightly == 0 {
		tightly = len(run)
	}
	if !begins {
		written := slices.ContainsFunc(run[:tightly], func(g group) bool { return len(g.digits) > 2 && !g.inWords })
		if run[0].loosely && written && f.likely(run[:tightly], true, international, cued) {
			return tightly
		}
		return 0
	}
	for _, n := range []int{tightly, len(run)} {
		if f.likely(run[:n], n == tightly, international, cued) {
			return n
		}
	}
	return 0
}

// likely says that groups are a telephone, card or account number. Whole says that they are
// written and not said.
func (f *folded) likely(run []group, whole, international, cued bool) bool {
	digits := ""
	inWords := true
	sizes := make([]int, len(run))
	for i, g := range run {
		digits += g.digits
		sizes[i] = len(g.digits)
		inWords = inWords && g.inWords
	}
	n := len(digits)
	longest := slices.Max(sizes)
	switch {
	case n < fewestDigits || n > mostDigits && longest < fewestDigits || len(run) == mostGroups:
		return false
	case international && whole:
		return true
	case len(run) == 1:
		return cued || !solidDate.MatchString(digits) || !isSolidDate(digits)
	case listed(run, cued):
		return false
	case cued:
		return n <= 15 || whole
	case longest == 1:
		return true
	case inWords:
		return local.MatchString(digits) && n == fewestDigits && sizes[0] != 2 || whole && longest >= 3
	}
	last := sizes[len(sizes)-1]
	threes := slices.Min(sizes) == 3 && longest == 3 && digits[0] >= '6'
	return whole && longest >= 3 && (last >= 4 || threes || len(sizes) > 3 && longest >= 4 || local.MatchString(digits) && sizes[0] == 3)
}

// listed says that groups are a list of numbers: teeth, years, round or consecutive ones.
func listed(run []group, cued bool) bool {
	if len(run) < 2 {
		return false
	}
	values := make([]int, len(run))
	years, round, steps, permanent, milk := true, true, true, true, true
	for i, g := range run {
		values[i], _ = strconv.Atoi(g.digits)
		v := values[i]
		two := len(g.digits) == 2
		years = years && len(g.digits) == 4 && 1900 <= v && v < 2100
		round = round && len(g.digits) >= 2 && v%25 == 0 || round && len(g.digits) == 3 && v%5 == 0
		steps = steps && (i == 0 || v == values[i-1]+1)
		permanent = permanent && two && 11 <= v && v <= 48 && 1 <= v%10 && v%10 <= 8
		milk = milk && two && 51 <= v && v <= 85 && 1 <= v%10 && v%10 <= 5
	}
	return (steps || years || permanent || milk || round && run[0].digits[0] != '6') && !cued || steps && len(run) > 2
}

func isSolidDate(digits string) bool {
	day, month := digits[:2], digits[2:4]
	if year, _ := strconv.Atoi(digits[:4]); 1900 <= year && year < 2100 {
		day, month = digits[6:], digits[4:6]
	}
	return validDay([]byte(day), []byte(month))
}

// cued says that a word before a number says that it is one to call.
func (f *folded) cued(at int) bool { return phoneCue.Match(f.text[max(0, at-cueReach):at]) }

// withPrefix takes in the sign and the bracket that a number begins with.
func (f *folded) withPrefix(from int) int {
	near := max(0, from-6)
	if at := plus.FindIndex(f.text[near:from]); at != nil {
		from = near + at[0]
	}
	if at := open.FindIndex(f.text[near:from]); at != nil && near < from {
		from = near + at[0]
	}
	return from
}
