package assistant

import (
	"regexp"
	"slices"
	"strings"

	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/words"
)

// asksSomething are the words of a question, in plain words: some of them wherever they stand, others
// where it begins.
var asksSomething = regexp.MustCompile(`\b(?:cuanto|cuanta|cuantos|cuantas|como|por que|cual|cuales|es normal|es necesario|es malo|hay que|sirve|sirven|se puede)\b|^(?:hola |buenas |oye |y |pero |disculpa |disculpe )*(?:que|cuando|puedo|pueden|puede|duele|lastiman)\b`)

// bookingActs are the intents by which an appointment is arranged or changed.
var bookingActs = []string{"reservar", "cancelar", "reprogramar", "mi-cita"}

// limits are the intents that no name in a message changes.
var limits = []string{"persona", "queja", "privacidad", meaning.Abuse, "manipulacion", "identidad", "cancelar", "reprogramar"}

// sureOfLimit is the confidence from which on an intent with a fixed answer needs no other word for it.
const sureOfLimit = 0.5

// read is what a message means. One that only sounds urgent, or like something about an
// appointment or a person, and that the clinic answers, is a question.
func (e *Embedded) read(text string) meaning.Meaning {
	m := e.reader.Read(text)
	act := slices.Contains(bookingActs, m.Intent)
	other := slices.Contains(settled, m.Intent) && !act
	list := e.reader.Language.Words(text)
	if intent := e.names.intent(text, list, e.answers.service(e.answers.stems(text))); intent != "" && !m.Urgent && (!slices.Contains(limits, m.Intent) || m.Intent == "queja" && strings.ContainsAny(text, "?¿")) {
		m = m.As(intent)
		m.Confidence = max(m.Confidence, sureness)
		return m
	}
	if m.Intent == meaning.Unknown && e.language == words.English && booksInEnglish.MatchString(plain(list)) {
		m = m.As("reservar")
		m.Confidence = sureness
		return m
	}
	if m.Intent == "cancelar" && obtains.MatchString(plain(list)) {
		m = m.As("reservar")
	} else if meant, ok := e.library.mistaken(m, text, plain(list)); ok {
		return m.As(meant)
	}
	if m.Grave || !m.Urgent && !act && !other || len(list) <= fewWords {
		return m
	}
	stems := e.answers.stems(text)
	if aid, ok := e.answers.find(meaning.Urgent, stems); m.Urgent && ok && aid.phrases != nil {
		return m // there is first aid for just this
	}
	one := e.library.find(text, e.answers.service(stems))
	asks := strings.ContainsAny(text, "?¿") || asksSomething.MatchString(plain(list))
	enough := likelyBeyondDoubt
	if asks {
		enough = likelyEnough
	}
	switch {
	case m.Urgent && asks && one.answer.Topic != "urgencias" && (one.likely >= likelyBeyondDoubt && !suffers.MatchString(plain(list)) || !m.Acute && one.likely >= likelyEnough),
		act && one.answer.Topic != "citas" && (m.Confidence < sureness && one.likely >= enough || asks && given(one, m) >= likelyEnough),
		act && asks && asksRather(m, list, one),
		other && given(one, m) >= likelySurely:
		m = m.As("servicio")
		m.Urgent = false
	case m.Intent == "reservar" && m.Confidence < sureness && wantsToKnow.MatchString(plain(list)) && !arranges.MatchString(wantsToKnow.ReplaceAllString(plain(list), "")):
		m = m.As("servicio") // "quisiera consultar si atienden a …"
	case other && m.Intent != meaning.Abuse && m.Confidence < sureOfLimit && !one.speaksFor(m.Intent):
		m = m.As(meaning.Unknown)
	}
	return m
}

// mistaken gives the intent of a message that only sounds like another one: its plain words hold one that speaks against
// it, or lack one without which nobody means it.
func (l *library) mistaken(m meaning.Meaning, text, said string) (intent string, ok bool) {
	switch {
	case m.Intent == "cancelar" && !givesUp.MatchString(said),
		slices.Contains(bookingActs, m.Intent) && comesLate.MatchString(said) && !changes.MatchString(said),
		m.Intent == "persona" && somePeople.MatchString(said),
		m.Intent == "manipulacion" && describesSelf.MatchString(said):
		return "servicio", true
	case m.Intent == "queja" && awaits.MatchString(said):
		return "gracias", true
	case m.Likeliest == meaning.Urgent && slices.Contains(facts, m.Intent):
		return meaning.Unknown, true // "tengo vih, ¿me atienden?" sounds like an urgency, and next like an insurance
	case m.Intent == "privacidad":
		one := l.find(text, "")
		return meaning.Unknown, one.other == untold && one.otherLikely >= likelyEnough // "tienen baño para pacientes"
	}
	return "", false
}

var (
	// obtains is how somebody asks to get an appointment, though to get rid of one has the same verb.
	obtains = regexp.MustCompile(`\b(?:puedo|podria|quiero|quisiera|necesito|como) (?:sacar|saco|obtener|conseguir) (?:la |una |mi )?(?:cita|hora|turno)\b`)
	// comesLate is said by who keeps an appointment, and changes by who does not.
	comesLate = regexp.MustCompile(`\b(?:llegar|llego|llegare|llegando|retrasad[oa]|atrasad[oa]|demorad[oa])\b.*\b(?:tarde|minutos|retras\w+)\b|\bminutos (?:tarde|de retraso)\b|\b(?:running|be) late\b`)
	changes   = regexp.MustCompile(`\b(?:cancel\w*|anul\w+|mover\w*|mueve\w*|cambi\w+|reprogram\w+|pasar\w*|poner\w*|no (?:voy a )?(?:poder|puedo|podre)|reschedule|move|change)\b`)
	// givesUp is a word without which nobody cancels: "¿puedo llegar antes a mi cita?" has none.
	givesUp = regexp.MustCompile(`\b(?:no|ya no|nunca|sin|[ck]an[cs]el\w*|anul\w*|borr\w+|quit\w+|elimin\w+|sac\w+|olvid\w+|dej\w+|suspend\w*|baja|imposible|desist\w*|arrepent\w*|retir\w+|tumb\w+|descart\w+|not|cant|cannot|wont|dont|drop|remove|delete|call off|scrap|forget)\b`)
	// awaits is a message that waits for an answer, and complains of nothing: "quedo atenta a su llamada".
	awaits = regexp.MustCompile(`^(?:(?:muy bien|ok|listo|perfecto|gracias|entonces) )*(?:(?:quedo|quedamos|estoy|estare) (?:muy )?(?:atent[oa]s?|pendientes?|a la espera)|(?:espero|esperare|esperamos)) ?(?:a |de |por )?(?:su |la |tu |una )?(?:llamada|respuesta|contestacion|confirmacion)?$`)
	// describesSelf is all that is said of oneself: "soy hipertensa" orders nothing.
	describesSelf = regexp.MustCompile(`^(?:yo )?(?:soy|i am|im) \w+(?: positiv[oa]| positive)?$`)
	// somePeople are asked about, and nobody is to be spoken with: "atienden personas con VIH".
	somePeople = regexp.MustCompile(`\bpersonas (?:con|que|de|mayores|sordas|ciegas)\b|\bpeople (?:with|who)\b`)
)

// arranging are the clinic's answers about how an appointment is made: to them the dialogue is the better answer.
var arranging = []string{"cita-rapida", "cita-telefono-otra-via", "cita-familia", "urgencia-atienden"}

// asksRather says of a question which sounds as if it were about one's own appointment that it asks for what
// the clinic answers: how appointments are in general, or, where it speaks of none, anything else.
func asksRather(m meaning.Meaning, list []string, one found) bool {
	switch {
	case slices.Contains(arranging, one.answer.Slug), m.Intent == "cancelar", m.Intent == "reprogramar":
		return false
	case arranges.MatchString(plain(list)):
		return one.answer.Topic == "citas" && one.likely >= likelyBeyondDoubt
	}
	return one.answer.Topic != hoursTopic && one.likely >= likelyRather
}
