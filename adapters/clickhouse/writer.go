package clickhouse

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/projections"
)

var (
	//go:embed builds/applied.sql
	appliedSQL string
	//go:embed builds/ends.sql
	endsSQL string
	//go:embed builds/apply.sql
	applySQL string
)

// Writer stores the rows of one build.
type Writer struct {
	db    *DB
	build string
}

// Writer writes into a build that [DB.CreateBuild] made.
func (db *DB) Writer(build string) *Writer { return &Writer{db: db, build: build} }

// Write implements [projections.Writer]. Messages come first: whoever reads between the two
// inserts, or after a crash between them, finds transcripts that are complete as far as the
// numbers tell. Writing the rows again, as a whole, repairs what a failed Write left. On a cluster
// every replica has the rows when it returns without an error.
func (w *Writer) Write(ctx context.Context, rows projections.Tables) (err error) {
	defer func() { err = w.lost(ctx, err) }()
	defer func() { w.db.noteDamaged(w.build, err) }()
	if err := w.db.locate(ctx); err != nil {
		return err
	}
	conn, err := w.db.conn(w.db.Database(w.build))
	if err != nil {
		return err
	}
	ctx = w.db.acknowledged(ctx)
	if err := insert(ctx, conn, messages, rows.Messages); err != nil {
		return err
	}
	if err := insert(ctx, conn, contacts, rows.Contacts); err != nil {
		return err
	}
	if err := insert(ctx, conn, conversations, rows.Conversations); err != nil {
		return err
	}
	if err := insert(ctx, conn, visits, rows.Visits); err != nil {
		return err
	}
	return insert(ctx, conn, ratings, rows.Ratings)
}

// Applied implements [projections.Writer]. On a cluster every node notes it of its own rows, and the
// one that holds least counts.
func (w *Writer) Applied(ctx context.Context, r projections.Range, last string) (through int64, err error) {
	stored, err := ofEach(ctx, w.db, func(ctx context.Context, n *node) (uint64, error) {
		var stored uint64
		conn, err := n.conn(w.db.local(w.build))
		if err != nil {
			return 0, err
		}
		err = conn.Exec(ctx, strings.Replace(applySQL, "{applied}", appliedSQL, 1),
			clickhouse.Named("first", r.First), clickhouse.Named("last", r.Last), clickhouse.Named("event", last))
		if err == nil {
			err = conn.QueryRow(ctx, appliedSQL).Scan(&stored)
		}
		return stored, err
	})
	if err != nil {
		return 0, fmt.Errorf("note what is applied to build %s: %w", w.build, w.lost(ctx, err))
	}
	return int64(slices.Min(stored)), nil
}

// lost gives, where an error means that something is not there, what a node has lost.
func (w *Writer) lost(ctx context.Context, err error) error {
	if !missing(err) {
		return err
	}
	if w.db.cluster.Name == "" {
		return fmt.Errorf("%w: %w", projections.ErrBehind, err)
	}
	list, asked := w.db.holdings(ctx, w.build)
	if asked != nil {
		return err
	}
	return cmp.Or(w.db.lost(w.build, list), err)
}

// Retried notes in the build itself, as durably as rows, that those of a retry of what was parked
// are stored.
func (w *Writer) Retried(ctx context.Context, retry int64) error {
	err := w.db.each(ctx, func(ctx context.Context, n *node) error {
		conn, err := n.conn(w.db.local(w.build))
		if err != nil {
			return err
		}
		return conn.Exec(ctx, "INSERT INTO applied (first, retried) SELECT 1, {retry:UInt64}", clickhouse.Named("retry", retry))
	})
	if err != nil {
		return fmt.Errorf("note retry in build %s: %w", w.build, w.lost(ctx, err))
	}
	return nil
}

// table declares where the fields of a row go. The types stand here, so that an insert
// need not ask the server for them first.
type table[R any] struct {
	name    string
	columns []column[R]
}

type column[R any] struct {
	name, kind string
	values     func([]R) any
}

// each gives a column as the typed slice that the driver appends without reflection. Rows
// are large: copying one for every column would take longer than all else that is done here.
func each[R, V any](field func(*R) V) func([]R) any {
	return func(rows []R) any {
		values := make([]V, len(rows))
		for i := range rows {
			values[i] = field(&rows[i])
		}
		return values
	}
}

func insert[R any](ctx context.Context, conn driver.Conn, t table[R], rows []R) error {
	if len(rows) == 0 {
		return nil
	}
	names := make([]string, len(t.columns))
	kinds := make([]clickhouse.ColumnNameAndType, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
		kinds[i] = clickhouse.ColumnNameAndType{Name: c.name, Type: c.kind}
	}
	ctx = clickhouse.Context(ctx, clickhouse.WithColumnNamesAndTypes(kinds))
	batch, err := conn.PrepareBatch(ctx, fmt.Sprintf("INSERT INTO %s (%s)", t.name, strings.Join(names, ", ")))
	if err != nil {
		return fmt.Errorf("insert into %s: %w", t.name, err)
	}
	defer batch.Close()
	for i, c := range t.columns {
		if err := batch.Column(i).Append(c.values(rows)); err != nil {
			return fmt.Errorf("insert into %s: column %s: %w: %w", t.name, c.name, projections.ErrUnstorable, err)
		}
	}
	if err := batch.Send(); err != nil {
		return fmt.Errorf("insert into %s: %w", t.name, blame(err))
	}
	return nil
}

const (
	instant = "DateTime64(3, 'UTC')"
	// lowCardinality is how such texts are sent: the server finds the few different ones
	// among them faster than the driver does.
	lowCardinality = "String"
	likelihood     = "Nullable(Float32)"
)

// known is a likelihood as a table keeps it, in which 0 stands for one that is not known.
func known(value *float32) *float32 {
	if *value == 0 {
		return nil
	}
	return value
}

type (
	conversationRow = projections.ConversationRow
	messageRow      = projections.MessageRow
	contactRow      = projections.ContactRow
	visitRow        = projections.VisitRow
	ratingRow       = projections.RatingRow
)

var conversations = table[conversationRow]{"conversations", []column[conversationRow]{
	{"conversation_id", "String", each(func(r *conversationRow) string { return r.ConversationID })},
	{"started_at", instant, each(func(r *conversationRow) time.Time { return r.StartedAt })},
	{"last_message_at", instant, each(func(r *conversationRow) time.Time { return r.LastMessageAt })},
	{"message_count", "UInt32", each(func(r *conversationRow) uint32 { return r.MessageCount })},
	{"visitor_ordinals", "Array(UInt32)", each(func(r *conversationRow) []uint32 { return r.VisitorOrdinals })},
	{"unanswered_ordinals", "Array(UInt32)", each(func(r *conversationRow) []uint32 { return r.UnansweredOrdinals })},
	{"dismissed_ordinals", "Array(UInt32)", each(func(r *conversationRow) []uint32 { return r.DismissedOrdinals })},
	{"failure_positions", "Array(UInt64)", each(func(r *conversationRow) []uint64 { return r.FailurePositions })},
	{"active_ms", "UInt64", each(func(r *conversationRow) uint64 { return r.ActiveMillis })},
	{"topics", "Array(String)", each(func(r *conversationRow) []string { return r.Topics })},
	{"models", "Array(String)", each(func(r *conversationRow) []string { return r.Models })},
	{"flags", "Array(String)", each(func(r *conversationRow) []string { return r.Flags })},
	{"consent", "Bool", each(func(r *conversationRow) bool { return r.Consent })},
	{"lead", "Bool", each(func(r *conversationRow) bool { return r.Lead })},
	{"appointment", "Bool", each(func(r *conversationRow) bool { return r.Appointment })},
	{"booking_sources", "Array(String)", each(func(r *conversationRow) []string { return r.BookingSources })},
	{"booked_position", "UInt64", each(func(r *conversationRow) uint64 { return r.BookedPosition })},
	{"cancelled_position", "UInt64", each(func(r *conversationRow) uint64 { return r.CancelledPosition })},
	{"channel", lowCardinality, each(func(r *conversationRow) string { return r.Channel })},
	{"referrer", lowCardinality, each(func(r *conversationRow) string { return r.Referrer })},
	{"last_position", "UInt64", each(func(r *conversationRow) uint64 { return r.LastPosition })},
}}

var messages = table[messageRow]{"messages", []column[messageRow]{
	{"conversation_id", "String", each(func(r *messageRow) string { return r.ConversationID })},
	{"conversation_started_at", instant, each(func(r *messageRow) time.Time { return r.ConversationStartedAt })},
	{"ordinal", "UInt32", each(func(r *messageRow) uint32 { return r.Ordinal })},
	{"message_id", "UUID", each(func(r *messageRow) string { return r.MessageID })},
	{"sender", lowCardinality, each(func(r *messageRow) string { return r.Sender })},
	{"text", "String", each(func(r *messageRow) string { return string(r.Text) })},
	{"intent", lowCardinality, each(func(r *messageRow) string { return r.Intent })},
	{"confidence", likelihood, each(func(r *messageRow) *float32 { return known(&r.Confidence) })},
	{"runner_up", lowCardinality, each(func(r *messageRow) string { return r.RunnerUp })},
	{"runner_up_confidence", likelihood, each(func(r *messageRow) *float32 { return known(&r.RunnerUpConfidence) })},
	{"answer", lowCardinality, each(func(r *messageRow) string { return r.Answer })},
	{"likelihood", likelihood, each(func(r *messageRow) *float32 { return known(&r.Likelihood) })},
	{"next_answer", lowCardinality, each(func(r *messageRow) string { return r.NextAnswer })},
	{"next_likelihood", likelihood, each(func(r *messageRow) *float32 { return known(&r.NextLikelihood) })},
	{"topic", lowCardinality, each(func(r *messageRow) string { return r.Topic })},
	{"provider", lowCardinality, each(func(r *messageRow) string { return r.Provider })},
	{"model", lowCardinality, each(func(r *messageRow) string { return r.Model })},
	{"latency_ms", "Nullable(UInt32)", each(func(r *messageRow) *uint32 { return r.LatencyMillis })},
	{"tokens_in", "Nullable(UInt32)", each(func(r *messageRow) *uint32 { return r.TokensIn })},
	{"tokens_out", "Nullable(UInt32)", each(func(r *messageRow) *uint32 { return r.TokensOut })},
	{"answered", "Nullable(Bool)", each(func(r *messageRow) *bool { return r.Answered })},
	{"sources", "Array(String)", each(func(r *messageRow) []string { return r.Sources })},
	{"sent_at", instant, each(func(r *messageRow) time.Time { return r.SentAt })},
	{"position", "UInt64", each(func(r *messageRow) uint64 { return r.Position })},
}}

var contacts = table[contactRow]{"contacts", []column[contactRow]{
	{"kind", lowCardinality, each(func(r *contactRow) string { return r.Kind })},
	{"contact_id", "String", each(func(r *contactRow) string { return r.ContactID })},
	{"came_at", instant, each(func(r *contactRow) time.Time { return r.CameAt })},
	{"reachable", "Bool", each(func(r *contactRow) bool { return r.Reachable })},
	{"told_status", "Tuple(UInt64, String)", each(func(r *contactRow) []any { return []any{r.Status.Position, r.Status.Value} })},
	{"told_slot", "Tuple(UInt64, " + instant + ")", each(func(r *contactRow) []any { return []any{r.Slot.Position, sinceEpoch(r.Slot.Value)} })},
	{"cancelled_position", "UInt64", each(func(r *contactRow) uint64 { return r.CancelledPosition })},
	{"note_positions", "Array(UInt64)", each(func(r *contactRow) []uint64 { return r.NotePositions })},
	{"channel", lowCardinality, each(func(r *contactRow) string { return r.Channel })},
	{"last_position", "UInt64", each(func(r *contactRow) uint64 { return r.LastPosition })},
}}

// sinceEpoch is what stands for no time where a column cannot hold none.
func sinceEpoch(t time.Time) time.Time {
	if t.IsZero() {
		return time.UnixMilli(0)
	}
	return t
}

var visits = table[visitRow]{"visits", []column[visitRow]{
	{"visit_id", "String", each(func(r *visitRow) string { return r.VisitID })},
	{"started_at", instant, each(func(r *visitRow) time.Time { return r.StartedAt })},
	{"opened_by_visitor", "Bool", each(func(r *visitRow) bool { return r.OpenedByVisitor })},
	{"opened_by_itself", "Bool", each(func(r *visitRow) bool { return r.OpenedByItself })},
	{"conversation", "Bool", each(func(r *visitRow) bool { return r.Conversation })},
	{"channel", lowCardinality, each(func(r *visitRow) string { return r.Channel })},
	{"last_position", "UInt64", each(func(r *visitRow) uint64 { return r.LastPosition })},
}}

var ratings = table[ratingRow]{"ratings", []column[ratingRow]{
	{"conversation_id", "String", each(func(r *ratingRow) string { return r.ConversationID })},
	{"conversation_started_at", instant, each(func(r *ratingRow) time.Time { return r.ConversationStartedAt })},
	{"ordinal", "UInt32", each(func(r *ratingRow) uint32 { return r.Ordinal })},
	{"topic", "LowCardinality(String)", each(func(r *ratingRow) string { return r.Topic })},
	{"rating", "LowCardinality(String)", each(func(r *ratingRow) string { return r.Rating })},
	{"rated_at", instant, each(func(r *ratingRow) time.Time { return r.RatedAt })},
	{"position", "UInt64", each(func(r *ratingRow) uint64 { return r.Position })},
}}
