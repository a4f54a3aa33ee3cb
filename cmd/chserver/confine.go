package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"bitacora/adapters/engines/confine"
)

// usersVariable names the descriptor from which the confined program reads who may sign in.
const usersVariable = "CHSERVER_USERS"

// confined gives up every file that the engine does not need, and executes the program
// again, since a process is confined as a whole by its start only. What lies out of reach
// then, the users' file, is read before and handed over by a pipe. It returns where that
// fails, and in the confined process with the users.
func confined(o options) (users, error) {
	if fd, ok := os.LookupEnv(usersVariable); ok {
		return inherit(fd)
	}
	known, err := readUsers(o.users)
	if err != nil {
		return nil, err
	}
	needed, err := neededPaths(o)
	if err != nil {
		return nil, err
	}
	if err := confine.Thread(needed); err != nil {
		return nil, fmt.Errorf("confine the engine: %w", err)
	}
	fd, err := bequeath(known)
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	if err == nil {
		err = syscall.Exec(program, os.Args, append(os.Environ(), usersVariable+"="+strconv.Itoa(fd)))
	}
	return nil, fmt.Errorf("execute again: %w", err)
}

// bequeath writes the users into a pipe, which is large enough, and gives its other end.
func bequeath(known users) (fd int, err error) {
	text, err := json.Marshal(known)
	if err != nil {
		return 0, fmt.Errorf("encode users: %w", err)
	}
	var ends [2]int
	if err := unix.Pipe(ends[:]); err != nil {
		return 0, fmt.Errorf("make pipe: %w", err)
	}
	_, err = unix.Write(ends[1], text)
	if err := errors.Join(err, unix.Close(ends[1])); err != nil {
		return 0, fmt.Errorf("hand over users: %w", err)
	}
	return ends[0], nil
}

func inherit(fd string) (known users, err error) {
	os.Unsetenv(usersVariable)
	number, err := strconv.Atoi(fd)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", usersVariable, err)
	}
	pipe := os.NewFile(uintptr(number), "users")
	text, err := io.ReadAll(pipe)
	if err == nil {
		err = json.Unmarshal(text, &known)
	}
	if err := errors.Join(err, pipe.Close()); err != nil {
		return nil, fmt.Errorf("take over users: %w", err)
	}
	return known, nil
}

// neededPaths are what the engine and this program need, with the rights to it.
func neededPaths(o options) (map[string]confine.Rights, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	needed := map[string]confine.Rights{
		o.data: confine.Write, o.library: confine.Read, program: confine.Run,
		"/proc": confine.Read, "/sys": confine.Read, "/etc/ld.so.cache": confine.Read,
		"/dev/null": confine.Write, "/dev/zero": confine.Read, "/dev/random": confine.Read, "/dev/urandom": confine.Read,
	}
	if o.backups != "" {
		needed[o.backups] = confine.Write
	}
	// The C library's directory: the engine's other libraries lie there, too.
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil, fmt.Errorf("find the C library: %w", err)
	}
	for line := range strings.Lines(string(maps)) {
		fields := strings.Fields(line)
		if path := fields[len(fields)-1]; filepath.IsAbs(path) && strings.Contains(filepath.Base(path), ".so") {
			needed[filepath.Dir(path)] = confine.Run
		}
	}
	return needed, nil
}
