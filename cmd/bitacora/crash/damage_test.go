package crash

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bitacora/adapters/engines"
	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/staff"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/doctor"
	"bitacora/cmd/bitacora/programtest"
)

// clinicUnderDamage is a running clinic whose ClickHouse is damaged under traffic.
type clinicUnderDamage struct {
	*programtest.Program
	app    *app.App
	cookie string
	// chats counts those that were answered.
	chats atomic.Int64
}

// clickHouse is a path below the directory of the engine.
func (c *clinicUnderDamage) clickHouse(names ...string) string {
	return filepath.Join(append([]string{c.Dir, "data", engines.ClickHouse}, names...)...)
}

// each calls do for the files below the engine's directory that match.
func (c *clinicUnderDamage) each(match func(path string) bool, do func(path string) error) {
	c.T.Helper()
	found := 0
	err := filepath.WalkDir(c.clickHouse("data", "engine", "store"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil && entry.Type().IsRegular() && match(path) {
			found++
			return do(path)
		}
		return nil
	})
	if err != nil || found == 0 {
		c.T.Fatalf("%d files were damaged: %v", found, err)
	}
}

// anHourPasses lets what was set aside be older.
func (c *clinicUnderDamage) anHourPasses() {
	for _, dir := range c.app.Engines().SetAside() {
		older := strings.Replace(dir, "damaged-2", "damaged-1", 1)
		if err := os.Rename(dir, older); older != dir && err != nil {
			c.T.Fatal(err)
		}
	}
}

// gone takes the directory away at once, whatever the engine writes meanwhile.
func (c *clinicUnderDamage) gone() {
	c.T.Helper()
	if err := os.Rename(c.clickHouse(), filepath.Join(c.T.TempDir(), "gone")); err != nil {
		c.T.Fatal(err)
	}
}

// replace puts a file in the place of the directory.
func (c *clinicUnderDamage) replace() {
	c.T.Helper()
	c.gone()
	if err := os.WriteFile(c.clickHouse(), []byte("a file"), 0o600); err != nil {
		c.T.Fatal(err)
	}
}

// right waits until the dashboard counts every chat that was answered before.
func (c *clinicUnderDamage) right() {
	c.T.Helper()
	c.Eventually("the numbers are right again", 3*time.Minute, func() error {
		before := c.chats.Load()
		var k contract.Kpis
		if err := c.Get("/api/dashboard/kpis", c.cookie, &k); err != nil {
			return err
		}
		// What was just answered is on its way.
		if k.TotalConversations < before-chatsOnTheWay {
			return fmt.Errorf("%d of %d conversations are counted", k.TotalConversations, before)
		}
		return nil
	})
}

const (
	chatsPerSecond = 4
	chatsOnTheWay  = 3 * chatsPerSecond
)

// TestClickHouseIsDamagedUnderTraffic damages what can be made again in every way, one after another, in a
// clinic that visitors write to: none of them is refused, and the numbers come right without anybody's doing.
func TestClickHouseIsDamagedUnderTraffic(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	c := &clinicUnderDamage{Program: programtest.NewEmbedded(t)}
	c.Start()
	c.cookie, c.app = c.SignIn(), c.Program.App()
	visitors := offer(t, chatsPerSecond, func(turn int) bool {
		err := c.Post("/api/chatbot", map[string]string{"sessionId": fmt.Sprint("damage-", turn), "message": "¿Cuánto cuesta una limpieza?"}, nil)
		if err != nil {
			t.Errorf("chat %d: %v", turn, err)
			return false
		}
		c.chats.Add(1)
		return true
	})
	definition := func(path string) bool { return strings.HasSuffix(path, ".sql") }
	for _, d := range []struct {
		name string
		// cause brings the damage about, and returns when it is over but for what the program does.
		cause func(t *testing.T)
		// says is what the staff reads meanwhile; empty where it may be over too soon.
		says string
	}{
		{"killed in a loop", func(*testing.T) {
			for range 12 {
				c.Kill(engines.ClickHouse)
				time.Sleep(100 * time.Millisecond) // it is a loop
			}
		}, ""},
		{"a file of garbage", func(*testing.T) {
			once := false
			c.each(func(path string) bool { return !once && definition(path) }, func(path string) error {
				once = true
				return os.WriteFile(path, []byte("garbage"), 0o600)
			})
			c.Kill(engines.ClickHouse)
		}, ""},
		{"rows of garbage", func(*testing.T) {
			c.each(func(path string) bool { return strings.HasSuffix(path, ".bin") }, func(path string) error {
				info, err := os.Stat(path)
				if err != nil {
					return nil // merged meanwhile
				}
				return os.WriteFile(path, make([]byte, info.Size()), 0o600)
			})
			c.Kill(engines.ClickHouse)
		}, ""},
		{"a file in place of the directory", func(t *testing.T) {
			c.anHourPasses()
			c.replace()
		}, ""},
		{"mode", func(t *testing.T) {
			if err := os.Chmod(c.clickHouse("data", "engine"), 0); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"owner", func(t *testing.T) {
			if os.Geteuid() != 0 { // only root takes a file from its owner
				return
			}
			err := filepath.WalkDir(c.clickHouse("data"), func(path string, _ fs.DirEntry, err error) error {
				if errors.Is(err, fs.ErrNotExist) {
					return nil
				}
				return errors.Join(err, os.Lchown(path, 0, 0))
			})
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}, ""},
		{"hung", func(t *testing.T) { enginestest.Hang(t, c.Pid(engines.ClickHouse)) }, "no responde"},
		{"full", func(t *testing.T) {
			undo := programtest.FullTables(t, c.app)
			c.Eventually("it is told", time.Minute, func() error {
				return c.Says(contract.Readiness{Status: "degraded", Postgres: "ok", Clickhouse: "readonly"})
			})
			undo()
		}, ""},
		{"port taken", func(t *testing.T) {
			addr := doctor.HostOf(c.app.At.ClickHouseURL)
			var l net.Listener
			c.Eventually("its port is taken", time.Minute, func() (err error) {
				if pid := c.Pid(engines.ClickHouse); pid > 0 {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
				l, err = net.Listen("tcp", addr)
				return err
			})
			defer l.Close()
			c.staffReads("no puede usar su dirección")
			c.Eventually("doctor names it", time.Minute, func() error {
				out, _ := c.Run("", "doctor")
				return programtest.ContainsAll(out, []string{"ClickHouse has not run since", "another program listens on " + addr, "BITACORA_CLICKHOUSE_ADDR"})
			})
			if out, err := c.Run("", "projections"); err == nil || !strings.Contains(out, "ClickHouse has not run since") {
				t.Errorf("a command that needs ClickHouse: %v\n%s", err, out)
			}
		}, ""},
		{"another version's data", func(*testing.T) {
			c.anHourPasses()
			c.each(definition, func(path string) error {
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				return os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "MergeTree", "QuantumTree")), 0o600)
			})
			c.Kill(engines.ClickHouse)
		}, ""},
		{"gone", func(*testing.T) { c.gone() }, ""},
		{"reset by hand", func(*testing.T) { c.MustRun("tables", "reset") }, ""},
	} {
		t.Run(d.name, func(t *testing.T) {
			whole := c.T
			c.T = t
			defer func() { c.T = whole }()
			seen := c.chats.Load()
			d.cause(t)
			began := time.Now()
			if d.says != "" {
				c.staffReads(d.says)
			}
			c.Eventually("visitors write meanwhile", time.Minute, func() error {
				if c.chats.Load() < seen+chatsOnTheWay+1 {
					return errors.New("too few did")
				}
				return nil
			})
			c.right()
			c.Eventually("it is ready", time.Minute, func() error {
				return c.Says(contract.Readiness{Status: "ready", Postgres: "ok", Clickhouse: "ok"})
			})
			t.Logf("the numbers were right after %v", time.Since(began).Round(time.Second))
		})
	}
	visitors.end(t)
	c.Applied(c.app)
	if out := c.MustRun("verify"); !strings.Contains(out, "no difference") {
		t.Error(out)
	}
	if aside := c.app.Engines().SetAside(); len(aside) != 2 {
		t.Errorf("set aside: %v", aside)
	}
	if out, _ := c.Run("", "doctor"); !strings.Contains(out, "damaged files of it were set aside") {
		t.Error(out)
	}

	// A start without any of it, and nobody who could mend it.
	c.Stop()
	c.replace()
	c.Launch()
	c.Eventually("visitors are answered", time.Minute, func() error {
		return c.Post("/api/chatbot", map[string]string{"sessionId": "after", "message": "¿A qué hora abren?"}, nil)
	})
	c.staffReads("están dañados")
	c.MustRun("tables", "reset")
	c.chats.Add(1)
	c.right()
}

// staffReads waits until the dashboard says what is missing, and since when.
func (c *clinicUnderDamage) staffReads(what string) {
	c.T.Helper()
	c.Eventually("the dashboard says what is missing", time.Minute, func() error {
		err := c.Get("/api/dashboard/kpis", c.cookie, nil)
		if err == nil {
			return errors.New("it answers")
		}
		return programtest.ContainsAll(err.Error(), []string{"503", "no están disponibles desde el", what, "requestId"})
	})
}

// TestServesWithoutAClickHouseServer: one of the clinic's own that is away at the start keeps nobody out.
func TestServesWithoutAClickHouseServer(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	c := &clinicUnderDamage{Program: programtest.NewEmbedded(t, "BITACORA_CLICKHOUSE_URL=http://127.0.0.1:1/bitacora")}
	c.Start()
	if err := c.Post("/api/chatbot", map[string]string{"sessionId": "alone", "message": "¿A qué hora abren?"}, nil); err != nil {
		t.Error(err)
	}
	c.cookie = c.SignIn()
	c.staffReads("no responde")
	said, err := c.Readiness()
	if err != nil || said.ClickhouseSince == nil || said.ClickhouseCause == nil || *said.ClickhouseCause != contract.ReadinessClickhouseCauseUnanswered {
		t.Errorf("%+v, %v", said, err)
	}
	if out, err := c.Run("", "tables", "reset"); err == nil || !strings.Contains(out, "bitacora rebuild --fresh") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestEveryCauseIsSaid: in the contract, and to the staff.
func TestEveryCauseIsSaid(t *testing.T) {
	for _, cause := range []engines.Cause{engines.Starting, engines.Damaged, engines.Locked, engines.DiskFull, engines.Forbidden, engines.Address} {
		said := contract.ReadinessClickhouseCause(cause)
		if !said.Valid() || strings.Contains(staff.MissingTables(said, time.Now()).Error(), ": .") {
			t.Errorf("%s is not said", cause)
		}
	}
}
