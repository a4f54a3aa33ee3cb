package main

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"bitacora/cmd/bitacora/programtest"
)

// TestTheServedProgramManagesAccounts goes through the doors of the program as it is put together.
func TestTheServedProgramManagesAccounts(t *testing.T) {
	t.Parallel()
	p := programtest.NewProgram(t)
	p.Start()
	cookie := p.SignIn()
	var sessions, accounts []map[string]any
	if err := p.Get("/api/auth/sessions", cookie, &sessions); err != nil || len(sessions) != 1 || sessions[0]["current"] != true {
		t.Errorf("sessions %v, %v", sessions, err)
	}
	if err := p.Get("/api/accounts", cookie, &accounts); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("accounts for who is no owner: %v, %v", accounts, err)
	}
	if out, err := p.Run("", "staff", "role", "ana@clinica.example", "owner"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	request, err := http.NewRequest(http.MethodPost, "http://"+p.Addr+"/api/accounts",
		bytes.NewReader([]byte(`{"email":"luis@clinica.example","password":"cuatro gatos y un puente","role":"reader"}`)))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if err := p.Do(request, cookie, nil); err != nil {
		t.Errorf("add an account: %v", err)
	}
	if err := p.Get("/api/accounts", cookie, &accounts); err != nil || len(accounts) != 2 || accounts[1]["role"] != "reader" {
		t.Errorf("accounts %v, %v", accounts, err)
	}
	out, err := p.Run("", "audit", "--what", "StaffAccountAdded", "--who", "luis@clinica.example")
	if err != nil || !strings.Contains(strings.Join(strings.Fields(out), " "), "ana@clinica.example StaffAccountAdded luis@clinica.example role=reader") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err = p.Run("", "staff", "sessions", "ana@clinica.example", "--end"); err != nil || !strings.Contains(out, "sessions ended: 1") {
		t.Errorf("%v\n%s", err, out)
	}
	if err := p.Get("/api/auth/user", cookie, nil); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a session that was ended: %v", err)
	}
}
