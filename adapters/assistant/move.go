package assistant

import (
	"bitacora/adapters/assistant/meaning"
	"bitacora/domain/chat"
)

// reply answers what a message does about the reply before; moved is false where it does nothing
// about it, but asks.
func (e *Embedded) reply(q chat.Question, m meaning.Meaning, b before) (replied answer, moved bool, err error) {
	does := e.readMove(q.Text, b)
	if does == noMove || m.Urgent {
		return answer{}, false, nil
	}
	s := textData{Clinic: e.clinic, siteURL: e.knowledge.SiteURL, English: q.Understood.English}
	last, told := e.library.named(b.answer)
	section, explained := e.passages.beginning(b.service)
	arranging := q.Asked != chat.StepIdle && q.Asked != chat.StepOffer
	switch {
	case arranging:
		replied = answer{Name: "repito", Topic: unknownTopic, Answered: true}
	case does == rejects:
		replied = answer{Name: "otra-pregunta", Topic: unknownTopic, Open: true}
	case does == explains && explained:
		replied = e.quote(section, &s)
	case told && b.latest:
		replied = say(last, q.Understood.English)
		opening, err := e.texts.render("claro", s)
		if err != nil {
			return replied, true, err
		}
		replied.text = opening + " " + replied.text
	case does == repeats:
		replied = answer{Topic: b.topic, Answered: true, text: b.reply}
	default:
		replied = answer{Name: "que-explico", Topic: unknownTopic, Answered: true}
	}
	replied, err = e.worded(replied, s)
	return replied, true, err
}

// with is what was spoken of after an answer.
func (b before) with(one answer, l *library) before {
	for _, source := range one.Sources {
		if told, known := l.named(sourceSlug(source, "answer/")); known && told.Service != "" {
			b.answer, b.service, b.topic = told.Slug, told.Service, told.Topic
		}
		if slug := sourceSlug(source, "service/"); slug != "" {
			b.service = slug
		}
	}
	return b
}
