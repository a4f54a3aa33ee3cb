// Package assistant has the commands that evaluate the assistant, and makes the chat.
package assistant

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/assistant"
	"bitacora/adapters/assistant/eval"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/domain/fault"
)

// NewAssistantFor makes the assistant that the environment names, which learns.
func NewAssistantFor(a *app.App) (*assistant.Assistant, error) {
	spec, err := a.Config.AssistantSpec()
	if err != nil {
		return nil, command.Misuse(err)
	}
	made, err := assistant.New(spec, a.Clinic)
	return made, fault.Wrap(err, "make the assistant")
}

// NewAssistant is "bitacora assistant".
func NewAssistant() *cobra.Command {
	return command.Group(&cobra.Command{Use: "assistant", Short: "Evaluate the assistant, and print questions to learn from"}, newAssistantEval(), newAssistantLines())
}

func newAssistantEval() *cobra.Command {
	e := evaluation{}
	c := command.Needing(command.NeedsNothing, &cobra.Command{
		Use:   "eval FILE…",
		Short: "Evaluate the assistant with sentences of known meaning",
		Long: `Evaluate the configured assistant with sentences of known meaning: the figures, each intent, and the
confusions.

A file holds a JSON object a line:

  {"text": "aceptan visa", "intent": "pago"}
  {"text": "me duele una muela", "intent": "urgencia", "urgent": true}
  {"text": "¿duele la endodoncia?", "intent": "servicio", "urgent": false}
  {"text": "61234567", "asked": "contact", "contact": {"phones": ["+50761234567"]}}

"intent" is the sentence's subject; "otro" is out of scope. "urgent" is true for an urgent sentence and
false for one that only sounds urgent. "contact" contains the contact in the sentence (phones, emails,
name, bad, correction), "asked" the assistant's question before it. A configured provider is asked as in
the chat, within its budget.

Files called sentences.txt, dialogues.txt, times.txt and contacts.txt are judged by the replies and
their results; adapters/assistant/testdata/frozen/README.md describes their notation. They contain their
own moment. --by-topic prints a page like adapters/assistant/FIGURES.md.`,
		Example: "  bitacora assistant eval adapters/assistant/testdata/eval/*.jsonl\n  bitacora assistant eval --missed mine.jsonl\n  bitacora assistant eval adapters/assistant/testdata/frozen/*.txt",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(c *cobra.Command, files []string) error { return e.run(c.Context(), files) },
	})
	c.Flags().BoolVar(&e.missed, "missed", false, "list the sentences that were not understood")
	c.Flags().StringVar(&e.now, "now", "", command.NowFlag)
	c.Flags().BoolVar(&e.byTopic, "by-topic", false, "print a page of figures by topic, of sets alone")
	return c
}

// evaluation is a run of "assistant eval".
type evaluation struct {
	missed, byTopic bool
	now             string
}

func (e evaluation) run(ctx context.Context, files []string) error {
	app, err := app.Configure()
	if err != nil {
		return err
	}
	clock, err := command.ClockFrom(e.now, app.Clinic.Zone)
	if err != nil {
		return err
	}
	began := time.Now()
	service, err := StandaloneChat(app, nil)
	if err != nil {
		return err
	}
	if e.byTopic {
		return printPage(ctx, os.Stdout, files, service, clock())
	}
	answers := service.Assistant.(*assistant.Assistant)
	fmt.Printf("learned in %v\n", time.Since(began).Round(time.Millisecond))
	var cases []eval.Case
	for _, name := range files {
		if frozenSet(name) != nil {
			if err := printFrozen(ctx, name, service, e.missed); err != nil {
				return err
			}
			continue
		}
		list, err := readCases(name)
		if err != nil {
			return command.Misuse(err)
		}
		cases = append(cases, list...)
	}
	if len(cases) == 0 {
		return nil
	}
	report, err := eval.Measure(ctx, answers, cases, clock())
	if err != nil {
		return err
	}
	return report.Print(os.Stdout, e.missed)
}

func readCases(name string) (cases []eval.Case, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open sentences: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if cases, err = eval.Read(f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return cases, nil
}
