package httpapi

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	people "bitacora/domain/staff"
)

// listen serves a handler on a port of its own.
func listen(t *testing.T, h *testServer) (address string, server *http.Server) {
	t.Helper()
	server = NewServer(h.handler, time.Second, slog.New(slog.DiscardHandler))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return listener.Addr().String(), server
}

// watch opens the live stream of a signed-in browser.
func (b *browser) watch(address string) *bufio.Reader {
	t := b.h.t
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/api/dashboard/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: staffCookie, Value: b.cookies[staffCookie]})
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("%d %v", answer.StatusCode, answer.Header)
	}
	return bufio.NewReader(answer.Body)
}

// nextData is the data of a stream's next event.
func nextData(t *testing.T, stream *bufio.Reader) string {
	t.Helper()
	for {
		line, err := stream.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return strings.TrimSpace(data)
		}
	}
}

func TestLiveTellsWhenThereIsNewData(t *testing.T) {
	h := newTestServer(t)
	b := h.staff()
	address, server := listen(t, h)
	stream := b.watch(address)
	first := nextData(t, stream)
	h.browser().say("s1", "Hola")
	if second := nextData(t, stream); !strings.HasPrefix(second, `{"position":`) || first == second {
		t.Errorf("first %s, then %s", first, second)
	}

	stopped := make(chan error, 1)
	go func() { stopped <- server.Shutdown(t.Context()) }()
	if _, err := io.ReadAll(stream); err != nil {
		t.Errorf("the stream broke off at the stop: %v", err)
	}
	select {
	case err := <-stopped:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the server waits for those who watch")
	}
}

// A sign-out ends the streams of its session, and no others; a page too many is told to ask by itself.
func TestASignOutEndsItsLiveStreams(t *testing.T) {
	h := newTestServer(t)
	b := h.staff()
	elsewhere := h.browser()
	elsewhere.signIn(anaEmail, anaPassword)
	address, _ := listen(t, h)
	var streams []*bufio.Reader
	for range 4 {
		streams = append(streams, b.watch(address))
	}
	other := elsewhere.watch(address)
	for _, s := range append(streams, other) {
		nextData(t, s)
	}
	fifth := b.get("/api/dashboard/live")
	if fifth.refused(http.StatusTooManyRequests); fifth.Header().Get("Retry-After") != "60" {
		t.Errorf("a fifth stream: %v", fifth.Header())
	}
	b.post("/api/auth/logout", nil)
	for _, s := range streams {
		if _, err := io.ReadAll(s); err != nil {
			t.Errorf("a stream broke off: %v", err)
		}
	}
	h.browser().say("s1", "Hola")
	nextData(t, other)
}

// TestWhatEndsSessionsEndsTheirLiveStreams has each way to end sessions end the streams of those,
// before there is anything new, and no others.
func TestWhatEndsSessionsEndsTheirLiveStreams(t *testing.T) {
	h := newTestServer(t)
	_, boss := h.sign("jefe@clinica.example", people.RoleOwner)
	luis, own := h.sign("luis@clinica.example", people.RoleReader)
	address, _ := listen(t, h)
	stays := own.watch(address)
	nextData(t, stays)
	password, secret := anaPassword, ""
	for _, way := range []struct {
		name string
		do   func() answer
	}{
		{"all others", func() answer { return own.post("/api/auth/sessions/end", contract.SessionsEnd{}) }},
		{"a new password", func() answer {
			password = newPassword
			return own.post("/api/auth/password", contract.PasswordChange{Current: anaPassword, Password: newPassword})
		}},
		{"a second factor", func() answer {
			secret, _ = own.secured()
			return own.get("/api/auth/user")
		}},
		{"no second factor", func() answer {
			h.clock.advance(time.Minute)
			a := own.post("/api/auth/second-factor/remove", contract.SecondFactorRemoval{Password: password, Code: h.code(secret, 0)})
			secret = ""
			return a
		}},
	} {
		other := h.browser()
		code := ""
		if secret != "" {
			h.clock.advance(time.Minute)
			code = h.code(secret, 0)
		}
		if a := other.signInWith(luis.Email, password, code); a.Code != http.StatusOK {
			t.Fatalf("%s: sign in: %d %s", way.name, a.Code, a.Body)
		}
		ends := other.watch(address)
		nextData(t, ends)
		if a := way.do(); a.Code >= http.StatusMultipleChoices {
			t.Fatalf("%s: %d %s", way.name, a.Code, a.Body)
		}
		h.browser().say("s-"+way.name, "Hola")
		if rest, err := io.ReadAll(ends); err != nil || strings.Contains(string(rest), "data:") {
			t.Errorf("%s: the stream went on with %q, %v", way.name, rest, err)
		}
		nextData(t, stays)
	}

	// Another role ends nothing: every role may watch.
	if a := boss.post("/api/accounts/"+luis.ID+"/role", contract.RoleChange{Role: contract.Staff}); a.Code != http.StatusNoContent {
		t.Fatalf("role: %d %s", a.Code, a.Body)
	}
	h.browser().say("s-role", "Hola")
	nextData(t, stays)
	if a := boss.post("/api/accounts/"+luis.ID+"/sessions/end", nil); a.Code != http.StatusNoContent {
		t.Fatalf("another's sessions: %d %s", a.Code, a.Body)
	}
	h.browser().say("s-another", "Hola")
	if rest, err := io.ReadAll(stays); err != nil || strings.Contains(string(rest), "data:") {
		t.Errorf("another's sessions: the stream went on with %q, %v", rest, err)
	}
}

func TestLiveIsForTheStaff(t *testing.T) {
	h := newTestServer(t)
	for _, path := range []string{"live", "export?format=csv", "timeseries", "funnel", "heatmap", "topics", "questions", "quality"} {
		h.browser().get("/api/dashboard/" + path).refused(http.StatusUnauthorized)
	}
}
