package crash

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
)

// TestAClusterLosesNodes kills each node of a cluster in turn while people do all that the clinic's
// doors are for, and then holds every table and number against the log.
func TestAClusterLosesNodes(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	c := enginestest.StartCluster(t, 2, 2)
	p := onCluster(t, c, forTheMix(t)...)
	p.Start()
	people := newClients(t, p)
	people.arrive(6, 20*time.Millisecond)
	for _, n := range c.Nodes {
		before := people.acknowledgements()
		n.Kill(t)
		p.Eventually("people are answered while a node is down", time.Minute, func() error {
			if people.acknowledgements() < before+20 {
				return errors.New("fewer than 20 answers since")
			}
			return nil
		})
		n.Start(t)
	}
	people.leave()
	people.mustAddUp()
	replicasAgree(t, c)
	p.Stop()
	p.Start()
	people.find()
	people.mustAddUp()
}

// replicasAgree fails where a replica of a shard has other rows than another one.
func replicasAgree(t testing.TB, c *enginestest.Cluster) {
	t.Helper()
	rows := func(n *enginestest.Node) (held []string) {
		list := n.Ask(t, "SELECT database || '.' || name FROM system.tables WHERE database LIKE 'bitacora\\\\_b%' AND engine LIKE '%MergeTree' AND name NOT IN ('applied', 'build') ORDER BY 1")
		for _, table := range strings.Fields(list) {
			_, name, _ := strings.Cut(table, ".") // each copy has a database of its own
			held = append(held, name+" "+n.Ask(t, "SELECT count(), sum(cityHash64(*)) FROM "+table+" FINAL"))
		}
		return held
	}
	all := map[string]bool{}
	for _, n := range c.Nodes {
		first, held := rows(c.Node(n.Shard, 1)), rows(n)
		if len(held) == 0 || !slices.Equal(first, held) {
			t.Errorf("%s holds\n%s\nand replica 1\n%s", n.Name, strings.Join(held, "\n"), strings.Join(first, "\n"))
		}
		all[strings.Join(held, "\n")] = true
	}
	if len(all) != 2 {
		t.Errorf("the rows lie on %d shards", len(all))
	}
}

// watched is a clinic on a cluster, of which somebody looks at the dashboard.
type watched struct {
	*programtest.Program
	c      *enginestest.Cluster
	a      *app.App
	cookie string
	chats  int
}

func watchCluster(t *testing.T) *watched {
	t.Helper()
	c := enginestest.StartCluster(t, 2, 2)
	w := &watched{Program: onCluster(t, c), c: c}
	w.Start()
	w.a, w.cookie = w.App(), w.SignIn()
	for range 20 {
		w.chat()
	}
	w.Applied(w.a)
	return w
}

// chat has one more visitor ask something.
func (w *watched) chat() {
	w.T.Helper()
	w.chats++
	if err := w.Post("/api/chatbot", map[string]string{"sessionId": fmt.Sprint("visitor-", w.chats), "message": "¿A qué hora abren?"}, nil); err != nil {
		w.T.Errorf("a visitor is refused: %v", err)
	}
}

// mustShow fails unless the dashboard shows so many conversations, whichever nodes it asks.
func (w *watched) mustShow(conversations int) {
	w.T.Helper()
	if n := w.mustShowAtLeast(conversations); n != conversations {
		w.T.Errorf("the dashboard shows %d conversations, want %d", n, conversations)
	}
}

func (w *watched) mustShowAtLeast(conversations int) (most int) {
	w.T.Helper()
	for range 8 { // as many as answer in turn
		var k struct{ TotalConversations int }
		if err := w.Get("/api/dashboard/kpis", w.cookie, &k); err != nil || k.TotalConversations < conversations {
			w.T.Errorf("the dashboard shows %d conversations, %v; want %d", k.TotalConversations, err, conversations)
		}
		most = max(most, k.TotalConversations)
	}
	return most
}

// mustAgree fails unless the tables hold the log, and all replicas the same of it.
func (w *watched) mustAgree(when string) {
	w.T.Helper()
	w.Applied(w.a)
	if out := w.MustRun("verify"); !strings.Contains(out, "no difference") {
		w.T.Errorf("%s: %s", when, out)
	}
	replicasAgree(w.T, w.c)
}

func (w *watched) head() int64 {
	w.T.Helper()
	head, err := w.a.DB.Log().Head(w.T.Context())
	if err != nil {
		w.T.Fatal(err)
	}
	return head
}

// TestAClusterWithoutANode goes through what can befall nodes, one after the other: visitors are always
// answered, the operator is told which node it is, and no number is too small.
func TestAClusterWithoutANode(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	w := watchCluster(t)
	for name, befalls := range map[string]func(*watched){
		"a replica is down":         (*watched).replicaIsDown,
		"a replica lost its disk":   (*watched).replicaLostItsDisk,
		"all replicas of one shard": (*watched).shardIsDown,
	} {
		if !t.Run(name, func(t *testing.T) {
			whole := w.T
			w.T = t
			defer func() { w.T = whole }()
			w.a = w.App() // closed with the one who opens it
			befalls(w)
			w.mustAgree("afterwards")
			w.mustShow(w.chats)
			w.Eventually("it is ready again", time.Minute, w.isReady)
		}) {
			return
		}
	}
}

// replicaIsDown: the other copy counts on, and a program that starts meanwhile does so with it.
func (w *watched) replicaIsDown() {
	shown, down := w.chats, w.c.Node(1, 2)
	down.Kill(w.T)
	w.mustShow(shown)
	for range 6 {
		w.chat()
	}
	w.Applied(w.a)
	w.mustShow(w.chats)
	w.tells("while a replica is down", down)
	if out, _ := w.Run("", "cluster", "show"); strings.Contains(out, "complete") {
		w.T.Errorf("what the others hold was not found out, and it is called complete:\n%s", out)
	}
	// So does a program that starts meanwhile.
	w.Stop()
	w.Start()
	w.a = w.App()
	w.chat()
	w.Applied(w.a)
	w.mustShow(w.chats)
	down.Start(w.T)
}

// replicaLostItsDisk: it is not read as if it held nothing, and gets back what it lost.
func (w *watched) replicaLostItsDisk() {
	shown, lost := w.chats, w.c.Node(2, 1)
	lost.Kill(w.T)
	lost.Wipe(w.T)
	w.chat()
	lost.Start(w.T)
	w.mustShowAtLeast(shown)
	w.chat()
	w.mustShowAtLeast(shown)
	w.Eventually("the node is filled", time.Minute, w.filled)
}

// filled says which nodes lack rows.
func (w *watched) filled() error {
	build, err := w.a.DB.LiveBuild(w.T.Context())
	if err != nil {
		return err
	}
	copies, _ := clickhouse.CopiesOf(w.a.Tables)
	lacks, err := copies.Behind(w.T.Context(), build, w.head(), 0)
	if err == nil && len(lacks) > 0 {
		err = fmt.Errorf("nodes lack rows: %+v", lacks)
	}
	return err
}

// shardIsDown: the dashboard says so instead of showing half of the numbers.
func (w *watched) shardIsDown() {
	down := []*enginestest.Node{w.c.Node(2, 1), w.c.Node(2, 2)}
	for _, n := range down {
		n.Kill(w.T)
	}
	w.chat()
	for _, path := range []string{"kpis", "conversations", "export?format=csv"} {
		refused := new(programtest.Refusal)
		err := w.Get("/api/dashboard/"+path, w.cookie, nil)
		if !errors.As(err, &refused) || refused.Status != http.StatusServiceUnavailable {
			w.T.Errorf("%s: %v", path, err)
			continue
		}
		var said struct{ Message, RequestID string }
		if err := json.Unmarshal([]byte(refused.Said), &said); err != nil || !strings.Contains(said.Message, "no está disponible") || said.RequestID == "" {
			w.T.Errorf("%s: %s", path, refused.Said)
		}
	}
	w.tells("while a shard is down", down...)
	w.chat()
	for _, n := range down {
		n.Start(w.T)
	}
}

// TestAnErasureWaitsForANodeThatIsDown: what it holds of the person goes when it is back.
func TestAnErasureWaitsForANodeThatIsDown(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	c := enginestest.StartCluster(t, 2, 2)
	p := onCluster(t, c, forTheMix(t)...)
	p.Start()
	x := plant(t, p)
	a := p.App()
	p.Applied(a)
	down := c.Nodes[0]
	down.Kill(t)
	if out := p.MustRun("privacy", "erase", plantedPhone, "--yes", "--now"); !strings.Contains(out, "pending") {
		t.Errorf("an erasure that cannot be finished yet says\n%s", out)
	}
	down.Start(t)
	mustFinish(p, a)
	p.Applied(a)
	for _, n := range c.Nodes {
		lookFor(t, a, n.Dir, "conversation/"+x.chat.conversation()).mustHoldNothing(t, "on "+n.Name)
	}
	p.MustRun("verify")
	replicasAgree(t, c)
}

// tells fails unless the program tells its operator which nodes do not do their part.
func (w *watched) tells(when string, nodes ...*enginestest.Node) {
	w.T.Helper()
	w.Eventually("readyz says so", time.Minute, func() error {
		if w.isReady() == nil {
			return errors.New("it says that all is well")
		}
		return nil
	})
	for _, command := range [][]string{{"doctor"}, {"cluster", "show"}} {
		out, err := w.Run("", command...)
		if strings.Contains(out, "http://app") {
			w.T.Errorf("%s, %v prints what the driver asked for:\n%s", when, command, out)
		}
		for _, n := range nodes {
			if err == nil || !strings.Contains(out, n.Address) {
				w.T.Errorf("%s, %v does not name %s at %s: %v\n%s", when, command, n.Name, n.Address, err, out)
			}
		}
	}
}

func (w *watched) isReady() error {
	said, err := w.Readiness()
	if err == nil && (said.Status != "ready" || said.Clickhouse != "ok") {
		err = fmt.Errorf("it says %+v", said)
	}
	return err
}
