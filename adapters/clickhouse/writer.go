package clickhouse

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/go-faster/city"

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
	// only, if set, is the node alone that is written.
	only *node
	// spares says that nodes may be left out while a copy is written without them, see [Copies.Follower]. Its
	// batches are written one after the other; failed are the nodes that lack rows of the present one.
	spares bool
	failed map[*node]bool
}

// Writer writes into a build that [DB.CreateBuild] made, on every node.
func (db *DB) Writer(build string) *Writer { return &Writer{db: db, build: build} }

// Write implements [projections.Writer]. Messages come first: whoever reads between the two
// inserts, or after a crash between them, finds transcripts that are complete as far as the
// numbers tell. Writing the rows again, as a whole, repairs what a failed Write left.
func (w *Writer) Write(ctx context.Context, rows projections.Tables) (err error) {
	defer func() { err = w.lost(ctx, err) }()
	defer func() { w.db.noteDamaged(w.build, err) }()
	if w.db.cluster.Keeper {
		if err := w.db.locate(ctx); err != nil {
			return err
		}
		conn, err := w.db.conn(w.db.Database(w.build))
		if err != nil {
			return err
		}
		return insertAll(w.db.acknowledged(ctx), target{conn, 1, 1}, rows)
	}
	_, err = w.onNodes(ctx, func(ctx context.Context, on own) (int64, error) {
		conn, err := on.conn()
		if err != nil {
			return 0, err
		}
		return 0, insertAll(ctx, target{conn, on.n.place.shard, w.db.shards()}, rows)
	})
	return err
}

// onNodes does work on the nodes that are written, and gives the most that all nodes of a copy answer.
func (w *Writer) onNodes(ctx context.Context, work func(context.Context, own) (int64, error)) (most int64, err error) {
	if err := w.db.located(ctx); err != nil {
		return 0, err
	}
	nodes := w.db.nodes
	if w.only != nil {
		nodes = []*node{w.only}
	}
	if w.spares || w.only != nil {
		ctx = w.db.cluster.patient(ctx)
	}
	found, errs := gather(ctx, w.db, nodes, func(ctx context.Context, n *node) (int64, error) {
		if w.failed[n] {
			return 0, errors.New("it lacks rows that came before")
		}
		return work(ctx, own{w.db, n, w.build})
	})
	all := errors.Join(errs...)
	if !w.spares {
		return slices.Min(found), all
	}
	for i, err := range errs {
		if err != nil && !errors.Is(err, projections.ErrUnstorable) {
			w.failed[nodes[i]] = true
		}
	}
	if errors.Is(all, projections.ErrUnstorable) { // the batch goes on in parts
		return 0, all
	}
	most = -1
	for _, copied := range w.db.copies() {
		least := int64(math.MaxInt64)
		for _, i := range copied {
			if errs[i] != nil {
				found[i] = -1
			}
			least = min(least, found[i])
		}
		most = max(most, least)
	}
	if most < 0 { // the batch comes once more as a whole
		clear(w.failed)
		return 0, all
	}
	return most, nil
}

// target takes the rows that belong to a shard of some.
type target struct {
	driver.Conn
	shard, shards uint32
}

func insertAll(ctx context.Context, conn target, rows projections.Tables) error {
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
	if err := insert(ctx, conn, ratings, rows.Ratings); err != nil {
		return err
	}
	if err := insert(ctx, conn, bookings, rows.Bookings); err != nil {
		return err
	}
	if err := insert(ctx, conn, contactHistory, rows.ContactHistory); err != nil {
		return err
	}
	if err := insert(ctx, conn, chatRefusals, rows.ChatRefusals); err != nil {
		return err
	}
	if err := insert(ctx, conn, answersTaught, rows.AnswersTaught); err != nil {
		return err
	}
	return insert(ctx, conn, dataAccess, rows.DataAccess)
}

// in are the rows that belong to a target, as distributed.sql has servers divide them.
func (t table[R]) in(to target, rows []R) (own []R) {
	if to.shards <= 1 || len(rows) == 0 {
		return rows
	}
	subject := comparedTable(t.name).subject
	at := slices.IndexFunc(t.columns, func(c column[R]) bool { return c.name == subject })
	for i, key := range t.columns[at].values(rows).([]string) {
		if city.CH64([]byte(key))%uint64(to.shards)+1 == uint64(to.shard) {
			own = append(own, rows[i])
		}
	}
	return own
}

// Applied implements [projections.Writer]. On a cluster every node notes it of its own rows, and the
// copy counts that holds most.
func (w *Writer) Applied(ctx context.Context, r projections.Range, last string) (through int64, err error) {
	through, err = w.onNodes(ctx, func(ctx context.Context, on own) (int64, error) { return on.applied(ctx, r, last) })
	clear(w.failed)
	if err == nil && w.spares && through < r.Last { // the batch comes once more while nodes are filled
		err = errBehind
	}
	if err != nil {
		return 0, fmt.Errorf("note what is applied to build %s: %w", w.build, w.lost(ctx, err))
	}
	return through, nil
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
	_, err := w.onNodes(ctx, func(ctx context.Context, on own) (int64, error) { return 0, on.retried(ctx, retry) })
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
	// values gives a column as the typed slice that the driver appends without reflection.
	values func([]R) any
}

// toldPrefix begins the names of columns of a [projections.At].
const toldPrefix = "told_"

// sentKinds are the types as rows are sent. Of texts of low cardinality the server finds the few different ones faster
// than the driver does.
var sentKinds = strings.NewReplacer("LowCardinality(String)", "String", "{zone}", "UTC")

// tableOf pairs the columns that the file of a table declares with the fields of its rows that are named alike.
func tableOf[R any](name string) table[R] {
	t := table[R]{name: name}
	row := reflect.TypeFor[R]()
	for _, c := range declaredIn(fileOf("table_" + name)) {
		if c.alias != "" {
			continue
		}
		index, ok := fieldsOf(row)[strings.TrimPrefix(c.name, toldPrefix)]
		if !ok {
			panic(fmt.Sprintf("no field of %s is named as column %s of table %s", row, c.name, name))
		}
		kind, _ := c.merged()
		t.columns = append(t.columns, column[R]{c.name, sentKinds.Replace(kind), valuesOf[R](row.FieldByIndex(index), kind)})
	}
	return t
}

func valuesOf[R any](field reflect.StructField, kind string) func([]R) any {
	as, put := field.Type, reflect.Value.Set
	switch {
	case strings.HasPrefix(kind, "Tuple"):
		as, put = reflect.TypeFor[[]any](), func(to, from reflect.Value) {
			value := from.FieldByName("Value").Interface()
			if at, ok := value.(time.Time); ok && at.IsZero() {
				value = time.UnixMilli(0) // which a tuple can contain
			}
			to.Set(reflect.ValueOf([]any{from.FieldByName("Position").Interface(), value}))
		}
	case strings.HasPrefix(kind, "Nullable") && as.Kind() != reflect.Pointer: // 0 stands for a number that is not known
		as, put = reflect.PointerTo(as), func(to, from reflect.Value) {
			if !from.IsZero() {
				to.Set(from.Addr())
			}
		}
	case as.Kind() == reflect.String:
		as, put = reflect.TypeFor[string](), func(to, from reflect.Value) { to.SetString(from.String()) }
	}
	n := field.Index[0]
	if values, ok := valuesOfTypes[field.Type]; ok && as == field.Type {
		return func(rows []R) any { return values(reflect.ValueOf(rows), n) }
	}
	return func(rows []R) any {
		from, values := reflect.ValueOf(rows), reflect.MakeSlice(reflect.SliceOf(as), len(rows), len(rows))
		for i := range rows {
			put(values.Index(i), from.Index(i).Field(n))
		}
		return values.Interface()
	}
}

// valuesOfTypes are for the types of most columns: a rebuild puts a hundred thousand rows a second through them.
var valuesOfTypes = map[reflect.Type]func(reflect.Value, int) any{
	reflect.TypeFor[string]():    fieldValues[string],
	reflect.TypeFor[uint32]():    fieldValues[uint32],
	reflect.TypeFor[uint64]():    fieldValues[uint64],
	reflect.TypeFor[bool]():      fieldValues[bool],
	reflect.TypeFor[[]string]():  fieldValues[[]string],
	reflect.TypeFor[[]uint32]():  fieldValues[[]uint32],
	reflect.TypeFor[*uint32]():   fieldValues[*uint32],
	reflect.TypeFor[time.Time](): fieldValues[time.Time],
}

// fieldValues gives a field of rows as a typed slice.
func fieldValues[V any](rows reflect.Value, field int) any {
	values := make([]V, rows.Len())
	for i := range values {
		values[i] = *rows.Index(i).Field(field).Addr().Interface().(*V)
	}
	return values
}

func insert[R any](ctx context.Context, conn target, t table[R], rows []R) error {
	rows = t.in(conn, rows)
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

var (
	conversations  = tableOf[projections.ConversationRow]("conversations")
	messages       = tableOf[projections.MessageRow]("messages")
	contacts       = tableOf[projections.ContactRow]("contacts")
	visits         = tableOf[projections.VisitRow]("visits")
	ratings        = tableOf[projections.RatingRow]("ratings")
	bookings       = tableOf[projections.BookingRow]("bookings")
	contactHistory = tableOf[projections.ContactHistoryRow]("contact_history")
	chatRefusals   = tableOf[projections.ChatRefusalRow]("chat_refusals")
	answersTaught  = tableOf[projections.AnswerTaughtRow]("answers_taught")
	dataAccess     = tableOf[projections.DataAccessRow]("data_access")
)
