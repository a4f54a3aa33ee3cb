package staff

import (
	"context"
	"time"

	"bitacora/domain/event"
)

// Session is a browser in which an account is signed in.
type Session struct {
	// ID names it to people; it opens nothing.
	ID string
	// Browser is its family and its system; empty where that is not known.
	Browser string
	// CreatedAt is when it was signed in, LastSeenAt its last request, to the minute.
	CreatedAt, LastSeenAt time.Time
	// Current says that it is the one in which was asked.
	Current bool
}

// Token is the SHA-256 of a session's secret.
type Token = [32]byte

// Store keeps accounts and their sessions.
type Store interface {
	// Change makes changes together with the events that tell of them, or none of both. It may do so more
	// than once until they are stored. Changes without drafts are not told.
	Change(ctx context.Context, do func(Changes) (event.Append, error)) error
}

// Changes are those of accounts and their sessions.
type Changes interface {
	// AddAccount makes an account, or gives [ErrAccountExists].
	AddAccount(ctx context.Context, email, passwordHash string, role Role) (Account, error)
	// SetRole and RemoveAccount refuse with [ErrLastOwner].
	SetRole(ctx context.Context, accountID string, role Role) error
	RemoveAccount(ctx context.Context, accountID string) error
	// SetPassword ends all sessions but one, if that is one of the account, and forgets the
	// account's browsers.
	SetPassword(ctx context.Context, accountID, passwordHash string, but Token) error
	// EndSession ends one session of an account, EndSessions all but one. They say how many
	// that were.
	EndSession(ctx context.Context, accountID, sessionID string) (ended int, err error)
	EndSessions(ctx context.Context, accountID string, but Token) (ended int, err error)
	SecondFactorStore
}

// Register changes accounts, and takes down who changed what. The log tells of every change, and of none
// that was refused.
type Register struct {
	Store Store
	Now   func() time.Time
	NewID func() string
}

// Actor is who makes a change.
type Actor struct {
	// ID is an account, or [event.ByOperator].
	ID string
	// RequestID names the request it came with; empty on the command line.
	RequestID string
}

// Add makes an account, or gives [ErrAccountExists].
func (r *Register) Add(ctx context.Context, by Actor, email, passwordHash string, role Role) (a Account, err error) {
	err = r.Store.Change(ctx, func(s Changes) (event.Append, error) {
		if a, err = s.AddAccount(ctx, email, passwordHash, role); err != nil {
			return event.Append{}, err
		}
		return r.told(by, a.ID, &event.StaffAccountAdded{AccountChange: change(a, by), Role: string(role)}), nil
	})
	return a, err
}

// SetRole changes what an account may do, or gives [ErrLastOwner].
func (r *Register) SetRole(ctx context.Context, by Actor, a Account, role Role) error {
	if a.Role == role {
		return nil
	}
	return r.Store.Change(ctx, func(s Changes) (event.Append, error) {
		return r.told(by, a.ID, &event.StaffRoleChanged{AccountChange: change(a, by), Role: string(role)}), s.SetRole(ctx, a.ID, role)
	})
}

// Remove removes an account with its sessions, or gives [ErrLastOwner].
func (r *Register) Remove(ctx context.Context, by Actor, a Account) error {
	return r.Store.Change(ctx, func(s Changes) (event.Append, error) {
		return r.told(by, a.ID, &event.StaffAccountRemoved{AccountChange: change(a, by)}), s.RemoveAccount(ctx, a.ID)
	})
}

// SetPassword changes a password. It ends all sessions of the account but one, if that is one.
func (r *Register) SetPassword(ctx context.Context, by Actor, a Account, passwordHash string, but Token) error {
	return r.Store.Change(ctx, func(s Changes) (event.Append, error) {
		return r.told(by, a.ID, &event.StaffPasswordChanged{AccountChange: change(a, by)}), s.SetPassword(ctx, a.ID, passwordHash, but)
	})
}

// EndSession ends one session of an account, if there is such a one.
func (r *Register) EndSession(ctx context.Context, by Actor, a Account, sessionID string) error {
	_, err := r.end(ctx, by, a, func(s Changes) (int, error) { return s.EndSession(ctx, a.ID, sessionID) })
	return err
}

// EndSessions ends all sessions of an account but one, if that is one.
func (r *Register) EndSessions(ctx context.Context, by Actor, a Account, but Token) (ended int, err error) {
	return r.end(ctx, by, a, func(s Changes) (int, error) { return s.EndSessions(ctx, a.ID, but) })
}

// end ends sessions, and says how many that were.
func (r *Register) end(ctx context.Context, by Actor, a Account, end func(Changes) (int, error)) (ended int, err error) {
	err = r.Store.Change(ctx, func(s Changes) (event.Append, error) {
		if ended, err = end(s); err != nil || ended == 0 {
			return event.Append{}, err
		}
		return r.told(by, a.ID, &event.StaffSessionsEnded{AccountChange: change(a, by), Sessions: ended}), nil
	})
	return ended, err
}

func change(a Account, by Actor) event.AccountChange {
	return event.AccountChange{StaffID: a.ID, By: by.ID}
}

// told is what the log is to tell of a change.
func (r *Register) told(by Actor, accountID string, what event.Payload) event.Append {
	draft := event.Draft{ID: r.NewID(), OccurredAt: r.Now().UTC().Truncate(time.Millisecond), Payload: what}
	if by.RequestID != "" {
		draft.Metadata = map[string]string{"requestId": by.RequestID}
	}
	return event.Append{Stream: Stream(accountID), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{draft}}
}

// StreamPrefix begins the streams of accounts: they are what the staff did.
const StreamPrefix = "staff/"

// Stream is the stream of what an account did, and what was done to it.
func Stream(accountID string) string { return StreamPrefix + accountID }
