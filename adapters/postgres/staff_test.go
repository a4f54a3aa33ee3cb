package postgres_test

import (
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"bitacora/adapters/postgres"
	people "bitacora/domain/staff"
)

func TestAccounts(t *testing.T) {
	_, db := fresh(t)
	staff := db.Staff()
	ana, err := staff.AddAccount(t.Context(), "Ana@Clinica.example", "hash-1", "staff")
	if err != nil {
		t.Fatal(err)
	}
	if ana.Email != "ana@clinica.example" || ana.ID == "" || ana.CreatedAt.IsZero() {
		t.Errorf("added %+v", ana)
	}
	if _, err := staff.AddAccount(t.Context(), "ana@clinica.example", "hash-2", "staff"); !errors.Is(err, people.ErrAccountExists) {
		t.Errorf("second account for the address: %v", err)
	}
	if found, err := staff.AccountByEmail(t.Context(), "ANA@clinica.example"); found != ana || err != nil {
		t.Errorf("found %+v, %v", found, err)
	}
	if _, err := staff.AccountByEmail(t.Context(), "luis@clinica.example"); !errors.Is(err, postgres.ErrNotFound) {
		t.Errorf("unknown address: %v", err)
	}
	if all, err := staff.Accounts(t.Context()); len(all) != 1 || err != nil {
		t.Errorf("accounts: %+v, %v", all, err)
	}
}

func TestSessionEnds(t *testing.T) {
	_, db := fresh(t)
	staff := db.Staff()
	ana, err := staff.AddAccount(t.Context(), "ana@clinica.example", "hash-1", "staff")
	if err != nil {
		t.Fatal(err)
	}
	begin := func(token string) [32]byte {
		hash := sha256.Sum256([]byte(token))
		if err := staff.CreateSession(t.Context(), hash, ana.ID, "", at); err != nil {
			t.Fatal(err)
		}
		return hash
	}
	open := func(hash [32]byte, after time.Duration) bool {
		t.Helper()
		account, err := staff.SessionAccount(t.Context(), hash, at.Add(after))
		if err != nil && !errors.Is(err, postgres.ErrNotFound) {
			t.Fatal(err)
		}
		return err == nil && account == ana
	}
	idle, busy, left, changed := begin("idle"), begin("busy"), begin("left"), begin("changed")
	if !open(idle, 29*time.Minute) || open(idle, 59*time.Minute+time.Second) {
		t.Error("an idle session ends 30 minutes after its last use")
	}
	for after := time.Duration(0); after < 12*time.Hour; after += 20 * time.Minute {
		if !open(busy, after) {
			t.Fatalf("a busy session ended after %v", after)
		}
	}
	watched := begin("watched")
	for after, want := range map[time.Duration]bool{29 * time.Minute: true, 30 * time.Minute: false, 12 * time.Hour: false} {
		if is, err := staff.SessionOpen(t.Context(), watched, at.Add(after)); is != want || err != nil {
			t.Errorf("a session that is only looked at is open after %v: %v, %v", after, is, err)
		}
	}
	if is, err := staff.SessionOpen(t.Context(), busy, at.Add(12*time.Hour-time.Minute)); !is || err != nil {
		t.Errorf("a busy session is open: %v, %v", is, err)
	}
	if open(busy, 12*time.Hour) {
		t.Error("a busy session outlived 12 hours")
	}
	if whose, err := staff.DeleteSession(t.Context(), left); whose != ana.ID || err != nil || open(left, 0) {
		t.Errorf("session after signing out: %v", err)
	}
	if is, err := staff.SessionOpen(t.Context(), left, at); is || err != nil {
		t.Errorf("session after signing out: %v, %v", is, err)
	}
	if !open(changed, 0) {
		t.Error("session is not open")
	}
	if err := staff.SetPassword(t.Context(), ana.ID, "hash-2", [32]byte{}); err != nil || open(changed, 0) {
		t.Errorf("session after a password change: %v", err)
	}
	if found, _ := staff.AccountByEmail(t.Context(), ana.Email); found.PasswordHash != "hash-2" {
		t.Errorf("password hash is %q", found.PasswordHash)
	}
}

func TestLoginFailuresCountWithinTheWindow(t *testing.T) {
	_, db := fresh(t)
	failures := db.Staff()
	for _, f := range []struct {
		email, address string
		before         time.Duration
	}{
		{"ana@clinica.example", "192.0.2.1", 16 * time.Minute},
		{"ana@clinica.example", "192.0.2.1", 14 * time.Minute},
		{"Ana@clinica.example", "192.0.2.1", time.Minute},
		{"luis@clinica.example", "192.0.2.1", time.Minute},
		{"ana@clinica.example", "192.0.2.2", time.Minute},
	} {
		if err := failures.RecordLoginFailure(t.Context(), people.Failure{Email: f.email, Address: f.address, At: at.Add(-f.before)}); err != nil {
			t.Fatal(err)
		}
	}
	ofAccount, ofAddress, err := failures.LoginFailures(t.Context(), "ana@clinica.example", "192.0.2.1", at)
	if ofAccount != 2 || ofAddress != 3 || err != nil {
		t.Errorf("got %d of the account, %d of the address, %v", ofAccount, ofAddress, err)
	}
}

func TestNamesKeptInClearAreRemoved(t *testing.T) {
	url, _ := fresh(t)
	conn := owner(t, url)
	exec(t, conn, `ALTER TABLE login_failures DROP COLUMN name_hash, ADD COLUMN email text NOT NULL;
		INSERT INTO login_failures (email, address, failed_at) VALUES ('typed', '192.0.2.1', clock_timestamp());
		DELETE FROM schema_migrations WHERE name LIKE '%_login_names.sql'`)
	if _, err := postgres.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	var kept, named int
	if err := conn.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM login_failures),
		(SELECT count(*) FROM information_schema.columns WHERE table_name = 'login_failures' AND column_name = 'email')`).Scan(&kept, &named); err != nil {
		t.Fatal(err)
	}
	if kept != 0 || named != 0 {
		t.Errorf("%d failures and %d columns of names are left", kept, named)
	}
}
