package assistant

import (
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/assistant/words"
	"bitacora/domain/event"
)

// spanishOnPurpose begin the paragraphs that stay Spanish: the notice that a consent is given to.
var spanishOnPurpose = []string{"Para agendar necesito", "Si prefieres que te contacten, necesito"}

// Who writes in English from the first message to the last is answered in English throughout, and gets what was asked for.
func TestAVisitorWhoWritesEnglishIsAnsweredInEnglish(t *testing.T) {
	service, err := trainedChat()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		said []string
		// want are the events that are recorded, sorted by their types.
		want string
	}{
		"a booking, a move, a cancellation": {[]string{
			"hello there", "what are your hours?", "I want to book a cleaning", "why do you need my data?", "yes", "my name is John Carter", "how much does it cost?",
			"john@example.com", "do you have anything on Friday afternoon?", "not those, something later", "the last one", "wait, is there parking?", "yes",
			"when is my appointment?", "where are you located?", "I need to move it to Monday", "the first one", "yes", "can you add another one for my wife?", "cancel it", "yes", "thanks, bye",
		}, "AppointmentBooked AppointmentBooked AppointmentCancelled ConsentGiven LeadCaptured"},
		"times first": {[]string{
			"do you have any free times tomorrow for a root canal?", "the second one", "no", "actually yes, I agree", "yes", "Peter Parker", "it's 6612 3344", "hmm, I can't do that day", "whatever is soonest", "1", "no", "the time", "the last one", "yes",
		}, "AppointmentBooked ConsentGiven LeadCaptured"},
		"days that cannot be": {[]string{
			"I'd like an appointment on Sunday for my son", "yes", "Tommy Lee", "call me", "6612-33", "6612-3344", "not sure", "february 30", "monday the 25th of november", "tuesday", "none of them", "2", "forget it",
		}, "ConsentGiven LeadCaptured"},
		"a call and their data": {[]string{
			"can someone call me please?", "yes", "Mary Jones", "6612-3344", "no thanks", "please send me a copy of my data", "delete everything you have about me", "I withdraw my consent",
		}, "ConsentGiven ConsentWithdrawn LeadCaptured PrivacyRequestReceived PrivacyRequestReceived PrivacyRequestReceived"},
		"pain": {[]string{"I have a terrible toothache, my cheek is swollen", "yes", "yes", "Ann Lee", "6612-3344", "yes"}, "AppointmentBooked ConsentGiven LeadCaptured"},
	} {
		t.Run(name, func(t *testing.T) {
			own := StageOf(service)(time.Date(2026, 11, 24, 10, 0, 0, 0, service.Clinic.Zone))
			for _, text := range test.said {
				reply := sayTo(t, own, text).Lines
				for paragraph := range strings.SplitSeq(reply[len(reply)-1].Text, "\n\n") {
					onPurpose := slices.ContainsFunc(spanishOnPurpose, func(begin string) bool { return strings.HasPrefix(paragraph, begin) })
					if got := words.LanguageOf(strings.Fields(words.Plain(paragraph))); got == words.Spanish && !onPurpose {
						t.Errorf("%q is answered %q", text, paragraph)
					}
				}
			}
			var done []string
			for _, events := range own.Log.(*Memory).Streams {
				for _, e := range events {
					switch e.Payload.(type) {
					case *event.ConsentGiven, *event.LeadCaptured, *event.AppointmentBooked, *event.AppointmentCancelled, *event.PrivacyRequestReceived, *event.ConsentWithdrawn:
						done = append(done, e.Payload.EventType())
					}
				}
			}
			slices.Sort(done)
			if got := strings.Join(done, " "); got != test.want {
				t.Errorf("recorded %s, want %s", got, test.want)
			}
		})
	}
}
