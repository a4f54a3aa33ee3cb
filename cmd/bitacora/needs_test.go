package main

import (
	"errors"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/accounts"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
)

// firstExample are the arguments of a command as its first example has them.
func firstExample(c *cobra.Command) []string {
	_, line, _ := strings.Cut(c.Example, "bitacora ")
	line, _, _ = strings.Cut(line, "\n")
	line, _, _ = strings.Cut(line, "#")
	line, _, _ = strings.Cut(line, ">")
	return quotedFields(line)
}

// TestCommandsOfTheLogNeedNoClickHouse calls every command that works on the log alone while another
// program has ClickHouse's port. They all share the engines of one that runs already.
func TestCommandsOfTheLogNeedNoClickHouse(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewEmbedded(t)
	taken, err := net.Listen("tcp", programtest.FreeAddr(t))
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	p.Environ = append(p.Environ, "BITACORA_CLICKHOUSE_ADDR="+taken.Addr().String(), "BITACORA_RETENTION=leads=36mo")
	p.MustRun("demo", "--scale", "0.01")
	a, err := app.ConfigureWith(p.Environ)
	if err != nil {
		t.Fatal(err)
	}
	a.LogAlone = true
	if err := a.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	beginning := []string{"init", "demo"} // the one was tried before, the other just now
	var tried []string
	for _, c := range runnable(newRoot()) {
		name := strings.TrimPrefix(c.CommandPath(), "bitacora ")
		if c.Annotations[command.Needs] != command.NeedsLog || slices.Contains(beginning, name) {
			continue
		}
		args := firstExample(c)
		if c.Flags().Lookup(accounts.StdinFlag) != nil {
			args = append(args, "--"+accounts.StdinFlag)
		}
		run := p.Command(args...)
		run.Dir, run.Stdin = p.Dir, strings.NewReader("otra frase bastante larga\n")
		out, err := run.CombinedOutput()
		for _, wrong := range []string{"ClickHouse", "clickhouse", "panic", taken.Addr().String()} {
			if strings.Contains(string(out), wrong) {
				t.Errorf("bitacora %s: %v\n%s", strings.Join(args, " "), err, out)
				break
			}
		}
		tried = append(tried, name)
	}
	if begun, err := filepath.Glob(filepath.Join(p.Dir, "data", "clickhouse", "*")); err != nil || len(begun) > 0 {
		t.Errorf("ClickHouse was begun: %v, %v", begun, err)
	}
	// Whatever needs both says that the port is taken.
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if out, err := p.Run("", "projections"); err == nil || !strings.Contains(out, taken.Addr().String()) {
		t.Errorf("projections: %v\n%s", err, out)
	}
	if len(tried) < 20 {
		t.Errorf("only these were tried: %v", tried)
	}
}

// TestWhatNeedsClickHouseWaitsForWhatDoesNot: two commands at a time share a data directory in any order.
func TestWhatNeedsClickHouseWaitsForWhatDoesNot(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewEmbedded(t)
	a := p.App()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	a, err := app.ConfigureWith(p.Environ)
	if err != nil {
		t.Fatal(err)
	}
	a.LogAlone = true
	if err := a.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	both := p.Command("projections")
	var said syncBuffer
	both.Stdout, both.Stderr = &said, &said
	if err := both.Start(); err != nil {
		t.Fatal(err)
	}
	p.Eventually("it says what it waits for", 30*time.Second, func() error {
		if !strings.Contains(said.String(), "waiting for another command, which works on the log without ClickHouse") {
			return errors.New(said.String())
		}
		return nil
	})
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if err := both.Wait(); err != nil {
		t.Errorf("%v\n%s", err, said.String())
	}
}

// TestEveryCommandIsExplained: with an example that begins as the command does, and what it needs.
func TestEveryCommandIsExplained(t *testing.T) {
	for _, c := range runnable(newRoot()) {
		if !strings.Contains(c.Example, "bitacora "+strings.TrimPrefix(c.CommandPath(), "bitacora ")) {
			t.Errorf("%s has the example %q", c.CommandPath(), c.Example)
		}
		if c.Short == "" || !slices.Contains([]string{"", command.NeedsLog, command.NeedsNothing}, c.Annotations[command.Needs]) {
			t.Errorf("%s: %q, needs %q", c.CommandPath(), c.Short, c.Annotations[command.Needs])
		}
	}
}
