package httpapi

import (
	"math"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// received are the contact messages in the log.
func (s *testServer) received() []event.ContactMessageReceived {
	s.t.Helper()
	events, err := s.db.Log().Scan(s.t.Context(), 0, math.MaxInt64, 1000)
	if err != nil {
		s.t.Fatal(err)
	}
	var messages []event.ContactMessageReceived
	for _, e := range events {
		if m, ok := e.Payload.(*event.ContactMessageReceived); ok {
			if e.Stream != event.ContactStream(m.ContactID) {
				s.t.Errorf("message %s lies in stream %s", m.ContactID, e.Stream)
			}
			messages = append(messages, *m)
		}
	}
	return messages
}

func (b *browser) submit(path string, fields url.Values, headers map[string]string) answer {
	b.h.t.Helper()
	all := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	for name, value := range headers {
		all[name] = value
	}
	return b.send(http.MethodPost, path, []byte(fields.Encode()), all)
}

func ptr(text string) *string { return &text }

func TestContactMessageIsKept(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	a := b.post("/api/contact", contract.ContactMessage{
		Name: "Ana <b>", Email: "ana@correo.example", Phone: ptr("6123-4567"), Message: "Quiero una cita 😀 <script>alert(1)</script>",
	})
	if a.Code != http.StatusNoContent || a.Body.Len() != 0 || a.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s %v", a.Code, a.Body, a.Header())
	}
	form := url.Values{"name": {"José"}, "email": {"jose@correo.example"}, "phone": {""}, "message": {"Hola, ¿atienden\r\nlos sábados?"}}
	a = b.submit("/contact", form, map[string]string{"Sec-Fetch-Site": "same-origin"})
	if a.Code != http.StatusSeeOther || a.Header().Get("Location") != "/contact?enviado=1" {
		t.Errorf("form: %d %v", a.Code, a.Header())
	}
	got := h.received()
	if len(got) != 2 {
		t.Fatalf("%d messages", len(got))
	}
	if m := got[0]; m.Name != "Ana <b>" || m.Phone != "6123-4567" || m.Message != "Quiero una cita 😀 <script>alert(1)</script>" ||
		m.Channel != "web" || m.NoticeVersion != clinic.Default().NoticeVersion || !m.HasPhone {
		t.Errorf("first message: %+v", m)
	}
	if m := got[1]; m.Message != "Hola, ¿atienden\nlos sábados?" || m.Channel != "form" || m.HasPhone {
		t.Errorf("second message: %+v", m)
	}
	for _, personal := range []string{"correo.example", "6123", "cita"} {
		if strings.Contains(h.log.String(), personal) {
			t.Errorf("%q is in the program's log", personal)
		}
	}
}

func TestContactMessageThatIsNotRight(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	a := b.post("/api/contact", contract.ContactMessage{Name: "A", Email: "ana", Message: "Hola"})
	e := a.refused(http.StatusBadRequest)
	if e.Fields == nil || len(*e.Fields) != 3 || !strings.Contains((*e.Fields)["name"], "al menos 2") {
		t.Errorf("fields: %+v", e)
	}
	page := b.submit("/contact", url.Values{"name": {"<script>"}, "email": {"ana"}, "message": {"Hola"}}, nil)
	if page.Code != http.StatusBadRequest || !strings.HasPrefix(page.Header().Get("Content-Type"), "text/html") ||
		page.Header().Get("Cache-Control") != "no-store" || page.Header().Get("X-Robots-Tag") != "noindex" {
		t.Errorf("page: %d %v", page.Code, page.Header())
	}
	for _, part := range []string{"<main>/contact [/api/clinic /api/pages/chat /api/pages/contact /api/pages/site form now origin path]", `"message":"El mensaje debe tener al menos 10 caracteres."`, `"name":"\u003cscript\u003e"`} {
		if !strings.Contains(page.Body.String(), part) {
			t.Errorf("%q is missing in\n%s", part, page.Body)
		}
	}
	if again := b.get("/contact").Body.String(); strings.Contains(again, `\u003cscript\u003e`) {
		t.Error("another visitor sees the form")
	}
	for name, code := range map[string]int{
		"not json":         b.send(http.MethodPost, "/api/contact", []byte("{"), map[string]string{"Content-Type": "application/json"}).Code,
		"another type":     b.send(http.MethodPost, "/api/contact", []byte("a=b"), map[string]string{"Content-Type": "text/plain"}).Code - 15,
		"a form as JSON":   b.send(http.MethodPost, "/api/contact", []byte("name=Ana"), map[string]string{"Content-Type": "application/x-www-form-urlencoded"}).Code - 15,
		"nothing":          b.post("/api/contact", nil).Code,
		"a broken form":    b.send(http.MethodPost, "/contact", []byte("a=%zz"), map[string]string{"Content-Type": "application/x-www-form-urlencoded"}).Code,
		"too long":         b.post("/api/contact", contract.ContactMessage{Name: "Ana", Email: "a@b.example", Message: strings.Repeat("a", clinic.MaxContactMessage+1)}).Code,
		"too large":        b.post("/api/contact", contract.ContactMessage{Name: "Ana", Email: "a@b.example", Message: strings.Repeat("a", maxBody)}).Code - 13,
		"a too large form": b.submit("/contact", url.Values{"message": {strings.Repeat("a", maxBody)}}, nil).Code - 13,
		"another origin":   b.submit("/contact", url.Values{"name": {"Ana"}}, map[string]string{"Sec-Fetch-Site": "cross-site"}).Code - 3,
	} {
		if code != http.StatusBadRequest {
			t.Errorf("%s: off by %d", name, code-http.StatusBadRequest)
		}
	}
	if n := len(h.received()); n != 0 {
		t.Errorf("%d messages were kept", n)
	}
}

func TestContactMessageOfAMachine(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	m := contract.ContactMessage{Name: "Bot", Email: "bot@correo.example", Message: "Compre ahora mismo", Website: ptr("https://x.example")}
	if a := b.post("/api/contact", m); a.Code != http.StatusNoContent {
		t.Errorf("trapped: %d", a.Code)
	}
	if n := len(h.received()); n != 0 {
		t.Errorf("%d messages were kept", n)
	}
}

func TestContactMessagesInABurst(t *testing.T) {
	h := newTestServer(t, throttled)
	b := h.browser()
	m := contract.ContactMessage{Name: "Ana", Email: "ana@correo.example", Message: "Quiero una cita"}
	for i := range 10 {
		if a := b.post("/api/contact", m); a.Code != http.StatusNoContent {
			t.Fatalf("message %d: %d %s", i, a.Code, a.Body)
		}
	}
	a := b.post("/api/contact", m)
	a.refused(http.StatusTooManyRequests)
	if a.Header().Get("Retry-After") == "" {
		t.Error("nothing says when to come again")
	}
	h.clock.advance(30 * time.Second)
	if a := b.post("/api/contact", m); a.Code != http.StatusNoContent {
		t.Errorf("later: %d", a.Code)
	}
}

func TestContactMessageWithoutADatabase(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	b.get("/") // a program that is up has its texts
	h.db.Close()
	m := contract.ContactMessage{Name: "Ana", Email: "ana@correo.example", Message: "Quiero una cita"}
	if a := b.post("/api/contact", m); a.Code < 500 {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	form := url.Values{"name": {m.Name}, "email": {m.Email}, "message": {m.Message}}
	if page := b.submit("/contact", form, nil); page.Code < 500 || !strings.Contains(page.Body.String(), `"message":"Quiero una cita"`) {
		t.Errorf("form: %d %s", page.Code, page.Body)
	}
}
