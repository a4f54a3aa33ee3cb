package chserver

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/adapters/clickhouse/access"
)

func TestParametersNeverMix(t *testing.T) {
	c := dial(t, shared, access.App, compressions["lz4"])
	if err := c.Exec(t.Context(), "CREATE TABLE mixed (n UInt64, s String) ENGINE = MergeTree ORDER BY n"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	var work sync.WaitGroup
	var mutex sync.Mutex
	counts := map[string]int{}
	count := func(what string) {
		mutex.Lock()
		defer mutex.Unlock()
		counts[what]++
	}
	for reader := range 8 {
		work.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				want := uint64(reader*1_000_000 + i)
				query, stop := context.WithCancel(context.Background())
				cancelled := i%5 == 4
				if cancelled {
					time.AfterFunc(time.Duration(i%7)*time.Millisecond, stop)
				}
				bound := clickhouse.Context(query, clickhouse.WithParameters(clickhouse.Parameters{"n": fmt.Sprint(want)}))
				var got, rows uint64
				err := c.QueryRow(bound, "SELECT {n:UInt64}, count() FROM mixed WHERE n % 1000 = {n:UInt64} % 1000").Scan(&got, &rows)
				stop()
				switch {
				case err == nil && got == want:
					count("right")
				case err == nil:
					t.Errorf("asked with %d, answered with %d", want, got)
				case cancelled:
					count("cancelled")
				default:
					t.Errorf("reader: %v", err)
				}
			}
		})
	}
	inserted := uint64(0)
	for ctx.Err() == nil {
		batch, err := c.PrepareBatch(context.Background(), "INSERT INTO mixed")
		if err != nil {
			t.Fatal(err)
		}
		for range 1000 {
			if err := batch.Append(inserted, "x"); err != nil {
				t.Fatal(err)
			}
			inserted++
		}
		if err := batch.Send(); err != nil {
			t.Fatal(err)
		}
	}
	work.Wait()
	if got := shared.must(t, "SELECT count(), sum(n) FROM mixed"); got != fmt.Sprintf("%d\t%d", inserted, inserted*(inserted-1)/2) {
		t.Errorf("inserted %d, stored %s", inserted, got)
	}
	if counts["right"] == 0 || counts["cancelled"] == 0 {
		t.Errorf("%v", counts)
	}
	eventually(t, "cancelled statements still run", func() bool {
		return shared.must(t, "SELECT count() FROM system.processes WHERE query LIKE '%FROM mixed WHERE%' AND query NOT LIKE '%processes%'") == "0"
	})
	t.Logf("%v, %d rows inserted", counts, inserted)
}

func TestMemoryIsGivenBack(t *testing.T) {
	long(t)
	for range 15 {
		shared.post(t, access.App, "SELECT number FROM numbers(1000000) FORMAT JSON", "max_result_rows", "0")
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", shared.command.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	var kilobytes int
	for line := range strings.Lines(string(status)) {
		fmt.Sscanf(line, "VmRSS: %d kB", &kilobytes)
	}
	if kilobytes > 1_600_000 {
		t.Errorf("%d MB resident", kilobytes>>10)
	}
}
