package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/projections"
	"bitacora/projections/feed"
)

// load runs n writers for a while; each call of write commits one event and gives its
// position. It gives all positions, sorted.
func load(n int, d time.Duration, write func(writer, i int) int64) []int64 {
	var mu sync.Mutex
	var committed []int64
	var running sync.WaitGroup
	until := time.Now().Add(d)
	for w := range n {
		running.Go(func() {
			for i := 0; time.Now().Before(until); i++ {
				position := write(w, i)
				mu.Lock()
				committed = append(committed, position)
				mu.Unlock()
			}
		})
	}
	running.Wait()
	slices.Sort(committed)
	return committed
}

// appender appends one message after another to streams of its own, and repeats what was
// not answered, with the same ids.
func appender(t testing.TB, log *postgres.Log) func(writer, i int) int64 {
	return func(writer, i int) int64 {
		a := request(fmt.Sprintf("chat-%d-%d", writer, i), 0, said("hola"))
		recorded, err := log.Append(context.Background(), a)
		for postgres.Unavailable(err) {
			recorded, err = log.Append(context.Background(), a)
		}
		if err != nil {
			t.Error(err)
			return 0
		}
		return recorded[0].Position
	}
}

// missing counts the committed positions that were not delivered.
func missing(committed, delivered []int64) int {
	seen := map[int64]bool{}
	for _, position := range delivered {
		seen[position] = true
	}
	n := 0
	for _, position := range committed {
		if !seen[position] {
			n++
		}
	}
	return n
}

func isDense(positions []int64) bool {
	for i, position := range positions {
		if position != int64(i+1) {
			return false
		}
	}
	return true
}

// drain acks every batch until stop is closed or the subscription ends, and then gives the
// positions in the order in which they came.
func drain(t testing.TB, messages <-chan *message.Message, stop <-chan struct{}) func() []int64 {
	var delivered []int64
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case msg, subscribed := <-messages:
				if !subscribed {
					return
				}
				b, err := projections.BatchOf(msg)
				if err != nil {
					t.Error(err)
					return
				}
				for _, e := range b.Events {
					delivered = append(delivered, e.Position)
				}
				msg.Ack()
			case <-stop:
				return
			}
		}
	}()
	return func() []int64 {
		<-done
		return delivered
	}
}

func TestNoEventIsLostOnTheWayToASubscriber(t *testing.T) {
	_, db := fresh(t)
	_, messages := subscribe(t, db, feed.Config{BatchSize: 100})
	stop := make(chan struct{})
	delivered := drain(t, messages, stop)
	committed := load(16, 3*time.Second, appender(t, db.Log()))
	eventually(t, "everything applied", func() bool { return through(t, db) == int64(len(committed)) })
	close(stop)

	t.Logf("%d events committed by 16 writers", len(committed))
	if !isDense(committed) {
		t.Error("positions have holes")
	}
	if got := delivered(); !slices.Equal(got, committed) {
		t.Errorf("%d committed, %d delivered, %d lost", len(committed), len(got), missing(committed, got))
	}
}

// The control of the test above: the usual table with a sequence, read by position > last.
// Transactions that commit in another order than they drew their numbers in are passed
// over, and the same comparison finds it.
func TestSequenceCursorWouldLoseEvents(t *testing.T) {
	url, _ := fresh(t)
	conn := owner(t, url)
	exec(t, conn, "CREATE TABLE ordinary (position bigserial PRIMARY KEY, data text)")
	pool, err := pgxpool.New(t.Context(), url+"&pool_max_conns=16")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()

	stop, done := make(chan struct{}), make(chan struct{})
	var delivered []int64
	go func() {
		defer close(done)
		for last := int64(0); ; {
			select {
			case <-stop:
				return
			default:
			}
			rows, _ := conn.Query(context.Background(), "SELECT position FROM ordinary WHERE position > $1 ORDER BY position", last)
			batch, err := pgx.CollectRows(rows, pgx.RowTo[int64])
			if err != nil {
				t.Error(err)
				return
			}
			if delivered = append(delivered, batch...); len(batch) > 0 {
				last = batch[len(batch)-1]
			}
		}
	}()
	committed := load(16, 2*time.Second, func(int, int) (position int64) {
		err := pgx.BeginFunc(context.Background(), pool, func(tx pgx.Tx) error {
			err := tx.QueryRow(context.Background(), "INSERT INTO ordinary (data) VALUES ('hola') RETURNING position").Scan(&position)
			time.Sleep(rand.N(3 * time.Millisecond))
			return err
		})
		if err != nil {
			t.Error(err)
		}
		return position
	})
	time.Sleep(200 * time.Millisecond)
	close(stop)
	<-done
	lost := missing(committed, delivered)
	t.Logf("%d of %d events lost by a sequence cursor", lost, len(committed))
	if lost == 0 {
		t.Error("the control lost nothing: the test of the log proves nothing")
	}
}

func TestKilledConnectionsLoseNoAcknowledgedEvent(t *testing.T) {
	enginestest.Long(t)
	surviveFaults(t, 150*time.Millisecond, func(ctx context.Context, url string) error {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		return err
	})
}

// One killed process makes Postgres drop all others and its shared memory, and recover from
// its journal.
func TestCrashOfPostgresLosesNoAcknowledgedEvent(t *testing.T) {
	enginestest.Long(t)
	surviveFaults(t, time.Second, func(ctx context.Context, url string) error {
		conn, err := pgx.Connect(ctx, url)
		if postgres.Unavailable(err) {
			return nil
		}
		if err != nil {
			return err
		}
		defer conn.Close(ctx)
		// A process that another fault has just taken down is struck as well.
		if err := syscall.Kill(int(conn.PgConn().PID()), syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
			return err
		}
		return nil
	})
}

// surviveFaults appends through two processes' worth of writers while a fault strikes again
// and again, and proves that the log holds exactly what was acknowledged, without holes,
// and that all of it was delivered in order.
func surviveFaults(t *testing.T, every time.Duration, fault func(ctx context.Context, url string) error) {
	url, db := fresh(t)
	boss := owner(t, url)
	// The engine for tests answers before the journal is written, which the product's does not.
	exec(t, boss, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$`)
	ours, theirs := open(t, url, testKey), open(t, url, testKey)
	_, messages := subscribe(t, ours, feed.Config{BatchSize: 100, Lease: 2 * time.Second})
	stop := make(chan struct{})
	delivered := drain(t, messages, stop)

	struck, enough := make(chan int), make(chan struct{})
	go func() {
		rounds := 0
		defer func() { struck <- rounds }()
		for ; ; rounds++ {
			select {
			case <-enough:
				return
			case <-time.After(every/2 + rand.N(every)):
			}
			if err := fault(context.Background(), url); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	appenders := []func(writer, i int) int64{appender(t, ours.Log()), appender(t, theirs.Log())}
	committed := load(16, 4*time.Second, func(writer, i int) int64 { return appenders[writer%2](writer, i) })
	close(enough)
	t.Logf("%d events committed through %d faults", len(committed), <-struck)

	eventually(t, "everything applied", func() bool {
		position, _, err := db.DataThrough(t.Context(), "reader")
		return err == nil && position == int64(len(committed))
	})
	close(stop)
	if !isDense(committed) {
		t.Errorf("the acknowledged positions are not 1 to %d", len(committed))
	}
	got := delivered()
	if n := missing(committed, got); n > 0 {
		t.Errorf("%d acknowledged events were not delivered", n)
	}
	// A batch may come again, but the log never jumps ahead.
	for i, high := 0, int64(0); i < len(got); i++ {
		if got[i] > high+1 {
			t.Fatalf("delivered %d after %d", got[i], high)
		}
		high = max(high, got[i])
	}
	if report, err := db.Log().Check(t.Context(), nil); err != nil || len(report.Findings) > 0 {
		t.Errorf("check: %v, %v", report.Findings, err)
	}
}
