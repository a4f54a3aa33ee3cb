package staff

import (
	"context"
	"fmt"
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

// Log is the part of the event log that the register needs.
type Log interface {
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// Register changes accounts, and takes down who changed what. A change is made first and then
// taken down, so that the log tells of none that was refused; an error of the log is given to
// whoever made it.
type Register struct {
	Store Store
	Log   Log
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
func (r *Register) Add(ctx context.Context, by Actor, email, passwordHash string, role Role) (Account, error) {
	a, err := r.Store.AddAccount(ctx, email, passwordHash, role)
	if err != nil {
		return a, err
	}
	return a, r.record(ctx, by, a.ID, &event.StaffAccountAdded{AccountChange: change(a, by), Role: string(role)})
}

// SetRole changes what an account may do, or gives [ErrLastOwner].
func (r *Register) SetRole(ctx context.Context, by Actor, a Account, role Role) error {
	if a.Role == role {
		return nil
	}
	if err := r.Store.SetRole(ctx, a.ID, role); err != nil {
		return err
	}
	return r.record(ctx, by, a.ID, &event.StaffRoleChanged{AccountChange: change(a, by), Role: string(role)})
}

// Remove removes an account with its sessions, or gives [ErrLastOwner].
func (r *Register) Remove(ctx context.Context, by Actor, a Account) error {
	if err := r.Store.RemoveAccount(ctx, a.ID); err != nil {
		return err
	}
	return r.record(ctx, by, a.ID, &event.StaffAccountRemoved{AccountChange: change(a, by)})
}

// SetPassword changes a password. It ends all sessions of the account but one, if that is one.
func (r *Register) SetPassword(ctx context.Context, by Actor, a Account, passwordHash string, but Token) error {
	if err := r.Store.SetPassword(ctx, a.ID, passwordHash, but); err != nil {
		return err
	}
	return r.record(ctx, by, a.ID, &event.StaffPasswordChanged{AccountChange: change(a, by)})
}

// EndSession ends one session of an account, if there is such a one.
func (r *Register) EndSession(ctx context.Context, by Actor, a Account, sessionID string) error {
	ended, err := r.Store.EndSession(ctx, a.ID, sessionID)
	if err != nil {
		return err
	}
	return r.recordEnded(ctx, by, a, ended)
}

// EndSessions ends all sessions of an account but one, if that is one.
func (r *Register) EndSessions(ctx context.Context, by Actor, a Account, but Token) (ended int, err error) {
	if ended, err = r.Store.EndSessions(ctx, a.ID, but); err != nil {
		return 0, err
	}
	return ended, r.recordEnded(ctx, by, a, ended)
}

func (r *Register) recordEnded(ctx context.Context, by Actor, a Account, ended int) error {
	if ended == 0 {
		return nil
	}
	return r.record(ctx, by, a.ID, &event.StaffSessionsEnded{AccountChange: change(a, by), Sessions: ended})
}

func change(a Account, by Actor) event.AccountChange {
	return event.AccountChange{StaffID: a.ID, By: by.ID}
}

// record takes down what has happened already: whoever leaves meanwhile does not keep it from that.
func (r *Register) record(ctx context.Context, by Actor, accountID string, what event.Payload) error {
	draft := event.Draft{ID: r.NewID(), OccurredAt: r.Now().UTC().Truncate(time.Millisecond), Payload: what}
	if by.RequestID != "" {
		draft.Metadata = map[string]string{"requestId": by.RequestID}
	}
	_, err := r.Log.Append(context.WithoutCancel(ctx), event.Append{
		Stream: Stream(accountID), ExpectedVersion: event.AnyVersion, Drafts: []event.Draft{draft},
	})
	if err != nil {
		return fmt.Errorf("record %s: %w", what.EventType(), err)
	}
	return nil
}

// StreamPrefix begins the streams of accounts: they are what the staff did.
const StreamPrefix = "staff/"

// Stream is the stream of what an account did, and what was done to it.
func Stream(accountID string) string { return StreamPrefix + accountID }
