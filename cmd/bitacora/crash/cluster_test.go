package crash

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/archive/archivetest"
	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/clinic"
)

// onCluster is a program whose tables lie on a cluster, and whose log lies in the PostgreSQL that tests share.
func onCluster(t testing.TB, c *enginestest.Cluster, settings ...string) *programtest.Program {
	t.Helper()
	p := programtest.NewProgram(t, append(settings, "BITACORA_CLICKHOUSE_URL="+c.URL, "BITACORA_CLICKHOUSE_CLUSTER="+enginestest.ClusterName)...)
	p.NeedsClickHouse = false // nodes are down at some of its starts
	return p
}

// TestAClusterShowsWhatASingleServerShows fills a cluster of 2 shards and 2 replicas with a demo
// history, past chats and all that people do at the clinic's doors, and has a single server, and
// another cluster that is empty, make their tables from a backup of the same log.
func TestAClusterShowsWhatASingleServerShows(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := onCluster(t, enginestest.StartCluster(t, 2, 2), forTheMix(t)...)
	p.MustRun("demo", "--months", "2", "--scale", "0.3")
	p.Start()
	for _, file := range archivetest.Files(t, "../../..") {
		p.MustRun("import", strings.TrimPrefix(file.Path, "../../../"))
	}
	people := newClients(t, p)
	people.leave() // every script of the mix, one after the other
	gone := &client{clients: people, random: rand.New(rand.NewPCG(1, 2)), servers: people.servers, session: "is erased"}
	gone.say("necesito algo para la foto del colegio")
	dismissQuestions(p)
	p.MustRun("privacy", "erase", gone.conversation(), "--yes", "--now")
	p.Applied(people.app.Load())
	if out := p.MustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	p.MustRun("backup", "one")
	asked := periods(time.Now().In(clinic.Default().Zone))
	want := shownBy(p, t, asked)

	for name, q := range map[string]*programtest.Program{
		"a single server":  programtest.NewProgram(t),
		"an empty cluster": onCluster(t, enginestest.StartCluster(t, 2, 2)),
	} {
		t.Run(name, func(t *testing.T) {
			programtest.CopyKeys(t, p, q)
			if err := os.CopyFS(filepath.Join(programtest.Backups(q), "one"), os.DirFS(filepath.Join(programtest.Backups(p), "one"))); err != nil {
				t.Fatal(err)
			}
			q.MustRun("restore", "one")
			q.Start()
			got := shownBy(q, t, asked)
			for question, answer := range want {
				if got[question] != answer {
					t.Errorf("%s: the cluster says\n%s\nand it says\n%s", question, answer, got[question])
				}
			}
			q.Stop()
		})
	}
}

// dismissQuestions dismisses every question that is to be answered better.
func dismissQuestions(p *programtest.Program) {
	p.T.Helper()
	var list struct {
		Questions []struct {
			ConversationID string
			Ordinal        int
		}
	}
	cookie := p.SignInAgain()
	p.Eventually("there is something to dismiss", time.Minute, func() error {
		err := p.Get("/api/dashboard/questions", cookie, &list)
		if err == nil && len(list.Questions) == 0 {
			err = errors.New("nothing")
		}
		return err
	})
	for _, q := range list.Questions {
		body := fmt.Sprintf(`{"conversationId": %q, "ordinal": %d}`, q.ConversationID, q.Ordinal)
		request, err := http.NewRequest(http.MethodPost, "http://"+p.Addr+"/api/dashboard/questions/dismissal", strings.NewReader(body))
		if err != nil {
			p.T.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		if refused := new(programtest.Refusal); !errors.As(p.Do(request, cookie, nil), &refused) || refused.Status != http.StatusNoContent {
			p.T.Fatalf("a dismissal is answered %v", refused)
		}
	}
}

// periods are a month that is over, with what the dashboard shows beside it, and all that there is
// in a year, whole and in parts. A month that goes on would be compared up to the minute at which it
// is asked for.
func periods(now time.Time) []string {
	over := now.AddDate(0, 0, -1)
	year := between(now.AddDate(-1, 0, 2), now.AddDate(0, 0, 1))
	return []string{
		between(over.AddDate(0, -1, 0), over) + "&compare=previous",
		year, year + "&lead=true&outOfHours=false", year + "&q=cita&minDuration=10&unanswered=false",
		"startDate=2020-06-01&endDate=2020-12-31", // of the past chats
	}
}

// notCompared are answers that the dashboard takes from elsewhere than the tables, that have no end,
// and that have the time in them at which they were asked for.
var notCompared = []string{"live", "answers", "answer-form", "agenda", "waiting", "unusual"}

// shownBy is all that the dashboard shows of the tables in the periods, by what it was asked.
func shownBy(p *programtest.Program, t *testing.T, periods []string) map[string]string {
	t.Helper()
	cookie := p.SignInAgain()
	contract, err := os.ReadFile("../../../schema/openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, found := range regexp.MustCompile(`(?m)^  /api/dashboard/([^{}\n]+):(?:\n    [^g].*|\n     .*)*\n    get:`).FindAllSubmatch(contract, -1) {
		if path := string(found[1]); !slices.Contains(notCompared, path) {
			paths = append(paths, path)
		}
	}
	if len(paths) < 14 {
		t.Fatalf("the dashboard has no more than %v", paths)
	}
	answers := map[string]string{}
	ask := func(question string) string {
		t.Helper()
		var said string
		err := p.Get("/api/dashboard/"+question, cookie, &said)
		if err != nil && strings.Contains(err.Error(), "Restringido por pedido de la persona") {
			said, err = "restricted", nil // by somebody of the mix
		}
		if err != nil {
			t.Errorf("%s: %v", question, err)
		}
		answers[question] = withoutMoment(said)
		return said
	}
	for _, period := range periods {
		for _, path := range paths {
			switch path {
			case "export":
				for _, form := range []string{"csv&rows=conversations", "csv&rows=messages", "jsonl&rows=messages"} {
					ask(path + "?" + period + "&format=" + form)
				}
			case "contacts/export":
				ask(path + "?" + period + "&format=csv")
			default:
				ask(path + "?" + period)
			}
		}
	}
	var list []struct{ ID string }
	if err := json.Unmarshal([]byte(ask("conversations?limit=5&"+periods[1])), &list); err != nil || len(list) != 5 {
		t.Fatalf("%d conversations, %v", len(list), err)
	}
	for _, c := range list {
		ask("conversation/" + c.ID + "/messages")
	}
	return answers
}

// withoutMoment is a comparable answer.
func withoutMoment(said string) string {
	var v any
	if json.Unmarshal([]byte(said), &v) != nil {
		return said
	}
	text, err := json.Marshal(timeless(v))
	if err != nil {
		return said
	}
	return string(text)
}

// timeless is v without the moments up to which it holds, which every log goes on from, and with
// numbers to the ninth digit: sums of fractions depend on their order.
func timeless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "dataThrough") // of the answer, or of each report in it
		for name := range v {
			v[name] = timeless(v[name])
		}
	case []any:
		for i := range v {
			v[i] = timeless(v[i])
		}
	case float64:
		if digits := math.Pow(10, 9-math.Ceil(math.Log10(math.Abs(v)))); v != 0 {
			return math.Round(v*digits) / digits
		}
	}
	return v
}
