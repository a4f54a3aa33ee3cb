package crash

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
	"bitacora/projections/builds"
)

// TestWhatIsErasedDuringARebuildDoesNotComeBack erases people at each point of a rebuild:
// one whose texts it has written already, one whom it has yet to read, and later one more
// whose texts lie in the build that is kept.
func TestWhatIsErasedDuringARebuildDoesNotComeBack(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	const conversations, messages = 40, 10
	p := programtest.NewProgram(t)
	p.Start()
	a := p.App()
	ctx := context.Background()
	programtest.Fill(t, a, conversations, messages)
	p.Applied(a)
	texts := func(build, id string) (n int) {
		t.Helper()
		list, err := a.Tables.Reader(build).Messages(ctx, id)
		if err != nil || len(list) != messages {
			t.Fatalf("%s has %d messages of %s, %v", build, len(list), id, err)
		}
		for _, m := range list {
			if m.Text != "" {
				n++
			}
		}
		return n
	}
	// at is the person whose conversation lies at a position.
	at := func(position int64) string {
		t.Helper()
		events, err := a.DB.Log().Scan(ctx, position-1, position, 1)
		if err != nil || len(events) != 1 {
			t.Fatal(events, err)
		}
		return strings.TrimPrefix(events[0].Stream, chat.Stream(""))
	}
	erase := func(id string) {
		t.Helper()
		if err := a.DB.Log().DestroyKey(ctx, chat.Stream(id)); err != nil {
			t.Fatal(err)
		}
	}
	head, err := a.DB.Log().Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	written, unread, kept := at(50), at(head), at(head/2)

	// The rebuild cannot end its last range before it is let.
	conn, err := pgx.Connect(ctx, a.At.MigrationURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(1)"); err != nil {
		t.Fatal(err)
	}
	programtest.SQL(t, a, `CREATE FUNCTION wait_to_be_let() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$`,
		fmt.Sprintf("CREATE TRIGGER last_range BEFORE UPDATE ON build_ranges FOR EACH ROW WHEN (NEW.last = %d) EXECUTE FUNCTION wait_to_be_let()", head))
	rebuild := p.BeginRebuild()
	p.Eventually("the first range is replayed", time.Minute, func() error {
		left, err := a.DB.RangesLeft(ctx, "b2")
		if err == nil && left[0].First == 1 {
			err = fmt.Errorf("%d ranges left", len(left))
		}
		return err
	})
	if texts("b2", written) == 0 {
		t.Error("the new build had no text before the erasure")
	}
	erase(written)
	erase(unread)
	if s, err := a.DB.BuildStatus(ctx, "b2"); err != nil || s.State != builds.Replaying {
		t.Fatalf("the build is %s, %v; it should be replayed still", s.State, err)
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_unlock(1)"); err != nil {
		t.Fatal(err)
	}
	if err := rebuild.Wait(); err != nil {
		t.Fatalf("the rebuild ended with %v", err)
	}
	for _, build := range []string{"b1", "b2"} {
		for _, id := range []string{written, unread} {
			if n := texts(build, id); n != 0 {
				t.Errorf("%s holds %d texts of %s, who was erased", build, n, id)
			}
		}
		if n := texts(build, kept); n != messages {
			t.Errorf("%s holds %d texts of %s, who was not erased", build, n, kept)
		}
	}
	if out := p.MustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	erase(kept)
	p.MustRun("rollback")
	if n := texts("b1", kept); n != 0 {
		t.Errorf("a rollback brought back %d texts of %s, who was erased", n, kept)
	}
	p.MustRun("verify", "b2", "--against", "b1")
	p.MustRun("verify", "b1")
}
