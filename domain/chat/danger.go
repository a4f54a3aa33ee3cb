package chat

import (
	_ "embed"
	"slices"
	"strings"

	"bitacora/domain/clinic"
	"bitacora/domain/danger"
	"bitacora/domain/event"
)

//go:embed danger.tmpl
var dangerFile string

var dangerTexts = parse("danger", dangerFile)

// Topics of what is answered to somebody in danger.
const (
	topicCrisis    = "crisis"
	topicEmergency = "emergencia"
)

// dangerTopic is that of the kind that is answered.
func dangerTopic(d danger.Danger) string {
	if d.Kinds[0].OfMind() {
		return topicCrisis
	}
	return topicEmergency
}

// dangerFlags are the flags by which the staff learns of a danger.
func dangerFlags(d danger.Danger) []string {
	var flags []string
	for _, kind := range d.Kinds {
		flag := event.FlagEmergency
		if kind.OfMind() {
			flag = event.FlagCrisis
		}
		if !slices.Contains(flags, flag) {
			flags = append(flags, flag)
		}
	}
	return flags
}

// dangerReply answers whoever speaks of a danger.
func dangerReply(c clinic.Clinic, d danger.Danger) Reply { return vetted(c, d, string(d.Kinds[0])) }

// afterDangerReply goes on with a danger: what follows the answer to it and asks for nothing else
// is no answer to what the dialogue asked before.
func afterDangerReply(c clinic.Clinic, d danger.Danger) Reply {
	if d.Kinds[0].OfMind() {
		return vetted(c, d, "crisis-again")
	}
	return vetted(c, d, "emergency-again")
}

// vetted is a vetted text for a danger, in the visitor's language.
func vetted(c clinic.Clinic, d danger.Danger, name string) Reply {
	text := dangerTexts.render(d.Language+"-"+name, c.FormOfAddress, struct {
		Clinic clinic.Clinic
		// HasCrisisLine says that the clinic names a crisis line, SelfHarm that somebody may have
		// meant to harm themselves, so that the line is named also with another danger.
		HasCrisisLine, SelfHarm bool
	}{c, !c.CrisisLine.IsZero(), slices.Contains(d.Kinds, danger.Poisoning) || slices.ContainsFunc(d.Kinds, danger.Kind.OfMind)})
	return Reply{
		Text: text, Provider: dialogueProvider, Model: dialogueModel,
		Topic: dangerTopic(d), Answered: true, Sources: []string{"clinic/emergency"}, Public: c.Contacts(),
	}
}

// answerDanger answers with the vetted text. What is being arranged stays as it was.
func answerDanger(t *turn) {
	t.state = t.c.Dialogue
	t.sayContent()
}

// Most words of a message that is read together with the one after it, and of that one.
const (
	longestBeginning    = 5
	longestContinuation = 8
)

// danger is the danger that a text speaks of, named by a phrase or likely as a whole.
func (s *Service) danger(text string) danger.Danger { return s.classified(text, danger.Read(text)) }

// named is the danger that a phrase names in a text which does not only sound so.
func (s *Service) named(text string) danger.Danger {
	d := danger.Read(text)
	if !d.Found() {
		return d
	}
	return s.classified(text, d)
}

// classified is the danger of a text in which phrases found one, or none.
func (s *Service) classified(text string, found danger.Danger) danger.Danger {
	if s.Danger == nil {
		return found
	}
	return s.Danger.Classify(text, found)
}

// likelyDanger is the danger that a message likely speaks of as a whole. An answer to the open question speaks of
// none, though its few words may resemble a farewell ("ya no la quiero").
func (s *Service) likelyDanger(c *Conversation, u Understanding, text string) danger.Danger {
	if u.onlyAnswers(c, text) {
		return danger.Danger{}
	}
	return s.classified(text, danger.Danger{})
}

// longestAnswer is the number of words up to which a message with an answer contains nothing else.
const longestAnswer = 6

// onlyAnswers says that a message answers the open question, or ends or changes a booking, in so few words that
// nothing else is said.
func (u Understanding) onlyAnswers(c *Conversation, text string) bool {
	switch {
	case len(strings.Fields(text)) > longestAnswer:
		return false
	case u.PlainCancel:
		return true
	case c.Dialogue.Asked == string(StepIdle):
		return false
	}
	return u.Intent != IntentNone && u.Intent != IntentAsk || u.Answer != Unsaid || u.Acknowledges || usable(c, u)
}

// dangerIn is the danger that a phrase names in a visitor's message, alone or as the end of a sentence that
// the message before it began ("me voy a", "matar").
func (s *Service) dangerIn(all Lines, messageID string) danger.Danger {
	text, before := "", ""
	for _, l := range all {
		if !l.FromVisitor {
			continue
		}
		if l.MessageID == messageID {
			text = l.Text
			break
		}
		before = l.Text
	}
	d := s.named(text)
	if d.Found() || len(strings.Fields(before)) > longestBeginning || len(strings.Fields(text)) > longestContinuation || danger.Read(before).Found() {
		return d
	}
	return s.named(before + " " + text)
}

// afterDanger is the danger that the reply before a message was about.
func (s *Service) afterDanger(all Lines, messageID string) (d danger.Danger, ok bool) {
	before := all[:max(0, slices.IndexFunc(all, func(l Line) bool { return l.FromVisitor && l.MessageID == messageID }))]
	about := ""
	for _, l := range slices.Backward(before) {
		switch {
		case !l.FromVisitor && about == "":
			if about = l.Topic; about != topicCrisis && about != topicEmergency {
				return danger.Danger{}, false
			}
		case l.FromVisitor:
			if d = s.dangerIn(all, l.MessageID); !d.Found() {
				d = s.danger(l.Text)
			}
			if d.Found() {
				return d, true
			}
		}
	}
	return danger.Danger{}, false
}

// dangerous are the visitor's messages that were answered as danger, by id.
func (all Lines) dangerous() map[string]bool {
	ids := map[string]bool{}
	for _, l := range all {
		if !l.FromVisitor && (l.Topic == topicCrisis || l.Topic == topicEmergency) {
			ids[l.MessageID] = true
		}
	}
	return ids
}

// sureOfQuestion is the confidence from which on a question is taken for a change of subject.
const sureOfQuestion = 0.8

// movesOnFrom says that a message wants something that has nothing to do with a danger before
// it. What sounds like a complaint or a call for somebody is rather about the danger.
func (u Understanding) movesOnFrom(d danger.Danger) bool {
	switch u.Intent {
	case IntentAsk:
		return u.Understood.Confidence >= sureOfQuestion && !u.Callback && !u.Complaint
	case IntentStop, IntentLeave:
		return false
	case IntentNone:
		details := u.Name != "" || len(u.Phones)+len(u.Emails) > 0 || u.Specialty != "" || !u.When.IsZero() || u.Choice != 0
		return details && dangerTopic(d) == topicEmergency
	}
	return true
}
