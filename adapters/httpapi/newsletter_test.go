package httpapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/mail"
	"bitacora/adapters/postgres"
	"bitacora/domain/clinic"
	"bitacora/domain/fault"
	"bitacora/domain/newsletter"
	"bitacora/domain/subjects"
)

// withNewsletter keeps subscriptions.
func (h *testServer) withNewsletter() {
	log := h.db.Log()
	h.config.Visitor.Newsletter = &newsletter.Register{
		Log: log, List: postgres.Newsletter{Log: log}, Index: log, Eraser: h.config.Staff.Persons, Now: h.clock.Now, NewID: uuid.NewString,
		NoticeVersion: func(context.Context) string { return "2026-11" },
		Ask:           func(context.Context, newsletter.Subscription) error { return nil },
	}
}

// lettersTo gives what is asked of which address.
func lettersTo(asked *[]newsletter.Subscription) func(*testServer) {
	return func(h *testServer) {
		throttled(h)
		h.subscriptions().Ask = func(_ context.Context, s newsletter.Subscription) error {
			if strings.HasPrefix(s.Email, "lost@") {
				return fault.As(fault.Unavailable, errors.New("no mail server"))
			}
			*asked = append(*asked, s)
			return nil
		}
	}
}

func (h *testServer) subscriptions() *newsletter.Register {
	return h.config.Visitor.Newsletter.(*newsletter.Register)
}

// subscribed are the addresses that get the newsletter.
func (h *testServer) subscribed() string {
	h.t.Helper()
	all, err := h.subscriptions().Confirmed(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	var addresses []string
	for _, s := range all {
		addresses = append(addresses, s.Email)
	}
	return strings.Join(addresses, " ")
}

func TestAnAddressCountsOnceItIsConfirmed(t *testing.T) {
	var asked []newsletter.Subscription
	h := newTestServer(t, lettersTo(&asked))
	b := h.browser()
	subscribe := func(email string) answer {
		return b.post("/api/newsletter", contract.NewsletterSubscription{Email: email})
	}
	decide := func(id, what string) string {
		a := b.submit("/blog?boletin="+id, url.Values{"accion": {what}}, map[string]string{"Sec-Fetch-Site": "same-origin"})
		if a.Code != http.StatusSeeOther || a.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", what, a.Code, a.Header())
		}
		return a.Header().Get("Location")
	}
	first := subscribe(" ana@correo.example ")
	if first.Code != http.StatusNoContent || len(asked) != 1 || asked[0].Email != "ana@correo.example" {
		t.Fatalf("%d %s, asked %v", first.Code, first.Body, asked)
	}
	id := asked[0].ID
	if a := b.get("/blog?boletin=" + id); a.Code != http.StatusOK || a.Header().Get("X-Robots-Tag") != "noindex" || h.subscribed() != "" {
		t.Errorf("a link that is followed: %d %v, subscribed %q", a.Code, a.Header(), h.subscribed())
	}
	if decide(id, "quizás") != "/blog?boletin=caducado#boletin" || h.subscribed() != "" {
		t.Errorf("what is not asked subscribes %q", h.subscribed())
	}
	if to := decide(id, "confirmar"); to != "/blog?boletin=confirmado#boletin" || h.subscribed() != "ana@correo.example" {
		t.Errorf("%s, subscribed %q", to, h.subscribed())
	}
	known := subscribe("ana@correo.example")
	if known.Code != first.Code || known.Body.String() != first.Body.String() || len(asked) != 2 || asked[1].ID != id {
		t.Errorf("a known address: %d %s, asked %v", known.Code, known.Body, asked)
	}
	for range 3 {
		if a := subscribe("ANA@correo.example"); a.Code != http.StatusNoContent {
			t.Errorf("%d %s", a.Code, a.Body)
		}
	}
	if len(asked) != 3 {
		t.Errorf("%d letters went to one address", len(asked))
	}
	if to := decide(id, "baja"); to != "/blog?boletin=baja#boletin" || h.subscribed() != "" {
		t.Errorf("%s, subscribed %q", to, h.subscribed())
	}
	if p, err := h.config.Staff.Persons.Find(t.Context(), "ana@correo.example"); err == nil {
		t.Errorf("is still found: %+v", p)
	}
	if decide(id, "baja") != "/blog?boletin=baja#boletin" || decide(id, "confirmar") != "/blog?boletin=caducado#boletin" || h.subscribed() != "" {
		t.Errorf("after the end: %q", h.subscribed())
	}
	if strings.Contains(h.log.String(), "correo.example") {
		t.Error("the address is in the program's log")
	}
}

func TestMailProgramsUnsubscribeWithOneTouch(t *testing.T) {
	var asked []newsletter.Subscription
	h := newTestServer(t, lettersTo(&asked))
	b := h.browser()
	for _, email := range []string{"ana@correo.example", "eva@correo.example"} {
		if a := b.submit("/blog", url.Values{"accion": {"pedir"}, "email": {email}}, nil); a.Header().Get("Location") != "/blog?boletin=pedido#boletin" {
			t.Fatalf("%d %v", a.Code, a.Header())
		}
		if err := h.subscriptions().Confirm(t.Context(), asked[len(asked)-1].ID); err != nil {
			t.Fatal(err)
		}
	}
	letter, err := mail.SubscriptionLetter(asked[0], clinic.Default(), "https://clinica.example/", noon)
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(letter.Unsubscribe, "https://clinica.example")
	multipart := "--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n"
	if a := b.send(http.MethodPost, address, []byte(multipart), map[string]string{"Content-Type": "multipart/form-data; boundary=x"}); a.Code != http.StatusNoContent {
		t.Errorf("%d %v", a.Code, a.Header())
	}
	if h.subscribed() != "eva@correo.example" {
		t.Errorf("subscribed %q", h.subscribed())
	}
	other, err := mail.SubscriptionLetter(asked[1], clinic.Default(), "https://clinica.example", noon)
	if err != nil {
		t.Fatal(err)
	}
	a := b.submit(strings.TrimPrefix(other.Unsubscribe, "https://clinica.example"), url.Values{"List-Unsubscribe": {"One-Click"}}, nil)
	if a.Code != http.StatusNoContent || h.subscribed() != "" {
		t.Errorf("%d, subscribed %q", a.Code, h.subscribed())
	}
}

func TestAnUnconfirmedAddressExpires(t *testing.T) {
	var asked []newsletter.Subscription
	h := newTestServer(t, lettersTo(&asked))
	r := h.subscriptions()
	for _, email := range []string{"ana@correo.example", "eva@correo.example"} {
		if err := r.Subscribe(t.Context(), email); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Confirm(t.Context(), asked[1].ID); err != nil {
		t.Fatal(err)
	}
	expire := func(after time.Duration) bool {
		h.clock.now = noon.Add(after)
		if err := r.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, err := h.config.Staff.Persons.Find(t.Context(), "ana@correo.example")
		return err != nil
	}
	if expire(newsletter.Unconfirmed-time.Minute) || !expire(newsletter.Unconfirmed) || h.subscribed() != "eva@correo.example" {
		t.Errorf("subscribed %q", h.subscribed())
	}
}

func TestASubscriptionBelongsToItsPerson(t *testing.T) {
	var asked []newsletter.Subscription
	h := newTestServer(t, lettersTo(&asked))
	r := h.subscriptions()
	if err := errors.Join(r.Subscribe(t.Context(), "ana@correo.example"), r.Confirm(t.Context(), asked[0].ID)); err != nil {
		t.Fatal(err)
	}
	persons := h.config.Staff.Persons
	p, err := persons.Find(t.Context(), "ana@correo.example")
	if err != nil || len(p.Records) != 1 || p.Records[0].Kind != subjects.Subscription || p.Records[0].Reach().Email != "ana@correo.example" || p.Records[0].Consents[0].NoticeVersion != "2026-11" {
		t.Fatalf("%+v, %v", p, err)
	}
	restriction := subjects.Restriction{By: "s1", On: true, Reason: "request", Subjects: p.Streams()}
	if _, err := persons.Restrict(t.Context(), restriction); err != nil || h.subscribed() != "" {
		t.Errorf("restricted, and subscribed is %q, %v", h.subscribed(), err)
	}
	if _, err := persons.Erase(t.Context(), subjects.Erasure{By: "s1", Reason: "request", Subjects: p.Streams()}); err != nil || h.subscribed() != "" {
		t.Errorf("erased, and subscribed is %q, %v", h.subscribed(), err)
	}
}

func TestWhatCannotBeSubscribedIsSaid(t *testing.T) {
	var asked []newsletter.Subscription
	h := newTestServer(t, lettersTo(&asked))
	b := h.browser()
	for email, status := range map[string]int{"ana": http.StatusBadRequest, "": http.StatusBadRequest, "lost@correo.example": http.StatusServiceUnavailable} {
		a := b.post("/api/newsletter", contract.NewsletterSubscription{Email: email})
		page := b.submit("/blog", url.Values{"accion": {"pedir"}, "email": {email}}, nil)
		if a.Code != status || page.Code != status || !strings.Contains(page.Body.String(), `"newsletter":"fallo"`) {
			t.Errorf("%q: %d %s, %d %s", email, a.Code, a.Body, page.Code, page.Body)
		}
	}
	if a := b.submit("/blog?boletin="+uuid.NewString(), url.Values{"accion": {"confirmar"}}, map[string]string{"Sec-Fetch-Site": "cross-site"}); a.Code != http.StatusForbidden {
		t.Errorf("from another site: %d", a.Code)
	}
	h.subscriptions().Ask = nil
	if a := b.post("/api/newsletter", contract.NewsletterSubscription{Email: "ana@correo.example"}); a.Code != http.StatusNotFound || len(asked) != 0 {
		t.Errorf("without a newsletter: %d, asked %v", a.Code, asked)
	}
}
