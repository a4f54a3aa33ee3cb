package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"bitacora/adapters/engines/confine"
)

const guarded = "s3cr3t of the house"

// plant writes what an attack is after beside a server's data, for everybody to read: what
// keeps the engine away is nothing but its confinement.
func plant(t *testing.T, dir string) (paths []string) {
	t.Helper()
	for parent := dir; parent != filepath.Clean(os.TempDir()) && parent != "/"; parent = filepath.Dir(parent) {
		if err := os.Chmod(parent, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"master.key", "clickhouse/users.json", "engines.json", "secrets.json", "postgres/data/pg_hba.conf"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(guarded), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// neighbour is a process of the server's user that holds the secret in its environment and
// in an open file.
func neighbour(t *testing.T, file string) int {
	t.Helper()
	open, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	c := exec.Command("sleep", "600")
	c.Env, c.Dir, c.ExtraFiles = []string{"SECRET=" + guarded}, filepath.Dir(file), []*os.File{open}
	if os.Getuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c.Process.Pid
}

func TestEngineReadsOnlyItsOwnFiles(t *testing.T) {
	if !confine.Possible() {
		t.Skip("this kernel has no Landlock")
	}
	dir := t.TempDir()
	data := filepath.Join(dir, "clickhouse", "data")
	if err := makeDataDirectory(data); err != nil {
		t.Fatal(err)
	}
	p := serve(t, data)
	files := plant(t, dir)
	link := filepath.Join(data, "home", "link")
	if err := os.Symlink(files[0], link); err != nil {
		t.Fatal(err)
	}
	pid := neighbour(t, files[0])
	targets := append(files, link, "link", "/etc/passwd", "/etc/hostname", "/proc/self/environ", "/proc/self/root/etc/passwd",
		"/proc/self/cwd/../../../master.key", "/proc/self/root"+files[0])
	for _, of := range []int{pid, os.Getpid(), os.Getppid()} {
		for _, entry := range []string{"environ", "fd/0", "fd/3", "root" + files[0], "cwd/master.key", "mem", "maps", "auxv"} {
			targets = append(targets, fmt.Sprintf("/proc/%d/%s", of, entry))
		}
	}
	for _, path := range files {
		relative, err := filepath.Rel(filepath.Join(data, "home"), path)
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, relative)
	}
	// As app, whom no list of names keeps from asking.
	for _, path := range targets {
		for _, sql := range []string{"SELECT file('PATH')", "SELECT * FROM file('PATH', RawBLOB, 's String')"} {
			a := p.post(t, userApp, strings.ReplaceAll(sql, "PATH", path))
			if a.status == http.StatusOK || strings.Contains(a.body, guarded) || strings.Contains(a.body, "root:x:") {
				t.Errorf("%s of %s: %d %.200s", sql, path, a.status, a.body)
			}
		}
	}
	for _, glob := range []string{dir + "/*", dir + "/*/*/*", "/etc/pass*", "/proc/*/environ", "/proc/*/fd/*"} {
		a := p.post(t, userApp, "SELECT * FROM file('"+glob+"', RawBLOB, 's String')")
		if strings.Contains(a.body, guarded) || strings.Contains(a.body, "root:x:") {
			t.Errorf("%s: %d %.200s", glob, a.status, a.body)
		}
	}
	// In the ways that got past the lists of names.
	for _, sql := range []string{
		"SELECT arrayMap(file, ['PATH'])",
		"SELECT `fi\\x6ce`('PATH')",
		"SELECT arrayMax(file, ['PATH'])",
		"SELECT arrayMap(`fi\\x6ce`, ['PATH'])",
		"SELECT * FROM (SELECT * FROM numbers(1) SETTINGS additional_table_filters = {'numbers': 'file(''PATH'') != '''''})",
		"SELECT * FROM (SELECT * FROM system.one SETTINGS additional_table_filters = {'system.one': 'throwIf(1, file(''PATH''))'})",
	} {
		for _, path := range []string{"/etc/passwd", files[0], files[1], files[2], "../../../master.key", "/proc/self/environ", fmt.Sprintf("/proc/%d/environ", pid)} {
			a := p.post(t, userAnalyst, strings.ReplaceAll(sql, "PATH", path))
			if strings.Contains(a.body, guarded) || strings.Contains(a.body, "root:x:") || strings.Contains(a.body, "PATH=") {
				t.Errorf("%s of %s: %d %.200s", sql, path, a.status, a.body)
			}
		}
	}
	// What it holds open it can read through /proc/self/fd.
	held, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.command.Process.Pid))
	if err != nil || len(held) < 5 {
		t.Fatalf("%d descriptors, %v", len(held), err)
	}
	library, err := libraryFile()
	if err != nil {
		t.Fatal(err)
	}
	own := []string{data, os.DevNull, "/sys/", fmt.Sprintf("/proc/%d/", p.command.Process.Pid), program, library}
	for _, fd := range held {
		to, err := os.Readlink(fd)
		if err == nil && filepath.IsAbs(to) && !slices.ContainsFunc(own, func(of string) bool { return strings.HasPrefix(to, of) }) {
			t.Errorf("the engine holds %s open", to)
		}
	}
	outside := filepath.Join(dir, "written")
	if err := os.Mkdir(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	p.post(t, userApp, "INSERT INTO FUNCTION file('"+outside+"/x.csv', CSV, 'n Int8') VALUES (1)")
	p.post(t, userApp, "SELECT 1 INTO OUTFILE '"+outside+"/x.csv'")
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("written outside: %v, %v", left, err)
	}
}

// TestUsersAreHandedOverOnce: the second start of the program needs no file for it.
func TestUsersAreHandedOverOnce(t *testing.T) {
	known := users{userApp: {1}, userAnalyst: {2}}
	fd, err := bequeath(known)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(usersVariable, "set")
	got, err := inherit(fmt.Sprint(fd))
	if err != nil || len(got) != 2 || got[userApp] != known[userApp] || got[userAnalyst] != known[userAnalyst] {
		t.Errorf("took over %v, %v", got, err)
	}
	if _, set := os.LookupEnv(usersVariable); set {
		t.Error("the variable stays")
	}
	if _, err := syscall.Read(fd, make([]byte, 1)); err == nil {
		t.Error("the pipe stays open")
	}
}
