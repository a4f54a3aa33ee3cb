package subjects

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bitacora/domain/event"
)

// TestTextsOfTheStaffAreFoundByWhomTheyTellOf looks for a person in reasons, questions and texts, whether
// these are sealed or older than that.
func TestTextsOfTheStaffAreFoundByWhomTheyTellOf(t *testing.T) {
	c := opened()
	mentions := func(p Person) string {
		var found []string
		for _, m := range p.Mentions {
			said := m.ID()
			if !m.Sealed {
				said += fmt.Sprintf(" in the clear at %d", m.Position)
			}
			if m.Slug != "" {
				said += fmt.Sprintf(" in version %d of %s", m.Version, m.Slug)
			}
			found = append(found, said)
		}
		return strings.Join(found, ", ")
	}
	clear := c.events[slices.IndexFunc(c.events, func(e event.Recorded) bool { return e.Stream == "answer/agua" })].Position
	all := fmt.Sprintf("answer/wifi/1, answer/agua/2 in version 2 of agua, answer/agua in the clear at %d", clear)
	byName := fmt.Sprintf("answer/wifi/1, answer/agua in the clear at %d", clear)
	for query, want := range map[string]struct{ all, only string }{
		"+507 6900 1234":   {all, "answer/wifi/1"},
		"I@example.com":    {all, "answer/agua/2 in version 2 of agua"},
		"Inigo PÉREZ":      {all, byName},
		"answer/agua/3":    {"answer/agua/3 in version 3 of agua", "answer/agua/3 in version 3 of agua"},
		"Elena Paz":        {"answer/agua/3", "answer/agua/3"},
		"otra@example.com": {"skip/4", "skip/4"},
	} {
		p, err := c.register().Find(t.Context(), query)
		if err != nil || mentions(p) != want.all || mentions(p.Only()) != want.only {
			t.Errorf("%s: %s, alone %s, %v; want %+v", query, mentions(p), mentions(p.Only()), err, want)
		}
	}
	p, err := c.register().Find(t.Context(), "answer/agua/3")
	if err != nil || p.Name() != "answer/agua/3" || len(p.Except("answer/agua/3").Mentions) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
	// What the content held before is no reason to withdraw what it holds now.
	later := taught("luz", 2, "¿Hay luz?", "Lo preguntan.").(*event.AnswerTaught)
	later.Before = &event.Answer{Questions: []string{"¿Vino i@example.com?"}}
	c.say("answer/luz/2", later)
	if p, err := c.register().Find(t.Context(), "i@example.com"); err != nil || !strings.Contains(mentions(p), "answer/luz/2") || strings.Contains(mentions(p), "of luz") {
		t.Errorf("%s, %v", mentions(p), err)
	}
	// A name joins nobody, and that of the clinic's people finds nothing that was not asked for.
	c.say("conversation/chat5", &event.ContactGiven{Name: "Íñigo Pérez", Phone: "6111-2222"})
	c.say("conversation/chat6", &event.ContactGiven{Name: "Elena Paz", Phone: "6111-3333"})
	for phone, want := range map[string]string{"6111-2222": byName, "6111-3333": ""} {
		if p, err := c.register().Find(t.Context(), phone); err != nil || len(p.Records) != 1 || mentions(p) != want {
			t.Errorf("%s: %d records, %s, %v", phone, len(p.Records), mentions(p), err)
		}
	}
	for _, nobody := range []string{"answer/agua", "answer/agua/9", "Zoe Nadie"} {
		if p, err := c.register().Find(t.Context(), nobody); !errors.Is(err, ErrNobody) {
			t.Errorf("%s: %+v, %v", nobody, p, err)
		}
	}
}

func TestATextOfTheStaffTellsOfWhomTheIndexKnows(t *testing.T) {
	c := opened()
	for text, want := range map[string]bool{
		"Lo pidió íñigo pérez.":                 true,
		"llamar al 6900-1234":                   true,
		"I@EXAMPLE.COM":                         true,
		"Lo pidió Íñigo.":                       false,
		"Lo pidió Elena Paz, 200-0101":          false,
		"el 6900-9999 no es de nadie":           false,
		"¿Se puede pagar con tarjeta? Sí.":      false,
		"":                                      false,
		"¿El i@example.com recibe\nÍñigo Pérez": true,
	} {
		if tells, err := c.register().TellsOf(t.Context(), text); err != nil || tells != want {
			t.Errorf("%q: %v, %v", text, tells, err)
		}
	}
	// What only texts of the staff hold makes nobody known.
	c.say("answer/otra/1", taught("otra", 1, "¿El laboratorio es 6555-0000?", "x"))
	if tells, err := c.register().TellsOf(t.Context(), "6555-0000"); err != nil || tells {
		t.Errorf("a number of an answer: %v, %v", tells, err)
	}
}
