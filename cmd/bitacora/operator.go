package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"bitacora/domain/event"
)

// actOfOperator is of what somebody does on the command line, actOfProgram of what the program does
// by itself.
var (
	actOfOperator = event.OperatorAct{By: event.ByOperator}
	actOfProgram  = event.OperatorAct{By: event.ByProgram}
)

// recordAct takes down what was done to the log or its tables. Whoever leaves meanwhile does not
// keep it from that.
func recordAct(ctx context.Context, a *app, act event.Payload) error {
	return recordIn(ctx, a, event.OperatorStream, act)
}

// recordIn is recordAct in a stream of its own.
func recordIn(ctx context.Context, a *app, stream string, act event.Payload) error {
	_, err := a.db.Log().Append(context.WithoutCancel(ctx), event.Append{
		Stream: stream, ExpectedVersion: event.AnyVersion,
		Drafts: []event.Draft{{ID: uuid.Must(uuid.NewV7()).String(), OccurredAt: time.Now(), Payload: act}},
	})
	if err != nil {
		return fmt.Errorf("record %s: %w", act.EventType(), err)
	}
	return nil
}
