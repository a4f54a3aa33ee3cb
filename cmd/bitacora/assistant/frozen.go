package assistant

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"bitacora/adapters/assistant"
	"bitacora/adapters/assistant/eval"
	"bitacora/adapters/phones"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/chat"
	"bitacora/domain/fault"
)

// frozenSets measure the sets of testdata/frozen, by the first part of their files' names.
var frozenSets = map[string]func(context.Context, io.Reader, *chat.Service) (eval.Figures, error){
	"sentences": func(ctx context.Context, r io.Reader, s *chat.Service) (eval.Figures, error) {
		set, err := eval.ReadSentences(r, s.Clinic.Zone)
		if err != nil {
			return eval.Figures{}, err
		}
		return set.Measure(ctx, StageOf(s))
	},
	"dialogues": func(ctx context.Context, r io.Reader, s *chat.Service) (eval.Figures, error) {
		set, err := eval.ReadDialogues(r, s.Clinic.Zone)
		if err != nil {
			return eval.Figures{}, err
		}
		return set.Measure(ctx, StageOf(s))
	},
	"times": func(ctx context.Context, r io.Reader, s *chat.Service) (eval.Figures, error) {
		set, err := eval.ReadTimes(r, s.Clinic.Zone)
		if err != nil {
			return eval.Figures{}, err
		}
		return set.Measure(ctx, s.Understander)
	},
	"contacts": func(ctx context.Context, r io.Reader, s *chat.Service) (eval.Figures, error) {
		set, err := eval.ReadPeople(r)
		if err != nil {
			return eval.Figures{}, err
		}
		return set.Measure(ctx, s.Understander, phones.PlanOf(s.Clinic))
	},
}

// frozenSet is what measures a file: "sentences.txt", "sentences.cl.txt".
func frozenSet(name string) func(context.Context, io.Reader, *chat.Service) (eval.Figures, error) {
	kind, _, _ := strings.Cut(filepath.Base(name), ".")
	if filepath.Ext(name) != ".txt" {
		return nil
	}
	return frozenSets[kind]
}

// atClinic is a service of another clinic, with the content that the project brings along.
func atClinic(s *chat.Service, file string) (*chat.Service, error) {
	facts, err := app.ReadFacts(file)
	if err != nil {
		return nil, fmt.Errorf("read the clinic %s: %w", file, err)
	}
	answers, err := knowing(s.Assistant.(*assistant.Assistant), facts)
	if err != nil {
		return nil, err
	}
	other := *s
	other.Clinic, other.Understander, other.Further, other.Assistant = facts, answers, answers.Further(), answers
	return &other, nil
}

// StageOf gives copies of a service that begin anew, each with a log in memory and a clock that
// stands still.
func StageOf(s *chat.Service) eval.Stage {
	return func(at time.Time) *chat.Service {
		own := *s
		own.Log, own.Now = NewMemory(), func() time.Time { return at }
		return &own
	}
}

// printFrozen prints what a frozen set found, with what was missed if that is wanted.
func printFrozen(ctx context.Context, name string, s *chat.Service, missed bool) error {
	figures, err := measureFrozen(ctx, name, s)
	if err != nil {
		return err
	}
	fmt.Printf("\n%s\n", name)
	return figures.Print(os.Stdout, missed)
}

func measureFrozen(ctx context.Context, name string, s *chat.Service) (eval.Figures, error) {
	measure := frozenSet(name)
	if measure == nil {
		return eval.Figures{}, command.Misuse(fmt.Errorf("%s is none of the sets", name))
	}
	set, err := os.ReadFile(name)
	if err != nil {
		return eval.Figures{}, command.Misuse(fmt.Errorf("open set: %w", err))
	}
	if file := eval.ClinicOf(string(set)); file != "" {
		if s, err = atClinic(s, filepath.Join(filepath.Dir(name), file)); err != nil {
			return eval.Figures{}, command.Misuse(err)
		}
	}
	figures, err := measure(ctx, bytes.NewReader(set), s)
	return figures, fault.Wrap(err, "measure "+name)
}

// printPage prints a page with the figures of sets by topic, measured on a day.
func printPage(ctx context.Context, w io.Writer, names []string, s *chat.Service, day time.Time) error {
	fmt.Fprintf(w, "# Figures by topic\n\n%s%s.\n", measuredOn, day.Format(time.DateOnly))
	fmt.Fprint(w, `
These are the replies of the embedded assistant to the sets that [README](README.md) describes. A reply is right, honest (it
admits that it does not know) or wrong. A topic without a row has right replies only. This page is generated:
`+"`go test ./cmd/bitacora/assistant -run TestFigures -update`"+`.
`)
	for _, name := range names {
		figures, err := measureFrozen(ctx, name, s)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\n## %s\n\n", path.Join(filepath.Base(filepath.Dir(name)), filepath.Base(name)))
		if err := figures.Markdown(w); err != nil {
			return err
		}
	}
	return nil
}

// measuredOn begins the line of a page of figures that contains its day.
const measuredOn = "Measured on "
