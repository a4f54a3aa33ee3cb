package staff

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/httpapi/password"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/staff"
	"bitacora/domain/throttle"
)

// Accounts keeps who can sign in.
type Accounts interface {
	// AccountByEmail finds an account, or gives an error of the kind [fault.NotFound].
	AccountByEmail(ctx context.Context, email string) (staff.Account, error)
	// AccountByID does, too.
	AccountByID(ctx context.Context, accountID string) (staff.Account, error)
}

// Sessions keeps the signed-in browsers, by the SHA-256 of their secrets.
type Sessions interface {
	CreateSession(ctx context.Context, tokenHash staff.Token, accountID, browser string, now time.Time) error
	// SessionAccount is whose session it is; one that ended gives an error of the
	// kind [fault.NotFound].
	SessionAccount(ctx context.Context, tokenHash staff.Token, now time.Time) (staff.Account, error)
	// SessionOpen says whether a session has not ended. Asking is not using it.
	SessionOpen(ctx context.Context, tokenHash staff.Token, now time.Time) (bool, error)
	// DeleteSession gives whose session it was; empty where there was none.
	DeleteSession(ctx context.Context, tokenHash staff.Token) (accountID string, err error)
}

// Devices keeps the browsers that signed in before, by the SHA-256 of their secrets.
type Devices interface {
	// KeepDevice remembers one under a new secret, and forgets the former.
	KeepDevice(ctx context.Context, former, tokenHash [32]byte, accountID string, now time.Time) error
	// DeviceFailures counts what failed lately from a browser in which the account signed in
	// before; any other gives an error of the kind [fault.NotFound].
	DeviceFailures(ctx context.Context, tokenHash [32]byte, accountID string, now time.Time) (failures int, err error)
}

// Failures keeps who tried in vain lately.
type Failures interface {
	// LoginFailures counts those with this name from this address, and all from this address,
	// but for those of known browsers.
	LoginFailures(ctx context.Context, email, address string, now time.Time) (ofAccount, ofAddress int, err error)
	RecordLoginFailure(ctx context.Context, f staff.Failure) error
	// OneByOne does what concerns somebody in one process at a time.
	OneByOne(ctx context.Context, whom string, do func() error) error
}

// Throttle keeps the token buckets of all processes.
type Throttle interface {
	// Take takes a token of each bucket, as far as its patience goes, and says how long each
	// needed to be full again before that.
	Take(ctx context.Context, buckets ...throttle.Bucket) (needed []time.Duration, err error)
	// Give gives a token back that was taken.
	Give(ctx context.Context, b throttle.Bucket) error
}

// How many failures are answered without delay within [staff.FailureWindow].
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
	errNotSignedIn = &web.Problem{Status: http.StatusUnauthorized, Message: "Inicie sesión para continuar."}
	// One answer for every way in which a login can be wrong.
	errCredentials = &web.Problem{Status: http.StatusUnauthorized, Message: "Credenciales inválidas"}
	// No lock: one attempt at a time goes on, and other addresses are not concerned.
	errGuessing = &web.Problem{
		Status:     http.StatusTooManyRequests,
		Message:    "Credenciales inválidas. Hubo demasiados intentos: espere unos segundos antes de volver a intentarlo.",
		RetryAfter: SignInDelay,
	}
	errQueueFull = &web.Problem{
		Status:     http.StatusServiceUnavailable,
		Message:    "Hay demasiados accesos a la vez. Espere unos segundos antes de volver a intentarlo.",
		RetryAfter: queueRetry,
	}
)

// Attempt is what somebody who wants to sign in shows.
type Attempt struct {
	Email, Password string
	// Code is that of the second factor; empty where none was asked for yet.
	Code string
	// Address is what clients are distinguished by.
	Address string
	// Device is the secret of a browser that signed in before; empty where it shows none.
	Device string
	// Browser is how people know the browser; empty where they do not.
	Browser string

	// passwordAlone says that no code is needed.
	passwordAlone bool
}

// SecondFactors keeps what accounts make codes of.
type SecondFactors interface {
	// BeginSecondFactor keeps a secret that nobody is asked for yet; where one is asked for it
	// gives [staff.ErrSecondFactorOn].
	BeginSecondFactor(ctx context.Context, accountID, secret string) error
	// SecondFactor gives an error of the kind [fault.NotFound] where none was begun.
	SecondFactor(ctx context.Context, accountID string) (staff.SecondFactor, error)
	// UseStep takes the code of a step, once, and none of an earlier one after it.
	UseStep(ctx context.Context, accountID string, step int64) (taken bool, err error)
	// UseRecoveryCode gives an error of the kind [fault.NotFound] for a code that is none, or was
	// used.
	UseRecoveryCode(ctx context.Context, accountID, code string) (left int, err error)
}

// SignedIn is what a sign-in gives: the secrets for the browser's cookies, and who it is.
type SignedIn struct {
	Session, Device string
	Account         staff.Account
}

// AuthenticatorConfig names what an [Authenticator] needs.
type AuthenticatorConfig struct {
	Accounts Accounts
	Sessions Sessions
	Devices  Devices
	Failures Failures
	Factors  SecondFactors
	Throttle Throttle
	// SessionsEnded gives what is closed when a session was ended from now on, in whatever process.
	SessionsEnded func() <-chan struct{}
	// Log records who signed in and out, and who failed to.
	Log Log
	Now func() time.Time
	// Failed counts sign-ins that failed for a reason, "password" or "code"; nil: nobody counts.
	Failed func(reason string)
	// Delay is [SignInDelay], but for tests.
	Delay time.Duration
}

// Authenticator says who may see the dashboard: it compares passwords and codes, slows down guessing, and
// opens and ends sessions.
//
// A browser in which the account signed in before has a queue of its own, where nobody
// else's guesses are in the way. All others wait in another, and those whose address has failed
// too often, for Delay besides, one at a time. So the right password always gets in, and a
// guess beyond the budgets costs its address Delay.
type Authenticator struct {
	AuthenticatorConfig
	// Known is the queue of known browsers, Others that of all others. Together they compare
	// two passwords at once.
	Known, Others *Queue

	streams *streams
}

// NewAuthenticator is one with empty queues.
func NewAuthenticator(c AuthenticatorConfig) *Authenticator {
	return &Authenticator{AuthenticatorConfig: c, Known: newQueue(maxKnownWaiting), Others: newQueue(maxOthersWaiting), streams: newStreams()}
}

// SignIn opens a session. Every session has a secret of its own, and every sign-in gives
// the browser a new one to be known by.
func (a *Authenticator) SignIn(ctx context.Context, try Attempt) (SignedIn, error) {
	try.Email = loginName(try.Email)
	who, err := a.recognize(ctx, try)
	if err != nil {
		return SignedIn{}, err
	}
	now, in := a.Now(), SignedIn{web.NewToken(), web.NewToken(), who}
	if err := a.Sessions.CreateSession(ctx, tokenHash(in.Session), who.ID, try.Browser, now); err != nil {
		return SignedIn{}, err
	}
	if err := a.Devices.KeepDevice(ctx, tokenHash(try.Device), tokenHash(in.Device), who.ID, now); err != nil {
		return SignedIn{}, err
	}
	return in, record(ctx, a.Log, who.ID, &event.StaffSignedIn{StaffID: who.ID}, now)
}

// Confirm compares a password, without a code, as [Authenticator.SignIn] does, within the same budgets, and gives
// a new secret that the browser may be known by.
func (a *Authenticator) Confirm(ctx context.Context, try Attempt) (device string, err error) {
	try.Email, try.passwordAlone = loginName(try.Email), true
	if _, err := a.recognize(ctx, try); err != nil {
		return "", err
	}
	return web.NewToken(), nil
}

// ConfirmBoth compares password and code as [Authenticator.SignIn] does, within the same budgets.
func (a *Authenticator) ConfirmBoth(ctx context.Context, try Attempt) error {
	try.Email = loginName(try.Email)
	_, err := a.recognize(ctx, try)
	return err
}

func tokenHash(token string) staff.Token { return sha256.Sum256([]byte(token)) }

// loginName is a typed name as it can be looked up.
func loginName(typed string) string {
	name := []rune(strings.TrimSpace(strings.ReplaceAll(typed, "\x00", "")))
	return string(name[:min(len(name), maxEmail)])
}

// recognize compares an attempt when its turn in its queue has come.
func (a *Authenticator) recognize(ctx context.Context, try Attempt) (staff.Account, error) {
	who, err := a.claimed(ctx, try.Email)
	if err != nil {
		return who, err
	}
	ofDevice := func() (bool, error) { return a.deviceMayFail(ctx, try, who) }
	if known, err := ofDevice(); err != nil || known {
		return a.compare(ctx, a.Known, try, who, ofDevice)
	}
	try.Device = ""
	ofAddress := func() (bool, error) { return a.addressMayFail(ctx, try) }
	patient, err := ofAddress()
	if err != nil || patient {
		return a.compare(ctx, a.Others, try, who, ofAddress)
	}
	if free, err := a.mayWait(ctx, try.Address); err != nil {
		return who, err
	} else if !free {
		return who, errGuessing
	}
	select {
	case <-time.After(a.Delay):
	case <-ctx.Done():
		return who, ctx.Err()
	}
	return a.compare(ctx, a.Others, try, who, func() (bool, error) { return true, nil })
}

// claimed is the account that an attempt is for. That of an unknown name has a password
// that nothing fits.
func (a *Authenticator) claimed(ctx context.Context, email string) (staff.Account, error) {
	who, err := a.Accounts.AccountByEmail(ctx, email)
	if fault.KindOf(err) == fault.NotFound {
		return staff.Account{ID: uuid.Nil.String(), PasswordHash: password.Decoy}, nil
	}
	return who, err
}

// deviceMayFail says whether an attempt comes from a known browser that has not failed too
// often. A cookie that was copied is therefore worth a few guesses, and no more.
func (a *Authenticator) deviceMayFail(ctx context.Context, try Attempt, who staff.Account) (bool, error) {
	if try.Device == "" {
		return false, nil
	}
	failures, err := a.Devices.DeviceFailures(ctx, tokenHash(try.Device), who.ID, a.Now())
	if fault.KindOf(err) == fault.NotFound {
		return false, nil
	}
	return failures < maxDeviceFailures, err
}

func (a *Authenticator) addressMayFail(ctx context.Context, try Attempt) (bool, error) {
	ofAccount, ofAddress, err := a.Failures.LoginFailures(ctx, try.Email, try.Address, a.Now())
	return ofAccount < maxAccountFailures && ofAddress < maxAddressFailures, err
}

// mayWait says whether nobody began to wait at an address within Delay, in whatever process.
func (a *Authenticator) mayWait(ctx context.Context, address string) (bool, error) {
	one := throttle.Bucket{Rate: throttle.Rate{Every: a.Delay, Burst: 1}, Key: "sign-ins of " + address}
	needed, err := a.Throttle.Take(ctx, one)
	if err != nil {
		return false, err
	}
	v, _ := one.Judge(needed[0])
	return v == throttle.Pass, nil
}

// compare compares password and code when it is its turn. Whether it may fail is asked again
// within the turn, so that guesses made at the same time see each other, also those of one browser
// or address at other processes.
func (a *Authenticator) compare(ctx context.Context, q *Queue, try Attempt, who staff.Account, mayFail func() (bool, error)) (staff.Account, error) {
	leave, err := q.enter(ctx)
	if err != nil {
		return who, err
	}
	defer leave()
	err = a.Failures.OneByOne(ctx, cmp.Or(try.Device, try.Address), func() error {
		if patient, err := mayFail(); err != nil {
			return err
		} else if !patient {
			return errGuessing
		}
		return a.compareNow(ctx, try, who)
	})
	return who, err
}

func (a *Authenticator) compareNow(ctx context.Context, try Attempt, who staff.Account) error {
	fits, err := password.Matches(who.PasswordHash, try.Password)
	reason, refusal := "password", errCredentials
	if fits && err == nil && who.SecondFactor && !try.passwordAlone {
		reason = "code"
		fits, err = a.takeCodeWithin(ctx, who, try)
		if spent, ok := errors.AsType[*web.Problem](err); ok && spent.Status == http.StatusTooManyRequests {
			fits, err, refusal = false, nil, spent
		}
	}
	if err != nil || fits {
		return err
	}
	if a.Failed != nil {
		a.Failed(reason)
	}
	failed := staff.Failure{Email: try.Email, Address: try.Address, At: a.Now()}
	if try.Device != "" {
		device := tokenHash(try.Device)
		failed.Device = device[:]
	}
	if err := a.Failures.RecordLoginFailure(ctx, failed); err != nil {
		return err
	}
	if err := a.recordFailure(ctx, who, failed.At); err != nil {
		return err
	}
	return refusal
}

// nobody is whose stream tells of sign-ins with names that have no account.
const nobody = "nobody"

// recordFailure takes the first failure of an account in a minute down; all of a minute are one
// event, with one id. A name without an account takes as long as one with.
func (a *Authenticator) recordFailure(ctx context.Context, who staff.Account, at time.Time) error {
	failed, stream := &event.StaffSignInFailed{StaffID: who.ID}, who.ID
	if who.Email == "" {
		failed.StaffID, stream = "", nobody
	}
	minute := at.UTC().Truncate(time.Minute)
	_, err := a.Log.Append(ctx, event.Append{
		Stream: staff.Stream(stream), ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{ID: event.DerivedID("sign-in failed", stream, minute.Format(time.RFC3339)), OccurredAt: minute, Payload: failed}},
	})
	return err
}

// Session is who a secret belongs to.
func (a *Authenticator) Session(ctx context.Context, token string) (staff.Account, error) {
	who, err := a.Sessions.SessionAccount(ctx, tokenHash(token), a.Now())
	if fault.KindOf(err) == fault.NotFound {
		return who, errNotSignedIn
	}
	return who, err
}

// SignOut ends a session, if there is one.
func (a *Authenticator) SignOut(ctx context.Context, token string) error {
	whose, err := a.Sessions.DeleteSession(ctx, tokenHash(token))
	if err != nil {
		return err
	}
	if whose == "" {
		return nil
	}
	return record(ctx, a.Log, whose, &event.StaffSignedOut{StaffID: whose}, a.Now())
}
