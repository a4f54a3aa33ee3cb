package chat

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

type assistantFunc func(context.Context, Question) (Reply, error)

func (f assistantFunc) Reply(ctx context.Context, q Question) (Reply, error) { return f(ctx, q) }

var echo = assistantFunc(func(_ context.Context, q Question) (Reply, error) {
	return Reply{Text: "Eco: " + q.Text, Model: "eco", Answered: true}, nil
})

type understanderFunc func(context.Context, Question) (Understanding, error)

func (f understanderFunc) Understand(ctx context.Context, q Question) (Understanding, error) {
	return f(ctx, q)
}

var panama = clinic.Default().Zone

// linked is the default's clinic with a scheduling form.
func linked() clinic.Clinic {
	c := clinic.Default()
	c.Links.Booking = "https://reservas.clinica.test/"
	return c
}

var nothing = understanderFunc(func(context.Context, Question) (Understanding, error) { return Understanding{}, nil })

// newService stands at 2026-11-03 09:00 in Panama; every look at the clock takes a second.
func newService(assistant Assistant) (*Service, *memoryLog) {
	log, ids, at := newMemoryLog(), 0, time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	return &Service{
		Log: log, Understander: nothing, Assistant: assistant, Clinic: linked(), ReplyTimeout: time.Minute, StoreTimeout: time.Minute,
		Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			at = at.Add(time.Second)
			return at
		},
		NewID: func() string {
			mu.Lock()
			defer mu.Unlock()
			ids++
			return fmt.Sprint("id-", ids)
		},
	}, log
}

func TestFirstMessageStartsTheConversation(t *testing.T) {
	service, log := newService(echo)
	answer, err := service.Receive(context.Background(), Message{SessionID: "s", MessageID: "m1", Text: " Hola\u200b ", Referrer: "search"})
	if err != nil {
		t.Fatal(err)
	}
	if !answer.Started || answer.Text != "Eco: Hola" || answer.Model != "eco" {
		t.Errorf("answer = %+v", answer)
	}
	stream := Stream(ConversationID("web", "s"))
	if got, want := log.types(stream), "ConversationStarted VisitorMessageSent AssistantReplied"; got != want {
		t.Fatalf("events = %s, want %s", got, want)
	}
	sent := log.streams[stream][1].Payload.(*event.VisitorMessageSent)
	replied := log.streams[stream][2].Payload.(*event.AssistantReplied)
	if sent.Ordinal != 1 || replied.Ordinal != 2 {
		t.Errorf("ordinals = %d and %d, want 1 and 2", sent.Ordinal, replied.Ordinal)
	}
	if sent.ConversationStartedAt != log.streams[stream][1].OccurredAt {
		t.Errorf("startedAt = %v, want the time of the first visitor message %v", sent.ConversationStartedAt, log.streams[stream][1].OccurredAt)
	}
	if log.months["2026-11"] != 1 {
		t.Errorf("quota taken = %v", log.months)
	}
}

func TestRetryGetsTheStoredReply(t *testing.T) {
	service, log := newService(echo)
	ask := Message{SessionID: "s", MessageID: "m1", Text: "Hola"}
	first, err := service.Receive(context.Background(), ask)
	if err != nil {
		t.Fatal(err)
	}
	service.Assistant = assistantFunc(func(context.Context, Question) (Reply, error) {
		t.Error("the assistant was asked again")
		return Reply{}, nil
	})
	second, err := service.Receive(context.Background(), ask)
	if err != nil {
		t.Fatal(err)
	}
	if second.Text != first.Text || second.Started {
		t.Errorf("retry = %+v, want the text of %+v", second, first)
	}
	if n := len(log.streams[Stream(first.ConversationID)]); n != 3 {
		t.Errorf("%d events after the retry, want 3", n)
	}
	ask.Text = "otra cosa"
	var invalid Invalid
	if _, err := service.Receive(context.Background(), ask); !errors.As(err, &invalid) {
		t.Errorf("a message id for two texts: %v", err)
	}
}

func TestFailedAssistantKeepsTheMessage(t *testing.T) {
	failure := errors.New("down")
	service, log := newService(assistantFunc(func(context.Context, Question) (Reply, error) { return Reply{}, failure }))
	ask := Message{SessionID: "s", MessageID: "m1", Text: "Hola"}
	if _, err := service.Receive(context.Background(), ask); !errors.Is(err, ErrAssistantFailed) || !errors.Is(err, failure) {
		t.Fatalf("err = %v", err)
	}
	stream := Stream(ConversationID("web", "s"))
	if got, want := log.types(stream), "ConversationStarted VisitorMessageSent AssistantFailed"; got != want {
		t.Errorf("events = %s, want %s", got, want)
	}
	service.Assistant = echo
	answer, err := service.Receive(context.Background(), ask)
	if err != nil {
		t.Fatal(err)
	}
	if answer.Text != "Eco: Hola" || !strings.HasSuffix(log.types(stream), "AssistantFailed AssistantReplied") {
		t.Errorf("after the retry: %+v, events %s", answer, log.types(stream))
	}
}

func TestReplyIsStoredWhenTheCallerHasGone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	service, log := newService(assistantFunc(func(thinking context.Context, _ Question) (Reply, error) {
		cancel()
		return Reply{Text: "listo"}, thinking.Err()
	}))
	if _, err := service.Receive(ctx, Message{SessionID: "s", Text: "Hola"}); err != nil {
		t.Fatal(err)
	}
	if got := log.types(Stream(ConversationID("web", "s"))); !strings.HasSuffix(got, "AssistantReplied") {
		t.Errorf("events = %s", got)
	}
}

func TestDecidesAnewWhenAnotherMessageCameFirst(t *testing.T) {
	service, log := newService(echo)
	log.beforeAppend = func() { receive(t, service, "m1", "primero") }
	answer := receive(t, service, "m2", "segundo")
	if answer.Started {
		t.Error("the second message says that it began the conversation")
	}
	log.wantOrdinals(t, Stream(answer.ConversationID), 1, 2, 3, 4)
}

func TestAnswersAnewWhenAnotherMessageCameMeanwhile(t *testing.T) {
	var service *Service
	service, log := newService(assistantFunc(func(_ context.Context, q Question) (Reply, error) {
		if q.Text == "primero" {
			receive(t, service, "m2", "segundo")
		}
		return Reply{Text: "Eco: " + q.Text}, nil
	}))
	answer := receive(t, service, "m1", "primero")
	if answer.Text != "Eco: primero" {
		t.Errorf("answer = %q", answer.Text)
	}
	// Both messages, the reply to the second, and the one that was decided anew.
	log.wantOrdinals(t, Stream(answer.ConversationID), 1, 2, 3, 4)
}

func TestARepetitionThatWasAnsweredMeanwhileHasNoInsight(t *testing.T) {
	var service *Service
	asked := 0
	service, log := newService(assistantFunc(func(_ context.Context, q Question) (Reply, error) {
		if asked++; asked == 1 {
			receive(t, service, "m1", "Hola")
		}
		return Reply{Text: "Eco: " + q.Text}, nil
	}))
	answer := receive(t, service, "m1", "Hola")
	if answer.Text != "Eco: Hola" || answer.Insight != nil {
		t.Errorf("answer = %+v", answer)
	}
	log.wantOrdinals(t, Stream(answer.ConversationID), 1, 2)
}

func TestATurnReadsItsConversationOnce(t *testing.T) {
	service, log := newService(echo)
	for turn := 1; turn <= 3; turn++ {
		receive(t, service, fmt.Sprint("m", turn), "Hola")
		if log.reads != turn {
			t.Errorf("%d reads in %d turns", log.reads, turn)
		}
	}
}

// receive lets a message of one session be answered.
func receive(t *testing.T, service *Service, messageID, text string) Answer {
	t.Helper()
	answer, err := service.Receive(context.Background(), Message{SessionID: "s", MessageID: messageID, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// wantOrdinals checks the ordinals of a stream's messages, in the order of the stream.
func (l *memoryLog) wantOrdinals(t *testing.T, stream string, want ...int) {
	t.Helper()
	var got []int
	for _, e := range l.streams[stream] {
		switch p := e.Payload.(type) {
		case *event.VisitorMessageSent:
			got = append(got, p.Ordinal)
		case *event.AssistantReplied:
			got = append(got, p.Ordinal)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("messages have the ordinals %v, want %v", got, want)
	}
}

func TestActiveTimeCountsASilenceUpToHalfAnHour(t *testing.T) {
	service, log := newService(echo)
	base := time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC)
	clock := base
	service.Now = func() time.Time { return clock }
	for i, after := range []time.Duration{0, 10 * time.Second, 2 * time.Hour, -time.Minute} {
		clock = clock.Add(after)
		if _, err := service.Receive(context.Background(), Message{SessionID: "s", MessageID: fmt.Sprint(i), Text: "Hola"}); err != nil {
			t.Fatal(err)
		}
	}
	events := log.streams[Stream(ConversationID("web", "s"))]
	last := events[len(events)-1].Payload.(*event.AssistantReplied)
	if want := (10*time.Second + MaxGap).Milliseconds(); last.ActiveMillis != want {
		t.Errorf("active = %d ms, want %d", last.ActiveMillis, want)
	}
}

func TestMonthlyLimit(t *testing.T) {
	service, log := newService(echo)
	limit := 2
	service.MonthlyLimit = &limit
	ctx := context.Background()
	for _, session := range []string{"a", "b"} {
		if _, err := service.Receive(ctx, Message{SessionID: session, Text: "Hola"}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if _, err := service.Receive(ctx, Message{SessionID: "c", Text: "Hola"}); !errors.Is(err, ErrLimitReached) {
			t.Fatalf("third conversation: %v", err)
		}
	}
	if got := log.types("refusal/2026-11"); got != "ChatRefused" {
		t.Errorf("refusals = %q, want one for the session", got)
	}
	if _, started := log.streams[Stream(ConversationID("web", "c"))]; started {
		t.Error("a refused message began a conversation")
	}
	if _, err := service.Receive(ctx, Message{SessionID: "a", Text: "¿Y mañana?"}); err != nil {
		t.Errorf("a conversation that was begun may finish: %v", err)
	}
	service.Now = func() time.Time { return time.Date(2026, 12, 1, 4, 59, 59, 999_000_000, time.UTC) }
	if _, err := service.Receive(ctx, Message{SessionID: "d", Text: "Hola"}); !errors.Is(err, ErrLimitReached) {
		t.Errorf("last millisecond of November in Panama: %v", err)
	}
	service.Now = func() time.Time { return time.Date(2026, 12, 1, 5, 0, 0, 0, time.UTC) }
	if _, err := service.Receive(ctx, Message{SessionID: "d", Text: "Hola"}); err != nil {
		t.Errorf("first instant of December in Panama: %v", err)
	}
}

func TestRefusesWhatCannotBeAMessage(t *testing.T) {
	service, log := newService(echo)
	tests := map[string]Message{
		"no session":      {Text: "Hola"},
		"empty":           {SessionID: "s"},
		"only white":      {SessionID: "s", Text: " \n\t "},
		"only invisible":  {SessionID: "s", Text: "\u200b\u202e\U000e0041"},
		"only a joiner":   {SessionID: "s", Text: " \u200d\n"},
		"too long":        {SessionID: "s", Text: strings.Repeat("ñ", MaxText+1)},
		"session endless": {SessionID: strings.Repeat("s", MaxID+1), Text: "Hola"},
	}
	for name, m := range tests {
		t.Run(name, func(t *testing.T) {
			var invalid Invalid
			if _, err := service.Receive(context.Background(), m); !errors.As(err, &invalid) {
				t.Errorf("err = %v", err)
			}
		})
	}
	if len(log.streams) != 0 {
		t.Errorf("something was stored: %v", log.streams)
	}
	if _, err := service.Receive(context.Background(), Message{SessionID: "s", Text: strings.Repeat("ñ", MaxText)}); err != nil {
		t.Errorf("%d runes: %v", MaxText, err)
	}
}

func TestTranscriptNeedsTheCookieOfTheBeginning(t *testing.T) {
	service, _ := newService(echo)
	ctx := context.Background()
	if _, err := service.Receive(ctx, Message{SessionID: "s", Text: "mi número es 6123-4567", ResumeToken: "secreto"}); err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{"", "otro"} {
		if _, err := service.Transcript(ctx, "s", token); !errors.Is(err, ErrNotYours) {
			t.Errorf("token %q: %v", token, err)
		}
	}
	read, err := service.Transcript(ctx, "s", "secreto")
	if err != nil {
		t.Fatal(err)
	}
	if len(read.Lines) != 2 || strings.Contains(read.Lines[0].Masked, "6123") {
		t.Errorf("lines = %+v", read.Lines)
	}
}

// What is being arranged goes on without the clinic's content, and an urgency is answered
// all the same; the failure is recorded beside the reply.
func TestDialogueGoesOnWithoutContent(t *testing.T) {
	tests := map[string]struct {
		means     Understanding
		has, asks string
		stored    string
	}{
		"question": {Understanding{Intent: IntentAsk}, "no te lo puedo responder", "consent", "AssistantFailed AssistantReplied"},
		"urgency":  {Understanding{Intent: IntentAsk, Urgent: true}, "llámanos ahora", "consent", "AssistantFailed ConversationFlagged AssistantReplied"},
		"nothing":  {Understanding{}, "no te entendí", "consent", "AssistantFailed AssistantReplied"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			service, log := newService(assistantFunc(func(context.Context, Question) (Reply, error) { return Reply{}, errors.New("down") }))
			means := Understanding{Intent: IntentBook}
			service.Understander = understanderFunc(func(context.Context, Question) (Understanding, error) { return means, nil })
			if _, err := service.Receive(t.Context(), Message{SessionID: "s", Text: "quiero una cita"}); err != nil {
				t.Fatal(err)
			}
			means = tt.means
			answer, err := service.Receive(t.Context(), Message{SessionID: "s", Text: "¿y eso?"})
			if err != nil || !strings.Contains(answer.Text, tt.has) {
				t.Fatalf("answer = %+v, %v", answer, err)
			}
			stream := Stream(answer.ConversationID)
			if got := log.types(stream); !strings.HasSuffix(got, "VisitorMessageSent "+tt.stored) {
				t.Errorf("events = %s", got)
			}
			if c := Fold(answer.ConversationID, log.streams[stream]); c.Dialogue.Asked != tt.asks {
				t.Errorf("asks for %q, want %q", c.Dialogue.Asked, tt.asks)
			}
		})
	}
}

func TestUrgencyIsAnsweredWithoutContent(t *testing.T) {
	service, _ := newService(assistantFunc(func(context.Context, Question) (Reply, error) { return Reply{}, errors.New("down") }))
	service.Understander = understanderFunc(func(context.Context, Question) (Understanding, error) {
		return Understanding{Urgent: true, Intent: IntentAsk}, nil
	})
	answer, err := service.Receive(t.Context(), Message{SessionID: "s", Text: "me duele mucho la muela"})
	if err != nil || !strings.Contains(answer.Text, string(service.Clinic.Phones[0])) || !strings.Contains(answer.Text, service.Clinic.Emergency) {
		t.Errorf("answer = %+v, %v", answer, err)
	}
}

func TestAnErasedConversationTakesNothingMore(t *testing.T) {
	service, log := newService(echo)
	m := Message{SessionID: "s", MessageID: "m1", Text: "Hola", ResumeToken: "secreto"}
	answer, err := service.Receive(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	events := log.streams[Stream(answer.ConversationID)]
	for i := range events {
		events[i].Erased = true
	}
	for _, id := range []string{"m1", "m2"} {
		m.MessageID = id
		if _, err := service.Receive(t.Context(), m); !errors.Is(err, ErrErased) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := service.Transcript(t.Context(), "s", "secreto"); !errors.Is(err, ErrNotYours) {
		t.Errorf("transcript: %v", err)
	}
}
