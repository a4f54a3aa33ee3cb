package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/domain/fault"
)

// SelfCheck is the latest look at one part of what the program checks by itself.
type SelfCheck struct {
	// What is looked at, and which part of it.
	What string
	Part int
	// Of is the log's epoch, or the build.
	Of string
	// Through is up to where what was new is checked.
	Through int64
	At      time.Time
	// Findings hold no personal data.
	Findings []string
}

// SelfChecks keeps the latest looks at all parts.
type SelfChecks struct{ DB *DB }

// All lists them.
func (s SelfChecks) All(ctx context.Context) ([]SelfCheck, error) {
	list, err := collect(ctx, s.DB.pool, query("self_checks"), pgx.RowToStructByPos[SelfCheck])
	return list, fault.Wrap(err, "list self-checks")
}

// Note keeps a look in the place of the one before.
func (s SelfChecks) Note(ctx context.Context, c SelfCheck) error {
	if c.Findings == nil {
		c.Findings = []string{}
	}
	_, err := s.DB.pool.Exec(ctx, query("note_self_check"), c.What, c.Part, c.Of, c.Through, c.At, c.Findings)
	return fault.Wrap(err, "note self-check")
}
