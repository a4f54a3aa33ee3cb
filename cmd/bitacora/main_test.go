package main

import (
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/backup"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

// TestAWrongCommandLineEndsWithTwo checks each kind of mistake by the program's exit code.
// None of them gets as far as to open a database.
func TestAWrongCommandLineEndsWithTwo(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewEmbedded(t)
	for line, says := range map[string]string{
		"nonsense":                  `unknown command "nonsense" for "bitacora" (see bitacora --help)`,
		"rebiuld":                   `did you mean "rebuild"?`,
		"help nonsense":             `unknown command "nonsense" for "bitacora"`,
		"help log chek":             `unknown command "chek" for "bitacora log", did you mean "check"?`,
		"completion bsh":            `unknown command "bsh" for "bitacora completion", did you mean "bash"?`,
		"backup vrfy":               `unknown command "vrfy" for "bitacora backup", did you mean "verify"?`,
		"log nonsense":              `unknown command "nonsense" for "bitacora log"`,
		"parked nonsense":           "(see bitacora parked --help)",
		"staff nonsense":            "(see bitacora staff --help)",
		"content nonsense":          "(see bitacora content --help)",
		"projections nonsense":      "(see bitacora projections --help)",
		"serve now":                 "(see bitacora serve --help)",
		"migrate now":               "(see bitacora migrate --help)",
		"rebuild --quickly":         "unknown flag: --quickly (see bitacora rebuild --help)",
		"rebuild --rate fast":       "(see bitacora rebuild --help)",
		"rebuild b2":                "(see bitacora rebuild --help)",
		"verify b1 b2":              "(see bitacora verify --help)",
		"rollback b1 b2":            "(see bitacora rollback --help)",
		"parked skip":               "(see bitacora parked skip --help)",
		"restore":                   "(see bitacora restore --help)",
		"assistant eval":            "(see bitacora assistant eval --help)",
		"query nonsense":            "(see bitacora query --help)",
		"projections drop":          "(see bitacora projections drop --help)",
		"projections --window soon": "(see bitacora projections --help)",
	} {
		out, err := p.Run("", strings.Fields(line)...)
		var ended *exec.ExitError
		if !errors.As(err, &ended) || ended.ExitCode() != command.ExitMisused || !strings.Contains(out, says) {
			t.Errorf("bitacora %s: %v, want exit code %d and %q:\n%s", line, err, command.ExitMisused, says, out)
		}
	}
}

// slips are ways in which a word is misspelt.
func slips(word string) (list []string) {
	for i := range len(word) {
		without := word[:i] + word[i+1:]
		list = append(list, without, word[:i+1]+word[i:], word[:i]+"x"+word[i+1:])
		if i > 0 {
			list = append(list, word[:i-1]+word[i:i+1]+word[i-1:i]+word[i+1:])
			for j := max(1, i); j < len(without); j++ {
				list = append(list, without[:j]+without[j+1:])
			}
		}
	}
	return append(list, strings.ToUpper(word)+"x")
}

// TestAMisspeltSubcommandIsRefused wherever there are subcommands, also where the command takes a name of
// its own, before anything is done.
func TestAMisspeltSubcommandIsRefused(t *testing.T) {
	var withSubcommands func(c *cobra.Command) []*cobra.Command
	withSubcommands = func(c *cobra.Command) (list []*cobra.Command) {
		if c.HasSubCommands() {
			list = append(list, c)
		}
		for _, sub := range c.Commands() {
			list = append(list, withSubcommands(sub)...)
		}
		return list
	}
	tree := newRoot()
	strictly(tree)
	tree.SetOut(io.Discard)
	tried := 0
	for _, c := range withSubcommands(tree) {
		var names []string
		for _, sub := range c.Commands() {
			names = append(names, sub.Name())
		}
		for _, name := range names {
			for _, slip := range slips(name) {
				if slices.Contains(names, slip) || slip == "" {
					continue
				}
				tree.SetArgs(append(strings.Fields(c.CommandPath())[1:], slip))
				err := tree.ExecuteContext(t.Context())
				if wrong := new(command.MisuseError); !errors.As(err, wrong) || !strings.Contains(err.Error(), "unknown command") || !strings.Contains(err.Error(), "did you mean") {
					t.Errorf("%s %s: %v", c.CommandPath(), slip, err)
				}
				tried++
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d were tried", tried)
	}
}

// TestABackupMayHaveAName that is not like one of its commands.
func TestABackupMayHaveAName(t *testing.T) {
	c := backup.NewBackup()
	for _, name := range []string{"before-update", "first", "one", "test", "left", "daily", "june", "full", "2026-11-25"} {
		if err := c.Args(c, []string{name}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
