// Package simulation runs whatever keeps the tables up with the log through thousands of
// histories: processes that are killed, answers that get lost, leases that are taken away,
// clocks that jump, databases that are put back to an earlier state. The stores are in memory,
// time is that of a bubble, and a seed decides everything else, so that a history that fails can
// be looked at again:
//
//	BITACORA_SIMULATION_SEED=42 go test ./projections/simulation -run Histories -v
//
// Everything above the stores is what the program runs, Watermill's router included. What it does
// not try: two workers of one replay, whose calls could not be told apart; Postgres that goes back
// in parts while a batch is half written; a write that reaches the tables long after its process gave it up.
package simulation

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var (
	histories  = flag.Int("histories", 1_500, "how many histories are simulated")
	reproduced = flag.Int("reproduced", 100, "how many histories are simulated twice")
)

func TestHistories(t *testing.T) {
	if seed := os.Getenv("BITACORA_SIMULATION_SEED"); seed != "" {
		n, err := strconv.ParseUint(seed, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		w := simulate(t, n)
		t.Log("\n" + w.describe(len(w.steps)))
		if w.failure != nil {
			t.Error(w.failure)
		}
		return
	}
	simulateAll(t, *histories)
}

func TestTenThousandHistories(t *testing.T) {
	long(t)
	simulateAll(t, 10_000)
}

// long leaves a test to npm run test:long.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("npm run test:long")
	}
}

func simulateAll(t *testing.T, histories int) {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // what a history leaves behind is small
	began := time.Now()
	var next atomic.Uint64
	var mu sync.Mutex
	calls, tally := 0, map[string]int{}
	t.Run("all", func(t *testing.T) {
		for range runtime.GOMAXPROCS(0) {
			t.Run("some", func(t *testing.T) {
				t.Parallel()
				for seed := next.Add(1) - 1; seed < uint64(histories) && !t.Failed(); seed = next.Add(1) - 1 {
					w := simulate(t, seed)
					mu.Lock()
					calls += w.calls
					for what, times := range w.tally {
						tally[what] += times
					}
					mu.Unlock()
					if w.failure != nil {
						t.Errorf("history %d: %v\nits last steps:\n%s", seed, w.failure, w.describe(60))
					}
				}
			})
		}
	})
	t.Logf("%d histories with %d calls in %v", histories, calls, time.Since(began).Round(time.Millisecond))
	t.Log("among it: ", tally)
}

// A seed says all about a history, so that one that failed can be looked at again.
func TestASeedReproducesAHistory(t *testing.T) {
	for seed := range uint64(*reproduced) {
		one, other := simulate(t, seed), simulate(t, seed)
		if diff := cmp.Diff(strings.Split(one.describe(1e6), "\n"), strings.Split(other.describe(1e6), "\n")); diff != "" {
			t.Fatalf("history %d happens differently (-one +other):\n%s", seed, diff)
		}
	}
}

func simulate(t *testing.T, seed uint64) (w *world) {
	synctest.Test(t, func(*testing.T) {
		w = newWorld(seed)
		w.run()
	})
	return w
}
