// Package command is what the commands are made of: groups, needs, mistakes, interruptions, questions, progress
// and printing. It knows nothing of the clinic.
package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
)

// Exit codes.
const (
	ExitFailed  = 1 // the command could not do its work
	ExitMisused = 2 // the command line or the configuration is wrong
	ExitFound   = 3 // the command worked, and what it looked at is not in order
)

// ErrFound is returned by commands that check something and found a fault, after they
// said so.
var ErrFound = errors.New("not in order")

// MisuseError is a mistake in the command line or the configuration.
type MisuseError struct{ err error }

// Misuse is a mistake that ends the program with [ExitMisused].
func Misuse(err error) error { return MisuseError{err} }

// Error implements error.
func (m MisuseError) Error() string { return m.err.Error() }

func (m MisuseError) Unwrap() error { return m.err }

// MisusedCommand says where to look up what a command takes.
func MisusedCommand(c *cobra.Command, err error) error {
	return Misuse(fmt.Errorf("%w (see %s --help)", err, c.CommandPath()))
}

// CountMisuse makes every complaint about arguments one about the command line.
func CountMisuse(c *cobra.Command) {
	if args := c.Args; args != nil {
		c.Args = func(c *cobra.Command, given []string) error {
			if err := args(c, given); err != nil {
				return MisusedCommand(c, err)
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		CountMisuse(sub)
	}
}

// Group is a command that only has others below it. By itself it shows its help.
func Group(c *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	c.DisableFlagsInUseLine = true
	c.Args = OnlySubcommands
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(commands...)
	return c
}

// OnlySubcommands refuses every word that is none.
func OnlySubcommands(c *cobra.Command, given []string) error {
	if len(given) == 0 {
		return nil
	}
	return UnknownCommand(c, given[0])
}

// UnknownCommand is the error for a word that is no subcommand, with the one that may be meant.
func UnknownCommand(c *cobra.Command, word string) error {
	err := fmt.Errorf("unknown command %q for %q", word, c.CommandPath())
	if near := Meant(c, word); near != "" {
		err = fmt.Errorf("%w, did you mean %q?", err, near)
	}
	return err
}

// Meant is the subcommand of which a word is a slip: a letter in three is wrong, or two changed places,
// or it is shortened. Empty, it is none.
func Meant(c *cobra.Command, word string) string {
	word = strings.ToLower(word)
	for _, sub := range c.Commands() {
		name := sub.Name()
		if levenshtein.ComputeDistance(word, name) <= max(1, len(name)/3) || letters(word) == letters(name) || shortens(word, name) {
			return name
		}
	}
	return ""
}

// letters are those of a word in their order.
func letters(word string) string { return string(slices.Sorted(slices.Values([]byte(word)))) }

// shortens says whether a word is a name without some of its letters, the first excepted.
func shortens(word, name string) bool {
	if word == "" || word[0] != name[0] {
		return false
	}
	for i := range len(name) {
		if word != "" && word[0] == name[i] {
			word = word[1:]
		}
	}
	return word == ""
}

// Needs is the annotation that says which databases a command works on: without it, on both.
const Needs = "needs"

const (
	NeedsLog     = "log"
	NeedsNothing = "nothing"
)

// Needing sets the databases that a command works on: [NeedsLog] or [NeedsNothing].
func Needing(what string, c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{Needs: what}
	return c
}
