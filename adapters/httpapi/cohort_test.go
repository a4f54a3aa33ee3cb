package httpapi

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/getkin/kin-openapi/openapi3filter"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/staff"
	"bitacora/domain/analytics"
	"bitacora/domain/event"
	"bitacora/projections"
)

func init() {
	for _, kind := range []string{"text/csv", "application/jsonl", "application/vnd.apache.parquet"} {
		openapi3filter.RegisterBodyDecoder(kind, openapi3filter.PlainBodyDecoder)
	}
}

// past writes conversations into the tables: one every seven hours before now, the newest
// being the first.
func (s *testServer) past(texts ...string) {
	s.t.Helper()
	var events []event.Recorded
	for i, text := range texts {
		at := s.clock.Now().Add(-time.Duration(7*i) * time.Hour)
		c := event.Conversation{ConversationID: fmt.Sprintf("c%d", i), ConversationStartedAt: at}
		payloads := []event.Payload{
			&event.ConversationStarted{Conversation: c, Channel: "web"},
			&event.VisitorMessageSent{Conversation: c, Progress: event.Progress{Ordinal: 1}, Text: event.Text{Text: text}},
			&event.AssistantReplied{
				Conversation: c, Progress: event.Progress{Ordinal: 2, ActiveMillis: int64(i) * 1000}, Text: event.Text{Text: "Con gusto."},
				Provider: "local", Model: "m1", LatencyMillis: 1500, TokensIn: 10, TokensOut: 4, Topic: []string{"precios", "seguros", ""}[i%3], Answered: i%2 == 0,
			},
		}
		if i%4 == 0 {
			payloads = append(payloads, &event.ConsentGiven{Conversation: c}, &event.LeadCaptured{Conversation: c, HasPhone: true})
		}
		if i%5 == 0 {
			payloads = append(payloads, &event.ConversationFlagged{Conversation: c, Flag: event.Flags[i/5%len(event.Flags)]})
		}
		if i%8 == 0 {
			payloads = append(payloads, &event.AppointmentBooked{Conversation: c, BookingID: "b", Source: "chat"})
		}
		for j, p := range payloads {
			events = append(events, event.Recorded{
				Position: int64(len(events) + 1), ID: event.DerivedID("past", fmt.Sprint(i, j)), OccurredAt: at.Add(time.Duration(j) * time.Second), Payload: p,
			})
		}
	}
	if err := s.tables().Writer(build).Write(s.t.Context(), projections.RowsOf(events)); err != nil {
		s.t.Fatal(err)
	}
}

// hostile are texts that something on their way might take for more than texts.
var hostile = []string{
	`=HYPERLINK("http://evil.example";"clic")`, "+1+1", "-2+3", "@SUM(A1)", "\t=1", " =1+1", "＝1+1",
	`<script>alert(1)</script>`, `[clic](javascript:alert(1))`, "'; DROP TABLE conversations; --", `\'; {filter:String}`, `a","b`, "línea 1\r\nlínea 2",
	"\u202egnirts\u202c", "100% de {} y %s", strings.Repeat("🦷", 10_000), "' OR '1'='1", `{"a":1}`, "tab\there", `C:\temp\n`,
}

func TestEveryNumberOpensWhatItCounts(t *testing.T) {
	h := newTestServer(t)
	h.past(hostile...)
	b := h.staff()
	for _, filter := range []string{
		"", "lead=true", "lead=false", "appointment=true", "consent=false", "unanswered=true", "failed=true", "failed=false", "flagged=true", "flagged=false", "flag=complaint", "outOfHours=true", "outOfHours=false",
		"topic=precios", "topic=-", "topic=nada", "unansweredTopic=seguros", "unansweredTopic=-", "model=m1", "model=-", "minDuration=3", "maxDuration=3.5",
		"minDuration=2&maxDuration=5&lead=false", "weekday=2", "hour=12", "q=ALERT", "q=linea", "q=con+gusto&lead=true", "startDate=2026-11-01&endDate=2026-11-02",
	} {
		var kpis contract.Kpis
		b.get("/api/dashboard/kpis?"+filter).into(http.StatusOK, &kpis)
		var list []contract.ConversationSummary
		a := b.get("/api/dashboard/conversations?" + filter)
		a.into(http.StatusOK, &list)
		var series contract.Timeseries
		b.get("/api/dashboard/timeseries?compare=previous&"+filter).into(http.StatusOK, &series)
		var heatmap contract.Heatmap
		b.get("/api/dashboard/heatmap?"+filter).into(http.StatusOK, &heatmap)
		var funnel contract.Funnel
		b.get("/api/dashboard/funnel?"+filter).into(http.StatusOK, &funnel)

		var points, cells, leads int64
		for _, p := range series.Points {
			points, leads = points+p.Numbers.Conversations, leads+p.Numbers.Leads
		}
		for _, c := range heatmap.Cells {
			cells += c.Conversations
		}
		steps := map[contract.FunnelStepStep]int64{}
		for _, step := range funnel.Steps {
			steps[step.Step] = step.Count
		}
		exported := strings.Count(b.get("/api/dashboard/export?format=jsonl&"+filter).Body.String(), "\n")
		n := kpis.TotalConversations
		if points != n || cells != n || int64(len(list)) != n || int64(exported) != n || steps["conversation"] != n || a.Header().Get("X-Total-Count") != fmt.Sprint(n) {
			t.Errorf("%q: KPI %d, chart %d, heatmap %d, funnel %d, list %d of %s, export %d", filter, n, points, cells, steps["conversation"], len(list), a.Header().Get("X-Total-Count"), exported)
		}
		if leads != kpis.TotalLeads || steps["lead"] != kpis.TotalLeads {
			t.Errorf("%q: %d leads, chart %d, funnel %d", filter, kpis.TotalLeads, leads, steps["lead"])
		}
		if filter == "" && n != int64(len(hostile)) {
			t.Errorf("%d conversations, want %d", n, len(hostile))
		}
	}
}

func TestFlagsAreListedAndExported(t *testing.T) {
	h := newTestServer(t)
	h.past(hostile...)
	b := h.staff()
	flagged := 0
	for _, flag := range event.Flags {
		var list []contract.ConversationSummary
		b.get("/api/dashboard/conversations?flag="+flag).into(http.StatusOK, &list)
		for _, c := range list {
			if len(*c.Flags) != 1 || string((*c.Flags)[0]) != flag {
				t.Errorf("%s: %v", flag, *c.Flags)
			}
		}
		flagged += len(list)
		if exported := b.get("/api/dashboard/export?format=jsonl&flag=" + flag).Body.String(); strings.Count(exported, `"flags":["`+flag+`"]`) != len(list) {
			t.Errorf("export of %s: %s", flag, exported)
		}
	}
	a := b.get("/api/dashboard/conversations?flagged=true&limit=1")
	var kpis contract.Kpis
	b.get("/api/dashboard/kpis").into(http.StatusOK, &kpis)
	if *kpis.FlaggedConversations != int64(flagged) {
		t.Errorf("%d flagged in the numbers, want %d", *kpis.FlaggedConversations, flagged)
	}
	if total := a.Header().Get("X-Total-Count"); flagged != 4 || total != fmt.Sprint(flagged) {
		t.Errorf("%d by flag, %s flagged, want 4", flagged, total)
	}
	b.get("/api/dashboard/conversations?flag=hunger").refused(http.StatusBadRequest)
}

func TestFindingsOpenWhatTheyCount(t *testing.T) {
	h := newTestServer(t)
	h.past(hostile...)
	b := h.staff()
	count := func(filter url.Values) int64 {
		var kpis contract.Kpis
		b.get("/api/dashboard/kpis?"+filter.Encode()).into(http.StatusOK, &kpis)
		return kpis.TotalConversations
	}
	var topics contract.Topics
	b.get("/api/dashboard/topics").into(http.StatusOK, &topics)
	if len(topics.Topics) != 3 {
		t.Errorf("topics %+v", topics)
	}
	for _, row := range topics.Topics {
		if n := count(url.Values{"topic": {row.Topic}}); n != row.Conversations || row.Share > 100 || row.LeadRate > 100 {
			t.Errorf("%+v opens %d", row, n)
		}
	}
	for _, row := range topics.Topics {
		if n := count(url.Values{"topic": {row.Topic}, "unanswered": {"true"}}); n != row.Unanswered || count(url.Values{"unansweredTopic": {row.Topic}}) > n {
			t.Errorf("%s: %d conversations without an answer, opens %d", row.Topic, row.Unanswered, n)
		}
	}
	var quality contract.Quality
	b.get("/api/dashboard/quality").into(http.StatusOK, &quality)
	if len(quality.Models) != 1 || quality.Models[0].Conversations != count(url.Values{"model": {"m1"}}) || *quality.Latency.P99 != 1.5 || quality.FailureRate == nil || *quality.FailureRate != 0 {
		t.Errorf("quality %+v", quality)
	}
	var none contract.Quality
	b.get("/api/dashboard/quality?startDate=2020-01-01&endDate=2020-01-02").into(http.StatusOK, &none)
	if none.Latency.P50 != nil || none.FailureRate != nil || none.Models == nil {
		t.Errorf("quality of nothing %+v", none)
	}
}

func TestSearchTakesAnyTextAsText(t *testing.T) {
	h := newTestServer(t)
	h.past(hostile...)
	b := h.staff()
	for i, text := range hostile {
		if text = strings.TrimSpace(text); len(text) > 200 {
			text = "🦷🦷🦷"
		}
		var found []contract.ConversationSummary
		b.get("/api/dashboard/conversations?q="+url.QueryEscape(text)).into(http.StatusOK, &found)
		ids := map[string]bool{}
		for _, c := range found {
			ids[c.ID] = true
		}
		if !ids[fmt.Sprintf("c%d", i)] || len(found) == len(hostile) {
			t.Errorf("%q finds %d, itself among them: %v", text, len(found), ids[fmt.Sprintf("c%d", i)])
		}
	}
}

func TestFiltersThatMakeNoSense(t *testing.T) {
	b := newTestServer(t).staff()
	for _, bad := range []string{
		"lead=1", "appointment=si", "weekday=0", "weekday=8", "hour=24", "hour=x", "minDuration=-1", "minDuration=NaN", "maxDuration=Inf", "maxDuration=1e300",
		"q=" + strings.Repeat("a", 201), "q=a%00b", "q=%ff", "compare=yesterday", "interval=year",
	} {
		if e := b.get("/api/dashboard/timeseries?" + bad).refused(http.StatusBadRequest); e.Fields == nil && !strings.HasPrefix(bad, "interval") {
			t.Errorf("%s: no field is named: %+v", bad, e)
		}
	}
	for _, bad := range []string{"", "format=xls", "format=csv&rows=people", "format=csv&lead=x"} {
		b.get("/api/dashboard/export?" + bad).refused(http.StatusBadRequest)
	}
}

func TestComparison(t *testing.T) {
	h := newTestServer(t)
	h.past(make([]string, 12)...)
	b := h.staff()
	for _, base := range []string{"previous", "weekday"} {
		var kpis contract.Kpis
		b.get("/api/dashboard/kpis?startDate=2026-11-02&endDate=2026-11-03&compare="+base).into(http.StatusOK, &kpis)
		var other contract.Kpis
		c := kpis.Comparison
		b.get("/api/dashboard/kpis?startDate="+c.StartDate.Format(isoTime)+"&endDate="+c.EndDate.Format(isoTime)).into(http.StatusOK, &other)
		if c.Previous.TotalConversations != other.TotalConversations || (c.Change.TotalConversations == nil) != (other.TotalConversations == 0) {
			t.Errorf("%s: compared with %+v, which by itself is %+v", base, c, other)
		}
		var series contract.Timeseries
		b.get("/api/dashboard/timeseries?startDate=2026-11-02&endDate=2026-11-03&compare="+base).into(http.StatusOK, &series)
		var sum int64
		for _, p := range series.Points {
			if p.Previous != nil {
				sum += p.Previous.Numbers.Conversations
			}
		}
		if sum != c.Previous.TotalConversations || !series.Comparison.EndDate.Equal(c.EndDate) {
			t.Errorf("%s: the chart's other period has %d, the KPIs %d", base, sum, c.Previous.TotalConversations)
		}
	}
}

func TestExportIsSafeForSpreadsheets(t *testing.T) {
	h := newTestServer(t)
	h.past(hostile...)
	b := h.staff()
	a := b.get("/api/dashboard/export?format=csv&rows=messages")
	body := a.Body.String()
	if a.Code != http.StatusOK || !strings.HasPrefix(body, "\ufeff") || !strings.Contains(a.Header().Get("Content-Disposition"), `filename="bitacora-mensajes-2026-10-04-2026-11-03.csv"`) {
		t.Fatalf("%d %v", a.Code, a.Header())
	}
	page, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(body, "\ufeff"))).ReadAll()
	if err != nil || len(page) != 1+2*len(hostile) {
		t.Fatalf("%d lines, %v", len(page), err)
	}
	for _, line := range page[1:] {
		for _, cell := range line {
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") || strings.HasPrefix(strings.TrimSpace(cell), "=") || strings.HasPrefix(cell, "＝") {
				t.Errorf("a spreadsheet would calculate %q", cell)
			}
		}
		if !strings.HasSuffix(line[1], "-05:00") {
			t.Errorf("time %q", line[1])
		}
	}
	a = b.get("/api/dashboard/export?format=csv")
	if !strings.Contains(a.Body.String(), "Sesión,Inicio") || !strings.Contains(a.Body.String(), "2026-11-03T12:00:00-05:00") {
		t.Errorf("export\n%s", a.Body)
	}
	lines := strings.Split(strings.TrimSpace(b.get("/api/dashboard/export?format=jsonl&rows=messages").Body.String()), "\n")
	found := 0
	for _, line := range lines {
		var m struct{ Message, Timestamp string }
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatal(err)
		}
		for _, text := range hostile {
			if m.Message == text {
				found++
			}
		}
	}
	if found != len(hostile) {
		t.Errorf("%d of %d texts arrive as they are", found, len(hostile))
	}
	if empty := b.get("/api/dashboard/export?format=jsonl&startDate=2020-01-01&endDate=2020-01-02"); empty.Code != http.StatusOK || empty.Body.Len() != 0 {
		t.Errorf("an empty export: %d %s", empty.Code, empty.Body)
	}
}

// breaking are tables whose list breaks off after as many lines as fill a buffer of any format.
type breaking struct{ staff.Tables }

func (breaking) Conversations(context.Context, analytics.Cohort) iter.Seq2[analytics.Conversation, error] {
	return func(yield func(analytics.Conversation, error) bool) {
		for i := range 21_000 {
			if !yield(analytics.Conversation{ID: event.DerivedID("breaking", fmt.Sprint(i))}, nil) {
				return
			}
		}
		yield(analytics.Conversation{}, io.ErrUnexpectedEOF)
	}
}

func (breaking) ConversationsParquet(context.Context, analytics.Cohort) (io.ReadCloser, error) {
	return io.NopCloser(io.MultiReader(strings.NewReader("PAR1"), iotest.ErrReader(io.ErrUnexpectedEOF))), nil
}

func TestExportThatBreaksOffIsNoFile(t *testing.T) {
	h := newTestServer(t, func(h *testServer) {
		live := h.config.Staff.Live
		h.config.Staff.Live = func(ctx context.Context) (staff.Tables, staff.Through, error) {
			tables, through, err := live(ctx)
			return breaking{tables}, through, err
		}
	})
	b := h.staff()
	server := httptest.NewServer(h.handler)
	t.Cleanup(server.Close)
	for _, format := range []string{"csv", "jsonl", "parquet"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/dashboard/export?format="+format, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.AddCookie(&http.Cookie{Name: staffCookie, Value: b.cookies[staffCookie]})
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			// It broke off before anything had left.
			continue
		}
		content, err := io.ReadAll(answer.Body)
		if answer.StatusCode != http.StatusOK || err == nil {
			t.Errorf("%s: %d with %d bytes looks whole", format, answer.StatusCode, len(content))
		}
		answer.Body.Close()
	}
}
