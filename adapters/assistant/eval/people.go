package eval

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"bitacora/adapters/phones"
	"bitacora/domain/chat"
	"bitacora/domain/spelling"
)

// People are texts and what they tell of who wrote them.
type People []person

type person struct {
	asked chat.Step
	text  string
	// names, phone and email are what is told; empty for nothing.
	names        []string
	phone, email string
}

// ReadPeople reads a file of names, phones and e-mail addresses.
func ReadPeople(r io.Reader) (People, error) {
	var all People
	err := (&notation{At: time.Unix(0, 0)}).read(r, time.UTC, func(line string) error {
		said, told, ok1 := strings.Cut(line, " :: ")
		asked, text, ok2 := strings.Cut(said, " ; ")
		fields := strings.Split(told, " ; ")
		step, ok3 := map[string]chat.Step{"name": chat.StepName, "phone": chat.StepContact, "email": chat.StepContact, "any": chat.StepIdle}[asked]
		if !ok1 || !ok2 || !ok3 || len(fields) != 3 {
			return fmt.Errorf("%q is not like ASKED ; TEXT :: NAME ; PHONE ; E-MAIL", line)
		}
		given := func(text string) string { return strings.Trim(strings.TrimSpace(text), "-") }
		p := person{asked: step, text: text, phone: given(fields[1]), email: given(fields[2])}
		for name := range strings.SplitSeq(fields[0], "|") {
			p.names = append(p.names, given(name))
		}
		all = append(all, p)
		return nil
	})
	return all, err
}

// Measure compares what is read out of the texts with what they tell; numbers follow the plan of the clinic.
func (p People) Measure(ctx context.Context, reader chat.Understander, plan phones.Plan) (Figures, error) {
	var f Figures
	for _, person := range p {
		u, err := reader.Understand(ctx, chat.Question{Text: person.text, Asked: person.asked})
		if err != nil {
			return Figures{}, fmt.Errorf("understand %q: %w", person.text, err)
		}
		phone, email := last(u.Phones), last(u.Emails)
		verdict := Wrong
		for _, name := range person.names {
			if folded(name) == folded(u.Name) && samePhone(plan, person.phone, phone) && email == person.email {
				verdict = Right
			}
		}
		f.count("person", "", verdict, Miss{person.text, fmt.Sprint(person.names, person.phone, " ", person.email), fmt.Sprintf("[%s] %s %s", u.Name, phone, email)})
	}
	return f, nil
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// samePhone compares a number as a set writes it, without the code of the clinic's country, with one in
// international form; empty for none.
func samePhone(plan phones.Plan, written, phone string) bool {
	if written == "" {
		return phone == ""
	}
	if known, ok := plan.Parse(written); ok {
		return known == phone
	}
	return "+"+spelling.Digits(written) == phone
}
