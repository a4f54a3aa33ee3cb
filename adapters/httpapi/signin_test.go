package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/password"
	"bitacora/adapters/httpapi/staff"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
	people "bitacora/domain/staff"
	"bitacora/domain/throttle"
)

// attacked is the address that the guesses of these tests come from.
const attacked = "192.0.2.7"

// at is a browser without cookies at an address.
func (s *testServer) at(address string) *browser {
	b := s.browser()
	b.address = address + ":1"
	return b
}

func (b *browser) signIn(email, secret string) answer {
	b.h.t.Helper()
	return b.post("/api/auth/login", contract.Credentials{Username: email, Password: secret})
}

// How many failures are answered without delay, and how many may wait for a comparison.
const (
	maxDeviceFailures  = 5
	maxAccountFailures = 5
	maxAddressFailures = 20
	maxOthersWaiting   = 16
)

// attack uses up the budget of an address with names that nobody has.
func (s *testServer) attack(address string) {
	s.t.Helper()
	for i := range maxAddressFailures {
		s.at(address).signIn(fmt.Sprintf("u%d@clinica.example", i), "x").refused(http.StatusUnauthorized)
	}
}

// occupied is for how long somebody who [testServer.occupy] has wait does.
const occupied = time.Minute

// occupy has somebody wait at an address, so that whoever would have to wait there too is
// told so at once.
func (s *testServer) occupy(address string) {
	s.t.Helper()
	if _, err := s.config.Staff.Authenticator.Throttle.Take(s.t.Context(), throttle.Bucket{Rate: throttle.Rate{Every: occupied, Burst: 1}, Key: "sign-ins of " + address}); err != nil {
		s.t.Fatal(err)
	}
}

func TestRightPasswordGetsInBesideGuessing(t *testing.T) {
	h := newTestServer(t)
	h.hire()
	auth := h.config.Staff.Authenticator
	taken := &tellingThrottle{auth.Throttle, make(chan struct{}, 10)}
	auth.Throttle = taken
	known := h.at(attacked)
	known.signIn(anaEmail, anaPassword)
	known.post("/api/auth/logout", nil)
	h.attack(attacked)

	auth.Delay = 10 * time.Minute // who has to wait does not come back
	if a := known.signIn(anaEmail, anaPassword); a.Code != http.StatusOK {
		t.Errorf("a known browser at an attacked address: %d %s", a.Code, a.Body)
	}
	if a := h.at("192.0.2.8").signIn(anaEmail, anaPassword); a.Code != http.StatusOK {
		t.Errorf("another address: %d %s", a.Code, a.Body)
	}
	waits, leave := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := auth.SignIn(waits, staff.Attempt{Email: anaEmail, Password: anaPassword, Address: attacked})
		gone <- err
	}()
	<-taken.taken
	second := h.at(attacked).signIn(anaEmail, anaPassword)
	if second.refused(http.StatusTooManyRequests); second.Header().Get("Retry-After") != "5" {
		t.Errorf("Retry-After is %q", second.Header().Get("Retry-After"))
	}
	if auth.Others.Len() > 0 {
		t.Error("an unknown browser at an attacked address did not wait")
	}
	leave()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("who waited and left: %v", err)
	}

	h.clock.advance(auth.Delay)
	auth.Delay = time.Millisecond
	h.at(attacked).signIn("nobody@clinica.example", anaPassword).refused(http.StatusUnauthorized)
	h.clock.advance(auth.Delay)
	if a := h.at(attacked).signIn(anaEmail, anaPassword); a.Code != http.StatusOK {
		t.Errorf("an unknown browser at an attacked address, after its wait: %d %s", a.Code, a.Body)
	}
	auth.Delay = time.Hour
	h.clock.advance(people.FailureWindow + time.Second)
	if a := h.at(attacked).signIn(anaEmail, anaPassword); a.Code != http.StatusOK {
		t.Errorf("after the window: %d %s", a.Code, a.Body)
	}
}

// tellingThrottle tells of every token that was taken.
type tellingThrottle struct {
	staff.Throttle
	taken chan struct{}
}

func (t *tellingThrottle) Take(ctx context.Context, buckets ...throttle.Bucket) ([]time.Duration, error) {
	defer func() { t.taken <- struct{}{} }()
	return t.Throttle.Take(ctx, buckets...)
}

func TestGuessingOneAccountIsDelayed(t *testing.T) {
	h := newTestServer(t)
	h.hire()
	h.occupy(attacked)
	for range maxAccountFailures {
		h.at(attacked).signIn(anaEmail, "no es la contraseña").refused(http.StatusUnauthorized)
	}
	h.at(attacked).signIn(anaEmail, anaPassword).refused(http.StatusTooManyRequests)
	h.at(attacked).signIn("luis@clinica.example", "x").refused(http.StatusUnauthorized)
}

func TestKnownBrowserIsBoundToWhoSignedIn(t *testing.T) {
	h := newTestServer(t)
	ana := h.hire()
	luis, err := h.db.Staff().AddAccount(t.Context(), "luis@clinica.example", ana.PasswordHash, people.RoleStaff)
	if err != nil {
		t.Fatal(err)
	}
	b := h.at(attacked)
	b.signIn(anaEmail, anaPassword)
	first := b.cookies[deviceCookie]
	h.attack(attacked)
	h.occupy(attacked)

	b.signIn(luis.Email, anaPassword).refused(http.StatusTooManyRequests)
	b.signIn("nobody@clinica.example", anaPassword).refused(http.StatusTooManyRequests)
	if a := b.signIn(anaEmail, anaPassword); a.Code != http.StatusOK || b.cookies[deviceCookie] == first {
		t.Errorf("known browser: %d, its secret stayed: %v", a.Code, b.cookies[deviceCookie] == first)
	}
	copied := h.at(attacked)
	copied.cookies[deviceCookie] = first
	copied.signIn(anaEmail, anaPassword).refused(http.StatusTooManyRequests)
	copied.cookies[deviceCookie] = b.cookies[deviceCookie]
	copied.get("/api/auth/user").refused(http.StatusUnauthorized)

	// Two people share a browser.
	h.clock.advance(occupied)
	b.signIn(luis.Email, anaPassword)
	h.occupy(attacked)
	for _, email := range []string{anaEmail, luis.Email, anaEmail} {
		if a := b.signIn(email, anaPassword); a.Code != http.StatusOK {
			t.Errorf("%s in the shared browser: %d", email, a.Code)
		}
	}
	if err := h.db.Staff().SetPassword(t.Context(), ana.ID, ana.PasswordHash, [32]byte{}); err != nil {
		t.Fatal(err)
	}
	b.signIn(anaEmail, anaPassword).refused(http.StatusTooManyRequests)
	if a := b.signIn(luis.Email, anaPassword); a.Code != http.StatusOK {
		t.Errorf("another's password change made the browser unknown: %d", a.Code)
	}
	h.clock.advance(people.DeviceLifetime)
	h.attack(attacked)
	h.occupy(attacked)
	b.signIn(luis.Email, anaPassword).refused(http.StatusTooManyRequests)
}

func TestKnownBrowserHasABudgetOfItsOwn(t *testing.T) {
	h := newTestServer(t)
	h.hire()
	b := h.at(attacked)
	b.signIn(anaEmail, anaPassword)
	for range maxDeviceFailures {
		b.signIn(anaEmail, "no es la contraseña").refused(http.StatusUnauthorized)
	}
	ofAccount, ofAddress, err := h.db.Staff().LoginFailures(t.Context(), anaEmail, attacked, h.clock.Now())
	if ofAccount != 0 || ofAddress != 0 || err != nil {
		t.Errorf("its failures count for the address: %d, %d, %v", ofAccount, ofAddress, err)
	}
	h.attack(attacked)
	h.occupy(attacked)
	b.signIn(anaEmail, anaPassword).refused(http.StatusTooManyRequests)
	h.clock.advance(people.FailureWindow + time.Second)
	h.attack(attacked)
	if a := b.signIn(anaEmail, anaPassword); a.Code != http.StatusOK {
		t.Errorf("after the window: %d", a.Code)
	}
}

// TestManyGuessersDoNotStarveTheStaff has 300 guessers from 300 addresses behind a
// proxy. What is counted is how many of their passwords are compared while somebody waits.
func TestManyGuessersDoNotStarveTheStaff(t *testing.T) {
	h := newTestServer(t, func(h *testServer) {
		h.config.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	h.hire()
	known := h.staffBrowser()
	server := httptest.NewServer(h.handler)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 400}}
	signIn := func(address, email, secret, device string) (status int, retry, said string) {
		body, _ := json.Marshal(contract.Credentials{Username: email, Password: secret})
		r, err := http.NewRequest(http.MethodPost, server.URL+"/api/auth/login", bytes.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Forwarded-For", address)
		if device != "" {
			r.Header.Set("Cookie", deviceCookie+"="+device)
		}
		a, err := client.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer a.Body.Close()
		text, _ := io.ReadAll(a.Body)
		return a.StatusCode, a.Header.Get("Retry-After"), string(text)
	}

	var compared, turnedAway atomic.Int64
	stop := make(chan struct{})
	var guessers sync.WaitGroup
	for i := range 300 {
		guessers.Go(func() {
			for try := 0; ; try++ {
				select {
				case <-stop:
					return
				default:
				}
				switch status, retry, said := signIn(fmt.Sprintf("203.0.%d.%d", i/200, i%200+1), fmt.Sprintf("u%d-%d@clinica.example", i, try), "x", ""); status {
				case http.StatusUnauthorized:
					compared.Add(1)
				case http.StatusServiceUnavailable:
					if turnedAway.Add(1) == 1 && (retry != "2" || !bytes.Contains([]byte(said), []byte("Hay demasiados accesos a la vez."))) {
						t.Errorf("Retry-After %q, %s", retry, said)
					}
					time.Sleep(50 * time.Millisecond)
				default:
					t.Errorf("a guess is answered %d %s", status, said)
				}
			}
		})
	}
	for turnedAway.Load() < 300 && compared.Load() < 300 {
		time.Sleep(time.Millisecond)
	}
	if turnedAway.Load() == 0 {
		t.Error("nobody was turned away")
	}
	before := compared.Load()
	status, _, said := signIn("198.51.100.1", anaEmail, anaPassword, known)
	if waited := compared.Load() - before; status != http.StatusOK || waited >= maxOthersWaiting {
		t.Errorf("a known browser: %d %s, after %d guesses", status, said, waited)
	}
	before = compared.Load()
	status, _, said = signIn("198.51.100.2", anaEmail, anaPassword, "")
	if waited := compared.Load() - before; status != http.StatusOK && status != http.StatusServiceUnavailable || waited > 2*maxOthersWaiting {
		t.Errorf("an unknown browser: %d %s, after %d guesses", status, said, waited)
	}
	close(stop)
	guessers.Wait()
	if status, _, said := signIn("198.51.100.2", anaEmail, anaPassword, ""); status != http.StatusOK {
		t.Errorf("an unknown browser after the guessers: %d %s", status, said)
	}
}

// staffBrowser is the secret of a browser in which Ana signed in.
func (s *testServer) staffBrowser() (device string) {
	b := s.browser()
	b.signIn(anaEmail, anaPassword)
	return b.cookies[deviceCookie]
}

// TestEveryFailureCostsTheSame holds what is asked of the databases and compared against
// what a failure with a known name asks.
func TestEveryFailureCostsTheSame(t *testing.T) {
	h := newTestServer(t)
	h.hire()
	counting := &countingStaff{Staff: h.db.Staff()}
	auth := h.config.Staff.Authenticator
	auth.Accounts, auth.Failures, auth.Devices = counting, counting, counting
	asked := map[string][]string{}
	for name, email := range map[string]string{"known": anaEmail, "unknown": "nobody@clinica.example"} {
		counting.asked = nil
		h.at(attacked).signIn(email, "no es la contraseña").refused(http.StatusUnauthorized)
		asked[name] = counting.asked
	}
	if fmt.Sprint(asked["known"]) != fmt.Sprint(asked["unknown"]) || len(asked["known"]) != 4 {
		t.Errorf("asked %v", asked)
	}
	if fits, err := password.Matches(password.Decoy, "x"); fits || err != nil {
		t.Errorf("the decoy: %v, %v", fits, err)
	}
}

// TestTypedNamesAreNotKept looks for a name that was typed in vain in every table, as it is
// and as what can be found out by trying names.
func TestTypedNamesAreNotKept(t *testing.T) {
	url := postgrestest.Database(t)
	h := newTestServerOn(t, url, keyfiles.NewMasterKey())
	h.hire()
	const typed = "Mi-Contraseña-Secreta"
	for _, name := range []string{typed, typed + "@clinica.example"} {
		h.at(attacked).signIn(name, "x").refused(http.StatusUnauthorized)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(t.Context(), "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public'")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) < 20 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	lower := strings.ToLower(typed)
	plain := sha256.Sum256([]byte(lower))
	kept := 0
	for _, table := range tables {
		rows, err := conn.Query(t.Context(), "SELECT lower(t::text) FROM "+pgx.Identifier{table}.Sanitize()+" t")
		if err != nil {
			t.Fatal(err)
		}
		contents, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		if table == "login_failures" {
			kept = len(contents)
		}
		for _, row := range contents {
			for _, found := range []string{lower, hex.EncodeToString([]byte(lower)), hex.EncodeToString([]byte(typed)), hex.EncodeToString(plain[:])} {
				if strings.Contains(row, found) {
					t.Errorf("table %s keeps %s: %s", table, found, row)
				}
			}
		}
	}
	if kept != 2 {
		t.Errorf("%d failures are kept", kept)
	}
}

type countingStaff struct {
	*postgres.Staff
	asked []string
}

func (c *countingStaff) AccountByEmail(ctx context.Context, email string) (people.Account, error) {
	c.asked = append(c.asked, "account")
	return c.Staff.AccountByEmail(ctx, email)
}

func (c *countingStaff) LoginFailures(ctx context.Context, email, address string, now time.Time) (int, int, error) {
	c.asked = append(c.asked, "failures")
	return c.Staff.LoginFailures(ctx, email, address, now)
}

func (c *countingStaff) RecordLoginFailure(ctx context.Context, f people.Failure) error {
	c.asked = append(c.asked, "record")
	return c.Staff.RecordLoginFailure(ctx, f)
}
