// Package assistant has the commands that evaluate the assistant, and makes the chat.
package assistant

import (
	"os"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/assistant"
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
	var missed, byTopic bool
	c := command.Needing(command.NeedsNothing, &cobra.Command{
		Use:   "eval FILE…",
		Short: "Evaluate the assistant with sentences of known meaning",
		Long: `Evaluate the configured assistant with sentences of known meaning. Files called sentences.txt,
dialogues.txt, times.txt and contacts.txt are judged by the replies and their results;
adapters/assistant/testdata/frozen/README.md describes their notation. They contain their own moment.
A configured provider is asked as in the chat, within its budget.

--by-topic prints a page like adapters/assistant/FIGURES.md.`,
		Example: "  bitacora assistant eval adapters/assistant/testdata/frozen/*.txt\n  bitacora assistant eval --missed sentences.txt",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error {
			a, err := app.Configure()
			if err != nil {
				return err
			}
			service, err := StandaloneChat(a, nil)
			if err != nil {
				return err
			}
			if byTopic {
				return printPage(c.Context(), os.Stdout, files, service, time.Now().In(a.Clinic.Zone))
			}
			for _, name := range files {
				if err := printFrozen(c.Context(), name, service, missed); err != nil {
					return err
				}
			}
			return nil
		},
	})
	c.Flags().BoolVar(&missed, "missed", false, "list the sentences that were not understood")
	c.Flags().BoolVar(&byTopic, "by-topic", false, "print a page of figures by topic")
	return c
}
