package clickhouse

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/domain/analytics"
	"bitacora/domain/fault"
)

var (
	//go:embed queries/contacts.sql
	contactsSQL string
	//go:embed queries/contact_counts.sql
	contactCountsSQL string
)

// ContactPage lists at most limit contacts, newest first, beginning after a place in that
// order; nil begins at the start.
func (r *Reader) ContactPage(ctx context.Context, c analytics.Contacts, after *analytics.ContactCursor, limit int) ([]analytics.Contact, error) {
	if after == nil {
		after = &analytics.ContactCursor{CameAt: c.To}
	}
	args := append(contactsOf(c),
		clickhouse.Named("status", c.Status),
		millis("before_came_at", after.CameAt),
		clickhouse.Named("before_kind", after.Kind),
		clickhouse.Named("before_id", after.ID),
		clickhouse.Named("limit", uint64(limit)),
	)
	list, err := rows(ctx, r, contactsSQL, args, func(row driver.Rows, c *analytics.Contact) error {
		err := row.Scan(&c.Kind, &c.ID, &c.CameAt, &c.Status)
		c.CameAt = c.CameAt.UTC()
		return err
	})
	return list, fault.Wrap(err, "list contacts")
}

// ContactCounts counts the contacts of a kind, or of any, by status.
func (r *Reader) ContactCounts(ctx context.Context, c analytics.Contacts) (analytics.ContactCounts, error) {
	type row struct {
		status            string
		contacts, reaches uint64
	}
	counts := analytics.ContactCounts{ByStatus: map[string]int{}}
	list, err := rows(ctx, r, contactCountsSQL, contactsOf(c), func(found driver.Rows, one *row) error {
		return found.Scan(&one.status, &one.contacts, &one.reaches)
	})
	if err != nil {
		return counts, fmt.Errorf("count contacts: %w", err)
	}
	for _, one := range list {
		counts.ByStatus[one.status] = int(one.contacts)
		counts.LastPosition = max(counts.LastPosition, int64(one.reaches))
	}
	return counts, nil
}

func contactsOf(c analytics.Contacts) []any {
	return []any{millis("from", c.From), millis("to", c.To), clickhouse.Named("kind", c.Kind)}
}
