package staff

import (
	"context"
	"net/http"

	"bitacora/adapters/httpapi/secondfactor"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/staff"
)

// errCodeNeeded asks whoever knows the password for the rest. It is no failure, and says nothing
// that a sign-in with a code would not.
var errCodeNeeded = &web.Problem{
	Status:  http.StatusUnauthorized,
	Message: "Escriba el código de su aplicación de códigos.",
	Fields:  map[string]string{"code": "Escriba el código de su aplicación de códigos."},
}

// takeCode says whether a code of the app, or a recovery code, is taken: each is once.
func (a *Authenticator) takeCode(ctx context.Context, who staff.Account, typed string) (bool, error) {
	code := secondfactor.ParseCode(typed)
	if code == "" {
		return false, errCodeNeeded
	}
	if code.Recovers() {
		left, err := a.Factors.UseRecoveryCode(ctx, who.ID, string(code))
		if fault.KindOf(err) == fault.NotFound {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		return true, record(ctx, a.Log, who.ID, &event.StaffRecoveryCodeUsed{StaffID: who.ID, Left: left}, a.Now())
	}
	factor, err := a.Factors.SecondFactor(ctx, who.ID)
	if fault.KindOf(err) == fault.NotFound {
		return false, nil // it was removed meanwhile
	}
	if err != nil {
		return false, err
	}
	step, ok := code.Step(factor.Secret, a.Now())
	if !ok {
		return false, nil
	}
	return a.Factors.UseStep(ctx, who.ID, step)
}
