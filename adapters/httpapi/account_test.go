package httpapi

import (
	"crypto/sha256"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/event"
	people "bitacora/domain/staff"
)

const newPassword = "cuatro gatos bajo un puente"

// again is a further browser in which an account is signed in.
func (s *testServer) again(email, secret string) *browser {
	s.t.Helper()
	b := s.browser()
	if a := b.post("/api/auth/login", contract.Credentials{Username: email, Password: secret}); a.Code != http.StatusOK {
		s.t.Fatalf("sign in: %d %s", a.Code, a.Body)
	}
	return b
}

// recorded are the events of an account of one type.
func recorded[T event.Payload](s *testServer, accountID string) (found []T) {
	s.t.Helper()
	for _, e := range s.events(people.Stream(accountID)) {
		if p, ok := e.Payload.(T); ok {
			found = append(found, p)
		}
	}
	return found
}

func TestOwnPasswordIsChanged(t *testing.T) {
	h := newTestServer(t)
	ana, b := h.sign(anaEmail, people.RoleReader)
	other := h.again(anaEmail, anaPassword)
	former := b.cookies[deviceCookie]

	wrong := b.post("/api/auth/password", contract.PasswordChange{Current: "otra contraseña", Password: newPassword}).refused(http.StatusBadRequest)
	if wrong.Fields == nil || (*wrong.Fields)["current"] == "" {
		t.Errorf("a wrong current password: %+v", wrong)
	}
	for _, weak := range []string{"corta", "Contraseña2026", "la clínica dental regency"} {
		e := b.post("/api/auth/password", contract.PasswordChange{Current: anaPassword, Password: weak}).refused(http.StatusBadRequest)
		if e.Fields == nil || (*e.Fields)["password"] == "" {
			t.Errorf("%q: %+v", weak, e)
		}
	}
	if changed := recorded[*event.StaffPasswordChanged](h, ana.ID); len(changed) != 0 {
		t.Errorf("recorded %+v", changed)
	}

	if a := b.post("/api/auth/password", contract.PasswordChange{Current: anaPassword, Password: newPassword}); a.Code != http.StatusNoContent {
		t.Fatalf("change: %d %s", a.Code, a.Body)
	}
	var user contract.User
	b.get("/api/auth/user").into(http.StatusOK, &user)
	other.get("/api/auth/user").refused(http.StatusUnauthorized)
	h.browser().post("/api/auth/login", contract.Credentials{Username: anaEmail, Password: anaPassword}).refused(http.StatusUnauthorized)
	h.again(anaEmail, newPassword)
	want := event.StaffPasswordChanged{AccountChange: event.AccountChange{StaffID: ana.ID, By: ana.ID}}
	if changed := recorded[*event.StaffPasswordChanged](h, ana.ID); len(changed) != 1 || *changed[0] != want {
		t.Errorf("recorded %+v", changed)
	}
	// The browser is known by a new secret alone.
	if now := b.cookies[deviceCookie]; now == former || !h.knows(now, ana.ID) || h.knows(former, ana.ID) {
		t.Error("the browser is not known by its new secret alone")
	}
}

func (s *testServer) knows(device, accountID string) bool {
	s.t.Helper()
	_, err := s.db.Staff().DeviceFailures(s.t.Context(), sha256.Sum256([]byte(device)), accountID, s.clock.Now())
	return err == nil
}

func TestGuessingTheCurrentPasswordIsSlowedDown(t *testing.T) {
	h := newTestServer(t)
	_, b := h.sign(anaEmail, people.RoleStaff)
	// Without its cookie the browser is not known, and counts for its address.
	delete(b.cookies, deviceCookie)
	guess := contract.PasswordChange{Current: "otra contraseña", Password: newPassword}
	for range maxAccountFailures {
		b.post("/api/auth/password", guess).refused(http.StatusBadRequest)
	}
	h.occupy("192.0.2.1")
	b.post("/api/auth/password", guess).refused(http.StatusTooManyRequests)
}

func TestOwnSessionsAreSeenAndEnded(t *testing.T) {
	h := newTestServer(t)
	ana, b := h.sign(anaEmail, people.RoleStaff)
	_, luis := h.sign("luis@clinica.example", people.RoleStaff)
	h.clock.advance(5 * time.Minute)
	phone := h.browser()
	phone.send(http.MethodPost, "/api/auth/login", []byte(`{"username":"`+anaEmail+`","password":"`+anaPassword+`"}`), map[string]string{
		"Content-Type": "application/json", "User-Agent": "Mozilla/5.0 (Linux; Android 15; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
	})
	third := h.again(anaEmail, anaPassword)

	list := func() (sessions []contract.StaffSession) {
		t.Helper()
		b.get("/api/auth/sessions").into(http.StatusOK, &sessions)
		return sessions
	}
	sessions := list()
	browsers, current := []string{}, []string{}
	for _, s := range sessions {
		browsers = append(browsers, s.Browser)
		if s.Current {
			current = append(current, s.ID)
		}
	}
	slices.Sort(browsers)
	if !slices.Equal(browsers, []string{"", "", "Chrome · Android"}) || len(current) != 1 {
		t.Errorf("sessions %+v", sessions)
	}
	end := func(by *browser, id *string) {
		t.Helper()
		if a := by.post("/api/auth/sessions/end", contract.SessionsEnd{ID: id}); a.Code != http.StatusNoContent {
			t.Errorf("end: %d %s", a.Code, a.Body)
		}
	}
	at := slices.IndexFunc(sessions, func(s contract.StaffSession) bool { return s.Browser != "" })
	// Nobody ends another's, and no unknown one is a mistake.
	end(luis, &sessions[at].ID)
	end(b, new("no id"))
	if got := list(); len(got) != 3 {
		t.Errorf("sessions %+v", got)
	}
	end(b, &sessions[at].ID)
	phone.get("/api/auth/user").refused(http.StatusUnauthorized)
	end(b, nil)
	third.get("/api/auth/user").refused(http.StatusUnauthorized)
	if got := list(); len(got) != 1 || !got[0].Current {
		t.Errorf("sessions %+v", got)
	}
	var user contract.User
	luis.get("/api/auth/user").into(http.StatusOK, &user)
	if ended := recorded[*event.StaffSessionsEnded](h, ana.ID); len(ended) != 2 || ended[0].Sessions != 1 || ended[1].Sessions != 1 || ended[0].By != ana.ID {
		t.Errorf("recorded %+v", ended)
	}
	h.clock.advance(people.SessionIdle)
	b = h.again(anaEmail, anaPassword)
	if got := list(); len(got) != 1 {
		t.Errorf("sessions that idled out: %+v", got)
	}
}

func TestOwnersManageAccounts(t *testing.T) {
	h := newTestServer(t)
	owner, b := h.sign(anaEmail, people.RoleOwner)
	add := func(email, secret, role string) answer {
		return b.post("/api/accounts", contract.NewAccount{Email: email, Password: secret, Role: contract.Role(role)})
	}
	for field, a := range map[string]answer{
		"email":    add("luis", newPassword, "staff"),
		"password": add("luis@clinica.example", "luis-2026-luis", "staff"),
		"role":     add("luis@clinica.example", newPassword, "admin"),
	} {
		if e := a.refused(http.StatusBadRequest); e.Fields == nil || (*e.Fields)[field] == "" {
			t.Errorf("%s: %+v", field, e)
		}
	}
	var luis contract.Account
	add("Luis@Clinica.example", newPassword, "reader").into(http.StatusOK, &luis)
	if luis.Email != "luis@clinica.example" || luis.Role != contract.Reader {
		t.Errorf("added %+v", luis)
	}
	if e := add("luis@clinica.example", newPassword, "staff").refused(http.StatusConflict); !strings.Contains(e.Message, "ya tiene una cuenta") {
		t.Errorf("added twice: %q", e.Message)
	}
	first := h.again("luis@clinica.example", newPassword)
	second := h.again("luis@clinica.example", newPassword)
	var all []contract.Account
	b.get("/api/accounts").into(http.StatusOK, &all)
	if len(all) != 2 || all[0].Sessions != 1 || all[1].ID != luis.ID || all[1].Sessions != 2 {
		t.Errorf("accounts %+v", all)
	}

	change := func(id, what string, body any, status int) {
		t.Helper()
		if a := b.post("/api/accounts/"+id+"/"+what, body); a.Code != status {
			t.Errorf("%s: %d, want %d: %s", what, a.Code, status, a.Body)
		}
	}
	change(luis.ID, "role", contract.RoleChange{Role: contract.Staff}, http.StatusNoContent)
	change(luis.ID, "role", contract.RoleChange{Role: contract.Staff}, http.StatusNoContent)
	change(luis.ID, "role", contract.RoleChange{Role: "admin"}, http.StatusBadRequest)
	change(luis.ID, "sessions/end", nil, http.StatusNoContent)
	first.get("/api/auth/user").refused(http.StatusUnauthorized)
	second.get("/api/auth/user").refused(http.StatusUnauthorized)
	// One's own session goes on.
	change(owner.ID, "sessions/end", nil, http.StatusNoContent)
	change(owner.ID, "role", contract.RoleChange{Role: contract.Staff}, http.StatusConflict)
	change(owner.ID, "remove", nil, http.StatusConflict)
	change("nobody", "role", contract.RoleChange{Role: contract.Staff}, http.StatusNotFound)
	change(luis.ID, "remove", nil, http.StatusNoContent)
	change(luis.ID, "remove", nil, http.StatusNotFound)
	h.browser().post("/api/auth/login", contract.Credentials{Username: "luis@clinica.example", Password: newPassword}).refused(http.StatusUnauthorized)

	told := []string{}
	for _, e := range h.events(people.Stream(luis.ID)) {
		told = append(told, e.Payload.EventType())
		if by, ok := e.Payload.(event.ByActor); ok && by.Actor() != owner.ID {
			t.Errorf("%s by %q", e.Payload.EventType(), by.Actor())
		}
		if e.Metadata["requestId"] == "" {
			t.Errorf("%s names no request", e.Payload.EventType())
		}
	}
	want := []string{"StaffAccountAdded", "StaffSignedIn", "StaffSignedIn", "StaffRoleChanged", "StaffSessionsEnded", "StaffAccountRemoved"}
	if !slices.Equal(told, want) {
		t.Errorf("recorded %q, want %q", told, want)
	}
}

func TestSignInsThatFailAreRecordedOnceAMinute(t *testing.T) {
	h := newTestServer(t)
	ana := h.hire()
	try := func(email string) {
		b := h.browser()
		b.post("/api/auth/login", contract.Credentials{Username: email, Password: "otra contraseña"}).refused(http.StatusUnauthorized)
	}
	for range 2 {
		try(anaEmail)
		try("nadie@clinica.example")
		h.clock.advance(20 * time.Second)
	}
	h.clock.advance(time.Minute)
	try(anaEmail)
	if failed := recorded[*event.StaffSignInFailed](h, ana.ID); len(failed) != 2 || failed[0].StaffID != ana.ID {
		t.Errorf("of the account: %+v", failed)
	}
	if failed := recorded[*event.StaffSignInFailed](h, "nobody"); len(failed) != 1 || failed[0].StaffID != "" {
		t.Errorf("of nobody: %+v", failed)
	}
	head, err := h.db.Log().Head(t.Context())
	if err != nil || head != 3 {
		t.Errorf("%d events, %v", head, err)
	}
}

func TestExportsAndSignOutsAreRecorded(t *testing.T) {
	h := newTestServer(t)
	ana, b := h.sign(anaEmail, people.RoleStaff)
	for _, address := range []string{"export?format=csv", "export?format=jsonl&rows=messages", "contacts/export", "export?format=doc"} {
		b.get("/api/dashboard/" + address)
	}
	b.post("/api/auth/logout", nil)
	b.post("/api/auth/logout", nil)
	taken := recorded[*event.ExportTaken](h, ana.ID)
	want := []event.ExportTaken{{StaffID: ana.ID, Rows: "conversations", Format: "csv"}, {StaffID: ana.ID, Rows: "messages", Format: "jsonl"}, {StaffID: ana.ID, Rows: "contacts", Format: "csv"}}
	if !slices.EqualFunc(taken, want, func(a *event.ExportTaken, b event.ExportTaken) bool { return *a == b }) {
		t.Errorf("recorded %+v", taken)
	}
	if out := recorded[*event.StaffSignedOut](h, ana.ID); len(out) != 1 {
		t.Errorf("recorded %+v", out)
	}
}

func TestOwnersReadTheAuditPageByPage(t *testing.T) {
	h := newTestServer(t)
	ana, b := h.sign(anaEmail, people.RoleOwner)
	luis, other := h.sign("luis@clinica.example", people.RoleStaff)
	for range 120 {
		other.get("/api/dashboard/export?format=csv")
		h.clock.advance(time.Second)
	}
	b.post("/api/accounts/"+luis.ID+"/role", contract.RoleChange{Role: contract.Reader})
	ask := func(query string) (entries []contract.AuditEntry, next string) {
		t.Helper()
		a := b.get("/api/audit" + query)
		a.into(http.StatusOK, &entries)
		next, _, _ = strings.Cut(strings.TrimPrefix(a.Header().Get("Link"), "</api/audit"), ">")
		return entries, next
	}
	first, next := ask("")
	second, end := ask(next)
	if len(first) != 100 || len(second) != 23 || end != "" {
		t.Fatalf("%d entries, then %d, then %q", len(first), len(second), end)
	}
	if newest := first[0]; newest.What != "StaffRoleChanged" || newest.Who != anaEmail || newest.Account != "luis@clinica.example" || newest.Details["role"] != "reader" {
		t.Errorf("the newest is %+v", newest)
	}
	all := append(first, second...)
	for i := range all[1:] {
		if all[i].Position <= all[i+1].Position {
			t.Fatalf("%d before %d", all[i].Position, all[i+1].Position)
		}
	}
	for query, want := range map[string]int{
		"?what=ExportTaken":                              100,
		"?what=StaffSignedIn":                            2,
		"?account=" + ana.ID:                             2,
		"?account=operator":                              0,
		"?account=" + luis.ID + "&what=StaffRoleChanged": 1,
		"?startDate=2026-01-01&endDate=2026-01-31":       0,
	} {
		if entries, _ := ask(query); len(entries) != want {
			t.Errorf("%s: %d entries, want %d", query, len(entries), want)
		}
	}
	b.post("/api/accounts/"+luis.ID+"/remove", nil)
	if removed, _ := ask("?what=StaffAccountRemoved"); len(removed) != 1 || removed[0].Who != anaEmail || removed[0].Account != "gone" {
		t.Errorf("of an account that is gone: %+v", removed)
	}
	for _, wrong := range []string{"?what=Nothing", "?account='--", "?cursor=1", "?startDate=ayer"} {
		b.get("/api/audit" + wrong).refused(http.StatusBadRequest)
	}
}
