// Command chserver is ClickHouse's own server, from libchdb.so: the engine with the HTTP
// interface, users, limits and formats of every ClickHouse, on a loopback address.
//
// It reads who may sign in from its standard input, {"app":"password","analyst":"password"},
// and lives until that ends. Its process reaches its data and the backups, and nothing else
// of the file system or of the network, where the kernel can hold it to that.
//
// It is a process of its own, because the engine crashes, runs out of memory and counts
// memory as a whole process, and holds one data directory.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"

	"bitacora/adapters/clickhouse/access"
)

func init() {
	// The engine wants the thread with the large stack, and confinement is a thread's.
	runtime.LockOSThread()
}

func main() {
	o, err := parseOptions(os.Args[1:])
	switch {
	case err != nil:
	case o.enginePort == 0:
		err = giveUp(o)
	default:
		err = serve(o)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "chserver: %v\n", err)
		os.Exit(2)
	}
}

// options are the command line.
type options struct {
	library, data, listen, backups, database string

	maxMemory uint64
	uid, gid  int // -1: stay who we are

	enginePort int // 0 until giveUp has executed the program again
}

func parseOptions(arguments []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("chserver", flag.ContinueOnError)
	flags.StringVar(&o.library, "library", "", "`file` of libchdb.so (required)")
	flags.StringVar(&o.data, "data", "", "`directory` of the data (required)")
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8123", "loopback `address` to listen on")
	flags.StringVar(&o.backups, "backups", "", "`directory` that BACKUP and RESTORE may use")
	flags.StringVar(&o.database, "database", "bitacora", "`name` of the analysts' database, which is created if missing")
	flags.Uint64Var(&o.maxMemory, "max-memory", access.DefaultMemory, "memory limit of the engine in `bytes`")
	flags.IntVar(&o.uid, "uid", -1, "user `id` to become when started as root")
	flags.IntVar(&o.gid, "gid", -1, "group `id` to become when started as root")
	flags.IntVar(&o.enginePort, "engine-port", 0, "given by the program to itself: `port` of the engine behind the address")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(0)
		}
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.library == "", o.data == "", o.database == "":
		return o, errors.New("--library, --data and --database must not be empty")
	case (o.uid < 0) != (o.gid < 0):
		return o, errors.New("--uid and --gid go together")
	case o.maxMemory < 256<<20:
		return o, errors.New("--max-memory must be at least 268435456 (256 MB)")
	}
	if host, _, err := net.SplitHostPort(o.listen); err != nil || !net.ParseIP(host).IsLoopback() {
		return o, fmt.Errorf("--listen %s is not a loopback address with a port", o.listen)
	}
	for _, path := range []*string{&o.library, &o.data, &o.backups} {
		if *path == "" {
			continue
		}
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return o, fmt.Errorf("resolve %s: %w", *path, err)
		}
		*path = absolute
	}
	return o, nil
}
