package staff

import (
	"context"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/fault"
)

// ErrSecondFactorOn: the account has a second factor already, or began another one meanwhile.
var ErrSecondFactorOn = fault.New(fault.Conflict, "account has a second factor already")

// SecondFactor is what an account makes codes of.
type SecondFactor struct {
	// Secret is shared with the app that makes the codes, in base32.
	Secret  string
	BegunAt time.Time
	// On says that codes are asked for.
	On bool
	// RecoveryCodes is how many are left.
	RecoveryCodes int
}

// Confirmation is what makes a second factor that was begun one that is asked for.
type Confirmation struct {
	// BegunAt names the secret that was confirmed.
	BegunAt time.Time
	// Step is that of the code it was confirmed with, which is thereby used.
	Step int64
	// RecoveryCodes stand in for the app, each once.
	RecoveryCodes []string
}

// SecondFactorStore is the part of [Changes] with second factors.
type SecondFactorStore interface {
	// ConfirmSecondFactor and RemoveSecondFactor end all sessions of the account but one, if
	// that is one.
	ConfirmSecondFactor(ctx context.Context, accountID string, c Confirmation, but Token) error
	// RemoveSecondFactor says whether there was one that was asked for.
	RemoveSecondFactor(ctx context.Context, accountID string, but Token) (was bool, err error)
}

// ConfirmSecondFactor has an account asked for codes of what was begun, or gives
// [ErrSecondFactorOn]. It ends all sessions of the account but one, if that is one.
func (r *Register) ConfirmSecondFactor(ctx context.Context, by Actor, a Account, c Confirmation, but Token) error {
	return r.Store.Change(ctx, func(s Changes) (event.Append, error) {
		return r.told(by, a.ID, &event.StaffSecondFactorChanged{AccountChange: change(a, by), On: true}), s.ConfirmSecondFactor(ctx, a.ID, c, but)
	})
}

// RemoveSecondFactor leaves an account with its password alone, and says whether it had more. It
// ends all sessions of the account but one, if that is one.
func (r *Register) RemoveSecondFactor(ctx context.Context, by Actor, a Account, but Token) (was bool, err error) {
	err = r.Store.Change(ctx, func(s Changes) (event.Append, error) {
		if was, err = s.RemoveSecondFactor(ctx, a.ID, but); err != nil || !was {
			return event.Append{}, err
		}
		return r.told(by, a.ID, &event.StaffSecondFactorChanged{AccountChange: change(a, by)}), nil
	})
	return was, err
}
