package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
)

// TestTwoClinicsOnTheSameServers has them do everything that touches the servers: the other one is
// left as it was. Its views have a name that begins as the first one's builds do.
func TestTwoClinicsOnTheSameServers(t *testing.T) {
	enginestest.Long(t)
	at := enginestest.Supervisor(t).Endpoints()
	page, err := os.ReadFile("../../../schema/SERVERS.md")
	if err != nil {
		t.Fatal(err)
	}
	boss, err := pgx.Connect(t.Context(), strings.Replace(at.DatabaseURL, "/bitacora", "/postgres", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer boss.Close(context.Background())
	admin := func(statements string) {
		t.Helper()
		for statement := range strings.SplitSeq(statements, ";\n") {
			if _, err := boss.Exec(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
	}
	blocks := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllSubmatch(page, 2)
	// The server of this test has the first clinic's database.
	admin(strings.Replace(string(blocks[0][1]), "CREATE DATABASE bitacora OWNER", "ALTER DATABASE bitacora OWNER TO", 1))
	second := string(blocks[1][1])

	as := func(user, password, database string) string {
		u, err := url.Parse(at.DatabaseURL)
		if err != nil {
			t.Fatal(err)
		}
		u.User, u.Path = url.UserPassword(user, password), database
		return u.String()
	}
	type one struct {
		*programtest.Program
		database, views string
		app             *app.App
	}
	begin := func(database, views string) *one {
		c := &one{Program: programtest.NewEmbedded(t,
			"BITACORA_DATABASE_URL="+as(database+"_worker", "and this", database), "BITACORA_MIGRATION_URL="+as(database+"_owner", "change this", database),
			"BITACORA_CLICKHOUSE_URL="+strings.Replace(at.ClickHouseURL, "/bitacora", "/"+views, 1), "BITACORA_MASTER_KEY="+keyfiles.NewMasterKey().Text()), database: database, views: views}
		c.Start()
		c.SignIn()
		c.app = c.Program.App()
		for i := range 3 {
			programtest.NewVisit(t, c.app, fmt.Sprint("visit-", i), time.Date(2026, 11, 10, 15, i, 0, 0, time.UTC)).Say("¿Cuánto cuesta una limpieza?")
		}
		if err := c.Post("/api/chatbot", map[string]string{"sessionId": "s", "message": "mi cédula es " + plantedDocument}, nil); err != nil {
			t.Fatal(err)
		}
		c.Applied(c.app)
		c.Published(c.app)
		return c
	}
	// state is what a clinic's log, builds and views tell.
	state := func(c *one) string {
		head, err := c.app.DB.Log().Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		log, err := c.app.DB.Log().Fingerprint(t.Context(), head)
		if err != nil {
			t.Fatal(err)
		}
		live, err := c.app.DB.LiveBuild(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		names, err := c.app.Tables.BuildNames(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		inLog, inTables := programtest.ReadableTexts(t, c.app, 3)
		return fmt.Sprint(head, log, live, names, programtest.Channels(t, c.app, "conversations"), inLog, inTables)
	}
	examine := func(c *one, postgres string) {
		t.Helper()
		var r programtest.Diagnosed
		if err := json.Unmarshal([]byte(c.MustRun("doctor", "--json")), &r); err != nil || r.Status == "failed" {
			t.Errorf("the doctor of %s: %v, %+v", c.database, err, r)
		}
		if got := r.Of("postgres"); got.Status != postgres {
			t.Errorf("the doctor of %s says %+v", c.database, got)
		}
	}

	north := begin("bitacora", "bitacora")
	examine(north, "ok")
	lines := strings.SplitAfter(second, ";\n")
	admin(strings.Join(lines[:4], ""))
	south := begin("sur", "bitacora_sur")
	examine(north, "warning")
	admin(strings.Join(lines[4:], ""))
	for user, database := range map[string]string{"bitacora_worker": "sur", "sur_worker": "bitacora"} {
		if conn, err := pgx.Connect(t.Context(), as(user, "and this", database)); err == nil {
			conn.Close(t.Context())
			t.Errorf("%s is let into %s", user, database)
		}
	}
	both := []*one{north, south}
	for i, c := range both {
		other := both[1-i]
		examine(c, "ok")
		was := state(other)
		c.MustRun("privacy", "erase", plantedDocument, "--yes", "--now")
		c.MustRun("rebuild")
		if said := c.MustRun("migrate"); !strings.Contains(said, "CREATE ROLE IF NOT EXISTS analysts_"+c.views+";") || strings.Contains(said, "`"+other.views+"`") {
			t.Errorf("the role of %s:\n%s", c.database, said)
		}
		c.MustRun("backup", "one")
		c.MustRun("verify")
		if c == north {
			// The server is another clinic's, too: this one's database alone is made anew.
			c.Stop()
			c.app.Close()
			admin("DROP DATABASE bitacora;\nCREATE DATABASE bitacora OWNER bitacora_owner;\n" + strings.Join(lines[6:], ""))
			c.MustRun("restore", "one")
			c.Start()
			c.app = c.Program.App()
			c.Applied(c.app)
			if out, err := c.Run("", "privacy", "find", plantedDocument); err == nil {
				t.Errorf("who was erased is back: %s", out)
			}
		}
		if is := state(other); is != was {
			t.Errorf("after what %s did, %s is\n%s, and was\n%s", c.database, other.database, is, was)
		}
		other.MustRun("verify")
		if c == north { // who was erased there is known here, too
			other.MustRun("privacy", "find", plantedDocument)
		}
		examine(c, "ok")
		examine(other, "ok")
	}
	// Who may read one clinic's views, as the role of a server may, reads nothing of the other.
	analysts := &app.App{At: at}
	north.Eventually("the views are those of the build that was restored", time.Minute, func() error {
		if said := programtest.AskAnalyst(t, analysts, "SELECT count() FROM bitacora.conversations"); said != "4\n" {
			return errors.New(said)
		}
		return nil
	})
	for _, table := range []string{"bitacora_sur.conversations", "bitacora_sur_b2.messages"} {
		if said := programtest.AskAnalyst(t, analysts, "SELECT count() FROM "+table); !strings.Contains(said, "ACCESS_DENIED") {
			t.Errorf("%s: %s", table, said)
		}
	}
}
