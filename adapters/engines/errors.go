package engines

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

// fileError says in one sentence why a file or directory could not be made.
func fileError(path string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("the disk that holds %s is full: free some space and start again", path)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%s lies on a read-only file system: name a writable directory in BITACORA_DATA_DIR", path)
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return fmt.Errorf("%s cannot be written by this user: name another directory in BITACORA_DATA_DIR", path)
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s is not a directory, or something above it is not: name another directory in BITACORA_DATA_DIR", path)
	}
	return fmt.Errorf("prepare %s: %w", path, err)
}

// diskSentence finds in an engine's output that the disk below dir was the problem.
func diskSentence(output, dir string) string {
	switch {
	case strings.Contains(output, "No space left on device"):
		return "the disk that holds " + dir + " is full: free some space and start again"
	case strings.Contains(output, "Read-only file system"):
		return dir + " lies on a read-only file system: name a writable directory in BITACORA_DATA_DIR"
	}
	return ""
}

// startError says in one sentence why a program did not even begin.
func startError(name string, cmd *exec.Cmd, err error) error {
	switch _, missing := os.Stat(cmd.Path); {
	case errors.Is(err, syscall.EPERM) && cmd.SysProcAttr.Credential != nil:
		return fmt.Errorf("%s may not run as root, and this process may not start it as the user %d: start as an ordinary user", name, cmd.SysProcAttr.Credential.Uid)
	case errors.Is(err, syscall.ENOENT) && missing == nil:
		return fmt.Errorf("%s does not run on this system, it needs the GNU C library: %s", cmd.Path, useServer(name))
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s is not made for %s/%s: %s", cmd.Path, runtime.GOOS, runtime.GOARCH, useServer(name))
	}
	return fmt.Errorf("start %s: %w", name, err)
}

// useServer names the way out that always exists.
func useServer(engine string) string {
	if engine == ClickHouse {
		return "name a ClickHouse server in BITACORA_CLICKHOUSE_URL"
	}
	return "name a PostgreSQL server in BITACORA_DATABASE_URL"
}
