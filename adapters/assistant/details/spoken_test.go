package details

import (
	"slices"
	"testing"
)

func TestContactsAsPeopleSayThem(t *testing.T) {
	for text, want := range map[string][2]string{ // phone and e-mail
		"seis uno dos tres, cuarenta y cinco, sesenta y siete":               {"+50761234567"},
		"sesenta y uno veintitrés cuarenta y cinco sesenta y siete":          {"+50761234567"},
		"dos dos tres cuarenta y cinco sesenta y siete":                      {"+5072234567"},
		"6123 cuarenta y cinco sesenta y siete":                              {"+50761234567"},
		"es el 61.23.45.67":                                                  {"+50761234567"},
		"el 25/12/2026":                                                      {},
		"tengo dos hijos, uno de tres y otro de cinco años":                  {},
		"luis punto herrera arroba hotmail punto com":                        {"", "luis.herrera@hotmail.com"},
		"ana punto perez 90 arroba gmail punto com":                          {"", "ana.perez90@gmail.com"},
		"jcastillo guion bajo 88 arroba outlook punto es":                    {"", "jcastillo_88@outlook.es"},
		"ana arroba utp punto ac punto pa":                                   {"", "ana@utp.ac.pa"},
		"yari@gmail,com":                                                     {"", "yari@gmail.com"},
		"ana@gmail .com":                                                     {"", "ana@gmail.com"},
		"es pedro gonzalez 12 @ gmail . com todo pegado":                     {"", "pedrogonzalez12@gmail.com"},
		"ana@gmail.com, es mi correo":                                        {"", "ana@gmail.com"},
		"ana@gmail.com. Es el de siempre":                                    {"", "ana@gmail.com"},
		"anaperez arrova gmail punto com y mi cel 6123-4567":                 {"+50761234567", "anaperez@gmail.com"},
		"Maria Abrego cel 6123-4567 correo maria arroba gmail punto com":     {"+50761234567", "maria@gmail.com"},
		"el 2 de diciembre o el 3, a las 4 o a las 5, como prefieran (6 pm)": {},
	} {
		c := ReadContact(text, true, panama)
		phone, email := slices.Concat(c.Phones, []string{""})[0], slices.Concat(c.Emails, []string{""})[0]
		if phone != want[0] || email != want[1] {
			t.Errorf("%q: %q %q, want %q", text, phone, email, want)
		}
	}
	if c := ReadContact("ana@gmail.con", true, panama); !c.Bad || len(c.Emails) > 0 {
		t.Errorf("an address of no domain: %+v", c)
	}
}

func TestNamesAsPeopleGiveThem(t *testing.T) {
	usual := func(word string) bool {
		return slices.Contains([]string{"domingo", "luna", "martes", "cita", "quiero"}, word)
	}
	for text, want := range map[string]string{
		"Dr. Luis Herrera": "Luis Herrera", "Lic. Marcela Ortiz de Zevallos": "Marcela Ortiz de Zevallos", "Doña Carmen": "Carmen", "Señora Dolores Muelas": "Dolores Muelas",
		"Domingo Luna": "Domingo Luna", "domingo": "Domingo", "Marta Julia Martes": "Marta Julia Martes", "el domingo": "", "domingo 10 am": "", "lunes": "", "el martes a las 3": "",
		"Maria Abrego cel  correo ": "Maria Abrego", "Blanca Flores y mi número es el ": "Blanca Flores", "Ana Him y el mío ": "Ana Him", "ponle Chema Ríos": "Chema Ríos", "anota: Pedro Him": "Pedro Him",
		"soy la mamá de Iker, me llamo Lisbeth Vega": "Lisbeth Vega", "Nombre y apellido: María José Pitty": "María José Pitty", "pregunten por Beto": "Beto",
		"le saluda el Ing. Raúl Mora": "Raúl Mora", "My name is John Smith and my phone is ": "John Smith", "doctor": "",
	} {
		if got := ReadName(text, true, usual); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
