package main

import (
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
)

// TestCommandsEndWithTheProcessWhoseEnginesTheyUse kills serve while commands wait for engines that hang, and can
// answer nobody any more: each says what it waits for, and ends by itself.
func TestCommandsEndWithTheProcessWhoseEnginesTheyUse(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, a, _ := programtest.RunningEmbedded(t)
	serve := p.Running.Process.Pid
	enginestest.Hang(t, p.Pid("clickhouse"))
	type process struct {
		run   *exec.Cmd
		out   *syncBuffer
		ended chan struct{}
	}
	begun := map[string]process{}
	begin := func(name, appName string) {
		c := process{p.Command(strings.Fields(name)...), new(syncBuffer), make(chan struct{})}
		c.run.Env = append(c.run.Env, "PGAPPNAME="+appName)
		c.run.Stdout, c.run.Stderr = c.out, c.out
		if err := c.run.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(sync.OnceFunc(func() { c.run.Process.Kill(); <-c.ended }))
		go func() {
			_ = c.run.Wait() // its code is looked at
			close(c.ended)
		}()
		begun[name] = c
	}
	waiting := []string{"rebuild", "verify", "rollback", "parked retry"}
	for _, name := range waiting {
		begin(name, "")
	}
	for _, name := range waiting {
		p.Eventually(name+" says what it waits for", time.Minute, func() error {
			if said := begun[name].out.String(); !strings.Contains(said, "waiting") || !strings.Contains(said, "ClickHouse, which does not answer") {
				return fmt.Errorf("it says %q", said)
			}
			return nil
		})
	}
	begin("project", "following")
	p.Eventually("project follows", time.Minute, func() error {
		conn, err := pgx.Connect(t.Context(), a.At.MigrationURL)
		if err != nil {
			return err
		}
		defer conn.Close(t.Context())
		return conn.QueryRow(t.Context(), "SELECT 1 FROM pg_stat_activity WHERE application_name = 'following' LIMIT 1").Scan(new(int))
	})
	lockLog(t, a.At.MigrationURL)
	begin("keys rotate", "interrupted")
	p.Eventually("keys rotate waits for the log", time.Minute, func() error { return waitsForALock(t, a.At.MigrationURL) })
	p.Kill("serve")
	for name, c := range begun {
		select {
		case <-c.ended:
		case <-time.After(time.Minute):
			t.Fatalf("%s goes on without serve:\n%s", name, c.out)
		}
		want := fmt.Sprintf("bitacora: process %d (bitacora serve), whose databases were in use here, has ended: %s\n", serve, command.Left(commandNamed(t, name)))
		if said := c.out.String(); c.run.ProcessState.ExitCode() != command.ExitFailed || name != "keys rotate" && !strings.HasSuffix(said, want) { // whom Postgres told first
			t.Errorf("%s ended with %v and\n%s, want %s", name, c.run.ProcessState, said, want)
		}
	}
}
