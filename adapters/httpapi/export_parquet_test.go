package httpapi

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"bitacora/domain/analytics"
)

// readParquet reads a whole file back, and tells how many rows each of its groups has.
func readParquet[Record any](t *testing.T, file []byte) (records []Record, groups []int64) {
	t.Helper()
	opened, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range opened.RowGroups() {
		groups = append(groups, group.NumRows())
	}
	records = make([]Record, opened.NumRows())
	reader := parquet.NewGenericReader[Record](opened)
	defer reader.Close()
	if n, err := reader.Read(records); n != len(records) || err != nil && err != io.EOF {
		t.Fatalf("read %d of %d rows: %v", n, len(records), err)
	}
	return records, groups
}

func TestParquetTellsWhatTheListTells(t *testing.T) {
	h := newTestServer(t)
	h.past(hostile...)
	b := h.staff()

	lines, _ := readParquet[lineRecord](t, b.get("/api/dashboard/export?format=parquet&rows=messages").Body.Bytes())
	var said []string
	for _, l := range lines {
		if l.Sender == "visitor" {
			said = append(said, l.Text)
			if l.Answered != nil || l.LatencyMillis != nil {
				t.Errorf("a visitor's message has what only replies have: %+v", l)
			}
		} else if l.Answered == nil || l.LatencyMillis == nil || *l.LatencyMillis != 1500 || l.Model != "m1" {
			t.Errorf("reply %+v", l)
		}
	}
	want := make([]string, len(hostile))
	for i, text := range hostile {
		want[len(hostile)-1-i] = text // the earliest conversation comes first
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}

	file := b.get("/api/dashboard/export?format=parquet&lead=true")
	if file.Header().Get("X-Data-Through") == "" || !strings.HasSuffix(file.Header().Get("Content-Disposition"), `.parquet"`) {
		t.Errorf("headers %v", file.Header())
	}
	records, _ := readParquet[conversationRecord](t, file.Body.Bytes())
	var list []ConversationSummary
	b.get("/api/dashboard/conversations?lead=true").into(http.StatusOK, &list)
	if len(records) != len(list) || len(list) == 0 {
		t.Fatalf("%d rows, %d in the list", len(records), len(list))
	}
	for i, r := range records {
		if l := list[i]; r.ID != l.ID || !r.StartedAt.Equal(l.StartedAt) || !r.Lead || int64(r.Messages) != l.MessageCount || len(r.Topics) != len(*l.Topics) {
			t.Errorf("row %d is %+v, the list has %+v", i, r, l)
		}
	}
	if records, _ := readParquet[conversationRecord](t, b.get("/api/dashboard/export?format=parquet&startDate=2020-01-01&endDate=2020-01-02").Body.Bytes()); len(records) != 0 {
		t.Errorf("an empty period gives %d rows", len(records))
	}
}

func TestParquetIsWrittenWhileItIsRead(t *testing.T) {
	const count = 3*rowGroup + 7
	answer := httptest.NewRecorder()
	d := &download{w: answer, control: http.NewResponseController(answer), kind: exportTypes["parquet"]}
	at := time.Date(2026, 11, 1, 5, 0, 0, 0, time.UTC)
	conversation := func(i int) analytics.Conversation {
		return analytics.Conversation{ID: fmt.Sprintf("c%d", i), StartedAt: at.Add(time.Duration(i) * time.Second), LastMessageAt: at, Topics: []string{"precios"}}
	}
	// What has left by the time that a row is asked for is no longer held.
	left := map[int]int{}
	var rows iter.Seq2[analytics.Conversation, error] = func(yield func(analytics.Conversation, error) bool) {
		for i := range count {
			left[i] = answer.Body.Len()
			if !yield(conversation(i), nil) {
				return
			}
		}
	}
	if err := writeParquet(d, rows, recordOfConversation); err != nil {
		t.Fatal(err)
	}
	for group := 1; group <= 3; group++ {
		if before, after := left[group*rowGroup-1], left[group*rowGroup+1]; after <= before {
			t.Errorf("row group %d is still held: %d bytes had left, and %d after it", group, before, after)
		}
	}
	records, groups := readParquet[conversationRecord](t, answer.Body.Bytes())
	if diff := cmp.Diff([]int64{rowGroup, rowGroup, rowGroup, 7}, groups); diff != "" {
		t.Errorf("rows of the groups (-want +got):\n%s", diff)
	}
	for i, r := range records {
		if r.ID != fmt.Sprintf("c%d", i) || !r.StartedAt.Equal(conversation(i).StartedAt) || len(r.Topics) != 1 {
			t.Fatalf("row %d is %+v", i, r)
		}
	}
}
