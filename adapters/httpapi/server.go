package httpapi

import (
	"log/slog"
	"net/http"
	"time"
)

// NewServer is a server for the handler of [New] with a bound on every phase of a
// request. It listens nowhere yet. What it has to say about broken connections goes to
// the logger.
func NewServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		// Longer than an assistant may think and the log may take.
		WriteTimeout:   90 * time.Second,
		IdleTimeout:    2 * time.Minute,
		MaxHeaderBytes: 32 << 10,
		ErrorLog:       slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}
