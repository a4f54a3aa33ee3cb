package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/staff"
)

// Staff keeps accounts, sessions, known browsers and failed logins. It neither hashes
// passwords nor reads a clock. Of a token it knows the SHA-256 only.
// Of the name of a failed login it keeps a hash that nobody can try names on without the
// newest epoch key; with a rotation those of before are forgotten.
type Staff struct {
	// pool is the transaction of [Staff.Record] within that.
	pool    transactor
	keys    *keyring
	log     *Log
	connect connector
}

// transactor is a pool or a transaction.
type transactor interface {
	querier
	Begin(ctx context.Context) (pgx.Tx, error)
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

var _ staff.Store = (*Staff)(nil)

// Staff is who may see the dashboard.
func (db *DB) Staff() *Staff { return &Staff{db.pool, db.log.keys, db.log, db.connect} }

// Record implements [staff.Store].
func (s *Staff) Record(ctx context.Context, change func(staff.Changes) (*event.Append, error)) error {
	return s.log.appendWith(ctx, s.connect, func(tx pgx.Tx) (*event.Append, error) {
		return change(&Staff{pool: tx, keys: s.keys})
	})
}

func (s *Staff) nameHash(email string) []byte {
	mac := hmac.New(sha256.New, s.keys.newest().derived("bitacora login names"))
	mac.Write([]byte(strings.ToLower(email)))
	return mac.Sum(nil)
}

// AddAccount makes an account, or gives [staff.ErrAccountExists].
func (s *Staff) AddAccount(ctx context.Context, email, passwordHash string, role staff.Role) (staff.Account, error) {
	a, err := s.account(ctx, query("account_add"), email, passwordHash, role)
	if errors.Is(err, ErrNotFound) {
		err = staff.ErrAccountExists
	}
	return a, fault.Wrap(err, "add account")
}

// AccountByEmail finds an account whatever the case of its address, or gives [ErrNotFound].
func (s *Staff) AccountByEmail(ctx context.Context, email string) (staff.Account, error) {
	a, err := s.account(ctx, query("account_by_email"), email)
	return a, fault.Wrap(err, "find account")
}

// AccountByID finds an account, or gives [ErrNotFound].
func (s *Staff) AccountByID(ctx context.Context, accountID string) (staff.Account, error) {
	a, err := s.account(ctx, query("account_by_id"), accountID)
	return a, fault.Wrap(err, "find account")
}

// Accounts lists all accounts by e-mail address.
func (s *Staff) Accounts(ctx context.Context) ([]staff.Account, error) {
	accounts, err := collect(ctx, s.pool, query("accounts"), scanAccount)
	return accounts, fault.Wrap(err, "list accounts")
}

// SetRole changes what an account may do, from its next request on. The last owner gives
// [staff.ErrLastOwner], and no account [ErrNotFound].
func (s *Staff) SetRole(ctx context.Context, accountID string, role staff.Role) error {
	err := s.keepingAnOwner(ctx, accountID, role == staff.RoleOwner, query("role_set"), accountID, role)
	return fault.Wrap(err, "change role")
}

// RemoveAccount removes an account with its sessions. The last owner gives
// [staff.ErrLastOwner], and no account [ErrNotFound].
func (s *Staff) RemoveAccount(ctx context.Context, accountID string) error {
	return fault.Wrap(s.keepingAnOwner(ctx, accountID, false, query("account_remove"), accountID), "remove account")
}

// Invent makes the accounts of a demo, with the ids that its history names, unless they exist.
func (s *Staff) Invent(ctx context.Context, accounts []staff.Account, passwordHash string) error {
	for _, a := range accounts {
		if _, err := s.pool.Exec(ctx, query("accounts_invent"), a.ID, a.Email, passwordHash, a.Role); err != nil {
			return fmt.Errorf("make the demo's accounts: %w", err)
		}
	}
	return nil
}

// RemoveInvented removes the accounts of a demo, whose password is public, and that of an address, which an
// earlier demo made. No owner is kept: better none than one as whom everybody can sign in.
func (s *Staff) RemoveInvented(ctx context.Context, accounts []staff.Account, email string) error {
	ids := make([]string, len(accounts))
	for i, a := range accounts {
		ids[i] = a.ID
	}
	_, err := s.pool.Exec(ctx, query("accounts_invented_remove"), ids, email)
	return fault.Wrap(err, "remove the demo's accounts")
}

// keepingAnOwner makes a change after which an account is an owner, or is none. Changes of
// owners wait for each other, so that two cannot take the last two away.
func (s *Staff) keepingAnOwner(ctx context.Context, accountID string, owner bool, sql string, args ...any) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		owners, err := collect(ctx, tx, query("owners_lock"), pgx.RowTo[string])
		if err != nil {
			return err
		}
		if !owner && len(owners) == 1 && owners[0] == accountID {
			return staff.ErrLastOwner
		}
		tag, err := tx.Exec(ctx, sql, args...)
		if err == nil && tag.RowsAffected() == 0 {
			return ErrNotFound
		}
		return err
	})
}

// SetPassword changes a password, ends all sessions of the account but one, if that is one,
// and forgets its browsers.
func (s *Staff) SetPassword(ctx context.Context, accountID, passwordHash string, but staff.Token) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, query("password_set"), accountID, passwordHash)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return ErrNotFound
		}
		if _, err := tx.Exec(ctx, query("sessions_end"), accountID, but[:]); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, query("devices_forget"), accountID)
		return err
	})
	return fault.Wrap(err, "set password")
}

// KeepDevice remembers a browser in which an account has just signed in, for
// [staff.DeviceLifetime]. Under its former token, if it had one, nobody is known any more; what
// other accounts it was known to stays.
func (s *Staff) KeepDevice(ctx context.Context, former, tokenHash [32]byte, accountID string, now time.Time) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, query("device_rename"), former[:], tokenHash[:], now); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, query("device_keep"), tokenHash[:], accountID, now, now.Add(staff.DeviceLifetime))
		return err
	})
	return fault.Wrap(err, "keep device")
}

// DeviceFailures counts the failed logins from a browser in which the account signed in
// before, within [staff.FailureWindow] before now. Any other browser gives [ErrNotFound].
func (s *Staff) DeviceFailures(ctx context.Context, tokenHash [32]byte, accountID string, now time.Time) (failures int, err error) {
	err = s.pool.QueryRow(ctx, query("device_failures"), tokenHash[:], accountID, now, now.Add(-staff.FailureWindow)).Scan(&failures)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNotFound
	}
	return failures, fault.Wrap(err, "count failed logins of a device")
}

// LoginFailures counts the failed logins within [staff.FailureWindow] before now: with this name
// from this address, and from this address with any name. Those of known browsers count
// for none.
func (s *Staff) LoginFailures(ctx context.Context, email, address string, now time.Time) (ofAccount, ofAddress int, err error) {
	err = s.pool.QueryRow(ctx, query("failures_count"), s.nameHash(email), address, now.Add(-staff.FailureWindow)).Scan(&ofAccount, &ofAddress)
	return ofAccount, ofAddress, fault.Wrap(err, "count failed logins")
}

// RecordLoginFailure remembers a failed login for [staff.FailureWindow].
func (s *Staff) RecordLoginFailure(ctx context.Context, f staff.Failure) error {
	_, err := s.pool.Exec(ctx, query("failure_record"), s.nameHash(f.Email), f.Address, f.Device, f.At, f.At.Add(-staff.FailureWindow))
	return fault.Wrap(err, "record failed login")
}

// signInLock is the class of the advisory locks of sign-ins.
const signInLock = 731057522

// OneByOne does what concerns somebody, named by a browser's secret or an address, in one process at a time.
func (s *Staff) OneByOne(ctx context.Context, whom string, do func() error) error {
	var failed error
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1, hashtext($2))", signInLock, hex.EncodeToString(s.nameHash(whom))); err != nil {
			return err
		}
		failed = do()
		return nil
	})
	if failed == nil && err != nil {
		return fmt.Errorf("wait for another sign-in: %w", err)
	}
	return failed
}

func (s *Staff) account(ctx context.Context, sql string, args ...any) (staff.Account, error) {
	rows, err := s.pool.Query(ctx, sql, args...)
	if err != nil {
		return staff.Account{}, err
	}
	a, err := pgx.CollectExactlyOneRow(rows, scanAccount)
	if errors.Is(err, pgx.ErrNoRows) {
		return staff.Account{}, ErrNotFound
	}
	return a, err
}

func scanAccount(row pgx.CollectableRow) (staff.Account, error) {
	var a staff.Account
	err := row.Scan(&a.ID, &a.Email, &a.PasswordHash, &a.Role, &a.CreatedAt, &a.SecondFactor)
	a.CreatedAt = a.CreatedAt.UTC()
	return a, err
}
