package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/postgres"
	"bitacora/domain/event"
)

// Staff is who may see the dashboard.
type Staff interface {
	// SignIn opens a session.
	SignIn(ctx context.Context, a Attempt) (SignedIn, error)
	// Session is who a secret belongs to.
	Session(ctx context.Context, token string) (postgres.Account, error)
	// SignOut ends a session, if there is one.
	SignOut(ctx context.Context, token string) error
}

const (
	// staffCookie carries the secret of a signed-in browser.
	staffCookie = "__Host-bitacora"
	// deviceCookie carries the secret by which a browser that signed in before is known. By
	// itself it opens nothing.
	deviceCookie = "__Host-bitacora-device"
)

type accountKey struct{}

// account is who is signed in, behind [api.signedIn].
func account(ctx context.Context) postgres.Account {
	who, _ := ctx.Value(accountKey{}).(postgres.Account)
	return who
}

// signedIn lets only signed-in staff pass.
func (a *api) signedIn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := cookieToken(r, staffCookie)
		if token == "" {
			a.fail(w, r, errNotSignedIn)
			return
		}
		who, err := a.Staff.Session(r.Context(), token)
		if err != nil {
			a.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), accountKey{}, who)))
	})
}

func (a *api) login(w http.ResponseWriter, r *http.Request) {
	var body Credentials
	if err := decode(r, &body); err != nil {
		a.fail(w, r, err)
		return
	}
	in, err := a.Staff.SignIn(r.Context(), Attempt{
		Email: body.Username, Password: body.Password,
		Address: clientKey(r.Context()), Device: cookieToken(r, deviceCookie),
	})
	if err != nil {
		a.fail(w, r, err)
		return
	}
	// The browser's former session would otherwise live on without its cookie.
	if former := cookieToken(r, staffCookie); former != "" {
		if err := a.Staff.SignOut(r.Context(), former); err != nil {
			a.fail(w, r, err)
			return
		}
	}
	setCookie(w, staffCookie, in.Session, 0)
	setCookie(w, deviceCookie, in.Device, postgres.DeviceLifetime)
	encode(w, http.StatusOK, userOf(in.Account))
}

func (a *api) logout(w http.ResponseWriter, r *http.Request) {
	if token := cookieToken(r, staffCookie); token != "" {
		// The cookie outlives a failure: without it, nobody could try again.
		if err := a.Staff.SignOut(r.Context(), token); err != nil {
			a.fail(w, r, err)
			return
		}
	}
	dropCookie(w, staffCookie)
	w.WriteHeader(http.StatusNoContent)
}

func (a *api) currentUser(w http.ResponseWriter, r *http.Request) {
	encode(w, http.StatusOK, userOf(account(r.Context())))
}

func userOf(who postgres.Account) User { return User{ID: who.ID, Email: who.Email} }

// record takes down what a person of the staff did, in the stream of that person.
func record(ctx context.Context, log Log, staffID string, what event.Payload, now time.Time) error {
	_, err := log.Append(ctx, event.Append{
		Stream:          "staff/" + staffID,
		ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{
			ID:         uuid.NewString(),
			OccurredAt: now.UTC().Truncate(time.Millisecond),
			Payload:    what,
			Metadata:   map[string]string{"requestId": requestID(ctx)},
		}},
	})
	return err
}
