package chserver

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"

	"bitacora/adapters/clickhouse/access"
)

const (
	unending = "SELECT count() FROM numbers(1000000000000) WHERE cityHash64(number) = 1"
	// analystsAsk is how many questions one user may ask at once.
	analystsAsk = 10
)

// beginEndless asks as many unending questions as an analyst may, and gives how to end them.
func beginEndless(t testing.TB, p *process, user string, threads int) (end func()) {
	t.Helper()
	var asking sync.WaitGroup
	for range analystsAsk {
		asking.Go(func() {
			r, err := http.NewRequest(http.MethodPost, fmt.Sprintf("http://%s/?max_threads=%d", p.address, threads), strings.NewReader(unending))
			if err != nil {
				t.Error(err)
				return
			}
			r.SetBasicAuth(user, passwords[user])
			if answer, err := http.DefaultClient.Do(r); err == nil {
				answer.Body.Close()
			}
		})
	}
	return func() {
		// What waits runs when another one ends, and can be ended then.
		gone := make(chan struct{})
		go func() {
			defer close(gone)
			asking.Wait()
		}()
		for {
			select {
			case <-gone:
				return
			default:
			}
			if _, err := p.tell("KILL QUERY WHERE query LIKE '%numbers(1000000000000)%' AND query NOT LIKE 'KILL%' SYNC"); err != nil {
				t.Error(err)
				return
			}
		}
	}
}

// tell runs a statement as app.
func (p *process) tell(statement string) (string, error) {
	r, err := http.NewRequest(http.MethodPost, "http://"+p.address+"/", strings.NewReader(statement))
	if err != nil {
		return "", err
	}
	r.SetBasicAuth(access.App, appPassword)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err == nil && a.StatusCode != http.StatusOK {
		err = errors.New(string(text))
	}
	return string(text), err
}

// TestAnalystsWaitForEachOther and the program for none of them. However many threads they ask for, the questions that
// are answered at once take half of the processors, and an analyst sees them and ends them meanwhile.
func TestAnalystsWaitForEachOther(t *testing.T) {
	for _, sql := range []string{"SELECT 1 SETTINGS workload = 'default'", "SELECT 1 SETTINGS workload = 'all'", "CREATE WORKLOAD mine IN all", "DROP WORKLOAD analysts", "CREATE RESOURCE mine (QUERY)"} {
		if a := shared.post(t, access.Analyst, sql); a.code() != "452" && a.code() != "497" && a.code() != "164" {
			t.Errorf("%s: %d %s", sql, a.status, a.body)
		}
	}
	end := beginEndless(t, shared, access.Analyst, 16)
	defer end()
	scheduled := func(resource string) (atWork, waiting int) {
		_, err := fmt.Sscan(shared.must(t, "SELECT ifNull(sum(inflight_requests), 0), ifNull(sum(queue_length), 0) FROM system.scheduler WHERE resource = '"+resource+"' AND path LIKE '/all/analysts/%'"), &atWork, &waiting)
		if err != nil {
			t.Error(err)
		}
		return atWork, waiting
	}
	half := max(1, runtime.GOMAXPROCS(0)/2)
	eventually(t, "analysts do not wait for each other", func() bool {
		atWork, waiting := scheduled("questions")
		return atWork > 0 && atWork <= half && atWork+waiting == analystsAsk
	})
	eventually(t, "questions are not at work", func() bool {
		threads, waiting := scheduled("cpu")
		return threads > 0 && threads <= half && waiting == 0
	})
	if a := shared.post(t, access.App, "SELECT getSetting('workload'), sum(number) FROM numbers_mt(10000000) SETTINGS max_threads = 8"); a.body != "default\t49999995000000\n" {
		t.Errorf("the program beside them: %d %s", a.status, a.body)
	}
	if a := shared.post(t, access.Analyst, "SELECT count() FROM system.processes WHERE query LIKE '%numbers(1000000000000)%' AND query NOT LIKE '%system%'"); a.body == "0\n" || a.status != http.StatusOK {
		t.Errorf("an analyst sees %d %s", a.status, a.body)
	}
	if a := shared.post(t, access.Analyst, "KILL QUERY WHERE query LIKE '%numbers(1000000000000)%' AND query NOT LIKE 'KILL%' SYNC"); !strings.Contains(a.body, "finished") {
		t.Errorf("an analyst ends %d %s", a.status, a.body)
	}
	if _, waiting := scheduled("questions"); waiting == 0 || waiting == analystsAsk {
		t.Errorf("%d questions wait when some were ended", waiting)
	}
}
