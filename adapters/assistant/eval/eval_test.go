package eval_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/assistant"
	"bitacora/adapters/assistant/eval"
	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/clinic"
)

func cases(t *testing.T) []eval.Case {
	t.Helper()
	files, err := filepath.Glob("../testdata/eval/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no evaluation files: %v", err)
	}
	var all []eval.Case
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := eval.Read(f)
		f.Close()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, list...)
	}
	return all
}

// The figures that the assistant has to reach.
func TestFigures(t *testing.T) {
	a, err := assistant.New(assistant.Spec{Provider: "embedded"}, clinic.Default())
	if err != nil {
		t.Fatal(err)
	}
	r, err := eval.Measure(context.Background(), a, cases(t), time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	if err := r.Print(&printed, os.Getenv("MISSED") != ""); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + printed.String())
	for name, f := range map[string]struct{ got, least float64 }{
		"macro F1":              {r.MacroF1(), 0.92},
		"answered precision":    {r.Answered.Rate(), 0.95},
		"out of scope rejected": {r.Scope.Rate(), 0.85},
		"urgency recall":        {r.Urgency.Rate(), 0.98},
		"no false alarm":        {1 - r.Alarms.Rate(), 0.85},
		"contact slots exact":   {r.Contacts.Rate(), 0.98},
	} {
		if f.got < f.least {
			t.Errorf("%s: %.4f is below %.2f", name, f.got, f.least)
		}
	}
}

func TestTheSetIsLargeEnough(t *testing.T) {
	all := cases(t)
	byIntent := map[string]int{}
	var urgent, calm, contacts int
	for _, c := range all {
		byIntent[c.Intent]++
		switch {
		case c.Contact != nil:
			contacts++
		case c.Urgent != nil && *c.Urgent:
			urgent++
		case c.Urgent != nil:
			calm++
		}
	}
	for intent, n := range byIntent {
		if n < 20 {
			t.Errorf("%s: only %d sentences", intent, n)
		}
	}
	if len(all) < 700 || byIntent[meaning.Unknown] < 100 || urgent < 100 || calm < 100 || contacts < 100 {
		t.Errorf("%d sentences, %d out of scope, %d urgent, %d hard, %d contacts", len(all), byIntent[meaning.Unknown], urgent, calm, contacts)
	}
}

// A sentence that was trained on says nothing. Greetings and single words are the same in
// everybody's mouth, so that only sentences of several words are held apart.
func TestNothingWasTrainedOn(t *testing.T) {
	language, err := words.Open(os.DirFS("../data"))
	if err != nil {
		t.Fatal(err)
	}
	var trained []meaning.Sentence
	for _, of := range words.Codes {
		some, err := meaning.ReadSentences(os.DirFS("../data"), language, of)
		if err != nil {
			t.Fatal(err)
		}
		trained = append(trained, some...)
	}
	known := map[string]bool{}
	plain := func(text string) string {
		return strings.Join(strings.FieldsFunc(words.Plain(text), func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789", r) }), " ")
	}
	for _, s := range trained {
		known[plain(s.Text)] = true
	}
	var both []string
	for _, c := range cases(t) {
		if p := plain(c.Text); known[p] && len(strings.Fields(p)) > 2 {
			both = append(both, c.Text)
		}
	}
	slices.Sort(both)
	if len(both) > 0 {
		t.Errorf("%d sentences were trained on: %q", len(both), both)
	}
}

func TestReadRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, text := range []string{`{"text": "a", "intend": "x"}`, `{"intent": "x"}`, `nonsense`} {
		if _, err := eval.Read(strings.NewReader(text)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}
