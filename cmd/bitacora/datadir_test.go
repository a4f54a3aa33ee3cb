package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
)

// TestOnlySomeCommandsBeginADataDirectory: in a wrong folder every other command says so, and makes
// nothing there. Each is called as its first example has it.
func TestOnlySomeCommandsBeginADataDirectory(t *testing.T) {
	begin := []string{"serve", "restore", "init", "demo"}
	// doctor tells what it finds, query only shows its questions, and a drill brings its own.
	needNone := []string{"doctor", "health", "query", "backup drill"}
	dir := filepath.Join(t.TempDir(), "data")
	t.Setenv("BITACORA_DATA_DIR", dir)
	var tried []string
	for _, c := range runnable(newRoot()) {
		line := firstExample(c)
		name := strings.TrimPrefix(c.CommandPath(), "bitacora ")
		if slices.Contains(begin, name) {
			continue
		}
		root := newRoot()
		root.SetArgs(line)
		root.SetIn(strings.NewReader(""))
		err := root.ExecuteContext(t.Context())
		wrong, asks := new(command.MisuseError), !slices.Contains(needNone, name) && c.Annotations[command.Needs] != command.NeedsNothing
		if asks && (!errors.As(err, wrong) || !strings.Contains(err.Error(), dir+" is no data directory of a clinic")) {
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

// TestAWrongFolderBesideAServerIsToldFromItsKeys: whoever has the databases on servers of their own and calls
// a command elsewhere finds no keys, and none are made there.
func TestAWrongFolderBesideAServerIsToldFromItsKeys(t *testing.T) {
	enginestest.Long(t)
	p, a, _ := programtest.RunningEmbedded(t)
	q := programtest.NewEmbedded(t, "BITACORA_MASTER_KEY="+strings.Repeat("ab", 32), "BITACORA_DATABASE_URL="+a.At.DatabaseURL, "BITACORA_MIGRATION_URL="+a.At.MigrationURL, "BITACORA_CLICKHOUSE_URL="+a.At.ClickHouseURL)
	for _, line := range []string{"log check", "staff list", "backup", "backup drill", "keys bundle", "content export " + filepath.Join(p.Dir, "content"), "projections", "doctor"} {
		if out, err := q.Run("", strings.Fields(line)...); err == nil || !strings.Contains(out, "keys lack") && !strings.Contains(out, "keys do not fit") && line != "backup drill" {
			t.Errorf("bitacora %s: %v\n%s", line, err, out)
		}
		if _, err := os.Stat(filepath.Join(q.Dir, "data")); err == nil {
			t.Fatalf("bitacora %s made a data directory", line)
		}
	}
}
