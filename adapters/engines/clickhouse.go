package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/analysts"
	"bitacora/adapters/engines/confine"
	"bitacora/adapters/engines/questions"
)

// outputName is the file of what the engine prints.
const outputName = "chserver.log"

// clickhouse is the embedded ClickHouse of one home.
type clickhouse struct {
	home   home
	assets assets
	// find looks for the assets where they were not there at the start.
	find func() (assets, error)
	// passwords are those of the users of package access.
	passwords map[string]string
	addr      string
	zone      string
	log       *slog.Logger
	// input is the standard input of the present run.
	input io.Writer
}

func newClickHouse(cfg Config, h home, found assets, keys secrets) *clickhouse {
	passwords := map[string]string{access.App: keys.App}
	if analystMayAsk(confine.Possible(), cfg.UnconfinedAnalyst) {
		passwords[access.Analyst] = keys.Analyst
	}
	alone := cfg
	alone.DatabaseURL = elsewhereURL
	find := func() (assets, error) { return findAssets(alone) }
	return &clickhouse{home: h, assets: found, find: find, passwords: passwords, addr: cfg.ClickHouseAddr, zone: cfg.Zone, log: cfg.Log}
}

// questionsDir lies beside ClickHouse's directory, which may be set aside.
const questionsDir = "questions"

// analystsDir has the accounts of named analysts.
const analystsDir = "analysts"

// Analysts is the directory of the accounts of named analysts of a data directory.
func Analysts(dataDir string) analysts.Directory {
	return analysts.Directory(filepath.Join(homeOf(dataDir), analystsDir))
}

// homeOf is where the engines of a data directory keep their own.
func homeOf(dataDir string) string {
	if home, err := os.Readlink(filepath.Join(dataDir, homeLink)); err == nil {
		return home
	}
	return dataDir
}

// Questions gives what was asked of the embedded ClickHouse of a data directory beside the program, from one
// instant until before another, in the order in which it was answered; an error is the last.
func Questions(dataDir string, from, to time.Time) iter.Seq2[questions.Question, error] {
	return questions.Read(filepath.Join(homeOf(dataDir), questionsDir), from, to)
}

// analystMayAsk says whether there is a user for analysts: where nothing confines the engine,
// somebody must have asked for it.
func analystMayAsk(confined, asked bool) bool { return confined || asked }

func (c *clickhouse) url() *url.URL {
	return &url.URL{Scheme: "http", User: url.UserPassword(access.App, c.passwords[access.App]), Host: c.addr, Path: Database}
}

// chooseAddress checks the address, and picks a port where it names none.
func (c *clickhouse) chooseAddress() error {
	host, port, err := net.SplitHostPort(c.addr)
	if err != nil {
		return fmt.Errorf("%q in BITACORA_CLICKHOUSE_ADDR is no address of the form host:port, such as 127.0.0.1:8123", c.addr)
	}
	if port == "0" {
		free, err := freePort()
		if err != nil {
			return err
		}
		c.addr = net.JoinHostPort(host, strconv.Itoa(free))
	}
	return nil
}

// prepare makes the directories, after those of before were set aside where somebody asked for it.
func (c *clickhouse) prepare() error {
	switch name, err := c.home.followReset(time.Now()); {
	case err != nil:
		return err
	case name != "":
		c.log.Warn("the tables were reset: ClickHouse begins with an empty directory", "set aside", name)
	}
	if err := makeDir(c.home.path(ClickHouse), 0o755); err != nil {
		return fileError(c.home.path(ClickHouse), err)
	}
	for _, names := range [][]string{{ClickHouse, "data"}, {questionsDir}, {analystsDir}} {
		if err := c.home.privateDir(names...); err != nil {
			return err
		}
	}
	// Earlier versions kept the passwords here, too.
	if err := os.Remove(c.home.path(ClickHouse, "users.json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the old users file: %w", err)
	}
	return nil
}

func (c *clickhouse) command(out *output) (*exec.Cmd, error) {
	if c.assets.chserver == "" {
		var err error
		if c.assets, err = c.find(); err != nil {
			return nil, permanent{err}
		}
	}
	if err := c.prepare(); err != nil {
		return nil, permanent{err}
	}
	args := []string{
		"--library", c.assets.library, "--data", c.home.path(ClickHouse, "data"), "--questions", c.home.path(questionsDir), "--analysts", c.home.path(analystsDir), "--listen", c.addr,
		"--database", Database, "--zone", c.zone,
	}
	if u := c.home.user; u != nil {
		args = append(args, "--uid", strconv.FormatUint(uint64(u.uid), 10), "--gid", strconv.FormatUint(uint64(u.gid), 10))
	}
	cmd := exec.Command(c.assets.chserver, args...)
	cmd.Dir = c.home.path(ClickHouse)
	cmd.Env = []string{"TZ=UTC"}
	cmd.Stdout, cmd.Stderr = out, out
	// It lives as long as its standard input.
	cmd.SysProcAttr = childAttributes(nil, 0)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe to chserver: %w", err)
	}
	c.input = in
	return cmd, nil
}

// ready hands over the passwords first. Chserver waits for them and then hides what it is, which has been
// recorded by now.
func (c *clickhouse) ready(ctx context.Context) error {
	if err := json.NewEncoder(c.input).Encode(c.passwords); err != nil {
		<-ctx.Done() // it has ended, and says why
		return fmt.Errorf("hand over the ClickHouse users: %w", err)
	}
	return c.ping(ctx)
}

// usable returns when the running engine answers. It fails at once where its directories are not there
// any more, or not its own: the engine would answer, and store nothing.
func (c *clickhouse) usable(ctx context.Context) error {
	if !c.home.dirState().whole() {
		return fmt.Errorf("%s is gone, or the engine's user may not use it", c.home.path(ClickHouse))
	}
	return c.ping(ctx)
}

// ping returns when the engine answers.
func (c *clickhouse) ping(ctx context.Context) error {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.addr+"/ping", nil)
	if err != nil {
		return fmt.Errorf("ask for a ping: %w", err)
	}
	for {
		answer, err := client.Do(ask)
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
