package chserver

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"bitacora/adapters/engines/confine"
)

// execConfined gives up root and all that the engine does not need, and executes the program
// again: both belong to a thread, and to a whole process only from its start. The library is
// opened before and then read through its descriptor, so that nobody but root need reach it.
// It returns only where that fails.
func execConfined(o Options) error {
	library, err := unix.Open(o.Library, unix.O_RDONLY, 0)
	if err != nil {
		return fmt.Errorf("load library %s: %w", o.Library, err)
	}
	if o.EnginePort, err = freePort(); err != nil {
		return err
	}
	if err := confineThread(o); err != nil {
		return fmt.Errorf("confine the engine: %w", err)
	}
	if o.UID >= 0 && os.Getuid() == 0 {
		if err := setUser(uintptr(o.UID), uintptr(o.GID)); err != nil {
			return err
		}
	}
	home := filepath.Join(o.Data, "home")
	dirs := []string{o.engineDir(), home}
	if o.Questions != "" {
		dirs = append(dirs, o.Questions)
	}
	for _, dir := range dirs {
		if err := prepare(dir); err != nil {
			return fmt.Errorf("prepare data directory: %w", err)
		}
	}
	if err := os.Chdir(home); err != nil {
		return fmt.Errorf("enter data directory: %w", err)
	}
	if err := unix.Access(descriptor(library), unix.R_OK); err != nil {
		return fmt.Errorf("load library %s: user %d may not read it (chmod o+r)", o.Library, os.Getuid())
	}
	again := append(slices.Clone(os.Args), "--library", descriptor(library), "--data", o.Data, "--questions", o.Questions, "--analysts", string(o.Analysts),
		"--engine-port", strconv.FormatUint(o.EnginePort, 10))
	// The engine takes its zone from here, and would read configuration files from its home.
	err = syscall.Exec("/proc/self/exe", again, []string{"TZ=UTC", "HOME=" + home})
	return fmt.Errorf("execute %s again as user %d (chmod o+rx): %w", os.Args[0], os.Getuid(), err)
}

// prepare makes a directory that the engine can write to, which else ends without a word, and
// that no other engine uses.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := unix.Access(dir, unix.R_OK|unix.W_OK|unix.X_OK); err != nil {
		return fmt.Errorf("write to %s: %w", dir, err)
	}
	if status, err := os.Open(filepath.Join(dir, "status")); err == nil {
		defer status.Close()
		if err := unix.Flock(int(status.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
			return fmt.Errorf("%s: another process uses it", dir)
		}
	}
	return nil
}

// confineThread leaves this thread the files and the ports that the engine and the front need.
func confineThread(o Options) error {
	files := map[string]confine.Rights{
		o.Data: confine.Write, o.Library: confine.Read, "/proc/self/exe": confine.Run,
		"/proc": confine.Read, "/sys": confine.Read, "/etc/ld.so.cache": confine.Read, "/usr/share/zoneinfo": confine.Read,
		"/dev/null": confine.Write, "/dev/zero": confine.Read, "/dev/random": confine.Read, "/dev/urandom": confine.Read,
	}
	if o.Questions != "" {
		files[o.Questions] = confine.Write
	}
	if o.Analysts != "" {
		files[string(o.Analysts)] = confine.Read
	}
	// The C library's directory: the engine's other libraries lie there, too.
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(maps)) {
		fields := strings.Fields(line)
		if path := fields[len(fields)-1]; filepath.IsAbs(path) && strings.Contains(filepath.Base(path), ".so") {
			files[filepath.Dir(path)] = confine.Run
		}
	}
	if err := confine.DenyNewDatabases(); err != nil {
		return err
	}
	ports := confine.Ports{
		Bind:    []uint64{uint64(o.Listen.Port()), o.EnginePort},
		Connect: append(o.Cluster.ports(), o.EnginePort),
	}
	if o.Cluster.Name != "" {
		ports.Bind = append(ports.Bind, o.Cluster.Port)
		files["/dev/ptmx"], files["/dev/pts"] = confine.Write, confine.Write
	}
	return confine.Thread(files, ports)
}

// setUser gives up root for good in this thread.
func setUser(uid, gid uintptr) error {
	for _, call := range [][2]uintptr{{unix.SYS_SETGROUPS, 0}, {unix.SYS_SETRESGID, gid}, {unix.SYS_SETRESUID, uid}} {
		if _, _, errno := syscall.RawSyscall(call[0], call[1], call[1], call[1]); errno != 0 {
			return fmt.Errorf("become user %d of group %d: %w", uid, gid, errno)
		}
	}
	return nil
}

func freePort() (uint64, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer listener.Close()
	return uint64(listener.Addr().(*net.TCPAddr).Port), nil
}
