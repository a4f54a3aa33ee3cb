// Command chserver serves the ClickHouse of libchdb.so on a loopback address: the engine with
// the HTTP interface, users, limits and formats of every ClickHouse. Package chserver says what
// it promises.
//
// It reads who may sign in from its standard input, {"app":"password","analyst":"password"},
// and lives until that ends.
package main

import (
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/chserver"
)

func init() {
	// The engine wants the thread with the large stack, and confinement is a thread's.
	runtime.LockOSThread()
}

func main() {
	o, err := parseOptions(os.Args[1:])
	if err == nil {
		err = chserver.Run(o)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "chserver: %v\n", err)
		os.Exit(2)
	}
}

func parseOptions(arguments []string) (chserver.Options, error) {
	var o chserver.Options
	flags := flag.NewFlagSet("chserver", flag.ContinueOnError)
	flags.StringVar(&o.Library, "library", "", "`file` of libchdb.so (required)")
	flags.StringVar(&o.Data, "data", "", "`directory` of the data (required)")
	flags.StringVar(&o.Questions, "questions", "", "`directory` in which it is kept who asked what is not the program's; empty: it is not")
	flags.StringVar((*string)(&o.Analysts), "analysts", "", "`directory` of the named analysts' accounts; empty: there are none")
	flags.TextVar(&o.Listen, "listen", netip.MustParseAddrPort("127.0.0.1:8123"), "loopback `address` to listen on")
	flags.StringVar(&o.Database, "database", "bitacora", "`name` of the analysts' database, which is created if missing")
	flags.StringVar(&o.Zone, "zone", "", "time `zone` of the analysts' sessions; empty: UTC")
	flags.Uint64Var(&o.MaxMemory, "max-memory", access.DefaultMemory, "memory limit of the engine in `bytes`")
	flags.IntVar(&o.UID, "uid", -1, "user `id` to become when started as root")
	flags.IntVar(&o.GID, "gid", -1, "group `id` to become when started as root")
	flags.TextVar(&o.Cluster, "cluster", chserver.Cluster{}, "`node` of a cluster on this machine: its native port, which every local user reaches, at the name and the ports of each shard's replicas (9001@name=9001,9002/9003,9004)")
	flags.Uint64Var(&o.EnginePort, "engine-port", 0, "given by the program to itself: `port` of the engine behind the address")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			os.Exit(0)
		}
		return o, err
	}
	switch {
	case flags.NArg() > 0:
		return o, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case o.Library == "", o.Data == "", o.Database == "":
		return o, errors.New("--library, --data and --database must not be empty")
	case (o.UID < 0) != (o.GID < 0):
		return o, errors.New("--uid and --gid go together")
	case o.MaxMemory < 256<<20:
		return o, errors.New("--max-memory must be at least 268435456 (256 MB)")
	case !o.Listen.Addr().IsLoopback():
		return o, fmt.Errorf("--listen %s is not a loopback address with a port", o.Listen)
	}
	for _, path := range []*string{&o.Library, &o.Data, &o.Questions, (*string)(&o.Analysts)} {
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
