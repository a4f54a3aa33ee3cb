package postgres_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/postgrestest"
)

// among is the URL of a database with other servers named before its own.
func among(t *testing.T, address string, others ...string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = strings.Join(append(others, u.Host), ",")
	return u.String()
}

// silent is the address of a server that takes connections and says nothing, as a machine that is gone
// does.
func silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

// TestServersThatHangArePassedOver where they are named first: what is asked goes to the one that
// answers, also where its caller waits for less than that takes.
func TestServersThatHangArePassedOver(t *testing.T) {
	address, _ := fresh(t)
	db := open(t, among(t, address, silent(t), silent(t)), testKey)
	ctx, stop := context.WithCancel(t.Context())
	var watching sync.WaitGroup
	watching.Go(func() { db.Watch(ctx, time.Second) })
	defer watching.Wait()
	defer stop()
	eventually(t, "it is noticed that nothing answers", func() bool { return errors.Is(db.Ping(t.Context()), postgres.ErrUnavailable) })
	mustAppend(t, db.Log(), request("chat-1", 0, said("hola")))
	eventually(t, "the server that answers is found", func() bool { return db.Ping(t.Context()) == nil })
}

// TestServersAreNamedByAddressesOfIPv6 next to one another, as literals.
func TestServersAreNamedByAddressesOfIPv6(t *testing.T) {
	address := enginestest.Postgres(t)
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	here, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Skip("this machine has no IPv6:", err)
	}
	t.Cleanup(func() { here.Close() })
	go forward(here, u.Host)
	gone, err := net.Listen("tcp6", "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	u.Host = gone.Addr().String() + "," + here.Addr().String()
	db := postgrestest.Open(t, u.String(), testKey)
	mustAppend(t, db.Log(), request("chat-1", 0, said("hola")))
	if about, err := postgres.AboutServer(t.Context(), u.String()); err != nil || about.ReadOnly {
		t.Errorf("%+v, %v", about, err)
	}
}

// forward leads the connections that a listener takes to an address.
func forward(l net.Listener, to string) {
	for {
		in, err := l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", to)
		if err != nil {
			in.Close()
			continue
		}
		go func() { _, _ = io.Copy(out, in); out.Close() }()
		go func() { _, _ = io.Copy(in, out); in.Close() }()
	}
}
