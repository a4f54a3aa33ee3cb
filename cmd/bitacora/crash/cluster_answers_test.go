package crash

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/archive/archivetest"
	"bitacora/adapters/engines/enginestest"
)

// behindAnswersNothing has a node come back in the moment in which that of the other copy goes: until it
// is filled nobody can answer, and nothing is counted.
func (w *watched) behindAnswersNothing(back, goes *enginestest.Node) {
	w.T.Helper()
	back.Kill(w.T)
	for range 20 {
		w.chat()
	}
	w.Applied(w.a)
	goes.Kill(w.T)
	back.Start(w.T)
	before := w.chats
	w.chat()
	w.Eventually("it answers and counts again", time.Minute, func() error {
		var k struct{ TotalConversations int }
		err := w.Get("/api/dashboard/kpis", w.cookie, &k)
		if err == nil && (k.TotalConversations < before || k.TotalConversations > w.chats) {
			w.T.Errorf("the dashboard shows %d conversations, want %d", k.TotalConversations, w.chats)
		}
		if err == nil && k.TotalConversations < w.chats {
			err = errors.New("the last one is not counted")
		}
		return err
	})
	goes.Start(w.T)
}

// inPast is how many conversations the dashboard shows of the time of the past chats.
func (w *watched) inPast() int {
	w.T.Helper()
	var k struct{ TotalConversations int }
	if err := w.Get("/api/dashboard/kpis?startDate=2026-05-01&endDate=2026-06-30", w.cookie, &k); err != nil {
		w.T.Error(err)
	}
	return k.TotalConversations
}

var clusterKills = flag.Int("cluster.kills", 2, "how many nodes are killed while a cluster answers")

// mustHold asks once, and fails unless the answer has what the log had up to where it says, and nothing that nobody
// said so far. Heads are where the log ended after each of the last chats.
func (w *watched) mustHold(heads []int64) (through int64) {
	w.T.Helper()
	var k struct {
		TotalConversations int
		DataThrough        struct{ Position int64 }
	}
	if err := w.Get("/api/dashboard/kpis", w.cookie, &k); err != nil {
		w.T.Error(err)
		return 0
	}
	least := w.chats
	for _, head := range heads {
		if head > k.DataThrough.Position {
			least--
		}
	}
	if k.TotalConversations < least || k.TotalConversations > w.chats {
		w.T.Errorf("the dashboard shows %d conversations up to %d, want %d to %d", k.TotalConversations, k.DataThrough.Position, least, w.chats)
	}
	return k.DataThrough.Position
}

// TestAClusterCountsOnWithoutANode asks for today and for a period that is over while nodes are killed and
// one loses its disk: no answer is less than what it says it holds, none is more, and counting goes on.
func TestAClusterCountsOnWithoutANode(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	w := watchCluster(t)
	w.MustRun("import", archivetest.Sample)
	w.Applied(w.a)
	over := w.inPast()
	if over == 0 {
		t.Fatal("nothing was imported")
	}
	mustShow := func() {
		t.Helper()
		w.mustShow(w.chats)
		for range w.c.Nodes {
			if n := w.inPast(); n != over {
				t.Errorf("the dashboard shows %d conversations of a period that is over, want %d", n, over)
			}
		}
	}
	var longest time.Duration
	for kill := range *clusterKills {
		down := w.c.Nodes[kill%len(w.c.Nodes)]
		down.Kill(t)
		killed, heads := time.Now(), []int64(nil)
		for range 5 {
			w.chat()
			heads = append(heads, w.head())
			w.mustHold(heads)
		}
		w.Eventually("what came after the kill is counted", time.Minute, func() error {
			if through, head := w.mustHold(heads), heads[len(heads)-1]; through < head {
				return fmt.Errorf("up to %d of %d", through, head)
			}
			return nil
		})
		longest = max(longest, time.Since(killed))
		for range 3 {
			mustShow()
		}
		if kill == *clusterKills/2 {
			down.Wipe(t)
		}
		down.Start(t)
		for range 3 {
			w.chat()
			w.Applied(w.a)
			mustShow()
		}
		w.Eventually("the node is filled", time.Minute, func() error {
			return errors.Join(w.filled(), w.isReady())
		})
	}
	t.Logf("%d kills: after %v at most five chats were counted", *clusterKills, longest)
	w.behindAnswersNothing(w.c.Node(1, 1), w.c.Node(1, 2))
	w.mustAgree("afterwards")
	for range 2 { // while it is filled, too
		if out := w.MustRun("cluster", "refill", w.c.Node(2, 2).Address); strings.Count(out, "made anew from the log") != 1 {
			t.Error(out)
		}
		mustShow()
	}
	w.Eventually("the node is filled", time.Minute, w.filled)
	w.mustAgree("after all of a node was made anew")
	if out := w.MustRun("cluster", "show"); strings.Count(out, "complete") != len(w.c.Nodes) {
		t.Error(out)
	}
}
