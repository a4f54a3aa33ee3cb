package clickhouse

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
	"bitacora/domain/labelling"
)

// talk is a conversation of questions, each with its reply.
func talk(id, channel string, at time.Time, position *int64, turns ...told) (events []event.Recorded) {
	conv := event.Conversation{ConversationID: id, ConversationStartedAt: at}
	add := func(p event.Payload, after time.Duration) {
		*position++
		events = append(events, event.Recorded{Position: *position, ID: event.DerivedID(id, fmt.Sprint(*position)), Stream: id, OccurredAt: at.Add(after), Payload: p})
	}
	add(&event.ConversationStarted{Conversation: conv, Channel: channel}, 0)
	for i, turn := range turns {
		minute := time.Duration(i) * time.Minute
		add(&event.VisitorMessageSent{Conversation: conv, Progress: event.Progress{Ordinal: 2*i + 1}, MessageID: "m", Text: event.Text{Text: turn.text}}, minute)
		add(&event.AssistantReplied{
			Conversation: conv, Progress: event.Progress{Ordinal: 2*i + 2}, Text: event.Text{Text: "re: " + turn.text}, Answered: !turn.unanswered,
			Understood: event.Understood{Intent: "precio", Confidence: turn.confidence, RunnerUp: "pago", RunnerUpConfidence: .25},
			Chosen:     event.Chosen{Answer: "wifi", Likelihood: .5},
		}, minute+time.Second)
		if turn.label.Kind != "" {
			add(&event.QuestionLabelled{Conversation: conv, Ordinal: 2*i + 1, MessageID: "m", Label: turn.label, StaffID: "s"}, minute+time.Hour)
		}
	}
	return events
}

type told struct {
	text       string
	confidence float64
	unanswered bool
	label      event.Label
}

func TestWhatTheAssistantWasNotSureOfIsToBeLabelled(t *testing.T) {
	db := open(t)
	empty(t, db)
	day := time.Date(2026, 11, 3, 15, 0, 0, 0, time.UTC)
	price, skipped := event.Label{Kind: event.LabelIntent, Name: "precio"}, event.Label{Kind: event.LabelSkipped}
	position := int64(0)
	for _, events := range [][]event.Recorded{
		talk("sure", "web", day, &position, told{text: "¿Abren hoy?", confidence: .9}),
		talk("rule", "web", day, &position, told{text: "me quiero morir"}),
		talk("unsure", "web", day, &position, told{text: "¿y la foto?", confidence: .5}),
		talk("unsure2", "web", day.Add(time.Hour), &position, told{text: "Y LA FOTO", confidence: .25}),
		talk("open", "web", day.Add(2*time.Hour), &position, told{text: "¿hay wifi?", confidence: .95, unanswered: true}),
		talk("invented", "demo", day, &position, told{text: "¿tienen jirafas?", confidence: .1}),
		talk("imported", "import", day, &position, told{text: "¿tienen leones?", confidence: .1}),
		talk("earlier", "web", day.AddDate(0, -2, 0), &position, told{text: "y el gato", confidence: .1, label: price}),
		talk("later", "web", day.Add(3*time.Hour), &position, told{text: "¿Y el gato?", confidence: .1}, told{text: "asdf", confidence: .1, label: skipped}),
	} {
		write(t, db, events)
	}
	reader := db.Reader(build)
	list := labelling.List{Period: analytics.Period{From: day.Add(-time.Hour), To: day.AddDate(0, 0, 1)}, Below: .7, Limit: 10}
	texts := func(l labelling.List) (found []string) {
		t.Helper()
		page, all, err := reader.ToLabel(t.Context(), l)
		if err != nil || all != (labelling.Progress{Questions: 4, Labelled: 2}) {
			t.Fatalf("%+v, %v", all, err)
		}
		for _, q := range page {
			found = append(found, q.Text)
		}
		return found
	}
	all := []string{"asdf", "¿Y el gato?", "¿hay wifi?", "Y LA FOTO"}
	for name, of := range map[string]struct {
		state string
		want  []string
	}{"all": {"", all}, "open": {labelling.Open, all[2:]}, "labelled": {labelling.Labelled, all[:2]}} {
		list.State = of.state
		if diff := cmp.Diff(of.want, texts(list)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	list.State, list.Limit = "", 2
	page, _, err := reader.ToLabel(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	list.After = new(page[1].Cursor())
	if diff := cmp.Diff(all[2:], texts(list)); diff != "" {
		t.Errorf("the second page (-want +got):\n%s", diff)
	}
	page, _, err = reader.ToLabel(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	want := labelling.Question{
		ConversationID: "unsure2", Ordinal: 1, AskedAt: day.Add(time.Hour), Text: "Y LA FOTO", Reply: "re: Y LA FOTO", Times: 2, Answered: true,
		Understood: event.Understood{Intent: "precio", Confidence: .25, RunnerUp: "pago", RunnerUpConfidence: .25},
		Chosen:     event.Chosen{Answer: "wifi", Likelihood: .5},
	}
	if diff := cmp.Diff(want, page[1]); diff != "" {
		t.Errorf("a question (-want +got):\n%s", diff)
	}
}

func TestWhatIsLabelledIsGivenWithoutErasedTexts(t *testing.T) {
	db := open(t)
	empty(t, db)
	day := time.Date(2026, 11, 3, 15, 0, 0, 0, time.UTC)
	price, hours := event.Label{Kind: event.LabelIntent, Name: "precio"}, event.Label{Kind: event.LabelIntent, Name: "horario"}
	position := int64(0)
	for _, events := range [][]event.Recorded{
		talk("a", "web", day, &position, told{text: "¿y la foto?", confidence: .5, label: price}, told{text: "nada", confidence: .5, label: event.Label{Kind: event.LabelSkipped}}),
		talk("b", "web", day, &position, told{text: "Y la foto", confidence: .5, label: hours}),
		talk("c", "web", day, &position, told{text: "¿y Ana?", confidence: .5, label: hours}),
	} {
		write(t, db, events)
	}
	if _, err := db.Blank(t.Context(), build, []string{"c"}); err != nil {
		t.Fatal(err)
	}
	lines, err := db.Reader(build).LabelledLines(t.Context())
	if diff := cmp.Diff([]labelling.Line{{Text: "Y la foto", Label: hours}}, lines); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}
