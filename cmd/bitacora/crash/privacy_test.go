package crash

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/contacts"
)

// planted is a person of whom a program keeps something in every place there is.
type planted struct {
	t    *testing.T
	p    *programtest.Program
	desk *clients
	// chat is the conversation, staff the cookie of a colleague.
	chat  *client
	staff string
}

// What the person told: nothing of it may be readable afterwards.
const (
	plantedName      = "Zoraida Quintanar"
	plantedPhone     = "6987-4321"
	plantedEmail     = "zoraida.quintanar@correo.example"
	plantedDocument  = "8-765-4321"
	plantedDiagnosis = "me diagnosticaron periodontitis agresiva con bolsas de nueve milimetros"
	plantedWish      = "Prefiero que no me llamen a la clinica veterinaria donde trabajo"
	plantedNote      = "paciente de la doctora Etelvina, alergica a la articaina"
)

// plant lets somebody tell of themselves in the chat, book, write with the form, and be noted
// down and read by the staff.
func plant(t *testing.T, p *programtest.Program) *planted {
	t.Helper()
	x := &planted{t: t, p: p, desk: newClients(t, p)}
	x.chat = x.visitor("persona")
	for _, text := range []string{"Hola, " + plantedDiagnosis, "mi cédula es " + plantedDocument, "quiero una cita de limpieza", "sí", plantedName, plantedPhone} {
		x.chat.say(text)
	}
	settle(x.chat)
	if !strings.Contains(x.chat.reply, saidBooked) {
		t.Fatalf("no appointment was made: %s", x.chat.reply)
	}
	rateOnce := rate("positive", "")
	rateOnce(x.chat)
	x.chat.ask(request{method: "POST", path: "/api/contact", body: map[string]string{
		"name": plantedName, "email": plantedEmail, "phone": plantedPhone, "message": plantedWish,
	}})
	signIn(x.chat)
	x.staff = x.chat.staff
	openTranscript(x.chat)
	x.chat.contact = contacts.Ref{Kind: contacts.Lead, ID: x.chat.conversation()}
	body := map[string]string{"id": "n1", "text": plantedNote}
	x.chat.ask(request{method: "POST", path: x.chat.contactPath() + "/notes", cookie: x.staff, body: body})
	p.Applied(p.App())
	return x
}

// visitor is somebody who comes to the chat.
func (x *planted) visitor(session string) *client {
	return &client{clients: x.desk, random: rand.New(rand.NewPCG(1, 2)), servers: x.desk.servers, session: session}
}

// TestAPersonIsFoundAndGetsACopy asks by everything that identifies a person, and reads what is
// handed over.
func TestAPersonIsFoundAndGetsACopy(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewProgram(t)
	p.Start()
	x := plant(t, p)
	other := x.visitor("otra")
	other.say("¿Atienden niños?")
	for _, who := range []string{"+507 6987 4321", strings.ToUpper(plantedEmail), "8 765 4321", x.chat.conversation()} {
		found := p.MustRun("privacy", "find", who)
		for _, want := range []string{x.chat.conversation(), "message", plantedName, " texts", "appointment to come"} {
			if !strings.Contains(found, want) {
				t.Errorf("by %s, %q is not found:\n%s", who, want, found)
			}
		}
		if strings.Contains(found, other.conversation()) {
			t.Errorf("by %s, somebody else is found:\n%s", who, found)
		}
	}
	for _, format := range []string{"html", "json"} {
		file := filepath.Join(t.TempDir(), "copia."+format)
		p.MustRun("privacy", "export", plantedPhone, "--format", format, "--output", file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{plantedName, plantedEmail, plantedDocument, plantedDiagnosis, plantedWish, plantedNote, programtest.StaffEmail} {
			if !strings.Contains(string(text), want) {
				t.Errorf("the copy as %s lacks %q", format, want)
			}
		}
		if format == "html" && strings.Contains(string(text), "<script") {
			t.Error("the page needs a script")
		}
	}
	if said := p.MustRun("audit", "--what", "SubjectExported"); strings.Count(said, "SubjectExported") != 4 || !strings.Contains(said, "operator") {
		t.Errorf("the log tells of the copies:\n%s", said)
	}

	erase := []string{"privacy", "erase", plantedPhone, "--cancel-bookings", "--now"}
	var exit *exec.ExitError
	if out, err := p.Run("Zoraida\n", erase...); !errors.As(err, &exit) || exit.ExitCode() != command.ExitMisused || !strings.Contains(out, "type: "+plantedName) || !strings.Contains(out, "nothing was erased") {
		t.Errorf("another name is answered %v:\n%s", err, out)
	}
	if found := p.MustRun("privacy", "find", plantedPhone); !strings.Contains(found, plantedName) {
		t.Errorf("without the name, erased:\n%s", found)
	}
	out, err := p.Run(plantedName+"\n", erase...)
	if err != nil || !strings.Contains(out, "appointments cancelled: 1") || !strings.Contains(out, "letters removed from the outbox: 2") {
		t.Errorf("erased with %v:\n%s", err, out)
	}
	a := p.App()
	if taken, err := a.DB.Log().Reservations(t.Context()); err != nil || len(taken) != 0 {
		t.Errorf("chairs are taken: %+v, %v", taken, err)
	}
	if state, err := a.DB.Log().KeyState(t.Context()); err != nil || state.KeyEpoch != 1 || state.Last.Erased != 2 {
		t.Errorf("the keys: %+v, %v", state, err)
	}
	for _, wrong := range [][]string{{"erase", ""}, {"find"}, {"export", plantedPhone, "--format", "pdf"}, {"restrict", "x", "--reason", "porque"}, {"find", other.conversation(), "--except", "nadie"}} {
		if out, err := p.Run("", append([]string{"privacy"}, wrong...)...); !errors.As(err, &exit) || exit.ExitCode() != command.ExitMisused {
			t.Errorf("%v: %v\n%s", wrong, err, out)
		}
	}
}

// TestARestrictedPersonIsKeptAndNotUsed restricts somebody, looks at every place that shows or
// uses their data, and lifts it again.
func TestARestrictedPersonIsKeptAndNotUsed(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewProgram(t)
	p.Start()
	x := plant(t, p)
	transcript := "/api/dashboard/conversation/" + x.chat.conversation() + "/messages"
	exports := []string{
		"/api/dashboard/contacts", "/api/dashboard/contacts/export",
		"/api/dashboard/export?rows=messages&format=jsonl",
	}
	shown := func() (all string) {
		for _, path := range exports {
			all += x.read(path)
		}
		return all
	}
	secrets := []string{plantedName, plantedEmail, "+50769874321", "periodontitis agresiva", "veterinaria", "articaina"}
	before := x.kpis()
	for _, secret := range secrets {
		if !strings.Contains(shown(), secret) {
			t.Errorf("before, %q is shown nowhere", secret)
		}
	}
	p.MustRun("privacy", "restrict", plantedPhone)
	for _, secret := range secrets {
		if strings.Contains(shown(), secret) {
			t.Errorf("%q is shown:\n%s", secret, shown())
		}
	}
	if err := p.Get(transcript, x.staff, nil); err == nil || !strings.Contains(err.Error(), "Restringido por pedido de la persona") {
		t.Errorf("the transcript is answered %v", err)
	}
	err := p.Post("/api/chatbot", map[string]string{"sessionId": "persona", "messageId": "later", "message": "¿Siguen ahí?"}, nil)
	if err == nil {
		t.Error("the chat goes on")
	}
	if after := x.kpis(); after != before {
		t.Errorf("the numbers were %s, and are %s", before, after)
	}
	p.MustRun("rebuild")
	p.MustRun("verify")
	if strings.Contains(shown(), "periodontitis agresiva") {
		t.Error("a rebuild brought it back")
	}
	p.MustRun("privacy", "restrict", x.chat.conversation(), "--lift")
	for _, secret := range secrets {
		if !strings.Contains(shown(), secret) {
			t.Errorf("after it was lifted, %q is shown nowhere", secret)
		}
	}
	p.MustRun("verify")
}

// read is what an address answers the staff.
func (x *planted) read(path string) string {
	x.t.Helper()
	var said string
	if err := x.p.Get(path, x.staff, &said); err != nil {
		x.t.Fatal(err)
	}
	return said
}

// kpis are the numbers of the dashboard, without up to when they hold.
func (x *planted) kpis() string {
	x.t.Helper()
	var numbers map[string]any
	if err := x.p.Get("/api/dashboard/kpis", x.staff, &numbers); err != nil {
		x.t.Fatal(err)
	}
	delete(numbers, "dataThrough")
	text, err := json.Marshal(numbers)
	if err != nil {
		x.t.Fatal(err)
	}
	return string(text)
}
