package programtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/app"
)

// Readiness is what the program says of itself to whoever watches it.
func (p *Program) Readiness() (said contract.Readiness, err error) {
	var refused *Refusal
	if err = p.Get("/readyz", "", &said); errors.As(err, &refused) && refused.Status == http.StatusServiceUnavailable {
		err = json.Unmarshal([]byte(refused.Said), &said)
	}
	return said, err
}

// Says compares the readiness of the program with the expected one.
func (p *Program) Says(want contract.Readiness) error {
	said, err := p.Readiness()
	// TestVersion and TestClickHouseIsDamagedUnderTraffic look at these.
	want.Version, want.ClickhouseCause, want.ClickhouseSince, want.OffsiteAsOf = said.Version, said.ClickhouseCause, said.ClickhouseSince, said.OffsiteAsOf
	if err == nil && said != want {
		err = fmt.Errorf("it says %+v, want %+v", said, want)
	}
	return err
}

// askClickHouse sends statements as the program's own user.
func askClickHouse(t *testing.T, a *app.App, statements ...string) string {
	t.Helper()
	u, err := url.Parse(a.At.ClickHouseURL)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/"
	said := ""
	for _, statement := range statements {
		answer, err := HTTPClient.Post(u.String(), "text/plain", strings.NewReader(statement))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %s %v", statement, answer.Status, text, err)
		}
		said = string(text)
	}
	return said
}

// AskPostgres runs statements on a database.
func AskPostgres(t *testing.T, url string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// FullTables makes every table of the live build refuse rows as on a full disk, until undo.
func FullTables(t *testing.T, a *app.App) (undo func()) {
	t.Helper()
	live, err := a.DB.LiveBuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	database := a.Tables.Database(live)
	tables := strings.Fields(askClickHouse(t, a, "SELECT name FROM system.tables WHERE database = '"+database+"'"))
	each := func(change string) {
		for _, table := range tables {
			askClickHouse(t, a, "ALTER TABLE "+database+"."+table+" "+change)
		}
	}
	each("MODIFY SETTING min_free_disk_bytes_to_perform_insert = 1000000000000000000")
	return func() { each("RESET SETTING min_free_disk_bytes_to_perform_insert") }
}

// Refuses waits until the program's dashboard is degraded for a reason that says what to do.
func (p *Program) Refuses(a *app.App, build string, reasons ...string) {
	p.T.Helper()
	p.Eventually("build "+build+" is refused", 30*time.Second, func() error {
		s, err := a.DB.BuildStatus(context.Background(), build)
		if err != nil {
			return err
		}
		return ContainsAll(s.LastError, reasons)
	})
	p.Eventually("the program is degraded", 10*time.Second, func() error {
		return p.Says(contract.Readiness{Status: "degraded", Postgres: "ok", Clickhouse: "stale"})
	})
	out, err := p.Run("", "projections")
	if err == nil {
		p.T.Error("projections did not say that a build is stuck")
	}
	if err := ContainsAll(out, append(reasons, "stuck")); err != nil {
		p.T.Error(err)
	}
}

type missingText struct{ text, wanted string }

func (m missingText) Error() string { return "does not say " + m.wanted + ": " + m.text }

// ContainsAll returns an error for the first text that is missing.
func ContainsAll(text string, wanted []string) error {
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			return missingText{text, w}
		}
	}
	return nil
}

// Diagnosed is what "bitacora doctor --json" says.
type Diagnosed struct {
	Status string
	Checks []Examined
}

// Examined is what it says of one part.
type Examined struct{ ID, Status, Sentence, Command string }

// Of is the part with an id.
func (d Diagnosed) Of(id string) Examined {
	i := slices.IndexFunc(d.Checks, func(c Examined) bool { return c.ID == id })
	if i < 0 {
		return Examined{ID: id}
	}
	return d.Checks[i]
}

// Examined is what doctor says of one part, whatever it finds elsewhere.
func (p *Program) Examined(id string) Examined {
	p.T.Helper()
	out, _ := p.Run("", "doctor", "--json")
	var d Diagnosed
	if err := json.Unmarshal([]byte(out[max(0, strings.Index(out, "{")):]), &d); err != nil {
		p.T.Fatalf("%v\n%s", err, out)
	}
	return d.Of(id)
}
