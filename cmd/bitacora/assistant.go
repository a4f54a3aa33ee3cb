package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/assistant"
	"bitacora/adapters/assistant/eval"
)

// newAssistantFor makes the assistant that the environment names, which learns.
func newAssistantFor(a *app) (*assistant.Assistant, error) {
	spec, err := a.config.assistantSpec()
	if err != nil {
		return nil, misuse{err}
	}
	made, err := assistant.New(spec, a.clinic)
	if err != nil {
		return nil, fmt.Errorf("make the assistant: %w", err)
	}
	return made, nil
}

func newAssistant() *cobra.Command {
	return group(&cobra.Command{Use: "assistant", Short: "Measure the assistant"}, newAssistantEval())
}

func newAssistantEval() *cobra.Command {
	missed := false
	c := &cobra.Command{
		Use:   "eval FILE…",
		Short: "Print how well the assistant understands sentences whose meaning is known",
		Long: `Print how well the assistant that the environment configures understands sentences whose
meaning is known: the figures, each intent, and which one was taken for which.

A file holds a JSON object a line:

  {"text": "aceptan visa", "intent": "pago"}
  {"text": "me duele una muela", "intent": "urgencia", "urgent": true}
  {"text": "¿duele la endodoncia?", "intent": "servicio", "urgent": false}
  {"text": "61234567", "asked": "contact", "contact": {"phones": ["+50761234567"]}}

"intent" is what the sentence is about; "otro" is out of scope. "urgent" is true for an urgent
sentence and false for one that only sounds so. "contact" is what the sentence tells of a person
(phones, emails, name, bad, correction), "asked" what the assistant had asked for. A provider is
asked for a reply to every sentence with an intent.`,
		Example: "  bitacora assistant eval adapters/assistant/testdata/eval/*.jsonl\n  bitacora assistant eval --missed mine.jsonl",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(c *cobra.Command, files []string) error { return evaluate(c.Context(), files, missed) },
	}
	c.Flags().BoolVar(&missed, "missed", false, "list the sentences that were not understood")
	return c
}

func evaluate(ctx context.Context, files []string, missed bool) error {
	app, err := configure()
	if err != nil {
		return err
	}
	began := time.Now()
	a, err := newAssistantFor(app)
	if err != nil {
		return err
	}
	fmt.Printf("learned in %v\n", time.Since(began).Round(time.Millisecond))
	var cases []eval.Case
	for _, name := range files {
		list, err := readCases(name)
		if err != nil {
			return misuse{err}
		}
		cases = append(cases, list...)
	}
	report, err := eval.Measure(ctx, a, cases, time.Now())
	if err != nil {
		return err
	}
	return report.Print(os.Stdout, missed)
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
