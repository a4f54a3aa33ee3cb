package app

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"bitacora/domain/event"
)

// ActOfOperator is of what somebody does on the command line, ActOfProgram of what the program does
// by itself.
var (
	ActOfOperator = event.OperatorAct{By: event.ByOperator}
	ActOfProgram  = event.OperatorAct{By: event.ByProgram}
)

// RecordAct takes down what was done to the log or its tables. Whoever leaves meanwhile does not
// keep it from that.
func RecordAct(ctx context.Context, a *App, act event.Payload) error {
	return RecordIn(ctx, a, event.OperatorStream, act)
}

// RecordIn is RecordAct in a stream of its own.
func RecordIn(ctx context.Context, a *App, stream string, act event.Payload) error {
	_, err := a.DB.Log().Append(context.WithoutCancel(ctx), event.Append{
		Stream: stream, ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{ID: uuid.Must(uuid.NewV7()).String(), OccurredAt: time.Now(), Payload: act}},
	})
	if err != nil {
		return fmt.Errorf("record %s: %w", act.EventType(), err)
	}
	return nil
}
