package crash

import (
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/clinic"
)

// TestALostShardIsRebuilt empties the only node of a shard: no number is told that lacks what was
// there, and a rebuild makes it anew.
func TestALostShardIsRebuilt(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	c := enginestest.StartCluster(t, 2, 1)
	p := programtest.NewEmbedded(t, "BITACORA_CLICKHOUSE_URL="+c.URL, "BITACORA_CLICKHOUSE_CLUSTER="+enginestest.ClusterName)
	p.MustRun("demo", "--months", "1", "--scale", "0.2")
	p.MustRun("rebuild")
	yesterday := time.Now().In(clinic.Default().Zone).AddDate(0, 0, -1)
	question := "query kpis --run --from " + yesterday.AddDate(0, -1, 0).Format(time.DateOnly) + " --to " + yesterday.Format(time.DateOnly)
	kpis := p.MustRun(strings.Fields(question)...)
	if out := p.MustRun("cluster", "show"); strings.Count(out, "complete") != 2 || !strings.Contains(out, "shard 2, replica 1") {
		t.Error(out)
	}
	lost := c.Node(2, 1)
	lost.Kill(t)
	lost.Wipe(t)
	lost.Start(t)
	for command, says := range map[string]string{
		"cluster show":                   "which no replica has: bitacora rebuild",
		"cluster refill " + lost.Address: "no replica has the rows",
		"cluster refill nobody:123":      "names no node nobody:123",
		question:                         "bitacora: ask: ",
		"verify":                         "as all of its shard do: bitacora rebuild",
		"doctor":                         "as all of its shard do: bitacora rebuild",
	} {
		if out, err := p.Run("", strings.Fields(command)...); err == nil || !strings.Contains(out, says) {
			t.Errorf("%s: %v, want %q:\n%s", command, err, says, out)
		}
	}
	p.MustRun("rebuild")
	if again := p.MustRun(strings.Fields(question)...); again != kpis {
		t.Errorf("before:\n%s\nafter:\n%s", kpis, again)
	}
	if out := p.MustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
}
