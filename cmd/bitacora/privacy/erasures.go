package privacy

import (
	"context"

	"bitacora/adapters/engines"
	"bitacora/domain/event"
	"bitacora/domain/subjects"
	"bitacora/projections/builds"
)

// withSetAside takes the texts of people out of what was set aside of ClickHouse, too: all of it.
type withSetAside struct {
	builds.Withdrawer
	engines engines.Config
}

// Withdraw implements [subjects.Tables].
func (w withSetAside) Withdraw(ctx context.Context, streams []string, position int64, gone bool) (done, waiting []string, err error) {
	if err := w.engines.EmptySetAside(); err != nil {
		return nil, nil, err
	}
	return w.Withdrawer.Withdraw(ctx, streams, position, gone)
}

// OwnErasure erases what visitors said on their own word.
type OwnErasure struct{ Register *subjects.Register }

// Erase implements [chat.Eraser].
func (o OwnErasure) Erase(ctx context.Context, streams []string) (pending bool, err error) {
	report, err := o.Register.Erase(ctx, subjects.Erasure{
		By: event.ByVisitor, Reason: event.ReasonRequest, Subjects: streams, CancelBookings: true,
	})
	return report.Pending, err
}

// oldErasure erases what was kept for as long as the rules allow.
type oldErasure struct{ register *subjects.Register }

// Erase implements [retention.Eraser].
func (o oldErasure) Erase(ctx context.Context, by string, streams []string) error {
	_, err := o.register.Erase(ctx, subjects.Erasure{By: by, Reason: event.ReasonRetention, Subjects: streams})
	return err
}
