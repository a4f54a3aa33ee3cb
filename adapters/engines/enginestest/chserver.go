package enginestest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// chserver builds the child program.
func chserver() (string, error) {
	dir, err := Build("enginestest", "./cmd/chserver")
	return filepath.Join(dir, "chserver"), err
}

// Build builds programs into a directory of the checkout's cache, which is quick when nothing has changed, and
// gives the directory. Processes wait for each other.
func Build(name string, args ...string) (dir string, err error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(root, ".cache", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make a directory for programs: %w", err)
	}
	lock, err := os.Create(filepath.Join(dir, "lock"))
	if err != nil {
		return "", fmt.Errorf("lock the directory of programs: %w", err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", fmt.Errorf("lock the directory of programs: %w", err)
	}
	build := exec.Command("go", append([]string{"build", "-o", dir + "/"}, args...)...)
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build programs: %w: %s", err, out)
	}
	return dir, nil
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the checkout: %w", err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("find the checkout: no go.mod above the working directory")
		}
	}
}
