package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/password"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	"bitacora/domain/contacts"
	people "bitacora/domain/staff"
	"bitacora/domain/subjects"
	"bitacora/projections"
	"bitacora/projections/builds"
)

// doing is a server whose ways to its databases can be cut, or hang.
type doing struct {
	*testServer
	ana                  *browser
	postgres, clickhouse *enginestest.Line
	// killed ends the requests of a program that is killed.
	killed atomic.Pointer[context.Context]
	bound  atomic.Int64
	hashed string
	n      int
}

func (d *doing) name(of string) string {
	d.n++
	return fmt.Sprint(of, d.n)
}

func (d *doing) says() (*browser, asked, string) {
	message := `{"sessionId":"` + d.name("s") + `","messageId":"` + uuid.NewString() + `","message":"%s"}`
	return d.browser(), asked{body: fmt.Sprintf(message, "Hola")}, fmt.Sprintf(message, "Adiós")
}

func (d *doing) teaches() (*browser, asked, string) {
	d.n++
	first := fmt.Sprintf(`{"slug":"agua%d","topic":"clinica","questions":["¿tienen agua %[1]d?"],"text":"Sí, en la sala de espera.","reason":"Lo preguntan."}`, d.n)
	return d.ana, asked{body: first}, strings.ReplaceAll(first, "sala de espera", "cocina")
}

// talks gives a browser that has a conversation.
func (d *doing) talks() (*browser, string) {
	b, session := d.browser(), d.name("s")
	b.post("/api/chatbot", contract.ChatRequest{SessionID: session, Message: "Hola", MessageID: new("m1")}).into(http.StatusOK, &contract.ChatResponse{})
	return b, session
}

func (d *doing) lead() contacts.Ref { return d.leaves(d.name("lead"), "") }

func (d *doing) colleague() (people.Account, string) {
	email := d.name("c") + "@clinica.example"
	who, err := d.db.Staff().AddAccount(d.t.Context(), email, d.hashed, people.RoleStaff)
	if err != nil {
		d.t.Fatal(err)
	}
	return who, email
}

func (d *doing) signedIn() (people.Account, string, *browser) {
	who, email := d.colleague()
	b := d.browser()
	b.signIn(email, anaPassword).into(http.StatusOK, &contract.User{})
	return who, email, b
}

func newDoing(t *testing.T) *doing {
	d := &doing{postgres: enginestest.NewLine(t, postgrestest.Database(t)), clickhouse: enginestest.NewLine(t, enginestest.ClickHouse(t))}
	alive := t.Context()
	d.killed.Store(&alive)
	d.bound.Store(int64(time.Minute))
	tables, err := clickhouse.Open(d.clickhouse.URL, panama(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tables.Close() })
	if err := tables.CreateBuild(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	d.testServer = newTestServerOn(t, d.postgres.URL, keyfiles.NewMasterKey(), func(h *testServer) {
		h.tables = func() *clickhouse.DB { return tables }
		h.config.Booking.Secret = webhookSecret
		h.config.Bound = func(ctx context.Context) context.Context {
			ctx, leave := context.WithCancel(postgres.WithTimeout(ctx, time.Duration(d.bound.Load())))
			context.AfterFunc(*d.killed.Load(), leave)
			return ctx
		}
		h.config.Staff.Persons.Tables = builds.Withdrawer{
			Builds: h.db, Names: tables,
			Texts:   builds.ErasedTexts{Log: h.db.Log(), Tables: tables, Leases: h.db, Clock: projections.WallClock{}, Logger: slog.New(slog.DiscardHandler)},
			Streams: builds.StreamApplier{Log: h.db.Log(), Skipped: h.db.Log(), Tables: tables, Writer: func(b string) builds.RetryWriter { return tables.Writer(b) }},
		}
	})
	_, d.ana = d.sign(anaEmail, people.RoleOwner)
	if d.hashed, err = password.Hash(anaPassword); err != nil {
		t.Fatal(err)
	}
	return d
}

// outcome asks and gives what was answered with the events that the log holds for it.
func (d *doing) outcome(b *browser, a asked) string {
	d.t.Helper()
	before := d.head()
	answer := b.ask(a)
	return d.since(before, answer)
}

func (d *doing) head() int64 {
	d.t.Helper()
	head, err := d.db.Log().Head(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return head
}

func (d *doing) since(before int64, a answer) string {
	d.t.Helper()
	said := []string{fmt.Sprint(a.Code)}
	if a.Code >= 500 {
		said = append(said, a.Body.String())
	}
	return strings.Join(append(said, d.types(before)...), " ")
}

// types are those of the events after a position.
func (d *doing) types(after int64) (types []string) {
	d.t.Helper()
	events, err := d.db.Log().Scan(d.t.Context(), after, math.MaxInt64, 100)
	if err != nil {
		d.t.Fatal(err)
	}
	for _, e := range events {
		types = append(types, e.Payload.EventType())
	}
	return types
}

// request prepares what a route is asked, by a browser that forgets what it is answered.
func (d *doing) request(name string) (by func() *browser, first, other asked) {
	d.t.Helper()
	d.clock.advance(time.Second)
	b, first, body := promises[name].prepare(d)
	first.method = http.MethodPost
	if first.path == "" {
		_, first.path, _ = strings.Cut(name, " ")
	}
	other = first
	other.body = body
	return func() *browser { return &browser{b.h, b.address, maps.Clone(b.cookies)} }, first, other
}

// refusedForNow says whether a client is told to come again.
func refusedForNow(a answer) bool {
	late := strings.Contains(a.Body.String(), `"status":503`)
	return late || a.Code == http.StatusServiceUnavailable && a.Header().Get("Retry-After") != ""
}

// killedAfterTheAppend asks, and cuts the way to Postgres with the answers by which the append is stored.
func (d *doing) killedAfterTheAppend(b *browser, a asked, stored []string) {
	life, kill := context.WithCancel(d.t.Context())
	d.killed.Store(&life)
	d.postgres.CutAfter(stored...)
	d.gives(time.Second) // what waits for the answer is killed, too
	done := make(chan struct{})
	go func() {
		defer close(done)
		r := b.request(a.method, a.path, []byte(a.body), a.headers(d.clock.Now()))
		d.handler.ServeHTTP(httptest.NewRecorder(), r)
	}()
	for waiting := true; waiting; {
		select {
		case <-done:
			waiting = false
		case <-time.After(time.Millisecond):
			if d.postgres.Away() {
				kill()
			}
		}
	}
	kill()
	d.postgres.CutAfter()
	d.gives(time.Minute)
	alive := d.t.Context()
	d.killed.Store(&alive)
	d.mend()
}

// mend lets Postgres be reached again, and waits until no connection is left from before.
func (d *doing) mend() {
	d.t.Helper()
	d.postgres.Mend()
	eventually(d.t, "Postgres is reached", func() bool {
		var asking sync.WaitGroup
		var failed atomic.Bool
		for range 20 {
			asking.Go(func() {
				if _, err := d.db.Log().Head(context.Background()); err != nil {
					failed.Store(true)
				}
			})
		}
		asking.Wait()
		return !failed.Load()
	})
}

// gives says how long a request has for Postgres.
func (d *doing) gives(patience time.Duration) {
	d.bound.Store(int64(patience))
	d.chat.StoreTimeout = patience
}

// mustCommit cuts the way to Postgres with the answer to the append, before it is committed, and with
// that to the commit: neither is told as done, and the repetition is right in both.
func (d *doing) mustCommit(name string) {
	d.t.Helper()
	p := promises[name]
	for last, again := range map[string]string{"stored": p.once, "COMMIT": p.again} {
		if last == "stored" && name == "POST /api/auth/second-factor/remove" {
			continue // the code is used up
		}
		by, first, _ := d.request(name)
		d.postgres.CutAfter(slices.Compact([]string{"stored", last})...)
		if a := by().ask(first); !refusedForNow(a) {
			d.t.Errorf("%s, cut with the answer %q: %d %s", name, last, a.Code, a.Body)
		}
		d.mend()
		if got := d.outcome(by(), first); got != again {
			d.t.Errorf("%s again, cut with the answer %q: %s, want %s", name, last, got, again)
		}
	}
}

// hangs lets each database hang, and goes on.
func (d *doing) hangs(named []string) {
	named = slices.DeleteFunc(named, func(name string) bool { return strings.Contains(name, "second-factor") }) // a code does not last so long
	type request struct {
		by    func() *browser
		first asked
	}
	prepared := map[string]request{}
	prepare := func() {
		for _, name := range named {
			by, first, _ := d.request(name)
			prepared[name] = request{by, first}
		}
	}
	prepare()
	d.gives(2 * time.Second)
	resume := d.postgres.Hang()
	var asking sync.WaitGroup
	for name, r := range prepared {
		asking.Go(func() {
			if a := r.by().ask(r.first); !refusedForNow(a) {
				d.t.Errorf("%s while Postgres hangs: %d %s", name, a.Code, a.Body)
			}
		})
	}
	asking.Wait()
	resume()
	d.gives(time.Minute)
	for _, name := range named {
		if got := d.outcome(prepared[name].by(), prepared[name].first); got != promises[name].once {
			d.t.Errorf("%s after Postgres hung: %s, want %s", name, got, promises[name].once)
		}
	}

	prepare()
	defer d.clickhouse.Hang()()
	for name, r := range prepared {
		asking.Go(func() {
			began := time.Now()
			a := r.by().ask(r.first)
			if want, _, _ := strings.Cut(promises[name].once, " "); fmt.Sprint(a.Code) != want {
				d.t.Errorf("%s while ClickHouse hangs: %d %s", name, a.Code, a.Body)
			}
			if took := time.Since(began); took > 20*subjects.Patience {
				d.t.Errorf("%s waited %v for ClickHouse", name, took)
			}
		})
	}
	asking.Wait()
}
