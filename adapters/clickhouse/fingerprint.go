package clickhouse

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/domain/analytics"
	"bitacora/domain/fault"
	"bitacora/projections"
)

var (
	//go:embed builds/fingerprint.sql
	fingerprintSQL string
	//go:embed builds/fingerprint_rows.sql
	fingerprintRowsSQL string
	//go:embed builds/fingerprint_row.sql
	fingerprintRowSQL string
	//go:embed builds/recount.sql
	recountSQL string
)

// compared declares how the rows of a table are grouped, summed and named.
type compared struct {
	table, start, kind, amount, key string
	// subject is the column that says whose row it is: a conversation's, a visit's, a contact message's, a month's,
	// an answer's, or an account's.
	subject string
	// position is the column of the last position in the log that a row tells of.
	position       string
	columns, kinds []string
	// shown is the start as the view of the table has it, where that differs.
	shown string
}

// comparedTables are all tables of a build. What is done to a build as a whole goes through
// this list.
var comparedTables = []compared{
	compare(conversations, compared{
		start: "started_at", kind: "channel", amount: "message_count", subject: "conversation_id", position: "last_position",
		key: "concat(conversation_id, ' started ', formatDateTime(started_at, '%FT%T', 'UTC'))",
	}),
	compare(messages, compared{
		start: "conversation_started_at", kind: "sender", amount: "ordinal", subject: "conversation_id", position: "position",
		key: "concat(conversation_id, ' message ', toString(ordinal))",
	}),
	compare(contacts, compared{
		start: "came_at", kind: "kind", amount: "notes", subject: "contact_id", position: "last_position",
		key: "concat(kind, ' ', contact_id, ' came ', formatDateTime(came_at, '%FT%T', 'UTC'))",
	}),
	compare(visits, compared{
		start: "started_at", kind: "conversation", amount: "opened_by_visitor", subject: "visit_id", position: "last_position",
		key: "concat(visit_id, ' visited ', formatDateTime(started_at, '%FT%T', 'UTC'))",
	}),
	compare(ratings, compared{
		start: "conversation_started_at", kind: "rating", amount: "ordinal", subject: "conversation_id", position: "position",
		key: "concat(conversation_id, ' rating of ', toString(ordinal))",
	}),
	compare(bookings, compared{
		start: "conversation_started_at", kind: "booked_by", amount: "cancelled", subject: "conversation_id", position: "last_position",
		key: "concat(conversation_id, ' booking ', booking_id)",
	}),
	compare(contactHistory, compared{
		start: "came_at", kind: "kind", amount: "1", subject: "contact_id", position: "position",
		key: "concat(kind, ' ', contact_id, ' changed at ', toString(position))",
	}),
	compare(chatRefusals, compared{
		start: "refused_at", kind: "month", amount: "monthly_limit", subject: "month", position: "position",
		key: "concat('refusal of ', month, ' at ', toString(position))",
	}),
	compare(answersTaught, compared{
		start: "changed_at", kind: "undone", amount: "version", subject: "change", position: "position", shown: "taught_at",
		key: "concat('answer ', change, ' at ', toString(position))",
	}),
	compare(dataAccess, compared{
		start: "accessed_at", kind: "kind", amount: "1", subject: "subject", position: "position",
		key: "concat('access of ', subject, ' at ', toString(position))",
	}),
}

func compare[R any](t table[R], c compared) compared {
	c.table = t.name
	for _, column := range t.columns {
		c.columns = append(c.columns, column.name)
		c.kinds = append(c.kinds, column.kind)
	}
	return c
}

// query fills a template in: {values} are all columns in a form that can be hashed, {texts}
// in one that can be read.
func (c compared) query(template string) string {
	values, texts := make([]string, len(c.columns)), make([]string, len(c.columns))
	for i, name := range c.columns {
		switch kind := c.kinds[i]; {
		case strings.HasPrefix(kind, "Array"):
			values[i] = "arraySort(" + name + ")"
			texts[i] = "toString(arraySort(" + name + "))"
		case strings.HasPrefix(kind, "Nullable"):
			values[i] = "ifNull(toString(" + name + "), 'unknown')"
			texts[i] = values[i]
		default:
			values[i], texts[i] = name, "toString("+name+")"
		}
	}
	return strings.NewReplacer("{table}", c.table, "{subject}", c.subject, "{start}", c.start, "{kind}", c.kind, "{amount}", c.amount, "{key}", c.key,
		"{values}", strings.Join(values, ", "), "{texts}", strings.Join(texts, ", ")).Replace(template)
}

// sample names subjects, see [builds.Sample]; nil, all.
type sample struct {
	shares   uint32
	subjects string
}

// parameters are those of a fingerprint: without a sample, every share.
func (s *sample) parameters(without []string) []any {
	if s == nil {
		s = &sample{shares: math.MaxUint32}
	}
	return []any{leftOut(without), clickhouse.Named("shares", strconv.FormatUint(uint64(s.shares), 10)), clickhouse.Named("subjects", s.subjects)}
}

// Sample compares as if the build held the rows of some subjects alone, see [builds.Sample].
func (r *Reader) Sample(shares uint32, subjects []string) *Reader {
	s := *r
	s.sample = &sample{shares, strings.Join(subjects, "\n")}
	return &s
}

// Fingerprint implements [projections.BuildReader].
func (r *Reader) Fingerprint(ctx context.Context, without []string) ([]projections.Fingerprint, error) {
	var all []projections.Fingerprint
	for _, c := range comparedTables {
		lines, err := rows(ctx, r, c.query(fingerprintSQL), r.sample.parameters(without), func(row driver.Rows, f *projections.Fingerprint) error {
			f.Table = c.table
			return row.Scan(&f.Day, &f.Kind, &f.Rows, &f.Amount, &f.Hash)
		})
		if err != nil {
			return nil, fmt.Errorf("take fingerprint of %s: %w", c.table, err)
		}
		all = append(all, lines...)
	}
	return all, nil
}

// Replicas implements [builds.VerifiedTables].
func (r *Reader) Replicas(ctx context.Context) (list []projections.Replica, err error) {
	if err := r.db.locate(ctx); err != nil {
		return nil, err
	}
	if r.db.cluster.apart() {
		all, err := ofEach(ctx, r.db, func(ctx context.Context, n *node) (held, error) { return own{r.db, n, r.build}.held(ctx) })
		if err != nil {
			return nil, err
		}
		for i, h := range all {
			if h != all[0] {
				return nil, fmt.Errorf("node %s does not hold build %s up to where %s does: it is being filled, try again later", r.db.nodes[i].address(), r.build, r.db.nodes[0].address())
			}
		}
	}
	first := map[uint32]*node{}
	for _, n := range r.db.nodes {
		of := first[n.place.shard]
		if of == nil {
			first[n.place.shard] = n
			continue
		}
		list = append(list, projections.Replica{
			Node: n.address(), OfNode: of.address(), Rows: r.on(n), Of: r.on(of),
		})
	}
	return list, nil
}

// on is what one node holds itself of what is compared.
func (r *Reader) on(n *node) *Reader {
	own := r.db.readerOf(n, r.build)
	own.sample = r.sample
	return own
}

// RowsOf implements [projections.BuildReader].
func (r *Reader) RowsOf(ctx context.Context, f projections.Fingerprint, without []string) (map[string]uint64, error) {
	type row struct {
		key  string
		hash uint64
	}
	c := comparedTable(f.Table)
	list, err := rows(ctx, r, c.query(fingerprintRowsSQL),
		append(r.sample.parameters(without), clickhouse.Named("day", f.Day), clickhouse.Named("kind", f.Kind)), func(found driver.Rows, one *row) error { return found.Scan(&one.key, &one.hash) })
	if err != nil {
		return nil, fmt.Errorf("list %s of %s: %w", f.Table, f.Day, err)
	}
	hashes := make(map[string]uint64, len(list))
	for _, one := range list {
		hashes[one.key] = one.hash
	}
	return hashes, nil
}

// RowText implements [projections.BuildReader].
func (r *Reader) RowText(ctx context.Context, f projections.Fingerprint, key string) (columns, values []string, err error) {
	c := comparedTable(f.Table)
	err = r.row(ctx, c.query(fingerprintRowSQL), []any{clickhouse.Named("day", f.Day), clickhouse.Named("key", key)}, &values)
	if err != nil {
		return nil, nil, fmt.Errorf("read row %s of %s: %w", key, f.Table, err)
	}
	return c.columns, values, nil
}

// Days gives what the tables say of each day's conversations, in order, leaving some out.
func (r *Reader) Days(ctx context.Context, without []string) ([]analytics.Day, error) {
	days, err := rows(ctx, r, recountSQL, []any{leftOut(without)}, byName[analytics.Day])
	return days, fault.Wrap(err, "count by day")
}

func comparedTable(name string) compared {
	for _, c := range comparedTables {
		if c.table == name {
			return c
		}
	}
	panic("no table " + name)
}

func leftOut(conversations []string) any {
	return clickhouse.Named("without", strings.Join(conversations, "\n"))
}
