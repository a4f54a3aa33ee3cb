package clickhouse

import (
	"context"
	"strings"
	"testing"
)

// What a checkpoint says is applied has to outlive the loss of power, in every table of a build:
// the engine is asked for all that there are.
func TestEveryTableOfABuildIsWrittenToTheDisk(t *testing.T) {
	db := open(t)
	found, err := ofEach(t.Context(), db, func(ctx context.Context, n *node) (definitions map[string]string, err error) {
		server, err := n.server()
		if err == nil {
			err = server.QueryRow(ctx, "SELECT CAST((groupArray(name), groupArray(create_table_query)), 'Map(String, String)') FROM system.tables WHERE database = $1",
				db.local(n, build)).Scan(&definitions)
		}
		return definitions, err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, definitions := range found {
		if len(definitions) == 0 {
			t.Errorf("node %s has no tables", db.nodes[i].address())
		}
		for name, definition := range definitions {
			for _, setting := range []string{"fsync_after_insert = 1", "fsync_part_directory = 1"} {
				if !strings.Contains(definition, setting) {
					t.Errorf("table %s lacks %s", name, setting)
				}
			}
		}
	}
}
