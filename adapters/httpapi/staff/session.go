package staff

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/event"
	"bitacora/domain/staff"
)

const (
	// staffCookie carries the secret of a signed-in browser.
	staffCookie = "__Host-bitacora"
	// deviceCookie carries the secret by which a browser that signed in before is known. By
	// itself it opens nothing.
	deviceCookie = "__Host-bitacora-device"
)

// signOutClears is what the browser forgets at a sign-out: answers, and pages that the back
// button would show. The session's own cookie is dropped by name. "cookies" would take those of
// every host of the domain, with the browser's name in deviceCookie and the secret of a
// visitor's conversation; "storage" that conversation, and what tells other tabs of the sign-out.
const signOutClears = `"cache"`

type accountKey struct{}

// account is who is signed in, behind [SignInHandler.Allow].
func account(ctx context.Context) staff.Account {
	who, _ := ctx.Value(accountKey{}).(staff.Account)
	return who
}

// SignInHandler answers the calls with which people sign in and out, and manage their own account.
// Its Allow guards the routes of the other handlers, too.
type SignInHandler struct {
	web.Responder
	Authenticator *Authenticator
	// Clinic is the name of the clinic.
	Clinic               string
	OpenSessions         OpenSessions
	Register             *staff.Register
	SecondFactorRequired bool
	now                  func() time.Time
}

// Routes adds the routes for whoever is signed in.
func (h *SignInHandler) Routes(r chi.Router) {
	r.With(h.Allow("getCurrentUser")).Get("/auth/user", h.currentUser)
	r.With(h.Allow("changePassword")).Post("/auth/password", h.changePassword)
	r.With(h.Allow("listSessions")).Get("/auth/sessions", web.JSON(h.Responder, h.listSessions))
	r.With(h.Allow("endSessions")).Post("/auth/sessions/end", web.NoContentOf(h.Responder, h.endSessions))
	h.secondFactorRoutes(r)
}

// requireSignIn lets only signed-in staff pass.
func (h *SignInHandler) requireSignIn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := web.CookieToken(r, staffCookie)
		if token == "" {
			h.Fail(w, r, errNotSignedIn)
			return
		}
		who, err := h.Authenticator.Session(r.Context(), token)
		if err != nil {
			h.Fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), accountKey{}, who)))
	})
}

// Login opens a session.
func (h *SignInHandler) Login(w http.ResponseWriter, r *http.Request) {
	var body contract.Credentials
	if err := web.Decode(r, &body); err != nil {
		h.Fail(w, r, err)
		return
	}
	in, err := h.Authenticator.SignIn(r.Context(), Attempt{
		Email: body.Username, Password: body.Password, Code: contract.Deref(body.Code),
		Address: web.ClientKey(r.Context()), Device: web.CookieToken(r, deviceCookie),
		Browser: browserOf(r),
	})
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	// The browser's former session would otherwise live on without its cookie.
	if former := web.CookieToken(r, staffCookie); former != "" {
		if err := h.Authenticator.SignOut(r.Context(), former); err != nil {
			h.Fail(w, r, err)
			return
		}
	}
	web.SetCookie(w, staffCookie, in.Session, 0)
	web.SetCookie(w, deviceCookie, in.Device, staff.DeviceLifetime)
	web.Encode(w, http.StatusOK, h.userOf(in.Account))
}

// Logout ends a session.
func (h *SignInHandler) Logout(w http.ResponseWriter, r *http.Request) {
	if token := web.CookieToken(r, staffCookie); token != "" {
		// The cookie outlives a failure: without it, nobody could try again.
		if err := h.Authenticator.SignOut(r.Context(), token); err != nil {
			h.Fail(w, r, err)
			return
		}
	}
	web.DropCookie(w, staffCookie)
	w.Header().Set("Clear-Site-Data", signOutClears)
	w.WriteHeader(http.StatusNoContent)
}

// currentUser is who is signed in.
func (h *SignInHandler) currentUser(w http.ResponseWriter, r *http.Request) {
	web.Encode(w, http.StatusOK, h.userOf(account(r.Context())))
}

func (h *SignInHandler) userOf(who staff.Account) contract.User {
	factor := contract.Off
	switch {
	case who.SecondFactor:
		factor = contract.On
	case h.SecondFactorRequired:
		factor = contract.Due
	}
	return contract.User{
		ID: who.ID, Email: who.Email, Role: contract.Role(who.Role), SecondFactor: factor,
		Rights: contract.List(who.Role.Rights(), func(r staff.Right) contract.Right { return contract.Right(r) }),
	}
}

// record appends what a person of the staff did, in the stream of that person.
func record(ctx context.Context, log Log, staffID string, what event.Payload, now time.Time) error {
	return recordAs(ctx, log, uuid.NewString(), staffID, what, now)
}

// recordAs does so as an event of a given id, which is appended once.
func recordAs(ctx context.Context, log Log, id, staffID string, what event.Payload, now time.Time) error {
	_, err := log.Append(ctx, event.Append{
		Stream:          staff.Stream(staffID),
		ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{
			ID:         id,
			OccurredAt: now.UTC().Truncate(time.Millisecond),
			Payload:    what,
			Metadata:   map[string]string{"requestId": web.RequestID(ctx)},
		}},
	})
	return err
}
