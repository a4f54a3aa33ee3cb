package timex

import (
	"strings"
	"time"
)

// weekdays are the names of the days, also those of several: "los lunes" is each of them.
var weekdays = map[string]time.Weekday{
	"domingo": time.Sunday, "domingos": time.Sunday, "lunes": time.Monday, "martes": time.Tuesday, "miercoles": time.Wednesday, "jueves": time.Thursday,
	"viernes": time.Friday, "sabado": time.Saturday, "sabados": time.Saturday,
	"sunday": time.Sunday, "monday": time.Monday, "tuesday": time.Tuesday, "wednesday": time.Wednesday, "thursday": time.Thursday, "friday": time.Friday, "saturday": time.Saturday,
	"sundays": time.Sunday, "mondays": time.Monday, "tuesdays": time.Tuesday, "wednesdays": time.Wednesday, "thursdays": time.Thursday, "fridays": time.Friday, "saturdays": time.Saturday,
}

// shortWeekdays are names of days only before a number: "mar 24".
var shortWeekdays = map[string]time.Weekday{
	"dom": time.Sunday, "lun": time.Monday, "mar": time.Tuesday, "mie": time.Wednesday, "jue": time.Thursday, "vie": time.Friday, "sab": time.Saturday,
	"sun": time.Sunday, "mon": time.Monday, "tue": time.Tuesday, "wed": time.Wednesday, "thu": time.Thursday, "fri": time.Friday, "sat": time.Saturday,
}

// months are the names of the months, from 1 on.
var months = func() map[string]int {
	all := map[string]int{}
	for i, forms := range []string{
		"enero ene january jan", "febrero feb february", "marzo mar march", "abril abr april apr", "mayo may", "junio jun june",
		"julio jul july", "agosto ago august aug", "septiembre setiembre sep sept september", "octubre oct october", "noviembre nov november", "diciembre dic december dec",
	} {
		for form := range strings.FieldsSeq(forms) {
			all[form] = i + 1
		}
	}
	return all
}()

// numbers are the numbers as words, up to those of a day's number and of minutes.
var numbers = func() map[string]int {
	all := map[string]int{"un": 1, "una": 1, "primero": 1, "two": 2, "three": 3, "cuarenta": 40, "cincuenta": 50}
	for i, word := range strings.Fields("uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve " +
		"veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve treinta") {
		all[word] = i + 1
	}
	return all
}()

// ordinals count the days of a name, and the weeks, of a month: from 0 on, -1 is the last.
var ordinals = map[string]int{
	"primer": 0, "primero": 0, "primera": 0, "first": 0, "segundo": 1, "segunda": 1, "second": 1, "tercer": 2, "tercero": 2, "tercera": 2, "third": 2,
	"cuarto": 3, "cuarta": 3, "fourth": 3, "ultimo": -1, "ultima": -1, "last": -1,
}

var abbreviations = map[string]string{
	"pa": "para", "x": "por", "q": "que", "d": "de", "prox": "proximo", "tmrw": "tomorrow", "tmr": "tomorrow",
	"mier": "miercoles", "mierc": "miercoles", "vier": "viernes", "hoi": "hoy", "oy": "hoy", "hrs": "horas", "hr": "horas", "hs": "horas", "min": "minutos", "sem": "semana", "xq": "porque",
}

// misspelt are the words whose typing errors are mended, and which are long enough to be told then.
var misspelt = []string{
	"lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo", "manana", "semana", "pasado", "proximo", "proxima",
	"septiembre", "octubre", "noviembre", "diciembre", "febrero", "despues", "temprano", "mediodia",
}

// lookalikes are words one letter away from a word of the grammar, which mean something else.
var lookalikes = setOf(`vienes jueces nueves mueves partes artes cartes marte martas lunas buenes domino abrir entero genero pasada pasados pesado casado
 gemana semanal humana hermana manada banana mandan proximos proximas temprana tempranos`)

// known are the words of the grammar, which are never mended into another.
var known = func() map[string]bool {
	all := setOf(strings.Join(misspelt, " "))
	for word := range weekdays {
		all[word] = true
	}
	for word := range months {
		all[word] = true
	}
	for word := range numbers {
		all[word] = true
	}
	return all
}()

func setOf(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}
