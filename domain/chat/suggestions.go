package chat

import (
	"slices"
	"strings"

	"bitacora/domain/clinic"
)

// What visitors press rather than write, beside days, times and services.
const (
	sayYes      = "Sí"
	sayNo       = "No"
	sayOtherDay = "Otro día"
	sayPerson   = "Hablar con una persona"
	sayChange   = "Cambiar"
	sayCancel   = "Cancelar"
	sayWay      = "Cómo llegar"
)

// Suggestions are what the visitor is likely to answer to the last reply, each as a message that
// could as well be written; none where nothing is likely, and none after a reply to somebody in
// danger. They follow from the conversation, and are stored nowhere.
func (c *Conversation) Suggestions(in clinic.Clinic) []string {
	if len(c.Lines) == 0 || c.Restricted || c.Erased {
		return nil
	}
	last := c.Lines[len(c.Lines)-1]
	if last.FromVisitor || last.Topic == topicCrisis || last.Topic == topicEmergency {
		return nil
	}
	return suggestions(c, last.Text, in)
}

// saysWhen reports that a reply names the time of the active appointment, and nothing is asked.
func saysWhen(c *Conversation, reply string, in clinic.Clinic) bool {
	d := textData{Clinic: in, booked: c.Appointment}
	return d.booked != nil && c.Dialogue.Asked == "" && (strings.Contains(reply, d.Booked()) || strings.Contains(reply, d.inEnglish().Booked()))
}

// closings are what a reply may end with that the state of the dialogue does not tell.
var closings = []struct {
	text        string
	callback    bool
	suggestions []string
}{
	{"que-cambio", false, []string{"El día", "La hora", "El tratamiento", "El nombre", "Mi contacto", "{Déjalo|Déjelo}"}},
	{"pasar-pregunta", false, []string{sayYes, sayNo}},
	{"seguimos-luego", false, []string{"Seguir con la cita"}},
	{"seguimos-luego", true, []string{"Que me llamen"}},
	{"mover-esta", false, []string{"Cambiar la cita"}},
	{"invita-otra", false, []string{"Quiero una cita"}},
	{"invita-nueva", false, []string{"Quiero una cita"}},
}

func suggestions(c *Conversation, reply string, in clinic.Clinic) []string {
	d := c.Dialogue
	for _, closing := range closings {
		if ends(reply, closing.text, textData{Clinic: in, Callback: closing.callback}) {
			list := slices.Clone(closing.suggestions)
			for i := range list {
				list[i] = in.FormOfAddress.In(list[i])
			}
			return list
		}
	}
	if saysWhen(c, reply, in) {
		return []string{sayChange, sayCancel, sayWay}
	}
	var list []string
	switch Step(d.Asked) {
	case StepOffer, StepConsent, StepConfirm, StepCancel:
		list = []string{sayYes, sayNo}
	case StepSpecialty:
		list = append(examples(in), "No sé")
	case StepTime:
		for _, day := range d.Offered {
			list = append(list, clinic.Day(day.In(in.Zone)))
		}
		if len(list) == 0 {
			list = []string{"Lo antes posible", "Por la mañana", "Por la tarde"}
		}
	case StepSlot:
		for _, slot := range d.Offered {
			list = append(list, clinic.ShortDayAndTime(slot.In(in.Zone)))
		}
		list = append(list, sayOtherDay)
	}
	if d.Misses >= missesBeforeHelp || Step(d.Asked) == StepSlot && len(d.Refused) > 0 {
		list = append(list, sayPerson)
	}
	return list
}
