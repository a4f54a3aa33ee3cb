package clickhouse

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/domain/analytics"
)

var (
	//go:embed queries/kpis.sql
	kpisSQL string
	//go:embed queries/conversation_count.sql
	conversationCountSQL string
	//go:embed queries/conversations.sql
	conversationsSQL string
	//go:embed queries/messages.sql
	messagesSQL string
)

// Reader answers the dashboard's questions from one build. Times it returns are in UTC.
type Reader struct {
	db       *DB
	database string
}

// Reader reads a build. It is cheap to make, so that each request can read what is live.
func (db *DB) Reader(build string) *Reader { return &Reader{db: db, database: db.Database(build)} }

// Counts counts the conversations that started in the period.
func (r *Reader) Counts(ctx context.Context, p analytics.Period) (analytics.Counts, error) {
	var conversations, messages, leads, appointments, cancelled, active uint64
	var percentiles []float64
	err := r.row(ctx, kpisSQL, []any{from(p), to(p)},
		&conversations, &messages, &leads, &appointments, &cancelled, &active, &percentiles)
	if err != nil {
		return analytics.Counts{}, fmt.Errorf("count conversations: %w", err)
	}
	return analytics.Counts{
		Conversations:         int(conversations),
		Messages:              int(messages),
		Leads:                 int(leads),
		Appointments:          int(appointments),
		CancelledAppointments: int(cancelled),
		ActiveMillis:          int64(active),
		MedianActiveMillis:    percentiles[0],
		P90ActiveMillis:       percentiles[1],
	}, nil
}

// ConversationCount is the number of conversations that started in the period.
func (r *Reader) ConversationCount(ctx context.Context, p analytics.Period) (int, error) {
	var n uint64
	if err := r.row(ctx, conversationCountSQL, []any{from(p), to(p)}, &n); err != nil {
		return 0, fmt.Errorf("count conversations: %w", err)
	}
	return int(n), nil
}

// Conversations lists every conversation that started in the period, newest first.
func (r *Reader) Conversations(ctx context.Context, p analytics.Period) ([]analytics.Conversation, error) {
	return r.ConversationPage(ctx, p, nil, math.MaxInt32)
}

// ConversationPage lists at most limit of the period's conversations, newest first,
// beginning after a place in that order; nil begins at the start.
func (r *Reader) ConversationPage(ctx context.Context, p analytics.Period, after *analytics.Cursor, limit int) ([]analytics.Conversation, error) {
	if after == nil {
		after = &analytics.Cursor{StartedAt: p.To}
	}
	args := []any{
		from(p), to(p),
		millis("before_started_at", after.StartedAt),
		clickhouse.Named("before_id", after.ID),
		clickhouse.Named("limit", uint64(limit)),
	}
	list, err := rows(ctx, r, conversationsSQL, args, func(row driver.Rows, c *analytics.Conversation) error {
		var messages uint32
		err := row.Scan(&c.ID, &c.StartedAt, &c.LastMessageAt, &messages, &c.Lead, &c.Appointment, &c.Cancelled, &c.Channel)
		c.StartedAt, c.LastMessageAt, c.Messages = c.StartedAt.UTC(), c.LastMessageAt.UTC(), int(messages)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list conversations: %w", err)
	}
	return list, nil
}

// Messages is the transcript of a conversation; empty when there is no such conversation.
func (r *Reader) Messages(ctx context.Context, conversationID string) ([]analytics.Message, error) {
	args := []any{clickhouse.Named("conversation_id", conversationID)}
	list, err := rows(ctx, r, messagesSQL, args, func(row driver.Rows, m *analytics.Message) error {
		var ordinal uint32
		err := row.Scan(&m.ID, &ordinal, &m.Visitor, &m.Text, &m.Model, &m.SentAt)
		m.Ordinal, m.SentAt = int(ordinal), m.SentAt.UTC()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read transcript: %w", err)
	}
	return list, nil
}

func from(p analytics.Period) any { return millis("from", p.From) }
func to(p analytics.Period) any   { return millis("to", p.To) }

// millis passes an instant as the tables keep it.
func millis(name string, t time.Time) any {
	return clickhouse.DateNamed(name, t, clickhouse.MilliSeconds)
}

func (r *Reader) row(ctx context.Context, query string, args []any, into ...any) error {
	conn, err := r.db.conn(r.database)
	if err != nil {
		return err
	}
	return conn.QueryRow(ctx, query, args...).Scan(into...)
}

func rows[T any](ctx context.Context, r *Reader, query string, args []any, scan func(driver.Rows, *T) error) ([]T, error) {
	conn, err := r.db.conn(r.database)
	if err != nil {
		return nil, err
	}
	found, err := conn.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	list := []T{}
	for found.Next() {
		var t T
		if err := scan(found, &t); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, found.Err()
}
