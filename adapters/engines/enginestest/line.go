package enginestest

import (
	"bytes"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Line is a TCP connection to a server that can be cut, or hang.
type Line struct {
	// URL leads to the server by the line.
	URL string

	listener net.Listener
	mu       sync.Mutex
	conns    []net.Conn
	away     atomic.Bool
	// hung is held for writing while nothing is passed on.
	hung  sync.RWMutex
	sent  atomic.Int64
	until atomic.Pointer[[]string]
}

// NewLine leads to the server that a URL names, until the test ends.
func NewLine(t testing.TB, to string) *Line {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	server := u.Host
	l := &Line{}
	if l.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	l.URL = l.Through(t, to)
	t.Cleanup(func() { l.listener.Close(); l.Cut() })
	go func() {
		for {
			near, err := l.listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server)
			if err != nil || l.Away() {
				near.Close()
				continue
			}
			l.mu.Lock()
			l.conns = append(l.conns, near, far)
			l.mu.Unlock()
			go l.carry(far, near, func(p []byte) bool { l.sent.Add(int64(len(p))); return true })
			go l.carry(near, far, l.passes)
		}
	}()
	return l
}

// Through is another URL of the same server, by the line.
func (l *Line) Through(t testing.TB, to string) string {
	t.Helper()
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = l.listener.Addr().String()
	return u.String()
}

// carry passes on what may pass.
func (l *Line) carry(to, from net.Conn, may func([]byte) bool) {
	defer to.Close()
	for buffer := make([]byte, 32<<10); ; {
		n, err := from.Read(buffer)
		l.hung.RLock()
		passes := n == 0 || may(buffer[:n])
		l.hung.RUnlock()
		if !passes {
			return
		}
		if _, writeErr := to.Write(buffer[:n]); err != nil || writeErr != nil {
			return
		}
	}
}

func (l *Line) passes(said []byte) bool {
	until := l.until.Load()
	if until == nil {
		return true
	}
	for i, text := range *until {
		_, rest, found := bytes.Cut(said, []byte(text))
		if !found {
			rest := (*until)[i:]
			l.until.Store(&rest)
			return true
		}
		said = rest
	}
	l.until.Store(nil)
	l.Cut()
	return false
}

// CutAfter cuts the line in place of passing on an answer of the server that contains the last of some
// texts, once the others went before it. Without any it takes that back.
func (l *Line) CutAfter(texts ...string) {
	l.until.Store(&texts)
	if len(texts) == 0 {
		l.until.Store(nil)
	}
}

// Cut ends every connection, and lets nobody through until [Line.Mend].
func (l *Line) Cut() {
	l.away.Store(true)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.conns {
		c.Close()
	}
	l.conns = nil
}

// Away reports that the line is cut.
func (l *Line) Away() bool { return l.away.Load() }

// Mend lets connections through again.
func (l *Line) Mend() { l.away.Store(false) }

// Hang passes nothing on until resume.
func (l *Line) Hang() (resume func()) {
	l.hung.Lock()
	return l.hung.Unlock
}

// Sent counts the bytes that went to the server.
func (l *Line) Sent() int64 { return l.sent.Load() }

// Settle waits until nothing is sent any more: what was given up is still being said goodbye to.
func (l *Line) Settle() {
	for was := int64(-1); was != l.Sent(); time.Sleep(300 * time.Millisecond) {
		was = l.Sent()
	}
}
