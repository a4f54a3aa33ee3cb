package clickhouse

import (
	"context"
	"embed"
	"fmt"
	"io"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/domain/analytics"
	"bitacora/domain/fault"
)

//go:embed queries/*.sql
var queries embed.FS

// Question is the SQL of a question that the dashboard asks, named as its file is.
func Question(name string) (string, error) {
	sql, err := queries.ReadFile("queries/" + name + ".sql")
	if err == nil {
		return string(sql), nil
	}
	return "", fmt.Errorf("no question is called %q, but %s", name, strings.Join(Questions(), ", "))
}

// Questions are the names of all.
func Questions() (names []string) {
	files, err := queries.ReadDir("queries")
	if err != nil {
		panic("clickhouse: " + err.Error()) // they are part of the program
	}
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file.Name(), ".sql"))
	}
	return names
}

// Formats are those of an answer, by the names that an operator gives.
var Formats = map[string]string{"table": "PrettyCompactMonoBlock", "csv": "CSVWithNames", "json": "JSONEachRow"}

// Views reads the analysts' views in place of the build that they show.
func (r *Reader) Views() *Reader {
	return &Reader{db: r.db, build: r.build, database: r.db.views, through: r.through}
}

// Ask writes the answer to a question in one of [Formats], times in the business zone. It changes nothing. The
// parameters are passed as they are, in the place of the cohort's or beside them.
func (r *Reader) Ask(ctx context.Context, into io.Writer, format, question string, c analytics.Cohort, parameters map[string]any) error {
	if r.database != r.db.views {
		question = overTables(question)
	}
	args := cohort(c)
	for name, value := range parameters {
		args = append(args, clickhouse.Named(name, value))
	}
	var table io.ReadCloser
	err := r.ask(ctx, func(ctx context.Context, conn driver.Conn) (err error) {
		table, err = conn.QueryFormat(clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{
			"readonly": 2, "cancel_http_readonly_queries_on_client_close": 1, "session_timezone": r.db.zone,
		})), format, question, args...)
		return err
	})
	if err != nil {
		return fmt.Errorf("ask: %w", err)
	}
	defer table.Close()
	_, err = io.Copy(into, table)
	return fault.Wrap(err, "write answer")
}
