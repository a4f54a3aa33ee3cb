package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/fault"
	"bitacora/domain/staff"
)

// sessionTouch is how exactly the last use of a session is kept: not every request writes.
const sessionTouch = time.Minute

// CreateSession begins a session that ends [staff.SessionLifetime] after now at the latest.
// The browser is for people to tell their sessions apart.
func (s *Staff) CreateSession(ctx context.Context, tokenHash staff.Token, accountID, browser string, now time.Time) error {
	_, err := s.pool.Exec(ctx, query("session_create"), tokenHash[:], accountID, now, now.Add(staff.SessionLifetime), browser)
	return fault.Wrap(err, "create session")
}

// SessionAccount is whose session it is; asking counts as using it. A session that was
// ended, idled for [staff.SessionIdle] or reached its end gives [ErrNotFound].
func (s *Staff) SessionAccount(ctx context.Context, tokenHash staff.Token, now time.Time) (staff.Account, error) {
	a, err := s.account(ctx, query("session_account"), tokenHash[:], now, now.Add(-staff.SessionIdle), now.Add(-sessionTouch))
	return a, fault.Wrap(err, "find session")
}

// SessionOpen says whether a session was neither ended nor reached its end. Asking does not count
// as using it.
func (s *Staff) SessionOpen(ctx context.Context, tokenHash staff.Token, now time.Time) (open bool, err error) {
	err = s.pool.QueryRow(ctx, query("session_open"), tokenHash[:], now, now.Add(-staff.SessionIdle)).Scan(&open)
	return open, fault.Wrap(err, "look for session")
}

// DeleteSession ends a session and gives whose it was; empty where there was none.
func (s *Staff) DeleteSession(ctx context.Context, tokenHash staff.Token) (accountID string, err error) {
	err = s.pool.QueryRow(ctx, query("session_delete"), tokenHash[:]).Scan(&accountID)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return "", fmt.Errorf("end session: %w", err)
	}
	return accountID, nil
}

// OpenSessions lists the sessions by account that have not ended, the latest used first; the one
// of a token as the current one.
func (s *Staff) OpenSessions(ctx context.Context, current staff.Token, now time.Time) (map[string][]staff.Session, error) {
	open := map[string][]staff.Session{}
	var accountID string
	var one staff.Session
	rows, err := s.pool.Query(ctx, query("sessions"), current[:], now, now.Add(-staff.SessionIdle))
	if err == nil {
		_, err = pgx.ForEachRow(rows, []any{&accountID, &one.ID, &one.Browser, &one.CreatedAt, &one.LastSeenAt, &one.Current}, func() error {
			open[accountID] = append(open[accountID], one)
			return nil
		})
	}
	return open, fault.Wrap(err, "list sessions")
}

// EndSession ends one session of an account, and says how many that were.
func (s *Staff) EndSession(ctx context.Context, accountID, sessionID string) (ended int, err error) {
	return s.end(ctx, query("session_end"), accountID, sessionID)
}

// EndSessions ends all sessions of an account but one, if that is one, and says how many that were.
func (s *Staff) EndSessions(ctx context.Context, accountID string, but staff.Token) (ended int, err error) {
	return s.end(ctx, query("sessions_end"), accountID, but[:])
}

func (s *Staff) end(ctx context.Context, sql string, args ...any) (ended int, err error) {
	tag, err := s.pool.Exec(ctx, sql, args...)
	return int(tag.RowsAffected()), fault.Wrap(err, "end sessions")
}
