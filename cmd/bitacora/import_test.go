package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// realChats are 100 chats that people had with another clinic's bot.
const realChats = "../shared/data/appointment-chats-es.jsonl"

// realChat is a line of realChats, read without the program's own reader.
type realChat struct {
	ID       string
	Messages []struct {
		Role, Text string
		At         time.Time
	}
}

func readRealChats(t *testing.T) []realChat {
	t.Helper()
	f, err := os.Open("../../" + realChats)
	if err != nil {
		t.Fatalf("the real chats lie beside the checkout: %v", err)
	}
	defer f.Close()
	var chats []realChat
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c realChat
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		// A conversation begins with the first message of the visitor.
		for c.Messages[0].Role != "user" {
			c.Messages = c.Messages[1:]
		}
		chats = append(chats, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return chats
}

type importedKPIs struct {
	TotalConversations, TotalMessages, TotalLeads, TotalAppointments int
	AvgMessagesPerConversation, AvgConversationDuration              float64
	MedianConversationDuration                                       float64
	DataThrough                                                      struct{ Position int }
}

func TestRealChatsOnTheDashboard(t *testing.T) {
	chats := readRealChats(t)
	p := newProgram(t)
	p.start()
	out, err := p.run("", "import", realChats)
	if err != nil || !strings.Contains(out, "100 imported, 0 unchanged, 0 in conflict, 0 bad") {
		t.Fatalf("import: %v\n%s", err, out)
	}
	cookie := p.signIn()
	ask := func(from, to string) (k importedKPIs, err error) {
		return k, p.get("/api/dashboard/kpis?"+url.Values{"startDate": {from}, "endDate": {to}}.Encode(), cookie, &k)
	}
	h := p.house()
	head, err := h.db.Log().Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.eventually("the import is projected", time.Minute, func() error {
		k, err := ask("2020-07-01", "2020-08-31")
		if err == nil && int64(k.DataThrough.Position) < head {
			err = fmt.Errorf("through %d of %d", k.DataThrough.Position, head)
		}
		return err
	})
	whole, err := ask("2020-07-01", "2020-08-31")
	if err != nil {
		t.Fatal(err)
	}
	if whole.TotalConversations != 100 || whole.TotalMessages != 1223 || whole.AvgMessagesPerConversation != 12.23 {
		t.Errorf("whole range: %+v", whole)
	}
	if fmt.Sprintf("%.2f", whole.AvgConversationDuration) != "134.76" || whole.MedianConversationDuration != 108 {
		t.Errorf("durations: mean %v and median %v, want 134.76 and 108", whole.AvgConversationDuration, whole.MedianConversationDuration)
	}

	type day struct{ conversations, messages int }
	panama := time.FixedZone("Panama", -5*60*60)
	days := map[string]day{}
	for _, c := range chats {
		name := c.Messages[0].At.In(panama).Format(time.DateOnly)
		d := days[name]
		days[name] = day{d.conversations + 1, d.messages + len(c.Messages)}
	}
	for name := time.Date(2020, 7, 1, 0, 0, 0, 0, panama); name.Month() < time.September; name = name.AddDate(0, 0, 1) {
		date := name.Format(time.DateOnly)
		k, err := ask(date, date)
		if err != nil {
			t.Fatal(err)
		}
		if want := days[date]; k.TotalConversations != want.conversations || k.TotalMessages != want.messages {
			t.Errorf("%s: %d conversations and %d messages, the file has %+v", date, k.TotalConversations, k.TotalMessages, want)
		}
	}

	out, err = p.run("", "import", realChats)
	if err != nil || !strings.Contains(out, "0 imported, 100 unchanged, 0 in conflict, 0 bad") {
		t.Fatalf("second import: %v\n%s", err, out)
	}
	if again, err := h.db.Log().Head(t.Context()); err != nil || again != head {
		t.Errorf("the log ended at %d and ends at %d after the second import (%v)", head, again, err)
	}
}

func TestImportReportsWhatItCannotTake(t *testing.T) {
	p := newProgram(t)
	const said = `{"role": "user", "text": "hola", "at": "2026-05-01T10:00:00-05:00"}`
	file := strings.Join([]string{
		`{"id": "a", "messages": [` + said + `]}`,
		`{"id": "b", "messages": []}`,
		`not json`,
		``,
		`{"id": "c", "messages": [` + said + `], "appointment": {"at": "2026-05-01T11:00:00-05:00", "slot": "2026-05-02T09:00:00-05:00", "source": "chat"}}`,
		`{"id": "a", "messages": [` + said + `, ` + said + `]}`,
		`{"id": "d", "messages": [` + said + `], "unknown": true}`,
	}, "\n")
	out, err := p.run(file, "import", "-")
	if err == nil {
		t.Error("bad lines, and the exit code says that all is well")
	}
	for _, want := range []string{"6 lines: 2 imported, 0 unchanged, 1 in conflict, 3 bad", "line 2: ", "line 3: ", "line 5: ", `line 6: "a" is in the log with other content`} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}
