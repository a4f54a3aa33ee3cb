package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/adapters/clickhouse/access"
	"bitacora/domain/fault"
)

// ErrMayNotGrant is the error of [DB.AdmitAnalysts] where the program's user may not make users.
var ErrMayNotGrant = errors.New("the program's user may not make users on this ClickHouse server")

// AnalystStatements are the SQL of [DB.AdmitAnalysts].
func (db *DB) AnalystStatements(password string) []string {
	return access.Statements(password, db.views, access.Limits{Memory: access.DefaultMemory, Zone: db.zone})
}

// AdmitAnalysts makes or renews the analysts' role on a server of one's own and, given a
// password, the user who has it. The views' database must exist. Former are those who read the
// views until now by the role that every clinic of the server had, see [access.Former].
func (db *DB) AdmitAnalysts(ctx context.Context, password string) (former []string, err error) {
	found, err := ofEach(ctx, db, func(ctx context.Context, n *node) ([]string, error) {
		if err := n.exec(ctx, "CREATE DATABASE IF NOT EXISTS "+db.views); err != nil {
			return nil, fmt.Errorf("make the views' database: %w", err)
		}
		for _, statement := range db.AnalystStatements(password) {
			if err := n.exec(ctx, statement); err != nil {
				return nil, fmt.Errorf("admit analysts: %w", mayGrant(err))
			}
		}
		former, err := db.withdraw(ctx, n)
		if err != nil {
			return nil, fmt.Errorf("take the views from the role of all clinics: %w", mayGrant(err))
		}
		return former, nil
	})
	former = slices.Concat(found...)
	slices.Sort(former)
	return slices.Compact(former), err
}

// withdraw takes the views from the role of all clinics, and names those who have it. Nobody has
// them by it where it was done before.
func (db *DB) withdraw(ctx context.Context, n *node) (former []string, err error) {
	statement := access.Former(db.views)
	if statement == "" {
		return nil, nil
	}
	c, err := n.server()
	if err != nil {
		return nil, err
	}
	var granted uint64
	err = c.QueryRow(ctx, `SELECT (SELECT count() FROM system.grants WHERE role_name = {role:String} AND database = {views:String}),
		(SELECT groupArray(assumeNotNull(coalesce(user_name, role_name))) FROM system.role_grants WHERE granted_role_name = {role:String})`,
		clickhouse.Named("role", access.Role(access.DefaultDatabase)), clickhouse.Named("views", db.views)).Scan(&granted, &former)
	if err != nil || granted == 0 {
		return nil, err
	}
	return former, n.exec(ctx, statement)
}

// mayGrant marks the server's refusals to make users.
func mayGrant(err error) error {
	const accessDenied, accessStorageReadonly, accessStorageMissing = 497, 495, 514
	if e := new(clickhouse.Exception); errors.As(err, &e) && (e.Code == accessDenied || e.Code == accessStorageReadonly || e.Code == accessStorageMissing) {
		return fmt.Errorf("%w: %w", ErrMayNotGrant, err)
	}
	return err
}

// Accounts are those of named analysts on a server of one's own: its users with the clinic's role.
type Accounts struct{ db *DB }

// Accounts gives those of the server.
func (db *DB) Accounts() Accounts { return Accounts{db} }

// List gives their names, but for that of the user whose password is a setting.
func (a Accounts) List(ctx context.Context) ([]string, error) {
	found, err := ofEach(ctx, a.db, func(ctx context.Context, n *node) (names []string, err error) {
		c, err := n.server()
		if err != nil {
			return nil, err
		}
		err = c.QueryRow(ctx, `SELECT groupArray(assumeNotNull(user_name)) FROM system.role_grants
			WHERE granted_role_name = {role:String} AND user_name IS NOT NULL AND user_name != {own:String}`,
			clickhouse.Named("role", access.Role(a.db.views)), clickhouse.Named("own", access.User(a.db.views))).Scan(&names)
		return names, err
	})
	names := slices.Concat(found...)
	slices.Sort(names)
	return slices.Compact(names), fault.Wrap(err, "list analysts")
}

// Add makes a user with the role. Its error is [access.ErrExists] where the server has a user of this name.
func (a Accounts) Add(ctx context.Context, name, password string) error {
	const exists = 493
	err := a.run(ctx, access.AddUser(a.db.views, name, password))
	if e := new(clickhouse.Exception); errors.As(err, &e) && e.Code == exists {
		return access.ErrExists
	}
	return err
}

// SetPassword gives an analyst another password. Its error is [access.ErrUnknown] where there is none of this name.
func (a Accounts) SetPassword(ctx context.Context, name, password string) error {
	return a.runFor(ctx, name, access.SetPassword(name, password))
}

// Remove takes an analyst away. Its error is [access.ErrUnknown] where there is none of this name.
func (a Accounts) Remove(ctx context.Context, name string) error {
	return a.runFor(ctx, name, access.RemoveUser(name))
}

func (a Accounts) runFor(ctx context.Context, name, statement string) error {
	names, err := a.List(ctx)
	if err == nil && !slices.Contains(names, name) {
		err = access.ErrUnknown
	}
	if err != nil {
		return err
	}
	return a.run(ctx, []string{statement})
}

// EndQueries ends what a user of ClickHouse, embedded or not, has running.
func (a Accounts) EndQueries(ctx context.Context, user string) error {
	return a.run(ctx, []string{access.EndQueries(user)})
}

func (a Accounts) run(ctx context.Context, statements []string) error {
	return a.db.each(ctx, func(ctx context.Context, n *node) error {
		for _, statement := range statements {
			if err := n.exec(ctx, statement); err != nil {
				return fmt.Errorf("change analysts: %w", mayGrant(err))
			}
		}
		return nil
	})
}
