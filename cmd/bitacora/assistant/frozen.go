package assistant

import (
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"

	"bitacora/adapters/assistant/eval"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/chat"
)

// frozenSets measure the sets of testdata/frozen, by the names of their files.
var frozenSets = map[string]func(context.Context, io.Reader, *chat.Service) (eval.Figures, error){
	"sentences.txt": func(ctx context.Context, r io.Reader, s *chat.Service) (eval.Figures, error) {
		set, err := eval.ReadSentences(r, s.Clinic.Zone)
		if err != nil {
			return eval.Figures{}, err
		}
		return set.Measure(ctx, StageOf(s))
	},
	"dialogues.txt": func(ctx context.Context, r io.Reader, s *chat.Service) (eval.Figures, error) {
		set, err := eval.ReadDialogues(r, s.Clinic.Zone)
		if err != nil {
			return eval.Figures{}, err
		}
		return set.Measure(ctx, StageOf(s))
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
	measure := frozenSets[filepath.Base(name)]
	if measure == nil {
		return eval.Figures{}, command.Misuse(fmt.Errorf("%s is none of the sets", name))
	}
	f, err := os.Open(name)
	if err != nil {
		return eval.Figures{}, command.Misuse(fmt.Errorf("open set: %w", err))
	}
	defer f.Close()
	figures, err := measure(ctx, f, s)
	if err != nil {
		return eval.Figures{}, fmt.Errorf("measure %s: %w", name, err)
	}
	return figures, nil
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
