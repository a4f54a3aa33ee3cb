package postgres_test

import (
	"errors"
	"testing"

	"bitacora/adapters/postgres"
	"bitacora/domain/staff"
)

func TestTheLastOwnerStays(t *testing.T) {
	_, db := fresh(t)
	accounts := db.Staff()
	add := func(email string, role staff.Role) string {
		t.Helper()
		a, err := accounts.AddAccount(t.Context(), email, "hash", role)
		if err != nil || a.Role != role {
			t.Fatalf("added %+v, %v", a, err)
		}
		return a.ID
	}
	ana := add("ana@clinica.example", staff.RoleStaff)
	// Nobody needs an owner.
	if err := accounts.SetRole(t.Context(), ana, staff.RoleReader); err != nil {
		t.Fatal(err)
	}
	if err := accounts.SetRole(t.Context(), ana, staff.RoleOwner); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"demoted": accounts.SetRole(t.Context(), ana, staff.RoleStaff),
		"removed": accounts.RemoveAccount(t.Context(), ana),
	} {
		if !errors.Is(err, staff.ErrLastOwner) {
			t.Errorf("the last owner %s: %v", what, err)
		}
	}
	if err := accounts.SetRole(t.Context(), ana, staff.RoleOwner); err != nil {
		t.Errorf("the last owner made an owner: %v", err)
	}
	luis := add("luis@clinica.example", staff.RoleOwner)
	if err := accounts.RemoveAccount(t.Context(), ana); err != nil {
		t.Errorf("one owner of two removed: %v", err)
	}
	if err := accounts.SetRole(t.Context(), ana, staff.RoleStaff); !errors.Is(err, postgres.ErrNotFound) {
		t.Errorf("role of nobody: %v", err)
	}
	if found, err := accounts.AccountByEmail(t.Context(), "luis@clinica.example"); found.ID != luis || found.Role != staff.RoleOwner {
		t.Errorf("found %+v, %v", found, err)
	}
}

func TestTwoOwnersDemotedAtOnceLeaveOne(t *testing.T) {
	url, db := fresh(t)
	accounts := db.Staff()
	var ids [2]string
	for i, email := range []string{"ana@clinica.example", "luis@clinica.example"} {
		a, err := accounts.AddAccount(t.Context(), email, "hash", staff.RoleOwner)
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = a.ID
	}
	other := owner(t, url)
	first, err := other.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Exec(t.Context(), "UPDATE staff_accounts SET role = 'staff' WHERE id = $1", ids[0]); err != nil {
		t.Fatal(err)
	}
	second := make(chan error, 1)
	go func() { second <- accounts.SetRole(t.Context(), ids[1], staff.RoleStaff) }()
	// The second has come to its end, or waits for the first.
	for waiting := false; !waiting && len(second) == 0; {
		if err := other.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)").Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-second; !errors.Is(err, staff.ErrLastOwner) {
		t.Errorf("the second of two owners, demoted while the first was: %v", err)
	}
}

func TestAnUnknownRoleIsKeptOut(t *testing.T) {
	_, db := fresh(t)
	if _, err := db.Staff().AddAccount(t.Context(), "ana@clinica.example", "hash", "admin"); err == nil {
		t.Error("an account with a role that there is not")
	}
}
