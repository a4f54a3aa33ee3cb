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
)

func TestLiveTellsWhenThereIsNewData(t *testing.T) {
	h := newTestServer(t)
	b := h.staff()
	server := NewServer(h.handler, time.Second, slog.New(slog.DiscardHandler))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String()+"/api/dashboard/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: staffCookie, Value: b.cookies[staffCookie]})
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("%d %v", answer.StatusCode, answer.Header)
	}
	stream := bufio.NewReader(answer.Body)
	next := func() string {
		for {
			line, err := stream.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				return data
			}
		}
	}
	first := next()
	h.browser().say("s1", "Hola")
	if second := next(); !strings.HasPrefix(second, `{"position":`) || first == second {
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

func TestLiveIsForTheStaff(t *testing.T) {
	h := newTestServer(t)
	for _, path := range []string{"live", "export?format=csv", "timeseries", "funnel", "heatmap", "topics", "unanswered", "quality"} {
		h.browser().get("/api/dashboard/" + path).refused(http.StatusUnauthorized)
	}
}
