package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/projections/builds"
)

// isStuck waits until the live build stands still for a reason, and holds what an operator
// is told against what a program is.
func isStuck(p *programtest.Program, reasons ...string) {
	p.T.Helper()
	var reported string
	p.Eventually("projections says why the build is stuck", time.Minute, func() error {
		out, err := p.Run("", "projections", "--json", "--window", "100ms")
		if err == nil {
			return fmt.Errorf("nothing is stuck: %s", out)
		}
		line, _, _ := strings.Cut(out, "\n")
		var list []builds.Inspection
		if err := json.Unmarshal([]byte(line), &list); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		if len(list) != 1 || !list[0].Stuck || list[0].LagEvents == 0 || list[0].Owner == "" {
			return errors.New(out)
		}
		reported = list[0].Reason
		return programtest.ContainsAll(reported, reasons)
	})
	out, err := p.Run("", "projections", "--window", "100ms")
	if err == nil {
		p.T.Error("projections did not say by its exit code that a build is stuck")
	}
	if err := programtest.ContainsAll(out, append(reasons, "stuck: ")); err != nil {
		p.T.Error(err)
	}
}

// moves waits until the build has caught up, and no longer counts as stuck.
func moves(p *programtest.Program, a *app.App) {
	p.T.Helper()
	p.Applied(a)
	if out := p.MustRun("projections"); !strings.Contains(out, "up to date") {
		p.T.Error(out)
	}
}

func TestProjectionsNamesTheLockThatABuildWaitsFor(t *testing.T) {
	enginestest.Long(t)
	p, a, visits := programtest.Running(t)
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, a.At.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var holder int
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&holder); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(ctx, "SELECT position FROM projection_checkpoints WHERE projection = 'b1' FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	visits[0].Say("¿siguen ahí?")
	isStuck(p, "UPDATE projection_checkpoints", fmt.Sprintf("waits for a lock of session %d (SELECT position FROM projection_checkpoints", holder))
	if _, err := conn.Exec(ctx, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	moves(p, a)
}

func TestProjectionsNamesTheStatementThatABuildWaitsFor(t *testing.T) {
	enginestest.Long(t)
	p, a, visits := programtest.RunningEmbedded(t)
	ctx := context.Background()
	b1 := programtest.Tables(t, a, "b1")
	// ClickHouse holds inserts back where a table has more parts than it is allowed.
	for _, statement := range []string{
		"SYSTEM STOP MERGES messages",
		"ALTER TABLE messages MODIFY SETTING parts_to_delay_insert = 1, min_delay_to_insert_ms = 200000, max_delay_to_insert = 200",
	} {
		if err := b1.Exec(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	visits[0].Say("¿siguen ahí?")
	isStuck(p, "waits for ClickHouse: ", "INSERT INTO messages")
	if err := b1.Exec(ctx, "ALTER TABLE messages RESET SETTING parts_to_delay_insert, min_delay_to_insert_ms, max_delay_to_insert"); err != nil {
		t.Fatal(err)
	}
	p.Kill("clickhouse") // an insert that is held back cannot be ended otherwise
	moves(p, a)
}
