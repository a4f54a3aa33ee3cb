package crash

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/schema"
)

var update = flag.Bool("update", false, "store the data of a program whose file is missing in testdata/earlier")

var earlierPrograms = flag.String("programs", "", "with -update: directory of the bitacora and chserver that make data; empty: those of this checkout")

// firstMigrations are those up to which no two versions of the program lie.
const firstMigrations = "0008_contact_messages.sql"

func earlierFile(migration string) string {
	return filepath.Join(earlierData, strings.TrimSuffix(migration, ".sql")+".tar.gz")
}

// TestEveryMigrationHasData asks for the data of the program that first had a migration.
func TestEveryMigrationHasData(t *testing.T) {
	if *update {
		e := makeEarlier(t, *earlierPrograms)
		names := e.migrations()
		slices.Sort(names)
		for _, name := range slices.Backward(names) {
			if _, err := os.Stat(earlierFile(name)); errors.Is(err, fs.ErrNotExist) {
				e.write(t, earlierFile(name))
				break
			}
		}
	}
	names, err := fs.Glob(schema.Postgres, "postgres/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if name = filepath.Base(name); name < firstMigrations {
			continue
		}
		if _, err := os.Stat(earlierFile(name)); err != nil {
			t.Errorf("%v: go test ./cmd/bitacora/crash -run TestEveryMigrationHasData -update makes it", err)
		}
	}
}

// TestDataOfEarlierVersionsAreUpdated starts the program on what the last one of each schema version
// left, as an operator does who updates.
func TestDataOfEarlierVersionsAreUpdated(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(earlierData, "*.tar.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".tar.gz"), func(t *testing.T) { updates(t, readEarlier(t, file)) })
	}
}

func updates(t *testing.T, e earlier) {
	url := enginestest.Postgres(t)
	p := programtest.NewEmbedded(t, "BITACORA_DATABASE_URL="+url, "BITACORA_CLICKHOUSE_URL="+enginestest.ClickHouse(t))
	data := filepath.Join(p.Dir, "data")
	p.Environ = append(p.Environ, "BITACORA_KEYS_DIR="+filepath.Join(data, "keys"))
	e.putBack(t, url, data)
	p.Start()
	p.Eventually("the tables are made anew", time.Minute, func() error {
		out, err := p.Run("", "rebuild")
		if err != nil {
			return errors.New(out)
		}
		return nil
	})
	if out := p.MustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	p.MustRun("log", "check")
	now := statement{From: e.said.From, To: e.said.To}
	now.ask(p, p.SignInAgain())
	for name, before := range e.said.KPIs {
		if !reflect.DeepEqual(now.KPIs[name], before) {
			t.Errorf("%s was %v and is %v", name, before, now.KPIs[name])
		}
	}
	if !reflect.DeepEqual(now.Texts, e.said.Texts) {
		t.Errorf("the texts were\n%q\nand are\n%q", e.said.Texts, now.Texts)
	}
	if !slices.Equal(now.Contacts, e.said.Contacts) {
		t.Errorf("the contacts were %q and are %q", e.said.Contacts, now.Contacts)
	}
	if _, readable := now.Texts[e.said.Erased]; readable {
		t.Errorf("who was erased can be read: %q", now.Texts[e.said.Erased])
	}
	if !slices.Equal(now.Pages, e.said.Pages) {
		t.Errorf("the pages were %q and are %q", e.said.Pages, now.Pages)
	}
}
