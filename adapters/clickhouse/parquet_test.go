package clickhouse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"bitacora/domain/analytics"
	"bitacora/projections"
	"bitacora/projections/projectionstest"
)

// conversationRecord and lineRecord name their columns as the analysts' views do.
type conversationRecord struct {
	ID              string    `parquet:"conversation_id"`
	StartedAt       time.Time `parquet:"started_at,timestamp(millisecond)"`
	LastMessageAt   time.Time `parquet:"last_message_at,timestamp(millisecond)"`
	Messages        uint32    `parquet:"message_count"`
	VisitorMessages uint32    `parquet:"visitor_messages"`
	ActiveMillis    uint64    `parquet:"active_ms"`
	Consent         bool      `parquet:"consent"`
	Lead            bool      `parquet:"lead"`
	Appointment     bool      `parquet:"appointment"`
	Cancelled       bool      `parquet:"appointment_cancelled"`
	BookingSources  []string  `parquet:"booking_sources,list"`
	Topics          []string  `parquet:"topics,list"`
	Flags           []string  `parquet:"flags,list"`
	Unanswered      uint32    `parquet:"unanswered"`
	Failures        uint32    `parquet:"failures"`
	OutOfHours      bool      `parquet:"out_of_hours"`
	Channel         string    `parquet:"channel,dict"`
	Referrer        string    `parquet:"referrer,dict"`
}

func recordOfConversation(c analytics.Conversation) conversationRecord {
	return conversationRecord{
		ID:              c.ID,
		StartedAt:       c.StartedAt,
		LastMessageAt:   c.LastMessageAt,
		Messages:        uint32(c.Messages),
		VisitorMessages: uint32(c.VisitorMessages),
		ActiveMillis:    uint64(c.Active.Milliseconds()),
		Consent:         c.Consent,
		Lead:            c.Lead,
		Appointment:     c.Appointment,
		Cancelled:       c.Cancelled,
		BookingSources:  c.BookingSources,
		Topics:          c.Topics,
		Flags:           c.Flags,
		Unanswered:      uint32(c.Unanswered),
		Failures:        uint32(c.Failures),
		OutOfHours:      c.OutOfHours,
		Channel:         c.Channel,
		Referrer:        c.Referrer,
	}
}

type lineRecord struct {
	ConversationID        string    `parquet:"conversation_id"`
	ConversationStartedAt time.Time `parquet:"conversation_started_at,timestamp(millisecond)"`
	Ordinal               uint32    `parquet:"ordinal"`
	SentAt                time.Time `parquet:"sent_at,timestamp(millisecond)"`
	Sender                string    `parquet:"sender,dict"`
	Text                  string    `parquet:"text"`
	Topic                 string    `parquet:"topic,dict"`
	Provider              string    `parquet:"provider,dict"`
	Model                 string    `parquet:"model,dict"`
	LatencyMillis         *uint32   `parquet:"latency_ms"`
	TokensIn              *uint32   `parquet:"tokens_in"`
	TokensOut             *uint32   `parquet:"tokens_out"`
	Answered              *bool     `parquet:"answered"`
	Intent                string    `parquet:"intent,dict"`
	Confidence            *float32  `parquet:"confidence"`
	RunnerUp              string    `parquet:"runner_up,dict"`
	RunnerUpConfidence    *float32  `parquet:"runner_up_confidence"`
	Answer                string    `parquet:"answer,dict"`
	Likelihood            *float32  `parquet:"likelihood"`
	NextAnswer            string    `parquet:"next_answer,dict"`
	NextLikelihood        *float32  `parquet:"next_likelihood"`
}

func recordOfLine(l analytics.Line) lineRecord {
	sender := projections.Assistant
	if l.Visitor {
		sender = projections.Visitor
	}
	return lineRecord{
		ConversationID:        l.ConversationID,
		ConversationStartedAt: l.ConversationStartedAt,
		Ordinal:               uint32(l.Ordinal),
		SentAt:                l.SentAt,
		Sender:                sender,
		Text:                  l.Text,
		Topic:                 l.Topic,
		Provider:              l.Provider,
		Model:                 l.Model,
		LatencyMillis:         l.LatencyMillis,
		TokensIn:              l.TokensIn,
		TokensOut:             l.TokensOut,
		Answered:              l.Answered,
		Intent:                l.Intent,
		Confidence:            l.Confidence,
		RunnerUp:              l.RunnerUp,
		RunnerUpConfidence:    l.RunnerUpConfidence,
		Answer:                l.Answer,
		Likelihood:            l.Likelihood,
		NextAnswer:            l.NextAnswer,
		NextLikelihood:        l.NextLikelihood,
	}
}

// readParquet reads a whole file with another library than the one that wrote it, and compares its columns with
// those of a record.
func readParquet[Record any](t *testing.T, file io.ReadCloser, err error) (records []Record, groups []int64) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	want := parquet.NewSchema("schema", parquet.SchemaOf(*new(Record))).String()
	if diff := cmp.Diff(want, opened.Schema().String()); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	for _, group := range opened.RowGroups() {
		groups = append(groups, group.NumRows())
	}
	records, err = parquet.Read[Record](bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return records, groups
}

func TestParquetContainsTheRowsOfAnExport(t *testing.T) {
	db := open(t)
	write(t, db, projectionstest.Log().Example(3))
	write(t, db, visit("una", projectionstest.Edges[0]))
	reader := db.Reader(build)
	c := analytics.Cohort{Period: analytics.Period{From: time.Unix(0, 0), To: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)}}

	var conversations []conversationRecord
	for row, err := range reader.Conversations(t.Context(), c) {
		if err != nil {
			t.Fatal(err)
		}
		conversations = append(conversations, recordOfConversation(row))
	}
	file, err := reader.ConversationsParquet(t.Context(), c)
	got, _ := readParquet[conversationRecord](t, file, err)
	if diff := cmp.Diff(conversations, got); diff != "" || len(got) < 2 {
		t.Errorf("%d conversations (-want +got):\n%s", len(got), diff)
	}
	var lines []lineRecord
	for row, err := range reader.Lines(t.Context(), c) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, recordOfLine(row))
	}
	file, err = reader.LinesParquet(t.Context(), c)
	written, _ := readParquet[lineRecord](t, file, err)
	if diff := cmp.Diff(lines, written); diff != "" || len(written) < 2 {
		t.Errorf("%d messages (-want +got):\n%s", len(written), diff)
	}
}

// TestParquetIsWrittenWhileItIsRead writes a file that is larger than the memory that its query may take, and one
// that breaks off.
func TestParquetIsWrittenWhileItIsRead(t *testing.T) {
	reader := open(t).Reader(build)
	type record struct {
		Number uint64 `parquet:"number"`
		Text   string `parquet:"text"`
	}
	rows := "SELECT number, randomPrintableASCII(150) AS text FROM numbers(200000)"
	file, err := reader.parquet(t.Context(), rows+" SETTINGS max_memory_usage = 20000000, max_block_size = 8000", nil)
	records, groups := readParquet[record](t, file, err)
	if len(records) != 200_000 || len(groups) < 5 {
		t.Errorf("%d rows in groups of %v", len(records), groups)
	}
	if file, err = reader.parquet(t.Context(), "SELECT number, throwIf(number = 150000) FROM ("+rows+")", nil); err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if content, err := io.ReadAll(file); err == nil || len(content) == 0 {
		t.Errorf("a file that breaks off ends after %d bytes with the error %v", len(content), err)
	}
}

// TestMonthsContainEveryRow reads the files of all months with two other libraries, and compares their rows with the
// views'.
func TestMonthsContainEveryRow(t *testing.T) {
	db := open(t)
	publish(t, db, build)
	write(t, db, projectionstest.Log().Example(3))
	write(t, db, visit("una", projectionstest.Edges[0]))
	views := db.Reader(build).Views()
	months, err := views.Months(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file := func(m Month) []byte {
		t.Helper()
		rows, err := views.MonthParquet(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		content, err := io.ReadAll(rows)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	rows := map[string]int64{}
	var paths []string
	for _, m := range months {
		content := file(m)
		path := filepath.Join(t.TempDir(), fmt.Sprint(m.View, m.Month, ".parquet"))
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
		opened, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content)))
		if err != nil || opened.NumRows() != int64(m.Rows) || !bytes.Equal(content, file(m)) {
			t.Fatalf("%+v: %v, or other bytes the second time", m, err)
		}
		rows[m.View] += opened.NumRows()
	}
	reader := analyst(t, db)
	for _, c := range comparedTables {
		if got := answer(t, reader, "SELECT count() FROM "+c.table); got != fmt.Sprintf("count()\n%d\n", rows[c.table]) || rows[c.table] == 0 {
			t.Errorf("%s: %d rows in files, in the view %s", c.table, rows[c.table], got)
		}
	}
	readBack(t, reader, months, paths)
	if _, err := db.Blank(t.Context(), build, []string{"una"}); err != nil {
		t.Fatal(err)
	}
	after, err := views.Months(t.Context())
	if err != nil || cmp.Equal(months, after) {
		t.Errorf("an erasure leaves the content of every month (%v)", err)
	}
}

// readBack compares each value of the files of months, as hyparquet reads them, with what the views answer.
func readBack(t *testing.T, reader driver.Conn, months []Month, paths []string) {
	t.Helper()
	node := exec.CommandContext(t.Context(), "node", append([]string{"testdata/parquet.mjs"}, paths...)...)
	node.Stderr = os.Stderr
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	var files [][]map[string]any
	if err := json.Unmarshal(out, &files); err != nil || len(files) != len(months) {
		t.Fatalf("%d files of %d, %v", len(files), len(months), err)
	}
	single := cmp.Comparer(func(a, b float64) bool { return float32(a) == float32(b) })
	for i, m := range months {
		for _, row := range files[i] {
			if day, ok := row["started_date"].(string); ok {
				row["started_date"] = strings.TrimSuffix(day, "T00:00:00.000Z") // JavaScript knows no dates without a time
			}
		}
		var want []map[string]any
		lines := json.NewDecoder(strings.NewReader(body(t, reader, "JSONEachRow", monthSelect(m)+", date_time_output_format = 'iso', output_format_json_quote_64bit_integers = 0")))
		for lines.More() {
			var row map[string]any
			if err := lines.Decode(&row); err != nil {
				t.Fatal(err)
			}
			want = append(want, row)
		}
		if diff := cmp.Diff(want, files[i], single); diff != "" {
			t.Errorf("%s of %d (-view +file):\n%s", m.View, m.Month, diff)
		}
	}
}
