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
	// doctor tells what it finds, query only shows its questions, and a drill needs a backup first.
	needNone := []string{"doctor", "health", "query", "backup drill"}
	dir := filepath.Join(t.TempDir(), "data")
	t.Setenv("BITACORA_DATA_DIR", dir)
	var tried []string
	for _, c := range runnable(newRoot()) {
		line := firstExample(c)
		name := strings.TrimPrefix(c.CommandPath(), "bitacora ")
		if slices.Contains(begin, name) || slices.Contains(needNone, name) || c.Annotations[needs] == needsNothing {
			continue
		}
		root := newRoot()
		root.SetArgs(line)
		err := root.ExecuteContext(t.Context())
		if wrong := new(misuse); !errors.As(err, wrong) || !strings.Contains(err.Error(), dir+" is no data directory of a clinic") {
			t.Errorf("bitacora %v: %v", line, err)
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
	for _, sub := range c.Commands() {
		list = append(list, runnable(sub)...)
	}
	if c.Example != "" || !c.HasSubCommands() {
		list = append(list, c)
	}
	return list
}
