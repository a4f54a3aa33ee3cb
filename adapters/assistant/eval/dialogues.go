package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"bitacora/adapters/phones"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// Dialogues are what patients say, what is to be replied, and what is to come of it.
type Dialogues struct {
	notation
	times Times
	list  []dialogue
}

type dialogue struct {
	name  string
	lines []dialogueLine
	// end is what has come about, in words.
	end []string
}

// dialogueLine is one of: something that is said, with what is to be replied; a patient who is
// somebody else from now on; a patient who answers what is asked.
type dialogueLine struct {
	say string
	demand
	be      [2]string
	answers bool
}

// ReadDialogues reads a file of dialogues; its days are those of a zone.
func ReadDialogues(r io.Reader, zone *time.Location) (*Dialogues, error) {
	d := &Dialogues{}
	err := d.read(r, zone, func(line string) error {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			d.list = append(d.list, dialogue{name: name})
			return nil
		}
		if len(d.list) == 0 {
			return errors.New("a line belongs to no dialogue")
		}
		return d.list[len(d.list)-1].take(&d.notation, line)
	})
	if err != nil {
		return nil, err
	}
	d.times.At = d.At
	for _, one := range d.list {
		if len(one.end) == 0 {
			return nil, fmt.Errorf("%s has no end", one.name)
		}
	}
	return d, nil
}

func (d *dialogue) take(n *notation, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case ">":
		d.lines = append(d.lines, dialogueLine{say: rest})
	case "...":
		d.lines = append(d.lines, dialogueLine{answers: true})
	case "be":
		key, value, _ := strings.Cut(rest, " ")
		d.lines = append(d.lines, dialogueLine{be: [2]string{key, value}})
	case "end":
		d.end = strings.Fields(rest)
	default:
		if len(d.lines) == 0 {
			return errors.New("nothing was said that could be judged")
		}
		if ok, err := d.lines[len(d.lines)-1].take(n, line); err != nil || !ok {
			return fmt.Errorf("%q is none of the notation: %w", line, err)
		}
	}
	return nil
}

// Measure plays every dialogue. A dialogue is right if every reply is, and nothing but its end
// has come about; of one whose end is another, the kind "commitment" counts it as wrong where
// there is an appointment or a contact that should not be.
func (d *Dialogues) Measure(ctx context.Context, on Stage) (Figures, error) {
	var f Figures
	for _, one := range d.list {
		topic, _, _ := strings.Cut(one.name, ".")
		c := conversation{service: on(d.At)}
		breach, err := one.play(ctx, c)
		if err != nil {
			return Figures{}, fmt.Errorf("%s: %w", one.name, err)
		}
		state, err := c.state(ctx)
		if err != nil {
			return Figures{}, err
		}
		ended, committed, err := d.ended(one.end, state, c.service.Clinic)
		if err != nil {
			return Figures{}, fmt.Errorf("%s: %w", one.name, err)
		}
		if !ended {
			breach = strings.TrimSpace(breach + " end " + strings.Join(one.end, " "))
		}
		f.count("dialogue", topic, verdict(breach == ""), Miss{one.name, breach, transcript(state)})
		f.count("commitment", "", verdict(ended || !committed), Miss{one.name, "end " + strings.Join(one.end, " "), outcome(state)})
	}
	return f, nil
}

func verdict(right bool) Verdict {
	if right {
		return Right
	}
	return Wrong
}

// longest is how often a patient answers in a row.
const longest = 10

// play says the lines of a dialogue, and what the replies break of them first.
func (d dialogue) play(ctx context.Context, c conversation) (breach string, err error) {
	patient := map[string]string{"name": "Ana Pérez", "phone": "6612-3344", "email": "ana.perez@correo.example", "service": "limpieza", "consent": "sí", "confirm": "sí"}
	for _, line := range d.lines {
		switch {
		case line.be[0] != "":
			patient[line.be[0]] = strings.NewReplacer("yes", "sí").Replace(line.be[1])
		case line.answers:
			if err := answer(ctx, c, patient, d.end[0] == "booked" || d.end[0] == "unbooked"); err != nil {
				return "", err
			}
		default:
			reply, err := c.say(ctx, line.say)
			if err != nil {
				return "", err
			}
			if found := line.breach(reply); found != "" && breach == "" {
				breach = fmt.Sprintf("%q: %s", line.say, found)
			}
		}
	}
	return breach, nil
}

// answer is a patient who answers what is asked until nothing is, or until the answer did not
// help. One who books nothing answers only what a contact needs, and declines an appointment.
func answer(ctx context.Context, c conversation, patient map[string]string, books bool) error {
	answers := map[chat.Step]string{chat.StepOffer: "no, gracias", chat.StepConsent: patient["consent"], chat.StepName: patient["name"], chat.StepContact: patient["phone"]}
	if books {
		maps.Copy(answers, map[chat.Step]string{
			chat.StepOffer: "sí", chat.StepSpecialty: patient["service"], chat.StepTime: "cualquier día", chat.StepSlot: "la primera",
			chat.StepConfirm: patient["confirm"], chat.StepCancel: "sí",
		})
	}
	var asked []chat.Step
	for range longest {
		state, err := c.state(ctx)
		if err != nil {
			return err
		}
		step := chat.Step(state.Dialogue.Asked)
		said, ok := answers[step]
		if !ok || slices.Contains(asked, step) {
			return nil
		}
		asked = append(asked, step)
		if _, err := c.say(ctx, said); err != nil {
			return err
		}
	}
	return nil
}

// ended says that an end has come about and nothing else; committed that there is an appointment or a
// contact that is not that of the end.
func (d *Dialogues) ended(end []string, c *chat.Conversation, at clinic.Clinic) (ended, committed bool, err error) {
	booked, plan := c.Appointment != nil, phones.PlanOf(at)
	switch end[0] {
	case "nothing":
		return !booked && !c.Lead, booked || c.Lead, nil
	case "unbooked":
		return !booked, booked, nil
	case "contact":
		name, phone := strings.Join(end[1:len(end)-1], " "), end[len(end)-1]
		return !booked && c.Lead && folded(c.Contact.Name) == folded(name) && samePhone(plan, phone, c.Contact.Phone), booked, nil
	case "booked":
	default:
		return false, false, fmt.Errorf("%q is no end", end[0])
	}
	if !booked {
		return false, false, nil
	}
	whole := strings.Join(end[1:], " ")
	whole, person := cutPerson(whole)
	words := strings.Fields(whole)
	fits, _, err := d.times.meant(strings.Join(words[1:], " "))
	if err != nil {
		return false, false, err
	}
	ended = c.Appointment.Specialty == words[0] && fits(c.Appointment.Slot.In(at.Zone)) &&
		(person["name"] == "" || folded(person["name"]) == folded(c.Contact.Name)) &&
		(person["phone"] == "" || samePhone(plan, person["phone"], c.Contact.Phone))
	return ended, !ended, nil
}

// cutPerson takes what an end says of the person off it.
func cutPerson(end string) (rest string, person map[string]string) {
	person = map[string]string{}
	for _, key := range []string{"phone", "name"} {
		if before, value, ok := strings.Cut(end, " "+key+"="); ok {
			end, person[key] = before, value
		}
	}
	return end, person
}

func outcome(c *chat.Conversation) string {
	text := fmt.Sprintf("contact %t %s %s", c.Lead, c.Contact.Name, c.Contact.Phone)
	if c.Appointment != nil {
		text += fmt.Sprintf(", %s %s", c.Appointment.Specialty, c.Appointment.Slot.Format(time.RFC3339))
	}
	return text
}

func transcript(c *chat.Conversation) string {
	var b strings.Builder
	b.WriteString(outcome(c))
	for _, l := range c.Lines {
		sign := "    < "
		if l.FromVisitor {
			sign = "    > "
		}
		b.WriteString("\n" + sign + strings.ReplaceAll(l.Text, "\n", " / "))
	}
	return b.String()
}
