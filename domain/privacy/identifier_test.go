package privacy

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/event"
)

func TestParseIdentifier(t *testing.T) {
	for want, texts := range map[Identifier][]string{
		{KindPhone, "61234567"}: {
			"6123-4567", "61234567", "+507 6123-4567", "507 6123 4567", "00507 6123 4567", "(507) 6123-4567", "６１２３－４５６７", "6123\u200b4567",
			"6 1 2 3 4 5 6 7", "61-23-45-67", "seis uno dos tres, cuarenta y cinco sesenta y siete", "sesenta y uno veintitrés cuarenta y cinco sesenta y siete", "cel 6123.4567", "6123–4567",
		},
		{KindPhone, "2641234"}:        {"264-1234", "2641234", "+507 264 1234", "264 12 34"},
		{KindPhone, "2026612"}:        {"2026612", "tel 2026612"},
		{KindPhone, "20261103"}:       {"20261103"},
		{KindPhone, "13055550134"}:    {"+1 (305) 555-0134", "001 305 555 0134"},
		{KindPhone, "34612345678"}:    {"+34 612 34 56 78", "0034612345678"},
		{KindEmail, "ana@gmail.com"}:  {"ana@gmail.com", " ANA@Gmail.com ", "ana @ gmail punto com", "ana arroba gmail.com", "ana(arroba)gmail(punto)com", "ana[at]gmail[dot]com", "ana＠gmail．com", "ana@gmail,com", "ana@gmail", "ana@gmailcom", "correo ana arroba gmail"},
		{KindEmail, "jose@gmail.com"}: {"josé@gmail.com", "jose@gmail.com", "JOSÉ@GMAIL.COM"},
		{KindEmail, "ana_perez@hotmail.com"}: {
			"ana_perez@hotmail.com", "ana guion bajo perez arroba hotmail punto com", "ana underscore perez at hotmail dot com",
		},
		{KindEmail, "anaperez85@gmail.com"}: {"anaperez85 gmail.com", "anaperez85 gmail com", "mi correo es anaperez85 arroba gmail com"},
		{KindEmail, "ana@yahoo.com.mx"}:     {"ana@yahoo.com.mx", "ana arroba yahoo.com.mx"},
		{KindDocument, "81234567"}: {
			"8-123-4567", "8 123 4567", "8.123.4567", "8-0123-04567", "cédula 81234567", "cedula 8 guion 123 guion 4567",
			"８-１２３-４５６７", "cedula ocho ciento veintitres cuatro mil quinientos sesenta y siete", "ruc 8-123-4567 dv 12",
		},
		{KindDocument, "pe12345"}:         {"PE-12-345", "cedula PE 12 345", "pe-012-345", "pe12345"},
		{KindDocument, "e8123456"}:        {"E-8-123456", "cedula E 8 123456"},
		{KindDocument, "8av1234567"}:      {"8-AV-123-4567", "8AV-123-4567"},
		{KindName, "ana perez"}:           {"Ana Pérez", " ANA  perez "},
		{KindName, "juan carlos dangelo"}: {"Juan-Carlos D'Angelo"},
		{KindDocument, "ab123456"}:        {"pasaporte AB-123456", "pasaporte ab 0123456", "AB123456"},
	} {
		for _, text := range texts {
			if got, err := ParseIdentifier(text); err != nil || got != want {
				t.Errorf("%q is %v, %v; want %v", text, got, err, want)
			}
		}
	}
	for _, text := range []string{"", "Ana", "Ana, Pérez", "mi hija", "Ana Pérez 3", "8", "hola, ¿tienen cita?", "6123-4567 y 264-1234", "$85.50", strings.Repeat(" ", 400) + "6123-4567"} {
		if got, err := ParseIdentifier(text); !errors.Is(err, ErrNoIdentifier) {
			t.Errorf("%q is %v, %v", text, got, err)
		}
	}
}

func TestIdentify(t *testing.T) {
	for name, tt := range map[string]struct {
		of   event.Personal
		want []Identifier
	}{
		"what was given in the chat": {
			&event.LeadCaptured{Name: "Ana Pérez", Phone: "+507 6123-4567", Email: "Ana@Gmail.com"},
			[]Identifier{{KindName, "ana perez"}, {KindPhone, "61234567"}, {KindEmail, "ana@gmail.com"}},
		},
		"a message with all of them": {
			&event.Text{Text: "cédula 8-123-4567, cel 6123 4567, ana arroba gmail punto com", Masked: "cédula [documento], cel [teléfono], [correo]"},
			[]Identifier{{KindEmail, "ana@gmail.com"}, {KindDocument, "81234567"}, {KindPhone, "61234567"}},
		},
		"a message of which nothing was masked": {&event.Text{Text: "la clínica atiende al 6123-4567"}, nil},
		"a message of which a name was masked":  {&event.Text{Text: "soy Ana, 6123-4567", Masked: "soy [nombre], 6123-4567"}, nil},
		"the contact form": {
			&event.ContactMessageReceived{Name: "Ana", Phone: "61234567", Email: "ana@gmail.com", Message: "o al 264-1234, o al 6123-4567"},
			[]Identifier{{KindEmail, "ana@gmail.com"}, {KindPhone, "61234567"}, {KindPhone, "2641234"}},
		},
		"a note":         {&event.ContactNoteAdded{Note: "su mamá: 264-1234"}, []Identifier{{KindPhone, "2641234"}}},
		"nothing at all": {&event.ContactGiven{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Identify(tt.of.PersonalFields())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMentioned(t *testing.T) {
	for text, want := range map[string]string{
		"Lo pidió Ana María Pérez, 6123-4567.": "ana maria perez",
		"Ana de la Cruz lo pidió":              "ana de la cruz",
		"lo preguntó ana perez":                "ana perez",
		"escriba a Ana. Pérez no está":         "",
		"¿atienden a mi hija?":                 "",
	} {
		found := Mentioned(text)
		is := func(value string) bool { return slices.Contains(found, Identifier{KindName, value}) }
		if want != "" && !is(want) || want == "" && is("ana perez") {
			t.Errorf("%q holds %v, not %q", text, found, want)
		}
		if strings.Contains(text, "6123-4567") && !slices.Contains(found, Identifier{KindPhone, "61234567"}) {
			t.Errorf("%q holds %v", text, found)
		}
	}
	if found := Mentioned("a mi hija, a mi hijo"); len(found) > 0 {
		t.Errorf("no names: %v", found)
	}
}
