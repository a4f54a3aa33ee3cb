package event

import "testing"

// TestWhatWasNotRecordedIsUnknown: replies from before it was recorded what was understood.
func TestWhatWasNotRecordedIsUnknown(t *testing.T) {
	for _, object := range []string{
		`{"conversationId":"c","conversationStartedAt":"2026-11-03T14:00:00Z","ordinal":2,"activeMillis":0,"answered":true}`,
		`{"conversationId":"c","conversationStartedAt":"2026-11-03T14:00:00Z","ordinal":2,"activeMillis":0,"answered":true,"sources":["answer/wifi"]}`,
	} {
		p, err := Decode("AssistantReplied", 1, object)
		if err != nil {
			t.Fatal(err)
		}
		r := p.(*AssistantReplied)
		if r.Understood != (Understood{}) || r.Chosen != (Chosen{}) || r.Ordinal != 2 || !r.Answered {
			t.Errorf("%s was read as %+v", object, r)
		}
	}
}

func TestWhatWasUnderstoodIsReadFlat(t *testing.T) {
	object := `{"intent":"otro","confidence":0.312,"runnerUp":"precio","runnerUpConfidence":0.3,` +
		`"answer":"wifi","likelihood":0.81,"nextAnswer":"parqueo","nextLikelihood":0.125,"ordinal":2,"answered":true}`
	if !sameAsJSON(t, "AssistantReplied", object) {
		t.Error("encoding/json has to read it")
	}
}
