package staff

import (
	"context"
	"errors"
	"net/http"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/password"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/staff"
)

// OpenSessions lists the sessions that have not ended, by account, with the one of a token as
// the current one.
type OpenSessions func(ctx context.Context, current staff.Token, now time.Time) (map[string][]staff.Session, error)

// actor is who is signed in, as the one who makes a change.
func actor(ctx context.Context) staff.Actor {
	return staff.Actor{ID: account(ctx).ID, RequestID: web.RequestID(ctx)}
}

// currentToken is what the session of a request is known by.
func currentToken(r *http.Request) staff.Token { return tokenHash(web.CookieToken(r, staffCookie)) }

// changePassword changes the password of whoever is signed in and knows the former one. It ends
// the other sessions of the account.
func (h *SignInHandler) changePassword(w http.ResponseWriter, r *http.Request) {
	var body contract.PasswordChange
	if err := web.Decode(r, &body); err != nil {
		h.Fail(w, r, err)
		return
	}
	who := account(r.Context())
	device, err := h.Authenticator.Confirm(r.Context(), Attempt{
		Email: who.Email, Password: body.Current, Address: web.ClientKey(r.Context()), Device: web.CookieToken(r, deviceCookie),
	})
	if errors.Is(err, errCredentials) {
		err = web.BadField("current", "La contraseña actual no es esa.")
	}
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	hash, err := hashNew(body.Password, who.Email, h.Clinic)
	if err == nil {
		err = h.Register.SetPassword(r.Context(), actor(r.Context()), who, hash, currentToken(r))
	}
	if err == nil {
		// A new password makes all browsers of the account unknown, and this one known again.
		err = h.Authenticator.Devices.KeepDevice(r.Context(), staff.Token{}, tokenHash(device), who.ID, h.now())
	}
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	web.SetCookie(w, deviceCookie, device, staff.DeviceLifetime)
	w.WriteHeader(http.StatusNoContent)
}

// hashNew is the hash of a new password that may be taken.
func hashNew(secret, email, clinic string) (string, error) {
	hash, err := password.New(secret, email, clinic)
	if refused, ok := errors.AsType[password.Refusal](err); ok {
		return "", web.BadField("password", string(refused))
	}
	return hash, err
}

// listSessions lists where whoever asks is signed in.
func (h *SignInHandler) listSessions(r *http.Request) ([]contract.StaffSession, error) {
	open, err := h.OpenSessions(r.Context(), currentToken(r), h.now())
	if err != nil {
		return nil, err
	}
	return contract.List(open[account(r.Context()).ID], func(s staff.Session) contract.StaffSession {
		return contract.StaffSession{ID: s.ID, Browser: s.Browser, CreatedAt: s.CreatedAt.UTC(), LastSeenAt: s.LastSeenAt.UTC(), Current: s.Current}
	}), nil
}

// endSessions ends one session of whoever asks, or all but the one that asks.
func (h *SignInHandler) endSessions(r *http.Request, body contract.SessionsEnd) error {
	who, by := account(r.Context()), actor(r.Context())
	var err error
	if body.ID != nil {
		err = h.Register.EndSession(r.Context(), by, who, *body.ID)
	} else {
		_, err = h.Register.EndSessions(r.Context(), by, who, currentToken(r))
	}
	return err
}
