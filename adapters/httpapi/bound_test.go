package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
)

// visitorRoutes are what names a conversation by its sessionId, with the statuses for who
// shows no cookie, that of the conversation, and another one.
var visitorRoutes = map[string]struct {
	body           func(session, message string) any
	unbound, bound [3]int
}{
	"/api/chatbot":              {func(s, m string) any { return contract.ChatRequest{SessionID: s, Message: "¿Qué tal?"} }, [3]int{200, 200, 200}, [3]int{403, 200, 403}},
	"/api/chatbot/stream":       {func(s, m string) any { return contract.ChatRequest{SessionID: s, Message: "¿Qué tal?"} }, [3]int{200, 200, 200}, [3]int{403, 200, 403}},
	"/api/chatbot?retry":        {func(s, m string) any { return contract.ChatRequest{SessionID: s, Message: "Hola", MessageID: &m} }, [3]int{200, 200, 200}, [3]int{403, 200, 403}},
	"/api/chatbot/stream?retry": {func(s, m string) any { return contract.ChatRequest{SessionID: s, Message: "Hola", MessageID: &m} }, [3]int{200, 200, 200}, [3]int{403, 200, 403}},
	"/api/chatbot/rating":       {func(s, m string) any { return contract.ReplyRating{SessionID: s, MessageID: m, Rating: "positive"} }, [3]int{404, 204, 404}, [3]int{404, 204, 404}},
	"/api/chatbot/conversation": {func(s, m string) any { return contract.ChatConversationRequest{SessionID: s} }, [3]int{404, 200, 404}, [3]int{404, 200, 404}},
	"/api/visits": {func(s, m string) any {
		return contract.Visit{SessionID: s, OpenedBy: new(contract.VisitOpenedBy("visitor"))}
	}, [3]int{204, 204, 204}, [3]int{204, 204, 204}},
}

func TestABoundConversationNeedsItsCookie(t *testing.T) {
	h, n := newTestServer(t), 0
	for path, route := range visitorRoutes {
		for _, bound := range []bool{false, true} {
			for caller, name := range []string{"no cookie", "the cookie", "another cookie"} {
				t.Run(fmt.Sprintf("%s %s, bound %v", path, name, bound), func(t *testing.T) {
					n++
					session, message := fmt.Sprint("s", n), fmt.Sprint("m", n)
					own, other := h.browser(), h.browser()
					own.post("/api/chatbot", contract.ChatRequest{SessionID: session, Message: "Hola", MessageID: &message})
					other.say(fmt.Sprint("other", n), "Hola")
					want := route.unbound[caller]
					if bound {
						own.say(session, "Aquí sigo")
						want = route.bound[caller]
					}
					before := h.conversation(session).Version
					path, _, _ := strings.Cut(path, "?")
					a := []*browser{h.browser(), own, other}[caller].post(path, route.body(session, message))
					if a.Code != want {
						t.Fatalf("got %d, want %d: %s", a.Code, want, a.Body)
					}
					if after := h.conversation(session).Version; after != before && (want >= 400 || path == "/api/visits") {
						t.Errorf("%d events were added", after-before)
					}
					if want < 400 {
						return
					}
					if e := a.refused(want); strings.Contains(a.Body.String(), "Usted dijo") || e.LimitReached != nil {
						t.Errorf("a stranger is told %s", a.Body)
					}
				})
			}
		}
	}
}

func TestAStrangerLearnsNothingOfAConversationThatIsRead(t *testing.T) {
	h := newTestServer(t)
	own, stranger := h.browser(), h.browser()
	own.say("s1", "Hola")
	own.say("s1", "Aquí sigo")
	for _, path := range []string{"/api/chatbot/rating", "/api/chatbot/conversation"} {
		said := map[string]bool{}
		for _, session := range []string{"s1", "unknown"} {
			said[stranger.post(path, contract.ReplyRating{SessionID: session, MessageID: "m", Rating: "positive"}).refused(http.StatusNotFound).Message] = true
		}
		if len(said) != 1 {
			t.Errorf("%s: %v", path, said)
		}
	}
}

// TestTheFirstMessageAgainBringsItsCookieAgain sends the message that began a conversation once more
// from a browser that never got the answer, and others that are not the same or come too late.
func TestTheFirstMessageAgainBringsItsCookieAgain(t *testing.T) {
	url, key := postgrestest.Database(t), keyfiles.NewMasterKey()
	here, there := newTestServerOn(t, url, key), newTestServerOn(t, url, key)
	n := 0
	for _, path := range []string{"/api/chatbot", "/api/chatbot/stream"} {
		for name, change := range map[string]func(m *contract.ChatRequest){
			"equal":                     nil,
			"at the last moment":        func(*contract.ChatRequest) { there.clock.advance(10*time.Minute - 1) },
			"too late":                  func(*contract.ChatRequest) { there.clock.advance(10 * time.Minute) },
			"another text":              func(m *contract.ChatRequest) { m.Message = "Hola." },
			"another id":                func(m *contract.ChatRequest) { m.MessageID = new(uuid.NewString()) },
			"another kind of visit":     func(m *contract.ChatRequest) { m.Referrer = new("search") },
			"an id that can be guessed": func(m *contract.ChatRequest) { m.MessageID = new("1") },
			"no id":                     func(m *contract.ChatRequest) { m.MessageID = nil },
		} {
			t.Run(path+" "+name, func(t *testing.T) {
				n++
				there.clock.advance(here.clock.Now().Sub(there.clock.Now()))
				m := contract.ChatRequest{SessionID: fmt.Sprint("s", n), Message: "Hola", MessageID: new(uuid.NewString())}
				guessed := strings.Contains(name, "guessed") || name == "no id"
				if guessed {
					change(&m)
				}
				lost, again := here.browser(), there.browser()
				lost.post(path, m)
				if change != nil {
					change(&m)
				}
				a := again.post(path, m)
				same := change == nil || name == "at the last moment"
				if got := again.cookies[chatCookie]; same != (got != "" && got == lost.cookies[chatCookie]) || same != (got != "") {
					t.Errorf("%d: the cookie is %q, was %q", a.Code, got, lost.cookies[chatCookie])
				}
				if owned := again.readBack(m.SessionID).Code == http.StatusOK; owned != same {
					t.Errorf("the conversation is read back: %v", owned)
				}
				// Once the browser showed its cookie, nobody is given it any more.
				lost.say(m.SessionID, "Aquí sigo").into(http.StatusOK, &contract.ChatResponse{})
				if late := there.browser(); late.post(path, m).Code < 400 || late.cookies[chatCookie] != "" {
					t.Error("a bound conversation gives its cookie away")
				}
			})
		}
	}
}

func TestClientsWithoutCookiesGoOnByTheSession(t *testing.T) {
	h := newTestServer(t)
	for i := range 4 {
		if a := h.browser().say("s1", fmt.Sprint("mensaje ", i)); a.Code != http.StatusOK {
			t.Fatalf("message %d: %d %s", i, a.Code, a.Body)
		}
	}
}

func TestTabsOfABrowserShareItsCookie(t *testing.T) {
	h := newTestServer(t)
	b := h.browser()
	for i := range 3 {
		for _, session := range []string{"tab1", "tab2"} {
			if a := b.say(session, fmt.Sprint("mensaje ", i)); a.Code != http.StatusOK {
				t.Fatalf("%s: %d %s", session, a.Code, a.Body)
			}
		}
	}
	for _, session := range []string{"tab1", "tab2"} {
		if a := b.readBack(session); a.Code != http.StatusOK {
			t.Errorf("%s is not read back: %d", session, a.Code)
		}
		h.browser().say(session, "soy otro").refused(http.StatusForbidden)
	}

	// Two tabs that begin at once get a cookie each, of which the browser keeps one.
	fresh := []*browser{h.browser(), h.browser()}
	var both sync.WaitGroup
	for i, tab := range fresh {
		both.Go(func() { tab.say(fmt.Sprint("at once ", i), "Hola") })
	}
	both.Wait()
	for i := range fresh {
		if a := fresh[1].say(fmt.Sprint("at once ", i), "¿Y ahora?"); a.Code != http.StatusOK {
			t.Errorf("tab %d: %d %s", i, a.Code, a.Body)
		}
	}
}

func TestASessionIsNamedInNoURL(t *testing.T) {
	doc, err := openAPI()
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			for _, p := range append(item.Parameters, operation.Parameters...) {
				if strings.EqualFold(p.Value.Name, "sessionId") {
					t.Errorf("%s %s has it in the %s", method, path, p.Value.In)
				}
			}
		}
	}
	h := newTestServer(t)
	b := h.browser()
	b.say("s1", "Hola")
	a := b.get("/api/chatbot/conversation?sessionId=s1")
	a.refused(http.StatusMethodNotAllowed)
	if allow := a.Header().Get("Allow"); allow != http.MethodPost {
		t.Errorf("Allow is %q", allow)
	}
}
