package clickhouse

import (
	"context"
	"io"
	"testing"
	"time"

	"bitacora/adapters/engines"
	"bitacora/adapters/engines/enginestest"
	"bitacora/domain/analytics"
	"bitacora/domain/fault"
)

// TestAHungClickHouse: the first question of a request ends when the server gives no sign of life, the
// next are not sent, and once the server goes on, so do questions.
func TestAHungClickHouse(t *testing.T) {
	enginestest.Long(t)
	engine := enginestest.Supervisor(t)
	db := house(t, engine.Endpoints().ClickHouseURL, Cluster{})
	if err := db.CreateBuild(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	r := db.Reader(build)
	count := func(patience time.Duration) error {
		// Without patience a question would wait until here.
		ctx, cancel := context.WithTimeout(WithPatience(t.Context(), patience), time.Minute)
		defer cancel()
		_, err := r.Counts(ctx, always)
		if ctx.Err() != nil {
			t.Fatalf("a question waited for a minute: %v", err)
		}
		return err
	}
	if err := count(time.Hour); err != nil {
		t.Fatal(err)
	}
	// Busy is not hung: while a question takes ten times the patience, the server answers others.
	if err := r.Ask(WithPatience(t.Context(), 200*time.Millisecond), io.Discard, Formats["table"], "SELECT sleep(2)", analytics.Cohort{}, nil); err != nil {
		t.Errorf("a long question: %v", err)
	}

	resume := enginestest.Hang(t, engine.PID(engines.ClickHouse))
	if err := count(time.Second); KindOf(err) != fault.Unavailable {
		t.Errorf("the first question: %v", err)
	}
	for range 3 {
		if err := count(time.Hour); KindOf(err) != fault.Unavailable {
			t.Errorf("a question to a server that is known to hang: %v", err)
		}
	}
	resume()
	for began := time.Now(); count(time.Hour) != nil; time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("the server answers, and is not asked")
		}
	}
}
