package builds

import (
	"context"
	"fmt"

	"bitacora/domain/event"
	"bitacora/projections"
)

// DryRun decodes the whole log without writing anything.
type DryRun struct {
	Log      DecodedLog
	Progress Progress
}

// DecodedLog is the log from its beginning to its end.
type DecodedLog interface {
	projections.Source
	Head(ctx context.Context) (int64, error)
}

// Run counts the events of the log and those that this program does not understand.
func (d DryRun) Run(ctx context.Context) (events int64, unreadable event.Census, err error) {
	head, err := d.Log.Head(ctx)
	if err != nil {
		return 0, unreadable, err
	}
	for at := int64(0); at < head; {
		batch, err := d.Log.Scan(ctx, at, head, readBatch)
		if err != nil {
			return 0, unreadable, err
		}
		if len(batch) == 0 {
			return 0, unreadable, fmt.Errorf("log has a hole after position %d", at)
		}
		for _, e := range batch {
			unreadable.Add(e)
		}
		at = batch[len(batch)-1].Position
		d.Progress.Show(at, head)
	}
	d.Progress.Done()
	return head, unreadable, nil
}
