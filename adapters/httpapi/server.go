package httpapi

import (
	"context"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"time"

	"bitacora/adapters/httpapi/web"
)

// readTimeout bounds the reading of a request.
const readTimeout = 15 * time.Second

// NewServer is a server for the handler of [New] with a bound on every phase of a
// request; work is how long the chat service may take for an answer. It listens nowhere yet. What it
// has to say about broken connections goes to the logger.
func NewServer(handler http.Handler, work time.Duration, logger *slog.Logger) *http.Server {
	closing, close := context.WithCancel(context.Background())
	s := &http.Server{
		BaseContext: func(net.Listener) context.Context {
			return web.WithClosing(context.Background(), closing.Done())
		},
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       readTimeout,
		// It begins with the reading of the body.
		WriteTimeout:   readTimeout + max(work, requestTimeout) + web.StreamWrite,
		IdleTimeout:    2 * time.Minute,
		MaxHeaderBytes: 32 << 10,
		ErrorLog:       log.New(withoutClients{slog.NewLogLogger(logger.Handler(), slog.LevelWarn).Writer()}, "", 0),
	}
	s.RegisterOnShutdown(close)
	return s
}

// withoutClients drops lines about handshakes, which scanners break off all day, and the address of a client
// from any other line of the server.
type withoutClients struct{ io.Writer }

var (
	handshake     = regexp.MustCompile(`^http: TLS handshake error`)
	clientAddress = regexp.MustCompile(`(\d+\.){3}\d+:\d+|\[[0-9a-f:.]+(%\w+)?\]:\d+`)
)

func (w withoutClients) Write(line []byte) (int, error) {
	if handshake.Match(line) {
		return len(line), nil
	}
	if _, err := w.Writer.Write(clientAddress.ReplaceAll(line, []byte("a client"))); err != nil {
		return 0, err
	}
	return len(line), nil
}
