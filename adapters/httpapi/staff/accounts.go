package staff

import (
	"context"
	"net/http"
	"net/mail"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/clinic"
	"bitacora/domain/fault"
	"bitacora/domain/staff"
)

// AccountsHandler answers the calls with which owners manage accounts and read the audit list.
type AccountsHandler struct {
	web.Responder
	Clinic        clinic.Clinic
	Authenticator *Authenticator
	Colleagues    Colleagues
	LatestOfStaff LatestOfStaff
	OpenSessions  OpenSessions
	Register      *staff.Register
	now           func() time.Time
}

// Routes adds the routes with which owners manage accounts.
func (h *AccountsHandler) Routes(r chi.Router, allow Allow) {
	r.With(allow("listAccounts")).Get("/accounts", web.JSON(h.Responder, h.listAccounts))
	r.With(allow("listAudit")).Get("/audit", web.JSONAndHead(h.Responder, h.audit))
	r.With(allow("addAccount")).Post("/accounts", web.JSONOf(h.Responder, h.addAccount))
	r.With(allow("setAccountRole")).Post("/accounts/{id}/role", web.NoContentOf(h.Responder, h.setAccountRole))
	r.With(allow("endAccountSessions")).Post("/accounts/{id}/sessions/end", web.NoContent(h.Responder, h.endAccountSessions))
	r.With(allow("removeAccount")).Post("/accounts/{id}/remove", web.NoContent(h.Responder, h.removeAccount))
}

var errNoAccount = &web.Problem{Status: http.StatusNotFound, Message: "No existe esa cuenta."}

func (h *AccountsHandler) listAccounts(r *http.Request) ([]contract.Account, error) {
	accounts, err := h.Colleagues(r.Context())
	if err != nil {
		return nil, err
	}
	open, err := h.OpenSessions(r.Context(), currentToken(r), h.now())
	if err != nil {
		return nil, err
	}
	return contract.List(accounts, func(a staff.Account) contract.Account {
		answer := accountAnswer(a)
		answer.Sessions = int64(len(open[a.ID]))
		return answer
	}), nil
}

func accountAnswer(a staff.Account) contract.Account {
	return contract.Account{ID: a.ID, Email: a.Email, Role: contract.Role(a.Role), CreatedAt: a.CreatedAt.UTC(), SecondFactor: a.SecondFactor}
}

func (h *AccountsHandler) addAccount(r *http.Request, body contract.NewAccount) (contract.Account, error) {
	email, role := strings.TrimSpace(body.Email), staff.Role(body.Role)
	if parsed, err := mail.ParseAddress(email); err != nil || parsed.Address != email || len(email) > maxEmail {
		return contract.Account{}, web.BadField("email", "El correo electrónico no es válido.")
	}
	if !role.Known() {
		return contract.Account{}, errUnknownRole
	}
	hash, err := hashNew(body.Password, email, h.Clinic.Name)
	if err != nil {
		return contract.Account{}, err
	}
	added, err := h.Register.Add(r.Context(), actor(r.Context()), email, hash, role)
	if err != nil {
		return contract.Account{}, err
	}
	return accountAnswer(added), nil
}

var errUnknownRole = web.BadField("role", "El permiso debe ser «staff», «owner», «reception» o «reader».")

func (h *AccountsHandler) setAccountRole(r *http.Request, body contract.RoleChange) error {
	role := staff.Role(body.Role)
	if !role.Known() {
		return errUnknownRole
	}
	return h.change(r, func(ctx context.Context, by staff.Actor, a staff.Account) error {
		return h.Register.SetRole(ctx, by, a, role)
	})
}

func (h *AccountsHandler) endAccountSessions(r *http.Request) error {
	return h.change(r, func(ctx context.Context, by staff.Actor, a staff.Account) error {
		_, err := h.Register.EndSessions(ctx, by, a, currentToken(r))
		return err
	})
}

func (h *AccountsHandler) removeAccount(r *http.Request) error {
	return h.change(r, h.Register.Remove)
}

// change makes a change of the account that an address names.
func (h *AccountsHandler) change(r *http.Request, make func(context.Context, staff.Actor, staff.Account) error) error {
	a, err := h.Authenticator.Accounts.AccountByID(r.Context(), chi.URLParam(r, "id"))
	if err == nil {
		err = make(r.Context(), actor(r.Context()), a)
	}
	if fault.KindOf(err) == fault.NotFound {
		return errNoAccount
	}
	return err
}
