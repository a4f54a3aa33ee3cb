package privacy

import (
	"bytes"
	"regexp"
)

const (
	birthSep   = `\s?[-./_ ]\s?`
	birthDay   = `(?:\d{1,2}(?:e?ro|o|st|nd|rd|th)?|primero)`
	birthMonth = `(?: del? | of |,? ?[-/. ] ?)` + monthNames + `\.?`
	birthDate  = `(?:\d{1,2}` + birthSep + `(?:0 )?\d{1,2}` + birthSep + `(?:\d{4}|\d{2})|\d{4}` + birthSep + `\d{1,2}` + birthSep + `\d{1,2}|` +
		`\d{1,2} del? (?:mes )?\d{1,2} del? (?:ano )?(?:\d{4}|\d{2})|` +
		birthDay + birthMonth + `(?:(?:,? del?(?: ano)?|,| ?[-/.])? ?'?(?:(?:19|20)?\d\d))?|` +
		monthNames + `\.? (?:the )?\d{1,2}(?:st|nd|rd|th)?(?:,? (?:of )?(?:19|20)\d\d)?)\b`
	// birthWord says that somebody's birth follows, bornOn that the date of it does, over the place or the weekday.
	birthWord = `(?:nac(?:i|io|ida|ido|imiento)|f\.?[ /]?(?:de )?n\.?|(?:f(?:echa|ech|ec)?\.? ?(?:de )?)?nac\.?|b-?day|birth(?:day|date)?|born|dob|d\.o\.b\.?)`
	cakeWord  = `(?:cumple(?:anos)?|cumplo(?: anos)?)`
	bornOn    = `[\s:.,=]*(?:(?:es|fue|era|el|la|un|una|dia|en|on|in|is|was|the|de|del|ano|mi|su|hij[oa]|espos[oa])[\s:]+)*`
	// solidBirth is a date of six or eight digits.
	solidBirth = `(?:(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)?\d\d|(?:19|20)?\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))\b`
)

var (
	// births are the dates on which somebody was born, before or behind a word that says so.
	births = []*regexp.Regexp{
		regexp.MustCompile(`\b(?:` + birthWord + `|` + cakeWord + `)` + bornOn + `(` + birthDate + `)`),
		regexp.MustCompile(`\b` + birthWord + `[\s:]+(?:[a-z]+[\s:]+){0,4}(` + birthDate + `)`),
		regexp.MustCompile(`\b` + birthWord + bornOn + `(` + solidBirth + `|` + monthNames + `,? (?:del? |of )?(?:19|20)\d\d\b)`),
		regexp.MustCompile(`\b(?:ano de nacimiento|year of birth)[\s:]+(?:es |is )?((?:19|20)\d\d)\b`),
		regexp.MustCompile(`\bmi ` + cakeWord + bornOn + `(\d{1,2}[-/]\d{1,2})(?:$|[^\d/-])`),
		regexp.MustCompile(`(?:^|[^\d/.-])(` + birthDate + `),? (?:es |fue |is |\()?(?:mi |su |la |my )?(?:fecha de nac|dia de nac|nacimiento|naci\b|cumple|birth|date of birth|dob\b)`),
	}
	// besideBirth is a date by itself in a list, where something personal was masked already.
	besideBirth = regexp.MustCompile(`(?:^|[,;:/|\n\x01-])[ \x01]*(` + birthDate + `)\s*(?:$|[,;/|.\n\x01-])`)
	// bornIn is a date of which somebody is.
	bornIn = regexp.MustCompile(`\b(?:soy|mi fecha(?: es)?|(?:nin[oa]|hij[oa]|bebe) es)[ :]+(?:de |del |nacid[oa] )*(` + birthDate + `)`)
	// pastYear ends or begins a date that is too long ago for an appointment.
	pastYear = regexp.MustCompile(`^(?:19\d\d|20[01]\d|202[0-3])[^\d]|[^\d](?:19\d\d|20[01]\d|202[0-3]|[3-9]\d)$`)
)

// Each text with one of the births has a birthCue, each with bornIn a bornCue: they are found much sooner.
var (
	birthCue = regexp.MustCompile(`nac|cumpl|birth|b-?day|born|d\.?o\.?b|f\.?[ /]?(?:de )?n`)
	bornCue  = regexp.MustCompile(`soy|fecha|nin[oa] es|hij[oa] es|bebe es`)
)

// births finds the dates on which somebody was born.
func (f *folded) births(take func(i, j int)) {
	if digitsIn(f.text) == 0 {
		return
	}
	if birthCue.Match(f.text) {
		for _, pattern := range births {
			for _, at := range pattern.FindAllSubmatchIndex(f.text, -1) {
				take(at[2], at[3])
			}
		}
	}
	if bornCue.Match(f.text) {
		longPast(f.text, bornIn, take)
	}
	if bytes.IndexByte(f.text, hidden) >= 0 {
		longPast(f.text, besideBirth, take)
	}
}

// longPast finds the dates of a pattern that are too long ago for an appointment.
func longPast(text []byte, pattern *regexp.Regexp, take func(i, j int)) {
	for _, at := range pattern.FindAllSubmatchIndex(text, -1) {
		if pastYear.Match(text[at[2]:at[3]]) {
			take(at[2], at[3])
		}
	}
}
