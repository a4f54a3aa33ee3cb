package httpapi

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"time"

	"bitacora/adapters/httpapi/password"
	"bitacora/adapters/postgres"
	"bitacora/domain/event"
)

// Accounts keeps who can sign in.
type Accounts interface {
	// AccountByEmail finds an account, or gives [postgres.ErrNotFound].
	AccountByEmail(ctx context.Context, email string) (postgres.Account, error)
}

// Sessions keeps the signed-in browsers, by the SHA-256 of their secrets.
type Sessions interface {
	CreateSession(ctx context.Context, tokenHash [32]byte, accountID string, now time.Time) error
	// SessionAccount is whose session it is; one that ended gives [postgres.ErrNotFound].
	SessionAccount(ctx context.Context, tokenHash [32]byte, now time.Time) (postgres.Account, error)
	DeleteSession(ctx context.Context, tokenHash [32]byte) error
}

// Failures keeps who tried in vain lately.
type Failures interface {
	// LoginFailures counts those with this name from this address, and all from this address.
	LoginFailures(ctx context.Context, email, address string, now time.Time) (ofAccount, ofAddress int, err error)
	RecordLoginFailure(ctx context.Context, email, address string, now time.Time) error
}

// How many failures are patiently answered within [postgres.FailureWindow].
const (
	maxAccountFailures = 5
	maxAddressFailures = 20
)

// maxEmail is the length of the longest e-mail address, in characters.
const maxEmail = 320

// Answers to who is not let in.
var (
	errNotSignedIn = &problem{status: http.StatusUnauthorized, message: "Inicie sesión para continuar."}
	// One answer for every way in which a login can be wrong.
	errCredentials = &problem{status: http.StatusUnauthorized, message: "Credenciales inválidas"}
	// No lock: it passes by itself, and other addresses are not concerned.
	errGuessing = &problem{
		status:     http.StatusTooManyRequests,
		message:    "Credenciales inválidas. Hubo demasiados intentos: espere unos minutos antes de volver a intentarlo.",
		retryAfter: postgres.FailureWindow,
	}
)

// turns bounds how many passwords are compared at once: each takes 46 MiB and a core,
// which a crowd at the login must not take from the visitors.
var turns = make(chan struct{}, 2)

// Gate implements [Staff]: it compares passwords, slows down guessing, and opens and ends
// sessions.
type Gate struct {
	Accounts Accounts
	Sessions Sessions
	Failures Failures
	// Log takes down who signed in.
	Log Log
	Now func() time.Time
}

// SignIn implements [Staff]. Every session has a secret of its own, drawn here.
func (g *Gate) SignIn(ctx context.Context, email, secret, address string) (token string, who postgres.Account, err error) {
	if who, err = g.recognize(ctx, loginName(email), secret, address); err != nil {
		return "", who, err
	}
	now, token := g.Now(), newToken()
	if err := g.Sessions.CreateSession(ctx, sha256.Sum256([]byte(token)), who.ID, now); err != nil {
		return "", who, err
	}
	return token, who, record(ctx, g.Log, who.ID, &event.StaffSignedIn{StaffID: who.ID}, now)
}

// loginName is a typed name as it can be looked up.
func loginName(typed string) string {
	name := []rune(strings.TrimSpace(strings.ReplaceAll(typed, "\x00", "")))
	return string(name[:min(len(name), maxEmail)])
}

// recognize compares a password when it is its turn. The failures are counted within the
// turn, so that guesses made at the same time see each other.
func (g *Gate) recognize(ctx context.Context, email, secret, address string) (postgres.Account, error) {
	select {
	case turns <- struct{}{}:
		defer func() { <-turns }()
	case <-ctx.Done():
		return postgres.Account{}, ctx.Err()
	}
	now := g.Now()
	ofAccount, ofAddress, err := g.Failures.LoginFailures(ctx, email, address, now)
	if err != nil {
		return postgres.Account{}, err
	}
	if ofAccount >= maxAccountFailures || ofAddress >= maxAddressFailures {
		return postgres.Account{}, errGuessing
	}
	who, err := g.Accounts.AccountByEmail(ctx, email)
	unknown := errors.Is(err, postgres.ErrNotFound)
	if err != nil && !unknown {
		return postgres.Account{}, err
	}
	if unknown {
		who.PasswordHash = password.Decoy
	}
	fits, err := password.Matches(who.PasswordHash, secret)
	if err != nil {
		return postgres.Account{}, err
	}
	if !fits || unknown {
		if err := g.Failures.RecordLoginFailure(ctx, email, address, now); err != nil {
			return postgres.Account{}, err
		}
		return postgres.Account{}, errCredentials
	}
	return who, nil
}

// Session implements [Staff].
func (g *Gate) Session(ctx context.Context, token string) (postgres.Account, error) {
	who, err := g.Sessions.SessionAccount(ctx, sha256.Sum256([]byte(token)), g.Now())
	if errors.Is(err, postgres.ErrNotFound) {
		return who, errNotSignedIn
	}
	return who, err
}

// SignOut implements [Staff].
func (g *Gate) SignOut(ctx context.Context, token string) error {
	return g.Sessions.DeleteSession(ctx, sha256.Sum256([]byte(token)))
}
