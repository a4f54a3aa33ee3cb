package staff

import (
	"errors"
	"net/http"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/secondfactor"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/fault"
	"bitacora/domain/staff"
)

func (h *SignInHandler) secondFactorRoutes(r chi.Router) {
	r.With(h.Allow("getSecondFactor")).Get("/auth/second-factor", web.JSON(h.Responder, h.secondFactor))
	r.With(h.Allow("beginSecondFactor")).Post("/auth/second-factor/begin", web.JSON(h.Responder, h.beginSecondFactor))
	r.With(h.Allow("confirmSecondFactor")).Post("/auth/second-factor/confirm", web.JSONOf(h.Responder, h.confirmSecondFactor))
	r.With(h.Allow("removeSecondFactor")).Post("/auth/second-factor/remove", web.NoContentOf(h.Responder, h.removeSecondFactor))
}

var (
	errNotBegun = &web.Problem{Status: http.StatusConflict, Message: "Primero escanee el código con su aplicación."}
	errNotCode  = web.BadField("code", "Ese no es el código que muestra la aplicación ahora. Revise que la hora del teléfono sea correcta.")
	errNotBoth  = web.BadRequest("La contraseña o el código no son correctos.")
)

func (h *SignInHandler) secondFactor(r *http.Request) (contract.SecondFactor, error) {
	factor, err := h.Authenticator.Factors.SecondFactor(r.Context(), account(r.Context()).ID)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return contract.SecondFactor{}, err
	}
	return contract.SecondFactor{On: factor.On, RecoveryCodes: int64(factor.RecoveryCodes)}, nil
}

func (h *SignInHandler) beginSecondFactor(r *http.Request) (contract.SecondFactorKey, error) {
	who := account(r.Context())
	key, err := secondfactor.NewKey(h.Clinic, who.Email)
	if err != nil {
		return contract.SecondFactorKey{}, err
	}
	drawing, err := secondfactor.Draw(key.URI)
	if err == nil {
		err = h.Authenticator.Factors.BeginSecondFactor(r.Context(), who.ID, key.Secret)
	}
	if err != nil {
		return contract.SecondFactorKey{}, err
	}
	answer := contract.SecondFactorKey{Secret: key.Secret, URI: key.URI}
	answer.Drawing.Size, answer.Drawing.Path = int64(drawing.Size), drawing.Path
	return answer, nil
}

func (h *SignInHandler) confirmSecondFactor(r *http.Request, body contract.SecondFactorCode) (contract.RecoveryCodes, error) {
	who := account(r.Context())
	factor, err := h.Authenticator.Factors.SecondFactor(r.Context(), who.ID)
	switch {
	case fault.KindOf(err) == fault.NotFound:
		err = errNotBegun
	case err == nil && factor.On:
		err = staff.ErrSecondFactorOn
	}
	if err != nil {
		return contract.RecoveryCodes{}, err
	}
	step, ok := secondfactor.ParseCode(body.Code).Step(factor.Secret, h.now())
	if !ok {
		return contract.RecoveryCodes{}, errNotCode
	}
	codes := secondfactor.NewRecoveryCodes()
	confirmed := staff.Confirmation{BegunAt: factor.BegunAt, Step: step}
	for _, code := range codes {
		confirmed.RecoveryCodes = append(confirmed.RecoveryCodes, string(secondfactor.ParseCode(code)))
	}
	if err := h.Register.ConfirmSecondFactor(r.Context(), actor(r.Context()), who, confirmed, currentToken(r)); err != nil {
		return contract.RecoveryCodes{}, err
	}
	return contract.RecoveryCodes{RecoveryCodes: codes}, nil
}

func (h *SignInHandler) removeSecondFactor(r *http.Request, body contract.SecondFactorRemoval) error {
	who := account(r.Context())
	err := h.Authenticator.ConfirmBoth(r.Context(), Attempt{
		Email: who.Email, Password: body.Password, Code: body.Code,
		Address: web.ClientKey(r.Context()), Device: web.CookieToken(r, deviceCookie),
	})
	// Not as to a sign-in: who asks is signed in, and stays it.
	if errors.Is(err, errCredentials) || errors.Is(err, errCodeNeeded) {
		err = errNotBoth
	}
	if err == nil {
		_, err = h.Register.RemoveSecondFactor(r.Context(), actor(r.Context()), who, currentToken(r))
	}
	return err
}
