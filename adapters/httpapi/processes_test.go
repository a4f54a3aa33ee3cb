package httpapi

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	people "bitacora/domain/staff"
)

// twoProcesses are two servers on one database.
func twoProcesses(t *testing.T, changes ...func(*testServer)) (here, there *testServer) {
	url, key := postgrestest.Database(t), keyfiles.NewMasterKey()
	return newTestServerOn(t, url, key, changes...), newTestServerOn(t, url, key, changes...)
}

// atBoth does something n times at once, in turn at each of two servers, and counts what came of it.
func atBoth[K comparable](n int, here, there *testServer, do func(h *testServer, n int) K) map[K]int {
	var mu sync.Mutex
	count := map[K]int{}
	var doing sync.WaitGroup
	for i := range n {
		doing.Go(func() {
			k := do([]*testServer{here, there}[i%2], i)
			mu.Lock()
			defer mu.Unlock()
			count[k]++
		})
	}
	doing.Wait()
	return count
}

func TestBurstsHoldForAllProcessesTogether(t *testing.T) {
	here, there := twoProcesses(t, throttled, queued)
	b := here.browser()
	b.say("s1", "Hola").into(http.StatusOK, &contract.ChatResponse{})
	said := atBoth(44, here, there, func(h *testServer, n int) string {
		visitor := h.browser()
		visitor.cookies = b.cookies
		a := visitor.say("s1", fmt.Sprint("mensaje ", n))
		if a.Code != http.StatusOK {
			return fmt.Sprint(a.Code)
		}
		var got contract.ChatResponse
		a.into(http.StatusOK, &got)
		return fmt.Sprint("stored: ", got.MessageID != nil)
	})
	if said["stored: true"] != sessionBurst-1 || said["stored: false"] != sessionPatience || said["503"] != 44-sessionBurst-sessionPatience+1 {
		t.Errorf("messages: %v", said)
	}
	form := contract.ContactMessage{Name: "Ana", Email: "ana@correo.example", Message: "Quiero una cita"}
	if sent := atBoth(30, here, there, func(h *testServer, _ int) int { return h.browser().post("/api/contact", form).Code }); sent[204] != 10 || sent[429] != 20 {
		t.Errorf("forms: %v", sent)
	}
	if came := atBoth(70, here, there, func(h *testServer, _ int) int {
		return h.browser().post("/api/visits", contract.Visit{SessionID: "s"}).Code
	}); came[204] != 60 || came[429] != 10 {
		t.Errorf("visits: %v", came)
	}
}

func TestGuessesAreCountedForAllProcessesTogether(t *testing.T) {
	here, there := twoProcesses(t)
	here.hire()
	here.occupy(attacked)
	guess := func(h *testServer, _ int) int { return h.at(attacked).signIn(anaEmail, "no es la contraseña").Code }
	if said := atBoth(24, here, there, guess); said[401] != maxAccountFailures || said[429] != 24-maxAccountFailures {
		t.Errorf("guesses: %v", said)
	}
	known := here.at("192.0.2.8")
	known.signIn(anaEmail, anaPassword)
	copied := func(h *testServer, _ int) int {
		b := h.at("192.0.2.8")
		b.cookies[deviceCookie] = known.cookies[deviceCookie]
		return b.signIn(anaEmail, "no es la contraseña").Code
	}
	if said := atBoth(24, here, there, copied); said[401] != maxDeviceFailures || said[429] != 24-maxDeviceFailures {
		t.Errorf("guesses of a known browser: %v", said)
	}
}

// TestASessionEndsAtEveryProcess ends sessions at one process, whose next request and whose stream
// another one then refuses.
func TestASessionEndsAtEveryProcess(t *testing.T) {
	here, there := twoProcesses(t)
	ana, own := here.sign("ana@clinica.example", people.RoleStaff)
	_, owner := here.sign("jefe@clinica.example", people.RoleOwner)
	address, _ := listen(t, there)
	for _, way := range []struct {
		name string
		end  func() answer
	}{
		{"signed out", func() answer { return own.post("/api/auth/logout", nil) }},
		{"ended", func() answer { return owner.post("/api/accounts/"+ana.ID+"/sessions/end", nil) }},
		{"removed", func() answer { return owner.post("/api/accounts/"+ana.ID+"/remove", nil) }},
	} {
		own.signIn(ana.Email, anaPassword)
		mustEnd(t, way.name, there, own, address, way.end)
	}
}

func mustEnd(t *testing.T, name string, there *testServer, b *browser, address string, end func() answer) {
	t.Helper()
	elsewhere := there.browser()
	elsewhere.cookies = map[string]string{staffCookie: b.cookies[staffCookie]}
	if a := elsewhere.get("/api/auth/user"); a.Code != http.StatusOK {
		t.Fatalf("%s: not signed in at the other process before: %d", name, a.Code)
	}
	stream := elsewhere.watch(address)
	nextData(t, stream)
	if a := end(); a.Code >= http.StatusMultipleChoices {
		t.Fatalf("%s: %d %s", name, a.Code, a.Body)
	}
	elsewhere.get("/api/auth/user").refused(http.StatusUnauthorized)
	if _, err := io.ReadAll(stream); err != nil {
		t.Errorf("%s: the stream broke off: %v", name, err)
	}
}

// TestAMessageThatComesToTwoProcessesIsAnsweredOnce, as one does that a proxy or a visitor sends again.
func TestAMessageThatComesToTwoProcessesIsAnsweredOnce(t *testing.T) {
	here, there := twoProcesses(t, queued)
	visitor := here.browser()
	visitor.say("s1", "hola").into(http.StatusOK, &contract.ChatResponse{})
	for round := range 5 {
		id := fmt.Sprint("m", round)
		said := atBoth(6, here, there, func(h *testServer, _ int) string {
			b := h.browser()
			b.cookies = visitor.cookies
			var got contract.ChatResponse
			b.post("/api/chatbot", contract.ChatRequest{SessionID: "s1", Message: "¿Dónde están?", MessageID: &id}).into(http.StatusOK, &got)
			return got.Response
		})
		if len(said) != 1 {
			t.Errorf("one message has %d answers: %v", len(said), said)
		}
		mustBeStored(t, here, "s1", map[string]bool{id: true})
	}
}

// TestAProcessThatStopsSaysSoBefore it stops, and serves on.
func TestAProcessThatStopsSaysSoBefore(t *testing.T) {
	stopping := make(chan struct{})
	h := newTestServer(t, func(h *testServer) { h.config.Stopping = stopping })
	b := h.browser()
	var ready contract.Readiness
	deadline := time.Now().Add(time.Minute)
	for ready.Status != contract.ReadinessStatusReady && time.Now().Before(deadline) {
		b.get("/readyz").into(http.StatusOK, &ready)
	}
	if a := b.get("/healthz"); a.Header().Get("Connection") != "" {
		t.Errorf("the connection of one that stays: %q", a.Header().Get("Connection"))
	}
	close(stopping)
	a := b.get("/readyz")
	a.into(http.StatusServiceUnavailable, &ready)
	if ready.Status != contract.ReadinessStatusStopping || a.Header().Get("Retry-After") == "" {
		t.Errorf("readiness %+v, %v", ready, a.Header())
	}
	for _, a := range []answer{b.get("/healthz"), b.say("s1", "Hola")} {
		if a.Code != http.StatusOK || a.Header().Get("Connection") != "close" {
			t.Errorf("answered %d, connection %q", a.Code, a.Header().Get("Connection"))
		}
	}
}
