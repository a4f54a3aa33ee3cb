package clickhouse

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
)

func TestOpenRefusesWhatCannotWork(t *testing.T) {
	for url, want := range map[string]string{
		"clickhouse://127.0.0.1:9000/bitacora":    "http://",
		"http://127.0.0.1:8123/bad-name":          "no database name",
		"http://127.0.0.1:8123/x;DROP%20DATABASE": "no database name",
		"http://": "parse ClickHouse URL",
	} {
		if _, err := Open(url, panama(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want something about %q", url, err, want)
		}
	}
	if _, err := Open("http://127.0.0.1:8123", time.Local); err == nil {
		t.Error("the machine's own zone was taken for the business zone")
	}
}

func TestDatabasesAreNamedByTheURL(t *testing.T) {
	for url, want := range map[string]string{
		"http://127.0.0.1:8123":         "bitacora_b7",
		"http://127.0.0.1:8123/":        "bitacora_b7",
		"http://127.0.0.1:8123/clinica": "clinica_b7",
	} {
		db, err := Open(url, panama(t))
		if err != nil {
			t.Fatal(err)
		}
		if got := db.Database("b7"); got != want {
			t.Errorf("%s: builds are named %s, want %s", url, got, want)
		}
	}
}

// TestNamesOfClinicsMayBeginAlike: what is another clinic's is no build of this one.
func TestNamesOfClinicsMayBeginAlike(t *testing.T) {
	address := enginestest.ClickHouse(t)
	db, sur := house(t, address, Cluster{}), house(t, address+"_sur", Cluster{})
	create(t, db, build)
	create(t, sur, "b2")
	if err := errors.Join(sur.PublishViews(t.Context(), "b2"), sur.Writer("b2").Write(t.Context(), rowsOfEveryTable(t))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sur.nodes[0].exec(context.WithoutCancel(t.Context()), "DROP DATABASE "+sur.ViewsDatabase()+" SYNC"); err != nil {
			t.Error(err)
		}
	})
	for house, want := range map[*DB]string{db: build, sur: "b2"} {
		if names, err := house.BuildNames(t.Context()); err != nil || !slices.Equal(names, []string{want}) {
			t.Errorf("%s has the builds %v, %v; want %s", house.ViewsDatabase(), names, err, want)
		}
	}
	if a, err := db.About(t.Context()); err != nil || a.Bytes > 0 {
		t.Errorf("empty tables take %d bytes, %v", a.Bytes, err)
	}
	if a, err := sur.About(t.Context()); err != nil || a.Bytes == 0 {
		t.Errorf("full tables take %d bytes, %v", a.Bytes, err)
	}
}

func TestWaitOutlastsAServerThatIsDown(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	db, err := Open("http://"+address+"/bitacora", panama(t))
	if err != nil {
		t.Fatalf("a server that is down must not keep the program from starting: %v", err)
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := db.Wait(ctx); err == nil || ctx.Err() == nil {
		t.Errorf("waiting ended with %v before the context did", err)
	}
}

func TestBuildsComeAndGo(t *testing.T) {
	db, err := Open(enginestest.ClickHouse(t), panama(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		create(t, db, "b3")
		write(t, db, nil)
	}
	if err := db.DropBuild(t.Context(), "b3"); err != nil {
		t.Fatal(err)
	}
	if err := db.DropBuild(t.Context(), "b3"); err != nil {
		t.Errorf("dropping what is gone: %v", err)
	}
	create(t, db, "b3")
	for _, bad := range []string{"", "B1", "b-1", "b1; DROP DATABASE bitacora", "1"} {
		if db.CreateBuild(t.Context(), bad) == nil || db.DropBuild(t.Context(), bad) == nil || db.PublishViews(t.Context(), bad) == nil {
			t.Errorf("%q was taken for a build name", bad)
		}
	}
}
