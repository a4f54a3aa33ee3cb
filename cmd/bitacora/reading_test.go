package main

import (
	"crypto/sha256"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sync/errgroup"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/event"
)

// fileState is a file as nobody may change it who only reads.
type fileState struct {
	mode         fs.FileMode
	owner, group uint32
	content      [sha256.Size]byte
}

// filesBelow are all files and directories below one, but for those of the engines and what serve does by
// itself.
func filesBelow(t *testing.T, dir string) map[string]fileState {
	t.Helper()
	all := map[string]fileState{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch filepath.Base(name) {
		case "postgres", "clickhouse", "outbox":
			return fs.SkipDir
		case "engines.json", "guests.lock", "secrets.json":
			return nil
		}
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		stat := info.Sys().(*syscall.Stat_t)
		file := fileState{info.Mode(), stat.Uid, stat.Gid, [sha256.Size]byte{}}
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			file.content = sha256.Sum256(text)
		}
		all[name] = file
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sameFiles says which files differ.
func sameFiles(t *testing.T, before, after map[string]fileState) bool {
	t.Helper()
	same := true
	names := maps.Clone(before)
	maps.Copy(names, after)
	for name := range names {
		if before[name] != after[name] {
			t.Errorf("%s was %v, is %v", name, before[name], after[name])
			same = false
		}
	}
	return same
}

// writing are the commands that change what a clinic keeps. Every other command only reads: it is called by
// [TestLookingChangesNothing] in every state of the keys.
var writing = []string{
	"init", "serve", "project", "migrate", "import", "demo", "restore", "summary", "rebuild", "rollback",
	"staff add", "staff password", "staff role", "staff remove", "staff totp reset",
	"content import", "log mask", "log adopt-epoch", "parked retry", "parked skip", "projections drop", "cluster refill", "tables reset",
	"backup", "keys rotate", "keys bundle", "keys seal", "keys unseal", "keys restore", "privacy restrict", "privacy erase", "analyst add", "analyst rotate", "analyst revoke",
	"update apply",
}

// byThemselves read in a process of their own: they have engines, or go on until they are told to end.
var byThemselves = []string{"content preview", "backup drill", "assistant eval"}

// TestLookingChangesNothing calls every command that only reads in every state of the keys: whether it is
// answered or refused, each file has its name, bytes, mode and owner afterwards.
func TestLookingChangesNothing(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewEmbedded(t, "BITACORA_RETENTION=leads=36mo")
	config, master, foreign := filepath.Join(p.Dir, "bitacora.env"), keyfiles.NewMasterKey(), keyfiles.NewMasterKey()
	programtest.Write(t, config, []byte("BITACORA_LOG_FORMAT=text\n"), 0o600)
	p.Environ = append(p.Environ, settings.ConfigVariable+"="+config)
	p.MustRun("demo", "--scale", "0.01")
	p.Start()
	a := p.App()
	if err := a.DB.Log().DestroyKey(t.Context(), event.ContactStream("m1")); err != nil {
		t.Fatal(err)
	}
	p.MustRun("keys", "rotate")
	p.MustRun("backup", "before-update")
	p.Here()
	t.Setenv(settings.ConfigVariable, config)
	quiet, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func(out *os.File) { os.Stdout = out; quiet.Close() }(os.Stdout)
	os.Stdout = quiet

	inForm := func(form string) string {
		dir := filepath.Join(p.Dir, "state", form)
		if err := os.CopyFS(dir, os.DirFS(a.Config.Keys().Dir)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	without := func(form, file string) string {
		dir := inForm(form)
		if err := os.RemoveAll(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	sealed, bundleless := inForm("sealed"), without("bundleless", "bundle")
	for _, dir := range []string{sealed, bundleless} {
		if _, err := (keyfiles.Store{Dir: dir, Master: &master}).Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	empty := filepath.Join(p.Dir, "state", "empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	fresh := postgrestest.Database(t)
	for _, state := range []struct {
		name string
		All  []string
		says string // what a command of the log is refused with; empty: it works
	}{
		{"as it is", nil, ""},
		{"sealed", []string{"BITACORA_KEYS_DIR=" + sealed, "BITACORA_MASTER_KEY=" + master.Text()}, ""},
		{"sealed by the former, and no bundle", []string{"BITACORA_KEYS_DIR=" + bundleless, "BITACORA_MASTER_KEY=" + foreign.Text(), "BITACORA_MASTER_KEY_BEFORE=" + master.Text()}, ""},
		{"sealed, and no master key", []string{"BITACORA_KEYS_DIR=" + sealed}, "BITACORA_MASTER_KEY is not set"},
		{"sealed, and another clinic's master key", []string{"BITACORA_KEYS_DIR=" + sealed, "BITACORA_MASTER_KEY=" + foreign.Text()}, "another master key"},
		{"another clinic's master key", []string{"BITACORA_MASTER_KEY=" + foreign.Text()}, "bitacora keys seal"},
		{"bundle and ledger alone", []string{"BITACORA_KEYS_DIR=" + without("keyless", "epoch-0001.key")}, "the keys lack one"},
		{"no ledger", []string{"BITACORA_KEYS_DIR=" + without("ledgerless", "erasures")}, ""},
		{"an empty log without keys", []string{"BITACORA_KEYS_DIR=" + empty, "BITACORA_MASTER_KEY=" + master.Text(), "BITACORA_DATABASE_URL=" + fresh, "BITACORA_CLICKHOUSE_URL=" + a.At.ClickHouseURL}, "there are no keys yet"},
		{"an empty log with keys", []string{"BITACORA_KEYS_DIR=" + without("brought", "anchors"), "BITACORA_DATABASE_URL=" + fresh, "BITACORA_CLICKHOUSE_URL=" + a.At.ClickHouseURL}, "not in order"}, // the backup's anchor says that there were events
	} {
		t.Run(state.name, func(t *testing.T) {
			for _, s := range state.All {
				name, value, _ := strings.Cut(s, "=")
				t.Setenv(name, value)
			}
			t.Chdir(t.TempDir())
			before := filesBelow(t, p.Dir)
			var running errgroup.Group
			running.SetLimit(6)
			var tried []string
			for _, c := range runnable(newRoot()) {
				name := strings.TrimPrefix(c.CommandPath(), "bitacora ")
				if slices.Contains(writing, name) || slices.Contains(byThemselves, name) {
					continue
				}
				tried = append(tried, name)
				running.Go(func() error {
					root := newRoot()
					root.SetArgs(firstExample(c))
					root.SetIn(strings.NewReader(""))
					root.SetOut(quiet)
					err := root.ExecuteContext(t.Context())
					if name == "log check" && (state.says == "" && err != nil || state.says != "" && (err == nil || !strings.Contains(err.Error(), state.says))) {
						t.Errorf("bitacora %s: %v, want %q", name, err, state.says)
					}
					return nil
				})
			}
			if err := running.Wait(); err != nil || !sameFiles(t, before, filesBelow(t, p.Dir)) || len(tried) < 25 {
				t.Errorf("one of these changed files: %v", tried)
			}
		})
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	unsealed := "BITACORA_MASTER_KEY=" + foreign.Text()
	calls := func(t *testing.T, lines map[string][]string) {
		t.Helper()
		before := filesBelow(t, p.Dir)
		for line, settings := range lines {
			c := p.Command(strings.Fields(line)...)
			c.Env = append(c.Env, settings...)
			out, err := c.CombinedOutput()
			if !sameFiles(t, before, filesBelow(t, p.Dir)) {
				t.Fatalf("bitacora %s: %v\n%s", line, err, out)
			}
			if settings != nil && (err == nil || !strings.Contains(string(out), "bitacora keys seal")) {
				t.Errorf("bitacora %s with another clinic's master key: %v\n%s", line, err, out)
			}
		}
	}
	t.Run("by themselves", func(t *testing.T) {
		calls(t, map[string][]string{"backup drill": nil, "assistant eval adapters/assistant/testdata/none.txt": nil})
	})
	p.Stop()
	t.Run("stopped", func(t *testing.T) {
		calls(t, map[string][]string{"doctor": nil, "log tail": nil, "projections": nil, "backup list": nil, "doctor --json": {unsealed}, "log check": {unsealed}, "serve": {unsealed}})
	})
}
