package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/setup"
)

// TestRootIsSentAwayFromAnothersDirectory: every command that works in the data directory refuses, before it
// writes anything.
func TestRootIsSentAwayFromAnothersDirectory(t *testing.T) {
	const nobody = 65534
	dir := t.TempDir()
	data, keys := filepath.Join(dir, "data"), filepath.Join(dir, "data", "keys")
	programtest.Write(t, filepath.Join(keys, "erasures"), nil, 0o600)
	if os.Geteuid() == 0 {
		for _, path := range []string{keys, data, dir} {
			if err := os.Chown(path, nobody, nobody); err != nil {
				t.Fatal(err)
			}
		}
	}
	setup.EffectiveUser = func() int { return 0 }
	defer func() { setup.EffectiveUser = os.Geteuid }()
	t.Setenv("BITACORA_DATA_DIR", data)
	t.Chdir(dir)
	before := filesBelow(t, dir)
	refused := func(args ...string) {
		t.Helper()
		root := newRoot()
		root.SetArgs(args)
		root.SetIn(strings.NewReader(""))
		root.SetOut(io.Discard)
		err := root.ExecuteContext(t.Context())
		if wrong := new(command.MisuseError); !errors.As(err, wrong) || !strings.Contains(err.Error(), "belongs to the user") || !strings.Contains(err.Error(), "runuser -u ") && !strings.Contains(err.Error(), "setpriv --reuid=") {
			t.Errorf("bitacora %v: %v", args, err)
		}
	}
	tried := 0
	for _, c := range runnable(newRoot()) {
		if c.Annotations[command.Needs] == command.NeedsNothing {
			continue
		}
		refused(firstExample(c)...)
		tried++
	}
	if tried < 30 {
		t.Errorf("only %d were tried", tried)
	}
	// The directories that init is told of.
	t.Setenv("BITACORA_DATA_DIR", filepath.Join(t.TempDir(), "none"))
	refused("init", "--yes")
	elsewhere := t.TempDir()
	if os.Geteuid() == 0 {
		t.Chdir(elsewhere)
		refused("init", "--yes", "--set", "BITACORA_DATA_DIR="+data)
	}
	if now := filesBelow(t, dir); !sameFiles(t, before, now) || len(filesBelow(t, elsewhere)) > 1 {
		t.Errorf("there are %v", now)
	}
	// What root began is root's, and goes on.
	for _, mine := range [][]string{{elsewhere}, {filepath.Join(dir, "none"), elsewhere}, nil} {
		if err := setup.RefuseRoot(mine...); os.Geteuid() == 0 && err != nil {
			t.Errorf("root's own %v: %v", mine, err)
		}
	}
}

func TestACommandIsToldAsItIsTyped(t *testing.T) {
	if line := command.ShellWords("bitacora", "privacy", "find", "Ana d'Arco", "--to=", ""); line != "bitacora privacy find 'Ana d'\\''Arco' --to= ''" {
		t.Error(line)
	}
	if name, as := setup.OwnerOf(&syscall.Stat_t{Uid: 54_321, Gid: 12}); name != "the user 54321" || as != "setpriv --reuid=54321 --regid=12 --clear-groups" {
		t.Error(name, as)
	}
}

// TestTheCommandThatRootIsToldWorks runs it. Without root it is that of the user.
func TestTheCommandThatRootIsToldWorks(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewEmbedded(t)
	data := filepath.Join(p.Dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	owner := os.Geteuid()
	run := func(c *exec.Cmd) string {
		t.Helper()
		c.Env, c.Dir = p.Environ, "../.."
		out, _ := c.CombinedOutput()
		return string(out)
	}
	backup := p.Command("backup", "by root")
	if backup.Args[2] = "root's"; owner == 0 {
		owner = 65534
		if err := os.Chown(data, owner, owner); err != nil {
			t.Fatal(err)
		}
	}
	backup.Args[2] = "one"
	begin := p.Command("demo", "--scale", "0.01")
	begin.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(owner), Gid: uint32(owner), NoSetGroups: true}}
	if out := run(begin); begin.ProcessState == nil || begin.ProcessState.ExitCode() != 0 {
		t.Fatal(out)
	}
	said := run(backup)
	if os.Geteuid() == 0 {
		_, advised, is := strings.Cut(strings.TrimSpace(said), "leaves there: ")
		if !is || backup.ProcessState.ExitCode() != command.ExitMisused {
			t.Fatalf("root is not sent away: %s", said)
		}
		said = run(exec.Command("sh", "-c", advised))
	}
	if !strings.Contains(said, "events are in "+filepath.Join(data, "backups", "one")) {
		t.Errorf("it said %s", said)
	}
	for name, file := range filesBelow(t, data) {
		if file.owner != uint32(owner) {
			t.Errorf("%s belongs to %d", name, file.owner)
		}
	}
}
