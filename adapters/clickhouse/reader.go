package clickhouse

import (
	"context"
	_ "embed"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
	"bitacora/domain/fault"
)

var (
	//go:embed queries/kpis.sql
	kpisSQL string
	//go:embed queries/conversation_count.sql
	conversationCountSQL string
	//go:embed queries/conversations.sql
	conversationsSQL string
	//go:embed queries/first_questions.sql
	firstQuestionsSQL string
	//go:embed queries/messages.sql
	messagesSQL string
)

// Reader answers the dashboard's questions from one build. Times it returns are in UTC.
type Reader struct {
	db       *DB
	build    string
	database string
	// only, if set, is the node whose own rows are read.
	only *node
	// through is up to where the rows that are read must hold the log.
	through int64
	// sample, if set, are the subjects whose rows are compared.
	sample *sample
}

// Reader reads a build. It is cheap to make, so that each request can read what is live.
func (db *DB) Reader(build string) *Reader {
	return &Reader{db: db, build: build, database: db.Database(build)}
}

// readerOf reads what one node holds itself of a build.
func (db *DB) readerOf(n *node, build string) *Reader {
	return &Reader{db: db, build: build, database: db.local(n, build), only: n}
}

// ask does work on a node that can answer.
func (r *Reader) ask(ctx context.Context, work func(context.Context, driver.Conn) error) (err error) {
	defer func() { r.db.noteDamaged(r.build, err) }()
	on := func(ctx context.Context, n *node) error {
		conn, err := n.conn(r.database)
		if err != nil {
			return err
		}
		return work(ctx, conn)
	}
	if r.only != nil {
		return on(ctx, r.only)
	}
	copies, ok := CopiesOf(r.db)
	if !ok || r.through == 0 {
		return r.db.anywhere(ctx, on)
	}
	if err := r.db.located(ctx); err != nil {
		return err
	}
	return r.db.anywhere(ctx, func(ctx context.Context, n *node) error {
		if err := copies.hold(ctx, n, r.build, r.through); err != nil {
			return err
		}
		return on(ctx, n)
	})
}

// Through makes the reader ask no node whose copy of a build holds less of the log than up to a position.
func (r *Reader) Through(position int64) *Reader {
	bound := *r
	bound.through = position
	return &bound
}

// Zone is that of the days, hours and months that the build counts by.
func (r *Reader) Zone(ctx context.Context) (*time.Location, error) { return r.db.Zone(ctx, r.build) }

// Counts counts a cohort.
func (r *Reader) Counts(ctx context.Context, c analytics.Cohort) (analytics.Counts, error) {
	counts, err := single[analytics.Counts](ctx, r, kpisSQL, cohort(c))
	return counts, fault.Wrap(err, "count conversations")
}

// ConversationCount is the size of a cohort.
func (r *Reader) ConversationCount(ctx context.Context, c analytics.Cohort) (int, error) {
	var n uint64
	if err := r.row(ctx, conversationCountSQL, cohort(c), &n); err != nil {
		return 0, fmt.Errorf("count conversations: %w", err)
	}
	return int(n), nil
}

// ConversationPage lists a page of a cohort, newest first.
func (r *Reader) ConversationPage(ctx context.Context, c analytics.Cohort, page analytics.Page) ([]analytics.Conversation, error) {
	list := []analytics.Conversation{}
	for conversation, err := range r.conversations(ctx, c, page) {
		if err != nil {
			return nil, err
		}
		list = append(list, conversation)
	}
	return list, nil
}

// FirstQuestions are what the visitors of a page of conversations asked first, by conversation; those without
// a text are missing.
func (r *Reader) FirstQuestions(ctx context.Context, page []analytics.Conversation) (map[string]string, error) {
	found := map[string]string{}
	if len(page) == 0 {
		return found, nil
	}
	ids := make([]string, len(page))
	from, to := page[0].StartedAt, page[0].StartedAt
	for i, c := range page {
		ids[i] = c.ID
		if c.StartedAt.Before(from) {
			from = c.StartedAt
		} else if c.StartedAt.After(to) {
			to = c.StartedAt
		}
	}
	args := []any{millis("from", from), millis("to", to), clickhouse.Named("conversations", ids), clickhouse.Named("small_talk", event.SmallTalk)}
	type asked struct{ id, question string }
	list, err := rows(ctx, r, firstQuestionsSQL, args, func(row driver.Rows, a *asked) error { return row.Scan(&a.id, &a.question) })
	for _, a := range list {
		found[a.id] = a.question
	}
	return found, fault.Wrap(err, "list first questions")
}

// Conversations gives the whole cohort one by one, newest first, as the server sends it. An
// error is the last that it gives.
func (r *Reader) Conversations(ctx context.Context, c analytics.Cohort) iter.Seq2[analytics.Conversation, error] {
	return r.conversations(ctx, c, whole)
}

// whole is a page that holds any list.
var whole = analytics.Page{Limit: math.MaxInt32}

func (r *Reader) conversations(ctx context.Context, c analytics.Cohort, page analytics.Page) iter.Seq2[analytics.Conversation, error] {
	return stream(ctx, r, "list conversations", conversationsSQL, listed(c, page), scanConversation)
}

func listed(c analytics.Cohort, page analytics.Page) []any {
	after := analytics.Cursor{StartedAt: c.To}
	if page.After != nil {
		after = *page.After
	}
	return append(cohort(c),
		millis("before_started_at", after.StartedAt),
		clickhouse.Named("before_id", after.ID),
		clickhouse.Named("limit", uint64(page.Limit)),
		clickhouse.Named("offset", uint64(page.Offset)),
	)
}

func scanConversation(row driver.Rows, c *analytics.Conversation) error {
	var messages, visitor, unanswered, failures uint32
	var active uint64
	err := row.Scan(&c.ID, &c.StartedAt, &c.LastMessageAt, &messages, &visitor, &active, &c.Consent, &c.Lead, &c.Appointment, &c.Cancelled,
		&c.BookingSources, &c.Topics, &c.Flags, &unanswered, &failures, &c.OutOfHours, &c.Channel, &c.Referrer)
	c.StartedAt, c.LastMessageAt = c.StartedAt.UTC(), c.LastMessageAt.UTC()
	c.Messages, c.VisitorMessages, c.Unanswered, c.Failures = int(messages), int(visitor), int(unanswered), int(failures)
	c.Active = time.Duration(active) * time.Millisecond
	return err
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
	return list, fault.Wrap(err, "read transcript")
}

// millis passes an instant as the tables keep it.
func millis(name string, t time.Time) any {
	return clickhouse.DateNamed(name, t, clickhouse.MilliSeconds)
}

func (r *Reader) row(ctx context.Context, query string, args []any, into ...any) error {
	return r.ask(ctx, func(ctx context.Context, conn driver.Conn) error {
		return conn.QueryRow(abandonable(ctx), overTables(query), args...).Scan(into...)
	})
}

// abandonable makes the server end a question when nobody waits for its answer any more, which it
// does only where nothing can be written.
func abandonable(ctx context.Context) context.Context {
	return clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{
		"readonly": 2, "cancel_http_readonly_queries_on_client_close": 1,
	}))
}

// stream gives the rows of a question one by one. It names the question in the error, which
// comes last.
func stream[T any](ctx context.Context, r *Reader, question, query string, args []any, scan func(driver.Rows, *T) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		failed := func(err error) { yield(none, fmt.Errorf("%s: %w", question, err)) }
		var found driver.Rows
		err := r.ask(ctx, func(ctx context.Context, conn driver.Conn) (err error) {
			found, err = conn.Query(abandonable(ctx), overTables(query), args...)
			return err
		})
		if err != nil {
			failed(err)
			return
		}
		defer found.Close()
		for found.Next() {
			var t T
			if err := scan(found, &t); err != nil {
				failed(err)
				return
			}
			if !yield(t, nil) {
				return
			}
		}
		if err := found.Err(); err != nil {
			r.db.noteDamaged(r.build, err)
			failed(err)
		}
	}
}

func rows[T any](ctx context.Context, r *Reader, query string, args []any, scan func(driver.Rows, *T) error) ([]T, error) {
	list := []T{}
	for t, err := range stream(ctx, r, "read rows", query, args, scan) {
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// single gives the only row of an answer, see [byName].
func single[T any](ctx context.Context, r *Reader, query string, args []any) (only T, err error) {
	list, err := rows(ctx, r, query, args, byName[T])
	if err != nil {
		return only, err
	}
	if len(list) != 1 {
		return only, fmt.Errorf("%d rows instead of one", len(list))
	}
	return list[0], nil
}
