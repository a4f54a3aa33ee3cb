package demo

import (
	"testing"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// TestRepliesRecordWhatWasUnderstood reads what people ask before they misspell it, each way once.
func TestRepliesRecordWhatWasUnderstood(t *testing.T) {
	read := map[string]int{}
	items, err := Generate(Config{Seed: 1, Months: 1, Until: until, Scale: .2, Clinic: clinic.Default(), Understand: func(text string) event.Understood {
		read[text]++
		return event.Understood{Intent: "precio", Confidence: .5}
	}})
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[string]int{}
	for i := range items {
		for _, m := range i.Past.Messages {
			if !m.FromVisitor {
				recorded[m.Reply.Understood.Intent]++
			}
		}
	}
	if recorded["precio"] == 0 || recorded[chat.IntentDetails] == 0 || recorded[""] > 0 {
		t.Errorf("recorded %v", recorded)
	}
	for text, times := range read {
		if times > 1 {
			t.Errorf("%q was read %d times", text, times)
		}
	}
}
