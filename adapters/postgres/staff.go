package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	sqlAccountAdd     = query("account_add")
	sqlAccountByEmail = query("account_by_email")
	sqlAccounts       = query("accounts")
	sqlAccountRemove  = query("account_remove")
	sqlPasswordSet    = query("password_set")
	sqlSessionsEnd    = query("sessions_end")
	sqlSessionCreate  = query("session_create")
	sqlSessionAccount = query("session_account")
	sqlSessionDelete  = query("session_delete")
	sqlFailuresCount  = query("failures_count")
	sqlFailureRecord  = query("failure_record")
)

// How long a session lasts, and how far back failed logins count.
const (
	SessionIdle     = 30 * time.Minute
	SessionLifetime = 12 * time.Hour
	FailureWindow   = 15 * time.Minute
)

// sessionTouch is how exactly the last use of a session is kept: not every request writes.
const sessionTouch = time.Minute

// ErrAccountExists: the e-mail address has an account already.
var ErrAccountExists = errors.New("account exists already")

// Account is a person of the clinic who can sign in.
type Account struct {
	ID string
	// Email is the login name, in lower case.
	Email string
	// PasswordHash is kept as it was given.
	PasswordHash string
	CreatedAt    time.Time
}

// Staff keeps accounts, sessions and failed logins. It neither hashes passwords nor reads
// a clock. Of a session's token it knows the SHA-256 only.
type Staff struct{ pool *pgxpool.Pool }

// Staff is who may see the dashboard.
func (db *DB) Staff() *Staff { return &Staff{db.pool} }

// AddAccount makes an account, or gives [ErrAccountExists].
func (s *Staff) AddAccount(ctx context.Context, email, passwordHash string) (Account, error) {
	a, err := s.account(ctx, sqlAccountAdd, email, passwordHash)
	if errors.Is(err, ErrNotFound) {
		err = ErrAccountExists
	}
	if err != nil {
		return Account{}, fmt.Errorf("add account: %w", err)
	}
	return a, nil
}

// AccountByEmail finds an account whatever the case of its address, or gives [ErrNotFound].
func (s *Staff) AccountByEmail(ctx context.Context, email string) (Account, error) {
	a, err := s.account(ctx, sqlAccountByEmail, email)
	if err != nil {
		return Account{}, fmt.Errorf("find account: %w", err)
	}
	return a, nil
}

// Accounts lists all accounts by e-mail address.
func (s *Staff) Accounts(ctx context.Context) ([]Account, error) {
	rows, err := s.pool.Query(ctx, sqlAccounts)
	if err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	accounts, err := pgx.CollectRows(rows, scanAccount)
	if err != nil {
		return nil, fmt.Errorf("list accounts: %w", err)
	}
	return accounts, nil
}

// RemoveAccount removes an account with its sessions, if there is one.
func (s *Staff) RemoveAccount(ctx context.Context, accountID string) error {
	if _, err := s.pool.Exec(ctx, sqlAccountRemove, accountID); err != nil {
		return fmt.Errorf("remove account: %w", err)
	}
	return nil
}

// SetPassword changes a password and ends all sessions of the account.
func (s *Staff) SetPassword(ctx context.Context, accountID, passwordHash string) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, sqlPasswordSet, accountID, passwordHash)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return ErrNotFound
		}
		_, err = tx.Exec(ctx, sqlSessionsEnd, accountID)
		return err
	})
	if err != nil {
		return fmt.Errorf("set password: %w", err)
	}
	return nil
}

// CreateSession begins a session that ends [SessionLifetime] after now at the latest.
func (s *Staff) CreateSession(ctx context.Context, tokenHash [32]byte, accountID string, now time.Time) error {
	if _, err := s.pool.Exec(ctx, sqlSessionCreate, tokenHash[:], accountID, now, now.Add(SessionLifetime)); err != nil {
		return fmt.Errorf("create session: %w", err)
	}
	return nil
}

// SessionAccount is whose session it is; asking counts as using it. A session that was
// ended, idled for [SessionIdle] or reached its end gives [ErrNotFound].
func (s *Staff) SessionAccount(ctx context.Context, tokenHash [32]byte, now time.Time) (Account, error) {
	a, err := s.account(ctx, sqlSessionAccount, tokenHash[:], now, now.Add(-SessionIdle), now.Add(-sessionTouch))
	if err != nil {
		return Account{}, fmt.Errorf("find session: %w", err)
	}
	return a, nil
}

// DeleteSession ends a session; there need not be one.
func (s *Staff) DeleteSession(ctx context.Context, tokenHash [32]byte) error {
	if _, err := s.pool.Exec(ctx, sqlSessionDelete, tokenHash[:]); err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return nil
}

// LoginFailures counts the failed logins within [FailureWindow] before now: with this name
// from this address, and from this address with any name.
func (s *Staff) LoginFailures(ctx context.Context, email, address string, now time.Time) (ofAccount, ofAddress int, err error) {
	err = s.pool.QueryRow(ctx, sqlFailuresCount, email, address, now.Add(-FailureWindow)).Scan(&ofAccount, &ofAddress)
	if err != nil {
		return 0, 0, fmt.Errorf("count failed logins: %w", err)
	}
	return ofAccount, ofAddress, nil
}

// RecordLoginFailure remembers a failed login, whether or not the name has an account.
func (s *Staff) RecordLoginFailure(ctx context.Context, email, address string, now time.Time) error {
	if _, err := s.pool.Exec(ctx, sqlFailureRecord, email, address, now, now.Add(-FailureWindow)); err != nil {
		return fmt.Errorf("record failed login: %w", err)
	}
	return nil
}

func (s *Staff) account(ctx context.Context, sql string, args ...any) (Account, error) {
	rows, err := s.pool.Query(ctx, sql, args...)
	if err != nil {
		return Account{}, err
	}
	a, err := pgx.CollectExactlyOneRow(rows, scanAccount)
	if errors.Is(err, pgx.ErrNoRows) {
		return Account{}, ErrNotFound
	}
	return a, err
}

func scanAccount(row pgx.CollectableRow) (Account, error) {
	var a Account
	err := row.Scan(&a.ID, &a.Email, &a.PasswordHash, &a.CreatedAt)
	a.CreatedAt = a.CreatedAt.UTC()
	return a, err
}
