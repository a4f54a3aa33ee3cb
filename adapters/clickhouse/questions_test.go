package clickhouse

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
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
		minute, intent := time.Duration(i)*time.Minute, "precio"
		if turn.intent != "" {
			intent = turn.intent
		}
		add(&event.VisitorMessageSent{Conversation: conv, Progress: event.Progress{Ordinal: 2*i + 1}, MessageID: "m", Text: event.Text{Text: turn.text}}, minute)
		add(&event.AssistantReplied{
			Conversation: conv, Progress: event.Progress{Ordinal: 2*i + 2}, Text: event.Text{Text: "re: " + turn.text}, Answered: !turn.unanswered, Topic: "lugar",
			Understood: event.Understood{Intent: intent, Confidence: turn.confidence}, Sources: []string{"service/x", "answer/wifi"},
		}, minute+time.Second)
		if turn.displeased {
			add(&event.ReplyRated{Conversation: conv, Ordinal: 2*i + 2, ReplyTo: "m", Rating: event.RatedNegative}, minute+time.Hour)
		}
		if turn.labelled != "" {
			add(&event.QuestionLabelled{Conversation: conv, Ordinal: 2*i + 1, MessageID: "m", Label: event.Label{Kind: turn.labelled}, StaffID: "s"}, minute+time.Hour)
		}
	}
	return events
}

type told struct {
	text       string
	confidence float64
	unanswered bool
	displeased bool
	intent     string
	// labelled is the kind of its label.
	labelled string
}

func TestWhatIsToBeAnsweredBetterIsListed(t *testing.T) {
	db := open(t)
	empty(t, db)
	day := time.Date(2026, 11, 3, 15, 0, 0, 0, time.UTC)
	position := int64(0)
	for _, events := range [][]event.Recorded{
		talk("sure", "web", day, &position, told{text: "¿Abren hoy?", confidence: .9}),
		talk("rule", "web", day, &position, told{text: "me quiero morir"}),
		talk("unsure", "web", day, &position, told{text: "¿y la foto?", confidence: .5}),
		talk("unsure2", "web", day.Add(time.Hour), &position, told{text: "Y LA FOTO", confidence: .25, displeased: true}),
		talk("open", "web", day.Add(2*time.Hour), &position, told{text: "¿hay wifi?", confidence: .95, unanswered: true}),
		talk("imported", "import", day, &position, told{text: "¿tienen leones?", unanswered: true}),
		talk("displeased", "web", day.Add(4*time.Hour), &position, told{text: "¿Duele?", confidence: .9, displeased: true}),
		talk("earlier", "web", day.AddDate(0, -2, 0), &position, told{text: "y el gato", confidence: .1, labelled: "intent"}),
		talk("later", "web", day.Add(3*time.Hour), &position, told{text: "¿Y el gato?", confidence: .1}, told{text: "asdf", confidence: .1, labelled: event.LabelSkipped}),
	} {
		write(t, db, events)
	}
	reader := db.Reader(build)
	list := analytics.QuestionList{Cohort: analytics.Cohort{Period: analytics.Period{From: day.Add(-time.Hour), To: day.AddDate(0, 0, 1)}}, Limit: 10}
	asked := func(l analytics.QuestionList, total int) (texts []string, page []analytics.Question) {
		t.Helper()
		page, all, err := reader.Questions(t.Context(), l)
		if err != nil || all != total {
			t.Fatalf("%d questions, %v", all, err)
		}
		for _, q := range page {
			texts = append(texts, q.Text)
		}
		return texts, page
	}
	all := []string{"Y LA FOTO", "¿Duele?", "asdf", "¿Y el gato?", "¿hay wifi?", "¿tienen leones?"}
	taught := []analytics.TaughtQuestion{{Text: "Hay WIFI", At: day.Add(3 * time.Hour)}, {Text: "¿duele?", At: day}, {Text: "otra", At: day.AddDate(1, 0, 0)}}
	for name, of := range map[string]struct {
		reason, state string
		taught        []analytics.TaughtQuestion
		want          []string
	}{
		"all":                                   {want: all},
		"unanswered":                            {reason: "unanswered", want: all[4:]},
		"negative":                              {reason: "negative", want: all[:2]},
		"unsure":                                {reason: "unsure", want: []string{all[0], all[2], all[3]}},
		"open":                                  {state: analytics.Open, want: []string{all[0], all[1], all[4], all[5]}},
		"settled":                               {state: analytics.Settled, want: all[2:4]},
		"taught after it was asked, and before": {state: analytics.Settled, taught: taught, want: all[2:5]},
	} {
		l := list
		l.Reason, l.State, l.Taught = of.reason, of.state, of.taught
		texts, _ := asked(l, len(of.want))
		if diff := cmp.Diff(of.want, texts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	_, page := asked(list, len(all))
	few := list
	few.Limit = 2
	if texts, _ := asked(few, len(all)); !slices.Equal(texts, all[:2]) {
		t.Errorf("the most frequent are %q", texts)
	}
	want := analytics.Question{
		ConversationID: "unsure2", Ordinal: 1, LastAskedAt: day.Add(time.Hour), Topic: "lugar", Text: "Y LA FOTO", Reply: "re: Y LA FOTO", Answer: "wifi",
		Count: 2, Negative: 1, Unsure: 2,
	}
	if diff := cmp.Diff(want, page[0]); diff != "" {
		t.Errorf("a question (-want +got):\n%s", diff)
	}
	if _, err := db.Blank(t.Context(), build, []string{"open"}); err != nil {
		t.Fatal(err)
	}
	list.Reason = "unanswered"
	if texts, _ := asked(list, 1); texts[0] != all[5] {
		t.Errorf("with an erased person: %q", texts)
	}
}

func TestTheFirstQuestionIsMoreThanAGreeting(t *testing.T) {
	db := open(t)
	empty(t, db)
	day := time.Date(2026, 11, 3, 15, 0, 0, 0, time.UTC)
	position := int64(0)
	var page []analytics.Conversation
	want := map[string]string{}
	for i, of := range []struct {
		turns []told
		want  string
	}{
		{[]told{{text: "¿Abren hoy?"}, {text: "¿Y mañana?"}}, "¿Abren hoy?"},
		{[]told{{text: "Hola", intent: "saludo"}, {text: "gracias", intent: "gracias"}, {text: "¿Hay wifi?"}}, "¿Hay wifi?"},
		{[]told{{text: "Buenas", intent: "saludo"}, {text: "adiós", intent: "despedida"}}, "Buenas"},
		{[]told{{text: strings.Repeat("ñ", 120)}}, strings.Repeat("ñ", 120)},
		{[]told{{text: strings.Repeat("ñ", 121)}}, strings.Repeat("ñ", 119) + "…"},
		{[]told{{text: ""}}, ""},
	} {
		id, at := fmt.Sprint("c", i), day.Add(time.Duration(i)*time.Hour)
		write(t, db, talk(id, "web", at, &position, of.turns...))
		page = append(page, analytics.Conversation{ID: id, StartedAt: at})
		if of.want != "" {
			want[id] = of.want
		}
	}
	write(t, db, talk("beside", "web", day.Add(time.Minute), &position, told{text: "¿Duele?"}))
	got, err := db.Reader(build).FirstQuestions(t.Context(), page)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestFewRatingsDoNotOutrankMany(t *testing.T) {
	db := open(t)
	empty(t, db)
	day := time.Date(2026, 11, 3, 15, 0, 0, 0, time.UTC)
	events := talk("rated", "web", day, new(int64), told{text: "¿Cuánto cuesta?"})
	rate := func(topic string, negative, positive int) {
		for i := range negative + positive {
			rating := event.RatedNegative
			if i >= negative {
				rating = event.RatedPositive
			}
			n := len(events) + 1
			events = append(events, event.Recorded{
				Position: int64(n), ID: event.DerivedID("rated", fmt.Sprint(n)), Stream: "rated", OccurredAt: day.Add(time.Hour),
				Payload: &event.ReplyRated{Conversation: event.Conversation{ConversationID: "rated", ConversationStartedAt: day}, Ordinal: 2 * n, ReplyTo: "m", Topic: topic, Rating: rating},
			})
		}
	}
	rate("one", 1, 0)
	rate("many", 95, 5)
	rate("few", 3, 7)
	write(t, db, events)
	_, topics, err := db.Reader(build).Ratings(t.Context(), analytics.Cohort{Period: analytics.Period{From: day, To: day.Add(time.Hour)}})
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, topic := range topics {
		order = append(order, topic.Topic)
	}
	if want := []string{"many", "one", "few"}; !slices.Equal(order, want) {
		t.Errorf("the worst first: %v, want %v", order, want)
	}
}
