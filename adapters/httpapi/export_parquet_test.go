package httpapi

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"bitacora/adapters/httpapi/contract"
)

// parquetLine and parquetConversation are some columns of the files.
type (
	parquetLine struct {
		Sender        string  `parquet:"sender"`
		Text          string  `parquet:"text"`
		Model         string  `parquet:"model"`
		LatencyMillis *uint32 `parquet:"latency_ms"`
		Answered      *bool   `parquet:"answered"`
	}
	parquetConversation struct {
		ID        string    `parquet:"conversation_id"`
		StartedAt time.Time `parquet:"started_at,timestamp(millisecond)"`
		Lead      bool      `parquet:"lead"`
		Messages  uint32    `parquet:"message_count"`
		Topics    []string  `parquet:"topics,list"`
	}
)

// readParquet reads a whole file.
func readParquet[Record any](t *testing.T, file []byte) []Record {
	t.Helper()
	records, err := parquet.Read[Record](bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func TestParquetTellsWhatTheListTells(t *testing.T) {
	h := newTestServer(t)
	h.past(hostile...)
	b := h.staff()

	lines := readParquet[parquetLine](t, b.get("/api/dashboard/export?format=parquet&rows=messages").Body.Bytes())
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
	records := readParquet[parquetConversation](t, file.Body.Bytes())
	var list []contract.ConversationSummary
	b.get("/api/dashboard/conversations?lead=true").into(http.StatusOK, &list)
	if len(records) != len(list) || len(list) == 0 {
		t.Fatalf("%d rows, %d in the list", len(records), len(list))
	}
	for i, r := range records {
		if l := list[i]; r.ID != l.ID || !r.StartedAt.Equal(l.StartedAt) || !r.Lead || int64(r.Messages) != l.MessageCount || len(r.Topics) != len(*l.Topics) {
			t.Errorf("row %d is %+v, the list has %+v", i, r, l)
		}
	}
	if records := readParquet[parquetConversation](t, b.get("/api/dashboard/export?format=parquet&startDate=2020-01-01&endDate=2020-01-02").Body.Bytes()); len(records) != 0 {
		t.Errorf("an empty period gives %d rows", len(records))
	}
}
