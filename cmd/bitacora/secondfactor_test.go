package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/programtest"
)

// TestALostTelephoneIsReset has an account whose app is gone.
func TestALostTelephoneIsReset(t *testing.T) {
	p := programtest.NewProgram(t, "BITACORA_SECOND_FACTOR=required")
	p.Start()
	cookie := p.SignIn()
	if err := p.Get("/api/dashboard/kpis", cookie, nil); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("numbers without a second factor: %v", err)
	}
	send := func(path string, body, into any) error {
		t.Helper()
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequest(http.MethodPost, "http://"+p.Addr+path, strings.NewReader(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		return p.Do(request, cookie, into)
	}
	var key contract.SecondFactorKey
	if err := send("/api/auth/second-factor/begin", struct{}{}, &key); err != nil {
		t.Fatal(err)
	}
	code, err := totp.GenerateCode(key.Secret, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var codes contract.RecoveryCodes
	if err := send("/api/auth/second-factor/confirm", contract.SecondFactorCode{Code: code}, &codes); err != nil || len(codes.RecoveryCodes) != 10 {
		t.Fatalf("%+v, %v", codes, err)
	}
	if err := p.Get("/api/dashboard/kpis", cookie, nil); err != nil {
		t.Errorf("numbers with a second factor: %v", err)
	}
	if out := p.MustRun("staff", "list"); !strings.Contains(out, "on\n") {
		t.Errorf("%s", out)
	}
	if out := p.MustRun("staff", "totp", "reset", "ana@clinica.example"); !strings.Contains(out, "password alone; all its sessions have ended") {
		t.Errorf("%s", out)
	}
	if err := p.Get("/api/auth/user", cookie, nil); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("a session that was ended: %v", err)
	}
	if out := p.MustRun("staff", "totp", "reset", "ana@clinica.example"); !strings.Contains(out, "is asked for no code") {
		t.Errorf("%s", out)
	}
	out := strings.Join(strings.Fields(p.MustRun("audit", "--what", "StaffSecondFactorChanged")), " ")
	if !strings.Contains(out, "ana@clinica.example StaffSecondFactorChanged on=true") || !strings.Contains(out, "operator StaffSecondFactorChanged ana@clinica.example on=false") {
		t.Errorf("%s", out)
	}
}
