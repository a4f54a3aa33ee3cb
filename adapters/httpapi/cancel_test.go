package httpapi

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines/enginestest"
)

// slowEngine gives the server tables in which whoever asks for failures waits for minutes, and
// a way to run statements beside it.
func (s *testServer) slowEngine() (ask func(statement string) string) {
	s.t.Helper()
	engine, err := url.Parse(enginestest.ClickHouse(s.t))
	if err != nil {
		s.t.Fatal(err)
	}
	patient := *engine
	patient.RawQuery = "function_sleep_max_microseconds_per_block=3600000000"
	tables, err := clickhouse.Open(patient.String(), panama(s.t))
	if err != nil {
		s.t.Fatal(err)
	}
	s.tables = func() *clickhouse.DB { return tables }
	s.t.Cleanup(func() {
		if err := tables.DropBuild(context.Background(), build); err != nil {
			s.t.Error(err)
		}
		tables.Close()
	})
	if err := tables.CreateBuild(s.t.Context(), build); err != nil {
		s.t.Fatal(err)
	}
	beside := *engine
	beside.Path = "/"
	beside.RawQuery = url.Values{"database": {tables.Database(build)}}.Encode()
	ask = func(statement string) string {
		s.t.Helper()
		r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, beside.String(), strings.NewReader(statement))
		if err != nil {
			s.t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			s.t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK {
			s.t.Fatalf("%s: %d %s %v", statement, answer.StatusCode, text, err)
		}
		return strings.TrimSpace(string(text))
	}
	ask(`ALTER TABLE conversations MODIFY COLUMN failures UInt64 ALIAS toUInt64(sleepEachRow(1))`)
	ask(fmt.Sprintf(`INSERT INTO conversations (conversation_id, started_at)
		SELECT toString(number), fromUnixTimestamp64Milli(%d) - toIntervalSecond(number) FROM numbers(600)`, noon.Add(-time.Hour).UnixMilli()))
	return ask
}

func TestAReaderWhoMovesOnEndsTheQuestion(t *testing.T) {
	enginestest.Long(t)
	h := newTestServer(t)
	ask := h.slowEngine()
	running := func() int {
		var n int
		if _, err := fmt.Sscan(ask(`SELECT count() FROM system.processes
			WHERE current_database = currentDatabase() AND query LIKE '%failed_messages%' AND query NOT LIKE '%system.processes%'`), &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	until := func(what string, holds func() bool) {
		t.Helper()
		deadline := time.Now().Add(time.Minute)
		for !holds() {
			if time.Now().After(deadline) {
				t.Fatalf("%s does not come to pass", what)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}

	b := h.staff()
	server := httptest.NewServer(h.handler)
	t.Cleanup(server.Close)
	ctx, moveOn := context.WithCancel(t.Context())
	t.Cleanup(moveOn)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/dashboard/quality", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.AddCookie(&http.Cookie{Name: staffCookie, Value: b.cookies[staffCookie]})
	ended := make(chan error, 1)
	go func() {
		answer, err := http.DefaultClient.Do(r)
		if err == nil {
			err = fmt.Errorf("answered with %d", answer.StatusCode)
			answer.Body.Close()
		}
		ended <- err
	}()
	until("the question", func() bool {
		select {
		case err := <-ended:
			t.Fatal(err)
		default:
		}
		return running() == 1
	})
	moveOn()
	until("its end in ClickHouse", func() bool { return running() == 0 })
	if err := <-ended; err == nil || ctx.Err() == nil {
		t.Errorf("the reader got an answer: %v", err)
	}
}
