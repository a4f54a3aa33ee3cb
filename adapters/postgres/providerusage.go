package postgres

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/fault"
)

// ProviderUsage counts what the assistant's provider is used for, of all processes together. Days
// are those of the business zone, 2026-11-22.
type ProviderUsage struct{ pool *pgxpool.Pool }

// ProviderUsage is that of the database.
func (db *DB) ProviderUsage() *ProviderUsage { return &ProviderUsage{db.pool} }

// Used gives the tokens of a day.
func (p *ProviderUsage) Used(ctx context.Context, day string) (tokensIn, tokensOut int, err error) {
	err = p.pool.QueryRow(ctx, query("provider_used"), day).Scan(&tokensIn, &tokensOut)
	return tokensIn, tokensOut, fault.Wrap(err, "read the provider's use")
}

// Add counts tokens.
func (p *ProviderUsage) Add(ctx context.Context, day string, tokensIn, tokensOut int) error {
	_, err := p.pool.Exec(ctx, query("provider_use"), day, tokensIn, tokensOut)
	return fault.Wrap(err, "count the provider's use")
}
