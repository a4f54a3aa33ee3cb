package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	people "bitacora/domain/staff"
)

// TestAChangeOfAnAccountIsMadeAndToldOrNeither has the log refuse the event of each change, as if the
// program had ended before it, and finds the account as it was.
func TestAChangeOfAnAccountIsMadeAndToldOrNeither(t *testing.T) {
	url, db := fresh(t)
	conn, now := owner(t, url), time.Now()
	accounts := db.Staff()
	r := &people.Register{Store: accounts, Now: time.Now, NewID: uuid.NewString}
	by := people.Actor{ID: "s1"}
	exec(t, conn, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no event'; END $$`)
	state := func() (all string) {
		t.Helper()
		err := conn.QueryRow(t.Context(), `SELECT concat((SELECT json_agg(a) FROM staff_accounts a), (SELECT json_agg(s ORDER BY s) FROM staff_sessions s),
			(SELECT json_agg(f) FROM staff_second_factors f), (SELECT json_agg(c ORDER BY c) FROM staff_recovery_codes c))`).Scan(&all)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	events := func() (n int) {
		t.Helper()
		if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM events").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	var ana people.Account
	for _, change := range []struct {
		what string
		make func(context.Context) error
	}{
		{"added", func(ctx context.Context) (err error) {
			ana, err = r.Add(ctx, by, "ana@clinica.example", "hash", people.RoleStaff)
			return err
		}},
		{"another role", func(ctx context.Context) error { return r.SetRole(ctx, by, ana, people.RoleReader) }},
		{"codes", func(ctx context.Context) error {
			begun, err := accounts.SecondFactor(ctx, ana.ID)
			if err != nil {
				return err
			}
			return r.ConfirmSecondFactor(ctx, by, ana, people.Confirmation{BegunAt: begun.BegunAt, Step: 7, RecoveryCodes: []string{"482190331754"}}, people.Token{1})
		}},
		{"no codes", func(ctx context.Context) error {
			_, err := r.RemoveSecondFactor(ctx, by, ana, people.Token{1})
			return err
		}},
		{"sessions ended", func(ctx context.Context) error {
			_, err := r.EndSessions(ctx, by, ana, people.Token{1})
			return err
		}},
		{"another password", func(ctx context.Context) error { return r.SetPassword(ctx, by, ana, "another", people.Token{}) }},
		{"removed", func(ctx context.Context) error { return r.Remove(ctx, by, ana) }},
	} {
		if ana.ID != "" {
			for _, token := range []people.Token{{1}, {2}} {
				_ = accounts.CreateSession(t.Context(), token, ana.ID, "Firefox", now) // unless there is one
			}
			if change.what == "codes" {
				if err := accounts.BeginSecondFactor(t.Context(), ana.ID, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"); err != nil {
					t.Fatal(err)
				}
			}
		}
		before, told := state(), events()
		exec(t, conn, "CREATE TRIGGER refused BEFORE INSERT ON events EXECUTE FUNCTION refuse()")
		if err := change.make(t.Context()); err == nil || state() != before {
			t.Errorf("%s: not told, %v:\nthere was %s\nand is %s", change.what, err, before, state())
		}
		exec(t, conn, "DROP TRIGGER refused ON events")
		if err := change.make(t.Context()); err != nil || state() == before || events() != told+1 {
			t.Errorf("%s: %v, %d events more", change.what, err, events()-told)
		}
	}
}
