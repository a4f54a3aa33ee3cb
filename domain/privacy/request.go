package privacy

import (
	"regexp"
	"strings"

	"bitacora/domain/spelling"
)

// Request is what somebody asks about their own personal data.
type Request string

// The requests, in the order in which they are answered.
const (
	// Withdraw: the consent is taken back, or nobody is to use the data or to call any more.
	Withdraw Request = "withdraw"
	// Copy: to see what there is, or to take it along.
	Copy Request = "copy"
	// Erase: that nothing is left.
	Erase Request = "erase"
)

// Requests are all of them.
var Requests = []Request{Withdraw, Copy, Erase}

// ReadRequests finds what a text asks about the data of who wrote it, each once. A question about
// data, data of others, and what only sounds alike ("borra la cita", "copia de la receta", "retiro
// de puntos") is none.
func ReadRequests(text string) []Request {
	var found []Request
	sentences := sentencesOf(text)
	for _, r := range Requests {
		for _, s := range sentences {
			if requestForms[r].match(s) {
				found = append(found, r)
				break
			}
		}
	}
	return found
}

// requestForm is how a request is said: one of the phrases, and none of those that make something
// else of it.
type requestForm struct{ is, not []*regexp.Regexp }

func (f requestForm) match(sentence string) bool {
	return anyMatch(f.is, sentence) && !anyMatch(f.not, sentence)
}

func anyMatch(forms []*regexp.Regexp, text string) bool {
	for _, form := range forms {
		if form.MatchString(text) {
			return true
		}
	}
	return false
}

// fragments stand for what phrases have in common, by the name in angle brackets.
var fragments = strings.NewReplacer(
	// A few words in between, not beyond a comma.
	"<some>", `(?:[a-z0-9]+ ){0,4}`,
	// What is kept of somebody: as a whole, and single details.
	"<mine>", `(?:(?:mis|mi|nuestros|nuestra) (?:propios? )?(?:datos|dato|info|informacion|conversacion|conversaciones|charla|mensajes|chat|chats|historial|rastro|registro|registros)|est[ae] (?:conversacion|charla|chat)|(?:la|toda la) (?:conversacion|charla) ?(?:completa|entera)?|el chat|(?:la |toda la |esa )?(?:informacion|info|datos) (?:mio|mia|mios)|lo mio|todo lo mio|<about>|lo que (?:les |te |le |aqui |ya )*(?:escribi|dije|puse|hable|mande|conte|hablamos|escribimos|deje)\b)`,
	"<detail>", `(?:mi|mis) (?:numero|numeros|telefono|celular|cel|correo|email|mail|contacto|contactos|nombre|cedula|direccion)`,
	"<about>", `(?:todo|toda|todos|lo|los datos|datos|la informacion|informacion|info|cualquier dato|registro|nada|cuanto|que) (?:lo |la informacion |los datos |personales |personal )*(?:que )?(?:ustedes |aun |todavia )?(?:tienen|tengan|tienes|tenga|tiene|guardan|guardaron|guarden|guarda|saben|sepan|sabe|hay|haya|exista|manejan|almacenan|conservan|recogieron|quede|queda)(?: ustedes| aqui| ahi)*(?: guardad[oa]s?| registrad[oa]s?| almacenad[oa]s?)? (?:de|sobre|acerca de|respecto a) mi<end>`,
	"<end>", `(?: ,| \?| y| en| o| por| ahi| aqui| alli| porfa| porfavor| gracias| guardad[oa]s?| registrad[oa]s?| persona| hasta| ya)`,
	"<please>", `(?:, |por favor |porfa |favor |me |nos |ya |de una vez |completamente |todos |todas |todo |toda |de |los |las |ustedes |tambien )*`,
	"<erase>", `(?:[bv]orr?[aeo][a-z]*|elimin[a-z]+|supr[ie][a-z]+|destru[yi][a-z]+|desapare[a-z]+)`,
)

var questions = []string{
	`^ (?:[a-z]+ , )?(?:y |hola |buenas |buenos dias |una pregunta |oiga |disculpe |, )*(?:como|cuando|cuanto|cada cuanto|quien|a quien|donde|en cuanto|por que|porque|que pasa|que significa|ustedes|es obligatorio|es seguro|hay forma|quisiera saber si|how|when|why|who|do you|does)`,
	` (?:si (?:yo )?(?:quiero|quisiera|pido|algun dia|les pido|quisieran)|despues de cuanto|cuanto tiempo|cuanto tardan) `,
}

var requestForms = map[Request]requestForm{
	Erase: {
		is: forms(
			` <erase> <please><some><mine>`, ` <mine> <some>(?:, )?<please>(?:sean |ser )?<erase>`,
			` <erase> <please><detail>`, ` <mine> (?:, )?(?:los |las |lo |la )?(?:quiero |quisiera |deben |tienen que )?(?:fuera|afuera|desaparezcan|olvidados|borrados|eliminados)`,
			` (?:quit|sa[cq]u?|remuev|remover|retir|olvid|limpi|depur|bot)[a-z]* <please><mine>`, ` (?:dar|den|deme|denme|dame|darme) de baja (?:todos )?(?:<mine>|de (?:su|la|sus|esta) (?:base|sistema|lista|registro))`,
			` (?:[bv]orr[ae][a-z]*me|elimin[ae][a-z]*me|sa[cq]u?[ae]n?me|quit[ae]n?me|borrarme|eliminarme|sacarme|quitarme) (?:ya )?(?:de|del|por completo|completamente) (?:(?:su|sus|la|las|el|esta|ese|ahi|todos?|todas?|los|registros?|base|bases|sistema|lista|listas|archivos?) )*(?:base|bases|sistema|sistemas|lista de contactos|listas|registros?|archivos?|datos|todo)`,
			` me (?:[bv]orren|eliminen|saquen|quiten) (?:ya )?(?:del? |de (?:su|sus|la|las) )(?:sistema|base|registros?|archivos?|lista de contactos)`,
			` que no (?:quede|quede ya|exista|haya|tengan|guarden|conserven) (?:ni )?(?:nada|ningun dato|ningun registro|rastro|informacion)[a-z ]* (?:mio|mia|mios|de mi|sobre mi) `,
			` no (?:quiero|deseo|quisiera) que (?:<some>)(?:guarden|conserven|tengan|quede|queden|almacenen|quede guardad[oa]|se queden con) <please>(?:<mine>|<detail>|nada (?:mio|de mi|sobre mi) )`,
			` derecho (?:al olvido|a la cancelacion|de cancelacion|a la supresion|de supresion|de eliminacion)`,
			` (?:delete|erase|remove|wipe|destroy|forget) (?:please |all |everything |of |about )*(?:my (?:personal )?(?:data|information|info|conversation|chat|messages|details|records|account)|me |you have (?:stored )?(?:on|about) me|this (?:chat|conversation)|(?:everything|all) (?:you )?(?:have |stored |have stored |know )?(?:on|about) me)`,
			` my (?:personal )?(?:data|information|info) (?:to be )?(?:deleted|erased|removed) `, ` right to be forgotten `,
			` (?:base|sistema|registros?|archivos?) <some>(?:, )?<some>(?:sa[cq]u?[ae]n?me|quit[ae]n?me|[bv]orr[ae]n?me|elimin[ae]n?me) de ahi`,
		),
		not: forms(append(questions,
			` no (?:me |les |se |los |las |lo |la |quiero que |vayan a |hace falta que |es necesario |hay que |vaya a |deben |van a )*(?:<erase>|delete|erase)`,
			` (?:se me|se les|se te|por error|sin querer) <some>(?:<erase>|borr[oe])`, ` <erase> (?:mi|la|el) (?:cita|turno|reserva|reservacion)[a-z ,]* (?:mi (?:nombre|numero)|<detail>)`,
			` <detail> <some>(?:y )?(?:pon|ponga|pongan|poner|cambi[a-z]+|coloc[a-z]+|anot[a-z]+|es|deja|dejen|usa|usen) `, ` <erase> <please><detail> <some>(?:cita|citas|turno|reserva|reservacion|lista de espera|receta|factura) `,
			` [0-9]{4}`,
		)...),
	},
	Copy: {
		is: forms(
			` (?:copias?|respaldo) <some>(?:de|con|a) (?:todos |todas |toda |todo )?<some><mine>`, ` <mine> <some>(?:copia|descargad[oa]s?|exportad[oa]s?) `,
			` (?:descarg|export)[a-z]* <please>(?:todos |toda |todo )?<mine>`, ` (?:acceder|accedo|acceso|tener acceso|dar acceso|darme acceso) <please>a <please><mine>`,
			` (?:dame|deme|denme|d[ae]nos|mand[ae]n?me|envi[ae]n?me|pas[ae]n?me|entreg[au]e?n?me|muestr[ae]n?me|ensen[ae]n?me|compart[ae]n?me|facilit[ae]n?me|regal[ae]n?me|proporcion[ae]n?me|imprim[ae]n?me|(?:dar|mand|envi|pas|entreg|mostr|facilit)(?:ar)?me) <please>(?:<some>(?:de|con) )?(?:mis datos|(?:la|esta|toda la) conversacion|toda mi informacion|mi informacion|mi conversacion|<about>|lo que (?:les |te )?(?:escribi|dije))`,
			` (?:me|nos) (?:pueden|puedes|podrian|puede|podria|podrias|das|dan|mandas|mandan|envian|envias|pasan|pasas|entregan|entregas|muestran) (?:dar |enviar |mandar |pasar |entregar |mostrar |facilitar )?<please>(?:mis datos|toda mi informacion|mi informacion|mi conversacion|<about>)`,
			` (?:quiero|quisiera|necesito|deseo|solicito|pido|exijo|puedo|podria|me gustaria|tengo derecho a) (?:ver|saber|conocer|recibir|obtener|tener|consultar|revisar|que me (?:den|manden|envien|digan|muestren|entreguen)) <please>(?:que (?:es )?)?(?:mis datos|toda mi informacion|mi informacion|<about>)`,
			`(?:^ (?:hola |buenas |buenos dias |oiga |disculpe |una pregunta |y )?(?:[a-z]+ , |, )?| saber | dime | dig[ae]n?me | ver | decirme | diganme )que (?:<some>)(?:datos|dato|informacion|info|cosas|registros?)? ?(?:mi[oa]s? |personal(?:es)? )*(?:tienen|tienes|guardan|guardaron|manejan|saben|hay|tiene|almacenan|conservan)(?: ustedes| aqui| ahi)*(?: guardad[oa]s?| registrad[oa]s?| almacenad[oa]s?)? (?:de|sobre|acerca de|respecto a) mi<end>`,
			` (?:derecho|derechos|solicitud) (?:de |a |al |a la )(?:mi )?(?:acceso|portabilidad)`, ` portabilidad de (?:mis|los) datos`, ` habeas data `,
			` (?:copy of|access to|download|export|see|send me|give me) (?:all )?(?:of )?my (?:personal )?(?:data|information|info|conversation|chat|messages)`,
			` what (?:personal )?(?:data|information|info) do you (?:have|keep|store) (?:on|about) me `,
		),
		not: forms(
			` no (?:puedo|pude|quiero|necesito|hace falta) `, ` (?:actualizar|corregir|cambiar|confirmar|dejar|darles|mandarles|enviarles) mis datos`,
			` (?:como|para que|quien|a quien|donde|cuando|con quien) <some>(?:protegen|cuidan|usan|comparten|guardan)`, ` quien(?:es)? <some>acceso`,
		),
	},
	Withdraw: {
		is: forms(
			` (?:retir|revoc|quit|anul|cancel|rescind|elimin)[a-z]* (?:por favor |formalmente |ya |de inmediato )*(?:mi|el|la|todo mi|todo|les el|les la) (?:consentimiento|autorizacion|permiso)`,
			` (?:consentimiento|autorizacion|permiso) <some>(?:, )?(?:lo |la )?(?:retiro|revoco|quito|anulo|retirad[oa]|revocad[oa]) `,
			` (?:retiro|retirar|revoco|revocar|retirada) (?:de |del )?(?:mi )?consentimiento `, ` (?:dejo|dejar|queda) sin efecto <some>(?:consentimiento|autorizacion|permiso)`,
			` (?:ya )?no (?:les |le |te |los )?(?:doy|daria|dare) (?:mas )?(?:mi |el |ningun )?(?:consentimiento|permiso|autorizacion) (?:,|para (?:que )?(?:us|guard|trat|contact|llam|escrib)|a que|de (?:us|trat))`,
			` no (?:les |le |te |los )*(?:autorizo|consiento|permito|autorizamos) (?:ya |mas |a )*<some>(?:us[aeo]|guard|trat[ae]|compart|almacen|manej|conserv|llam[ae]|contact|escrib|datos|conserven)`,
			` (?:no (?:quiero|deseo|quisiera)|dejar de) recibir (?:mas |sus )*(?:llamadas|mensajes|correos|publicidad|promociones)`, ` no (?:quiero que |deseo que )?(?:me )?(?:sigan |vuelvan a )?(?:mand|envi)(?:en|ar|ando) (?:me )?(?:mas |ningun )+(?:mensajes?|correos?|publicidad|promociones)`, ` no me vuelv(?:an|a|as) a (?:llam|escrib|contact|busc|molest|mand)`, ` no estoy de acuerdo con que <some>(?:us[ae]|guard|trat|compart|datos)`,
			` no (?:les |te )?(?:tienen|tiene|tienes) (?:mi |ningun )?(?:permiso|autorizacion|consentimiento) (?:para|de) (?:us|guard|trat|compart|contact|llam|escrib)`,
			` prohibo <some>(?:us|guard|trat|compart|almacen|datos)`, ` (?:me opongo|oponerme) <some>(?:us|trat|guard|datos|contact|llam|compart)`, ` derecho (?:de|a la) oposicion `,
			` (?:dejen|deje|deja|dejar|paren|parar|cesen) de (?:us|utili|trat|compart|manej|proces)[a-z]* <please>(?:mis?|toda mi) (?:datos|informacion|info|numero|telefono|correo|contacto)`,
			` (?:no|que no|ya no|no quiero que|no deseo que) (?:sigan |vuelvan a |se )?(?:us[ae]|utili[cz]|trat|compart|manej|proces)[a-z]* (?:mas )?<please>(?:mis?|toda mi) (?:datos|informacion|info|numero|telefono|correo|contacto)`,
			` no (?:quiero que |deseo que )?(?:me )?(?:vuelvan a |sigan |vuelva a )?(?:me )?(?:contact(?:en|e|es|ar)|llam(?:en|e|es|ar)|escrib(?:an|a|as|ir)|busquen|molest(?:en|e|es|ar)|mand(?:en|e|es|ar))(?: mensajes| correos| publicidad| promociones)? (?:mas|nunca|nunca mas|jamas|de nuevo|otra vez)(?: por favor| porfa| nunca| gracias| a este (?:numero|correo|telefono))* ,`,
			` (?:dejen|deje|deja|paren|pare) de (?:llamarme|escribirme|contactarme|molestarme|mandarme|enviarme|buscarme)`, ` ya no me (?:llamen|contacten|escriban|busquen)(?: mas| por favor| porfa)* ,`,
			` (?:withdraw|revoke|take back) (?:my )?consent `, ` stop (?:using|processing|sharing) my (?:data|information|number|email)`, ` (?:stop (?:contacting|calling|texting|emailing)|do not (?:contact|call)|dont (?:contact|call)) me (?:again |anymore |any more )?,`,
		),
		not: forms(` (?:trabajo|laboral|medico|seguro|aseguradora|poliza|escuela|colegio|hijo|hija) `, ` si (?:quiero|quisiera|retiro|algun dia) `, ` (?:como|cuando|puedo) <some>(?:retir|revoc|opon)[a-z]* <some>(?:\?)`),
	},
}

func forms(phrases ...string) []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(phrases))
	for i, phrase := range phrases {
		// A fragment may name others.
		for strings.Contains(phrase, "<") && phrase != fragments.Replace(phrase) {
			phrase = fragments.Replace(phrase)
		}
		all[i] = regexp.MustCompile(phrase)
	}
	return all
}

var (
	sentenceEnd = regexp.MustCompile(`[.!;\n]+|\?`)
	wordless    = regexp.MustCompile(`[^a-z0-9,?]+`)
	mark        = regexp.MustCompile(` *([,?]) *`)
	short       = regexp.MustCompile(` (q|k|ke|xfa|x|d|toy|tb|info) `)
	longer      = map[string]string{"q": "que", "k": "que", "ke": "que", "xfa": "por favor", "x": "por", "d": "de", "toy": "estoy", "tb": "tambien", "info": "info"}
)

// sentencesOf are the sentences of a text as words between single spaces, with a comma as a word of
// its own and one at the end; a question ends with its mark before that.
func sentencesOf(text string) []string {
	var all []string
	plain := spelling.Unaccented(text)
	for from := 0; from < len(plain); {
		to, end := len(plain), len(plain)
		if found := sentenceEnd.FindStringIndex(plain[from:]); found != nil {
			to, end = from+found[0], from+found[1]
		}
		s := " " + plain[from:to] + " "
		if strings.HasPrefix(plain[to:], "?") {
			s += "? "
		}
		s = mark.ReplaceAllString(wordless.ReplaceAllString(s, " "), " $1 ")
		for range 2 { // neighbours share a space
			s = short.ReplaceAllStringFunc(s, func(word string) string { return " " + longer[strings.TrimSpace(word)] + " " })
		}
		if s = strings.Trim(s, " ,"); s != "" {
			all = append(all, " "+s+" , ")
		}
		from = end
	}
	return all
}
