package main

import (
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/assistant/providertest"
	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/serve"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

func TestHereAt(t *testing.T) {
	for addr, want := range map[string]string{
		"0.0.0.0:8080": "127.0.0.1:8080", "[::]:8080": "127.0.0.1:8080", ":8080": "127.0.0.1:8080",
		"127.0.0.1:9": "127.0.0.1:9", "[::1]:9": "[::1]:9", "10.1.2.3:80": "10.1.2.3:80", "localhost:1": "localhost:1",
	} {
		if got := serve.HereAt(addr); got != want {
			t.Errorf("%s is reached at %s, want %s", addr, got, want)
		}
	}
}

// TestHealthFollowsTheProgram asks as the health check of a container does, of a program that
// listens on all addresses.
func TestHealthFollowsTheProgram(t *testing.T) {
	p := programtest.NewEmbedded(t)
	_, port, _ := strings.Cut(p.Addr, ":")
	p.Environ = append(p.Environ, "BITACORA_ADDR=0.0.0.0:"+port, "BITACORA_THROTTLE=on")
	if out, err := p.Run("", "health"); err == nil || !strings.Contains(out, "connection refused") {
		t.Errorf("before the start: %v, %s", err, out)
	}
	p.Start()
	if out, err := p.Run("", "health"); err != nil || !strings.Contains(out, `"status":"ready"`) {
		t.Errorf("beside the program: %v, %s", err, out)
	}
	if said := p.Output.String(); !strings.Contains(said, "http://127.0.0.1:"+port+"/dashboard") || strings.Contains(said, "[::]") {
		t.Errorf("it names an address that nobody can open:\n%s", said)
	}
	p.Stop()
	if out, err := p.Run("", "health"); err == nil {
		t.Errorf("after the stop: %s", out)
	}
}

// TestAStartEndsTheLeasesOfTheProgramThatWasKilled: what had a lease lost the database with that program.
func TestAStartEndsTheLeasesOfTheProgramThatWasKilled(t *testing.T) {
	p := programtest.NewEmbedded(t)
	p.Start()
	a := p.App()
	p.Applied(a)
	programtest.SQL(t, a, "UPDATE leases SET owner = 'killed', token = token + 1, expires_at = 'infinity'")
	p.Kill("serve")
	p.Start()
	a = p.App()
	p.Eventually("the tables are followed again", time.Minute, func() error {
		s, err := a.DB.BuildStatus(t.Context(), builds.FirstName)
		if err == nil && !feed.IsOf(s.Owner, p.Running.Process.Pid) {
			err = fmt.Errorf("they are %q's", s.Owner)
		}
		return err
	})
}

// TestAStopDuringAProvidersReply stops the program while a provider speaks: the visitor is
// answered all the same, at once, and finds the same reply when the program is back.
func TestAStopDuringAProvidersReply(t *testing.T) {
	speaks := make(chan struct{}, 2)
	url := providertest.Serve(t, providertest.Protocols["openai"], func(p providertest.Protocol, w http.ResponseWriter, r *http.Request) {
		p.Begin(w, providertest.Half)
		speaks <- struct{}{}
		<-r.Context().Done()
	})
	p := programtest.NewProgram(t, "BITACORA_ASSISTANT=openai", "BITACORA_ASSISTANT_MODEL=m", "BITACORA_ASSISTANT_URL="+url,
		"BITACORA_ASSISTANT_TIMEOUT=5m", "BITACORA_REPLY_TIMEOUT=10m")
	p.Start()
	messages := []map[string]string{
		{"sessionId": "plain", "messageId": "m1", "message": "¿en qué consiste la limpieza dental?"},
		{"sessionId": "streamed", "messageId": "m1", "message": "¿en qué consiste la limpieza dental?"},
	}
	on := &httpStage{Program: p}
	ask := func(message map[string]string) (string, error) {
		if message["sessionId"] == "streamed" {
			return on.stream200(message)
		}
		var answer struct{ Response string }
		err := p.Post("/api/chatbot", message, &answer)
		return answer.Response, err
	}
	type outcome struct {
		reply string
		err   error
	}
	outcomes := make([]chan outcome, len(messages))
	for i, message := range messages {
		outcomes[i] = make(chan outcome, 1)
		go func() {
			reply, err := ask(message)
			outcomes[i] <- outcome{reply, err}
		}()
		<-speaks
	}
	p.Stop()
	p.Start()
	for i, message := range messages {
		before := <-outcomes[i]
		if before.err != nil || before.reply == "" || before.reply == providertest.Half {
			t.Errorf("%s: answered %q, %v", message["sessionId"], before.reply, before.err)
		}
		if after, err := ask(message); err != nil || after != before.reply {
			t.Errorf("%s: a retry was answered %q, %v; want %q", message["sessionId"], after, err, before.reply)
		}
	}
}

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
