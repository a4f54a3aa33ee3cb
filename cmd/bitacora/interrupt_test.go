package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/spf13/cobra"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/settings"
)

// syncBuffer is what a running command has printed so far.
type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// interrupted starts a command, waits for its moment, presses Ctrl-C, and gives what it printed.
func interrupted(p *programtest.Program, c *exec.Cmd, moment func(said string) error) (said string, code int) {
	p.T.Helper()
	var out syncBuffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		p.T.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait() // the code says it
		close(ended)
	}()
	p.Eventually("the moment of "+strings.Join(c.Args[1:], " "), time.Minute, func() error {
		select {
		case <-ended:
			p.T.Fatalf("%v ended by itself:\n%s", c.Args[1:], out.String())
		default:
		}
		return moment(out.String())
	})
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		p.T.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		_ = c.Process.Kill()
		p.T.Fatalf("%v goes on after Ctrl-C:\n%s", c.Args[1:], out.String())
	}
	return out.String(), c.ProcessState.ExitCode()
}

// inOneStep are commands that leave nothing half done, or nothing at all.
var inOneStep = []string{
	"init", "serve", "project", "log tail", // these say so by themselves, or are meant to be left
	"assistant eval", "cluster show", "assistant lines", "migrate", "staff", "analyst", "audit", "clinic", "content import", "content check", "content preview", "doctor", "health",
	"log adopt-epoch", "log places", "projections", "rollback", "parked", "query", "summary", "backup list", "keys bundle", "privacy find", "privacy export", "privacy restrict", "privacy newsletter",
}

// longWork is how each long command is called.
var longWork = map[string]string{
	"import":         "adapters/archive/testdata/chats.jsonl",
	"demo":           "",
	"log check":      "",
	"log lint":       "",
	"log export":     "",
	"log mask":       "",
	"rebuild":        "",
	"verify":         "",
	"kpis":           "",
	"backup":         "left",
	"keys rotate":    "",
	"content export": "DIR",
	"export":         "DIR",
	"retention":      "",
	"privacy erase":  "6900-1234 --yes",
}

// TestCtrlCSaysWhatIsKept interrupts every long command while it waits for the log, which is locked.
func TestCtrlCSaysWhatIsKept(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewProgram(t, "BITACORA_RETENTION=leads=36mo")
	p.Start()
	p.MustRun("import", "adapters/archive/testdata/chats.jsonl")
	a := p.App()
	for name, arguments := range longWork {
		t.Run(name, func(t *testing.T) {
			c := commandNamed(t, name)
			args := append(strings.Fields(name), strings.Fields(strings.ReplaceAll(arguments, "DIR", filepath.Join(p.Dir, "out")))...)
			run := p.Command(args...)
			run.Env = append(run.Env, "PGAPPNAME=interrupted")
			release := lockLog(t, a.At.MigrationURL)
			said, code := interrupted(p, run, func(string) error { return waitsForALock(t, a.At.MigrationURL) })
			release()
			if want := "bitacora: interrupted: " + command.Left(c) + "\n"; code != command.ExitFailed || !strings.HasSuffix(said, want) {
				t.Errorf("ended with %d and\n%s, want %s", code, said, want)
			}
		})
	}
	if left, err := filepath.Glob(filepath.Join(p.Dir, "data", "backups", "*")); err != nil || len(left) > 0 {
		t.Errorf("a backup is left: %v, %v", left, err)
	}
	// What is said is so: the same commands again do the rest.
	p.MustRun("import", "adapters/archive/testdata/chats.jsonl")
	p.MustRun("rebuild")
	p.MustRun("verify")
	p.MustRun("keys", "rotate")
	p.MustRun("backup", "left")
	p.MustRun("log", "check")
}

func commandNamed(t *testing.T, name string) *cobra.Command {
	t.Helper()
	c, rest, err := newRoot().Find(strings.Fields(name))
	if err != nil || len(rest) > 0 {
		t.Fatalf("%s: %v, %v", name, rest, err)
	}
	return c
}

// lockLog keeps everybody from the events, the keys and the texts until release.
func lockLog(t *testing.T, url string) (release func()) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	release = sync.OnceFunc(func() { conn.Close(context.Background()) })
	t.Cleanup(release) // and a connection that nobody holds is closed by the garbage collector
	tx, err := conn.Begin(t.Context())
	if err == nil {
		_, err = tx.Exec(t.Context(), "LOCK TABLE events, services, subject_keys IN ACCESS EXCLUSIVE MODE")
	}
	if err != nil {
		t.Fatal(err)
	}
	return release
}

// waitsForALock is nil once the command that is to be interrupted waits for the log.
func waitsForALock(t *testing.T, url string) error {
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		return err
	}
	defer conn.Close(t.Context())
	var waiting int
	err = conn.QueryRow(t.Context(), `SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
		WHERE NOT l.granted AND a.application_name = 'interrupted'`).Scan(&waiting)
	if err == nil && waiting == 0 {
		err = errors.New("it does not wait yet")
	}
	return err
}

// TestEveryCommandSaysWhatItLeaves: what is neither long nor done in one step has to say so.
func TestEveryCommandSaysWhatItLeaves(t *testing.T) {
	// Not beside a running program, or not of its log, or not on one server.
	tooLong := []string{"cluster refill", "restore", "keys restore", "keys seal", "keys unseal", "backup verify", "backup prune", "backup drill", "tables reset", "update check", "update apply"}
	for _, c := range runnable(newRoot()) {
		name := strings.TrimPrefix(c.CommandPath(), "bitacora ")
		_, long := longWork[name]
		long = long || slices.Contains(tooLong, name)
		brief := slices.ContainsFunc(inOneStep, func(one string) bool { return name == one || strings.HasPrefix(name, one+" ") })
		if says := c.Annotations[command.LeavesKey]; long != (says != "" && says != command.LeavesNothing) || long == brief {
			t.Errorf("%s: long %v, in one step %v, leaves %q", name, long, brief, says)
		}
	}
}

// TestCtrlCEndsAQuestion: whoever is asked something may leave, and nothing is there afterwards.
func TestCtrlCEndsAQuestion(t *testing.T) {
	p := programtest.NewProgram(t)
	for _, tt := range []struct{ args, given, moment, says string }{
		{"init", "Clínica del Istmo\n", "Slogan", "bitacora: interrupted; nothing was written"},
		// More than a pipe holds: once it is written, the import reads.
		{"import -", strings.Repeat("\n", 1<<18), "", "bitacora: interrupted: " + command.LeavesPart},
	} {
		dir := t.TempDir()
		c := p.Command(strings.Fields(tt.args)...)
		c.Env = append(c.Env, settings.ConfigVariable+"="+filepath.Join(dir, "bitacora.env"))
		if tt.args != "init" {
			p.App().Close()
			c.Env = append(c.Env, settings.ConfigVariable+"="+settings.NoConfig, "BITACORA_LOG_LEVEL=info")
		}
		in, err := c.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		read := make(chan error, 1)
		go func() {
			_, err := io.WriteString(in, tt.given)
			read <- err
		}()
		said, code := interrupted(p, c, func(said string) error {
			if !strings.Contains(said, tt.moment) {
				return fmt.Errorf("not yet: %s", said)
			}
			return <-read
		})
		if code != command.ExitFailed || !strings.Contains(said, tt.says) {
			t.Errorf("%s ended with %d:\n%s", tt.args, code, said)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s left %v, %v", tt.args, left, err)
		}
	}
}
