package clickhouse

import (
	"strings"
	"testing"
)

// What a checkpoint says is applied has to outlive the loss of power, in every table of a build:
// the engine is asked for all that there are.
func TestEveryTableOfABuildIsWrittenToTheDisk(t *testing.T) {
	db := open(t)
	server, err := db.server()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := server.Query(t.Context(), "SELECT name, create_table_query FROM system.tables WHERE database = $1", db.Database(build))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	tables := 0
	for rows.Next() {
		var name, definition string
		if err := rows.Scan(&name, &definition); err != nil {
			t.Fatal(err)
		}
		tables++
		for _, setting := range []string{"fsync_after_insert = 1", "fsync_part_directory = 1"} {
			if !strings.Contains(definition, setting) {
				t.Errorf("table %s lacks %s", name, setting)
			}
		}
	}
	if err := rows.Err(); err != nil || tables == 0 {
		t.Errorf("%d tables, %v", tables, err)
	}
}
