package postgres_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	osexec "os/exec"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/postgrestest"
)

// BenchmarkAppendProcesses is what 256 callers append who are spread over several processes, which
// share one append lock. Its control are plain single-row INSERTs by the same processes, over 64
// connections in all.
func BenchmarkAppendProcesses(b *testing.B) {
	for _, processes := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("processes=%d", processes), func(b *testing.B) {
			url, keys := durable(b), b.TempDir()
			postgrestest.Open(b, url, keyfiles.Store{Dir: keys})
			exec(b, owner(b, url), plainTable)
			var all []*appendProcess
			for range processes {
				all = append(all, startAppends(b, url, keys, 256/processes, 64/processes))
			}
			control, _ := together(b, all, "plain")
			b.ResetTimer()
			log, groups := together(b, all, "log")
			b.ReportMetric(log, "events/s")
			b.ReportMetric(control, "plain/s")
			b.ReportMetric(log/control, "ratio")
			b.ReportMetric(float64(b.N)/float64(groups), "events/commit")
		})
	}
}

// together has all processes do their share of b.N at once, and gives how many they did in a second
// and in how many groups.
func together(b *testing.B, all []*appendProcess, what string) (perSecond float64, groups int) {
	b.Helper()
	answers := make([]int, len(all))
	var running errgroup.Group
	began := time.Now()
	for i, a := range all {
		running.Go(func() error {
			calls := b.N*(i+1)/len(all) - b.N*i/len(all)
			if _, err := fmt.Fprintln(a.orders, what, calls); err != nil {
				return err
			}
			_, err := fmt.Fscanln(a.answers, &answers[i])
			return err
		})
	}
	if err := running.Wait(); err != nil {
		b.Fatal(err)
	}
	perSecond = float64(b.N) / time.Since(began).Seconds()
	for _, n := range answers {
		groups += n
	}
	return perSecond, groups
}

// appendProcess is a process of [runAppends].
type appendProcess struct {
	orders  io.Writer
	answers *bufio.Reader
}

func startAppends(b *testing.B, url, keys string, callers, connections int) *appendProcess {
	b.Helper()
	command := osexec.Command(os.Args[0], "append", url, keys, strconv.Itoa(callers), strconv.Itoa(connections))
	command.Stderr = os.Stderr
	orders, err := command.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	answers, err := command.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := command.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		orders.Close()
		if err := command.Wait(); err != nil {
			b.Error(err)
		}
	})
	a := &appendProcess{orders: orders, answers: bufio.NewReader(answers)}
	var ready int
	if _, err := fmt.Fscanln(a.answers, &ready); err != nil {
		b.Fatal(err)
	}
	return a
}

// runAppends is this binary as a process of its own: for each line of its input, "log" or "plain" and a
// number, it appends or inserts so many events and answers in how many groups the log has had them.
func runAppends(ctx context.Context, args []string) error {
	callers, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	most, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	db, err := postgres.Open(ctx, args[0], keyfiles.Store{Dir: args[1]}, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer db.Close()
	pool, err := connections(ctx, args[0], most)
	if err != nil {
		return err
	}
	defer pool.Close()
	calls := map[string]func() error{"plain": plainInsert(pool), "log": appendOne(db)}
	for {
		fmt.Println(db.Log().Stats().Groups)
		var what string
		var n int
		switch _, err := fmt.Scanln(&what, &n); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := repeat(n, callers, calls[what]); err != nil {
			return err
		}
	}
}
