package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/assistant"
	"bitacora/adapters/assistant/eval"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

const frozenSets = "../../adapters/assistant/testdata/frozen"

// frozen reads a frozen set.
func frozen[S any](t *testing.T, name string, read func(io.Reader, *time.Location) (S, error)) S {
	t.Helper()
	f, err := os.Open(filepath.Join(frozenSets, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	set, err := read(f, clinic.Default().Zone)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return set
}

// freshChat is a chat in memory whose clock stands still.
func freshChat(t *testing.T) eval.Stage {
	t.Helper()
	trained, err := trainedChat()
	if err != nil {
		t.Fatal(err)
	}
	return func(at time.Time) *chat.Service {
		service := *trained
		service.Log, service.Now = newMemory(), func() time.Time { return at }
		return &service
	}
}

// TestFrozenSets judges the assistant by what it says, and by what comes of it. The floors are what it
// reached when they were last raised; a figure below its floor is a step back.
func TestFrozenSets(t *testing.T) {
	on, ctx := freshChat(t), t.Context()
	embedded, err := assistant.New(assistant.Spec{Provider: "embedded"}, clinic.Default())
	if err != nil {
		t.Fatal(err)
	}
	people := frozen(t, "contacts.txt", func(r io.Reader, _ *time.Location) (eval.People, error) { return eval.ReadPeople(r) })
	for name, set := range map[string]struct {
		measure func() (eval.Figures, error)
		floors  map[string]float64
	}{
		"sentences": {func() (eval.Figures, error) { return frozen(t, "sentences.txt", eval.ReadSentences).Measure(ctx, on) }, nil},
		"dialogues": {func() (eval.Figures, error) { return frozen(t, "dialogues.txt", eval.ReadDialogues).Measure(ctx, on) }, nil},
		"times":     {func() (eval.Figures, error) { return frozen(t, "times.txt", eval.ReadTimes).Measure(ctx, embedded) }, nil},
		"contacts":  {func() (eval.Figures, error) { return people.Measure(ctx, embedded, time.Now()) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			figures, err := set.measure()
			if err != nil {
				t.Fatal(err)
			}
			var printed strings.Builder
			if err := figures.Print(&printed, os.Getenv("MISSED") != ""); err != nil {
				t.Fatal(err)
			}
			t.Log("\n" + printed.String())
			for kind, floor := range set.floors {
				if got := figures.Of(kind).Rate(); got < floor {
					t.Errorf("%s: %.3f is below %.3f", kind, got, floor)
				}
			}
		})
	}
}
