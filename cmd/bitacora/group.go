package main

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
	exitFailed  = 1 // the command could not do its work
	exitMisused = 2 // the command line or the configuration is wrong
	exitFound   = 3 // the command worked, and what it looked at is not in order
)

// errFound is returned by commands that check something and found a fault, after they
// said so.
var errFound = errors.New("not in order")

// misuse is a mistake in the command line or the configuration.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// misused says where to look up what a command takes.
func misused(c *cobra.Command, err error) error {
	return misuse{fmt.Errorf("%w (see %s --help)", err, c.CommandPath())}
}

// countMisuse makes every complaint about arguments one about the command line.
func countMisuse(c *cobra.Command) {
	if args := c.Args; args != nil {
		c.Args = func(c *cobra.Command, given []string) error {
			if err := args(c, given); err != nil {
				return misused(c, err)
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		countMisuse(sub)
	}
}

// group is a command that only has others below it. By itself it shows its help.
func group(c *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	c.DisableFlagsInUseLine = true
	c.Args = onlySubcommands
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(commands...)
	return c
}

// onlySubcommands refuses every word that is none.
func onlySubcommands(c *cobra.Command, given []string) error {
	if len(given) == 0 {
		return nil
	}
	return unknownCommand(c, given[0])
}

func unknownCommand(c *cobra.Command, word string) error {
	err := fmt.Errorf("unknown command %q for %q", word, c.CommandPath())
	if near := meant(c, word); near != "" {
		err = fmt.Errorf("%w, did you mean %q?", err, near)
	}
	return err
}

// meant is the subcommand of which a word is a slip: a letter in three is wrong, or two changed places,
// or it is shortened. Empty, it is none.
func meant(c *cobra.Command, word string) string {
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

// needs is the annotation that says which databases a command works on: without it, on both.
const needs = "needs"

const (
	needsLog     = "log"
	needsNothing = "nothing"
)

func needing(what string, c *cobra.Command) *cobra.Command {
	c.Annotations = map[string]string{needs: what}
	return c
}
