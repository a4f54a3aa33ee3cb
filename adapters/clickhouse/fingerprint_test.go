package clickhouse

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/engines/enginestest"
	"bitacora/projections"
	"bitacora/projections/projectionstest"
	"bitacora/schema"
)

// TestEveryTableIsCompared holds the list of compared tables against the files of the
// schema: a table cannot be forgotten, and neither can a column, on either side.
func TestEveryTableIsCompared(t *testing.T) {
	files, err := fs.Glob(schema.ClickHouse, "clickhouse/table_*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var declared, listed []string
	for _, file := range files {
		if name := strings.TrimSuffix(strings.TrimPrefix(file, "clickhouse/table_"), ".sql"); name != "build" && name != "applied" {
			declared = append(declared, name)
		}
	}
	db := open(t)
	for _, c := range comparedTables {
		listed = append(listed, c.table)
		columns := storedColumns(t, db, c.table)
		for _, compared := range c.columns {
			if _, stored := columns[compared]; !stored {
				t.Errorf("the table %s has no column %s", c.table, compared)
			}
			delete(columns, compared)
		}
		for column := range columns {
			t.Errorf("column %s of %s is not compared", column, c.table)
		}
	}
	slices.Sort(listed)
	if diff := cmp.Diff(declared, listed); diff != "" {
		t.Errorf("tables (-schema +compared):\n%s", diff)
	}
}

// storedColumns gives the type of every column that a table stores.
func storedColumns(t *testing.T, db *DB, table string) map[string]string {
	t.Helper()
	conn, err := db.conn(db.Database(build))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = '"+table+"' AND default_kind != 'ALIAS'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns := map[string]string{}
	for rows.Next() {
		var name, kind string
		if err := rows.Scan(&name, &kind); err != nil {
			t.Fatal(err)
		}
		columns[name] = kind
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return columns
}

// TestOneWrongRowIsNamed takes a row out of every table, adds one, and alters every single
// column of one: each is found, and nothing else is.
func TestOneWrongRowIsNamed(t *testing.T) {
	enginestest.Long(t)
	db := open(t)
	const right = "b2"
	create(t, db, right)
	rows := rowsOfEveryTable(t)
	for _, b := range []string{build, right} {
		if err := db.Writer(b).Write(t.Context(), rows); err != nil {
			t.Fatal(err)
		}
	}
	compare := func() projections.Comparison {
		c, err := projections.Compare(t.Context(), db.Reader(build), db.Reader(right), nil)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := compare(); c.Differing != 0 || c.Rows == 0 {
		t.Fatalf("before any fault: %+v", c)
	}
	for _, c := range comparedTables {
		wanted := db.Database(right) + "." + c.table
		columns := strings.Join(c.columns, ", ")
		one := fmt.Sprintf("%s = (SELECT min(%s) FROM %s FINAL)", c.key, c.key, wanted)
		// fill replaces what the table holds.
		fill := func(selects string) {
			execute(t, db, "TRUNCATE TABLE "+c.table)
			tell(t, db, fmt.Sprintf("INSERT INTO %s (%s) %s", c.table, columns, selects))
		}
		all := fmt.Sprintf("SELECT %s FROM %s FINAL", columns, wanted)
		expect := func(fault, verb string) {
			t.Helper()
			found := compare()
			if found.Differing != 1 || found.Differences[0].Table != c.table || len(found.Differences[0].First) != 1 || !strings.HasPrefix(found.Differences[0].First[0], verb+": ") {
				t.Errorf("%s, %s: %+v", c.table, fault, found.Differences)
			}
		}
		fill(all + " WHERE NOT (" + one + ")")
		expect("a row is missing", "missing")

		fill(fmt.Sprintf("SELECT %s FROM %s FINAL WHERE %s UNION ALL %s", replaced(c, c.subject, "concat("+c.subject+", ' too')"), wanted, one, all))
		expect("a row too many", "extra")

		columnsOf := storedColumns(t, db, c.table)
		for _, column := range slices.Sorted(maps.Keys(columnsOf)) {
			if strings.Contains(c.key, column) || column == c.start || column == c.kind {
				continue // the row would be another one
			}
			fill(fmt.Sprintf("SELECT %s FROM %s FINAL", replaced(c, column, fmt.Sprintf("if(%s, %s, %s)", one, another(t, column, columnsOf[column]), column)), wanted))
			expect("another "+column, "altered")
			if cluster != nil {
				break // one server has tried them all: the rows of several are compared in the same way
			}
		}
		fill(all)
		if found := compare(); found.Differing != 0 {
			t.Errorf("%s as it should be: %+v", c.table, found.Differences)
		}
	}
}

// rowsOfEveryTable are those of the first generated log that fills all tables.
func rowsOfEveryTable(t *testing.T) projections.Tables {
	t.Helper()
	for seed := range 100 {
		rows := projections.RowsOf(projectionstest.Log().Example(seed))
		filled := 0
		for _, c := range comparedTables {
			filled += min(1, rows.Counts()[c.table])
		}
		if filled == len(comparedTables) {
			return rows
		}
	}
	t.Fatal("no generated log fills every table")
	return projections.Tables{}
}

// replaced lists a table's columns with another expression for one of them.
func replaced(c compared, column, expression string) string {
	list := slices.Clone(c.columns)
	list[slices.Index(list, column)] = expression
	return strings.Join(list, ", ")
}

// another is an expression for a value that a column does not have.
func another(t *testing.T, column, kind string) string {
	t.Helper()
	if inner, ok := strings.CutPrefix(kind, "SimpleAggregateFunction("); ok {
		_, inner, _ = strings.Cut(strings.TrimSuffix(inner, ")"), ", ")
		return another(t, column, inner)
	}
	for _, wrapped := range []string{"Nullable(", "LowCardinality("} {
		if inner, ok := strings.CutPrefix(kind, wrapped); ok {
			return another(t, "assumeNotNull("+column+")", strings.TrimSuffix(inner, ")"))
		}
	}
	base, inner, _ := strings.Cut(kind, "(")
	switch base {
	case "String", "FixedString":
		return "concat(" + column + ", '?')"
	case "UInt8", "UInt16", "UInt32", "UInt64", "Int32", "Int64", "Float32", "Float64", "Date":
		return column + " + 1"
	case "Bool":
		return "NOT " + column
	case "UUID":
		return "toUUID('6c2a45a5-0f5e-4a8e-9a5c-0d4a1b8f2c11')"
	case "DateTime", "DateTime64":
		return column + " + toIntervalSecond(1)"
	case "Array":
		value := "999"
		if strings.HasPrefix(inner, "String") || strings.HasPrefix(inner, "LowCardinality") {
			value = "'?'"
		}
		return "arrayPushBack(" + column + ", " + value + ")"
	case "Tuple":
		first, rest, _ := strings.Cut(strings.TrimSuffix(inner, ")"), ", ")
		return fmt.Sprintf("(%s, %s)", another(t, column+".1", first), another(t, column+".2", rest))
	}
	t.Fatalf("no other value is known for %s of type %s", column, kind)
	return ""
}

func TestForgettingASubjectLeavesNoRowOfIt(t *testing.T) {
	db := open(t)
	rows := rowsOfEveryTable(t)
	if err := db.Writer(build).Write(t.Context(), rows); err != nil {
		t.Fatal(err)
	}
	subjects := map[string]bool{}
	for _, r := range rows.Conversations {
		subjects[r.ConversationID] = true
	}
	for _, r := range rows.Visits {
		subjects[r.VisitID] = true // some led to no conversation
	}
	for _, r := range rows.ChatRefusals {
		subjects[r.Month] = true
	}
	for _, r := range rows.AnswersTaught {
		subjects[r.Change] = true
	}
	for _, r := range rows.DataAccess {
		subjects[r.Subject] = true
	}
	for id := range subjects {
		if err := db.Forget(t.Context(), build, id); err != nil {
			t.Fatal(err)
		}
	}
	left := stored(t, db)
	if slices.ContainsFunc(left.Contacts, func(r projections.ContactRow) bool { return r.Kind == "lead" }) ||
		slices.ContainsFunc(left.ContactHistory, func(r projections.ContactHistoryRow) bool { return r.Kind == "lead" }) ||
		len(left.Conversations)+len(left.Messages)+len(left.Visits)+len(left.Ratings)+len(left.Bookings)+len(left.ChatRefusals)+len(left.AnswersTaught)+len(left.DataAccess) > 0 {
		t.Errorf("left: %+v", left)
	}
}
