package main

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/archive/archivetest"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/programtest"
)

type importedKPIs struct {
	TotalConversations, TotalMessages, TotalLeads       int
	TotalAppointments, CancelledAppointments            int
	AvgMessagesPerConversation, AvgConversationDuration float64
	MedianConversationDuration                          float64
	DataThrough                                         struct{ Position int }
}

// rounded is k to the microsecond, for comparisons.
func (k importedKPIs) rounded() importedKPIs {
	for _, f := range []*float64{&k.AvgMessagesPerConversation, &k.AvgConversationDuration, &k.MedianConversationDuration} {
		*f = math.Round(*f*1e6) / 1e6
	}
	return k
}

func TestImportedChatsOnTheDashboard(t *testing.T) {
	t.Parallel()
	files := archivetest.Files(t, "../..")
	p := programtest.NewProgram(t)
	p.Start()
	cookie, log := p.SignIn(), p.App().DB.Log()
	for _, file := range files {
		t.Run(file.Name, func(t *testing.T) { importedOnTheDashboard(t, p, cookie, log, file) })
	}
}

func importedOnTheDashboard(t *testing.T, p *programtest.Program, cookie string, log *postgres.Log, file archivetest.File) {
	path, lines := strings.TrimPrefix(file.Path, "../../"), len(file.Chats)
	out, err := p.Run("", "import", path)
	if err != nil || !strings.Contains(out, fmt.Sprintf("%d imported, 0 unchanged, 0 in conflict, 0 bad", lines)) {
		t.Fatalf("import: %v\n%s", err, out)
	}
	ask := func(from, to string) (k importedKPIs, err error) {
		return k, p.Get("/api/dashboard/kpis?"+url.Values{"startDate": {from}, "endDate": {to}}.Encode(), cookie, &k)
	}
	head, err := log.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	panama := time.FixedZone("Panama", -5*60*60)
	days := map[string][]archivetest.Chat{}
	for _, c := range file.Chats {
		day := c.Messages[0].At.In(panama).Format(time.DateOnly)
		days[day] = append(days[day], c)
	}
	dates := slices.Sorted(maps.Keys(days))
	first, _ := time.Parse(time.DateOnly, dates[0])
	last, _ := time.Parse(time.DateOnly, dates[len(dates)-1])
	first, last = first.AddDate(0, 0, -1), last.AddDate(0, 0, 1)
	p.Eventually("the import is projected", time.Minute, func() error {
		k, err := ask(dates[0], dates[0])
		if err == nil && int64(k.DataThrough.Position) < head {
			err = fmt.Errorf("through %d of %d", k.DataThrough.Position, head)
		}
		return err
	})

	whole, err := ask(first.Format(time.DateOnly), last.Format(time.DateOnly))
	if err != nil {
		t.Fatal(err)
	}
	whole.DataThrough.Position = 0
	if want := countKPIs(file.Chats); whole.rounded() != want.rounded() {
		t.Errorf("whole range: %+v, the file has %+v", whole, want)
	}
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		date := day.Format(time.DateOnly)
		k, err := ask(date, date)
		if err != nil {
			t.Fatal(err)
		}
		want := countKPIs(days[date])
		if k.TotalConversations != want.TotalConversations || k.TotalMessages != want.TotalMessages {
			t.Errorf("%s: %d conversations and %d messages, the file has %+v", date, k.TotalConversations, k.TotalMessages, want)
		}
	}

	out, err = p.Run("", "import", path)
	if err != nil || !strings.Contains(out, fmt.Sprintf("0 imported, %d unchanged, 0 in conflict, 0 bad", lines)) {
		t.Fatalf("second import: %v\n%s", err, out)
	}
	if again, err := log.Head(t.Context()); err != nil || again != head {
		t.Errorf("the log ended at %d and ends at %d after the second import (%v)", head, again, err)
	}
}

// countKPIs counts chats by the definitions of the numbers, without the program.
func countKPIs(chats []archivetest.Chat) (k importedKPIs) {
	var durations []float64
	for _, c := range chats {
		k.TotalConversations++
		k.TotalMessages += len(c.Messages)
		if c.Lead != nil {
			k.TotalLeads++
		}
		if c.Appointment != nil {
			k.TotalAppointments++
			if c.Appointment.CancelledAt != nil {
				k.CancelledAppointments++
			}
		}
		seconds := 0.0
		for i, m := range c.Messages[1:] {
			seconds += min(m.At.Sub(c.Messages[i].At).Seconds(), 1800)
		}
		durations = append(durations, seconds)
		k.AvgConversationDuration += seconds
	}
	n := len(durations)
	if n == 0 {
		return k
	}
	k.AvgConversationDuration /= float64(n)
	k.AvgMessagesPerConversation = float64(k.TotalMessages) / float64(n)
	slices.Sort(durations)
	k.MedianConversationDuration = (durations[(n-1)/2] + durations[n/2]) / 2
	return k
}

func TestImportReportsWhatItCannotTake(t *testing.T) {
	p := programtest.NewProgram(t)
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
	p.App()
	out, err := p.Run(file, "import", "-")
	if err == nil {
		t.Error("bad lines, and the exit code says that all is well")
	}
	for _, want := range []string{"6 lines: 2 imported, 0 unchanged, 1 in conflict, 3 bad", "line 2: ", "line 3: ", "line 5: ", `line 6: "a" is in the log with other content`} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}
