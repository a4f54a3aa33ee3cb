package privacy

import (
	"bytes"
	"regexp"
	"strconv"
)

const (
	monthNames = `(?:ene(?:ro)?|feb(?:rero)?|mar(?:zo)?|abr(?:il)?|may(?:o)?|jun(?:io)?|jul(?:io)?|ago(?:sto)?|set(?:iembre)?|sep(?:tiembre|t)?|oct(?:ubre)?|nov(?:iembre)?|dic(?:iembre)?|jan(?:uary)?|february|march|apr(?:il)?|june|july|aug(?:ust)?|september|october|november|dec(?:ember)?)`
	amount     = `\d{1,6}(?:[.,]\d{3})*(?:[.,]\d{1,2})?`
	someHour   = `(?:[01]?\d|2[0-4])`
	halfDay    = `(?:am|pm|a\.? ?m\b\.?|p\.? ?m\b\.?|hrs?|horas|de la manana|de la tarde|de la noche)`
)

// ordinary are the numbers that are no contact: dates, hours, prices, doses, places.
var ordinary = []*regexp.Regexp{
	// Dates, with the hour that follows.
	regexp.MustCompile(`\b\d{1,2}(?: de |[-/ ])` + monthNames + `(?:(?: de| del|,|[-/ ])? ?(?:19|20)\d\d)?\b`),
	regexp.MustCompile(`\b` + monthNames + ` \d{1,2}(?:,? (?:19|20)\d\d)?\b`),
	// Money.
	regexp.MustCompile(`(?:us\$|\$|\bb/\.?|\busd|€) ?` + amount),
	regexp.MustCompile(`\b` + amount + ` ?(?:\$|€|usd\b|dolar(?:es)?\b|balboas?\b|pesos\b|euros\b|dollars\b|bucks\b|centavos\b|k\b)`),
	regexp.MustCompile(`\b\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?\b`),
	regexp.MustCompile(`\b\d{1,3}(?:\.\d{3})+,\d{1,2}\b`),
	regexp.MustCompile(`\b\d{1,5}\.\d{1,2}\b`),
	// Hours.
	regexp.MustCompile(`\b` + someHour + `[:h][0-5]\d\b`),
	regexp.MustCompile(`\b` + someHour + `(?:[ .:][0-5]\d)? ?` + halfDay),
	regexp.MustCompile(`\ba (?:la 0?1|las ` + someHour + `)(?:(?: y |[ .])[0-5]\d\b)?`),
	regexp.MustCompile(`\b(?:0[6-9]|1\d|2[0-3])(?:00|15|30|45) (?:1\d|2[0-3])(?:00|15|30|45)\b`),
	// Quantities.
	regexp.MustCompile(`\b` + amount + ` ?(?:%|°|por ciento\b|(?:mg|ml|mcg|grs?|g|cc|kgs?|kilos|lbs?|libras|cm|mm|mts?|m|km|kms|nm|anos?|anitos|meses|mes|semanas?|dias?|minutos?|min|veces|pastillas?|tabletas?|capsulas|gotas|personas|adultos|ninos|hijos|cuotas|citas|dientes|muelas|cordales|piezas|calzas|implantes|puntos|years?|days?|months?|weeks?|times)\b)`),
	regexp.MustCompile(`\b(?:cada|x|por) \d{1,3}\b`),
	regexp.MustCompile(`\b\d{2,3}/\d{2,3}\b`),
	// Papers of the clinic.
	regexp.MustCompile(`\b(?:cotizacion|presupuesto|recibo|factura|orden|comprobante|referencia|ticket|quote|invoice|receipt)(?: (?:dice|es|no|num(?:ero)?|nro|de|la|number))*[ .:#]*(?:20\d\d-\d{3,5}|0\d{4,9}|\d{4,6})\b`),
	// Places.
	regexp.MustCompile(`\b(?:calle|piso|oficina|apto|apartamento|casa|local|torre|edificio|ave?|avenida|via|km|kilometro|lote|ph|cuarto|bloque|manzana|habitacion|consultorio|postal|zip|ruta|puerta|bus|plan|iphone|covid|promo|cupon|codigo)(?: ?(?:#|no\.?|n°|numero))?[ .]\d{1,5}(?:-\d{1,2})?(?:-[a-z])?\b`),
	regexp.MustCompile(`\bapartado(?: postal)? \d{4}-\d{4,5}\b`),
}

var (
	numericDate = regexp.MustCompile(`^(?:(\d{1,2})([-./ ])(\d{1,2})([-./ ])((?:19|20)\d\d)|((?:19|20)\d\d)([-./ ])(\d{1,2})([-./ ])(\d{1,2}))$`)
	anyDate     = regexp.MustCompile(`\b(?:\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d|(?:19|20)\d\d[-./ ]\d{1,2}[-./ ]\d{1,2})\b`)
	shortDate   = regexp.MustCompile(`\b\d{1,2}([-./])\d{1,2}[-./]\d\d\b`)
	hourBehind  = regexp.MustCompile(`^,? (?:a las )?` + someHour + `(?:[ .:][0-5]\d)?\b`)
	fourBehind  = regexp.MustCompile(`^ (?:\d{4}\b|\d{1,3} \d)`)
	threeAtEnd  = regexp.MustCompile(`[a-z]{3} \d{1,4}$`)
	someDigits  = regexp.MustCompile(`\d+`)
	solidDate   = regexp.MustCompile(`^(?:\d{4}(?:19|20)\d\d|(?:19|20)\d{6})$`)
)

// hideOrdinary hides the numbers that are no contact.
func (f *folded) hideOrdinary() {
	for _, pattern := range []*regexp.Regexp{anyDate, shortDate} {
		for _, at := range pattern.FindAllIndex(f.text, -1) {
			i, j := at[0], at[1]
			if !f.alone(i, j) || !f.isDate(i, j) {
				continue
			}
			if hour := hourBehind.FindIndex(f.text[j:]); hour != nil && f.alone(i, j+hour[1]) {
				j += hour[1]
			}
			f.hide(i, j)
		}
	}
	for _, pattern := range ordinary {
		for _, at := range pattern.FindAllIndex(f.text, -1) {
			if f.alone(at[0], at[1]) {
				f.hide(at[0], at[1])
			}
		}
	}
}

// alone says that a number does not go on before or behind: "61.23" in "61.23.45.67" is no price.
func (f *folded) alone(i, j int) bool {
	joins := func(b byte) bool { return bytes.IndexByte([]byte("-./,_"), b) >= 0 }
	// A number of seven digits may be spaced: "oficina 390 5566".
	if j-i > 4 && fourBehind.Match(f.text[j:]) && threeAtEnd.Match(f.text[i:j]) {
		return false
	}
	before := i > 0 && isDigit(f.text[i]) && (isDigit(f.text[i-1]) || i > 1 && joins(f.text[i-1]) && isDigit(f.text[i-2]))
	behind := j < len(f.text) && isDigit(f.text[j-1]) && (isDigit(f.text[j]) || j+1 < len(f.text) && joins(f.text[j]) && isDigit(f.text[j+1]))
	return !before && !behind
}

// isDate says that numbers are a day, a month and a year.
func (f *folded) isDate(i, j int) bool {
	if shortDate.Match(f.text[i:j]) && j-i <= len("31-12-26") {
		parts := someDigits.FindAll(f.text[i:j], 3)
		return validDay(parts[0], parts[1])
	}
	m := numericDate.FindSubmatch(f.text[i:j])
	switch {
	case m == nil:
		return false
	case m[1] != nil:
		return validDay(m[1], m[3])
	}
	return validDay(m[10], m[8])
}

// validDay says that two numbers are a day and a month, in any order.
func validDay(a, b []byte) bool {
	x, _ := strconv.Atoi(string(a))
	y, _ := strconv.Atoi(string(b))
	return 1 <= x && 1 <= y && (x <= 31 && y <= 12 || x <= 12 && y <= 31)
}
