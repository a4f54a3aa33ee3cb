package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi"
	"bitacora/adapters/httpapi/booking"
	"bitacora/adapters/httpapi/site"
	"bitacora/adapters/httpapi/staff"
	"bitacora/adapters/httpapi/visitor"
	"bitacora/adapters/httpapi/web"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/assistant"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/spelling"
	"bitacora/webapp"
)

// scripted is a conversation in testdata/dialogues: what a visitor says, and what has to
// come of it. All of them run against a clock that the test moves, and all but variants through
// HTTP: those that need no clock against the real program, the others against its interface.
type scripted struct {
	Name string
	// Clock is when it begins; empty if any time will do.
	Clock string
	// Variant says the same as another dialogue in other words: it runs in memory alone.
	Variant bool
	// Limit is how many conversations the month allows; nil for no limit.
	Limit *int
	Turns []scriptedTurn
}

type scriptedTurn struct {
	// Say is what the visitor writes, As which other visitor, After how long a silence.
	Say, As, After string
	// Asked is what the reply asks for, "" where nothing is being arranged.
	Asked *string
	// Has and Lacks are parts of the reply.
	Has, Lacks []string
	// Contact is the number or address that the clinic then has.
	Contact string
	// Events are the types of what is recorded beside the messages.
	Events *string
	// Refused: the month's limit is reached.
	Refused bool
}

// needsClock says that the dialogue is about a certain time or about time that passes.
func (s scripted) needsClock() bool {
	return s.Clock != "" || slices.ContainsFunc(s.Turns, func(t scriptedTurn) bool { return t.After != "" })
}

// leastDialogues is how many have to run through HTTP.
const leastDialogues = 60

func allDialogues(t *testing.T) []scripted {
	t.Helper()
	files, err := filepath.Glob("testdata/dialogues/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []scripted
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var some []scripted
		if err := json.Unmarshal(raw, &some); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for i := range some {
			some[i].Name = strings.TrimSuffix(filepath.Base(file), ".json") + ": " + some[i].Name
		}
		all = append(all, some...)
	}
	return all
}

// stage is where a dialogue is performed.
type stage interface {
	// say sends a message; refused says that the month's limit is reached.
	say(session, text string) (reply string, refused bool, err error)
	// wait lets time pass.
	wait(d time.Duration)
	now() time.Time
	stream(session string) ([]event.Recorded, error)
}

// days replaces the placeholders of a dialogue, {day1} and {day2}, by days of the week that
// are ahead whenever it runs.
func days(now time.Time) *strings.Replacer {
	plain := strings.NewReplacer("É", "E", "Á", "A")
	var pairs []string
	day := now.In(clinic.Default().Zone).AddDate(0, 0, 2)
	for n := 1; n <= 2; day = day.AddDate(0, 0, 1) {
		if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
			continue
		}
		name := clinic.DayName(day.Weekday())
		pairs = append(pairs, fmt.Sprintf("{day%d}", n), name, fmt.Sprintf("{DAY%d}", n), plain.Replace(strings.ToUpper(name)))
		n++
	}
	return strings.NewReplacer(pairs...)
}

// perform runs a dialogue and checks every turn, also for what holds of all of them.
func (s scripted) perform(t *testing.T, on stage) {
	prefix := uuid.NewString()
	words := days(on.now())
	for i, turn := range s.Turns {
		turn.Say = words.Replace(turn.Say)
		session := prefix + turn.As
		if turn.After != "" {
			d, err := time.ParseDuration(turn.After)
			if err != nil {
				t.Fatal(err)
			}
			on.wait(d)
		}
		before, err := on.stream(session)
		if err != nil {
			t.Fatal(err)
		}
		reply, refused, err := on.say(session, turn.Say)
		if err != nil {
			t.Fatalf("turn %d %q: %v", i+1, turn.Say, err)
		}
		if refused != turn.Refused {
			t.Fatalf("turn %d %q: refused is %v", i+1, turn.Say, refused)
		}
		after, err := on.stream(session)
		if err != nil {
			t.Fatal(err)
		}
		c := chat.Fold(chat.ConversationID("web", session), after)
		said := fmt.Sprintf("turn %d %q was answered %q", i+1, turn.Say, reply)
		if turn.Asked != nil && c.Dialogue.Asked != *turn.Asked {
			t.Fatalf("%s and asks for %q, want %q", said, c.Dialogue.Asked, *turn.Asked)
		}
		if has := cmp.Or(c.Contact.Phone, c.Contact.Email); turn.Contact != "" && has != turn.Contact {
			t.Errorf("%s, and the contact is %q, want %q", said, has, turn.Contact)
		}
		for _, part := range turn.Has {
			if part = words.Replace(part); !strings.Contains(reply, part) {
				t.Errorf("%s without %q", said, part)
			}
		}
		for _, part := range turn.Lacks {
			if part = words.Replace(part); strings.Contains(reply, part) {
				t.Errorf("%s with %q", said, part)
			}
		}
		if got := outcomes(after[len(before):]); turn.Events != nil && got != *turn.Events {
			t.Errorf("%s and recorded %q, want %q", said, got, *turn.Events)
		}
		trueOfEveryTurn(t, said, reply, c, after, len(before))
	}
}

// outcomes are the types of what was recorded beside the messages.
func outcomes(events []event.Recorded) string {
	var names []string
	for _, e := range events {
		switch e.Payload.(type) {
		case *event.ConversationStarted, *event.VisitorMessageSent, *event.AssistantReplied:
		default:
			names = append(names, e.Payload.EventType())
		}
	}
	return strings.Join(names, " ")
}

var saysBooked = regexp.MustCompile(`(?i)qued[oó] (agendada|reservada|confirmada)`)

// trueOfEveryTurn checks what no turn of any dialogue may break.
func trueOfEveryTurn(t *testing.T, said, reply string, c *chat.Conversation, events []event.Recorded, from int) {
	t.Helper()
	recorded := outcomes(events)
	booked := strings.Contains(outcomes(events[from:]), "AppointmentBooked")
	switch {
	case saysBooked.MatchString(reply) != booked:
		t.Errorf("%s; a booking in the same append: %v", said, booked)
	case c.Contact.Phone != "" && strings.Contains(spelling.Digits(reply), spelling.Digits(c.Contact.Phone)[3:]),
		c.Contact.Email != "" && strings.Contains(reply, c.Contact.Email):
		t.Errorf("%s: a stored contact is repeated", said)
	case strings.Contains(reply, "avisé al equipo") && !slices.Contains(c.Flags, event.FlagComplaint),
		strings.Contains(reply, "el recado al equipo") && !(c.Lead && slices.Contains(c.Flags, event.FlagCallback)):
		t.Errorf("%s: the staff does not learn of it", said)
	case slices.Contains([]string{"name", "contact"}, c.Dialogue.Asked) && !c.Consent:
		t.Errorf("%s: a contact is asked for without consent", said)
	case strings.Contains(recorded, "LeadCaptured") && !c.Consent,
		strings.Contains(recorded, "AppointmentBooked") && !c.Lead:
		t.Errorf("%s: recorded %s", said, recorded)
	}
	for _, slot := range c.Dialogue.Offered {
		if c.Dialogue.Asked != "slot" {
			break // what stands for choice are days
		}
		if last := events[len(events)-1].OccurredAt; slot.Before(last) || !clinic.Default().Calendar().OpenAt(slot) {
			t.Errorf("%s: %v is offered at %v", said, slot, last)
		}
	}
}

// memoryStage is a chat service with a log in memory and a clock of its own.
type memoryStage struct {
	service *chat.Service
	at      time.Time
}

// trainedChat is a chat service whose assistant is trained once.
var trainedChat = sync.OnceValues(func() (*chat.Service, error) {
	a := &app.App{Config: settings.Config{ReplyTimeout: time.Minute, StoreTimeout: time.Minute}, Clinic: clinic.Default()}
	return assistant.StandaloneChat(a, nil)
})

func newMemoryStage(t *testing.T, s scripted) *memoryStage {
	t.Helper()
	trained, err := trainedChat()
	if err != nil {
		t.Fatal(err)
	}
	own := *trained
	service := &own
	service.Log, service.MonthlyLimit = assistant.NewMemory(), s.Limit
	begins := s.Clock
	if begins == "" {
		begins = "2026-11-23T09:00:00-05:00"
	}
	r := &memoryStage{service: service}
	if r.at, err = time.Parse(time.RFC3339, begins); err != nil {
		t.Fatal(err)
	}
	service.Now = func() time.Time { return r.at }
	return r
}

// betweenTurns is how long a visitor takes to write.
const betweenTurns = 15 * time.Second

func (r *memoryStage) say(session, text string) (string, bool, error) {
	r.wait(betweenTurns)
	answer, err := r.service.Receive(context.Background(), chat.Message{SessionID: session, Text: text})
	if errors.Is(err, chat.ErrLimitReached) {
		return "", true, nil
	}
	return answer.Text, false, err
}

func (r *memoryStage) wait(d time.Duration) { r.at = r.at.Add(d) }

func (r *memoryStage) now() time.Time { return r.at }

func (r *memoryStage) stream(session string) ([]event.Recorded, error) {
	return r.service.Log.ReadStream(context.Background(), chat.Stream(chat.ConversationID("web", session)))
}

func TestDialoguesWithAClock(t *testing.T) {
	for _, s := range allDialogues(t) {
		t.Run(s.Name, func(t *testing.T) { s.perform(t, newMemoryStage(t, s)) })
	}
}

// TestDialoguesWithAClockThroughHTTP runs what [TestDialoguesThroughHTTP] cannot: silence and
// the return after it, certain days and hours, and limits of their own.
func TestDialoguesWithAClockThroughHTTP(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	// Nothing but the agenda and the month's limit lies between visitors who do not know each other.
	url := postgrestest.Database(t)
	shared := postgrestest.Open(t, url, keyfiles.NewMasterKey()).Log()
	for _, s := range allDialogues(t) {
		if s.Variant || !s.needsClock() && s.Limit == nil {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			log := shared
			if s.Limit != nil {
				log = postgrestest.Open(t, postgrestest.Database(t), keyfiles.NewMasterKey()).Log()
			}
			programtest.AskPostgres(t, url, "DELETE FROM booked_places")
			s.perform(t, newClockedStage(t, s, log))
		})
	}
}

// clockedStage is the interface over a real log, with the clock of a [memoryStage].
type clockedStage struct {
	*httpStage
	clock *memoryStage
}

func newClockedStage(t *testing.T, s scripted, log chat.Log) *clockedStage {
	t.Helper()
	r := newMemoryStage(t, s)
	r.service.Log = log
	handler, err := httpapi.New(httpapi.Config{
		Site:    site.Config{Content: &site.ContentCache{Clinic: r.service.Clinic}, Build: webapp.Dist()},
		Visitor: visitor.Config{Chat: r.service, Conversations: r.service},
		Booking: booking.Config{Bookings: r.service},
		Staff:   staff.Config{Clinic: r.service.Clinic},
		Now:     r.service.Now, Responder: web.Responder{Logger: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	p := &programtest.Program{T: t, Addr: server.Listener.Addr().String()}
	return &clockedStage{&httpStage{Program: p, log: r.service.Log}, r}
}

func (m *clockedStage) say(session, text string) (string, bool, error) {
	m.clock.wait(betweenTurns)
	return m.httpStage.say(session, text)
}

func (m *clockedStage) wait(d time.Duration) { m.clock.wait(d) }

func (m *clockedStage) now() time.Time { return m.clock.now() }

// httpStage is the running program: every message goes through HTTP, plain or streamed.
type httpStage struct {
	*programtest.Program
	log      chat.Log
	streamed bool
}

func (th *httpStage) say(session, text string) (string, bool, error) {
	th.streamed = !th.streamed
	message := map[string]string{"sessionId": session, "messageId": uuid.NewString(), "message": text}
	var answer struct{ Response string }
	var err error
	if th.streamed {
		answer.Response, err = th.stream200(message)
	} else {
		err = th.Post("/api/chatbot", message, &answer)
	}
	var r *programtest.Refusal
	if errors.As(err, &r) && r.Status == http.StatusTooManyRequests && strings.Contains(r.Said, `"limitReached":true`) {
		return "", true, nil
	}
	return answer.Response, false, err
}

// stream200 gives the reply that the last event of a stream holds.
func (th *httpStage) stream200(message map[string]string) (string, error) {
	sent, err := json.Marshal(message)
	if err != nil {
		return "", err
	}
	answer, err := programtest.HTTPClient.Post("http://"+th.Addr+"/api/chatbot/stream", "application/json", strings.NewReader(string(sent)))
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for done := false; lines.Scan(); {
		if answer.StatusCode != http.StatusOK {
			return "", &programtest.Refusal{Status: answer.StatusCode, Said: lines.Text()}
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && done {
			var whole struct{ Response string }
			return whole.Response, json.Unmarshal([]byte(data), &whole)
		}
		done = lines.Text() == "event: done"
	}
	return "", errors.Join(errors.New("the stream ended early"), lines.Err())
}

func (th *httpStage) wait(time.Duration) {}

func (th *httpStage) now() time.Time { return time.Now() }

func (th *httpStage) stream(session string) ([]event.Recorded, error) {
	return th.log.ReadStream(context.Background(), chat.Stream(chat.ConversationID("web", session)))
}

// TestDialoguesThroughHTTP runs every dialogue that needs no clock of its own, and last of
// all one that meets the month's limit, which is as many conversations as there are.
func TestDialoguesThroughHTTP(t *testing.T) {
	t.Parallel()
	all := slices.DeleteFunc(allDialogues(t), scripted.needsClock)
	limits := slices.IndexFunc(all, func(s scripted) bool { return s.Limit != nil })
	last := all[limits]
	all = append(slices.DeleteFunc(all, func(s scripted) bool { return s.Limit != nil }), last)

	if len(all) < leastDialogues {
		t.Fatalf("%d dialogues, want %d", len(all), leastDialogues)
	}
	p := programtest.NewProgram(t, fmt.Sprint("BITACORA_MONTHLY_LIMIT=", len(all)))
	p.Start()
	cookie := p.SignIn()
	on := &httpStage{Program: p, log: p.App().DB.Log()}
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) { s.perform(t, on) })
	}
	var kpis struct{ TotalConversations, TotalLeads, TotalAppointments int }
	p.Eventually("the dashboard counts every dialogue", 30*time.Second, func() error {
		if err := p.Get("/api/dashboard/kpis", cookie, &kpis); err != nil {
			return err
		}
		if kpis.TotalConversations != len(all) {
			return fmt.Errorf("%+v", kpis)
		}
		return nil
	})
	t.Logf("%d dialogues: %+v", len(all), kpis)
}
