package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/event"
	people "bitacora/domain/staff"
	"bitacora/domain/throttle"
)

// secured sets a second factor up for whoever is signed in, and gives its secret and recovery codes.
func (b *browser) secured() (secret string, recovery []string) {
	b.h.t.Helper()
	var key contract.SecondFactorKey
	b.post("/api/auth/second-factor/begin", nil).into(http.StatusOK, &key)
	var codes contract.RecoveryCodes
	b.post("/api/auth/second-factor/confirm", contract.SecondFactorCode{Code: b.h.code(key.Secret, 0)}).into(http.StatusOK, &codes)
	return key.Secret, codes.RecoveryCodes
}

// code is what an app shows whose clock is off.
func (s *testServer) code(secret string, off time.Duration) string {
	s.t.Helper()
	code, err := totp.GenerateCode(secret, s.clock.Now().Add(off))
	if err != nil {
		s.t.Fatal(err)
	}
	return code
}

func (b *browser) signInWith(email, secret, code string) answer {
	b.h.t.Helper()
	return b.post("/api/auth/login", contract.Credentials{Username: email, Password: secret, Code: &code})
}

func TestSecondFactorIsAskedFor(t *testing.T) {
	h := newTestServer(t)
	ana, b := h.sign(anaEmail, people.RoleReader)
	phone := h.again(anaEmail, anaPassword)
	b.post("/api/auth/second-factor/confirm", contract.SecondFactorCode{Code: "123456"}).refused(http.StatusConflict)

	var former, key contract.SecondFactorKey
	b.post("/api/auth/second-factor/begin", nil).into(http.StatusOK, &former)
	h.again(anaEmail, anaPassword) // nobody is asked for what was only begun
	b.post("/api/auth/second-factor/begin", nil).into(http.StatusOK, &key)
	if wrong := b.post("/api/auth/second-factor/confirm", contract.SecondFactorCode{Code: h.code(former.Secret, 0)}).refused(http.StatusBadRequest); wrong.Fields == nil || (*wrong.Fields)["code"] == "" {
		t.Errorf("a wrong first code: %+v", wrong)
	}
	var codes contract.RecoveryCodes
	b.post("/api/auth/second-factor/confirm", contract.SecondFactorCode{Code: h.code(key.Secret, 0)}).into(http.StatusOK, &codes)
	if len(codes.RecoveryCodes) != 10 {
		t.Errorf("recovery codes %q", codes.RecoveryCodes)
	}
	phone.get("/api/auth/user").refused(http.StatusUnauthorized)
	b.post("/api/auth/second-factor/begin", nil).refused(http.StatusConflict)
	b.post("/api/auth/second-factor/confirm", contract.SecondFactorCode{Code: h.code(key.Secret, 0)}).refused(http.StatusConflict)
	var user contract.User
	b.get("/api/auth/user").into(http.StatusOK, &user)
	if user.SecondFactor != contract.On {
		t.Errorf("the user: %+v", user)
	}

	needed := phone.signIn(anaEmail, anaPassword).refused(http.StatusUnauthorized)
	if needed.Fields == nil || (*needed.Fields)["code"] == "" {
		t.Errorf("without a code: %+v", needed)
	}
	if phone.cookies[staffCookie] != "" {
		phone.get("/api/auth/user").refused(http.StatusUnauthorized)
	}
	if ofAccount, _, err := h.db.Staff().LoginFailures(t.Context(), anaEmail, "192.0.2.1", h.clock.Now()); ofAccount != 0 || err != nil {
		t.Errorf("to be asked for a code counts as %d failures, %v", ofAccount, err)
	}
	h.clock.advance(30 * time.Second)
	if a := phone.signInWith(anaEmail, anaPassword, " "+h.code(key.Secret, 0)[:3]+" "+h.code(key.Secret, 0)[3:]+" "); a.Code != http.StatusOK {
		t.Errorf("with a code: %d %s", a.Code, a.Body)
	}
	phone.get("/api/auth/user").into(http.StatusOK, &user)
	want := event.StaffSecondFactorChanged{AccountChange: event.AccountChange{StaffID: ana.ID, By: ana.ID}, On: true}
	if changed := recorded[*event.StaffSecondFactorChanged](h, ana.ID); len(changed) != 1 || *changed[0] != want {
		t.Errorf("recorded %+v", changed)
	}
}

func TestACodeIsTakenOnce(t *testing.T) {
	h := newTestServer(t)
	_, b := h.sign(anaEmail, people.RoleStaff)
	secret, _ := b.secured()
	h.browser().signInWith(anaEmail, anaPassword, h.code(secret, 0)).refused(http.StatusUnauthorized) // it confirmed
	h.clock.advance(time.Minute)
	early, now := h.code(secret, -30*time.Second), h.code(secret, 0)
	for _, off := range []time.Duration{-time.Minute, time.Minute} {
		h.browser().signInWith(anaEmail, anaPassword, h.code(secret, off)).refused(http.StatusUnauthorized)
	}

	var in atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if h.browser().signInWith(anaEmail, anaPassword, now).Code == http.StatusOK {
				in.Add(1)
			}
		})
	}
	all.Wait()
	if in.Load() != 1 {
		t.Errorf("%d signed in with one code", in.Load())
	}
	h.clock.advance(people.FailureWindow + time.Second)
	now, late := h.code(secret, 0), h.code(secret, 30*time.Second)
	if a := h.browser().signInWith(anaEmail, anaPassword, late); a.Code != http.StatusOK {
		t.Errorf("a telephone whose clock is fast: %d %s", a.Code, a.Body)
	}
	for name, code := range map[string]string{"the same": late, "an older": now, "an old": early} {
		if h.browser().signInWith(anaEmail, anaPassword, code).Code != http.StatusUnauthorized {
			t.Errorf("%s code was taken", name)
		}
	}
}

func TestRecoveryCodesStandInForTheApp(t *testing.T) {
	h := newTestServer(t)
	ana, b := h.sign(anaEmail, people.RoleStaff)
	luis, other := h.sign("luis@clinica.example", people.RoleStaff)
	_, recovery := b.secured()
	other.secured()
	h.browser().signInWith(luis.Email, anaPassword, recovery[0]).refused(http.StatusUnauthorized)
	for _, code := range []string{recovery[0], strings.ReplaceAll(recovery[1], "-", " ")} {
		if a := h.browser().signInWith(anaEmail, anaPassword, code); a.Code != http.StatusOK {
			t.Errorf("%s: %d %s", code, a.Code, a.Body)
		}
		h.browser().signInWith(anaEmail, anaPassword, code).refused(http.StatusUnauthorized)
	}
	var factor contract.SecondFactor
	b.get("/api/auth/second-factor").into(http.StatusOK, &factor)
	if !factor.On || factor.RecoveryCodes != 8 {
		t.Errorf("the second factor: %+v", factor)
	}
	used := recorded[*event.StaffRecoveryCodeUsed](h, ana.ID)
	if len(used) != 2 || used[0].Left != 9 || used[1].Left != 8 {
		t.Errorf("recorded %+v", used)
	}
}

// TestOneAnswerForWrongPasswordAndCode shows that they are answered and counted alike.
func TestOneAnswerForWrongPasswordAndCode(t *testing.T) {
	h := newTestServer(t)
	ana, b := h.sign(anaEmail, people.RoleStaff)
	secret, _ := b.secured()
	h.clock.advance(time.Minute)
	said := map[string]bool{}
	for _, try := range [][2]string{{anaPassword, "000000"}, {"otra contraseña", h.code(secret, 0)}, {"otra contraseña", "000000"}, {anaPassword, "000000000000"}, {anaPassword, "x"}} {
		e := h.at(attacked).signInWith(anaEmail, try[0], try[1]).refused(http.StatusUnauthorized)
		if e.Fields != nil {
			t.Errorf("%q: %+v", try, e)
		}
		said[e.Message] = true
	}
	if len(said) != 1 {
		t.Errorf("answers %v", said)
	}
	if failed := recorded[*event.StaffSignInFailed](h, ana.ID); len(failed) != 1 {
		t.Errorf("recorded %+v", failed)
	}
	// The budget is used up.
	h.occupy(attacked)
	h.at(attacked).signInWith(anaEmail, anaPassword, h.code(secret, 0)).refused(http.StatusTooManyRequests)
	if a := h.at("192.0.2.8").signInWith(anaEmail, anaPassword, h.code(secret, 0)); a.Code != http.StatusOK {
		t.Errorf("another address: %d %s", a.Code, a.Body)
	}
}

func TestSecondFactorIsRemovedWithBoth(t *testing.T) {
	h := newTestServer(t)
	ana, b := h.sign(anaEmail, people.RoleStaff)
	secret, recovery := b.secured()
	h.clock.advance(time.Minute)
	other := h.browser()
	other.signInWith(anaEmail, anaPassword, h.code(secret, 0))
	h.clock.advance(time.Minute)
	remove := func(password, code string) answer {
		return b.post("/api/auth/second-factor/remove", contract.SecondFactorRemoval{Password: password, Code: code})
	}
	for _, try := range [][2]string{{anaPassword, ""}, {anaPassword, "000000"}, {"otra contraseña", h.code(secret, 0)}} {
		remove(try[0], try[1]).refused(http.StatusBadRequest)
	}
	// A new password asks for the former one alone.
	if a := b.post("/api/auth/password", contract.PasswordChange{Current: anaPassword, Password: newPassword}); a.Code != http.StatusNoContent {
		t.Errorf("a new password: %d %s", a.Code, a.Body)
	}
	if a := remove(newPassword, h.code(secret, 0)); a.Code != http.StatusNoContent {
		t.Fatalf("remove: %d %s", a.Code, a.Body)
	}
	other.get("/api/auth/user").refused(http.StatusUnauthorized)
	var factor contract.SecondFactor
	b.get("/api/auth/second-factor").into(http.StatusOK, &factor)
	if factor.On || factor.RecoveryCodes != 0 {
		t.Errorf("the second factor: %+v", factor)
	}
	h.again(anaEmail, newPassword)
	if changed := recorded[*event.StaffSecondFactorChanged](h, ana.ID); len(changed) != 2 || changed[1].On {
		t.Errorf("recorded %+v", changed)
	}
	// Codes of before are none of a new one.
	_, fresh := b.secured()
	h.browser().signInWith(anaEmail, newPassword, recovery[0]).refused(http.StatusUnauthorized)
	if a := h.browser().signInWith(anaEmail, newPassword, fresh[0]); a.Code != http.StatusOK {
		t.Errorf("a new recovery code: %d %s", a.Code, a.Body)
	}
}

// TestWhereASecondFactorIsDue has an account without one, which sees nothing until it has one.
func TestWhereASecondFactorIsDue(t *testing.T) {
	h := newTestServer(t, func(h *testServer) { h.config.Staff.SecondFactorRequired = true })
	_, b := h.sign(anaEmail, people.RoleOwner)
	var user contract.User
	b.get("/api/auth/user").into(http.StatusOK, &user)
	if user.SecondFactor != contract.Due {
		t.Errorf("the user: %+v", user)
	}
	setsUp := map[string]bool{
		"GET /api/auth/user": true, "GET /api/auth/second-factor": true, "POST /api/auth/second-factor/begin": true, "POST /api/auth/second-factor/confirm": true,
	}
	for _, operation := range staffOperations(t) {
		method, path, _ := strings.Cut(operation, " ")
		if setsUp[operation] {
			continue
		}
		if strings.HasSuffix(path, "/live") {
			method = http.MethodHead // the answer to GET has no end
		}
		if a := b.send(method, path, []byte("{}"), map[string]string{"Content-Type": "application/json"}); a.Code != http.StatusForbidden || method != http.MethodHead && !strings.Contains(a.Body.String(), "además de la contraseña") {
			t.Errorf("%s: %d %s", operation, a.Code, a.Body)
		}
	}
	b.secured()
	b.get("/api/auth/user").into(http.StatusOK, &user)
	if user.SecondFactor != contract.On {
		t.Errorf("the user: %+v", user)
	}
	b.get("/api/accounts").into(http.StatusOK, new([]contract.Account))
}

// TestWrongCodesHaveABudgetOfTheAccount has somebody who knows a password guess at codes, from an address for each.
func TestWrongCodesHaveABudgetOfTheAccount(t *testing.T) {
	failed := map[string]int{}
	h := newTestServer(t, func(h *testServer) {
		h.config.Staff.Authenticator.Failed = func(reason string) { failed[reason]++ }
	})
	ana, known := h.sign(anaEmail, people.RoleStaff)
	secret, recovery := known.secured()
	luis, other := h.sign("luis@clinica.example", people.RoleStaff)
	luisSecret, _ := other.secured()
	h.clock.advance(time.Minute)
	addresses := 0
	elsewhere := func() *browser {
		addresses++
		return h.at(fmt.Sprintf("198.51.100.%d", addresses))
	}
	guess := func() int { return elsewhere().signInWith(anaEmail, anaPassword, "000000").Code }
	for i := range 10 {
		if spent := recorded[*event.StaffCodeBudgetSpent](h, ana.ID); len(spent) != 0 {
			t.Fatalf("spent after %d: %+v", i, spent)
		}
		if got := guess(); got != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d", i, got)
		}
	}
	if spent := recorded[*event.StaffCodeBudgetSpent](h, ana.ID); len(spent) != 1 {
		t.Fatalf("recorded %+v", spent)
	}
	refused := elsewhere().signInWith(anaEmail, anaPassword, h.code(secret, 0))
	if e := refused.refused(http.StatusTooManyRequests); refused.Header().Get("Retry-After") == "" || !strings.Contains(e.Message, "código de recuperación") {
		t.Errorf("beyond the budget: %v %+v", refused.Header(), e)
	}
	if failed["code"] != 11 || failed["password"] != 0 {
		t.Errorf("counted %v", failed)
	}
	// Nobody is locked out: not with a recovery code, nor in a known browser, nor another account.
	if a := elsewhere().signInWith(anaEmail, anaPassword, recovery[0]); a.Code != http.StatusOK {
		t.Errorf("a recovery code: %d %s", a.Code, a.Body)
	}
	if a := known.signInWith(anaEmail, anaPassword, h.code(secret, 0)); a.Code != http.StatusOK {
		t.Errorf("a known browser: %d %s", a.Code, a.Body)
	}
	if a := elsewhere().signInWith(luis.Email, anaPassword, h.code(luisSecret, 0)); a.Code != http.StatusOK {
		t.Errorf("another account: %d %s", a.Code, a.Body)
	}
	// An hour later there is one try, which a right code does not use up.
	h.clock.advance(time.Hour + time.Second)
	for range 3 {
		if a := elsewhere().signInWith(anaEmail, anaPassword, h.code(secret, 0)); a.Code != http.StatusOK {
			t.Errorf("a right code: %d %s", a.Code, a.Body)
		}
		h.clock.advance(time.Minute)
	}
	if first, second := guess(), guess(); first != http.StatusUnauthorized || second != http.StatusTooManyRequests {
		t.Errorf("guesses: %d, %d", first, second)
	}
	if spent := recorded[*event.StaffCodeBudgetSpent](h, ana.ID); len(spent) != 1 {
		t.Errorf("recorded %+v on one day", spent)
	}
}

// TestASpentBudgetIsRecordedWhoeverSpentIt has a process take the last token of a budget and end before it
// records that.
func TestASpentBudgetIsRecordedWhoeverSpentIt(t *testing.T) {
	h := newTestServer(t)
	ana, known := h.sign(anaEmail, people.RoleStaff)
	known.secured()
	last := throttle.Bucket{Rate: throttle.Rate{Every: time.Hour, Burst: 10}, Key: "codes of " + ana.ID + " in "}
	for range last.Burst {
		if _, err := h.db.Throttle(h.clock.Now).Take(t.Context(), last); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		h.at("198.51.100.1").signInWith(anaEmail, anaPassword, "000000").refused(http.StatusTooManyRequests)
	}
	if spent := recorded[*event.StaffCodeBudgetSpent](h, ana.ID); len(spent) != 1 {
		t.Errorf("recorded %+v", spent)
	}
}
