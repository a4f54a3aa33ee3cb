package postgres_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/postgres"
	people "bitacora/domain/staff"
)

func TestSecondFactorIsSealedAndBoundToItsAccount(t *testing.T) {
	const shared = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
	url, db := fresh(t)
	staff := db.Staff()
	ana, err := staff.AddAccount(t.Context(), "ana@clinica.example", "hash", people.RoleStaff)
	if err != nil {
		t.Fatal(err)
	}
	luis, err := staff.AddAccount(t.Context(), "luis@clinica.example", "hash", people.RoleStaff)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []people.Account{ana, luis} {
		if err := staff.BeginSecondFactor(t.Context(), a.ID, shared); err != nil {
			t.Fatal(err)
		}
		begun, err := staff.SecondFactor(t.Context(), a.ID)
		if err != nil || begun.On || begun.Secret != shared {
			t.Fatalf("begun: %+v, %v", begun, err)
		}
		c := people.Confirmation{BegunAt: begun.BegunAt, Step: 7, RecoveryCodes: []string{"482190331754", "000011112222"}}
		if err := staff.ConfirmSecondFactor(t.Context(), a.ID, c, people.Token{}); err != nil {
			t.Fatal(err)
		}
	}
	if again, err := staff.AccountByID(t.Context(), ana.ID); !again.SecondFactor || err != nil {
		t.Errorf("the account: %+v, %v", again, err)
	}
	if all, err := staff.Accounts(t.Context()); len(all) != 2 || !all[0].SecondFactor || err != nil {
		t.Errorf("the accounts: %+v, %v", all, err)
	}

	conn := owner(t, url)
	rows, err := conn.Query(t.Context(), "SELECT f::text || ' ' || encode(f.sealed, 'escape') FROM staff_second_factors f UNION ALL SELECT c.code_hash::text FROM staff_recovery_codes c")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(stored) != 6 {
		t.Fatal(stored, err)
	}
	seen := map[string]bool{}
	for _, row := range stored {
		if strings.Contains(row, shared) || strings.Contains(row, "482190331754") || seen[row] {
			t.Errorf("in the clear, or known from another account: %s", row)
		}
		seen[row] = true
	}
	exec(t, conn, "UPDATE staff_second_factors SET sealed = (SELECT sealed FROM staff_second_factors WHERE account_id = '"+luis.ID+"')")
	if moved, err := staff.SecondFactor(t.Context(), ana.ID); err == nil {
		t.Errorf("another account's secret is read: %+v", moved)
	}
}

// TestSecondFactorThatWasBegunAnewIsNotConfirmed has two pages set one up.
func TestSecondFactorThatWasBegunAnewIsNotConfirmed(t *testing.T) {
	_, db := fresh(t)
	staff := db.Staff()
	ana, err := staff.AddAccount(t.Context(), "ana@clinica.example", "hash", people.RoleStaff)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := staff.SecondFactor(t.Context(), ana.ID); !errors.Is(err, postgres.ErrNotFound) {
		t.Errorf("none was begun: %v", err)
	}
	begin := func() people.SecondFactor {
		t.Helper()
		if err := staff.BeginSecondFactor(t.Context(), ana.ID, "JBSWY3DPEHPK3PXP"); err != nil {
			t.Fatal(err)
		}
		begun, err := staff.SecondFactor(t.Context(), ana.ID)
		if err != nil {
			t.Fatal(err)
		}
		return begun
	}
	first := begin()
	begin()
	confirm := func(begun people.SecondFactor) error {
		return staff.ConfirmSecondFactor(t.Context(), ana.ID, people.Confirmation{BegunAt: begun.BegunAt, Step: 7}, people.Token{})
	}
	if err := confirm(first); !errors.Is(err, people.ErrSecondFactorOn) {
		t.Errorf("the first was confirmed: %v", err)
	}
	if taken, err := staff.UseStep(t.Context(), ana.ID, 8); taken || err != nil {
		t.Errorf("a code of what was only begun is taken: %v, %v", taken, err)
	}
	if was, err := staff.RemoveSecondFactor(t.Context(), ana.ID, people.Token{}); was || err != nil {
		t.Errorf("what was only begun was on: %v, %v", was, err)
	}
	if err := confirm(begin()); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		step  int64
		taken bool
	}{{7, false}, {6, false}, {8, true}, {8, false}, {7, false}, {10, true}} {
		if taken, err := staff.UseStep(t.Context(), ana.ID, step.step); taken != step.taken || err != nil {
			t.Errorf("step %d: %v, %v", step.step, taken, err)
		}
	}
	if err := staff.BeginSecondFactor(t.Context(), ana.ID, "other"); !errors.Is(err, people.ErrSecondFactorOn) {
		t.Errorf("begun where one is on: %v", err)
	}
	if was, err := staff.RemoveSecondFactor(t.Context(), ana.ID, people.Token{}); !was || err != nil {
		t.Errorf("removed: %v, %v", was, err)
	}
}

func TestSecondFactorOutlivesARotation(t *testing.T) {
	_, _, db := rotatable(t)
	staff := db.Staff()
	ana, err := staff.AddAccount(t.Context(), "ana@clinica.example", "hash", people.RoleStaff)
	if err != nil {
		t.Fatal(err)
	}
	if err := staff.BeginSecondFactor(t.Context(), ana.ID, "JBSWY3DPEHPK3PXP"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		mustRotate(t, db.Log())
	}
	if factor, err := staff.SecondFactor(t.Context(), ana.ID); err != nil || factor.Secret != "JBSWY3DPEHPK3PXP" {
		t.Fatal(factor, err)
	}
}
