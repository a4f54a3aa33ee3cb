package chserver

import (
	"fmt"
	"net"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"bitacora/adapters/clickhouse/access"
)

func TestClusterText(t *testing.T) {
	want := Cluster{Name: "duo", Shards: [][]uint64{{9001, 9002}, {9003, 9004}}, Port: 9003}
	text, err := want.MarshalText()
	if err != nil || string(text) != "9003@duo=9001,9002/9003,9004" {
		t.Fatalf("%s %v", text, err)
	}
	var got Cluster
	if err := got.UnmarshalText(text); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v %v", got, err)
	}
	for _, wrong := range []string{"", "9001", "9001@duo", "9001@=9001", "9001@a b=9001", "9001@duo=", "9001@duo=9002", "9001@duo=9001,0", "9001@duo=9001,70000", "9001@duo=9001//9002", "x@duo=9001"} {
		if err := new(Cluster).UnmarshalText([]byte(wrong)); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
}

// The native protocol asks for no secret, so that only a node of a cluster serves it.
func TestOnlyNodesServeTheNativeProtocol(t *testing.T) {
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	node := serveData(t, dataDirectory(t), "--cluster", fmt.Sprintf("%d@one=%d", port, port))
	if conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err != nil {
		t.Error(err)
	} else {
		conn.Close()
	}
	const clusters = "SELECT count() FROM system.clusters"
	if got := node.must(t, clusters); got != "1" {
		t.Errorf("a node knows %s clusters", got)
	}
	if got := shared.must(t, clusters); got != "0" {
		t.Errorf("a single engine knows %s clusters", got)
	}
	if a := shared.post(t, access.App, "SYSTEM START LISTEN TCP"); a.status == http.StatusOK {
		t.Error("a single engine begins to serve the native protocol")
	}
}

func TestANodeWhosePortIsTakenSaysSo(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := taken.Addr().(*net.TCPAddr).Port
	_, err = startProcess(dataDirectory(t), "--cluster", fmt.Sprintf("%d@one=%d", port, port))
	if err == nil || !strings.Contains(err.Error(), "serve the native protocol") || !strings.Contains(err.Error(), "address already in use") {
		t.Errorf("%v", err)
	}
}

// The engine ends itself over what a connection of its own protocol brings, where it takes itself for
// a program that nobody watches.
func TestANodeSurvivesAConnectionThatBreaks(t *testing.T) {
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	node := serveData(t, dataDirectory(t), "--cluster", fmt.Sprintf("%d@one=%d", port, port))
	for range 20 {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			t.Fatalf("%v: %s", err, node.log)
		}
		fmt.Fprint(conn, "GET / HTTP/1.1\r\n\r\n")
		conn.(*net.TCPConn).SetLinger(0) // a reset
		conn.Close()
		if got := node.must(t, "SELECT 1"); got != "1" {
			t.Fatal(got)
		}
	}
}
