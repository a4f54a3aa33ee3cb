package assistant

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"bitacora/adapters/assistant/details"
	"bitacora/adapters/assistant/meaning"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/timex"
)

// before is what was spoken of before a question.
type before struct {
	// answer and service are the slugs of the last answer and service that a reply came from,
	// topic is that of the reply.
	answer, service, topic string
	// reply is the last thing that was said to the visitor; latest says that answer is what it said.
	reply  string
	latest bool
}

// near says that an answer is about the same subject.
func (b before) near(a clinic.Answer) bool {
	return b.service != "" && a.Service == b.service || b.service == "" && b.topic != "" && a.Topic == b.topic
}

// remembered is how many replies back a subject is still spoken of.
const remembered = 4

// spokenOf reads what was spoken of from the replies before, and the service from what the visitor said last
// where the reply to it was about no service: "quiero sacarme las cordales" begins a booking.
func (e *Embedded) spokenOf(history []chat.Line) before {
	var b before
	replies := 0
	for _, line := range slices.Backward(history) {
		if line.FromVisitor {
			if replies == 1 {
				b.service = e.treatments.bookable(e.answers.stems(line.Text))
			}
			if b.service != "" {
				break
			}
			continue
		}
		if replies++; replies > remembered {
			break
		}
		if replies == 1 {
			b.reply = line.Text
		}
		for _, source := range line.Sources {
			kind, slug, _ := strings.Cut(source, "/")
			switch {
			case kind == "answer" && b.answer == "" && b.service == "":
				one, known := e.library.named(slug)
				if known {
					b.answer, b.service, b.topic, b.latest = one.Slug, one.Service, one.Topic, replies == 1
				}
			case kind == "service" && b.service == "":
				b.service = slug
			}
		}
		if b.topic == "" && line.Topic != unknownTopic {
			b.topic = line.Topic
		}
		if b.answer != "" || b.service != "" {
			break
		}
	}
	return b
}

// saidBefore is the treatment that the visitor named last before a question, and when they last said that they would
// come, or asked about coming, since anything was arranged.
func (e *Embedded) saidBefore(q chat.Question) (service string, when clinic.Wish) {
	lines, topic := 0, ""
	for _, line := range slices.Backward(q.History) {
		if !line.FromVisitor {
			if slices.Contains(line.Sources, agendaSource) {
				break
			}
			topic = line.Topic
			continue
		}
		if lines++; lines > remembered {
			break
		}
		text := details.Without(line.Text, details.ReadName(line.Text, false, e.usual))
		if service == "" && !suffers.MatchString(plain(e.reader.Language.Words(text))) {
			service = e.treatments.bookable(e.answers.stems(details.Wanted(text)))
		}
		if when.IsZero() && (topic == hoursTopic || details.OnlyWhen(text) || details.AsksFreeTimes(text, true, true)) {
			when = e.wishIn(text, line.At, q.At)
		}
	}
	return service, when
}

// agendaSource is the source of replies that arrange an appointment.
const agendaSource = "clinic/agenda"

// wishIn is when somebody said they would come, in a text of an earlier moment, where the clinic is open then and it is yet to
// come.
func (e *Embedded) wishIn(text string, said, now time.Time) clinic.Wish {
	var u chat.Understanding
	readTimes(e.clinic, chat.Question{Text: text, At: said}, text, &u)
	oneDay := !u.When.First.IsZero() && u.When.First.Equal(u.When.Last)
	if u.Doubt != nil || !oneDay || u.When.Last.AddDate(0, 0, 1).Before(now) || e.clinic.Calendar().ClosedOn(u.When.First) {
		return clinic.Wish{}
	}
	return u.When
}

// move is what a visitor does about what was said, rather than ask for something new.
type move int

const (
	noMove move = iota
	// repeats: it shall be said again; explains: in more words; rejects: it is not what was
	// asked for.
	repeats
	explains
	rejects
)

// moves are the words of each move.
var moves = []struct {
	move  move
	words *regexp.Regexp
}{
	{rejects, regexp.MustCompile(`\b(?:eso|esa|ese|esto) no (?:fue|es|era) (?:lo que|mi pregunta|la pregunta)|no (?:te |le |les )?(?:pregunte|pregunto|estoy preguntando|hable de) (?:eso|por eso)|no es (?:eso )?lo que (?:te )?(?:pregunte|pregunto)|no (?:me )?(?:respondiste|contestaste|respondio|contesto|respondes|contestas)|no era eso|pregunte otra cosa|(?:that is not|thats not|that isnt) what i asked|not what i (?:asked|meant)`)},
	{explains, regexp.MustCompile(`\b(?:no (?:te |le |lo |la )?(?:entendi|entiendo|comprendo|comprendi)|explica(?:me|melo|mela|lo)?|me lo (?:explicas|puedes explicar|explica)|mas (?:sencillo|simple|facil|claro|detalle|detalles)|palabras sencillas|a que te refieres|que significa eso|que quiere decir eso|no me quedo claro|dime mas|cuentame mas|mas informacion sobre eso|quiero saber mas|(?:i )?(?:dont|didnt|do not|did not) (?:understand|get it)|what do you mean|tell me more|explain (?:it|that)|in simple words)\b`)},
	{repeats, regexp.MustCompile(`\b(?:repite|repites|repita|repetir|repetirlo|repetirme|repitelo|repitemelo|repiteme|repitame|otra vez|de nuevo|no (?:te |le )?(?:escuche|oi|lei|vi|capte)(?: bien| nada)?|(?:que|como) (?:dijiste|dijo|era|fue)|(?:say|repeat) (?:that|it)(?: again)?|come again|once more)\b|^(?:(?:perdon|perdona|perdone|disculpa|disculpe|ay|eh) )?(?:como|mande|que|cual|donde|cuanto|cuando|a que hora)(?: (?:era|fue|dijiste|dijo))?$|^perdon$`)},
}

// again asks for the same words once more, also from who has not understood them.
var again = regexp.MustCompile(`\b(?:repi\w+|otra vez|de nuevo|repeat|again)\b`)

// instead is what leads, after a rejection, to what was asked for: "quiero saber si".
var instead = regexp.MustCompile(`^(?:(?:es que|sino|pero|yo|lo que|y) )*(?:(?:quiero|queria|quisiera|necesito|pregunte|pregunto|preguntaba|pedi|dije|quise) ?(?:saber|decir|es|era)? ?)*(?:(?:por|si|es|era|de|sobre) )?`)

// greeting is how a message begins that asks for something after it.
var greeting = regexp.MustCompile(`(?i)^(?:[\s,.;:!¡]*\b(?:hola|(?:muy )?buen[oa]?s? (?:d[ií]as?|tardes?|noches?)|(?:muy )?buenas|saludos|disculpen?|disculpa|oiga|oye|joven|señorita|doctora?|hello|hi|good (?:morning|afternoon|evening))\b[\s,.;:!]*)+`)

// thanks is how a message begins that takes note of the reply before and asks for something more.
var thanks = regexp.MustCompile(`(?i)^(?:[\s,.;:!¡]*\b(?:(?:muchas |mil )?gracias|muy amable|perfecto|listo|vale[,.;!]|ok(?:ay|ey)?|excelente|genial|buen[ií]simo|entendido|thanks|thank you|(?:so|very) much|great|perfect|got it|(?:y )?otra (?:cosa|pregunta))\b[\s,.;:!]*)+`)

// rephrased is what a text asks for, without a greeting or thanks before it, without words of courtesy and, where it
// says that something else was answered, without that; the text itself where it says no more.
func (e *Embedded) rephrased(text string, b before) string {
	if rest := text[len(greeting.FindString(text)):]; len(strings.Fields(rest)) > 1 {
		text = rest
	}
	if rest := text[len(thanks.FindString(text)):]; len(strings.Fields(rest)) > fewWords && (strings.ContainsAny(rest, "?¿") || asksSomething.MatchString(plain(e.reader.Language.Words(rest)))) {
		text = rest
	}
	text = withoutCourtesy(text)
	list := e.reader.Language.Words(text)
	words := plain(list)
	at := moves[0].words.FindStringIndex(words)
	if at == nil {
		return text
	}
	rest := strings.TrimSpace(words[at[1]:])
	rest = strings.TrimSpace(rest[len(instead.FindString(rest)):])
	if len(e.library.lexicon.Telling(strings.Fields(rest))) == 0 {
		return text
	}
	if b.topic == hoursTopic && len(strings.Fields(rest)) <= fewWords && timex.NamesWeekday(rest) {
		rest = hoursTopic + " " + rest
	}
	return rest
}

// hoursTopic is the topic of answers about when the clinic is open.
const hoursTopic = "horario"

// longestMove is the number of words of the longest text that is only a move.
const longestMove = 9

// readMove says what a text does about the reply before.
func (e *Embedded) readMove(text string, b before) move {
	list := e.reader.Language.Words(text)
	if b.reply == "" || len(list) == 0 || len(list) > longestMove {
		return noMove
	}
	plain := strings.Join(list, " ")
	for _, m := range moves {
		if m.words.MatchString(plain) {
			if m.move == explains && again.MatchString(plain) {
				return repeats
			}
			return m.move
		}
	}
	return noMove
}

// followsUp says that a text leaves out what it is about: it names no service and has hardly a
// word of its own.
func (e *Embedded) followsUp(list []string, b before) bool {
	if b.service == "" && b.topic == "" || len(list) == 0 {
		return false
	}
	return len(list) <= longestFollowUp && len(e.library.lexicon.Telling(list)) <= mostTelling
}

// asksOfBefore says that a short question asks about the service of before, or about one that it names, however
// urgent it sounds or like thanks or a complaint: "¿y molesta?", "¿y un implante?".
func (l *library) asksOfBefore(text string, list []string, named string, b before, m meaning.Meaning) bool {
	said := plain(list)
	if b.service == "" || m.Grave || !m.Urgent && !slices.Contains(pleasantries, m.Intent) || len(list) > longestFollowUp || suffers.MatchString(said) {
		return false
	}
	if asksWhetherItHurts.MatchString(said) {
		return true
	}
	goesOn := joinsOn.MatchString(said)
	if !goesOn && !strings.ContainsAny(text, "?¿") {
		return false
	}
	beside := 0
	for _, w := range l.lexicon.Telling(list) {
		if !l.onlyAspect([]string{w}) {
			beside++
		}
	}
	asks := beside <= 1 && slices.ContainsFunc(list, func(w string) bool {
		return !l.lexicon.Filler(w) && l.onlyAspect([]string{w})
	})
	return asks || goesOn && !m.Acute && len(list) <= fewWords && named != ""
}

// pleasantries are the intents that a question of a word or two is mistaken for.
var pleasantries = []string{"queja", "gracias", "saludo", "despedida"}

// suffers is said by who needs help now.
var suffers = regexp.MustCompile(`\b(?:me (?:duele|duelen|esta|sigue|sangra|molesta|dolio)|tengo|siento|estoy|se me|que hago|ahora|ya|si (?:me )?(?:duele|duelen|sangra|molesta))\b`)

const (
	longestFollowUp = 8
	mostTelling     = 3
)

// sourceSlug is what a source names of a kind; empty where it is of another one.
func sourceSlug(source, kind string) string {
	slug, ok := strings.CutPrefix(source, kind)
	if !ok {
		return ""
	}
	return slug
}
