package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"bitacora/adapters/archive/archivetest"
	"bitacora/adapters/archive/logtest"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/phones"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

var (
	panama = time.FixedZone("Panama", -5*60*60)
	plan   = phones.Plan{Country: "PA"}
)

func importText(t *testing.T, log Log, text string) Report {
	t.Helper()
	report, err := Importer{Log: log, Zone: panama, Phones: plan}.Import(context.Background(), strings.NewReader(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func line(id, text string) string {
	return fmt.Sprintf(`{"id":%q,"startedAt":"2020-08-07T22:55:00-05:00","messages":[{"role":"user","text":%q,"at":"2020-08-07T22:55:00-05:00","intent":"saludo"},{"role":"assistant","text":"Hola","at":"2020-08-07T22:55:12-05:00"}]}`+"\n", id, text)
}

func TestFilesAreImportedOnce(t *testing.T) {
	for _, file := range archivetest.Files(t, "../..") {
		t.Run(file.Name, func(t *testing.T) {
			var log logtest.Log
			imp, lines := Importer{Log: &log, Zone: panama, Phones: plan}, len(file.Chats)
			for round, want := range []Report{{Lines: lines, Imported: lines}, {Lines: lines, Unchanged: lines}} {
				f, err := os.Open(file.Path)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				settled := 0
				got, err := imp.Import(context.Background(), f, func(r Report) { settled = r.Lines })
				if err != nil {
					t.Fatal(err)
				}
				if fmt.Sprint(got) != fmt.Sprint(want) || settled != lines {
					t.Errorf("round %d: report %+v, progress %d", round+1, got, settled)
				}
			}
			if got, want := log.Len()-masked(t, &log, file), file.Events(); got != want {
				t.Errorf("%d events, want %d", got, want)
			}
			months := map[string]int{}
			for _, c := range file.Chats {
				months[c.Messages[0].At.In(panama).Format("2006-01")]++
			}
			for month, want := range months {
				if got := log.Taken(month); got != want {
					t.Errorf("quota taken in %s: %d, want %d", month, got, want)
				}
			}
		})
	}
}

// masked is how many of the events that were stored mask texts anew.
func masked(t *testing.T, log *logtest.Log, file archivetest.File) (n int) {
	t.Helper()
	for _, c := range file.Chats {
		events, err := log.ReadStream(t.Context(), chat.Stream(chat.ConversationID("import", c.ID)))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if _, ok := e.Payload.(*event.TextsMasked); ok {
				n++
			}
		}
	}
	return n
}

func TestSameIDWithOtherContentIsAConflict(t *testing.T) {
	var log logtest.Log
	importText(t, &log, line("a", "hola"))
	before := log.Sum()
	got := importText(t, &log, line("b", "hola")+line("a", "adiós")+line("a", "hola")+line("b", "otra"))
	if got.Imported != 1 || got.Unchanged != 1 || !slices.Equal(got.Conflicts, []Conflict{{2, "a"}, {4, "b"}}) {
		t.Errorf("report = %+v", got)
	}
	if log.Streams() != 2 || log.Sum() == before {
		t.Errorf("%d streams", log.Streams())
	}
}

func TestWritingTheSameContentAnotherWayIsNoConflict(t *testing.T) {
	var log logtest.Log
	withLead := func(lead string) string {
		return strings.TrimSuffix(line("a", "hola"), "}\n") + `,"lead":` + lead + "}\n"
	}
	importText(t, &log, withLead(`{"at":"2020-08-07T22:56:00-05:00","phone":"+50760001234","consent":true}`))
	got := importText(t, &log, withLead(`{"consent":true, "unknown":[1], "phone":" 6000-1234 ","at":"2020-08-08T03:56:00.0004Z"}`))
	if got.Unchanged != 1 {
		t.Errorf("report = %+v", got)
	}
	events, err := log.ReadStream(context.Background(), chat.Stream(chat.ConversationID(source, "a")))
	if err != nil {
		t.Fatal(err)
	}
	var lead *event.LeadCaptured
	for _, e := range events {
		if l, ok := e.Payload.(*event.LeadCaptured); ok {
			lead = l
		}
	}
	if lead == nil || lead.Phone != "+50760001234" {
		t.Errorf("lead = %+v", lead)
	}
}

// Labels are recorded in the clear.
func TestLabelsHoldNothingPersonal(t *testing.T) {
	p, err := parse([]byte(`{"id":"a","startedAt":"2020-08-07T22:56:00Z","messages":[`+
		`{"role":"user","text":"hola","at":"2020-08-07T22:56:00Z","intent":"cita de Ana Ruiz 6123-4567"},`+
		`{"role":"assistant","text":"hola","at":"2020-08-07T22:56:01Z","intent":"llamar a la sra. Ruiz"}]}`), plan)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Messages[0].Intent + ", " + p.Messages[1].Reply.Topic; got != "cita de [nombre] [teléfono], llamar a la sra. [nombre]" {
		t.Errorf("labels: %s", got)
	}
}

func TestOddFilesAreRead(t *testing.T) {
	tests := map[string]struct {
		text     string
		imported int
	}{
		"empty":                 {"", 0},
		"blank lines":           {"\n \t\n\n", 0},
		"byte order mark":       {"\ufeff" + line("a", "hola"), 1},
		"carriage returns":      {strings.ReplaceAll(line("a", "hola")+line("b", "hola"), "\n", "\r\n"), 2},
		"no newline at the end": {strings.TrimSuffix(line("a", "hola"), "\n"), 1},
		"very long line":        {line("a", strings.Repeat("ñ", maxText)) + line("b", "hola"), 2},
		"unknown keys":          {strings.Replace(line("a", "hola"), `"id"`, `"x":{"y":[1]},"id"`, 1), 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var log logtest.Log
			if got := importText(t, &log, tt.text); got.Imported != tt.imported || len(got.Bad) != 0 {
				t.Errorf("report = %+v", got)
			}
		})
	}
}

func TestBadLinesAreReportedAndDoNotStop(t *testing.T) {
	with := func(tail string) string { return strings.TrimSuffix(line("x", "hola"), "}\n") + "," + tail + "}\n" }
	lead := `"lead":{"at":"2020-08-07T22:56:00-05:00","name":"Ana Secreto","phone":"6000-1234","consent":true}`
	tests := map[string]struct{ line, reason string }{
		"no JSON":              {"hola Secreto\n", "no JSON object"},
		"array":                {"[1]\n", "array"},
		"cut":                  {`{"id":"x","messages":[{"role"` + "\n", "no JSON object"},
		"no id":                {line("", "hola"), "id: is missing"},
		"blank id":             {line(" ", "hola"), "id: is missing"},
		"endless id":           {line(strings.Repeat("x", 201), "hola"), "id: is longer"},
		"number for text":      {`{"id":7}` + "\n", "id: a JSON number"},
		"no messages":          {`{"id":"x"}` + "\n", "none of role user"},
		"no visitor":           {`{"id":"x","messages":[{"role":"assistant","text":"a","at":"2020-08-07T22:55:00Z"}]}` + "\n", "none of role user"},
		"unknown role":         {`{"id":"x","messages":[{"role":"bot","text":"a","at":"2020-08-07T22:55:00Z"}]}` + "\n", "messages[0].role"},
		"no time":              {`{"id":"x","messages":[{"role":"user","text":"a"}]}` + "\n", "messages[0].at: is missing"},
		"time of another form": {`{"id":"x","messages":[{"role":"user","text":"a","at":"ayer"}]}` + "\n", "RFC 3339"},
		"time out of bounds":   {`{"id":"x","messages":[{"role":"user","text":"a","at":"1020-08-07T22:55:00Z"}]}` + "\n", "between the years"},
		"empty text":           {line("x", " \u200b "), "messages[0].text: is empty"},
		"endless text":         {line("x", strings.Repeat("a", maxText+1)), "messages[0].text: is longer"},
		"lead, no consent":     {with(strings.Replace(lead, "true", "false", 1)), "lead.consent"},
		"lead, no contact":     {with(`"lead":{"at":"2020-08-07T22:56:00Z","consent":true}`), "lead.phone: is missing"},
		"lead, bad phone":      {with(strings.Replace(lead, "6000-1234", "12", 1)), "lead.phone: is no"},
		"lead, bad e-mail":     {with(`"lead":{"at":"2020-08-07T22:56:00-05:00","email":"secreto@","consent":true}`), "lead.email"},
		"lead too early":       {with(strings.Replace(lead, "22:56", "22:54", 1)), "lead before"},
		"appointment, no lead": {with(`"appointment":{"at":"2020-08-08T22:56:00Z","slot":"2020-08-09T22:56:00Z","source":"chat"}`), "without a lead"},
		"unknown source":       {with(lead + `,"appointment":{"at":"2020-08-08T22:56:00Z","slot":"2020-08-09T22:56:00Z","source":"fax"}`), "unknown source"},
		"no slot":              {with(lead + `,"appointment":{"at":"2020-08-08T22:56:00Z","source":"chat"}`), "appointment.slot: is missing"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var log logtest.Log
			got := importText(t, &log, line("first", "hola")+"\n"+tt.line+line("last", "hola"))
			if got.Imported != 2 || len(got.Bad) != 1 {
				t.Fatalf("report = %+v", got)
			}
			if bad := got.Bad[0]; bad.Line != 3 || !strings.Contains(bad.Reason, tt.reason) || strings.Contains(strings.ToLower(bad.Reason), "secreto") {
				t.Errorf("bad = %+v, want line 3: %s", bad, tt.reason)
			}
		})
	}
}

func TestLineWithoutEndIsNotKept(t *testing.T) {
	endless := io.MultiReader(
		strings.NewReader(`{"id":"`), io.LimitReader(letters{}, maxLine), strings.NewReader("\"}\n"+line("a", "hola")),
	)
	var log logtest.Log
	got, err := Importer{Log: &log, Zone: panama, Phones: plan}.Import(context.Background(), endless, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.Imported != 1 || len(got.Bad) != 1 || got.Bad[0].Line != 1 {
		t.Errorf("report = %+v", got)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func TestFaultsStopTheImport(t *testing.T) {
	down := errors.New("down")
	t.Run("log", func(t *testing.T) {
		log := logtest.Log{Fail: down}
		_, err := Importer{Log: &log, Zone: panama, Phones: plan}.Import(context.Background(), strings.NewReader(line("a", "hola")), nil)
		if !errors.Is(err, down) || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("reader", func(t *testing.T) {
		var log logtest.Log
		broken := io.MultiReader(strings.NewReader(line("a", "hola")), iotest.ErrReader(down))
		got, err := Importer{Log: &log, Zone: panama, Phones: plan}.Import(context.Background(), broken, nil)
		if !errors.Is(err, down) || got.Imported > 1 {
			t.Errorf("report %+v, err %v", got, err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		var log logtest.Log
		if _, err := (Importer{Log: &log, Zone: panama, Phones: plan}).Import(ctx, strings.NewReader(line("a", "hola")), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v", err)
		}
	})
}

func TestManyConversationsAndTheirRepetitions(t *testing.T) {
	var text strings.Builder
	for i := range 3000 {
		text.WriteString(line(fmt.Sprint("c-", i%1000), "hola"))
	}
	var log logtest.Log
	got := importText(t, &log, text.String())
	if got.Imported != 1000 || got.Unchanged != 2000 || len(got.Conflicts) != 0 || log.Streams() != 1000 {
		t.Errorf("report %+v, %d streams", got, log.Streams())
	}
}

// pausedLog answers nothing until it is let go.
type pausedLog struct {
	logtest.Log
	letGo chan struct{}
}

func (h *pausedLog) ReadStream(ctx context.Context, stream string) ([]event.Recorded, error) {
	<-h.letGo
	return h.Log.ReadStream(ctx, stream)
}

// counting counts what is read through it.
type counting struct {
	io.Reader
	read atomic.Int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read.Add(int64(n))
	return n, err
}

// However many lines could wait, long ones do so in the file.
func TestAnImportHoldsABoundedNumberOfBytes(t *testing.T) {
	enginestest.Long(t)
	var file strings.Builder
	const lines = 200
	for i := range lines {
		file.WriteString(strings.Replace(line(fmt.Sprint(i), "Hola"), `"id"`, `"ignored":"`+strings.Repeat("a", 1<<20)+`","id"`, 1))
	}
	synctest.Test(t, func(t *testing.T) {
		log := &pausedLog{letGo: make(chan struct{})}
		in := &counting{Reader: strings.NewReader(file.String())}
		done := make(chan Report)
		go func() {
			report, err := Importer{Log: log, Zone: panama, Phones: plan}.Import(t.Context(), in, nil)
			if err != nil {
				t.Error(err)
			}
			done <- report
		}()
		synctest.Wait()
		// Beside what is in flight, the next line was read, and its reader is ahead by its buffer.
		if most := int64(importBytes + 2<<20); in.read.Load() > most || in.read.Load() < importBytes/2 {
			t.Errorf("%d bytes were read while nothing was stored, want at most %d", in.read.Load(), most)
		}
		close(log.letGo)
		if report := <-done; report.Imported != lines {
			t.Errorf("%+v", report)
		}
	})
}
