// Command clickhouse-server is the server in the stand-in for ClickHouse's image: libchdb.so, which holds
// the whole server, with the configuration below /etc/clickhouse-server. It ends with SIGTERM.
package main

import (
	"log"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"

	"bitacora/adapters/engines/chserver"
)

// serve lasts as long as standard input does.
const serve = "SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT count() FROM file('-', LineAsString) FORMAT Null"

func main() {
	runtime.LockOSThread()
	stdin, input, err := chserver.Terminal()
	if err == nil {
		err = unix.Dup2(int(stdin.Fd()), 0)
	}
	if err != nil {
		log.Fatal(err)
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-stop
		input.Close()
	}()
	if err := chserver.Execute("/usr/lib/libchdb.so", "--config-file=/etc/clickhouse-server/config.xml", "--interactive",
		"--query", "CREATE DATABASE IF NOT EXISTS "+os.Getenv("CLICKHOUSE_DB")+"; "+serve); err != nil {
		log.Fatal(err)
	}
}
