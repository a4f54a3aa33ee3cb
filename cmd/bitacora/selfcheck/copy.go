package selfcheck

import (
	"context"
	"fmt"
	"time"

	"bitacora/adapters/offsite"
	"bitacora/cmd/bitacora/app"
)

// copyCheck checks the copy elsewhere.
type copyCheck struct{ *night }

// check reads the night's share of the copy elsewhere, sealed as it is.
func (n copyCheck) check(ctx context.Context) error {
	if n.Config.Replicate == "" {
		return nil
	}
	target, err := offsite.Open(n.Config.Replicate)
	if err != nil {
		return err
	}
	epoch, err := n.DB.Log().Epoch(ctx)
	if err != nil {
		return err
	}
	due := n.due(app.CheckedCopy, epoch, week)
	if len(due) == 0 {
		return nil
	}
	point, err := offsite.Find(ctx, target, time.Time{})
	if err != nil {
		return err
	}
	for _, share := range due {
		findings, err := offsite.Check(ctx, target, epoch, share, week)
		if err != nil {
			return fmt.Errorf("check the copy elsewhere: %w", err)
		}
		if point.Cut {
			findings = append(findings, "a piece is missing after "+point.Until.Format(time.RFC3339))
		}
		if err := n.note(ctx, app.CheckedCopy, share, epoch, 0, findings); err != nil {
			return err
		}
	}
	return nil
}
