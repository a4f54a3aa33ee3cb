package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/parquet-go/parquet-go"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/teaching"
)

// personal are texts with a piece of personal data each, in braces, as people write them.
var personal = strings.Split(strings.TrimSpace(`
mi celular es {6987-4321}
me llaman al {+507 6123-9876}
wsp {65558899} porfa
tel. casa {(507) 263-7788}
el de mi esposo es {6012.3456}
mi numero es {61 23 45 67} gracias
my US number is {+1 713 555 0148}
numero de contacto: {00507 6444-1212}
marquen al trabajo {304-5562}
mi correo es {zoraida.quintanar@correo.example}
mi mail es {kevinjr507 arroba gmail punto com}
envíeme la factura a {contabilidad.rmf@hotmail.com} por favor
mi cédula es {8-765-4321}
ced. {8 915 2204}
mi cédula: {PE-12-847}
mi carnet es {E-8-114502}
no tengo cédula, pasaporte {AV482917} de Colombia
mi número de identidad personal es {N-20-1634}
facturar con mi RUC {8-441-902 DV 47}
my passport number is {561904837}
póliza {ASSA-778899} de mi seguro
cobren a mi tarjeta {4539 5787 6362 1486}
mi visa es {4539578763621486}
la mastercard {5500-0055-5555-5559}
vivo en {Calle 50, edificio Torre Real, apto 12B}
mi dirección es {Residencial Las Acacias, casa 24}
i live at {Calle Uruguay, PH Bahía, apartment 7C}
nací el {14 de mayo de 1987}
fecha de nacimiento: {03/04/1991}
me llamo {Zoraida Quintanar}
soy {Olmedo Barría} y busco precio de prótesis
buenas, habla {Nidia Castrellón}
la cita quedó a nombre de {Itzel Camaño}
mi esposo {Eric Batista} quiere saber si atienden los domingos
I'm {Sharon Whitfield} and I need a cleaning
el paciente es {Josué Aizprúa}
saludos cordiales, {Delfín Urriola}
`), "\n")

// TestNothingPersonalReachesAnalysts plants 37 pieces of personal data wherever somebody can write one, and looks
// for each in every view, in the export, and in what is kept of analysts' questions about them.
func TestNothingPersonalReachesAnalysts(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, visits := programtest.RunningEmbedded(t)
	cookie := p.SignIn()
	v := visits[0]
	v.Add(&event.LeadCaptured{Conversation: v.About, HasPhone: true})
	v.Add(&event.VisitStarted{Visit: event.Visit{VisitID: "visit", VisitStartedAt: v.At}})
	v.Add(&event.AssistantReplied{Conversation: v.About, Progress: event.Progress{Ordinal: v.Ordinal + 1}, Text: event.Text{Text: "¡Hola!"}})
	v.Add(&event.ReplyRated{Conversation: v.About, Ordinal: v.Ordinal + 1, Rating: event.RatedPositive})
	v.Add(&event.AppointmentOutcomeRecorded{Conversation: v.About, BookingID: "b0", Outcome: event.OutcomeCame, BookedBy: "staff", BookedAt: v.At, Slot: programtest.SomeDay})
	v.Add(&event.ChatRefused{Month: "2026-11", Limit: 1})
	p.Applied(a)
	var pieces []string
	for i, line := range personal {
		_, piece, _ := strings.Cut(line, "{")
		piece, _, _ = strings.Cut(piece, "}")
		pieces = append(pieces, piece)
		plant(t, p, visits[0], cookie, i, strings.NewReplacer("{", "", "}", "").Replace(line))
	}
	if len(pieces) != 37 {
		t.Fatalf("%d pieces", len(pieces))
	}
	var read json.RawMessage
	if err := p.Get("/api/dashboard/contacts", cookie, &read); err != nil {
		t.Fatal(err)
	}
	p.Applied(a)
	p.Published(a)
	seen := map[string]string{}
	views := programtest.Views(t, a)
	for _, view := range strings.Fields(strings.Join(lines(t, views, "SELECT name FROM system.tables WHERE database = currentDatabase()"), "")) {
		from := map[string]string{
			"cohort":      "cohort(from = '1970-01-02', to = '2100-01-01', filter = map(), opening = [])",
			"cohort_days": "cohort_days(from_day = '2020-01-01', to_day = '2099-01-01', filter = map())",
		}[view]
		if from == "" {
			from = view
		}
		rows := lines(t, views, "SELECT * FROM "+from)
		if len(rows) == 0 {
			t.Errorf("%s is empty, and shows nothing", view)
		}
		seen["the view "+view] = strings.Join(rows, "")
	}
	if masked := strings.Count(seen["the view messages"], "["); masked < len(pieces) {
		t.Errorf("the messages have %d masks", masked)
	}
	dir := filepath.Join(p.Dir, "export")
	p.MustRun("export", dir)
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.parquet"))
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		seen["the file "+strings.TrimPrefix(name, dir)] = parquetText(t, name)
	}
	for _, piece := range pieces {
		question := "SELECT count() FROM messages WHERE positionCaseInsensitiveUTF8(text, '" + strings.ReplaceAll(piece, "'", "''") + "') > 0"
		if found := programtest.AskAnalyst(t, a, question); found != "0\n" {
			t.Errorf("%s: %s", question, found)
		}
	}
	asked := 0
	err = filepath.WalkDir(filepath.Join(p.Dir, "data"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(filepath.Dir(path)) != "questions" {
			return err
		}
		text, err := os.ReadFile(path)
		asked += bytes.Count(text, []byte("\n"))
		seen["the record of questions"] += string(text)
		return err
	})
	if err != nil || asked < len(pieces) {
		t.Errorf("%d questions are kept: %v", asked, err)
	}
	seen["what the audit tells of questions"] = p.MustRun("audit", "--what", "AnalystAsked")
	seen["what the program prints"] = p.Output.String()
	planted := p.MustRun("audit", "--what", "AnswerTaught")
	for _, piece := range pieces {
		if !strings.Contains(planted, piece) {
			t.Errorf("the operator's audit lacks %s, which was planted", piece)
		}
	}
	for where, text := range seen {
		for _, piece := range pieces {
			if at := strings.Index(strings.ToLower(text), strings.ToLower(piece)); at >= 0 {
				t.Errorf("%s contains %s: …%s", where, piece, text[max(0, at-80):at+len(piece)])
			}
		}
	}
}

// plant writes a text into a chat, the form, notes, the specialty of bookings by the staff, an answer and reasons. Who
// wrote by the form gets a booking, too.
func plant(t *testing.T, p *programtest.Program, of *programtest.Visit, cookie string, i int, text string) {
	t.Helper()
	post := func(path, cookie string, body map[string]string) error {
		sent, err := json.Marshal(body)
		if err != nil {
			return err
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+p.Addr+path, bytes.NewReader(sent))
		if err != nil {
			return err
		}
		request.Header.Set("Content-Type", "application/json")
		err = p.Do(request, cookie, nil)
		var answered *programtest.Refusal
		if errors.As(err, &answered) && answered.Status/100 == 2 {
			return nil
		}
		return err
	}
	of.Add(&event.AppointmentBooked{Conversation: of.About, BookingID: fmt.Sprint("b", i), Source: "staff", StaffID: "s1", Specialty: text, Slot: programtest.SomeDay})
	public := clinic.Answer{Slug: fmt.Sprint("aviso-", i), Topic: "clinica", Questions: []string{"¿Hay avisos?"}, Text: "Sí."}
	private := event.Answer{Slug: public.Slug, Topic: public.Topic, Questions: []string{text}, Text: text, English: text}
	taught := of.App.DB.Teaching().ChangeAnswer(t.Context(), public.Slug, func(content clinic.Content, _ []event.Recorded) (teaching.Change, error) {
		return teaching.Change{Answers: clinic.WithAnswer(content.Answers, public), Append: event.Append{Stream: event.AnswerStream(public.Slug, 1), Drafts: []event.Draft{{
			ID: uuid.NewString(), OccurredAt: of.At, Payload: &event.AnswerTaught{Answer: private, Before: &private, Version: 1, By: "s1", Reason: text},
		}}}}, nil
	})
	written := &programtest.Visit{App: of.App, T: t, About: event.Conversation{ConversationID: fmt.Sprint("form-", i), ConversationStartedAt: of.At}, At: of.At, Stream: event.ContactStream(fmt.Sprint("form-", i))}
	written.Add(&event.ContactMessageReceived{ContactID: written.About.ConversationID, Channel: "web", Name: text, Email: text, Phone: text, Message: text})
	byForm := event.AppointmentBooked{
		Conversation: written.About, Booked: event.Booked{Kind: event.KindMessage}, BookingID: fmt.Sprint("form-", i), Source: "staff", StaffID: "s1", Specialty: text, Slot: programtest.SomeDay,
	}
	written.Add(&byForm)
	written.Add(&event.ContactNoteAdded{Contact: event.Contact{Kind: contacts.Message, ContactID: written.About.ConversationID, ContactAt: of.At}, Note: text, StaffID: "s1"})
	inChart := programtest.Visit{App: of.App, T: t, At: of.At, Stream: event.ChartNoteStream(fmt.Sprint("n", i))}
	inChart.Add(&event.ChartNoted{From: "2026-11-10", To: "2026-11-10", By: "s1", Note: text})
	position := int64(1_000_000 + i)
	err := errors.Join(taught,
		post("/api/chatbot", "", map[string]string{"sessionId": fmt.Sprint("planted-", i), "message": text}),
		post("/api/contact", "", map[string]string{"name": "Ana Ruiz", "email": "ana@correo.example", "phone": "6000-0001", "message": text}),
		post("/api/dashboard/contacts/"+contacts.Lead+"/"+of.About.ConversationID+"/notes", cookie, map[string]string{"id": fmt.Sprint("n", i), "text": text}),
		app.RecordIn(t.Context(), of.App, event.SkippedStream(position), &event.EventSkipped{Position: position, Stream: "conversation/x", Reason: text}))
	if err != nil {
		t.Fatal(text, err)
	}
}

// parquetText is what the rows of a file contain.
func parquetText(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(name, err)
	}
	var text strings.Builder
	reader := parquet.NewReader(file)
	defer reader.Close()
	rows := make([]parquet.Row, file.NumRows())
	if n, err := reader.ReadRows(rows); int64(n) != file.NumRows() {
		t.Fatalf("%s: %d of %d rows: %v", name, n, file.NumRows(), err)
	}
	for _, row := range rows {
		for _, value := range row {
			fmt.Fprintln(&text, value)
		}
	}
	return text.String()
}
