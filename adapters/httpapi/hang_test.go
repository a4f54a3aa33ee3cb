package httpapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/engines"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/domain/chat"
)

// withoutPostgres are the routes that a hung Postgres does not concern.
var withoutPostgres = []string{
	"GET /*", "GET /healthz", "GET /metrics", "GET /api/clinic", "GET /api/services", "GET /api/services/featured",
	"GET /api/services/slug/{slug}", "GET /api/testimonials", "GET /api/privacy", "GET /api/blog", "GET /api/blog/slug/{slug}",
	"GET /api/pages/{page}", "GET /api/doctors", "GET /api/doctors/slug/{slug}",
	"POST /api/chatbot/forget",
}

// asked is a route with what a client sends there.
type asked struct{ method, path, body string }

// concerned are all routes that need Postgres.
func concerned(t *testing.T, h *testServer) map[string]asked {
	t.Helper()
	routes := everyRoute(t, h)
	for _, name := range withoutPostgres {
		delete(routes, name)
	}
	return routes
}

// everyRoute are all routes, as a signed-in member of the staff asks them who has a conversation
// of the session "s1" with a message "m1".
func everyRoute(t *testing.T, h *testServer) map[string]asked {
	t.Helper()
	id := chat.ConversationID("web", "s1")
	bodies := map[string]string{
		"POST /api/chatbot":                               `{"sessionId":"s2","message":"Hola","messageId":"m1"}`,
		"POST /api/chatbot/stream":                        `{"sessionId":"s3","message":"Hola","messageId":"m1"}`,
		"POST /api/chatbot/conversation":                  `{"sessionId":"s1"}`,
		"POST /api/chatbot/rating":                        `{"sessionId":"s1","messageId":"m1","rating":"positive"}`,
		"POST /api/visits":                                `{"sessionId":"s4"}`,
		"POST /api/contact":                               `{"name":"Ana Ruiz","email":"ana@example.com","message":"Quisiera una cita."}`,
		"POST /api/newsletter":                            `{"email":"eva@example.com"}`,
		"POST /blog":                                      "accion=pedir&email=eva%40example.com",
		"POST /api/auth/login":                            `{"username":"` + anaEmail + `","password":"` + anaPassword + `"}`,
		"POST /api/dashboard/conversation/{id}/booking":   `{"status":"cancelled"}`,
		"POST /api/dashboard/contacts/{kind}/{id}/status": `{"changeId":"c1","status":"contacted"}`,
		"POST /api/dashboard/contacts/{kind}/{id}/notes":  `{"changeId":"c1","note":"Llamar."}`,
		"POST /api/dashboard/questions/dismissal":         `{"conversationId":"` + id + `","ordinal":1}`,
		"POST /api/dashboard/answers":                     wifi,
		"POST /api/dashboard/answers/preview":             wifi,
		"POST /api/dashboard/chart-notes/{id}":            chartNote,
		"POST /api/dashboard/answers/{id}/undo":           `{"version":1,"reason":"Prueba"}`,
		"POST /contact":                                   "name=Ana+Ruiz&email=ana%40example.com&message=Quisiera+una+cita.",
		"POST /api/webhooks/bookings":                     `{"id":"b1","reference":"` + id + `","status":"cancelled"}`,
		"POST /api/auth/logout":                           "",
		"POST /api/auth/password":                         `{"current":"` + anaPassword + `","password":"cuatro gatos bajo un puente"}`,
		"POST /api/auth/sessions/end":                     `{}`,
		"POST /api/auth/second-factor/begin":              "",
		"POST /api/auth/second-factor/confirm":            `{"code":"123456"}`,
		"POST /api/auth/second-factor/remove":             `{"password":"` + anaPassword + `","code":"123456"}`,
		"POST /api/accounts":                              `{"email":"luis@clinica.example","password":"cuatro gatos bajo un puente","role":"staff"}`,
		"POST /api/accounts/{id}/role":                    `{"role":"reader"}`,
		"POST /api/accounts/{id}/sessions/end":            "",
		"POST /api/accounts/{id}/remove":                  "",

		"POST /api/dashboard/contacts/{kind}/{id}/person/restriction":     `{"on":true}`,
		"POST /api/dashboard/contacts/{kind}/{id}/person/erasure":         `{"confirmation":"Ana"}`,
		"POST /api/chatbot/conversation/erase":                            `{"sessionIds":["s5"],"appointments":[]}`,
		"POST /api/chatbot/forget":                                        `{}`,
		"POST /privacidad":                                                "confirmado=0",
		"POST /api/dashboard/contacts/{kind}/{id}/requests/{request}":     `{"outcome":"granted"}`,
		"POST /api/dashboard/conversation/{id}/booking/{booking}/outcome": `{"outcome":"unknown"}`,
		"POST /api/dashboard/waiting/{kind}/{id}/attempts":                `{"id":"a1","outcome":"done"}`,
		"POST /api/dashboard/waiting/{kind}/{id}/attempts/{attempt}/undo": "",
	}
	fill := strings.NewReplacer("{id}", id, "{reference}", id, "{kind}", "lead", "{request}", "r1", "{booking}", "b1", "{attempt}", "a1",
		"services/slug/{slug}", "services/slug/endodoncia", "agenda/{slug}", "agenda/endodoncia", "blog/slug/{slug}", "blog/slug/brackets-o-alineadores", "{page}", "home", "doctors/slug/{slug}", "doctors/slug/irina-solanilla", "/*", "/")
	routes := map[string]asked{}
	err := chi.Walk(h.handler.(*Handler).Handler.(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		name := method + " " + route
		body, known := bodies[name]
		if method == http.MethodPost && !known {
			t.Errorf("what is sent to %s?", name)
		}
		routes[name] = asked{method, fill.Replace(route), body}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return routes
}

func (b *browser) ask(a asked) answer {
	b.h.t.Helper()
	return b.send(a.method, a.path, []byte(a.body), a.headers(b.h.clock.Now()))
}

// headers are those that a client sends with its body.
func (a asked) headers(now time.Time) map[string]string {
	switch {
	case a.path == "/api/webhooks/bookings":
		return signed([]byte(a.body), now)
	case a.path == "/contact", a.path == "/privacidad", a.path == "/blog":
		return map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	case a.method == http.MethodGet:
		return map[string]string{}
	}
	return map[string]string{"Content-Type": "application/json"}
}

// A Postgres that hangs costs nobody more than the time that a request has for it; once that is
// known it costs nothing and is not asked any more. When it goes on, everything goes on.
func TestAHungPostgres(t *testing.T) {
	enginestest.Long(t)
	const patience = 2 * time.Second
	engine := enginestest.Supervisor(t)
	line := enginestest.NewLine(t, engine.Endpoints().DatabaseURL)
	h := newTestServerOn(t, line.URL, keyfiles.NewMasterKey(), limited(1000), queued, func(h *testServer) {
		h.config.Bound = func(ctx context.Context) context.Context { return postgres.WithTimeout(ctx, patience) }
		h.chat.StoreTimeout = patience
		h.config.Booking.Secret = webhookSecret
	})
	b := h.staff()
	acknowledged := map[string]bool{}
	for i := range 5 {
		b.ask(asked{http.MethodPost, "/api/chatbot", fmt.Sprintf(`{"sessionId":"s1","message":"Hola %d","messageId":"m%d"}`, i, i)}).into(http.StatusOK, &contract.ChatResponse{})
		acknowledged[fmt.Sprint("m", i)] = true
	}
	h.project()
	routes := concerned(t, h)

	resume := enginestest.Hang(t, engine.PID(engines.Postgres))
	waited := askAll(t, b, routes)
	for route, took := range waited {
		if took > 4*patience {
			t.Errorf("%s waited %v, may wait %v", route, took, patience)
		}
	}
	t.Logf("known to nobody: the longest waited %v", slices.MaxFunc(values(waited), cmp.Compare[time.Duration]))

	watching, stop := context.WithCancel(t.Context())
	var watch sync.WaitGroup
	watch.Go(func() { h.db.Watch(watching, patience) })
	eventually(t, "the breaker opens", func() bool { return h.db.Ping(t.Context()) != nil })
	stop()
	watch.Wait()
	line.Settle()
	sent, refused := line.Sent(), h.db.Refused()
	for route, took := range askAll(t, b, routes) {
		if took > patience {
			t.Errorf("%s waited %v for what is known to hang", route, took)
		}
	}
	if now := line.Sent(); now != sent {
		t.Errorf("%d bytes were sent to a Postgres that is known to hang", now-sent)
	}
	if n := h.db.Refused() - refused; n < int64(len(routes)) {
		t.Errorf("%d of %d requests were refused", n, len(routes))
	}

	resume()
	watch.Go(func() { h.db.Watch(t.Context(), 10*patience) })
	eventually(t, "Postgres is asked again", func() bool { return h.db.Ping(t.Context()) == nil })
	h.chat.StoreTimeout = time.Minute
	for _, name := range []string{"POST /api/chatbot", "POST /api/chatbot/stream"} {
		eventually(t, name+" is answered", func() bool { return b.ask(routes[name]).Code == http.StatusOK })
	}
	mustBeStored(t, h, "s1", acknowledged)
	for _, session := range []string{"s2", "s3"} {
		mustBeStored(t, h, session, map[string]bool{"m1": true})
	}
	if report, err := h.db.Log().Check(t.Context(), nil); err != nil || len(report.Findings) > 0 {
		t.Errorf("check: %v, %v", report.Findings, err)
	}
}

// askAll asks all routes at once, each in a browser of its own, and gives how long each took.
// None may be answered otherwise than that Postgres is away.
func askAll(t *testing.T, b *browser, routes map[string]asked) map[string]time.Duration {
	t.Helper()
	var mu sync.Mutex
	took := map[string]time.Duration{}
	var asking sync.WaitGroup
	for name, route := range routes {
		asking.Go(func() {
			own := *b
			own.cookies = map[string]string{staffCookie: b.cookies[staffCookie], chatCookie: b.cookies[chatCookie]}
			began := time.Now()
			a := own.ask(route)
			mu.Lock()
			defer mu.Unlock()
			took[name] = time.Since(began)
			late := strings.Contains(a.Body.String(), `"status":503`)
			if a.Code != http.StatusServiceUnavailable && !late || a.Header().Get("Retry-After") == "" && !late {
				t.Errorf("%s: %d, Retry-After %q: %s", name, a.Code, a.Header().Get("Retry-After"), a.Body)
			}
		})
	}
	asking.Wait()
	return took
}

func values(m map[string]time.Duration) (all []time.Duration) {
	for _, d := range m {
		all = append(all, d)
	}
	return all
}

func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for began := time.Now(); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}
