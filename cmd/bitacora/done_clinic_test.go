package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/adapters/engines/enginestest"
	"bitacora/cmd/bitacora/accounts"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/projections/builds"
)

// deeds is a running clinic whose commands reach the databases by lines that can be cut.
type deeds struct {
	*programtest.Program
	t *testing.T
	a *app.App
	n int
}

// try is a test within another one.
func (d *deeds) try(t *testing.T, name string, do func()) {
	t.Run(name, func(t *testing.T) {
		d.t, d.Program.T = t, t
		do()
	})
	d.t, d.Program.T = t, t
}

func (d *deeds) name(of string) string {
	d.n++
	return fmt.Sprint(of, d.n)
}

func (*deeds) nothing() (first, other []string) { return []string{"migrate"}, nil }

func (d *deeds) person() string {
	d.n++
	if err := programtest.AppendVisit(d.a, d.n, 4, ""); err != nil {
		d.t.Fatal(err)
	}
	return fmt.Sprint("filled-", d.n)
}

func (d *deeds) colleague() string {
	email := d.name("c") + "@clinica.example"
	if _, err := d.a.DB.Staff().AddAccount(d.t.Context(), email, "x", "staff"); err != nil {
		d.t.Fatal(err)
	}
	return email
}

// secured is an account with a second factor.
func (d *deeds) secured() string {
	email := d.colleague()
	accounts := d.a.DB.Staff()
	who, err := accounts.AccountByEmail(d.t.Context(), email)
	if err == nil {
		err = accounts.BeginSecondFactor(d.t.Context(), who.ID, "JBSWY3DPEHPK3PXP")
	}
	if err != nil {
		d.t.Fatal(err)
	}
	programtest.SQL(d.t, d.a, "UPDATE staff_second_factors SET confirmed_at = now() WHERE account_id = '"+who.ID+"'")
	return email
}

// parks gives the position of an event for which a conversation waits.
func (d *deeds) parks(kind, content string) int64 {
	v := programtest.NewVisit(d.t, d.a, d.name("visit-"), time.Date(2026, 11, 10, 15, 0, 0, 0, time.UTC))
	position := v.AddUnreadable(kind, content)
	d.Eventually("the conversation waits", time.Minute, func() error {
		waiting, err := d.a.DB.Waiting(d.t.Context(), d.live())
		if err == nil && !slices.ContainsFunc(waiting, func(w builds.Waiting) bool { return w.Position == position }) {
			err = errors.New("not yet")
		}
		return err
	})
	return position
}

func (d *deeds) live() string {
	live, err := d.a.DB.LiveBuild(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return live
}

// kept is a build that was live before.
func (d *deeds) kept() string {
	list, err := d.a.DB.Builds(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	for _, b := range list {
		if b.State == builds.Kept {
			return b.Name
		}
	}
	d.MustRun("rebuild")
	return d.kept()
}

// call is a command that is about to be run in this process.
type call struct {
	args     []string
	settings map[string]string
	stdin    string
	// postgres and clickhouse are its ways to the databases.
	postgres, clickhouse *enginestest.Line
}

func (d *deeds) call(r deed, args []string) *call {
	d.t.Helper()
	c := &call{args: args, stdin: r.stdin, postgres: enginestest.NewLine(d.t, d.a.At.DatabaseURL), clickhouse: enginestest.NewLine(d.t, d.a.At.ClickHouseURL)}
	c.settings = map[string]string{
		"BITACORA_DATABASE_URL": c.postgres.URL, "BITACORA_MIGRATION_URL": c.postgres.Through(d.t, d.a.At.MigrationURL), "BITACORA_CLICKHOUSE_URL": c.clickhouse.URL,
	}
	return c
}

// run gives the exit code of a call, and its output.
func (d *deeds) run(ctx context.Context, c *call) (code int, said string) {
	d.t.Helper()
	for name, value := range c.settings {
		d.t.Setenv(name, value)
	}
	out, err := os.Create(filepath.Join(d.Dir, d.name("out")))
	if err != nil {
		d.t.Fatal(err)
	}
	defer out.Close()
	in := filepath.Join(d.Dir, d.name("in"))
	programtest.Write(d.t, in, []byte(c.stdin), 0o600)
	read, err := os.Open(in)
	if err != nil {
		d.t.Fatal(err)
	}
	defer read.Close()
	defer func(in, out, err *os.File) { os.Stdin, os.Stdout, os.Stderr = in, out, err }(os.Stdin, os.Stdout, os.Stderr)
	os.Stdin, os.Stdout, os.Stderr = read, out, out
	root := newRoot()
	root.SetArgs(c.args)
	root.SetOut(out)
	ended, err := root.ExecuteContextC(ctx)
	code = reportEnd(out, ended, err, ctx.Err() != nil)
	text, err := os.ReadFile(out.Name())
	if err != nil {
		d.t.Fatal(err)
	}
	return code, string(text)
}

func (d *deeds) head() int64 {
	d.t.Helper()
	head, err := d.a.DB.Log().Head(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return head
}

// types are those of the events that commands appended after a position.
func (d *deeds) types(after int64) string {
	d.t.Helper()
	events, err := d.a.DB.Log().Scan(d.t.Context(), after, math.MaxInt64, 1000)
	if err != nil {
		d.t.Fatal(err)
	}
	var types []string
	for _, e := range events {
		if kind := e.Payload.EventType(); kind != "NoticeSent" { // serve writes letters meanwhile
			types = append(types, kind)
		}
	}
	return strings.Join(types, " ")
}

// check runs a call, and holds its end against a cell.
func (d *deeds) check(state, cell string, before int64, c *call) {
	d.t.Helper()
	began := time.Now()
	code, said := d.run(d.t.Context(), c)
	ends, says, _ := strings.Cut(cell, ": ")
	got := strings.TrimSpace(fmt.Sprint(code, " ", d.types(before)))
	if some, ok := strings.CutSuffix(ends, " …"); ok && strings.HasPrefix(got, some+" ") {
		got = ends
	}
	if took := time.Since(began); got != ends || !strings.Contains(said, says) || took > time.Minute {
		d.t.Errorf("bitacora %s, %s: %s after %v, want %s\n%s", strings.Join(c.args, " "), state, got, took, cell, said)
	}
}

// repeated calls a command once, again, and with other arguments.
func (d *deeds) repeated(r deed) {
	d.t.Helper()
	first, other := r.prepare(d)
	d.Applied(d.a)
	for _, s := range []struct {
		state, cell string
		args        []string
	}{{"once", r.once, first}, {"again", r.again, first}, {"with other arguments", r.other, other}} {
		if isTried(s.cell) {
			d.check(s.state, s.cell, d.head(), d.call(r, s.args))
		}
	}
}

// withoutClickHouse calls a command while ClickHouse is away, and while it hangs.
func (d *deeds) withoutClickHouse(r deed) {
	d.t.Helper()
	for _, s := range []struct {
		state, cell string
		lose        func(*enginestest.Line) (resume func())
	}{
		{"without ClickHouse", r.away, func(l *enginestest.Line) func() { l.Cut(); return l.Mend }},
		{"while ClickHouse hangs", r.hung, (*enginestest.Line).Hang},
	} {
		if !isTried(s.cell) {
			continue
		}
		first, _ := r.prepare(d)
		d.Applied(d.a)
		before, c := d.head(), d.call(r, first)
		resume := s.lose(c.clickhouse)
		d.check(s.state, s.cell, before, c)
		resume()
	}
}

// afterAKill kills a call with the answer to its append, and repeats it.
func (d *deeds) afterAKill(name string, r deed) {
	d.t.Helper()
	prepared := func() (args []string, before int64) {
		args, _ = r.prepare(d)
		d.Applied(d.a)
		return args, d.head()
	}
	args, before := prepared()
	switch {
	case r.cut != nil:
		r.cut(d, args)
	case strings.HasPrefix(name, "staff "): // the change and its event are stored together
		d.killed(d.call(r, args), "stored")
		d.check("killed before the commit", r.once, before, d.call(r, args))
		args, before = prepared()
		d.killed(d.call(r, args), "stored", "COMMIT")
	default:
		d.killed(d.call(r, args), "stored")
	}
	programtest.SQL(d.t, d.a, "DELETE FROM leases WHERE name = 'rebuild'") // that of the killed call, before it runs out
	d.check("killed before", r.killed, before, d.call(r, args))
}

// killed runs a call until it is killed with the answers by which its append is stored.
func (d *deeds) killed(c *call, stored ...string) {
	d.t.Helper()
	ctx, kill := context.WithCancel(d.t.Context())
	defer kill()
	c.postgres.CutAfter(stored...)
	go func() {
		for ctx.Err() == nil && !c.postgres.Away() {
			time.Sleep(time.Millisecond) // the moment is the line's
		}
		kill()
	}()
	if _, said := d.run(ctx, c); !c.postgres.Away() {
		d.t.Errorf("bitacora %s appended nothing:\n%s", strings.Join(c.args, " "), said)
	}
}

// withoutPostgres calls every command while Postgres is away: each refuses in one sentence, and does nothing.
func (d *deeds) withoutPostgres() {
	before := d.head()
	for _, name := range writing {
		r := deedsOf[name]
		if r.prepare == nil {
			continue
		}
		args := firstExample(commandNamed(d.t, name))
		if r.stdin != "" {
			args = append(args, "--"+accounts.StdinFlag)
		}
		if strings.HasSuffix(name, "import") { // its file is looked at first
			args, _ = r.prepare(d)
		}
		c := d.call(r, args)
		c.postgres.Cut()
		if code, said := d.run(d.t.Context(), c); code != command.ExitFailed || strings.Count(said, "\n") != 1 || !strings.HasPrefix(said, "bitacora: ") {
			d.t.Errorf("bitacora %s without Postgres: %d\n%s", name, code, said)
		}
	}
	if left := d.types(before); left != "" {
		d.t.Errorf("without Postgres these were appended: %s", left)
	}
}
