package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"time"
)

// The parts of an orderly stop: statements may end by themselves, then they
// are cancelled, then the connections are cut.
const (
	stopGrace  = 2 * time.Second
	stopCancel = 4 * time.Second
)

// slotWait is how long a statement waits for others to end.
const slotWait = 10 * time.Second

// server speaks the ClickHouse HTTP interface for one engine.
type server struct {
	engine   *engine
	users    users
	database string // where a request names none
	limits   limits
	reader   reader
	log      *slog.Logger

	slots    map[string]chan struct{} // of each user: how many statements may run at once
	stopping context.Context          // done when running statements must end
	cancel   context.CancelFunc
	http     *http.Server
}

func newServer(e *engine, u users, database string, maxMemory uint64, log *slog.Logger) *server {
	s := &server{
		engine:   e,
		users:    u,
		database: database,
		limits:   newLimits(maxMemory),
		reader:   reader{tableFunctions: e.tableFunctions},
		log:      log,
		slots: map[string]chan struct{}{
			userApp:     make(chan struct{}, max(8, 2*runtime.NumCPU())),
			userAnalyst: make(chan struct{}, 4),
		},
	}
	s.stopping, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       5 * time.Minute,
		MaxHeaderBytes:    1 << 20,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	return s
}

// serve answers requests until stop is called.
func (s *server) serve(listener net.Listener) error {
	if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// stop ends the service: no new connections, a grace for running statements,
// then they are cancelled. It reports whether all of them have returned.
func (s *server) stop() bool {
	grace, done := context.WithTimeout(context.Background(), stopGrace)
	defer done()
	if s.http.Shutdown(grace) == nil {
		return true
	}
	s.cancel()
	last, done := context.WithTimeout(context.Background(), stopCancel)
	defer done()
	if s.http.Shutdown(last) == nil {
		return true
	}
	_ = s.http.Close()
	return false
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-ClickHouse-Server-Display-Name", s.engine.displayName)
	header.Set("X-ClickHouse-Timezone", s.engine.timezone)
	switch {
	case r.URL.Path == "/ping", r.URL.Path == "/replicas_status",
		r.URL.Path == "/" && r.URL.RawQuery == "" && r.Method == http.MethodGet:
		header.Set("Content-Type", "text/html; charset=UTF-8")
		_, _ = w.Write([]byte("Ok.\n"))
	case r.URL.Path != "/":
		http.Error(w, "There is no handle "+r.URL.Path+"\n\nUse / or /ping for health checks. Or / for queries.", http.StatusNotFound)
	case r.Method != http.MethodGet && r.Method != http.MethodPost:
		header.Set("Allow", "GET, POST")
		writeException(w, exceptionf(codeUnsupportedMethod, "Only GET and POST are supported"))
	default:
		s.answer(w, r)
	}
}

// answer runs the statement of a request.
func (s *server) answer(w http.ResponseWriter, r *http.Request) {
	user, err := s.users.authenticate(r)
	if err != nil {
		writeException(w, asException(err))
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	link := newLink(w)
	defer context.AfterFunc(s.stopping, func() {
		cancel()
		link.stop()
	})()
	q, err := s.readRequest(w, r, link, user)
	if err != nil {
		writeException(w, asException(err))
		return
	}

	release, err := s.acquire(ctx, user)
	if err != nil {
		writeException(w, asException(err))
		return
	}
	defer release()
	out := newResponse(w, link, q)
	if err := s.run(ctx, q, out); err != nil {
		e := asException(err)
		s.log.LogAttrs(r.Context(), failureLevel(e), "statement failed",
			slog.String("user", user), slog.String("query_id", q.id), slog.Int("code", e.code), slog.String("error", e.text))
		out.fail(e)
	}
	link.afterAnswer()
}

// acquire waits for a free slot of the user's, so that neither user can starve
// the other.
func (s *server) acquire(ctx context.Context, user string) (release func(), err error) {
	wait := time.NewTimer(slotWait)
	defer wait.Stop()
	select {
	case s.slots[user] <- struct{}{}:
		return func() { <-s.slots[user] }, nil
	case <-ctx.Done():
		return nil, exceptionf(codeAborted, "The request was cancelled or the server is stopping")
	case <-wait.C:
		return nil, exceptionf(codeTooManyQueries, "Too many simultaneous queries. Maximum: %d", cap(s.slots[user]))
	}
}

// failureLevel tells the operator about what is wrong here, not about what is
// wrong with a statement.
func failureLevel(e *exception) slog.Level {
	if e.code == codeLogicalError {
		return slog.LevelError
	}
	return slog.LevelDebug
}
