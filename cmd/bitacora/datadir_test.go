package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestOnlySomeCommandsBeginADataDirectory: in a wrong folder every other command says so, and makes
// nothing there. Each is called as its first example has it.
func TestOnlySomeCommandsBeginADataDirectory(t *testing.T) {
	begin := []string{"serve", "restore", "init", "demo"}
	needNone := []string{"chat", "assistant eval", "doctor", "query", "clinic check", "clinic show", "clinic example"}
	askFirst := []string{"staff add", "staff password"}
	dir := filepath.Join(t.TempDir(), "data")
	t.Setenv("BITACORA_DATA_DIR", dir)
	var tried []string
	for _, c := range runnable(newRoot()) {
		_, line, _ := strings.Cut(c.Example, "bitacora ")
		line, _, _ = strings.Cut(line, "\n")
		line, _, _ = strings.Cut(line, "#")
		line, _, _ = strings.Cut(line, ">")
		name := strings.TrimPrefix(c.CommandPath(), "bitacora ")
		if slices.Contains(begin, name) || slices.Contains(needNone, name) {
			continue
		}
		root := newRoot()
		root.SetArgs(quotedFields(line))
		err := root.ExecuteContext(t.Context())
		if wrong := new(misuse); !slices.Contains(askFirst, name) && (!errors.As(err, wrong) || !strings.Contains(err.Error(), dir+" is no data directory of a clinic")) {
			t.Errorf("bitacora %s: %v", line, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Fatalf("%s made a data directory", name)
		}
		tried = append(tried, name)
	}
	if len(tried) < 30 {
		t.Errorf("only these were tried: %v", tried)
	}
}

// quotedFields are the arguments of a line, those in double quotes whole.
func quotedFields(line string) (args []string) {
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	return args
}

// runnable are the commands below one that do something by themselves.
func runnable(c *cobra.Command) (list []*cobra.Command) {
	if c.HasSubCommands() {
		for _, sub := range c.Commands() {
			list = append(list, runnable(sub)...)
		}
		return list
	}
	return []*cobra.Command{c}
}
