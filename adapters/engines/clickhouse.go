package engines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"bitacora/adapters/clickhouse/access"
	"bitacora/adapters/engines/confine"
)

// clickhouse is the embedded ClickHouse of one home.
type clickhouse struct {
	home   home
	assets assets
	// passwords are those of the users of package access.
	passwords map[string]string
	addr      string
	// input is the standard input of the present run.
	input io.Writer
}

func newClickHouse(cfg Config, h home, found assets, keys secrets) *clickhouse {
	passwords := map[string]string{access.App: keys.App}
	if analystMayAsk(confine.Possible(), cfg.UnconfinedAnalyst) {
		passwords[access.Analyst] = keys.Analyst
	}
	return &clickhouse{home: h, assets: found, passwords: passwords, addr: cfg.ClickHouseAddr}
}

// analystMayAsk says whether there is a user for analysts: where nothing confines the engine,
// somebody must have asked for it.
func analystMayAsk(confined, asked bool) bool { return confined || asked }

func (c *clickhouse) url() *url.URL {
	return &url.URL{Scheme: "http", User: url.UserPassword(access.App, c.passwords[access.App]), Host: c.addr, Path: Database}
}

// prepare checks the address, picks a port where it names none, and makes the directories.
func (c *clickhouse) prepare() error {
	host, port, err := net.SplitHostPort(c.addr)
	if err != nil {
		return fmt.Errorf("%q in BITACORA_CLICKHOUSE_ADDR is no address of the form host:port, such as 127.0.0.1:8123", c.addr)
	}
	if port == "0" {
		// Not tried once more: a child that is born at that moment holds the first try's socket.
		free, err := freePort()
		if err != nil {
			return err
		}
		c.addr = net.JoinHostPort(host, strconv.Itoa(free))
	} else if err := tryAddress(c.addr); err != nil {
		return err
	}
	if _, err := c.home.privateDir(ClickHouse, "data"); err != nil {
		return err
	}
	// Earlier versions kept the passwords here, too.
	if err := os.Remove(c.home.path(ClickHouse, "users.json")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the old users file: %w", err)
	}
	return nil
}

// tryAddress says whether the embedded ClickHouse may listen on an address.
func tryAddress(addr string) error {
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("another program listens on %s, where the embedded ClickHouse should: name another address in BITACORA_CLICKHOUSE_ADDR", addr)
	case err != nil:
		return fmt.Errorf("the embedded ClickHouse cannot listen on %s (%w): name another address in BITACORA_CLICKHOUSE_ADDR", addr, errors.Unwrap(err))
	}
	if err := l.Close(); err != nil {
		return fmt.Errorf("try the address %s: %w", addr, err)
	}
	return nil
}

func (c *clickhouse) command(out *output) (*exec.Cmd, error) {
	args := []string{
		"--library", c.assets.library, "--data", c.home.path(ClickHouse, "data"), "--listen", c.addr,
		"--database", Database,
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
