package staff

import (
	"context"
	"errors"
	"net/http"
	"time"

	"bitacora/adapters/httpapi/secondfactor"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/staff"
	"bitacora/domain/throttle"
)

// errCodeNeeded asks whoever knows the password for the rest. It is no failure, and says nothing
// that a sign-in with a code would not.
var errCodeNeeded = &web.Problem{
	Status:  http.StatusUnauthorized,
	Message: "Escriba el código de su aplicación de códigos.",
	Fields:  map[string]string{"code": "Escriba el código de su aplicación de códigos."},
}

// codeRate is how many wrong codes an account may be shown with its right password.
var codeRate = throttle.Rate{Every: time.Hour, Burst: 10}

// codeBudget is that of the account in browsers in which it did not sign in before, or in one in which it did:
// whoever guesses elsewhere locks nobody out of their own browser.
func codeBudget(who staff.Account, device string) throttle.Bucket {
	return throttle.Bucket{Rate: codeRate, Key: "codes of " + who.ID + " in " + device}
}

// errCodesSpent is no lock: recovery codes, and browsers in which the account signed in before, are not
// concerned.
func errCodesSpent(wait time.Duration) error {
	return &web.Problem{
		Status:     http.StatusTooManyRequests,
		Message:    "Hubo demasiados códigos equivocados. Entre desde un navegador en el que ya entró, con un código de recuperación, o más tarde.",
		RetryAfter: wait,
	}
}

// takeCodeWithin does so within the budget of the account. A token is taken first and given back for a
// right code, so that guesses made at the same time see each other. Recovery codes are too many to guess.
func (a *Authenticator) takeCodeWithin(ctx context.Context, who staff.Account, try Attempt) (bool, error) {
	if code := secondfactor.ParseCode(try.Code); code == "" || code.Recovers() {
		return a.takeCode(ctx, who, try.Code)
	}
	budget := codeBudget(who, try.Device)
	needed, err := a.Throttle.Take(ctx, budget)
	if err != nil {
		return false, err
	}
	if verdict, wait := budget.Judge(needed[0]); verdict != throttle.Pass {
		// The process that took the last token may have ended before it recorded that.
		if err := a.recordSpent(ctx, who); err != nil {
			return false, err
		}
		return false, errCodesSpent(wait)
	}
	taken, err := a.takeCode(ctx, who, try.Code)
	if err != nil || taken {
		return taken, errors.Join(err, a.Throttle.Give(ctx, budget))
	}
	if verdict, _ := budget.Judge(needed[0] + budget.Every); verdict == throttle.Pass {
		return false, nil
	}
	return false, a.recordSpent(ctx, who)
}

// recordSpent records that the budget is spent; all of a day are one event, with one id.
func (a *Authenticator) recordSpent(ctx context.Context, who staff.Account) error {
	now := a.Now()
	id := event.DerivedID("codes spent", who.ID, now.UTC().Format(time.DateOnly))
	return recordAs(ctx, a.Log, id, who.ID, &event.StaffCodeBudgetSpent{StaffID: who.ID}, now)
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
