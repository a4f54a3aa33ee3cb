package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	people "bitacora/domain/staff"
)

// cell is how a route answers a wrong request: the status of its refusal, or why it refuses none.
type cell int

const (
	// free: anybody may ask.
	free cell = iota
	// open: other sites may lead to it, since it shows what everybody may see; they cannot read it.
	open
	// lasting: it needs the secret of a conversation, which has no end.
	lasting
	// unread: it looks at no body.
	unread
	// light: to ask it often writes no more than to ask it once.
	light
	// known: only who shows a session or a signature gets that far.
	known
)

// kinds are the columns of the table, with the reasons that each may have.
var kinds = [...]struct {
	name    string
	reasons []cell
}{
	{"no session", []cell{free}}, {"another site", []cell{open}}, {"expired", []cell{free, lasting}}, {"another method", nil},
	{"another type", []cell{unread}}, {"too large", []cell{unread}}, {"malformed", []cell{unread}}, {"too much", []cell{light, known}},
}

// refusals says for each route how it answers each of these kinds: a client without a session,
// signature or conversation; another site; a session or signature that is over; a method that it
// does not have; a body of another type, too large, malformed; and too much at once.
var refusals = map[string][8]cell{
	"GET /*":                      {free, open, free, 405, unread, unread, unread, light},
	"POST /contact":               {free, 403, free, 405, 415, 413, 400, 429},
	"POST /privacidad":            {free, 403, free, 405, 415, 413, 400, 429},
	"POST /blog":                  {free, 403, free, 405, 415, 413, 400, 429},
	"GET /r/{reference}":          {free, open, free, 405, unread, unread, unread, light},
	"GET /r/{reference}/cita.ics": {404, 404, 404, 405, unread, unread, unread, 404}, // the conversation has no appointment
	"GET /healthz":                {free, open, free, 405, unread, unread, unread, light},
	"GET /readyz":                 {free, open, free, 405, unread, unread, unread, light},

	"GET /api/clinic":               {free, open, free, 405, unread, unread, unread, light},
	"GET /api/services":             {free, open, free, 405, unread, unread, unread, light},
	"GET /api/services/featured":    {free, open, free, 405, unread, unread, unread, light},
	"GET /api/services/slug/{slug}": {free, open, free, 405, unread, unread, unread, light},
	"GET /api/agenda/{slug}":        {free, open, free, 405, unread, unread, unread, light},
	"GET /api/pages/{page}":         {free, open, free, 405, unread, unread, unread, light},
	"GET /api/doctors":              {free, open, free, 405, unread, unread, unread, light},
	"GET /api/doctors/slug/{slug}":  {free, open, free, 405, unread, unread, unread, light},
	"GET /api/testimonials":         {free, open, free, 405, unread, unread, unread, light},
	"GET /api/privacy":              {free, open, free, 405, unread, unread, unread, light},
	"GET /api/blog":                 {free, open, free, 405, unread, unread, unread, light},
	"GET /api/blog/slug/{slug}":     {free, open, free, 405, unread, unread, unread, light},

	"POST /api/contact":                    {free, 403, free, 405, 415, 413, 400, 429},
	"POST /api/newsletter":                 {free, 403, free, 405, 415, 413, 400, 429},
	"POST /api/visits":                     {free, 403, free, 405, 415, 413, 400, 429},
	"GET /api/chatbot/status":              {free, open, free, 405, unread, unread, unread, light},
	"POST /api/chatbot":                    {free, 403, free, 405, 415, 413, 400, 503},
	"POST /api/chatbot/stream":             {free, 403, free, 405, 415, 413, 400, 503},
	"POST /api/chatbot/conversation":       {404, 403, lasting, 405, 415, 413, 400, light},
	"POST /api/chatbot/conversation/erase": {404, 403, lasting, 405, 415, 413, 400, 429},
	"POST /api/chatbot/forget":             {free, 403, free, 405, 415, unread, unread, light},
	"POST /api/chatbot/rating":             {404, 403, lasting, 405, 415, 413, 400, 429},
	"POST /api/webhooks/bookings":          {401, 403, 401, 405, 415, 413, 400, known},

	"POST /api/auth/login":  {free, 403, free, 405, 415, 413, 400, 429},
	"POST /api/auth/logout": {free, 403, free, 405, 415, unread, unread, light},
	"GET /api/auth/user":    {401, 403, 401, 405, unread, unread, unread, known},

	"POST /api/auth/password":     {401, 403, 401, 405, 415, 413, 400, known},
	"GET /api/auth/sessions":      {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/auth/sessions/end": {401, 403, 401, 405, 415, 413, 400, known},

	"GET /api/auth/second-factor":          {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/auth/second-factor/begin":   {401, 403, 401, 405, 415, unread, unread, known},
	"POST /api/auth/second-factor/confirm": {401, 403, 401, 405, 415, 413, 400, known},
	"POST /api/auth/second-factor/remove":  {401, 403, 401, 405, 415, 413, 400, known},

	"GET /api/accounts":                    {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/accounts":                   {401, 403, 401, 405, 415, 413, 400, known},
	"POST /api/accounts/{id}/role":         {401, 403, 401, 405, 415, 413, 400, known},
	"POST /api/accounts/{id}/sessions/end": {401, 403, 401, 405, 415, unread, unread, known},
	"POST /api/accounts/{id}/remove":       {401, 403, 401, 405, 415, unread, unread, known},
	"GET /api/audit":                       {401, 403, 401, 405, unread, unread, unread, known},

	"GET /api/dashboard/kpis":                                         {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/timeseries":                                   {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/funnel":                                       {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/heatmap":                                      {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/topics":                                       {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/questions":                                    {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/dashboard/questions/dismissal":                         {401, 403, 401, 405, 415, 413, 400, known},
	"GET /api/dashboard/answer-form":                                  {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/answers":                                      {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/dashboard/answers":                                     {401, 403, 401, 405, 415, 413, 400, known},
	"POST /api/dashboard/answers/preview":                             {401, 403, 401, 405, 415, 413, 400, known},
	"GET /api/dashboard/answers/{id}":                                 {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/dashboard/chart-notes/{id}":                            {401, 403, 401, 405, 415, 413, 400, known},
	"POST /api/dashboard/answers/{id}/undo":                           {401, 403, 401, 405, 415, 413, 400, known},
	"GET /api/dashboard/quality":                                      {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/ratings":                                      {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/reports":                                      {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/export":                                       {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/live":                                         {401, 403, 401, 405, unread, unread, unread, 429},
	"GET /api/dashboard/conversations":                                {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/conversation/{id}/messages":                   {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/dashboard/conversation/{id}/booking":                   {401, 403, 401, 405, 415, 413, 400, known},
	"GET /api/dashboard/waiting":                                      {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/dashboard/waiting/{kind}/{id}/attempts":                {401, 403, 401, 405, 415, 413, 400, known},
	"POST /api/dashboard/waiting/{kind}/{id}/attempts/{attempt}/undo": {401, 403, 401, 405, 415, unread, unread, known},
	"GET /api/dashboard/contacts":                                     {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/contacts/counts":                              {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/contacts/export":                              {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/dashboard/contacts/{kind}/{id}/status":                 {401, 403, 401, 405, 415, 413, 400, known},
	"POST /api/dashboard/contacts/{kind}/{id}/notes":                  {401, 403, 401, 405, 415, 413, 400, known},

	"GET /api/dashboard/contacts/{kind}/{id}/person":              {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/contacts/{kind}/{id}/person/copy":         {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/dashboard/contacts/{kind}/{id}/person/restriction": {401, 403, 401, 405, 415, 413, 400, known},
	"POST /api/dashboard/contacts/{kind}/{id}/person/erasure":     {401, 403, 401, 405, 415, 413, 400, known},
	"GET /api/dashboard/contacts/requests":                        {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/dashboard/contacts/{kind}/{id}/requests/{request}": {401, 403, 401, 405, 415, 413, 400, known},

	"GET /api/dashboard/unusual":                                      {401, 403, 401, 405, unread, unread, unread, known},
	"GET /api/dashboard/agenda":                                       {401, 403, 401, 405, unread, unread, unread, known},
	"POST /api/dashboard/conversation/{id}/booking/{booking}/outcome": {401, 403, 401, 405, 415, 413, 400, known},
}

// TestEveryRouteRefuses sends every route everything that is wrong, one thing at a time. What is
// refused leaves the log as it was.
func TestEveryRouteRefuses(t *testing.T) {
	r := newRefusing(t)
	routes := everyRoute(t, r.testServer)
	if served, told := slices.Sorted(maps.Keys(routes)), slices.Sorted(maps.Keys(refusals)); !slices.Equal(served, told) {
		t.Fatalf("the program serves\n%s\nand the table tells of\n%s", strings.Join(served, "\n"), strings.Join(told, "\n"))
	}
	for _, name := range slices.Sorted(maps.Keys(routes)) {
		for k, kind := range kinds {
			t.Run(name+"/"+kind.name, func(t *testing.T) {
				want := refusals[name][k]
				if want < http.StatusBadRequest && !slices.Contains(kind.reasons, want) {
					t.Fatalf("%d is no reason here", want)
				}
				if want == known {
					if refusals[name][0] != http.StatusUnauthorized {
						t.Error("anybody gets that far")
					}
					return
				}
				r.check(t, name, routes[name], kind.name, want)
			})
		}
	}
}

// refusing is a server with the ways to ask it wrongly.
type refusing struct {
	*testServer
	// ana is signed in and has a conversation; one who was once is late.
	ana, late *browser
	addresses int
}

func newRefusing(t *testing.T) *refusing {
	h := newTestServer(t, throttled, func(h *testServer) { h.config.Booking.Secret = webhookSecret })
	r := &refusing{testServer: h, late: h.staff(), ana: h.browser()}
	r.late.post("/api/chatbot", contract.ChatRequest{SessionID: "s1", Message: "Hola", MessageID: ptr("m1")}).into(http.StatusOK, &contract.ChatResponse{})
	r.late.say("s5", "Hola")
	r.late.readBack("s1").into(http.StatusOK, &contract.ChatConversation{})
	h.clock.advance(people.SessionIdle + time.Minute)
	var who contract.User
	r.ana.signIn(anaEmail, anaPassword).into(http.StatusOK, &who)
	if err := h.db.Staff().SetRole(t.Context(), who.ID, people.RoleOwner); err != nil { // who may ask everything
		t.Fatal(err)
	}
	r.ana.cookies[chatCookie] = r.late.cookies[chatCookie]
	h.project()
	return r
}

// check asks a route wrongly, and holds the answer against the table.
func (r *refusing) check(t *testing.T, name string, route asked, kind string, want cell) {
	ana := r.ana
	switch name {
	case "GET /api/dashboard/live":
		route.method = http.MethodHead // the stream would not end
	case "POST /api/auth/logout":
		ana = r.browser() // the others need the session
	}
	b := r.from(ana)
	if kind == "too much" && want >= http.StatusBadRequest {
		route = r.exhaust(t, b, name, route, int(want))
	}
	before := r.head(t)
	a := r.ask(b, route, kind)
	unchanged := r.head(t) == before
	var holds bool
	switch want {
	case free, lasting:
		holds = a.Code < http.StatusBadRequest
	case open:
		holds = a.Code < http.StatusBadRequest && unchanged && a.Header().Get("Access-Control-Allow-Origin") == ""
	case unread:
		holds = a.Code == r.ask(r.from(ana), route, "").Code
	case light:
		holds = a.Code < http.StatusBadRequest && unchanged
	default:
		holds = a.Code == int(want) && unchanged && explained(a)
	}
	if !holds {
		t.Errorf("%d, log unchanged %v, want %d: %v %.200s", a.Code, unchanged, want, a.Header(), a.Body)
	}
}

// explained says whether a refusal, as JSON or as a page, has a sentence and says what to do instead.
func explained(a answer) bool {
	var e contract.Error
	if !strings.HasPrefix(a.Header().Get("Content-Type"), "text/html") &&
		(json.Unmarshal(a.Body.Bytes(), &e) != nil || e.Message == "" || e.RequestID == "" || e.RequestID != a.Header().Get("X-Request-Id")) {
		return false
	}
	switch a.Code {
	case http.StatusMethodNotAllowed:
		return a.Header().Get("Allow") != ""
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return a.Header().Get("Retry-After") != ""
	}
	return true
}

func (r *refusing) head(t *testing.T) int64 {
	t.Helper()
	head, err := r.db.Log().Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return head
}

// from is a browser at an address of its own, so that none of them sends too much.
func (r *refusing) from(b *browser) *browser {
	r.addresses++
	return &browser{r.testServer, fmt.Sprintf("198.18.%d.%d:1", r.addresses/250, r.addresses%250), maps.Clone(b.cookies)}
}

// exhaust sends a route so much that it refuses the next, which it gives.
func (r *refusing) exhaust(t *testing.T, b *browser, name string, route asked, status int) asked {
	t.Helper()
	switch name {
	case "GET /api/dashboard/live":
		address, _ := listen(t, r.testServer)
		for range 4 {
			r.ana.watch(address)
		}
	case "POST /api/auth/login":
		r.occupy(strings.TrimSuffix(b.address, ":1"))
		route.body = `{"username":"` + anaEmail + `","password":"x"}`
	}
	for range 100 {
		if r.ask(b, route, "").Code == status {
			return route
		}
	}
	t.Fatal("it never is too much")
	return route
}

// ask asks a route in one of the wrong ways; in none, as it should be.
func (r *refusing) ask(b *browser, route asked, kind string) answer {
	now := r.clock.Now()
	headers := route.headers(now)
	switch kind {
	case "no session":
		clear(b.cookies)
		delete(headers, signatureHeader)
	case "another site":
		headers["Sec-Fetch-Site"] = "cross-site"
	case "expired":
		b.cookies = maps.Clone(r.late.cookies)
		if headers[signatureHeader] != "" {
			headers = signed([]byte(route.body), now.Add(-time.Hour))
		}
	case "another method":
		route.method = http.MethodDelete
	case "another type":
		route.body, headers["Content-Type"] = "<x/>", "text/xml"
	case "too large":
		route.body = `{"message":"` + strings.Repeat("x", maxBody) + `"}`
		headers = route.headers(now)
	case "malformed":
		route.body = `{"%zz`
		headers = route.headers(now)
	}
	return b.send(route.method, route.path, []byte(route.body), headers)
}
