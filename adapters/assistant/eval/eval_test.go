package eval_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/assistant"
	"bitacora/adapters/assistant/meaning"
	"bitacora/adapters/assistant/words"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// sentence is a line of testdata/eval with what it means.
type sentence struct {
	Text string `json:"text"`
	// Intent is what the sentence is about; empty if it is not judged.
	Intent string `json:"intent"`
	// Urgent is true for an urgent sentence, false for one that only sounds so.
	Urgent *bool `json:"urgent"`
	// Asked is what the dialogue asked before.
	Asked chat.Step `json:"asked"`
	// Contact is what the sentence tells of a person; nil if it is not judged.
	Contact *contact `json:"contact"`
}

type contact struct {
	Phones     []string `json:"phones"`
	Emails     []string `json:"emails"`
	Name       string   `json:"name"`
	Bad        bool     `json:"bad"`
	Correction bool     `json:"correction"`
}

func sentences(t *testing.T) (all []sentence) {
	t.Helper()
	files, err := filepath.Glob("../testdata/eval/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no evaluation files: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		for d.More() {
			var s sentence
			if err := d.Decode(&s); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all = append(all, s)
		}
	}
	return all
}

// limits are intents whose answer is a boundary, as good as a rejection of what is out of scope.
var limits = []string{meaning.Unknown, meaning.GoOn, "insulto", "manipulacion"}

// The figures that the assistant has to reach.
func TestFigures(t *testing.T) {
	a, err := assistant.New(assistant.Spec{Provider: "embedded"}, clinic.Default())
	if err != nil {
		t.Fatal(err)
	}
	meant, taken, right := map[string]float64{}, map[string]float64{}, map[string]float64{}
	hits, of := map[string]float64{}, map[string]float64{}
	count := func(name string, hit bool) {
		of[name]++
		if hit {
			hits[name]++
		}
	}
	for _, s := range sentences(t) {
		u, got, err := a.Read(t.Context(), chat.Question{Text: s.Text, At: time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC), Asked: s.Asked})
		if err != nil {
			t.Fatal(err)
		}
		if c := s.Contact; c != nil {
			exact := slices.Equal(u.Phones, c.Phones) && slices.Equal(u.Emails, c.Emails) && u.Name == c.Name && u.BadContact == c.Bad && (u.Correction || !c.Correction)
			count("contact slots exact", exact)
			if !exact {
				t.Logf("%q: wanted %+v", s.Text, *c)
			}
		}
		if s.Intent == "" {
			continue
		}
		meant[s.Intent]++
		taken[got.Intent]++
		if got.Intent == s.Intent {
			right[s.Intent]++
		} else {
			t.Logf("%q: %s was taken for %s", s.Text, s.Intent, got.Intent)
		}
		if got.Intent != meaning.Unknown && got.Intent != meaning.GoOn {
			count("answered precision", got.Intent == s.Intent)
		}
		if s.Intent == meaning.Unknown {
			count("out of scope rejected", slices.Contains(limits, got.Intent))
		}
		if s.Urgent != nil && *s.Urgent {
			count("urgency recall", got.Urgent)
		} else if s.Urgent != nil {
			count("no false alarm", !got.Urgent)
		}
	}
	for intent, n := range meant {
		of["macro F1"]++
		hits["macro F1"] += 2 * right[intent] / (n + taken[intent])
	}
	for name, least := range map[string]float64{
		"macro F1": 0.92, "answered precision": 0.95, "out of scope rejected": 0.85, "urgency recall": 0.98, "no false alarm": 0.85, "contact slots exact": 0.98,
	} {
		rate := hits[name] / of[name]
		t.Logf("%s: %.3f of %.0f", name, rate, of[name])
		if !(rate >= least) {
			t.Errorf("%s: %.4f is below %.2f", name, rate, least)
		}
	}
}

func TestTheSetIsLargeEnough(t *testing.T) {
	all := sentences(t)
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
	for _, c := range sentences(t) {
		if p := plain(c.Text); known[p] && len(strings.Fields(p)) > 2 {
			both = append(both, c.Text)
		}
	}
	slices.Sort(both)
	if len(both) > 0 {
		t.Errorf("%d sentences were trained on: %q", len(both), both)
	}
}
