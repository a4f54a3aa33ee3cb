package crash

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/clinic"
)

// installation is several programs behind a proxy, which share their databases.
type installation struct {
	*front
	t                  *testing.T
	servers, followers []*programtest.Program
	// door is what visitors and staff know of it.
	door *programtest.Program
}

// manyPrograms are some that serve, each with settings of its own, and two that keep the tables up.
func manyPrograms(t *testing.T, each ...[]string) *installation {
	at := enginestest.Supervisor(t).Endpoints()
	shared := append(forTheMix(t),
		"BITACORA_DATABASE_URL="+at.DatabaseURL, "BITACORA_CLICKHOUSE_URL="+at.ClickHouseURL,
		"BITACORA_KEYS_DIR="+filepath.Join(t.TempDir(), "keys"), "BITACORA_MASTER_KEY="+keyfiles.NewMasterKey().Text(),
		"BITACORA_STOP_DELAY=2s", "BITACORA_TRUSTED_PROXIES=127.0.0.1/32")
	i := &installation{t: t}
	for _, settings := range each {
		i.servers = append(i.servers, programtest.NewEmbedded(t, slices.Concat(shared, settings)...))
	}
	for range 2 {
		p := programtest.NewEmbedded(t, shared...)
		p.Does = "project"
		i.followers = append(i.followers, p)
	}
	i.servers[0].Start() // which migrates
	for _, p := range i.servers[1:] {
		p.Start()
	}
	for _, p := range i.followers {
		p.Launch()
	}
	i.front = newFront(t, i.servers...)
	for _, p := range i.servers {
		i.sees(p)
	}
	door := *i.servers[len(i.servers)-1]
	door.Addr, door.Running = i.Listener.Addr().String(), nil
	i.door = &door
	return i
}

func (i *installation) all() []*programtest.Program { return slices.Concat(i.servers, i.followers) }

// returns starts a program again that was ended.
func (i *installation) returns(p *programtest.Program) {
	i.t.Helper()
	if p.Does != "" {
		p.Launch()
		return
	}
	p.Start()
	i.sees(p)
}

// owners are those that every lease had, by its name and token.
type owners struct {
	of   map[string]map[int64]string
	stop func()
}

// watchOwners looks who has the leases, again and again.
func watchOwners(t *testing.T, url string) *owners {
	ctx, stop := context.WithCancel(context.Background())
	o := &owners{of: map[string]map[int64]string{}}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	var looking sync.WaitGroup
	looking.Go(func() {
		defer conn.Close(context.Background())
		for command.Pause(ctx, 10*time.Millisecond) {
			rows, err := conn.Query(ctx, "SELECT name, owner, token FROM leases WHERE expires_at > clock_timestamp()")
			var name, owner string
			var token int64
			if err == nil {
				_, err = pgx.ForEachRow(rows, []any{&name, &owner, &token}, func() error {
					if o.of[name] == nil {
						o.of[name] = map[int64]string{}
					}
					if before := o.of[name][token]; before != "" && before != owner {
						t.Errorf("lease %s: %s and %s have the same token", name, before, owner)
					}
					o.of[name][token] = owner
					if newest := slices.Max(slices.Collect(maps.Keys(o.of[name]))); token < newest {
						t.Errorf("lease %s: %s has it after a later owner", name, owner)
					}
					return nil
				})
			}
			if err != nil && ctx.Err() == nil {
				t.Error(err)
				return
			}
		}
	})
	o.stop = func() { stop(); looking.Wait() }
	return o
}

// TestThreeServeAndTwoProject kills every process of an installation in turn while people do all that the clinic's
// doors are for, and then stops each in order, of which nobody notices anything.
func TestThreeServeAndTwoProject(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	// To the third the month is full soon, and its assistant fails where it is asked for the address.
	i := manyPrograms(t, nil, nil, []string{"BITACORA_MONTHLY_LIMIT=12", "BITACORA_ASSISTANT_DIR=" + speechless(t)})
	people := newClients(t, i.door)
	held := watchOwners(t, people.app.Load().At.DatabaseURL)
	people.arrive(6, 50*time.Millisecond)
	goesOn := func(after string) {
		t.Helper()
		before := people.acknowledgements()
		i.door.Eventually("people are answered after "+after, time.Minute, func() error {
			if people.acknowledgements() < before+20 {
				return errors.New("fewer than 20 answers since")
			}
			return nil
		})
	}
	goesOn("the start")
	for n, p := range i.all() {
		p.Kill("serve")
		goesOn(fmt.Sprint("program ", n, " was killed"))
		i.returns(p)
	}
	speaks(i.servers[2])
	i.servers[2].Stop()
	i.returns(i.servers[2])
	t.Logf("%d requests failed while programs were killed", len(i.failures()))

	i.door.Eventually("somebody has the lease of who was killed", time.Minute, func() error {
		s, err := people.app.Load().DB.BuildStatus(t.Context(), people.live())
		if err == nil && s.Owner == "" {
			err = errors.New("nobody has")
		}
		return err
	})
	i.strict.Store(true)
	watcher := i.watch(people)
	for n, p := range i.all() {
		p.Stop()
		goesOn(fmt.Sprint("program ", n, " was stopped"))
		i.returns(p)
	}
	watcher.stop()
	i.strict.Store(false)
	if failed := i.failures(); len(failed) > 0 {
		t.Errorf("%d requests failed while programs were stopped: %v", len(failed), failed)
	}
	t.Logf("the dashboard was watched over %d connections", watcher.connections.Load())
	if watcher.connections.Load() < 2 {
		t.Error("no program that stopped let go of the dashboard")
	}
	people.leave()
	people.servers = i.servers
	people.mustAddUp().mustHaveEveryType(t, notByPeople())
	held.stop()
	i.mustHaveHadOwners(held)
	i.mustHoldInSum(people.app.Load())
}

// speaks lets a program have its assistant's own texts.
func speaks(p *programtest.Program) {
	p.Environ = slices.DeleteFunc(p.Environ, func(v string) bool { return strings.HasPrefix(v, "BITACORA_ASSISTANT_DIR=") })
}

// mustHaveHadOwners fails where the live build did not go from hand to hand.
func (i *installation) mustHaveHadOwners(held *owners) {
	i.t.Helper()
	for name, of := range held.of {
		i.t.Logf("lease %s had %d owners", name, len(of))
	}
	if n := len(held.of["b1"]); n < 3 {
		i.t.Errorf("the live build had %d owners", n)
	}
}

// watcher is a dashboard that is open all the time.
type watcher struct {
	connections atomic.Int64
	stop        func()
}

// watch connects again whenever its stream ends, as browsers do.
func (i *installation) watch(people *clients) *watcher {
	ctx, stop := context.WithCancel(context.Background())
	cookie := i.door.SignInAgain()
	w := &watcher{}
	connect := func() {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, i.URL+"/api/dashboard/live", nil)
		if err != nil {
			i.t.Error(err)
			return
		}
		r.Header.Set("Cookie", cookie)
		answer, err := new(http.Client).Do(r)
		if err != nil {
			if ctx.Err() == nil {
				i.t.Error(err)
			}
			return
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			i.t.Errorf("watching the dashboard: %s", answer.Status)
		}
		w.connections.Add(1)
		if _, err := io.Copy(io.Discard, answer.Body); err != nil && ctx.Err() == nil {
			i.t.Errorf("the stream of the dashboard broke off: %v", err)
		}
	}
	people.playing.Go(func() {
		for command.Pause(ctx, 50*time.Millisecond) {
			connect()
		}
	})
	w.stop = stop
	return w
}

// ask sends a request as somebody at an address would, and gives its status and what was said; 0 where
// nobody answered.
func (i *installation) ask(address, path string, body, into any) (status int) {
	sent, err := json.Marshal(body)
	if err != nil {
		i.t.Error(err)
		return 0
	}
	ctx, cancel := context.WithTimeout(context.Background(), programtest.AnswerTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, i.URL+path, bytes.NewReader(sent))
	if err != nil {
		i.t.Error(err)
		return 0
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(clientAddress, address)
	answer, err := browser.Do(r)
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK && into != nil && json.NewDecoder(answer.Body).Decode(into) != nil {
		return 0
	}
	return answer.StatusCode
}

// mustHoldInSum restarts every program with limits, and asks more of all of them than one may give.
func (i *installation) mustHoldInSum(a *app.App) {
	const left, parallel = 12, 40
	month := time.Now().In(clinic.Default().Zone).Format("2006-01")
	begun, err := a.DB.Log().MonthlyCount(i.t.Context(), month)
	if err != nil {
		i.t.Fatal(err)
	}
	for _, p := range i.servers {
		p.Stop()
		p.Environ = append(p.Environ, "BITACORA_MONTHLY_LIMIT="+strconv.Itoa(begun+left), "BITACORA_THROTTLE=on", "BITACORA_ADDRESS_DAILY_LIMIT=1000")
		i.returns(p)
	}
	var mu sync.Mutex
	var started []string
	refused := 0
	together(parallel, func(n int) {
		session := fmt.Sprint("late-", n)
		for {
			switch status := i.ask(fmt.Sprint("198.51.100.", n), "/api/chatbot", map[string]string{"sessionId": session, "messageId": "m1", "message": "¿Dónde quedan?"}, nil); status {
			case http.StatusOK, http.StatusTooManyRequests:
				mu.Lock()
				defer mu.Unlock()
				if status == http.StatusOK {
					started = append(started, session)
				} else {
					refused++
				}
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}, func() {
		i.servers[1].Kill("serve")
	})
	i.returns(i.servers[1])
	count, err := a.DB.Log().MonthlyCount(i.t.Context(), month)
	if len(started) != left || refused != parallel-left || count != begun+left || err != nil {
		i.t.Errorf("%d conversations started and %d were refused of %d, %d of %d in the month, %v", len(started), refused, left, count, begun+left, err)
	}
	i.mustThrottle(started[0])
}

// mustThrottle holds the bounds of bursts, forms and guesses against what one address sends to all programs.
func (i *installation) mustThrottle(session string) {
	began := time.Now()
	// since is how many tokens of a rate came meanwhile.
	since := func(every time.Duration) int { return int(time.Since(began)/every) + 1 }
	mine := i.countOf(60, func(n int) string {
		var said contract.ChatResponse
		status := i.ask("203.0.113.1", "/api/chatbot", map[string]string{"sessionId": session, "messageId": fmt.Sprint("burst-", n), "message": "gracias"}, &said)
		if status == http.StatusOK && said.MessageID == nil {
			return "slowed down"
		}
		return strconv.Itoa(status)
	})
	if n := mine["200"]; n < 9 || n > 10+since(time.Second) || mine["slowed down"] > 20+since(time.Second) {
		i.t.Errorf("messages of one session: %v in %v", mine, time.Since(began))
	}
	forms := i.countOf(40, func(n int) string {
		return strconv.Itoa(i.ask("203.0.113.2", "/api/contact", map[string]string{"name": "Ana Ruiz", "email": "ana@correo.example", "message": fmt.Sprint("Quiero una cita ", n)}, nil))
	})
	if n := forms["204"]; n < 10 || n > 10+since(30*time.Second) || n+forms["429"] != 40 {
		i.t.Errorf("forms of one address: %v in %v", forms, time.Since(began))
	}
	guesses := i.countOf(40, func(int) string {
		return strconv.Itoa(i.ask("203.0.113.3", "/api/auth/login", map[string]string{"username": "luis@clinica.example", "password": "no es"}, nil))
	})
	// Five at once, and then one every five seconds.
	if n := guesses["401"]; n < 5 || n > 5+since(5*time.Second) {
		i.t.Errorf("guesses of one address: %v in %v", guesses, time.Since(began))
	}
	i.t.Logf("of one address: messages %v, forms %v, guesses %v in %v", mine, forms, guesses, time.Since(began))
}

// countOf does something so often at once and counts what came of it.
func (i *installation) countOf(n int, do func(n int) string) map[string]int {
	var mu sync.Mutex
	count := map[string]int{}
	together(n, func(n int) {
		what := do(n)
		mu.Lock()
		defer mu.Unlock()
		count[what]++
	}, func() {})
	return count
}

// together does something n times at once, beside something else.
func together(n int, do func(n int), beside func()) {
	var doing sync.WaitGroup
	for n := range n {
		doing.Go(func() {
			time.Sleep(time.Duration(rand.IntN(100)) * time.Millisecond)
			do(n)
		})
	}
	beside()
	doing.Wait()
}
