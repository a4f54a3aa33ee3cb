package main

import (
	"fmt"
	"strings"
	"testing"

	"bitacora/domain/clinic"
)

// phrasings are the ways to ask for what a clinic's file names, by what kind of name it is.
var phrasings = map[string][]string{
	"insurer": {
		"¿aceptan %s?", "trabajan con %s", "tengo %s, ¿me atienden?", "%s?", "do you take %s insurance?", "¿Tienen convenio con %s?",
		"soy afiliado a %s, ¿me sirve?", "mi seguro es %s, lo reciben?", "¿%s cubre la consulta con ustedes?", "atienden por %s?",
	},
	"payment": {
		"¿puedo pagar con %s?", "aceptan %s", "%s?", "reciben %s?", "¿se puede pagar por %s?", "can I pay with %s?",
		"¿Cobran con %s?", "quiero pagar con %s, se puede?", "¿toman %s?", "pago con %s, ¿está bien?",
	},
	"price": {
		"cuánto cuesta %s", "precio de %s", "¿qué precio tiene %s?", "%s precio", "¿Cuánto sale %s?", "a cómo está %s", "cuánto cobran por %s",
		"¿Qué valor tiene %s?", "¿Me podría indicar la tarifa de %s?", "¿desde cuánto empieza %s?",
	},
	"exception": {
		"¿abren en %s?", "%s abren?", "¿atienden en %s?", "trabajan en %s?", "¿Habrá atención en %s?", "¿en %s cierran?",
		"¿qué horario tienen en %s?", "¿Está abierto en %s?", "¿van a abrir para %s?", "¿puedo ir en %s o está cerrado?",
	},
	"doctor": {
		"¿Qué días atiende %s?", "¿%s trabaja ahí?", "quiero saber qué días viene %s", "¿está %s?", "horario de %s", "¿Cuándo atiende %s?",
		"¿%s sigue trabajando con ustedes?", "¿Qué hace %s?", "¿%s atiende los jueves?", "a qué hora está %s",
	},
}

// askedByName are the names of a clinic's file, with what a reply to each contains.
func askedByName(c clinic.Clinic) map[string]map[string]string {
	all := map[string]map[string]string{"insurer": {}, "payment": {}, "price": {}, "exception": {}, "doctor": {}}
	for _, name := range c.Insurers {
		all["insurer"][name] = strings.TrimSuffix(c.Says("insurers"), ".")
	}
	for _, name := range c.Payment.Methods {
		all["payment"][name] = c.Says("payment")
	}
	for slug, price := range c.Prices {
		all["price"][strings.ReplaceAll(slug, "-", " ")] = price.String()
	}
	for _, e := range c.Exceptions {
		all["exception"][e.Name] = "(" + e.Name + ")"
	}
	for _, d := range c.Doctors {
		if d.Name != "" {
			all["doctor"][d.Name] = d.String()
		}
	}
	return all
}

func TestEveryNameOfTheFileIsAnswered(t *testing.T) {
	c := toldElsewhere(t)
	r := chatOf(t, c)
	for kind, names := range askedByName(c) {
		for name, want := range names {
			for _, phrasing := range phrasings[kind] {
				question := fmt.Sprintf(phrasing, name)
				if said := r.asks(t, question, question); !strings.Contains(said.Text.Text, want) {
					t.Errorf("%s: %s\nwanted %s\ngot    %s", kind, question, want, said.Text.Text)
				}
			}
		}
	}
}

func TestNamesThatTheFileDoesNotListAreDeclined(t *testing.T) {
	c := toldElsewhere(t)
	r := chatOf(t, c)
	for kind, unlisted := range map[string]struct{ names, want []string }{
		"insurer": {[]string{"Adeslas", "Fonasa", "OSDE"}, []string{"no está en nuestra lista", "is not on our list"}},
		"payment": {[]string{"PayPal", "Bizum", "American Express"}, []string{"no está en nuestra lista", "is not on our list"}},
	} {
		for _, name := range unlisted.names {
			for _, phrasing := range phrasings[kind] {
				question := fmt.Sprintf(phrasing, name)
				said := r.asks(t, question, question).Text.Text
				if !strings.Contains(said, unlisted.want[0]) && !strings.Contains(said, unlisted.want[1]) {
					t.Errorf("%s: %s\ngot %s", kind, question, said)
				}
			}
		}
	}
}
