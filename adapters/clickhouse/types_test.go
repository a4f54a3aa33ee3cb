package clickhouse

import (
	"cmp"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// columnType is the type of a column of a view as its reader is told of it.
type columnType struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// typeSources are where a reader finds the types of a view's columns under their names in ClickHouse.
var typeSources = map[string]func(t *testing.T, db *DB, reader driver.Conn, view string) []columnType{
	"DESCRIBE": func(t *testing.T, _ *DB, reader driver.Conn, view string) []columnType {
		return described(t, reader, "DESCRIBE TABLE "+view)
	},
	// What differs here is converted on the way, and a number may lose digits by that.
	"its SELECT": func(t *testing.T, _ *DB, reader driver.Conn, view string) []columnType {
		var query string
		if err := reader.QueryRow(t.Context(), "SELECT as_select FROM system.tables WHERE database = currentDatabase() AND name = '"+view+"'").Scan(&query); err != nil {
			t.Fatal(err)
		}
		return described(t, reader, "DESCRIBE TABLE ("+query+")")
	},
	"toTypeName": func(t *testing.T, _ *DB, reader driver.Conn, view string) []columnType {
		rows := result(t, reader, "SELECT * APPLY toTypeName FROM "+view+" LIMIT 1")
		for i, name := range rows[0] {
			rows[0][i] = strings.TrimSuffix(strings.TrimPrefix(name, "toTypeName("), ")")
		}
		return paired(rows)
	},
	"TSVWithNamesAndTypes": func(t *testing.T, _ *DB, reader driver.Conn, view string) []columnType {
		return paired(cells(body(t, reader, "TSVWithNamesAndTypes", "SELECT * FROM "+view)))
	},
	"JSON": func(t *testing.T, _ *DB, reader driver.Conn, view string) []columnType {
		var told struct{ Meta []columnType }
		if err := json.Unmarshal([]byte(body(t, reader, "JSON", "SELECT * FROM "+view)), &told); err != nil {
			t.Fatal(err)
		}
		return told.Meta
	},
	"clickhouse-go": func(t *testing.T, _ *DB, reader driver.Conn, view string) (told []columnType) {
		rows, err := reader.Query(t.Context(), "SELECT * FROM "+view)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for _, c := range rows.ColumnTypes() {
			told = append(told, columnType{c.Name(), c.DatabaseTypeName()})
		}
		return told
	},
	"@clickhouse/client": func(t *testing.T, db *DB, _ driver.Conn, view string) (told []columnType) {
		at := url.URL{
			Scheme: "http", Host: db.options.Addr[0], Path: db.ViewsDatabase(),
			User: url.UserPassword(db.options.Auth.Username, db.options.Auth.Password),
		}
		node := exec.CommandContext(t.Context(), "node", "testdata/meta.mjs", "SELECT * FROM "+view)
		node.Env = append(os.Environ(), "CLICKHOUSE_URL="+at.String())
		node.Stderr = os.Stderr
		out, err := node.Output()
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(out, &told); err != nil {
			t.Fatal(err)
		}
		return told
	},
}

// withoutParameters are the sources that tell nothing of a view with parameters.
var withoutParameters = []string{"DESCRIBE", "its SELECT"}

// encodings have types of their own: a column is right if it is the same, byte by byte, as one of a
// table that has the declared types.
var encodings = []string{"Parquet", "Arrow", "ArrowStream"}

func TestColumnsArriveWithTheDeclaredTypes(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	write(t, db, visit("una", time.Now().Add(-time.Hour)))
	reader := analyst(t, db)
	for _, view := range views(t, db) {
		t.Run(view, func(t *testing.T) {
			declared, from := declared(t, reader, view), called(view)
			var columns []string
			for _, c := range declared {
				columns = append(columns, c.Name+" "+c.Type)
			}
			for source, typesOf := range typeSources {
				if strings.HasPrefix(view, "cohort") && slices.Contains(withoutParameters, source) {
					continue
				}
				found := map[string]string{}
				for _, c := range typesOf(t, db, reader, from) {
					found[c.Name] = c.Type
				}
				for _, c := range declared {
					if found[c.Name] != c.Type {
						t.Errorf("%s is declared %s; %s says %q", c.Name, c.Type, source, found[c.Name])
					}
				}
			}
			execute(t, db, "CREATE TABLE declared_"+view+" ("+strings.Join(columns, ", ")+") ENGINE = Memory")
			execute(t, db, "INSERT INTO declared_"+view+" SELECT * FROM "+db.ViewsDatabase()+"."+from)
			for _, format := range encodings {
				differ := func(columns string) bool {
					encoded := func(from string) string {
						return body(t, reader, format, "SELECT "+columns+" FROM "+from+" ORDER BY ALL")
					}
					return encoded(from) != encoded(db.local(db.nodes[0], build)+".declared_"+view)
				}
				if !differ("*") {
					continue
				}
				for _, c := range declared {
					if differ(c.Name) {
						t.Errorf("%s is declared %s; %s holds another type", c.Name, c.Type, format)
					}
				}
			}
		})
	}
}

func TestColumnsHaveTheTypesOfTheirTables(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	for _, row := range result(t, analyst(t, db), `
		SELECT view.table, view.name, view.type, stored.type
		FROM system.columns AS view
		INNER JOIN system.columns AS stored ON stored.table = view.table AND stored.name = view.name
		WHERE view.database = currentDatabase() AND stored.database = '`+db.Database(build)+`'
			AND replaceRegexpOne(stored.type, '^SimpleAggregateFunction\\(\\w+, (.*)\\)$', '\\1') NOT IN (view.type, 'Nullable(' || view.type || ')')`)[1:] {
		t.Errorf("%s.%s is declared %s and stored as %s", row[0], row[1], row[2], row[3])
	}
}

func TestViewsReadOneRangeOfTheKey(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	reader := analyst(t, db)
	for _, view := range views(t, db) {
		if strings.HasPrefix(view, "cohort") || view == "freshness" || view == "answers_taught" || view == "limit_by_month" || strings.HasSuffix(view, "_daily") { // which are asked by the key alone, have one row or few, or read all
			continue
		}
		table := cmp.Or(map[string]string{"outcomes": "bookings", "exchanges": "messages"}[view], view)
		keys := result(t, reader, `SELECT splitByString(', ', sorting_key)[1] FROM system.tables
			WHERE database = '`+db.Database(build)+`' AND name = '`+table+`'`)[1:]
		if len(keys) != 1 {
			t.Errorf("%s reads no table of its name", view)
			continue
		}
		key := keys[0][0]
		execute(t, db, `INSERT INTO `+table+` (`+key+`) SELECT toDateTime64('2026-11-02 00:00:00', 3) + number FROM numbers(50000)`)
		granules := func(from, where string) string {
			return result(t, reader, "EXPLAIN ESTIMATE SELECT count() FROM "+from+" WHERE "+where)[1][4]
		}
		minute := key + ` >= '2026-11-02 03:00:00' AND ` + key + ` < '2026-11-02 03:01:00'`
		got, want := granules(view, minute), granules(db.Database(build)+"."+table+" FINAL", minute)
		if all := granules(view, "true"); got != want || got == all {
			t.Errorf("%s reads %s granules for a minute of %s, its table %s of %s", view, got, key, want, all)
		}
	}
}

func TestViewsNeedNoRightsOnABuild(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	if got := answer(t, analyst(t, db), `SELECT name FROM system.tables
		WHERE database = currentDatabase() AND create_table_query NOT LIKE '%SQL SECURITY DEFINER%'`); got != "name\n" {
		t.Errorf("views that are read with the rights of their reader:\n%s", got)
	}
}

// views are the names of all that the analysts' database holds.
func views(t testing.TB, db *DB) (names []string) {
	t.Helper()
	for _, row := range result(t, analyst(t, db), "SELECT name FROM system.tables WHERE database = currentDatabase() ORDER BY name")[1:] {
		names = append(names, row[0])
	}
	if len(names) == 0 {
		t.Fatal("there are no views")
	}
	return names
}

// called is what a question names to read all of a view.
func called(view string) string {
	switch view {
	case "cohort":
		return "cohort(from = '1970-01-01', to = '2100-01-01', filter = map(), opening = [])"
	case "cohort_days":
		return "cohort_days(from_day = '1970-01-01', to_day = '2100-01-01', filter = map())"
	}
	return view
}

// declaredColumn is one of a view's, as the view declares it.
type declaredColumn struct {
	columnType
	comment string
}

var declaration = regexp.MustCompile("(?m)^    `(\\w+)` (.*?)(?: COMMENT '(.*)')?,?$")

// declared are the columns of a view from its definition: system.columns has none of a view
// with parameters.
func declared(t testing.TB, reader driver.Conn, view string) (columns []declaredColumn) {
	t.Helper()
	var definition string
	if err := reader.QueryRow(t.Context(), "SHOW CREATE VIEW "+view).Scan(&definition); err != nil {
		t.Fatal(err)
	}
	for _, c := range declaration.FindAllStringSubmatch(definition, -1) {
		columns = append(columns, declaredColumn{columnType{c[1], c[2]}, unescape(c[3])})
	}
	if len(columns) == 0 {
		t.Fatalf("%s declares no column", view)
	}
	return columns
}

// described takes names and types from the first two columns of a result.
func described(t testing.TB, conn driver.Conn, query string) (found []columnType) {
	t.Helper()
	for _, row := range result(t, conn, query)[1:] {
		found = append(found, columnType{row[0], row[1]})
	}
	return found
}

// result is a whole result, its first row the names of the columns.
func result(t testing.TB, conn driver.Conn, query string) [][]string {
	t.Helper()
	return cells(answer(t, conn, query))
}

var unescape = strings.NewReplacer(`\'`, `'`).Replace

// cells are those of a text of tab-separated values.
func cells(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		rows = append(rows, strings.Split(unescape(strings.TrimSuffix(line, "\n")), "\t"))
	}
	return rows
}

// paired takes the names of the columns from the first row and their types from the second.
func paired(rows [][]string) (found []columnType) {
	for i, name := range rows[0] {
		found = append(found, columnType{name, rows[1][i]})
	}
	return found
}
