package postgres

import (
	"context"
	"fmt"

	"bitacora/domain/event"
)

var sqlContactMessages = query("contact_messages")

// ContactMessages gives what visitors wrote with the contact form before a position of the
// log, newest first.
func (l *Log) ContactMessages(ctx context.Context, before int64, limit int) ([]event.Recorded, error) {
	events, err := l.query(ctx, sqlContactMessages, before, limit)
	if err != nil {
		return nil, fmt.Errorf("read contact messages: %w", err)
	}
	return events, nil
}
