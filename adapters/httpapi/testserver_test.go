package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/booking"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/site"
	"bitacora/adapters/httpapi/staff"
	"bitacora/adapters/httpapi/visitor"
	"bitacora/adapters/httpapi/web"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/chartnotes"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	people "bitacora/domain/staff"
	"bitacora/domain/subjects"
	"bitacora/domain/teaching"
	"bitacora/projections"
)

func TestMain(m *testing.M) { enginestest.Main(m) }

// noon is when the tests' clocks begin: 3 November 2026, 12:00 in Panama.
var noon = time.Date(2026, 11, 3, 17, 0, 0, 0, time.UTC)

// clock stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// parrot is an assistant that says what it was told, or that it cannot.
type parrot struct {
	mute bool
	// ignorant says that it has no answer.
	ignorant bool
	meaning  chat.Understanding
}

func (p *parrot) Reply(_ context.Context, q chat.Question) (chat.Reply, error) {
	if p.mute {
		return chat.Reply{}, errors.New("the parrot sleeps")
	}
	return chat.Reply{Text: "Usted dijo: " + q.Text, Provider: "tests", Model: "loro-1", Answered: !p.ignorant}, nil
}

// Understand implements [chat.Understander].
func (p *parrot) Understand(context.Context, chat.Question) (chat.Understanding, error) {
	return p.meaning, nil
}

// testServer is the whole program on real databases, without the network and without waiting:
// what was appended is projected when a test says so.
type testServer struct {
	t       testing.TB
	clock   *clock
	parrot  *parrot
	chat    *chat.Service
	db      *postgres.DB
	tables  func() *clickhouse.DB
	config  Config
	handler http.Handler
	log     *bytes.Buffer
}

const build = "b1"

// The cookies of a conversation, of a signed-in browser and of one that signed in before.
const (
	chatCookie   = "__Host-bitacora-chat"
	staffCookie  = "__Host-bitacora"
	deviceCookie = "__Host-bitacora-device"
)

// isoTime is how the interface writes an instant.
const isoTime = "2006-01-02T15:04:05.000Z"

// website is what the webapp's build looks like.
var website = fstest.MapFS{
	"index.html":             {Data: []byte("<!doctype html><title>Clínica</title><link rel=\"stylesheet\" crossorigin href=\"/assets/index-a1b2c3.css\"><div id=\"root\"></div><main class=\"late\">Reintentar</main>" + strings.Repeat("<p>hola</p>", 300))},
	"favicon.svg":            {Data: []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")},
	"assets/index-a1b2c3.js": {Data: []byte("console.log('hola')")},
	".gitkeep":               {},
	".well-known/x":          {Data: []byte("x")},
}

// newTestServer builds a server; the changes are made to its configuration before.
func newTestServer(t testing.TB, changes ...func(*testServer)) *testServer {
	t.Helper()
	return newTestServerOn(t, postgrestest.Database(t), keyfiles.NewMasterKey(), changes...)
}

// newTestServerOn builds a server on a database that others may share, as several processes do.
func newTestServerOn(t testing.TB, url string, key keyfiles.MasterKey, changes ...func(*testServer)) *testServer {
	t.Helper()
	h := &testServer{t: t, clock: &clock{now: noon}, parrot: &parrot{}, log: &bytes.Buffer{}}
	h.openPostgres(url, key)
	h.tables = sync.OnceValue(h.openClickHouse)
	logger := slog.New(slog.NewJSONHandler(&synchronized{w: h.log}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	h.chat = &chat.Service{
		Log: h.db.Log(), Understander: h.parrot, Assistant: h.parrot, Clinic: clinic.Default(), ReplyTimeout: 10 * time.Second, StoreTimeout: 10 * time.Second, Now: h.clock.Now, NewID: uuid.NewString,
	}
	accounts := h.db.Staff()
	usage := &staff.MonthlyUsage{Live: h.live, Counter: h.db.Log(), Zone: panama(t), Now: h.clock.Now, Logger: logger}
	h.config = Config{
		Site: site.Config{
			Content: &site.ContentCache{Contents: h.db.Content(), Clinic: clinic.Default(), Now: h.clock.Now, Logger: logger},
			Build:   website,
			Pages:   &renderCounter{},
			Agenda:  h.chat,
			Origin:  "https://clinica.example",
		},
		Visitor: visitor.Config{
			Chat:          h.chat,
			Conversations: h.chat,
			Browser:       &chat.Browser{Log: h.db.Log(), Eraser: eraser{h}, Now: h.clock.Now},
			MonthlyUsage:  usage,
			DeriveToken:   h.db.Log().DeriveToken,
			Mailbox:       &clinic.Mailbox{Log: h.db.Log(), Clinic: clinic.Default(), Now: h.clock.Now, NoticeVersion: func(context.Context) string { return clinic.Default().NoticeVersion }, IDOf: h.db.Log().DeriveID},
		},
		Booking: booking.Config{Bookings: h.chat},
		Staff: staff.Config{
			Authenticator: staff.NewAuthenticator(staff.AuthenticatorConfig{
				Accounts: accounts, Sessions: accounts, Devices: accounts, Failures: accounts, Factors: accounts, Log: h.db.Log(), Now: h.clock.Now,
				Throttle: h.db.Throttle(h.clock.Now), SessionsEnded: h.db.SessionsEnded,
			}),
			Accounts:     &people.Register{Store: accounts, Now: h.clock.Now, NewID: uuid.NewString},
			OpenSessions: accounts.OpenSessions, LatestOfStaff: h.db.Log().LatestOfStaff,
			Live:         h.live,
			MonthlyUsage: usage,
			OthersActed:  accounts.OthersActed,
			Log:          h.db.Log(),
			Bookings:     h.chat,
			Contacts:     &contacts.Register{Log: h.db.Log(), Now: h.clock.Now},
			Colleagues:   accounts.Accounts,
			Questions:    h.chat,
			Meanings:     meanings,
			Teaching: &teaching.Register{
				Store: h.db.Teaching(), Log: h.db.Log(), Rehearse: h.rehearse, Clinic: clinic.Default(), Now: h.clock.Now, NewID: uuid.NewString,
			},
			Taught: func() { h.config.Site.Content.Changed() },
			ChartNotes: &chartnotes.Register{
				Log: postgres.ChartNotes{Log: h.db.Log()}, Now: h.clock.Now, NewID: uuid.NewString,
				TellsOf: func(ctx context.Context, text string) (bool, error) {
					return h.config.Staff.Teaching.TellsOf(ctx, text)
				},
			},
			Clinic: clinic.Default(),
		},
		Responder:  web.Responder{Logger: logger, KindOf: kindOf},
		Postgres:   h.db.Ping,
		ClickHouse: func(ctx context.Context) error { return h.tables().Ping(ctx) },
		Now:        h.clock.Now,
	}
	h.withPersons()
	for _, change := range changes {
		change(h)
	}
	var err error
	if h.handler, err = New(h.config); err != nil {
		t.Fatal(err)
	}
	return h
}

// kindOf classifies the errors of both engines.
func kindOf(err error) fault.Kind { return cmp.Or(clickhouse.KindOf(err), postgres.KindOf(err)) }

// limited allows so many conversations a month.
func limited(n int) func(*testServer) {
	return func(h *testServer) {
		h.config.Staff.MonthlyUsage.Limit = &n
		h.chat.MonthlyLimit = &n
	}
}

func panama(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/Panama")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func (s *testServer) openPostgres(url string, key keyfiles.MasterKey) {
	s.t.Helper()
	s.db = postgrestest.Open(s.t, url, key)
	if _, err := s.db.Content().Seed(s.t.Context(), clinic.DefaultContent()); err != nil {
		s.t.Fatal(err)
	}
}

// openClickHouse is done when a test first needs tables; most need none.
func (s *testServer) openClickHouse() *clickhouse.DB { return s.openClickHouseIn(panama(s.t)) }

func (s *testServer) openClickHouseIn(zone *time.Location) *clickhouse.DB {
	s.t.Helper()
	tables, err := clickhouse.Open(enginestest.ClickHouse(s.t), zone)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := tables.CreateBuild(s.t.Context(), build); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := errors.Join(tables.DropBuild(context.Background(), build), tables.Close()); err != nil {
			s.t.Error(err)
		}
	})
	return tables
}

func (s *testServer) live(ctx context.Context) (staff.Tables, staff.Through, error) {
	head, err := s.db.Log().Head(ctx)
	return s.tables().Reader(build), staff.Through{Position: head, Time: s.clock.Now()}, err
}

// project brings the tables up to the log.
func (s *testServer) project() {
	s.t.Helper()
	events, err := s.db.Log().Scan(s.t.Context(), 0, math.MaxInt64, 1_000_000)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.tables().Writer(build).Write(s.t.Context(), projections.RowsOf(events)); err != nil {
		s.t.Fatal(err)
	}
}

const (
	anaEmail    = "ana@clinica.example"
	anaPassword = "una contraseña larga"
	// anaHash is of anaPassword at the least cost: what a hash costs, the tests of the package password say.
	anaHash = "$argon2id$v=19$m=8,t=1,p=1$c2FsdC1vZi10aGUtdGVzdA$vd38xV86ukG/HCbIFd6Cir0SLw/Wlp9fypa/K4sw8D0"
)

// hire gives Ana an account.
func (s *testServer) hire() people.Account {
	s.t.Helper()
	account, err := s.db.Staff().AddAccount(s.t.Context(), anaEmail, anaHash, people.RoleStaff)
	if err != nil {
		s.t.Fatal(err)
	}
	return account
}

// browser is one visitor's or one staff member's: it keeps its cookies, and every answer
// of the interface that it gets is held against the contract.
type browser struct {
	h       *testServer
	address string
	cookies map[string]string
}

func (s *testServer) browser() *browser {
	return &browser{h: s, address: "192.0.2.1:40000", cookies: map[string]string{}}
}

// staff is a browser in which Ana is signed in.
func (s *testServer) staff() *browser {
	s.t.Helper()
	s.hire()
	b := s.browser()
	if a := b.post("/api/auth/login", contract.Credentials{Username: anaEmail, Password: anaPassword}); a.Code != http.StatusOK {
		s.t.Fatalf("sign in: %d %s", a.Code, a.Body)
	}
	return b
}

// answer is what a browser got.
type answer struct {
	*httptest.ResponseRecorder
	t testing.TB
}

func (b *browser) get(path string) answer { return b.send(http.MethodGet, path, nil, nil) }

// post sends a value as JSON, or no body at all.
func (b *browser) post(path string, body any) answer {
	b.h.t.Helper()
	if body == nil {
		return b.send(http.MethodPost, path, nil, nil)
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		b.h.t.Fatal(err)
	}
	return b.send(http.MethodPost, path, encoded, map[string]string{"Content-Type": "application/json"})
}

// say sends a chat message.
func (b *browser) say(session, text string) answer {
	b.h.t.Helper()
	return b.post("/api/chatbot", contract.ChatRequest{SessionID: session, Message: text})
}

// readBack asks for a conversation after a reload.
func (b *browser) readBack(session string) answer {
	b.h.t.Helper()
	return b.post("/api/chatbot/conversation", contract.ChatConversationRequest{SessionID: session})
}

func (b *browser) send(method, path string, body []byte, headers map[string]string) answer {
	b.h.t.Helper()
	r := b.request(method, path, body, headers)
	w := httptest.NewRecorder()
	b.h.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c.Value
		}
	}
	checkAgainstContract(b.h.t, r, w)
	return answer{w, b.h.t}
}

// request is one that the browser sends.
func (b *browser) request(method, path string, body []byte, headers map[string]string) *http.Request {
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	r.RemoteAddr = b.address
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	return r
}

// into decodes an answer of the expected status.
func (a answer) into(status int, v any) {
	a.t.Helper()
	if a.Code != status {
		a.t.Fatalf("got status %d, want %d: %s", a.Code, status, a.Body)
	}
	if err := json.Unmarshal(a.Body.Bytes(), v); err != nil {
		a.t.Fatalf("decode %s: %v", a.Body, err)
	}
}

// refused checks that an answer is an error of a status, and gives it.
func (a answer) refused(status int) contract.Error {
	a.t.Helper()
	var e contract.Error
	a.into(status, &e)
	if e.Message == "" || e.RequestID == "" || e.RequestID != a.Header().Get("X-Request-Id") {
		a.t.Errorf("error %+v, want a sentence and the request's id %q", e, a.Header().Get("X-Request-Id"))
	}
	return e
}

type synchronized struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *synchronized) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

// eraser erases what visitors said on their own word.
type eraser struct{ h *testServer }

func (e eraser) Erase(ctx context.Context, streams []string) (pending bool, err error) {
	report, err := e.h.config.Staff.Persons.Erase(ctx, subjects.Erasure{
		By: event.ByVisitor, Reason: event.ReasonRequest, Subjects: streams, CancelBookings: true,
	})
	return report.Pending, err
}
