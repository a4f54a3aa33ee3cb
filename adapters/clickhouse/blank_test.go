package clickhouse

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ClickHouse/ch-go/compress"
)

// said writes one message, a part of its own.
func said(t *testing.T, db *DB, conversation, text string) {
	t.Helper()
	tell(t, db, `INSERT INTO messages (conversation_id, conversation_started_at, ordinal, message_id, sender, text, sent_at, position)
		VALUES ('`+conversation+`', now(), 1, generateUUIDv4(), 'visitor', '`+text+`', now(), 1)`)
}

// onDisk counts the files below the directories of a build's messages in which a text stands,
// packed or not.
func onDisk(t *testing.T, db *DB, text string) (files int) {
	t.Helper()
	found, err := ofEach(t.Context(), db, func(ctx context.Context, n *node) (dirs []string, err error) {
		conn, err := n.conn(db.local(n, build))
		if err == nil {
			err = conn.QueryRow(ctx, "SELECT data_paths FROM system.tables WHERE database = currentDatabase() AND name = 'messages'").Scan(&dirs)
		}
		return dirs, err
	})
	dirs := slices.Concat(found...)
	if err != nil || len(dirs) < len(db.nodes) {
		t.Fatal(dirs, err)
	}
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if bytes.Contains(append(content, unpacked(content)...), []byte(text)) {
				files++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// unpacked is what a file of columns holds, as far as it is one.
func unpacked(content []byte) []byte {
	var plain bytes.Buffer
	_, _ = io.Copy(&plain, compress.NewReader(bytes.NewReader(content)))
	return plain.Bytes()
}

// TestBlankedTextsLeaveTheDisk looks for texts in every file of the table: in the parts that
// are read, in those that were merged or blanked, and in those that were put aside.
func TestBlankedTextsLeaveTheDisk(t *testing.T) {
	db := open(t)
	// As a build of an earlier version has it.
	execute(t, db, "ALTER TABLE messages MODIFY SETTING old_parts_lifetime = 480")
	const secret = "tengo una caries que me duele mucho, tengo una caries que me duele mucho"
	said(t, db, "c1", secret+" uno")
	execute(t, db, "ALTER TABLE messages DETACH PARTITION ALL")
	said(t, db, "c1", secret+" uno")
	said(t, db, "c2", secret+" dos")
	execute(t, db, "OPTIMIZE TABLE messages FINAL")
	copies := max(1, int(db.replicas()))
	if n := onDisk(t, db, secret+" uno"); n != 3*copies {
		t.Fatalf("before, the text stands in %d files: put aside, merged, and what that was merged from", n)
	}
	had, err := db.Blank(t.Context(), build, []string{"c1", "nobody"})
	if err != nil || had != 1 {
		t.Errorf("%d conversations had texts, %v", had, err)
	}
	if n := onDisk(t, db, secret+" uno"); n != 0 {
		t.Errorf("the text stands in %d files still", n)
	}
	if n := onDisk(t, db, secret+" dos"); n != copies {
		t.Errorf("the text of another conversation stands in %d files", n)
	}
	if had, err := db.Blank(t.Context(), "b99", []string{"c1"}); had != 0 || err != nil {
		t.Errorf("a build that there is not: %d, %v", had, err)
	}
}

// unspoken are the columns of text in which nobody's words can stand, and what they hold.
var unspoken = map[string]string{
	"conversation_id": "an identifier", "subject": "an identifier", "action": "a word of the program", "contact_id": "an identifier", "visit_id": "an identifier",
	"topics": "words of the program", "topic": "a word of the program", "flags": "words of the program", "booking_sources": "words of the program",
	"models": "names of models", "model": "name of a model", "provider": "name of a provider", "sources": "names of pieces of content",
	"channel": "a word of the program", "referrer": "a word of the program", "sender": "a word of the program", "kind": "a word of the program",
	"booking_id": "an identifier", "booked_by": "a word of the program", "told_outcome": "a word of the program", "outcome": "a word of the program", "specialty": "slug of a service that the clinic offers",
	"replaces": "an identifier", "to_status": "a word of the program", "changed_by": "an account, or a word of the program", "month": "a month", "change": "a name in the content, and a version", "slug": "a name in the content",
	"rating": "a word of the program", "reason": "a word of the program", "told_status": "a word of the program", "status": "a word of the program",
	"intent":    "a word of the program, or a label of an import, masked before it was recorded, and in the clear part of the log",
	"runner_up": "a word of the program", "answer": "a name in the content", "next_answer": "a name in the content", "label": "a word of the program or a name in the content",
}

// TestEveryTextColumnIsBlanked asks of each column that can hold text whether an erasure
// reaches it: a new one has to be blanked, or named above.
func TestEveryTextColumnIsBlanked(t *testing.T) {
	db := open(t)
	server, err := db.conn("default")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := server.Query(t.Context(), "SELECT table, name, type FROM system.columns WHERE database = $1", db.Database(build))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	seen := 0
	for rows.Next() {
		var table, name, kind string
		if err := rows.Scan(&table, &name, &kind); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(kind, "String") || table+"."+name == "messages.text" {
			continue
		}
		if seen++; unspoken[name] == "" {
			t.Errorf("%s.%s may hold what somebody said, and Blank leaves it", table, name)
		}
	}
	if err := rows.Err(); err != nil || seen < len(unspoken)-2 {
		t.Errorf("%d columns, %v", seen, err)
	}
}
