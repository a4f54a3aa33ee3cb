package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"bitacora/adapters/engines"
	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/programtest"
)

func TestWeakPasswordsAreRefusedOnTheCommandLine(t *testing.T) {
	p := programtest.NewProgram(t)
	// A data directory that has begun, in which no engine ever ran.
	data := filepath.Join(p.Dir, "data")
	if err := os.MkdirAll(filepath.Join(data, engines.Postgres), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"add", "password"} {
		for password, says := range map[string]string{
			"corta":            "entre 12 y 128 caracteres",
			"Contraseña2026":   "demasiado fácil de adivinar",
			"ana.gomez-2026":   "el nombre de la cuenta",
			"clínica regency!": "el de la clínica",
		} {
			out, err := p.Run(password, "staff", command, "ana.gomez@clinica.example", "--password-stdin")
			if err == nil || !strings.Contains(out, says) || strings.Contains(out, password) {
				t.Errorf("staff %s, %s: %v\n%s", command, password, err, out)
			}
		}
	}
	// No engine was started for them.
	for dir, want := range map[string]int{data: 1, filepath.Join(data, engines.Postgres): 0} {
		if left, err := os.ReadDir(dir); err != nil || len(left) != want {
			t.Errorf("in %s is %v, %v", dir, left, err)
		}
	}
}

func TestRolesOnTheCommandLine(t *testing.T) {
	p := programtest.NewProgram(t)
	p.Made()
	const secret = "seis caballos cruzan"
	run := func(says string, fails bool, arguments ...string) {
		t.Helper()
		out, err := p.Run(secret, append([]string{"staff"}, arguments...)...)
		if (err != nil) != fails || !strings.Contains(out, says) {
			t.Errorf("staff %q: %v\n%s", arguments, err, out)
		}
	}
	run(`there is no role "admin"`, true, "add", "ana@clinica.example", "--role", "admin", "--password-stdin")
	run("as staff", false, "add", "luis@clinica.example", "--password-stdin")
	run("as owner", false, "add", "ana@clinica.example", "--role", "owner", "--password-stdin")
	run("luis@clinica.example is reader", false, "role", "luis@clinica.example", "reader")
	run(`there is no role "jefe"`, true, "role", "luis@clinica.example", "jefe")
	run("nadie@clinica.example has no account", true, "role", "nadie@clinica.example", "staff")
	for _, last := range [][]string{{"role", "ana@clinica.example", "staff"}, {"remove", "ana@clinica.example"}} {
		run("make another one first (bitacora staff role EMAIL owner)", true, last...)
	}
	run("ana@clinica.example    owner", false, "list")
	run("luis@clinica.example   reader", false, "list")
}

// TestTheStartSaysHowSomebodySignsIn: nobody is to look for the way in on a page of the documentation.
func TestTheStartSaysHowSomebodySignsIn(t *testing.T) {
	p := programtest.NewProgram(t)
	p.Start()
	const way = "bitacora staff add EMAIL --role owner"
	if !strings.Contains(p.Output.String(), way) {
		t.Errorf("nothing leads to a first account:\n%s", p.Output)
	}
	p.SignIn()
	p.Stop()
	p.Start()
	if strings.Contains(p.Output.String(), way) {
		t.Errorf("there is an account:\n%s", p.Output)
	}
}

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
