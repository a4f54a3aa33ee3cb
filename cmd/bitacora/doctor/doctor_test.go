package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/keyfiles"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/settings"
	"bitacora/domain/clinic"
	"bitacora/domain/retention"
	"bitacora/projections/builds"
)

// TestTheDoctorFindsEveryFault brings about each state that an examination is there for, with the real
// engines, and with figures where the state itself cannot be had (a full disk, another clock).
func TestTheDoctorFindsEveryFault(t *testing.T) {
	enginestest.Long(t)
	p, a, visits := programtest.RunningEmbedded(t)
	p.Here()
	p.SignIn()
	found := map[string]bool{}
	r := diagnosis(t, nil)
	for _, c := range r.Checks {
		if c.Status == statusFailed {
			t.Errorf("nothing is wrong, and it says %+v", c)
		}
	}
	bundle := a.Config.BundleFile()
	p.MustRun("keys", "bundle")
	const healthy = `{"status": "ok"}`
	plain, secure := httptest.NewServer, httptest.NewTLSServer
	diagnose(t, []state{
		{name: "a misspelt value", cause: withSetting("BITACORA_LOG_FORMAT", "xml"), id: "configuration", status: statusFailed, says: "neither text nor json", todo: "correct it", others: []string{"postgres", "clickhouse", "log", "keys"}},
		{name: "a file with a mistake", cause: func(t *testing.T) func() {
			path := filepath.Join(t.TempDir(), "clinic.json")
			programtest.Write(t, path, []byte(`{"zone": "Nowhere/At"}`), 0o600)
			t.Setenv("BITACORA_CLINIC_FILE", path)
			return nil
		}, id: "clinic", status: statusFailed, says: "Nowhere/At", todo: "bitacora clinic check", others: []string{"postgres", "log"}},

		{name: "no such address", cause: withSetting("BITACORA_ADDR", "192.0.2.1:80"), id: "port", status: statusFailed, says: "192.0.2.1", todo: "BITACORA_ADDR"},
		{name: "another user's", change: unseen(p.Addr), id: "port", status: statusFailed, says: p.Addr + " is taken by a program of another user", todo: "BITACORA_ADDR=", asIf: true},
		{name: "of its ClickHouse, which shows itself to root alone", change: unseen(a.Config.ClickHouseAddr), id: "port", status: statusOK, says: a.Config.ClickHouseAddr},

		{name: "hung", cause: func(t *testing.T) func() { return enginestest.Hang(t, p.Pid("postgres")) }, id: "postgres", status: statusFailed, says: "it hangs", todo: "kill -9 ", others: []string{"clickhouse"}},
		{name: "nobody listens", cause: withSetting("BITACORA_DATABASE_URL", "postgres://x:y@127.0.0.1:1/bitacora"), id: "postgres", status: statusFailed, says: "127.0.0.1:1 cannot be reached", todo: "BITACORA_DATABASE_URL"},
		{name: "a wrong password", cause: withSetting("BITACORA_DATABASE_URL", strings.Replace(a.At.DatabaseURL, "://bitacora_worker:", "://bitacora_worker:x", 1)), id: "postgres", status: statusFailed, says: "does not let the program in", todo: "user, password"},
		{name: "an older version", change: func(d *doctor) { d.needs.postgres = 99 }, id: "postgres", status: statusFailed, says: "PostgreSQL 18, and 99 is needed", todo: "newer server"},
		{name: "read-only", cause: func(t *testing.T) func() {
			programtest.SQL(t, a, "ALTER DATABASE bitacora SET default_transaction_read_only = on")
			return func() {
				programtest.SQL(t, a, "SET default_transaction_read_only = off", "ALTER DATABASE bitacora RESET default_transaction_read_only")
			}
		}, id: "postgres", status: statusFailed, says: "stores nothing", todo: "primary"},
		{name: "hung", cause: func(t *testing.T) func() { return enginestest.Hang(t, p.Pid("clickhouse")) }, id: "clickhouse", status: statusFailed, says: "it hangs; chats go on", todo: "kill -9 ", others: []string{"postgres", "log", "month", "keys", "parked"}},
		{name: "nobody listens", cause: withSetting("BITACORA_CLICKHOUSE_URL", "http://x:y@127.0.0.1:1/bitacora"), id: "clickhouse", status: statusFailed, says: "127.0.0.1:1 cannot be reached", todo: "BITACORA_CLICKHOUSE_URL", others: []string{"postgres", "log"}},
		{name: "a wrong password", cause: withSetting("BITACORA_CLICKHOUSE_URL", strings.Replace(a.At.ClickHouseURL, "://"+access.App+":", "://"+access.App+":x", 1)), id: "clickhouse", status: statusFailed, says: "does not let the program in", todo: "user, password"},
		{name: "an older version", change: func(d *doctor) { d.needs.clickhouse = 99 }, id: "clickhouse", status: statusFailed, says: "and 99 is needed", todo: "newer server"},
		{name: "an engine that is dead and that nobody starts again", cause: func(t *testing.T) func() {
			serve := p.Running.Process.Pid
			syscall.Kill(serve, syscall.SIGSTOP)
			p.Kill("clickhouse")
			p.Eventually("it is gone", time.Minute, func() error {
				if h, _ := (engines.Config{DataDir: a.Config.DataDir}).Holder(); h.Engines["clickhouse"] != 0 {
					return errors.New("it is there")
				}
				return nil
			})
			return func() {
				syscall.Kill(serve, syscall.SIGCONT)
				p.Eventually("it is back", time.Minute, func() error { return a.Tables.Ping(context.Background()) })
			}
		}, id: "clickhouse", status: statusFailed, says: "is dead", todo: "restart that", others: []string{"postgres", "log"}},

		{name: "no synchronous standby", change: func(d *doctor) {
			d.at.EmbeddedPostgres, d.log.SynchronousNames, d.log.Standbys = false, "b", postgres.Standbys{Attached: 1, Seen: true}
		}, id: "standby", status: statusFailed, says: "nothing is stored", todo: "start the standby", others: []string{"postgres", "log"}},
		{name: "a standby that is not shown", change: func(d *doctor) {
			d.at.EmbeddedPostgres, d.log.SynchronousNames, d.log.Standbys = false, "b", postgres.Standbys{Attached: 1}
		}, id: "standby", status: statusWarning, says: "not shown", todo: "GRANT pg_read_all_stats"},
		{name: "an older database", asIf: true, change: func(d *doctor) { d.log.Schema = "0001_log" }, id: "versions", status: statusFailed, says: "has the schema 0001_log", todo: "bitacora migrate"},
		{name: "a newer database", change: func(d *doctor) { d.log.Schema, d.log.GoesOn = "9999_later", false }, id: "versions", status: statusFailed, says: "migrated by a newer program", todo: "install the newer"},
		{name: "a newer database that this program goes on beside", change: func(d *doctor) { d.log.Schema, d.log.GoesOn = "9999_later", true }, id: "versions", status: statusWarning, says: "goes on beside it", todo: "install the newer"},

		{name: "missing", cause: func(t *testing.T) func() { t.Setenv("BITACORA_KEYS_DIR", t.TempDir()); return nil }, id: "keys", status: statusFailed, says: "the keys lack one of this log", todo: "keys directory", others: []string{"postgres", "log", "parked", "tables", "staff"}},
		{name: "wrong", cause: func(t *testing.T) func() {
			other := keyfiles.Store{Dir: t.TempDir()}
			if err := other.Add(t.Context(), 0, postgres.NewEpochKey()); err != nil {
				t.Fatal(err)
			}
			t.Setenv("BITACORA_KEYS_DIR", other.Dir)
			return nil
		}, id: "keys", status: statusFailed, says: "do not fit this log", todo: "keys directory", others: []string{"postgres", "log", "tables"}},
		{name: "readable to others", cause: func(t *testing.T) func() {
			os.Chmod(bundle, 0o644)
			return func() { os.Chmod(bundle, 0o600) }
		}, id: "keys", status: statusFailed, says: "other users", todo: "chmod go=", changes: "keys/bundle"},

		{name: "another clinic's keys directory", cause: func(t *testing.T) func() {
			b, err := logdump.OpenBundle(bundle)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(bundle)
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "bundle")
			writeBundleOf(t, path, bytes.Replace(text, []byte(b.FirstEvent), []byte(uuid.NewString()), 1))
			t.Setenv("BITACORA_KEY_BUNDLE", path)
			return nil
		}, id: "identity", status: statusFailed, says: "of another clinic's log", todo: "keys directory"},
		{name: "another log's tables", cause: func(t *testing.T) func() {
			was, _, err := a.Tables.Origin(t.Context(), "b1")
			if err != nil {
				t.Fatal(err)
			}
			set := func(epoch string) func() error {
				return func() error { return a.Tables.SetOrigin(context.Background(), "b1", epoch, was.Version) }
			}
			return both(t, set(uuid.NewString()), set(was.Epoch))
		}, id: "identity", status: statusFailed, says: "are those of a log of epoch", todo: "OPERATIONS.md", others: []string{"keys", "postgres"}},

		{name: "nearly full", cause: disk(app.Spare-1, 1<<40), id: "disk", status: statusFailed, says: "and a rebuild or a backup needs", todo: "free some space", others: []string{"postgres", "log"}},
		{name: "no room for a backup", cause: disk(app.Spare+1<<20, 1<<40), id: "disk", status: statusFailed, says: "the directory of backups", todo: "BITACORA_BACKUP_DIR"},
		{name: "a read-only file system", change: func(d *doctor) { d.config.BackupDir = "/proc/self" }, id: "disk", status: statusFailed, says: "cannot be written to", todo: "BITACORA_BACKUP_DIR"},

		{name: "full", cause: disk(0, 1<<40), id: "clickhouse", status: statusFailed, says: "answers and stores nothing", todo: "free some space"},
		{name: "full", cause: disk(0, 1<<40), id: "postgres", status: statusFailed, says: "answers and stores nothing", todo: "free some space"},
		{name: "an hour late", change: func(d *doctor) { d.now = func() time.Time { return time.Now().Add(-time.Hour) } }, id: "clock", status: statusFailed, says: "the clock went backwards", todo: "timedatectl"},
		{name: "an hour late, in an empty log", change: func(d *doctor) {
			d.now, d.log.Newest = func() time.Time { return time.Now().Add(-time.Hour) }, time.Time{}
		}, id: "clock", status: statusFailed, says: "this machine's clock says", todo: "timedatectl"},
		{name: "an hour early", change: func(d *doctor) { d.now = func() time.Time { return time.Now().Add(time.Hour) } }, id: "clock", status: statusFailed, says: "this machine's clock says", todo: "timedatectl"},
		{name: "an event of tomorrow", cause: func(t *testing.T) func() {
			change := func(by string) {
				programtest.SQL(t, a, "ALTER TABLE events DISABLE TRIGGER append_only", "UPDATE events SET recorded_at = recorded_at "+by+" WHERE position = (SELECT max(position) FROM events)", "ALTER TABLE events ENABLE TRIGGER append_only")
			}
			change("+ interval '1 day'")
			return func() { change("- interval '1 day'") }
		}, id: "clock", status: statusFailed, says: "the clock went backwards", todo: "timedatectl", others: []string{"postgres"}},

		{name: "inserts fail", cause: func(t *testing.T) func() {
			undo := programtest.FullTables(t, a)
			visits[1].Say("esto espera")
			return func() { undo(); p.Applied(a) }
		}, id: "projections", status: statusFailed, says: "events behind", todo: "cannot apply what follows", others: []string{"log", "parked"}},
		{name: "over the limit", cause: withSetting("BITACORA_MONTHLY_LIMIT", "0"), id: "month", status: statusFailed, says: "takes no new ones", todo: "BITACORA_MONTHLY_LIMIT"},
		{name: "nobody's", cause: withSetting("BITACORA_ASSISTANT", "embedded"), change: func(d *doctor) { d.config.Assistant = "nobody" }, id: "assistant", status: statusFailed, says: "nobody", todo: "BITACORA_ASSISTANT"},
		{name: "a public dashboard", change: func(d *doctor) { d.config.SiteURL = "https://clinica.example" }, id: "second-factor", status: statusWarning, says: "with a password alone", todo: "BITACORA_SECOND_FACTOR"},
		{name: "required", cause: withSetting("BITACORA_SECOND_FACTOR", "required"), id: "second-factor", status: statusOK, says: "it is required"},
		{name: "unset", id: "retention", status: statusWarning, says: "until somebody asks", todo: "BITACORA_RETENTION"},
		{name: "set", change: func(d *doctor) { d.config.Retention = retention.Rules{retention.Leads: {Months: 36}} }, id: "retention", status: statusOK, says: "leads=36mo"},

		{name: "unreachable", cause: mailTo("smtp://127.0.0.1:1"), id: "mail", status: statusFailed, says: "reach mail server", todo: "BITACORA_SMTP_URL", others: []string{"postgres"}},
		{name: "refused", cause: mailTo(mailServer(t, "535 5.7.8 no")), id: "mail", status: statusFailed, says: "refuses the login", todo: "user and password"},
		{name: "letters that are late", cause: mailTo(mailServer(t, "235 yes")), change: func(d *doctor) {
			programtest.SQL(t, a, "UPDATE projection_checkpoints SET position = 1 WHERE projection = 'mail'")
		}, id: "mail", status: statusWarning, says: "letters about the last", todo: "bitacora serve"},
		{name: "letters that nobody sends", cause: func(t *testing.T) func() {
			path := filepath.Join(a.Config.DataDir, "outbox", "lead-x.eml")
			programtest.Write(t, path, nil, 0o600)
			return func() { os.Remove(path) }
		}, id: "mail", status: statusWarning, says: " letters wait in ", todo: "BITACORA_SMTP_URL"},
		{name: "none, of a public site", change: func(d *doctor) { d.config.SiteURL = "https://clinica.example" }, id: "mail", status: statusWarning, says: "no mail server", todo: "BITACORA_SMTP_URL"},

		{name: "https without a proxy", change: func(d *doctor) { d.config.SiteURL = "https://clinica.example" }, id: "proxy", status: statusFailed, says: "is https, and no proxy", todo: "BITACORA_TRUSTED_PROXIES"},
		{name: "one that is not named", change: func(d *doctor) {
			note := postgres.UnnamedProxy{Address: netip.MustParseAddr("10.0.0.9"), Header: "X-Forwarded-For", SeenAt: time.Now()}
			if err := d.db.NoteProxy(t.Context(), note); err != nil {
				t.Error(err)
			}
		}, id: "proxy", status: statusFailed, says: "is not named", todo: "BITACORA_TRUSTED_PROXIES=10.0.0.9/32"},
		{name: "one that does not say who asks", change: func(d *doctor) {
			d.config.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.7/32")}
			note := postgres.UnnamedProxy{Address: netip.MustParseAddr("10.0.0.7"), Header: postgres.NoHeader, SeenAt: time.Now()}
			if err := d.db.NoteProxy(t.Context(), note); err != nil {
				t.Error(err)
			}
		}, id: "proxy", status: statusWarning, says: "without X-Forwarded-For", todo: "X-Forwarded-Proto"},

		{name: "this program's", cause: withSetting("BITACORA_SITE_URL", "http://"+p.Addr), id: "address", status: statusOK, says: "answers"},
		{name: "nobody's", cause: withSetting("BITACORA_SITE_URL", "http://127.0.0.1:1"), id: "address", status: statusWarning, says: "cannot be reached from here", todo: "telephone"},
		{name: "somebody else's", cause: withSetting("BITACORA_SITE_URL", page(t, plain, "Welcome to nginx!")), id: "address", status: statusFailed, says: "is not this program", todo: "BITACORA_ADDR"},
		{name: "a certificate that nobody knows", cause: withSetting("BITACORA_SITE_URL", page(t, secure, healthy)), id: "address", status: statusFailed, says: "browsers would refuse", todo: "certificate"},

		{name: "of a public site", cause: withSetting("BITACORA_SITE_URL", "http://clinica.invalid"), id: "placeholders", status: statusFailed, says: "and the site is public", todo: "bitacora clinic check"},
		{name: "of a public site that may", cause: withSetting("BITACORA_SITE_URL", "http://clinica.invalid"), change: func(d *doctor) { d.config.Placeholders = settings.PlaceholdersAllowed }, id: "placeholders", status: statusWarning, says: "still made up", todo: "bitacora clinic check"},
		{name: "of a try", id: "placeholders", status: statusWarning, says: "still made up are", todo: "bitacora clinic check"},
		{name: "of a file that says no place", change: func(d *doctor) { d.clinic, d.config.ClinicFile = programtest.LeastClinic(t), "clinic.json" }, id: "clinic", status: statusWarning, says: "leave out zone, country, emergency", todo: "bitacora clinic example"},
		{name: "of another clinic", change: func(d *doctor) { d.clinic = programtest.LeastClinic(t) }, id: "content", status: statusWarning, says: "doctors/, pages/about.json, pages/home.json, services/", todo: "bitacora content import"},
		{name: "a year old", change: func(d *doctor) { d.clinic.NumbersChecked = time.Now().AddDate(-1, 0, -1) }, id: "numbers", status: statusWarning, says: "911, 147, 6534-2546, last checked on", todo: "numbersChecked"},
		{name: "of an unknown day", change: func(d *doctor) {
			d.clinic.NumbersChecked, d.clinic.CrisisLine = time.Time{}, clinic.CrisisLine{}
		}, id: "numbers", status: statusWarning, says: "call 911, last checked at an unknown time", todo: "numbersChecked"},

		{name: "none", id: "backup", status: statusWarning, cause: noBackups(a), says: "there is no backup in", todo: "BITACORA_BACKUP_DIR", changes: "keys/bundle"},
		{name: "none, though one is made every night", change: func(d *doctor) {
			d.config.BackupDir = filepath.Join(p.Dir, "nightly")
			d.now = func() time.Time { return time.Now().Add(37 * time.Hour) }
		}, id: "backup", status: statusFailed, asIf: true, says: "there is no backup in", todo: "bitacora backup"},
		{name: "none yet", change: func(d *doctor) { d.config.BackupDir = filepath.Join(p.Dir, "nightly") }, id: "backup", status: statusWarning, asIf: true, says: "there is no backup yet", todo: "bitacora serve makes the first one"},
		{name: "fresh", cause: backupOf(a, "one", time.Hour), id: "backup", status: statusOK, says: "one, 1 hours old"},
		{name: "stale", cause: backupOf(a, "one", 8*24*time.Hour), id: "backup", status: statusWarning, says: "192 hours old", todo: "bitacora backup", changes: "keys/bundle"},
		{name: "stale, though one is made every night", cause: backupOf(a, "one", 37*time.Hour), change: func(d *doctor) { d.config.BackupDir = d.config.Backups() }, id: "backup", status: statusFailed, says: "37 hours old", todo: "bitacora serve", changes: "keys/bundle"},
		{name: "a damaged one", cause: func(t *testing.T) func() {
			undo := backupOf(a, "one", time.Hour)(t)
			programtest.Write(t, filepath.Join(a.Config.Backups(), "two", "events.copy"), nil, 0o600)
			return undo
		}, id: "backup", status: statusWarning, says: "two cannot be restored: it has no whole manifest", todo: "rm -r ", changes: "backups/two"},
		{name: "only one, which is cut short", cause: func(t *testing.T) func() {
			typed(t, "bitacora backup one")
			if err := os.Truncate(filepath.Join(a.Config.Backups(), "one", "events.copy"), 1); err != nil {
				t.Fatal(err)
			}
			return noBackups(a)(t)
		}, id: "backup", status: statusWarning, says: "can be restored; one: ", todo: "bitacora backup", changes: "keys/bundle", leaves: "one cannot be restored"},
		{name: "none", cause: func(t *testing.T) func() {
			return both(t, func() error { return os.Rename(bundle, bundle+".x") }, func() error { return os.Rename(bundle+".x", bundle) })
		}, id: "bundle", status: statusWarning, says: "no key bundle", todo: "bitacora keys bundle", leaves: "beside the data"},
		{name: "a damaged one", cause: func(t *testing.T) func() {
			programtest.Write(t, bundle, []byte("{}\n"), 0o600)
			return nil
		}, id: "keys", status: statusFailed, says: "not a whole key bundle", todo: "bitacora keys bundle", changes: "keys/bundle"},
		{name: "copies in the clear", cause: func(t *testing.T) func() {
			programtest.Write(t, filepath.Join(a.Config.DataDir, "clickhouse", "backups", "one"), nil, 0o600)
			return noBackups(a)(t)
		}, id: "bundle", status: statusWarning, says: "hold in the clear", todo: "rm -r ", changes: "keys/bundle", leaves: "beside the data"},
	}, found)
	t.Run("a certificate that ends soon", func(t *testing.T) {
		address := page(t, secure, healthy)
		trusted(t, address)
		t.Setenv("BITACORA_SITE_URL", address)
		if c := diagnosis(t, nil).of("address"); c.Status != statusOK {
			t.Errorf("it says %+v", c)
		}
		late := func(d *doctor) { d.now = func() time.Time { return time.Date(2084, 1, 25, 0, 0, 0, 0, time.UTC) } }
		if c := diagnosis(t, late).of("address"); c.Status != statusWarning || !strings.Contains(c.Sentence, "ends in") {
			t.Errorf("it says %+v", c)
		}
	})

	// What cannot be undone comes last.
	visits[0].AddUnreadable("type, 99", "data, sealed")
	p.Eventually("a conversation waits", time.Minute, func() error {
		list, err := a.DB.BuildStatuses(t.Context())
		if err == nil && !slices.ContainsFunc(list, func(s builds.Status) bool { return s.Parked > 0 }) {
			err = errors.New("none does")
		}
		return err
	})
	accounts, err := a.DB.Staff().Accounts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	diagnose(t, []state{
		{name: "an event that cannot be read", id: "parked", status: statusFailed, says: "1 conversations wait in build b1", todo: "bitacora parked list", others: []string{"projections", "log"}},
		{name: "nobody", cause: func(t *testing.T) func() {
			p.MustRun("staff", "remove", accounts[0].Email)
			return nil
		}, id: "staff", status: statusFailed, says: "nobody can sign in", todo: "bitacora staff add"},
		{name: "no tables yet", cause: func(t *testing.T) func() {
			programtest.SQL(t, a, "UPDATE projection_builds SET state = 'kept'")
			return func() { programtest.SQL(t, a, "UPDATE projection_builds SET state = 'live'") }
		}, id: "tables", status: statusFailed, asIf: true, says: "no tables yet", todo: "bitacora rebuild"},
		{name: "of another version", cause: func(t *testing.T) func() {
			programtest.SQL(t, a, "UPDATE projection_builds SET version = version - 1 WHERE state = 'live'")
			return nil
		}, id: "tables", status: statusFailed, says: "was made by version", todo: "bitacora rebuild", others: []string{"identity", "log"}},
	}, found)

	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	major := filepath.Join(p.Dir, "data", "postgres", "data", "PG_VERSION")
	diagnose(t, []state{
		{name: "nobody runs it", id: "directory", status: statusOK, says: "in use by nobody", others: []string{"postgres", "clickhouse", "log", "keys"}},
		{name: "an embedded one of another version", cause: func(t *testing.T) func() {
			is, err := os.ReadFile(major)
			if err != nil {
				t.Fatal(err)
			}
			return both(t, func() error { return os.WriteFile(major, []byte("17\n"), 0o600) }, func() error { return os.WriteFile(major, is, 0o600) })
		}, id: "postgres", status: statusFailed, says: "was written by PostgreSQL 17", todo: "BITACORA_DATA_DIR", others: []string{"clickhouse"}},
		{name: "by this test", cause: func(t *testing.T) func() {
			l, err := net.Listen("tcp", p.Addr)
			if err != nil {
				t.Fatal(err)
			}
			t.Setenv("BITACORA_METRICS_ADDR", "off")
			return func() { l.Close() }
		}, change: func(d *doctor) { d.self = 0 }, id: "port", status: statusFailed, says: fmt.Sprintf("is taken by process %d (", os.Getpid()), todo: "BITACORA_ADDR=127.0.0.1:", others: []string{"postgres", "clickhouse"}},
		{name: "no clinic's", cause: withSetting("BITACORA_DATA_DIR", filepath.Join(p.Dir, "nowhere")), id: "directory", status: statusFailed, says: "is no data directory of a clinic", todo: "BITACORA_DATA_DIR", others: []string{"configuration", "disk", "clock", "assistant"}},
	}, found)
	if _, err := os.Stat(filepath.Join(p.Dir, "nowhere")); err == nil {
		t.Error("the doctor made a data directory")
	}
	allFollowed(t, slices.Collect(maps.Keys(found)))
	// These have tests of their own, or nothing to find: the log is whole or not there.
	found["log"], found["files"], found["certificate"], found["offsite"], found["self-check"] = true, true, true, true, true
	for _, e := range examinations() {
		if !found[e.id] {
			t.Errorf("no state of the test is found by the examination %s", e.id)
		}
	}
}

func TestDoctorTellsOfAKernelWithoutLandlock(t *testing.T) {
	for _, c := range []struct {
		embedded, possible, analyst bool
		says, todo                  string
	}{
		{false, false, false, "a server of its own", ""},
		{true, true, true, "no others", ""},
		{true, false, true, "no Landlock", "BITACORA_CLICKHOUSE_URL"},
		{true, false, false, "there is no analyst", ""},
	} {
		f := confinement(c.embedded, c.possible, c.analyst)
		if !strings.Contains(f.Sentence, c.says) || !strings.Contains(f.text(), c.todo) || (f.Status == statusFailed) != (c.todo != "") {
			t.Errorf("embedded %v, possible %v: %+v", c.embedded, c.possible, f)
		}
	}
}

// TestEveryExaminationIsInTheHelp, by the id that programs go by, and thereby in the reference.
func TestEveryExaminationIsInTheHelp(t *testing.T) {
	help := New().Long
	for _, e := range examinations() {
		if e.finds == "" || !strings.Contains(help, "\n  "+e.id+" ") {
			t.Errorf("the help does not say what %s finds", e.id)
		}
	}
}
