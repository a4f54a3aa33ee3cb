package staff

import (
	"bytes"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"bitacora/domain/analytics"
)

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
	file := bytes.NewReader(answer.Body.Bytes())
	opened, err := parquet.OpenFile(file, file.Size())
	if err != nil {
		t.Fatal(err)
	}
	var groups []int64
	for _, group := range opened.RowGroups() {
		groups = append(groups, group.NumRows())
	}
	if diff := cmp.Diff([]int64{rowGroup, rowGroup, rowGroup, 7}, groups); diff != "" {
		t.Errorf("rows of the groups (-want +got):\n%s", diff)
	}
	records, err := parquet.Read[conversationRecord](file, file.Size())
	if err != nil || len(records) != count {
		t.Fatalf("%d rows, %v", len(records), err)
	}
	for i, r := range records {
		if r.ID != fmt.Sprintf("c%d", i) || !r.StartedAt.Equal(conversation(i).StartedAt) || len(r.Topics) != 1 {
			t.Fatalf("row %d is %+v", i, r)
		}
	}
}
