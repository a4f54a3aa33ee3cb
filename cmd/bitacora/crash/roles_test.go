package crash

import (
	"context"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/cmd/bitacora/programtest"
)

// connected lists who is connected to a database, but for this question.
func connected(t *testing.T, url string) (users []string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(t.Context(), `SELECT DISTINCT usename::text FROM pg_stat_activity
		WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY 1`)
	if err == nil {
		users, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		t.Fatal(err)
	}
	return users
}

func TestTheProgramWorksAsTheWorker(t *testing.T) {
	enginestest.Long(t)
	p, a, _ := programtest.RunningEmbedded(t)
	if got := connected(t, a.At.DatabaseURL); !slices.Equal(got, []string{"bitacora_worker"}) {
		t.Errorf("connected are %v", got)
	}
	p.MustRun("rebuild")
	if got := connected(t, a.At.DatabaseURL); !slices.Equal(got, []string{"bitacora_worker"}) {
		t.Errorf("after a rebuild, connected are %v", got)
	}
}

// TestTwoUsersForAServerOfYourOwn does what the page about servers says.
func TestTwoUsersForAServerOfYourOwn(t *testing.T) {
	enginestest.Long(t)
	at := enginestest.Supervisor(t).Endpoints()
	page, err := os.ReadFile("../../../schema/SERVERS.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```sql\n(.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("the page shows no SQL")
	}
	boss, err := pgx.Connect(t.Context(), at.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	defer boss.Close(context.Background())
	// The server of this test has a database of the usual name.
	for statement := range strings.SplitSeq(strings.Replace(string(block[1]), "DATABASE bitacora", "DATABASE clinic", 1), ";\n") {
		if _, err := boss.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	as := func(user, password string) string {
		u, err := url.Parse(at.DatabaseURL)
		if err != nil {
			t.Fatal(err)
		}
		u.User, u.Path = url.UserPassword(user, password), "clinic"
		return u.String()
	}
	p := programtest.NewEmbedded(t, "BITACORA_DATABASE_URL="+as("bitacora_worker", "and this"), "BITACORA_CLICKHOUSE_URL="+at.ClickHouseURL,
		"BITACORA_MASTER_KEY="+keyfiles.NewMasterKey().Text())
	if out, err := p.Run("", "migrate"); err == nil || !strings.Contains(out, "BITACORA_MIGRATION_URL") {
		t.Errorf("the worker migrates: %v\n%s", err, out)
	}
	worker := p.Environ
	p.Environ = append(slices.Clone(worker), "BITACORA_MIGRATION_URL="+as("bitacora_owner", "change this"))
	p.MustRun("migrate")
	owner := p.Environ

	p.Environ = worker
	p.Start()
	if err := p.Post("/api/chatbot", map[string]string{"sessionId": "s", "message": "¿Dónde quedan?"}, nil); err != nil {
		t.Error(err)
	}
	p.MustRun("backup", "one")
	if got := connected(t, as("bitacora_worker", "and this")); !slices.Equal(got, []string{"bitacora_worker"}) {
		t.Errorf("connected are %v", got)
	}
	if out, err := p.Run("", "log", "adopt-epoch"); err == nil || !strings.Contains(out, "BITACORA_MIGRATION_URL") {
		t.Errorf("the worker adopts: %v\n%s", err, out)
	}
	p.Stop()
	p.Environ = owner
	p.MustRun("log", "adopt-epoch")
}
