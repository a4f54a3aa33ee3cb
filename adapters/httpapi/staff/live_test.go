package staff

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"bitacora/adapters/httpapi/web"
	"bitacora/domain/staff"
)

// sessions are open until they end, by the clock or by somebody; the database may be away.
type sessions struct {
	Sessions
	mu   sync.Mutex
	ends map[staff.Token]time.Time
	away error
	// told is closed when a session is ended, unless nobody hears of it.
	told chan struct{}
	deaf bool
}

func (s *sessions) ended() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.told
}

func (s *sessions) SessionOpen(_ context.Context, session staff.Token, now time.Time) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return now.Before(s.ends[session]) && s.away == nil, s.away
}

func (s *sessions) DeleteSession(_ context.Context, session staff.Token) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ends, session)
	if !s.deaf {
		close(s.told)
		s.told = make(chan struct{})
	}
	return "", s.away
}

func (s *sessions) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = err
}

// watching is a handler whose streams are watched in a bubble of its own time.
type watching struct {
	*DashboardHandler
	sessions *sessions
}

func newWatching() watching {
	kept := &sessions{ends: map[staff.Token]time.Time{}, told: make(chan struct{})}
	return watching{New(Config{
		Authenticator: NewAuthenticator(AuthenticatorConfig{Sessions: kept, SessionsEnded: kept.ended, Now: time.Now}),
		Live:          func(context.Context) (Tables, Through, error) { return nil, Through{Position: 7}, nil },
	}, time.Now, web.Responder{Logger: slog.New(slog.DiscardHandler)}).Dashboard, kept}
}

// begin opens a session that lasts so long.
func (h watching) begin(lasts time.Duration) (token string) {
	token = web.NewToken()
	h.sessions.ends[tokenHash(token)] = time.Now().Add(lasts)
	return token
}

// stream is an answer that goes on until it is over.
type stream struct {
	*httptest.ResponseRecorder
	leave context.CancelFunc
	over  chan struct{}
}

func (h watching) watch(token string) stream {
	ctx, leave := context.WithCancel(context.Background())
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/dashboard/live", nil)
	r.AddCookie(&http.Cookie{Name: staffCookie, Value: token})
	s := stream{httptest.NewRecorder(), leave, make(chan struct{})}
	go func() {
		defer close(s.over)
		h.Watch(s, r)
	}()
	synctest.Wait()
	return s
}

func (s stream) goesOn() bool {
	synctest.Wait()
	select {
	case <-s.over:
		return false
	default:
		return true
	}
}

func TestLiveEndsWithItsSession(t *testing.T) {
	for name, c := range map[string]struct {
		end    func(h watching, token string)
		within time.Duration
	}{
		"signed out here":          {func(h watching, token string) { _ = h.Authenticator.SignOut(t.Context(), token) }, 0},
		"ended by another process": {func(h watching, token string) { _, _ = h.sessions.DeleteSession(t.Context(), tokenHash(token)) }, 0},
		"ended unheard": {func(h watching, token string) {
			h.sessions.deaf = true
			_, _ = h.sessions.DeleteSession(t.Context(), tokenHash(token))
		}, liveKeepAlive},
		"expires": {func(watching, string) { time.Sleep(30*time.Minute + time.Second) }, liveKeepAlive},
		"ended while the database was not there": {func(h watching, token string) {
			_, _ = h.sessions.DeleteSession(t.Context(), tokenHash(token))
			h.sessions.fail(errors.New("away"))
			time.Sleep(time.Minute)
			h.sessions.fail(nil)
		}, liveKeepAlive},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newWatching()
				token, other := h.begin(90*time.Minute), h.begin(24*time.Hour)
				s, another := h.watch(token), h.watch(other)
				defer another.leave()
				time.Sleep(time.Hour - time.Second)
				if !s.goesOn() {
					t.Fatalf("over before its session: %d %s", s.Code, s.Body)
				}
				c.end(h, token)
				ended := time.Now()
				defer s.leave()
				select {
				case <-s.over:
				case <-time.After(time.Hour):
				}
				if took := time.Since(ended); took > c.within {
					t.Errorf("ended after %v, want within %v", took, c.within)
				}
				if !another.goesOn() {
					t.Error("the stream of another session ended, too")
				}
			})
		})
	}
}

func TestLiveOfASessionThatEndsMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newWatching()
		if s := h.watch(web.NewToken()); s.goesOn() || s.Code != http.StatusUnauthorized {
			t.Errorf("answered %d", s.Code)
		}
	})
}

func TestASessionHasAFewStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newWatching()
		token, other := h.begin(time.Hour), h.begin(time.Hour)
		var open []stream
		for range maxStreams {
			open = append(open, h.watch(token))
		}
		refused := h.watch(token)
		if refused.goesOn() || refused.Code != http.StatusTooManyRequests || refused.Header().Get("Retry-After") != "60" {
			t.Errorf("one more: %d %v", refused.Code, refused.Header())
		}
		open = append(open, h.watch(other))
		for i, s := range open {
			if !s.goesOn() || !strings.HasPrefix(s.Body.String(), "event: data\n") {
				t.Errorf("stream %d: %d %s", i, s.Code, s.Body)
			}
		}
		open[0].leave()
		synctest.Wait()
		open = append(open, h.watch(token))
		if !open[len(open)-1].goesOn() {
			t.Error("a stream that ended still counts")
		}
		for _, s := range open {
			s.leave()
		}
		synctest.Wait()
		if n := len(h.Authenticator.streams.open); n != 0 {
			t.Errorf("%d sessions are remembered", n)
		}
	})
}

func TestLiveIsSilentAboutReadings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newWatching()
		h.OthersActed = func(_ context.Context, after, upTo int64) (bool, error) { return after < 10 && upTo >= 10, nil }
		var position atomic.Int64
		position.Store(7)
		h.Live = func(context.Context) (Tables, Through, error) { return nil, Through{Position: position.Load()}, nil }
		s := h.watch(h.begin(time.Hour))
		defer s.leave()
		for _, c := range []struct {
			at   int64
			told string
		}{{8, `"position":7`}, {9, `"position":7`}, {11, `"position":11`}, {12, `"position":11`}, {5, `"position":5`}} {
			position.Store(c.at)
			time.Sleep(2 * livePause)
			synctest.Wait()
			told := strings.Split(strings.TrimSpace(s.Body.String()), "\n")
			if last := told[len(told)-1]; !strings.Contains(last, c.told) {
				t.Errorf("at %d the last event is %s, want %s", c.at, last, c.told)
			}
		}
	})
}
