package httpapi

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/event"
)

func TestSignInAndOut(t *testing.T) {
	h := newTestServer(t)
	ana := h.hire()
	b := h.browser()
	if e := b.get("/api/auth/user").refused(http.StatusUnauthorized); e.Message != "Inicie sesión para continuar." {
		t.Errorf("message %q", e.Message)
	}
	a := b.post("/api/auth/login", contract.Credentials{Username: " Ana@Clinica.example ", Password: anaPassword})
	var user contract.User
	a.into(http.StatusOK, &user)
	rights := []contract.Right{contract.Numbers, contract.People, contract.Export, contract.Privacy}
	if want := (contract.User{ID: ana.ID, Email: anaEmail, Role: contract.Staff, SecondFactor: contract.Off, Rights: rights}); !reflect.DeepEqual(user, want) {
		t.Errorf("signed in as %+v", user)
	}
	if len(a.Result().Cookies()) != 2 {
		t.Fatalf("cookies %v", a.Result().Cookies())
	}
	c := a.Result().Cookies()[0]
	if c.Name != "__Host-bitacora" || len(c.Value) != 43 || !c.Secure || !c.HttpOnly || c.Path != "/" || c.Domain != "" || c.SameSite != http.SameSiteLaxMode || c.MaxAge != 0 {
		t.Errorf("cookie %+v", c)
	}
	if d := a.Result().Cookies()[1]; d.Name != "__Host-bitacora-device" || len(d.Value) != 43 || !d.Secure || !d.HttpOnly || d.Path != "/" || d.Domain != "" || d.SameSite != http.SameSiteLaxMode || d.MaxAge != 180*24*60*60 {
		t.Errorf("cookie %+v", d)
	}
	if a.Header().Get("Cache-Control") != "no-store" {
		t.Error("the answer to a login may be stored")
	}
	b.get("/api/auth/user").into(http.StatusOK, &user)

	signedIn := h.events("staff/" + ana.ID)
	if len(signedIn) != 1 || signedIn[0].Payload.(*event.StaffSignedIn).StaffID != ana.ID {
		t.Errorf("recorded %+v", signedIn)
	}

	token := b.cookies[staffCookie]
	if a := b.post("/api/auth/logout", nil); a.Code != http.StatusNoContent || b.cookies[staffCookie] != "" {
		t.Errorf("logout: %d, cookies %v", a.Code, b.cookies)
	} else if got := a.Header().Get("Clear-Site-Data"); got != `"cache"` || b.cookies[deviceCookie] == "" {
		t.Errorf("Clear-Site-Data is %s, cookies %v", got, b.cookies)
	}
	b.cookies[staffCookie] = token
	b.get("/api/auth/user").refused(http.StatusUnauthorized)
	if a := h.browser().post("/api/auth/logout", nil); a.Code != http.StatusNoContent {
		t.Errorf("logout without a session: %d", a.Code)
	}
}

func (s *testServer) events(stream string) []event.Recorded {
	s.t.Helper()
	events, err := s.db.Log().ReadStream(s.t.Context(), stream)
	if err != nil {
		s.t.Fatal(err)
	}
	return events
}

func TestEveryLoginIsANewSession(t *testing.T) {
	b := newTestServer(t).staff()
	former := b.cookies[staffCookie]
	b.post("/api/auth/login", contract.Credentials{Username: anaEmail, Password: anaPassword})
	if b.cookies[staffCookie] == former {
		t.Error("the second login kept the secret of the first")
	}
	b.cookies[staffCookie] = former
	b.get("/api/auth/user").refused(http.StatusUnauthorized)
}

func TestSessionsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		every, until time.Duration
		status       int
	}{
		"in use":     {25 * time.Minute, 11 * time.Hour, http.StatusOK},
		"idle":       {32 * time.Minute, 32 * time.Minute, http.StatusUnauthorized},
		"twelve h":   {25 * time.Minute, 12*time.Hour + time.Minute, http.StatusUnauthorized},
		"just alive": {29 * time.Minute, 29 * time.Minute, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			h := newTestServer(t)
			b := h.staff()
			var last int
			for end := h.clock.Now().Add(c.until); h.clock.Now().Before(end); {
				h.clock.advance(c.every)
				last = b.get("/api/auth/user").Code
			}
			if last != c.status {
				t.Errorf("got %d, want %d", last, c.status)
			}
		})
	}
}

func TestPasswordChangeEndsSessions(t *testing.T) {
	h := newTestServer(t)
	b := h.staff()
	account, err := h.db.Staff().AccountByEmail(t.Context(), anaEmail)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.db.Staff().SetPassword(t.Context(), account.ID, account.PasswordHash, [32]byte{}); err != nil {
		t.Fatal(err)
	}
	b.get("/api/auth/user").refused(http.StatusUnauthorized)
}

func TestOneAnswerForEveryFailure(t *testing.T) {
	h := newTestServer(t)
	h.hire()
	for name, c := range map[string]contract.Credentials{
		"wrong password":  {Username: anaEmail, Password: "otra contraseña larga"},
		"unknown account": {Username: "nadie@clinica.example", Password: anaPassword},
		"no password":     {Username: anaEmail},
		"nothing":         {},
		"nul":             {Username: "a\x00b", Password: "\x00"},
		"endless":         {Username: strings.Repeat("a", 5000), Password: strings.Repeat("a", 50_000)},
		"sql":             {Username: "' OR 1=1 --", Password: "x"},
	} {
		b := h.browser()
		b.address = fmt.Sprintf("198.51.100.%d:1", len(name))
		a := b.post("/api/auth/login", c)
		if e := a.refused(http.StatusUnauthorized); e.Message != "Credenciales inválidas" {
			t.Errorf("%s: %q", name, e.Message)
		}
		if len(a.Result().Cookies()) != 0 {
			t.Errorf("%s: set a cookie", name)
		}
	}
	h.browser().post("/api/auth/login", []string{"x"}).refused(http.StatusBadRequest)
}

func TestAddressesOfOneNetworkCountTogether(t *testing.T) {
	h := newTestServer(t)
	h.hire()
	h.occupy("2001:db8:1:2::/64")
	for i := range maxAccountFailures + 1 {
		b := h.browser()
		b.address = fmt.Sprintf("[2001:db8:1:2::%d]:1", i)
		want := http.StatusUnauthorized
		if i == maxAccountFailures {
			want = http.StatusTooManyRequests
		}
		b.post("/api/auth/login", contract.Credentials{Username: anaEmail, Password: "x"}).refused(want)
	}
}

func TestDashboardIsForStaff(t *testing.T) {
	h := newTestServer(t)
	for _, path := range []string{
		"/api/auth/user", "/api/dashboard/kpis", "/api/dashboard/conversations", "/api/dashboard/conversation/x/messages",
	} {
		for name, token := range map[string]string{"none": "", "forged": web.NewToken(), "malformed": "x"} {
			b := h.browser()
			if token != "" {
				b.cookies[staffCookie] = token
			}
			if a := b.get(path); a.refused(http.StatusUnauthorized).Message == "" {
				t.Errorf("%s, cookie %s", path, name)
			}
		}
	}
}
