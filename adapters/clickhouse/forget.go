package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Forget removes everything a build tells of a conversation or a contact message.
func (db *DB) Forget(ctx context.Context, build, subject string) error {
	conn, err := db.conn(db.Database(build))
	if err != nil {
		return err
	}
	for _, c := range comparedTables {
		err := conn.Exec(ctx, fmt.Sprintf("ALTER TABLE %s DELETE WHERE %s = '%s' SETTINGS mutations_sync = 2", c.table, c.subject, quoted(subject)))
		if err != nil {
			return fmt.Errorf("remove %s from build %s: %w", subject, build, err)
		}
	}
	return nil
}

// blankedAtOnce keeps a statement that names conversations far below the server's limit.
const blankedAtOnce = 1000

// Blank removes the texts of conversations from a build, and says how many of them had any.
func (db *DB) Blank(ctx context.Context, build string, conversations []string) (had int, err error) {
	conn, err := db.conn(db.Database(build))
	if err != nil {
		return 0, err
	}
	for some := range slices.Chunk(conversations, blankedAtOnce) {
		names := make([]string, len(some))
		for i, id := range some {
			names[i] = "'" + quoted(id) + "'"
		}
		where := "WHERE text != '' AND conversation_id IN (" + strings.Join(names, ", ") + ")"
		var found uint64
		if err := conn.QueryRow(ctx, "SELECT uniqExact(conversation_id) FROM messages "+where).Scan(&found); err != nil {
			return had, fmt.Errorf("find texts in build %s: %w", build, err)
		}
		if found == 0 {
			continue
		}
		if err := conn.Exec(ctx, "ALTER TABLE messages UPDATE text = '' "+where+" SETTINGS mutations_sync = 2"); err != nil {
			return had, fmt.Errorf("remove texts from build %s: %w", build, err)
		}
		had += int(found)
	}
	return had, nil
}
