package crash

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
)

// crowd does all that the mix has, and beside it dismisses questions and erases conversations, at a
// program whose log has a standby.
type crowd struct {
	*clients
	p       *programtest.Program
	stopped chan struct{}
	rest    sync.WaitGroup
}

// indulgent passes over what requests are answered: where acknowledged events are lost, a session or a
// message that a script goes on with may be gone.
type indulgent struct{ testing.TB }

func (i indulgent) Errorf(format string, args ...any) { i.Logf(format, args...) }

func newCrowd(t testing.TB, p *programtest.Program) *crowd {
	c := &crowd{clients: newClients(t, p), p: p, stopped: make(chan struct{})}
	c.arrive(4, 20*time.Millisecond)
	for _, s := range []script{
		{"dismisses", 1, []step{say("necesito algo para la foto del colegio"), signIn, dismissQuestion}},
		{"erases", 1, []step{eraseOwn}},
	} {
		c.rest.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-c.stopped:
					return
				case <-time.After(100 * time.Millisecond):
				}
				c.play(s, c.client(s.name, n), 0)
			}
		})
	}
	return c
}

func dismissQuestion(g *client) {
	body := contract.QuestionDismissal{ConversationID: g.conversation(), Ordinal: 1}
	g.ask(request{method: "POST", path: "/api/dashboard/questions/dismissal", cookie: g.staff, body: body}, fact{"dismissal", g.conversation()})
}

// goesOn waits until many more requests are acknowledged.
func (c *crowd) goesOn(when string) {
	c.p.T.Helper()
	before := c.acknowledgements()
	c.p.Eventually("people are answered "+when, 3*time.Minute, func() error {
		if n := c.acknowledgements() - before; n < 80 {
			return fmt.Errorf("%d answers", n)
		}
		return nil
	})
}

// isApplied waits until the tables hold what the log holds now.
func (c *crowd) isApplied() {
	c.p.T.Helper()
	db := c.app.Load().DB
	head, err := db.Log().Head(context.Background())
	if err != nil {
		c.p.T.Fatal(err)
	}
	c.p.Eventually("the tables hold what was acknowledged", time.Minute, func() error {
		if at, _, err := db.DataThrough(context.Background(), c.live()); err != nil || at < head {
			return fmt.Errorf("through %d of %d, %w", at, head, err)
		}
		return nil
	})
}

// leave plays all scripts that were not played yet, and lets everybody go.
func (c *crowd) leave() {
	close(c.stopped)
	c.rest.Wait()
	c.clients.leave()
}

// playDeck plays every script once more, for what those that were cut off did not come to.
func (c *crowd) playDeck() {
	for range deckSize() {
		s, visitor := c.draw()
		c.play(s, visitor, 0)
	}
}

// missing are the acknowledged facts that the log does not tell of.
func (c *crowd) missing() (facts []fact) {
	c.t.Helper()
	a := c.app.Load()
	erased, err := a.DB.Log().Erased(context.Background())
	if err != nil {
		c.t.Fatal(err)
	}
	r := recompute(wholeLog(c.t, a))
	for _, stream := range erased {
		r.facts[fact{"erasure", strings.TrimPrefix(stream, chat.Stream(""))}]++
	}
	for f := range c.acknowledged {
		if f.what != "refusal" && r.facts[r.known(f)] == 0 {
			facts = append(facts, f)
		}
	}
	return facts
}

// mustBeInOrder holds log and tables against each other, and looks for events of every type of the mix
// and of some more.
func (c *crowd) mustBeInOrder(t *testing.T, more ...string) {
	t.Helper()
	a := c.app.Load()
	c.p.Applied(a)
	c.p.MustRun("verify")
	c.p.MustRun("log", "check")
	r := recompute(wholeLog(t, a))
	but := notByPeople()
	for _, name := range append(more, "QuestionLabelled") {
		delete(but, name)
	}
	for _, oneProgram := range []string{"ChatRefused", "AssistantFailed"} {
		but[oneProgram] = "there is no second program, whose month is full and whose assistant fails"
	}
	r.mustHaveEveryType(t, but)
	if err := c.p.Says(contract.Readiness{Status: "ready", Postgres: "ok", Clickhouse: "ok"}); err != nil {
		t.Error(err)
	}
}

// synchronousAsThePageSays runs the SQL of the page about servers on the primary.
func synchronousAsThePageSays(t *testing.T, r *enginestest.Replicated) {
	t.Helper()
	page, err := os.ReadFile("../../../schema/SERVERS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, chapter, _ := strings.Cut(string(page), "### Synchronous")
	_, chapter, _ = strings.Cut(chapter, "```sql\n")
	block, _, found := strings.Cut(chapter, "```")
	conn, err := pgx.Connect(t.Context(), r.PrimaryURL)
	if err != nil || !found {
		t.Fatalf("the page shows SQL: %v, %v", found, err)
	}
	defer conn.Close(context.Background())
	block = "CREATE ROLE bitacora_worker;\n" + strings.Replace(block, "(a, b)", "(standby, b)", 1) // the role is of an earlier chapter
	for statement := range strings.SplitSeq(strings.TrimSpace(block), ";\n") {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for began, attached := time.Now(), false; !attached; time.Sleep(20 * time.Millisecond) {
		err := conn.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'quorum')").Scan(&attached)
		if err != nil || time.Since(began) > time.Minute {
			t.Fatalf("the standby is not synchronous: %v", err)
		}
	}
}

// TestASynchronousFailoverLosesNothingOfAnyType kills the primary while everything goes on at once. The
// program is not started again, and knows both servers by their names.
func TestASynchronousFailoverLosesNothingOfAnyType(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, r := replicated(t, byHosts, forTheMix(t)...)
	synchronousAsThePageSays(t, r)
	p.Start()
	if out, err := p.Run("", "doctor"); !strings.Contains(out, "a synchronous standby is attached") {
		t.Errorf("doctor: %v\n%s", err, out)
	}
	c := newCrowd(t, p)
	c.goesOn("before")
	r.FailOver(t)
	c.goesOn("afterwards")
	c.leave()
	if lost := c.missing(); len(lost) > 0 {
		t.Errorf("%d of %d acknowledged facts are lost: %v", len(lost), len(c.acknowledged), lost[:min(5, len(lost))])
	}
	c.mustBeInOrder(t)
	p.MustRun("doctor", "--json")
}

// TestAFailoverThatLosesIsRefusedAndAdopted promotes a standby that lacks acknowledged events of all types,
// and goes the documented way.
func TestAFailoverThatLosesIsRefusedAndAdopted(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, r := replicated(t, byHosts, forTheMix(t)...)
	p.Start()
	c := newCrowd(t, p)
	c.t = indulgent{t}
	c.goesOn("before")
	r.CutOff(t)
	c.goesOn("although the standby lags")
	c.isApplied()
	r.FailOver(t)
	c.goesOn("afterwards")
	c.leave()
	c.t = t
	c.playDeck()
	a := c.app.Load()
	build, err := a.DB.LiveBuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.Refuses(a, build, "restored to an earlier state", "bitacora log adopt-epoch, then bitacora rebuild")
	lost := c.missing()
	if len(lost) == 0 {
		t.Fatal("nothing was lost, so that nothing is shown")
	}
	t.Logf("%d of %d acknowledged facts are lost", len(lost), len(c.acknowledged))
	if out := p.MustRun("log", "adopt-epoch"); !strings.Contains(out, "build "+build+" is left behind") || !strings.Contains(out, "run bitacora rebuild") {
		t.Error(out)
	}
	if out := p.MustRun("rebuild"); !strings.Contains(out, "a recount of the log") || !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	for _, f := range c.missing() {
		if f.what == "erasure" {
			t.Errorf("an erasure is lost, although the ledger has it: %v", f)
		}
	}
	c.mustBeInOrder(t, "EpochAdopted", "TablesRebuilt")
}
