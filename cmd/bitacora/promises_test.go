package main

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bitacora/domain/clinic"
)

// promising finds what says that something will be done, or how data is handled.
var promising = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`\bte (?:avis|llam|respond|contact|escribir|env[ií])`, `\bavis(?:é|amos|aremos|aré)`, `\bllamaremos`, `\bresponder(?:emos|te)\b`,
	`\brecado\b`, `\bescríbeme`, `\bcontactar(?:te|emos)`, `\bcontacto contigo`, `\brecibir(?:ás|á)\b`,
	`\bborr[ae]`, `\bcifrad`, `\bcompart(?:id|iremos|imos)`, `\bgarantiz`, `\bguard(?:o|a|amos|aremos)\b.*(?:datos|correo)`,
	`\b[uú]s[ae]\w* .*datos`, `\bsolo para (?:responder|gestionar|coordinar)`, `\b[uú]nicamente\b`,
}, "|"))

// The tests of what keeps promises. A letter reaches the staff, who see the contact on the
// dashboard too; what is told of a person leaves the log for them alone.
var (
	reachesTheStaff = []string{"TestContactMessagesReachTheStaff", "TestStaffSeesWhoCanBeReached"}
	leadIsAnswered  = []string{"TestLeadsReachTheStaff", "TestStaffSeesWhoCanBeReached"}
	forTheStaff     = []string{"TestDashboardIsForStaff", "TestOutsideModelsSeeNoContacts", "TestDatabaseAloneTellsNothingPersonal", "TestFlagsReachTheStaff"}
	askedByConsent  = []string{"TestAContactLeftUnaskedBecomesALeadWithConsentOnly", "TestWhatWasToldBeforeARefusalIsNotUsed"}
	rescheduled     = []string{"TestCancellingMovingAndAskingForTheAppointment"}
	// asked is a request that is taken down with its term, told by letter and seen until it is done.
	asked = []string{"TestRequestsAreRead", "TestARequestIsTakenDownWithItsTerm", "TestRequestsReachTheStaff", "TestStaffSeesAndFinishesRequests"}
	// erasedAlone is what the browser does that holds a conversation.
	erasedAlone    = []string{"TestVisitorsEraseTheirConversation", "TestTheNoticePageErases", "erases the conversation from its menu"}
	confirmedFirst = []string{"TestAnAddressCountsOnceItIsConfirmed"}
	// byHand is what people do who read the clinic's own mail, or what a post advises.
	byHand = []string{}
)

// kept names, for each sentence of site, chat, letters and content that promises something, the
// tests of what keeps it. A part that the program fills in is a _.
var kept = map[string][]string{
	"Te responderemos en nuestro horario de atención": reachesTheStaff,
	"Nos pondremos en contacto contigo pronto":        reachesTheStaff,
	"Al enviar, aceptas que usemos tus datos únicamente para responder tu mensaje y coordinar tu cita, conforme a la _ sobre protección de datos personales": forTheStaff,
	"Para pedir que se borren, escríbenos con este formulario o a":                                                                                           reachesTheStaff,
	"Si nos dejas tu contacto, lo usaremos únicamente para responderte y coordinar tu cita, conforme a la":                                                   forTheStaff,
	"este formulario no guarda ni envía tu correo":                                                                                                           {"has a newsletter box that triggers nothing"},
	"tu información no será compartida con nadie":                                                                                                            {"has a newsletter box that triggers nothing"},
	"Primero te enviamos un enlace, para saber que la dirección es tuya":                                                                                     confirmedFirst,
	"La suscripción terminó y tu dirección está borrada":                                                                                                     confirmedFirst,
	"En la misma página puedes darte de baja cuando quieras, y borramos tu dirección":                                                                        {"TestAnAddressCountsOnceItIsConfirmed", "TestMailProgramsUnsubscribeWithOneTouch"},
	"sin confirmación la borramos a los 7 días":                                                                                                              {"TestAnUnconfirmedAddressExpires"},
	"sin tu confirmación se borra a los 7 días":                                                                                                              {"TestAnUnconfirmedAddressExpires"},
	"El equipo de _ los usa solo para responderte y gestionar tu cita":                                                                                       forTheStaff,
	"Tus datos los usa el equipo de la clínica solo para responderte y gestionar tu cita":                                                                    forTheStaff,
	"¿Aceptas que usemos tus datos como dice el aviso de arriba":                                                                                             askedByConsent,
	"Antes de usar tus datos necesito tu permiso":                                                                                                            askedByConsent,
	"De acuerdo, _no usamos los datos que escribiste_no guardo tus datos":                                                                                    {"TestWhatWasToldBeforeARefusalIsNotUsed", "TestWithoutConsentNothingIsKept"},
	"Si prefieres que te contacten,_Para agendar_ necesito tu nombre y un teléfono o correo":                                                                 leadIsAnswered,
	"si hace falta, te contactan":                                                                                                                            leadIsAnswered,
	"Le dejé el recado al equipo de la clínica para que te contacte":                                                                                         {"TestCallbackAsksHowToReachTheVisitor", "TestLeadsReachTheStaff", "TestFlagsReachTheStaff"},
	"Ya avisé al equipo de la clínica para que lea esta conversación":                                                                                        {"TestComplaintIsFlaggedOnce", "TestFlagsReachTheStaff", "marks what asks for attention, and leads to it"},
	"Si necesitas cambiarla o cancelarla, escríbeme por aquí":                                                                                                rescheduled,
	"Si más adelante quieres agendar, escríbeme":                                                                                                             {"TestReturningTheNextDay"},
	"Si quieres, también te respondo preguntas por aquí":                                                                                                     {"TestDialoguesThroughHTTP"},
	"¿Cómo te llamas": {"TestCallbackAsksHowToReachTheVisitor"},
	"Para que te respondan, escribe a _ o llama al _ con la fecha y lo que pasó":                                                           byHand,
	"En el registro, los textos, los nombres y los contactos están cifrados, con una llave distinta para cada conversación y cada mensaje": {"TestDatabaseAloneTellsNothingPersonal"},
	"Al borrarlos se destruye esa llave, de modo que tampoco las copias de respaldo se pueden leer":                                        {"TestAfterARotationNoKeyOpensWhatCopiesHold"},
	"es un borrado demostrable en 24 horas": {"TestAnErasedPersonIsNowhere", "TestKeysAreRotatedByNightWhereSomebodyWasErased"},
	"Lo que escribes aquí se guarda mientras sirva para atenderte, o hasta que pidas el borrado («borren mis datos»)":           asked,
	"Mientras sirva para atenderte, o hasta que pidas el borrado":                                                               reachesTheStaff,
	"Qué se guarda de ti, para qué, y cómo pides una copia o el borrado":                                                        {"TestNoticeIsShown"},
	"Como aquí no dejaste cómo contactarte, escribe a _ desde donde quieras recibirla":                                          asked,
	"En esta conversación no me has dado permiso para usar tus datos, así que aquí no hay nada que retirar":                     {"TestAConsentIsTakenBackAtOnce"},
	"ya no usamos tus datos para contactarte":                                                                                   {"TestAConsentIsTakenBackAtOnce", "TestAWithdrawnContactIsNotToBeCalled"},
	"el equipo de _ borra tus datos a más tardar el":                                                                            asked,
	"Si quieres una copia o que se borren, dímelo aquí («quiero una copia de mis datos», «borren mis datos») o pídelo en _ (_)": asked,
	"si quieres una copia o que se borren, pídelo por aquí o en _ (_)":                                                          asked,
	"escribe «borren mis datos», «quiero una copia de mis datos» o «retiro mi consentimiento»":                                  asked,
	"que se borren sus datos_una copia de sus datos_que ya no se usen sus datos":                                                {"TestRequestsReachTheStaff"},
	"Borra lo que conversaste aquí":                                                                                             erasedAlone,
	"Borrando…":                                                                                                                 erasedAlone,
	"Borrar esta conversación":                                                                                                  erasedAlone,
	"Borrar mis conversaciones":                                                                                                 erasedAlone,
	"En este navegador no queda ninguna conversación que borrar":                                                                erasedAlone,
	"Este navegador puede borrar, para siempre y al momento, las conversaciones del chat que empezó":                            erasedAlone,
	"No se pudo borrar":                         erasedAlone,
	"Se borra para siempre lo que se dijo aquí": erasedAlone,
	"Se va a borrar 1 conversación":             erasedAlone,
	"Se van a borrar _ conversaciones":          erasedAlone,
	"Si no quieres esperar, en el menú de este chat puedes borrar esta conversación ahora": erasedAlone,
	"Sí, borrar todo": erasedAlone,
	"Sí, borrarla":    erasedAlone,
	"el navegador en el que conversaste puede borrar esa conversación con el botón de más abajo, o en el menú del chat": erasedAlone,
	"¿Borramos tus conversaciones":                  erasedAlone,
	"¿Borrar esta conversación":                     erasedAlone,
	"Pide que te respondan por escrito":             byHand,
	"No descarga ni borra datos, ni ve las cuentas": {"TestEveryOperationOfTheStaffAnswersEveryRole"},
}

// spokenIn are the texts that visitors, or the staff in a letter, read.
var spokenIn = []string{
	"domain/clinic/content/pages/*.json", "domain/clinic/content/services/*.json", "webapp/src/content/[^d]*.ts", "domain/chat/*.tmpl", "adapters/assistant/data/*.tmpl",
	"domain/clinic/content/*.json", "domain/clinic/content/*.md", "domain/clinic/content/*/*.md", "adapters/mail/*.tmpl", "adapters/mail/*.txt", "adapters/mail/*.html",
}

// filledIn is what the program fills in.
var filledIn = regexp.MustCompile(`\{\{[^}]*\}\}`)

// sentence is a run of text up to an end of it, or to a mark of the file's format.
var sentence = regexp.MustCompile(`[^.?!;:"` + "`" + `\n]+`)

func TestEveryPromiseIsKept(t *testing.T) {
	root := filepath.Join("..", "..")
	said := map[string]string{}
	for _, pattern := range spokenIn {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no texts, %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range sentence.FindAllString(filledIn.ReplaceAllString(clinic.Tu.In(string(text)), "_"), -1) {
				if s = strings.Trim(s, " _,*-"); promising.MatchString(s) {
					said[s] = file
				}
			}
		}
	}
	tests := everyTest(t, root)
	for _, s := range slices.Sorted(maps.Keys(said)) {
		keepers, ok := kept[s]
		if !ok {
			t.Errorf("%s promises, and no test keeps it:\n%s", said[s], s)
		}
		for _, name := range keepers {
			if !tests[name] {
				t.Errorf("there is no test %q that keeps:\n%s", name, s)
			}
		}
	}
	for _, s := range slices.Sorted(maps.Keys(kept)) {
		if said[s] == "" {
			t.Errorf("nothing says any more:\n%s", s)
		}
	}
}

var testName = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(|\btest\("([^"]+)"`)

// everyTest names the tests of the program and of the site.
func everyTest(t *testing.T, root string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, dir := range []string{"domain", "adapters", "projections", "cmd", "webapp/e2e"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".spec.ts") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, found := range testName.FindAllStringSubmatch(string(text), -1) {
				names[found[1]+found[2]] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return names
}
