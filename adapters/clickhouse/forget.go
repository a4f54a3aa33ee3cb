package clickhouse

import (
	"context"
	"fmt"
)

// Forget removes everything a build tells of a conversation or a contact message.
func (db *DB) Forget(ctx context.Context, build, subject string) error {
	// What comes in its place is written on every node or on none.
	err := db.each(ctx, func(ctx context.Context, n *node) error { return n.ping(ctx) })
	if err != nil {
		return fmt.Errorf("remove %s from build %s: %w", subject, build, err)
	}
	err = db.each(ctx, func(ctx context.Context, n *node) error {
		conn, err := n.conn(db.local(n, build))
		if err != nil {
			return err
		}
		for _, c := range comparedTables {
			err := conn.Exec(ctx, fmt.Sprintf("ALTER TABLE %s DELETE WHERE %s = '%s' SETTINGS mutations_sync = 2", c.table, c.subject, quoted(subject)))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("remove %s from build %s: %w", subject, build, err)
	}
	return nil
}
