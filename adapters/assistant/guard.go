package assistant

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tmc/langchaingo/llms"

	"bitacora/adapters/assistant/details"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/clinic"
	"bitacora/domain/privacy"
)

// Why an answer is not passed on.
var (
	errNoAnswer      = errors.New("model gave no answer")
	errCutOff        = errors.New("model stopped in the middle of its answer")
	errTooLong       = errors.New("model does not come to an end")
	errClaimsBooking = errors.New("model claims a booking that nobody made")
	errOffersTime    = errors.New("model offers a time that it cannot know")
	errUnknownNumber = errors.New("model names a number that nobody gave it")
	errPrice         = errors.New("model names a price that is not known")
	errUnknownLink   = errors.New("model names an address that is not the clinic's")
	errPractises     = errors.New("model diagnoses or prescribes")
	errPromises      = errors.New("model promises what nobody will do")
	errRepeatsMask   = errors.New("model repeats the mask of something personal")
	errRevealsPrompt = errors.New("model reveals its instructions")
)

func firstChoice(r *llms.ContentResponse) (*llms.ContentChoice, error) {
	if r == nil || len(r.Choices) == 0 || r.Choices[0] == nil {
		return nil, errNoAnswer
	}
	return r.Choices[0], nil
}

// wholeText gives the answer if the model finished it. Where the model reached its
// allowance, the whole sentences are kept; where the stream broke, langchaingo reports
// success and no reason for stopping, and nothing is kept.
func (t traits) wholeText(c *llms.ContentChoice) (string, error) {
	text := strings.TrimSpace(c.Content)
	if text == "" {
		return "", errNoAnswer
	}
	switch reason := strings.ToLower(c.StopReason); reason {
	case "stop", "end_turn", "stop_sequence", "eos", "complete":
		return text, nil
	case "":
		if !t.neverSaysStop {
			return "", errCutOff
		}
		fallthrough
	case "length", "max_tokens":
		if text = wholeSentences(text); text == "" {
			return "", errCutOff
		}
		return text, nil
	default:
		return "", fmt.Errorf("model stopped for the reason %q", reason)
	}
}

var sentenceEnd = regexp.MustCompile(`[.!?…](?:["»)\]]*)(?:\s|$)`)

// wholeSentences drops what follows the last end of a sentence.
func wholeSentences(text string) string {
	ends := sentenceEnd.FindAllStringIndex(text, -1)
	if len(ends) == 0 {
		return ""
	}
	return strings.TrimSpace(text[:ends[len(ends)-1][1]])
}

// theMoment is the line of the prompt that says what time it is, which is no time that the
// clinic offers.
var theMoment = regexp.MustCompile(`(?m)^Ahora es .*$`)

// check compares what a provider says with its prompt: nothing is passed on that the
// clinic did not say and that a visitor might rely on.
func (p *provider) check(text, prompt, question string) error {
	plain := words.Plain(text)
	switch {
	case claimsBooking(text):
		return errClaimsBooking
	case offers.MatchString(plain):
		return errOffersTime
	case practises(plain):
		return errPractises
	case strings.Contains(text, "<dato") || strings.Contains(text, "Eres el asistente virtual"):
		return errRevealsPrompt
	case privacy.HasMask(text):
		return errRepeatsMask
	case promises(plain, words.Plain(prompt)):
		return errPromises
	case price.MatchString(plain):
		return errPrice
	case !p.ownAddresses(text, prompt):
		return errUnknownLink
	case !p.ownPhones(text), !knownNumbers(text, theMoment.ReplaceAllString(prompt, "")+" "+question):
		return errUnknownNumber
	}
	return nil
}

// pricedInWords finds an amount that is written out and has no currency.
const pricedInWords = `\b(?:cuestan?|valen?|cobramos|precio es|precio seria|sale en|sale a)(?: (?:de|en|a|desde|unos|unas|como|alrededor|aproximadamente|solo))* (?:diez|quince|veint|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien|doscient|trescient|cuatrocient|quinient|mil\b)`

var (
	link   = regexp.MustCompile(`(?i)\b(?:https?://|www\.)[^\s<>"]+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|net|org|pa|info|io|co|example)\b[^\s<>"]*`)
	price  = regexp.MustCompile(`\$|\b(?:usd|dolar(?:es)?|balboas?|bucks|dollars?|centavos|b/\.)|\b(?:descuento|discount|rebaja) del? |\bgratis\b|\bsin costo\b|\d ?%|\bpor ciento\b|\bmitad de precio\b|` + pricedInWords)
	offers = regexp.MustCompile(strings.Join([]string{
		`\b(?:tengo|tenemos|hay|queda|quedan|contamos con|puedo ofrecer\w*|te ofrezco|le ofrezco) (?:un |una |el |algunos? |varios )?(?:espacios?|cupos?|horas?|turnos?|citas?|disponib\w*|huecos?|lugar)`,
		`\b(?:te|le|los|las) espera(?:mos|n)? (?:el|manana|hoy|a las)`, `\bnos vemos (?:el|este|manana|hoy|a las?)\b`,
		`\b(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|manana|tarde) (?:esta|queda|sigue) (?:libre|disponible)`, `\bslots? available\b`, `\bwe have (?:an |a )?(?:opening|slot|space|availability)`,
	}, "|"))
	dose      = regexp.MustCompile(`\b\d+ ?(?:mg|miligramos|gramos|ml|mililitros|gotas|tabletas|pastillas|capsulas)\b|\bcada (?:\d+|seis|ocho|doce|cuatro) horas\b`)
	drug      = regexp.MustCompile(`\b(?:toma|tome|tomate|tomese|puedes tomar|puede tomar|recomiendo|usa|use|take)\b[^.]{0,40}\b(?:ibuprofen\w*|acetaminofen|paracetamol|amoxicilina|clindamicina|naproxeno|diclofenaco|ketorolaco|aspirina|antibiotic\w*|analgesic\w*|panadol|penicilina|metronidazol|tramadol)`)
	diagnosis = regexp.MustCompile(`(?:^|[^i] )(?:tienes|tiene|padeces|padece|presentas|presenta|sufres de|es|parece ser|se trata de|seguramente es|probablemente (?:es|sea|tienes)) (?:una? )?(?:caries|infeccion|absceso|pulpitis|gingivitis|periodontitis|fractura|alveolitis|quiste|cancer|tumor)\b`)
)

func practises(plain string) bool {
	return dose.MatchString(plain) || drug.MatchString(plain) || diagnosis.MatchString(plain)
}

// promised finds what the program never does by itself: there is no call, message or mail
// to visitors, and the staff learns only what the dialogue records.
var promised = regexp.MustCompile(strings.Join([]string{
	`\b(?:te|le|les) (?:(?:avisa|llama|contacta|envia|manda|notifica|recorda)(?:mos|remos|ran)|(?:escribi|devolve|responde)(?:mos|remos|ran))\b`,
	`\b(?:voy|vamos|va|van) a (?:avisar|llamar|contactar|escribir|enviar|mandar|notificar|recordar|devolver)(?:te|le|les)\b`,
	`\brecibiras? (?:un|una|el|la|tu|su) (?:correo|mensaje|sms|whatsapp|llamada|recordatorio|confirmacion|aviso)`,
	`\b(?:nos|se) (?:pondremos|pondran|comunicaremos|comunicaran) (?:en contacto )?con`,
	`\b(?:ya )?(?:avise|he avisado|hemos avisado|informe|notifique|pase|traslade|comunique|deje) (?:a|al|tu|su|el|la) (?:equipo|doctor|doctora|recepcion|clinica|mensaje|recado|queja|caso|solicitud)`,
	`\b(?:borr|elimin)(?:amos|aremos|e|ado) (?:todos )?(?:tus|sus) `,
	`\bwe(?: will|['’ ]?ll) (?:call|contact|email|text|notify|remind|get back)`,
	`\byou(?: will|['’ ]?ll) (?:receive|get) (?:a|an|the|your) (?:call|email|text|message|reminder|confirmation)`,
}, "|"))

// promises says whether a text promises or claims something that the prompt does not say.
func promises(plain, prompt string) bool {
	return slices.ContainsFunc(promised.FindAllString(plain, -1), func(promise string) bool { return !strings.Contains(prompt, promise) })
}

// ownAddresses says whether all links and e-mail addresses of a text are the clinic's, or
// stand in the prompt.
func (p *provider) ownAddresses(text, prompt string) bool {
	c := details.ReadContact(text, false)
	for _, address := range c.Emails {
		if address != strings.ToLower(p.clinic.Email) {
			return false
		}
	}
	known := append(addresses(prompt), p.clinic.Links.All()...)
	for _, address := range addresses(strings.ReplaceAll(text, p.clinic.Email, " ")) {
		if !slices.Contains(known, address) && !slices.Contains(known, address+"/") {
			return false
		}
	}
	return true
}

// addresses are the links in a text.
func addresses(text string) []string {
	found := link.FindAllString(text, -1)
	for i, address := range found {
		found[i] = strings.TrimRight(address, ".,;:!?)]»*'")
	}
	return found
}

// ownPhones says whether all telephone numbers of a text are the clinic's.
func (p *provider) ownPhones(text string) bool {
	for _, phone := range details.ReadContact(text, false).Phones {
		if !slices.ContainsFunc(p.clinic.Phones, func(own clinic.Phone) bool { return own.E164() == phone }) {
			return false
		}
	}
	return true
}

var (
	digits = regexp.MustCompile(`\d+`)
	ofDay  = regexp.MustCompile(`\b\d{1,2}(?::\d{2})? ?(?:a\.? ?m|p\.? ?m)\b|\b\d{1,2}:\d{2}\b|\ba las? \d{1,2}\b`)
)

// knownNumbers says whether every number of two digits or more, and every time of day,
// stands in what is known too.
func knownNumbers(text, known string) bool {
	given := map[string]bool{}
	for _, n := range digits.FindAllString(known, -1) {
		given[n] = true
	}
	for _, n := range digits.FindAllString(text, -1) {
		if len(n) > 1 && !given[n] {
			return false
		}
	}
	plain := strings.NewReplacer(".", "", " ", "").Replace(words.Plain(known))
	for _, t := range ofDay.FindAllString(words.Plain(text), -1) {
		time := strings.TrimPrefix(strings.TrimPrefix(strings.NewReplacer(".", "", " ", "").Replace(t), "alas"), "ala")
		whole := strings.Replace(strings.Replace(time, "am", ":00am", 1), "pm", ":00pm", 1)
		if !strings.Contains(plain, time) && !strings.Contains(plain, whole) {
			return false
		}
	}
	return true
}

var bookingClaims = regexp.MustCompile(strings.Join([]string{
	`citas? (?:\w+ ){0,4}?(?:ha sido |ha quedado |han sido |fue |quedo |queda |esta |ya esta )(?:\w+ )?(?:agendad|reservad|confirmad|programad|registrad|cancelad|anulad|reprogramad|cambiad|movid|list|apartad)[ao]`,
	`cita (?:ya )?(?:agendada|reservada|confirmada|programada|registrada|cancelada)`,
	`\b(?:he|hemos|ha|te|le) (?:agendado|reservado|confirmado|programado|apartado|anotado|cancelado|agende|reserve|confirme|aparte|anote|apunte|separe|cancele|programe)\b`,
	`\b(?:te|le) (?:acabo|acabamos) de (?:agendar|reservar|confirmar|apartar|anotar|cancelar)`,
	`\b(?:ya )?(?:agende|reserve|aparte|anote|programe|confirme) (?:tu|su|la|una) `,
	`\b(?:quedas|queda|quedaste|quedo|estas|esta) (?:agendad|reservad|confirmad|anotad|programad|apuntad)[ao]`,
	`(?:agendad|reservad|confirmad|programad)[ao]s? (?:con exito|exitosamente|correctamente|para el|para manana|a las)`,
	`^(?:listo|perfecto|hecho)[,!.]? (?:tu|su|la) (?:cita|reserva|hora)`,
	`(?:reserva|hora|turno|espacio|cupo|lugar|visita) (?:ya )?(?:quedo |queda |esta |fue |ha sido |ha quedado )(?:confirmad|reservad|apartad|agendad|asegurad|separad|hech|list)[ao]`,
	`\b(?:reservad|agendad|apartad|separad|asegurad|programad)[ao]s? (?:tu|su)\b`,
	`(?:^|[.!] )(?:(?:listo|perfecto|hecho|ya),? )?(?:agendad|reservad|confirmad|apartad|anotad)[ao](?:$|[.!,])`,
	`\btodo listo para (?:tu|su|la) `,
	`(?:appointment|booking|visit) (?:is|has been|was) (?:\w+ )?(?:booked|confirmed|scheduled|cancell?ed|set)`,
	`\b(?:i have|i've|ive|we have|you are|youre) (?:\w+ )?(?:booked|scheduled|confirmed|reserved)`,
}, "|"))

// claimsBooking says whether a text tells the visitor that something is booked, which
// only a booking in the log may do.
func claimsBooking(text string) bool { return bookingClaims.MatchString(words.Plain(text)) }
