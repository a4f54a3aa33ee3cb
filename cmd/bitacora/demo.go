package main

import (
	"context"
	"errors"

	"bitacora/adapters/httpapi/password"
	"bitacora/adapters/postgres"
)

// The demo login is public: it stands in the README. It exists only in demo mode, which
// is only possible on a loopback address.
const (
	demoEmail    = "demo@clinica.example"
	demoPassword = "sonrisas-de-panama"
)

// admitDemo makes the demo login in demo mode, and removes one that an earlier demo left
// behind otherwise.
func (h *house) admitDemo(ctx context.Context) error {
	staff := h.db.Staff()
	a, err := staff.AccountByEmail(ctx, demoEmail)
	switch known := err == nil; {
	case err != nil && !errors.Is(err, postgres.ErrNotFound):
		return err
	case known && !bool(h.config.Demo):
		return staff.RemoveAccount(ctx, a.ID)
	case known || !bool(h.config.Demo):
		return nil
	}
	hash, err := password.Hash(demoPassword)
	if err != nil {
		return err
	}
	_, err = staff.AddAccount(ctx, demoEmail, hash)
	if errors.Is(err, postgres.ErrAccountExists) {
		return nil
	}
	return err
}
