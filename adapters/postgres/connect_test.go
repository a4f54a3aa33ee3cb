package postgres_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

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
	enginestest.Long(t)
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

// TestAServerThatStartsIsAwaited: at first nobody answers at its address, then it says that it starts up.
func TestAServerThatStartsIsAwaited(t *testing.T) {
	u, err := url.Parse(enginestest.Postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	wrong := *u
	wrong.User = url.UserPassword("nobody", "wrong")
	if err := postgres.Await(t.Context(), wrong.String(), time.Hour, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a server that refuses somebody was awaited")
	}
	server := u.Host
	here, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := here.Addr().String()
	here.Close()
	u.Host = address
	var said lines
	awaited := make(chan error, 1)
	go func() {
		awaited <- postgres.Await(t.Context(), u.String(), time.Minute, slog.New(slog.NewTextHandler(&said, nil)))
	}()
	eventually(t, "the operator reads what is waited for", func() bool { return strings.Contains(said.String(), "not there yet") })
	if here, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { here.Close() })
	for range 2 {
		startsUp(t, here)
	}
	go forward(here, server)
	if err := <-awaited; err != nil {
		t.Error(err)
	}
}

// startsUp answers the next connection as a server that starts up.
func startsUp(t *testing.T, at net.Listener) {
	t.Helper()
	conn, err := at.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	backend := pgproto3.NewBackend(conn, conn)
	message, err := backend.ReceiveStartupMessage()
	if _, encrypted := message.(*pgproto3.SSLRequest); encrypted && err == nil {
		_, err = conn.Write([]byte("N"))
		if err == nil {
			_, err = backend.ReceiveStartupMessage()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "57P03", Message: "the database system is starting up"})
	if err := backend.Flush(); err != nil {
		t.Fatal(err)
	}
}

// lines is a log that is read while it is written.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
