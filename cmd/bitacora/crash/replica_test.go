package crash

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/privacy"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/domain/subjects"
)

// TestAReplicaThatLagsBringsNothingBack: whoever reads the whole log reads it from a replica that has
// neither the last events nor heard of an erasure, and holds the key of it still.
func TestAReplicaThatLagsBringsNothingBack(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p, r := replicated(t, throughServer)
	p.Environ = append(p.Environ, "BITACORA_DATABASE_REPLICA_URL="+r.StandbyURL)
	p.Start()
	a := p.App()
	const gone, stays, late = "esto se borrará del todo", "esto se queda", "esto no lo tiene la réplica"
	programtest.NewVisit(t, a, "gone", programtest.SomeDay).Say(gone)
	kept := programtest.NewVisit(t, a, "kept", programtest.SomeDay)
	kept.Say(stays)
	p.Applied(a)
	r.CutOff(t)
	erasure := subjects.Erasure{By: event.ByOperator, Reason: event.ReasonRequest, Subjects: []string{chat.Stream("gone")}}
	if _, err := privacy.SubjectRegister(a).Erase(t.Context(), erasure); err != nil {
		t.Fatal(err)
	}
	kept.Say(late)
	p.Applied(a)
	conn, err := pgx.Connect(t.Context(), r.StandbyURL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var has, keyed int
	if err := conn.QueryRow(t.Context(), "SELECT count(*), count(*) FILTER (WHERE k.destroyed_at IS NULL AND e.stream LIKE '%gone') FROM events e LEFT JOIN subject_keys k ON k.subject = e.stream").Scan(&has, &keyed); err != nil || keyed == 0 {
		t.Fatalf("the replica has heard of the erasure: %d, %v", keyed, err)
	}
	for _, args := range [][]string{{"rebuild", "--dry-run"}, {"rebuild"}, {"verify"}, {"log", "export", "--personal"}} {
		before := readOf(t, conn)
		out := p.MustRun(args...)
		if read := readOf(t, conn) - before; read < has {
			t.Errorf("%v read %d of %d events from the replica", args, read, has)
		}
		if strings.Contains(out, gone) || strings.Contains(out, "instead of the replica") {
			t.Errorf("%v: %s", args, out)
		}
		if args[0] == "log" && (!strings.Contains(out, stays) || !strings.Contains(out, late)) {
			t.Errorf("the export lacks something: %s", out)
		}
	}
	live, err := a.DB.LiveBuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"gone": "", "kept": "hola " + stays + " " + late} {
		list, err := a.Tables.Reader(live).Messages(t.Context(), id)
		if err != nil || len(list) < 2 {
			t.Fatalf("%v, %v", list, err)
		}
		var texts []string
		for _, m := range list {
			texts = append(texts, m.Text)
		}
		if is := strings.TrimSpace(strings.Join(texts, " ")); is != want {
			t.Errorf("%s says %q, want %q", id, is, want)
		}
	}
	// Its server becomes another one's primary.
	if _, err := conn.Exec(t.Context(), "SELECT pg_promote()"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "INSERT INTO events SELECT position + 1, gen_random_uuid(), 'foreign', 1, type, schema_version, occurred_at, clock_timestamp(), data, NULL, metadata, payload_hash FROM events ORDER BY position DESC LIMIT 1"); err != nil {
		t.Fatal(err)
	}
	if out := p.MustRun("verify"); !strings.Contains(out, "no difference") || !strings.Contains(out, "instead of the replica") || !strings.Contains(out, "of another log") {
		t.Error(out)
	}
}

// readOf is how many rows of the events were read by an index or in a row, once those who read are gone.
func readOf(t *testing.T, conn *pgx.Conn) (n int) {
	t.Helper()
	time.Sleep(time.Second) // until what the last one read is counted
	if err := conn.QueryRow(t.Context(), "SELECT idx_tup_fetch + seq_tup_read FROM pg_stat_user_tables WHERE relname = 'events'").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
