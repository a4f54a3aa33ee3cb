package engines

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Users of the embedded ClickHouse.
const (
	appUser     = "app"
	analystUser = "analyst"
)

// clickhouse is the embedded ClickHouse of one home.
type clickhouse struct {
	home    home
	assets  assets
	keys    secrets
	addr    string
	memory  int64
	mu      sync.Mutex
	greeted chan struct{}
}

func newClickHouse(cfg Config, h home, found assets, keys secrets) *clickhouse {
	return &clickhouse{home: h, assets: found, keys: keys, addr: cfg.ClickHouseAddr, memory: cfg.ClickHouseMemory}
}

func (c *clickhouse) url() *url.URL {
	return &url.URL{Scheme: "http", User: url.UserPassword(appUser, c.keys.App), Host: c.addr, Path: Database}
}

// prepare settles the address and makes the directories.
func (c *clickhouse) prepare() error {
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
	l, err := net.Listen("tcp", c.addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("another program listens on %s, where the embedded ClickHouse should: name another address in BITACORA_CLICKHOUSE_ADDR", c.addr)
	case err != nil:
		return fmt.Errorf("the embedded ClickHouse cannot listen on %s (%w): name another address in BITACORA_CLICKHOUSE_ADDR", c.addr, errors.Unwrap(err))
	}
	if err := l.Close(); err != nil {
		return fmt.Errorf("try the address %s: %w", c.addr, err)
	}
	for _, name := range []string{"data", "backups"} {
		if _, err := c.home.privateDir(ClickHouse, name); err != nil {
			return err
		}
	}
	users, err := json.Marshal(map[string]string{appUser: c.keys.App, analystUser: c.keys.Analyst})
	if err != nil {
		return fmt.Errorf("encode the ClickHouse users: %w", err)
	}
	return writeSecret(c.usersFile(), users)
}

func (c *clickhouse) usersFile() string { return c.home.path(ClickHouse, "users.json") }

func (c *clickhouse) command(out *journal) (*exec.Cmd, error) {
	args := []string{
		"--library", c.assets.library, "--data", c.home.path(ClickHouse, "data"), "--listen", c.addr,
		"--users", c.usersFile(), "--backups", c.home.path(ClickHouse, "backups"), "--database", Database,
	}
	if c.memory > 0 {
		args = append(args, "--max-memory", strconv.FormatInt(c.memory, 10))
	}
	if u := c.home.user; u != nil {
		args = append(args, "--uid", strconv.FormatUint(uint64(u.uid), 10), "--gid", strconv.FormatUint(uint64(u.gid), 10))
	}
	greeted := make(chan struct{})
	c.mu.Lock()
	c.greeted = greeted
	c.mu.Unlock()
	cmd := exec.Command(c.assets.chserver, args...)
	cmd.Dir = c.home.path(ClickHouse)
	cmd.Env = []string{"TZ=UTC"}
	cmd.Stdout, cmd.Stderr = &greeting{heard: greeted, rest: out}, out
	cmd.SysProcAttr = leash(nil, syscall.SIGTERM)
	return cmd, nil
}

func (c *clickhouse) ready(ctx context.Context) error {
	c.mu.Lock()
	greeted := c.greeted
	c.mu.Unlock()
	select {
	case <-greeted:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.addr+"/ping", nil)
	if err != nil {
		return fmt.Errorf("ask for a ping: %w", err)
	}
	answer, err := client.Do(ask)
	if err != nil {
		return fmt.Errorf("ping chserver: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("ping chserver: status %s", answer.Status)
	}
	return nil
}

func (c *clickhouse) farewell() []step { return []step{{syscall.SIGTERM, 8 * time.Second}} }

// greeting waits for the line by which chserver says that it is ready, and passes everything on.
type greeting struct {
	heard chan struct{}
	rest  *journal
	line  []byte
	done  bool
}

func (g *greeting) Write(p []byte) (int, error) {
	for _, b := range p {
		if g.done {
			break
		}
		if g.line = append(g.line, b); b != '\n' {
			continue
		}
		var said struct{ Event string }
		if json.Unmarshal(bytes.TrimSpace(g.line), &said) == nil && said.Event == "ready" {
			g.done = true
			close(g.heard)
		}
		g.line = g.line[:0]
	}
	return g.rest.Write(p)
}
