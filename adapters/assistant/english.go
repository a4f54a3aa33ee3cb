package assistant

import (
	"cmp"
	"regexp"

	"bitacora/adapters/assistant/words"
	"bitacora/domain/chat"
)

// languages are the one in which a message is read, and the one in which it is answered. A message that decides
// nothing is of the language of the reply before; so is the answer to a name or a contact, and to what was
// pressed, which is always Spanish.
func languages(l *words.Language, q chat.Question) (read, said words.Code) {
	list := l.Words(q.Text)
	before := cmp.Or(spoken(l, q.History), words.Spanish)
	read = cmp.Or(words.LanguageOf(list), before)
	if q.Pressed || (q.Asked == chat.StepName || q.Asked == chat.StepContact) && len(list) <= fewWords {
		return read, before
	}
	return read, read
}

// opensWith is by how many words the language of a reply is told: facts of the clinic in it are Spanish.
const opensWith = 8

// spoken is the language of the last reply.
func spoken(l *words.Language, history []chat.Line) words.Code {
	for i := len(history) - 1; i >= 0; i-- {
		if !history[i].FromVisitor {
			list := l.Words(history[i].Text)
			return words.LanguageOf(list[:min(len(list), opensWith)])
		}
	}
	return words.Undecided
}

// booksInEnglish are the English words for making an appointment, and not for another that is made.
var booksInEnglish = regexp.MustCompile(`\b(?:make|get|book|schedule|set up|want|need|have|request) (?:an? |my (?:son|daughter|kid|child) an? )?(?:\w+ )?(?:appointment|visit|cleaning|checkup|consultation)\b|\bhow (?:do|can) (?:i|we) book\b`)
