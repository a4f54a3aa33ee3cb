// Package details takes out of a message what a booking needs: phones, e-mail addresses
// and names, a yes or a no, one of several offered times.
package details

import (
	"regexp"
	"slices"
	"strings"

	"bitacora/adapters/phones"
	"bitacora/domain/spelling"
)

// Contact is how somebody can be reached, as far as a text tells it.
type Contact struct {
	// Phones are valid numbers in international form.
	Phones []string
	// Emails are valid addresses in lower case.
	Emails []string
	// Bad says that something looks like a phone or an address and cannot be one.
	Bad bool
	// Rest is the text without what was found.
	Rest string
}

var (
	email    = regexp.MustCompile(`[\p{L}\d][\p{L}\d._%+\-]*@[\p{L}\d\-]+(?:\.[\p{L}\d\-]+)+`)
	ascii    = regexp.MustCompile(`^[a-z\d][a-z\d._%+\-]*@[a-z\d\-]+(?:\.[a-z\d\-]+)*\.[a-z]{2,}$`)
	halfMail = regexp.MustCompile(`\S*@\S*`)
	date     = regexp.MustCompile(`\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:T\d{1,2}:\d{2}(?::\d{2})?)?|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|(?:[0-2]?\d|3[01])/(?:0?\d|1[0-2]))\b`)
	noDay    = regexp.MustCompile(`^(?:3[2-9]|[4-9]\d)[-/.]\d{1,2}[-/.]`)
	// document is the number of a Panamanian identity card; elsewhere telephone numbers look like it.
	document = regexp.MustCompile(`(?i)(^|[^+\w])(?:PE|E|N|\d{1,2}(?:AV|PI)?)-\d{1,4}-\d{3,6}\b`)
	money    = regexp.MustCompile(`(?i)(?:\$|b/\.?|usd)\s*[\d.,]+|\b\d{1,3}(?:,\d{3})+(?:\.\d+)?\b|\b[\d.,]+\s*(?:dólares|dolares|balboas)`)
	number   = regexp.MustCompile(`(?:\+|\(\+?)?\d(?:[ .\-_/()]{0,3}\d){2,}`)
	says     = regexp.MustCompile(`(?i)\b(?:n[uú]mero|tel|tel[eé]fono|cel|celu|celular|whatsapp|wsp|phone)\b`)
)

// aDate stands for a date while numbers are looked for, which it would look like.
const aDate = "\x00"

// fewestDigits is how many digits somebody writes who means a telephone number.
const fewestDigits = 6

// ReadContact finds phones and e-mail addresses. Asked says that the text answers the
// question for one, so that a few digits are a number gone wrong.
func ReadContact(text string, asked bool, plan phones.Plan) Contact {
	var c Contact
	text = asAddress(text)
	text = email.ReplaceAllStringFunc(text, func(found string) string {
		address := strings.ToLower(strings.Trim(found, ".-"))
		if !ascii.MatchString(address) || strings.HasSuffix(address, ".con") {
			c.Bad = true
		} else if !slices.Contains(c.Emails, address) {
			c.Emails = append(c.Emails, address)
		}
		return " "
	})
	if half := halfMail.FindString(text); half != "" {
		c.Bad = true
		text = strings.ReplaceAll(text, half, " ")
	}
	text = inFigures(text, plan)
	text, dates := withoutDates(text)
	if plan.Country == "PA" {
		text = document.ReplaceAllString(text, "$1 ; ")
	}
	text = money.ReplaceAllString(text, " ; ")
	fewest := fewestDigits
	if asked || says.MatchString(text) {
		fewest = 3
	}
	c.Rest = number.ReplaceAllStringFunc(text, func(found string) string {
		if phone, ok := plan.Parse(found); ok {
			if !slices.Contains(c.Phones, phone) {
				c.Phones = append(c.Phones, phone)
			}
			return " "
		}
		if len(spelling.Digits(found)) >= fewest {
			c.Bad = true
			return " "
		}
		return found
	})
	for _, d := range dates {
		c.Rest = strings.Replace(c.Rest, aDate, d, 1)
	}
	c.Bad = c.Bad && len(c.Phones)+len(c.Emails) == 0
	return c
}

// withoutDates puts [aDate] in the place of dates. What names a day that no month has is none: "61.23.45.67".
func withoutDates(text string) (rest string, dates []string) {
	var b strings.Builder
	end := 0
	for _, at := range date.FindAllStringIndex(text, -1) {
		found := text[at[0]:at[1]]
		if noDay.MatchString(found) {
			continue
		}
		b.WriteString(text[end:at[0]] + aDate)
		dates, end = append(dates, found), at[1]
	}
	return b.String() + text[end:], dates
}
