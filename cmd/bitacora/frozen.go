package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"bitacora/adapters/assistant/eval"
	"bitacora/domain/chat"
)

// frozenSets measure the sets of testdata/frozen, by the names of their files.
var frozenSets = map[string]func(context.Context, io.Reader, *chat.Service) (eval.Figures, error){
	"sentences.txt": func(ctx context.Context, r io.Reader, s *chat.Service) (eval.Figures, error) {
		set, err := eval.ReadSentences(r, s.Clinic.Zone)
		if err != nil {
			return eval.Figures{}, err
		}
		return set.Measure(ctx, stageOf(s))
	},
	"dialogues.txt": func(ctx context.Context, r io.Reader, s *chat.Service) (eval.Figures, error) {
		set, err := eval.ReadDialogues(r, s.Clinic.Zone)
		if err != nil {
			return eval.Figures{}, err
		}
		return set.Measure(ctx, stageOf(s))
	},
	"times.txt": func(ctx context.Context, r io.Reader, s *chat.Service) (eval.Figures, error) {
		set, err := eval.ReadTimes(r, s.Clinic.Zone)
		if err != nil {
			return eval.Figures{}, err
		}
		return set.Measure(ctx, s.Understander)
	},
	"contacts.txt": func(ctx context.Context, r io.Reader, s *chat.Service) (eval.Figures, error) {
		set, err := eval.ReadPeople(r)
		if err != nil {
			return eval.Figures{}, err
		}
		return set.Measure(ctx, s.Understander)
	},
}

// stageOf gives copies of a service that begin anew, each with a log in memory and a clock that
// stands still.
func stageOf(s *chat.Service) eval.Stage {
	return func(at time.Time) *chat.Service {
		own := *s
		own.Log, own.Now = newMemory(), func() time.Time { return at }
		return &own
	}
}

// printFrozen prints what a frozen set found, with what was missed if that is wanted.
func printFrozen(ctx context.Context, name string, s *chat.Service, missed bool) error {
	f, err := os.Open(name)
	if err != nil {
		return misuse{fmt.Errorf("open set: %w", err)}
	}
	defer f.Close()
	figures, err := frozenSets[filepath.Base(name)](ctx, f, s)
	if err != nil {
		return fmt.Errorf("measure %s: %w", name, err)
	}
	fmt.Printf("\n%s\n", name)
	return figures.Print(os.Stdout, missed)
}
