package httpapi

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

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

// Devices keeps the browsers that signed in before, by the SHA-256 of their secrets.
type Devices interface {
	// KeepDevice remembers one under a new secret, and forgets the former.
	KeepDevice(ctx context.Context, former, tokenHash [32]byte, accountID string, now time.Time) error
	// DeviceFailures counts what failed lately from a browser in which the account signed in
	// before; any other gives [postgres.ErrNotFound].
	DeviceFailures(ctx context.Context, tokenHash [32]byte, accountID string, now time.Time) (failures int, err error)
}

// Failures keeps who tried in vain lately.
type Failures interface {
	// LoginFailures counts those with this name from this address, and all from this address,
	// but for those of known browsers.
	LoginFailures(ctx context.Context, email, address string, now time.Time) (ofAccount, ofAddress int, err error)
	RecordLoginFailure(ctx context.Context, f postgres.Failure) error
}

// How many failures are answered without delay within [postgres.FailureWindow].
const (
	maxDeviceFailures  = 5
	maxAccountFailures = 5
	maxAddressFailures = 20
)

// SignInDelay is how long a sign-in takes longer beyond these.
const SignInDelay = 5 * time.Second

// maxEmail is the length of the longest e-mail address, in characters.
const maxEmail = 320

// Answers to who is not let in.
var (
	errNotSignedIn = &problem{status: http.StatusUnauthorized, message: "Inicie sesión para continuar."}
	// One answer for every way in which a login can be wrong.
	errCredentials = &problem{status: http.StatusUnauthorized, message: "Credenciales inválidas"}
	// No lock: one attempt at a time goes on, and other addresses are not concerned.
	errGuessing = &problem{
		status:     http.StatusTooManyRequests,
		message:    "Credenciales inválidas. Hubo demasiados intentos: espere unos segundos antes de volver a intentarlo.",
		retryAfter: SignInDelay,
	}
	errCrowded = &problem{
		status:     http.StatusServiceUnavailable,
		message:    "Hay demasiados accesos a la vez. Espere unos segundos antes de volver a intentarlo.",
		retryAfter: crowdedWait,
	}
)

// Attempt is what somebody who wants to sign in shows.
type Attempt struct {
	Email, Password string
	// Address is what clients are told apart by.
	Address string
	// Device is the secret of a browser that signed in before; empty where it shows none.
	Device string
}

// SignedIn is what a sign-in gives: the secrets for the browser's cookies, and who it is.
type SignedIn struct {
	Session, Device string
	Account         postgres.Account
}

// Authenticator implements [Staff]: it compares passwords, slows down guessing, and opens and ends
// sessions.
//
// A browser in which the account signed in before has a lane of its own, where nobody
// else's guesses are in the way. Everybody else waits in a bounded queue, and whose address
// has failed too often, for Delay besides, one at a time. So the right password always gets
// in, and a guess beyond the budgets costs its address Delay.
type Authenticator struct {
	Accounts Accounts
	Sessions Sessions
	Devices  Devices
	Failures Failures
	// Log takes down who signed in.
	Log Log
	Now func() time.Time
	// Delay is [SignInDelay], but for tests.
	Delay time.Duration
}

// SignIn implements [Staff]. Every session has a secret of its own, and every sign-in gives
// the browser a new one to be known by.
func (g *Authenticator) SignIn(ctx context.Context, a Attempt) (SignedIn, error) {
	a.Email = loginName(a.Email)
	who, err := g.recognize(ctx, a)
	if err != nil {
		return SignedIn{}, err
	}
	now, in := g.Now(), SignedIn{newToken(), newToken(), who}
	if err := g.Sessions.CreateSession(ctx, tokenHash(in.Session), who.ID, now); err != nil {
		return SignedIn{}, err
	}
	if err := g.Devices.KeepDevice(ctx, tokenHash(a.Device), tokenHash(in.Device), who.ID, now); err != nil {
		return SignedIn{}, err
	}
	return in, record(ctx, g.Log, who.ID, &event.StaffSignedIn{StaffID: who.ID}, now)
}

func tokenHash(token string) [32]byte { return sha256.Sum256([]byte(token)) }

// loginName is a typed name as it can be looked up.
func loginName(typed string) string {
	name := []rune(strings.TrimSpace(strings.ReplaceAll(typed, "\x00", "")))
	return string(name[:min(len(name), maxEmail)])
}

// recognize sends an attempt down its lane.
func (g *Authenticator) recognize(ctx context.Context, a Attempt) (postgres.Account, error) {
	who, err := g.claimed(ctx, a.Email)
	if err != nil {
		return who, err
	}
	ofDevice := func() (bool, error) { return g.deviceMayFail(ctx, a, who) }
	if known, err := ofDevice(); err != nil || known {
		return g.compare(ctx, knownBrowsers, a, who, ofDevice)
	}
	a.Device = ""
	ofAddress := func() (bool, error) { return g.addressMayFail(ctx, a) }
	patient, err := ofAddress()
	if err != nil || patient {
		return g.compare(ctx, everybody, a, who, ofAddress)
	}
	if _, another := delayed.LoadOrStore(a.Address, struct{}{}); another {
		return who, errGuessing
	}
	defer delayed.Delete(a.Address)
	select {
	case <-time.After(g.Delay):
	case <-ctx.Done():
		return who, ctx.Err()
	}
	return g.compare(ctx, everybody, a, who, func() (bool, error) { return true, nil })
}

// claimed is the account that an attempt is for. That of an unknown name has a password
// that nothing fits.
func (g *Authenticator) claimed(ctx context.Context, email string) (postgres.Account, error) {
	who, err := g.Accounts.AccountByEmail(ctx, email)
	if errors.Is(err, postgres.ErrNotFound) {
		return postgres.Account{ID: uuid.Nil.String(), PasswordHash: password.Decoy}, nil
	}
	return who, err
}

// deviceMayFail says whether an attempt comes from a known browser that has not failed too
// often. A cookie that was copied is therefore worth a few guesses, and no more.
func (g *Authenticator) deviceMayFail(ctx context.Context, a Attempt, who postgres.Account) (bool, error) {
	if a.Device == "" {
		return false, nil
	}
	failures, err := g.Devices.DeviceFailures(ctx, tokenHash(a.Device), who.ID, g.Now())
	if errors.Is(err, postgres.ErrNotFound) {
		return false, nil
	}
	return failures < maxDeviceFailures, err
}

func (g *Authenticator) addressMayFail(ctx context.Context, a Attempt) (bool, error) {
	ofAccount, ofAddress, err := g.Failures.LoginFailures(ctx, a.Email, a.Address, g.Now())
	return ofAccount < maxAccountFailures && ofAddress < maxAddressFailures, err
}

// compare compares a password when it is its turn. Whether it may fail is asked again
// within the turn, so that guesses made at the same time see each other.
func (g *Authenticator) compare(ctx context.Context, l *lane, a Attempt, who postgres.Account, mayFail func() (bool, error)) (postgres.Account, error) {
	leave, err := l.enter(ctx)
	if err != nil {
		return who, err
	}
	defer leave()
	if patient, err := mayFail(); err != nil {
		return who, err
	} else if !patient {
		return who, errGuessing
	}
	fits, err := password.Matches(who.PasswordHash, a.Password)
	if err != nil || fits {
		return who, err
	}
	failed := postgres.Failure{Email: a.Email, Address: a.Address, At: g.Now()}
	if a.Device != "" {
		device := tokenHash(a.Device)
		failed.Device = device[:]
	}
	if err := g.Failures.RecordLoginFailure(ctx, failed); err != nil {
		return who, err
	}
	return who, errCredentials
}

// Session implements [Staff].
func (g *Authenticator) Session(ctx context.Context, token string) (postgres.Account, error) {
	who, err := g.Sessions.SessionAccount(ctx, tokenHash(token), g.Now())
	if errors.Is(err, postgres.ErrNotFound) {
		return who, errNotSignedIn
	}
	return who, err
}

// SignOut implements [Staff].
func (g *Authenticator) SignOut(ctx context.Context, token string) error {
	return g.Sessions.DeleteSession(ctx, tokenHash(token))
}
