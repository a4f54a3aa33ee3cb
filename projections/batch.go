// Package projections turns the log into rows: pure functions from an event to the rows
// it means, and the Watermill handler that keeps a set of tables up with the log. It
// knows neither Postgres nor ClickHouse; adapters bring both.
package projections

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/domain/event"
)

// Batch is a run of events at consecutive positions of one log.
type Batch struct {
	// Epoch names the log the positions belong to.
	Epoch  string
	Events []event.Recorded
}

// First is the position of the batch's first event; 0 when empty.
func (b Batch) First() int64 {
	if len(b.Events) == 0 {
		return 0
	}
	return b.Events[0].Position
}

// Last is the position of the batch's last event; 0 when empty.
func (b Batch) Last() int64 {
	if len(b.Events) == 0 {
		return 0
	}
	return b.Events[len(b.Events)-1].Position
}

type batchKey struct{}

// NewMessage makes the Watermill message of a batch. The decoded events travel in its
// context, since encoding them again between two halves of one process would cost more
// than everything else; the payload names their bounds.
func NewMessage(ctx context.Context, b Batch) (*message.Message, error) {
	bounds, err := json.Marshal(struct {
		Epoch string `json:"epoch"`
		First int64  `json:"first"`
		Last  int64  `json:"last"`
	}{b.Epoch, b.First(), b.Last()})
	if err != nil {
		return nil, fmt.Errorf("encode batch bounds: %w", err)
	}
	id := fmt.Sprintf("%s:%d-%d", b.Epoch, b.First(), b.Last())
	msg := message.NewMessage(id, bounds)
	msg.SetContext(context.WithValue(ctx, batchKey{}, b))
	return msg, nil
}

// BatchOf gives back the batch of a message made by [NewMessage].
func BatchOf(msg *message.Message) (Batch, error) {
	b, ok := msg.Context().Value(batchKey{}).(Batch)
	if !ok {
		return Batch{}, errors.New("message carries no batch of events")
	}
	return b, nil
}
