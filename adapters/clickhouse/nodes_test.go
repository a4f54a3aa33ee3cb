package clickhouse

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/domain/analytics"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/projections"
	"bitacora/projections/builds"
	"bitacora/projections/projectionstest"
)

const epoch = "0190a1b2-0000-7000-8000-000000000001"

// filled gives a house on a cluster of its own, whose build holds a log, up to its end.
func filled(t *testing.T, c *enginestest.Cluster) (db *DB, log []event.Recorded) {
	t.Helper()
	db = openOn(t, c)
	if err := db.CreateBuild(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	if err := db.SetOrigin(t.Context(), build, epoch, 1); err != nil {
		t.Fatal(err)
	}
	for seed := range 6 {
		for _, e := range projectionstest.Log().Example(seed) {
			e.Position = int64(len(log) + 1)
			log = append(log, e)
		}
	}
	if err := store(t, db, log); err != nil {
		t.Fatal(err)
	}
	return db, log
}

// store writes a log and notes it.
func store(t *testing.T, db *DB, log []event.Recorded) error {
	t.Helper()
	w := db.Writer(build)
	if err := w.Write(t.Context(), projections.RowsOf(log)); err != nil {
		return err
	}
	last := log[len(log)-1]
	_, err := w.Applied(t.Context(), projections.Range{First: 1, Last: last.Position}, last.ID)
	return err
}

// always is a period that everything is in.
var always = analytics.Cohort{Period: analytics.Period{From: time.Unix(0, 0), To: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)}}

// counted is what is read up to a position where a node is asked first.
func counted(t *testing.T, db *DB, first int, through int64) analytics.Counts {
	t.Helper()
	db.preferred.Store(int64(first))
	counts, err := db.Reader(build).Through(through).Counts(t.Context(), always)
	if err != nil {
		t.Errorf("node %d is asked first: %v", first+1, err)
	}
	return counts
}

// sameFromAll expects the same numbers of a log whichever node is asked first.
func sameFromAll(t *testing.T, db *DB, log []event.Recorded, want analytics.Counts) {
	t.Helper()
	for i := range db.nodes {
		if got := counted(t, db, i, int64(len(log))); got != want {
			t.Errorf("node %d is asked first: %+v, want %+v", i+1, got, want)
		}
	}
}

// sameRowsEverywhere expects that all replicas of a shard hold the same.
func sameRowsEverywhere(t *testing.T, db *DB) {
	t.Helper()
	c := differing(t, db)
	if c.Differing != 0 {
		t.Errorf("replicas differ: %v", c.Differences)
	}
}

func differing(t *testing.T, db *DB) (c projections.Comparison) {
	t.Helper()
	replicas, err := db.Reader(build).Replicas(t.Context())
	if err == nil {
		err = c.CompareReplicas(t.Context(), replicas, nil)
	}
	if err != nil || len(replicas) != 2 {
		t.Fatal(replicas, err)
	}
	return c
}

// Nodes of a cluster are killed, emptied and filled one after the other.
func TestNodesComeAndGo(t *testing.T) {
	enginestest.Long(t)
	c := enginestest.StartCluster(t, 2, 2)
	db, log := filled(t, c)
	want := counted(t, db, 0, int64(len(log)))
	if want.Conversations < 5 {
		t.Fatalf("%+v: nothing is shown", want)
	}
	sameFromAll(t, db, log, want)
	sameRowsEverywhere(t, db)

	node := c.Node(2, 1)
	whole := t // for which nodes run
	t.Run("killed", func(t *testing.T) {
		node.Kill(t)
		sameFromAll(t, db, log, want)
		if err := store(t, db, log); err == nil {
			t.Error("rows are acknowledged that one replica has not")
		}
		if _, err := db.Writer(build).Applied(t.Context(), projections.Range{First: 1, Last: 9}, log[8].ID); err == nil || !strings.Contains(err.Error(), node.Address) {
			t.Errorf("what is applied is noted on a node that is down: %v", err)
		}
		conversation := projections.RowsOf(log).Messages[0].ConversationID
		if _, err := db.Blank(t.Context(), build, []string{conversation}); err == nil {
			t.Error("an erasure is called done, and one node was not asked")
		}
		node.Start(whole)
		if err := store(t, db, log); err != nil {
			t.Error(err)
		}
		sameFromAll(t, db, log, want)
		if _, err := db.Blank(t.Context(), build, []string{conversation}); err != nil {
			t.Error(err)
		}
		sameRowsEverywhere(t, db)
	})
	t.Run("hangs", func(t *testing.T) {
		if err := syscall.Kill(node.PID(), syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		defer syscall.Kill(node.PID(), syscall.SIGCONT)
		for i := range db.nodes {
			db.preferred.Store(int64(i))
			for try := 1; ; try++ { // who waited for it in vain asks another one
				limited, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				got, err := db.Reader(build).Counts(limited, always)
				cancel()
				if err == nil && got == want {
					break
				}
				if err == nil || try == 2 {
					t.Fatalf("node %d is asked first, try %d: %+v, %v", i+1, try, got, err)
				}
			}
		}
		limited, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		follower := Copies{db}.Follower(build)
		if err := follower.Write(limited, projections.RowsOf(log)); err != nil {
			t.Errorf("the other copy is not written: %v", err)
		}
		if through, err := follower.Applied(limited, projections.Range{First: 1, Last: int64(len(log))}, log[len(log)-1].ID); err != nil || through != int64(len(log)) {
			t.Errorf("the other copy holds up to %d, %v", through, err)
		}
	})
	t.Run("has names of an earlier version", func(t *testing.T) {
		if err := store(t, db, log); err != nil {
			t.Error(err)
		}
		for _, n := range db.nodes {
			at := c.Nodes[slices.IndexFunc(c.Nodes, func(o *enginestest.Node) bool { return o.Address == n.address() })]
			at.Ask(t, "DROP DATABASE "+db.Database(build)+" SYNC")
			at.Ask(t, "RENAME DATABASE "+db.local(n, build)+" TO "+db.Database(build)+shardSuffix)
		}
		if _, made, err := db.Origin(t.Context(), build); !made || err != nil {
			t.Fatalf("made: %t, %v", made, err)
		}
		sameFromAll(t, db, log, want)
		sameRowsEverywhere(t, db)
	})
	t.Run("emptied", func(t *testing.T) {
		wipe(whole, node)
		emptied(t, db, node, log, want)
	})
	t.Run("put back", func(t *testing.T) { putBack(t, db, node, log, want) })
	t.Run("differs", func(t *testing.T) {
		node.Ask(t, "ALTER TABLE "+db.local(db.at(node.Address), build)+".messages DELETE WHERE ordinal = 1 SETTINGS mutations_sync = 2")
		found := differing(t, db)
		if found.Differing == 0 || !strings.Contains(found.Differences[0].String(), node.Address) || found.Differences[0].Table != "messages" {
			t.Errorf("%+v", found)
		}
		if err := db.Refill(t.Context(), builds.Gap{Build: build, Node: node.Address}); err != nil {
			t.Fatal(err)
		}
		fillNode(t, db, node, log, want)
		sameRowsEverywhere(t, db)
	})
	t.Run("has texts elsewhere", func(t *testing.T) {
		rows := db.local(db.at(node.Address), build)
		conversation := node.Ask(t, "SELECT any(conversation_id) FROM "+rows+".messages WHERE text != ''")
		// As a server alone has a build, and what an earlier version left that was interrupted.
		for _, database := range []string{db.Database("b9"), db.Database("b9") + copySuffix} {
			node.Ask(t, "CREATE DATABASE "+database)
			node.Ask(t, "CREATE TABLE "+database+".messages AS "+rows+".messages")
			node.Ask(t, "INSERT INTO "+database+".messages SELECT * FROM "+rows+".messages")
		}
		if had, err := db.Blank(t.Context(), "b9", []string{conversation}); had != 2 || err != nil {
			t.Errorf("%d conversations had texts, %v", had, err)
		}
		if err := db.DropBuild(t.Context(), "b9"); err != nil {
			t.Error(err)
		}
	})
	t.Run("a whole shard is emptied", func(t *testing.T) {
		for replica := range 2 {
			wipe(whole, c.Node(2, replica+1))
		}
		for i := range db.nodes {
			db.preferred.Store(int64(i))
			if n, err := db.Reader(build).ConversationCount(t.Context(), always); KindOf(err) != fault.Outdated && KindOf(err) != fault.Unavailable {
				t.Errorf("%d conversations, %v", n, err)
			}
		}
		_, _, err := db.Origin(t.Context(), build)
		if !errors.Is(err, builds.ErrMismatch) || !strings.Contains(err.Error(), "all of its shard do: bitacora rebuild") {
			t.Errorf("%v", err)
		}
		if err := db.CreateBuild(t.Context(), build); !errors.Is(err, ErrLost) {
			t.Errorf("empty tables were made: %v", err)
		}
		gaps, err := db.Gaps(t.Context(), "")
		if err != nil || len(gaps) != 2 || gaps[0].From != "" {
			t.Errorf("%v, %v", gaps, err)
		}
		if err := db.CreateBuild(t.Context(), "b2"); err != nil { // as a rebuild does
			t.Error(err)
		}
	})
}

func wipe(t *testing.T, n *enginestest.Node) {
	t.Helper()
	n.Kill(t)
	n.Wipe(t)
	n.Start(t)
}

func emptied(t *testing.T, db *DB, node *enginestest.Node, log []event.Recorded, want analytics.Counts) {
	sameFromAll(t, db, log, want)
	if err := db.CreateBuild(t.Context(), build); err != nil {
		t.Errorf("the other copy may be followed: %v", err)
	}
	if made := node.Ask(t, "SELECT count() FROM system.databases WHERE name = '"+db.local(db.at(node.Address), build)+"'"); made != "0" {
		t.Error("empty tables were made")
	}
	if _, made, err := db.Origin(t.Context(), build); !made || err != nil {
		t.Errorf("made: %t, %v", made, err)
	}
	if lacks, err := (Copies{db}).Behind(t.Context(), build, int64(len(log)), 0); err != nil || len(lacks) != 1 || lacks[0].Node != node.Address || !lacks[0].Lost {
		t.Errorf("%+v, %v", lacks, err)
	}
	if err := store(t, db, log); err == nil {
		t.Error("rows are acknowledged that an emptied replica has not")
	}
	gaps, err := db.Gaps(t.Context(), "")
	if err != nil || len(gaps) != 1 || gaps[0].Node != node.Address || gaps[0].From == "" {
		t.Fatalf("%v, %v", gaps, err)
	}
	if _, err := db.Blank(t.Context(), build, []string{"c"}); !errors.Is(err, ErrLost) {
		t.Errorf("an erasure is called done, and the node may be back with its disk: %v", err)
	}
	fillNode(t, db, node, log, want)
	if gaps, err := db.Gaps(t.Context(), ""); err != nil || len(gaps) != 0 {
		t.Errorf("%v, %v", gaps, err)
	}
	if seen := node.Ask(t, "SELECT count() > 0 FROM "+db.views+".messages"); seen != "1" {
		t.Error("analysts see nothing on the node")
	}
	if err := db.CreateBuild(t.Context(), build); err != nil {
		t.Error(err)
	}
	if err := store(t, db, log); err != nil {
		t.Error(err)
	}
}

// fillNode makes the tables of a node that lost them, and writes what it lacks: until then it is not asked.
func fillNode(t *testing.T, db *DB, node *enginestest.Node, log []event.Recorded, want analytics.Counts) {
	t.Helper()
	end, copies := int64(len(log)), Copies{db}
	sameFromAll(t, db, log, want)
	if err := copies.Prepare(t.Context(), build, node.Address, true); err != nil {
		t.Fatal(err)
	}
	sameFromAll(t, db, log, want)
	if lacks, err := copies.Behind(t.Context(), build, end, 0); err != nil || len(lacks) != 1 || lacks[0] != (builds.Lack{Node: node.Address}) {
		t.Errorf("%+v, %v", lacks, err)
	}
	w := copies.Writer(build, node.Address)
	if err := w.Write(t.Context(), projections.RowsOf(log)); err != nil {
		t.Fatal(err)
	}
	sameFromAll(t, db, log, want)
	if through, err := w.Applied(t.Context(), projections.Range{First: 1, Last: end}, log[end-1].ID); err != nil || through != end {
		t.Errorf("it holds up to %d of %d, %v", through, end, err)
	}
	if lacks, err := copies.Behind(t.Context(), build, end, 0); err != nil || len(lacks) != 0 {
		t.Errorf("%+v, %v", lacks, err)
	}
	sameFromAll(t, db, log, want)
	sameRowsEverywhere(t, db)
}

// putBack gives a node the state of an earlier time, as a copy of its disk would.
func putBack(t *testing.T, db *DB, node *enginestest.Node, log []event.Recorded, want analytics.Counts) {
	whole, err := db.Coverage(t.Context(), build)
	if err != nil || whole.Applied != int64(len(log)) {
		t.Fatal(whole, err)
	}
	node.Ask(t, "TRUNCATE TABLE "+db.local(db.at(node.Address), build)+".applied")
	node.Ask(t, "INSERT INTO "+db.local(db.at(node.Address), build)+".applied (first, last, last_event) SELECT 1, 3, (3, toUUID('"+log[2].ID+"'))")
	found, err := db.Coverage(t.Context(), build)
	if err != nil || found.Applied != whole.Applied || found.Last != whole.Last || !slices.Contains(found.Positions, 3) {
		t.Errorf("the other copy holds all: %+v, %v", found, err)
	}
	if lacks, err := (Copies{db}).Behind(t.Context(), build, whole.Applied, 0); err != nil || len(lacks) != 1 || lacks[0].Node != node.Address || lacks[0].After != 3 {
		t.Errorf("%+v, %v", lacks, err)
	}
	sameFromAll(t, db, log, want)
	gaps, err := db.Gaps(t.Context(), node.Address)
	if err != nil || len(gaps) != 1 {
		t.Fatal(gaps, err)
	}
	if err := db.Refill(t.Context(), gaps[0]); err != nil {
		t.Fatal(err)
	}
	fillNode(t, db, node, log, want)
}
