package clickhouse

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/engines/enginestest"
	"bitacora/schema"
)

// What is configured wrongly is said in a sentence before anything is written.
func TestNodesHaveToBeThoseOfTheCluster(t *testing.T) {
	c := enginestest.StartCluster(t, 2, 1)
	urlOf := func(nodes ...*enginestest.Node) string {
		var hosts []string
		for _, n := range nodes {
			hosts = append(hosts, n.Address)
		}
		return strings.Replace(c.Nodes[0].URL, c.Nodes[0].Address, strings.Join(hosts, ","), 1)
	}
	first, second := c.Nodes[0], c.Nodes[1]
	for name, test := range map[string]struct {
		url  string
		of   Cluster
		want string
	}{
		"a node is missing":        {urlOf(first), ofTests, "names 1 of the 2 nodes of the cluster bitacora; it lacks shard 2, replica 1 (" + second.Native + ")"},
		"a node stands twice":      {urlOf(first, second, first), ofTests, "names the node at shard 1, replica 1 twice"},
		"another cluster":          {c.URL, Cluster{Name: "other"}, `knows no cluster "other"`},
		"who copies is not agreed": {c.URL, Cluster{Name: ofTests.Name, Keeper: true}, "has internal_replication false"},
	} {
		t.Run(name, func(t *testing.T) {
			db := house(t, test.url, test.of)
			for what, err := range map[string]error{
				"making tables": db.CreateBuild(t.Context(), build),
				"writing":       store(t, db, visit("c", time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC))),
				"looking":       nodesError(t, db),
			} {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%s: %v, want %s", what, err, test.want)
				}
			}
		})
	}
	for url, name := range map[string]string{urlOf(first, second): "", first.URL: "no'name"} {
		if _, err := OpenCluster(url, Cluster{Name: name}, panama(t)); err == nil {
			t.Errorf("%q with the cluster %q is opened", url, name)
		}
	}
	db := house(t, c.URL, ofTests)
	states, err := db.Nodes(t.Context())
	if err != nil || len(states) != 2 || states[1].Place != "shard 2, replica 1" || states[1].Err != nil {
		t.Errorf("%+v, %v", states, err)
	}
	// Of two programs that begin at once, one may look while the other notes.
	if err := db.CreateBuild(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	first.Ask(t, "INSERT INTO "+db.local(db.nodes[0], build)+".build (epoch, version) VALUES ('"+epoch+"', 1)")
	if _, made, err := db.Origin(t.Context(), build); made || err != nil {
		t.Errorf("one node has a note: %t, %v", made, err)
	}
	if err := db.SetOrigin(t.Context(), build, epoch, 1); err != nil {
		t.Fatal(err)
	}
	if _, made, err := db.Origin(t.Context(), build); !made || err != nil {
		t.Errorf("both have one: %t, %v", made, err)
	}
	second.Kill(t)
	states, err = db.Nodes(t.Context())
	if err != nil || states[0].Err != nil || states[1].Err == nil {
		t.Errorf("%+v, %v", states, err)
	}
}

func nodesError(t *testing.T, db *DB) error {
	_, err := db.Nodes(t.Context())
	return err
}

// TestTablesForAKeeper renders what a cluster with Keeper gets, none of which is here: the engine
// parses it.
func TestTablesForAKeeper(t *testing.T) {
	db := house(t, enginestest.ClickHouse(t), Cluster{Name: "clinics", Keeper: true})
	files, err := fs.Glob(schema.ClickHouse, "clickhouse/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	var engines []string
	for _, file := range files {
		statement, err := db.rendered(db.nodes[0], file, build, "bitacora_b1_shard", db.zone)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.nodes[0].exec(t.Context(), "EXPLAIN AST "+statement); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for _, engine := range regexp.MustCompile(`ENGINE = .*|SETTINGS do_not.*|replicated_\w+ = \d+`).FindAllString(statement, -1) {
			engines = append(engines, fmt.Sprintf("%s: %s", filepath.Base(file), strings.ReplaceAll(engine, db.views, "bitacora")))
		}
	}
	const golden = "testdata/keeper.txt"
	got := strings.Join(engines, "\n") + "\n"
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-file +rendered):\n%s", golden, diff)
	}
}

// nodesAt is a cluster called more, with a node at each place.
func nodesAt(places ...place) *DB {
	db := &DB{cluster: Cluster{Name: "more"}}
	for i, p := range places {
		n := newNode(clickhouse.Options{}, fmt.Sprint("h", i+1))
		n.place = p
		db.nodes = append(db.nodes, n)
	}
	return db
}

// A build whose rows lie as another cluster has them is left alone: rows of the same conversation
// would come to lie on two shards.
func TestRowsOfAnotherShardAreNotTakenForTheNodesOwn(t *testing.T) {
	db := nodesAt(place{1, 1}, place{2, 1})
	whole := func(rowsOf string) holding {
		return holding{tables: tablesOfBuild, noted: true, filled: true, rowsOf: rowsOf}
	}
	first, second := whole("shard 1 of 2 of the cluster more"), whole("shard 2 of 2 of the cluster more")
	with := func(h holding, change func(*holding)) holding { change(&h); return h }
	begun := func(h *holding) { h.filled = false }
	unnoted := func(h *holding) { h.filled, h.noted = false, false }
	earlier := func(h *holding) { h.tables-- }
	for name, test := range map[string]struct {
		found []holding
		want  string
	}{
		"complete":            {[]holding{first, second}, ""},
		"not made yet":        {[]holding{{}, {}}, ""},
		"made, and not noted": {[]holding{with(first, unnoted), {}}, ""},
		"noted on one so far": {[]holding{with(first, begun), with(second, unnoted)}, ""},
		"lost before any row": {[]holding{with(first, begun), {}}, ""},
		"an earlier version":  {[]holding{with(first, earlier), with(second, earlier)}, ""},
		"another cluster":     {[]holding{whole("shard 1 of 1 of the cluster less"), {}}, "node h1 holds build b1 as shard 1 of 1 of the cluster less, and is shard 1 of 2 of the cluster more now: bitacora rebuild"},
		"without Keeper":      {[]holding{whole(first.rowsOf + " with Keeper"), second}, "node h1 holds build b1 as shard 1 of 2 of the cluster more with Keeper, and is"},
		"swapped":             {[]holding{second, first}, "node h1 holds build b1 as shard 2 of 2"},
		"lost":                {[]holding{first, {}}, "node h2 (shard 2, replica 1) lacks its rows of build b1, as all of its shard do: bitacora rebuild"},
		"lost a table":        {[]holding{first, with(second, earlier)}, "node h2 (shard 2, replica 1) lacks"},
		"lost its note":       {[]holding{first, with(second, unnoted)}, "node h2 (shard 2, replica 1) lacks"},
	} {
		err := db.lost(build, test.found)
		if test.want == "" && err != nil || test.want != "" && (!errors.Is(err, ErrLost) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

// What nobody fills keeps a build from being followed.
func TestAGapIsWhatIsLost(t *testing.T) {
	db := nodesAt(place{1, 1}, place{1, 2}, place{2, 1})
	of := func(shard int) holding {
		return holding{tables: tablesOfBuild, noted: true, filled: true, rowsOf: fmt.Sprintf("shard %d of 2 of the cluster more", shard)}
	}
	for name, test := range map[string]struct {
		found []holding
		want  string
		lost  string
	}{
		"none":                   {[]holding{of(1), of(1), of(2)}, "[]", ""},
		"empty":                  {[]holding{of(1), {}, of(2)}, "[{b1 h2 h1}]", ""},
		"alone":                  {[]holding{of(1), of(1), {}}, "[{b1 h3 }]", "as all of its shard do: bitacora rebuild"},
		"of another shard":       {[]holding{of(2), of(1), of(2)}, "[{b1 h1 h2}]", "node h1 holds build b1 as shard 2 of 2 of the cluster more, and is shard 1 of 2 of the cluster more now: bitacora cluster refill h1"},
		"nothing to lose so far": {[]holding{{}, {}, {}}, "[]", ""},
	} {
		if gaps := fmt.Sprint(db.gapsOf(build, test.found, "")); gaps != test.want {
			t.Errorf("%s: %s, want %s", name, gaps, test.want)
		}
		if lost := fmt.Sprint(db.lost(build, test.found)); !strings.Contains(lost, test.lost) || test.lost == "" && lost != "<nil>" {
			t.Errorf("%s: %s, want %s", name, lost, test.lost)
		}
	}
	if gaps := fmt.Sprint(db.gapsOf(build, []holding{of(1), of(1), of(2)}, "h1")); gaps != "[{b1 h1 h2}]" {
		t.Errorf("of a node that is named, %s", gaps)
	}
}

// Rows of one subject would come to lie on two shards where two nodes do not mean the same by a
// shard, be it now or before and after a change.
func TestShardsAreTheSameForEverybody(t *testing.T) {
	// seen is the cluster as each of its nodes knows it, who has the host of its number.
	seen := func(hosts ...string) (all [][]member) {
		for own, order := range hosts {
			var list []member
			for i, host := range strings.Fields(order) {
				list = append(list, member{place: place{uint32(i + 1), 1}, host: host, port: 9000, weight: 1, local: host == fmt.Sprint("n", own+1)})
			}
			all = append(all, list)
		}
		return all
	}
	heavy := seen("n1 n2", "n1 n2")
	heavy[0][1].weight, heavy[1][1].weight = 2, 2
	for name, test := range map[string]struct {
		seen [][]member
		want string
	}{
		"the same":                    {seen("n1 n2 n3", "n1 n2 n3", "n1 n2 n3"), ""},
		"others in another order":     {seen("n1 n2 n3", "n3 n2 n1", "n1 n2 n3"), "nodes h1 and h2 know the cluster more differently"},
		"every one in its own order":  {seen("n1 n2", "n2 n1"), "nodes h1 and h2 know the cluster more differently"},
		"more of rows than of others": {heavy, "node h2 has the weight 2"},
	} {
		db := nodesAt(make([]place, len(test.seen))...)
		_, found := db.cluster.compare(db.nodes, test.seen, make([]error, len(test.seen)))
		if err := fmt.Sprint(found); !strings.Contains(err, test.want) || test.want == "" && err != "<nil>" {
			t.Errorf("%s: %s, want %s", name, err, test.want)
		}
	}
	db := nodesAt(place{}, place{})
	for _, order := range []string{"n1 n2", "n1 n2"} {
		if err := db.settle(seen(order, order), make([]error, 2), nil); err != nil {
			t.Error(err)
		}
	}
	if err := db.settle(seen("n2 n1", "n2 n1"), make([]error, 2), nil); err == nil || !strings.Contains(err.Error(), "node h1 was of shard 1 of the cluster more when this program began, and is of shard 2 now") {
		t.Errorf("the order of the shards changed: %v", err)
	}
	away := errors.New("it does not answer")
	for name, test := range map[string]struct {
		errs []error
		left []place
		want place
	}{
		"one is away":                     {[]error{nil, away}, []place{{2, 1}}, place{2, 1}},
		"more are named than there are":   {[]error{nil, away}, nil, place{}},
		"those away cannot be told apart": {[]error{away, away}, []place{{1, 1}, {2, 1}}, place{}},
	} {
		db := nodesAt(place{}, place{})
		if err := db.settle(seen("n1 n2", "n1 n2"), test.errs, test.left); (err == nil) != (test.want != place{}) || err == nil && db.nodes[1].place != test.want {
			t.Errorf("%s: %v, %v", name, db.nodes[1].place, err)
		}
	}
}
