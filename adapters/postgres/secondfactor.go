package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"bitacora/domain/fault"
	"bitacora/domain/staff"
)

// factorSubject has the key that seals the secret of an account's second factor, so that rotations
// and key bundles carry it on as they do the others.
func factorSubject(accountID string) string { return "second-factor/" + accountID }

// factorKey gives the key to seal an account's secret with; a fresh one is stored before it is used.
func (s *Staff) factorKey(ctx context.Context, accountID string) (*subjectKey, error) {
	subject := factorSubject(accountID)
	// Each repetition means that another process was first, or rotates the keys.
	for range 5 {
		key, fresh, err := s.keys.forSealing(ctx, subject)
		if err != nil || !fresh {
			return key, err
		}
		var stored bool
		err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, query("append_lock")); err != nil {
				return err
			}
			tag, err := tx.Exec(ctx, query("subject_key_add"), subject, key.wrapped, key.epoch)
			stored = tag.RowsAffected() == 1
			return err
		})
		if err != nil || stored {
			return key, err
		}
		if _, err := s.keys.refresh(ctx); err != nil {
			return nil, err
		}
	}
	return nil, errKeyExists
}

// BeginSecondFactor keeps a secret that nobody is asked for yet, in the place of one before. Where
// one is asked for it gives [staff.ErrSecondFactorOn].
func (s *Staff) BeginSecondFactor(ctx context.Context, accountID, secret string) error {
	key, err := s.factorKey(ctx, accountID)
	if err == nil {
		var tag pgconn.CommandTag
		tag, err = s.pool.Exec(ctx, query("second_factor_begin"), accountID, seal(key.aead, []byte(secret), accountID))
		if err == nil && tag.RowsAffected() == 0 {
			err = staff.ErrSecondFactorOn
		}
	}
	return fault.Wrap(err, "begin second factor")
}

// SecondFactor is what an account shows codes of, begun or on; none gives [ErrNotFound].
func (s *Staff) SecondFactor(ctx context.Context, accountID string) (staff.SecondFactor, error) {
	var factor staff.SecondFactor
	var sealed []byte
	err := s.pool.QueryRow(ctx, query("second_factor"), accountID).Scan(&sealed, &factor.BegunAt, &factor.On, &factor.RecoveryCodes)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNotFound
	}
	if err == nil {
		factor.Secret, err = s.openSecret(ctx, accountID, sealed)
	}
	return factor, fault.Wrap(err, "read second factor")
}

func (s *Staff) openSecret(ctx context.Context, accountID string, sealed []byte) (string, error) {
	subject := factorSubject(accountID)
	keys, err := s.keys.fetch(ctx, []string{subject})
	if err != nil {
		return "", err
	}
	key := keys[subject]
	if key == nil {
		return "", fmt.Errorf("%w (of %s)", ErrNoKeys, subject)
	}
	secret, err := unseal(key.aead, sealed, accountID)
	return string(secret), err
}

// ConfirmSecondFactor has an account asked for codes of a secret that was begun, later ones than
// that of a step, and ends its sessions but one, if that is one. Where another secret was
// begun meanwhile it gives [staff.ErrSecondFactorOn].
func (s *Staff) ConfirmSecondFactor(ctx context.Context, accountID string, c staff.Confirmation, but staff.Token) error {
	factor, err := s.SecondFactor(ctx, accountID)
	if err != nil {
		return err
	}
	hashes := make([][]byte, len(c.RecoveryCodes))
	for i, code := range c.RecoveryCodes {
		hashes[i] = codeHash(factor.Secret, accountID, code)
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, query("second_factor_confirm"), accountID, c.BegunAt, c.Step)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return staff.ErrSecondFactorOn
		}
		if _, err := tx.Exec(ctx, query("recovery_codes_add"), accountID, hashes); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, query("sessions_end"), accountID, but[:])
		return err
	})
	return fault.Wrap(err, "confirm second factor")
}

// RemoveSecondFactor removes the second factor of an account, with its recovery codes, and ends its
// sessions but one, if that is one. It says whether codes were asked for.
func (s *Staff) RemoveSecondFactor(ctx context.Context, accountID string, but staff.Token) (was bool, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, query("second_factor_remove"), accountID).Scan(&was)
		if errors.Is(err, pgx.ErrNoRows) || err == nil && !was {
			return nil
		}
		if err == nil {
			_, err = tx.Exec(ctx, query("sessions_end"), accountID, but[:])
		}
		return err
	})
	return was, fault.Wrap(err, "remove second factor")
}

// UseStep takes the code of a step, once, and none of an earlier one after it. It says whether it
// was taken.
func (s *Staff) UseStep(ctx context.Context, accountID string, step int64) (bool, error) {
	tag, err := s.pool.Exec(ctx, query("second_factor_step"), accountID, step)
	return tag.RowsAffected() == 1, fault.Wrap(err, "use code")
}

// UseRecoveryCode takes a recovery code, once, and says how many are left; one that the account
// does not have gives [ErrNotFound].
func (s *Staff) UseRecoveryCode(ctx context.Context, accountID, code string) (left int, err error) {
	factor, err := s.SecondFactor(ctx, accountID)
	if err != nil {
		return 0, err
	}
	err = s.pool.QueryRow(ctx, query("recovery_code_use"), accountID, codeHash(factor.Secret, accountID, code)).Scan(&left)
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrNotFound
	}
	return left, fault.Wrap(err, "use recovery code")
}

func codeHash(secret, accountID, code string) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(accountID + " " + code))
	return mac.Sum(nil)
}
