// Command clickhouse-server is the server in the stand-in for ClickHouse's image: libchdb.so, which holds
// the whole server, with the configuration below /etc/clickhouse-server. It ends with SIGTERM.
package main

import (
	"fmt"
	"log"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

// serve lasts as long as standard input does.
const serve = "SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT count() FROM file('-', LineAsString) FORMAT Null"

func main() {
	runtime.LockOSThread()
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	input, err := terminal()
	if err != nil {
		return err
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-stop
		input.Close()
	}()
	library, err := purego.Dlopen("/usr/lib/libchdb.so", purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return err
	}
	var cmdline func(argc int32, argv **byte) uintptr
	purego.RegisterLibFunc(&cmdline, library, "chdb_query_cmdline")
	argv, err := syscall.SlicePtrFromStrings([]string{"clickhouse", "--config-file=/etc/clickhouse-server/config.xml", "--interactive",
		"--query", "CREATE DATABASE IF NOT EXISTS " + os.Getenv("CLICKHOUSE_DB") + "; " + serve})
	if err != nil {
		return err
	}
	cmdline(int32(len(argv)-1), &argv[0])
	runtime.KeepAlive(argv)
	return nil
}

// terminal takes one for standard input, and gives its other end. Without one the library ends
// itself over a connection that breaks (ClickHouse issue 115666, mended after 26.7).
func terminal() (input *os.File, err error) {
	in, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open a terminal: %w", err)
	}
	if err := unix.IoctlSetPointerInt(in, unix.TIOCSPTLCK, 0); err != nil {
		return nil, fmt.Errorf("unlock the terminal: %w", err)
	}
	out, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(in), unix.TIOCGPTPEER, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC)
	if errno != 0 {
		return nil, fmt.Errorf("open the terminal: %w", errno)
	}
	return os.NewFile(uintptr(in), "terminal"), unix.Dup2(int(out), 0)
}
