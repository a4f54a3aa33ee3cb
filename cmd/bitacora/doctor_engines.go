package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
	"bitacora/projections/builds"
)

func (d *doctor) examineConfiguration(context.Context) finding {
	if d.mistakes != nil {
		return failed(d.mistakes.Error(), "correct it; bitacora serve --help lists every setting")
	}
	return fine("every setting can be read")
}

func (d *doctor) examineClinic(context.Context) finding {
	switch {
	case d.flaws != nil:
		return failed(d.flaws.Error(), "bitacora clinic check names each mistake with its line")
	case d.config.ClinicFile == "":
		return fine("the built-in facts; BITACORA_CLINIC_FILE names no file")
	}
	return fine("the facts of %s in %s", d.clinic.Name, d.config.ClinicFile)
}

// examineDirectory says whether the data directory is one.
func (d *doctor) examineDirectory(context.Context) finding {
	a := d.app()
	dir, err := filepath.Abs(d.config.DataDir)
	if err != nil {
		return failed(err.Error(), "name a directory in BITACORA_DATA_DIR")
	}
	if err := a.begun(); err != nil {
		return failed(dir+" is no data directory of a clinic", "run this where the clinic's is, or name it in BITACORA_DATA_DIR; bitacora serve begins a new one")
	}
	switch {
	case d.config.DatabaseURL != "" && d.config.ClickHouseURL != "":
		return fine("both engines are servers of their own")
	case d.holder != nil:
		return fine("%s, in use by process %d (%s)", dir, d.holder.PID, d.holder.Command)
	}
	return fine("%s, in use by nobody: the engines are started for this look", dir)
}

// examinePorts says who is where serve will listen.
func (d *doctor) examinePorts(context.Context) finding {
	wanted := []struct{ name, addr string }{{"BITACORA_ADDR", d.config.Addr}, {"BITACORA_METRICS_ADDR", d.config.MetricsAddr}}
	if d.config.ClickHouseURL == "" {
		wanted = append(wanted, struct{ name, addr string }{"BITACORA_CLICKHOUSE_ADDR", d.config.ClickHouseAddr})
	}
	var free, ours []string
	for _, w := range wanted {
		if w.addr == "off" || strings.HasSuffix(w.addr, ":0") {
			continue
		}
		who, taken, err := engines.Listening(w.addr)
		switch {
		case err != nil:
			return failed(err.Error(), "name another address in "+w.name)
		case !taken:
			free = append(free, w.addr)
		case d.own(who.PID):
			ours = append(ours, w.addr)
		case who.PID == 0:
			return failed(w.addr+" is taken by a program of another user", "find it as root (ss -ltnp) and stop it, or name another address in "+w.name)
		default:
			return failed(fmt.Sprintf("%s is taken by process %d (%s)", w.addr, who.PID, who.Command),
				fmt.Sprintf("kill %d, or name another address in %s", who.PID, w.name))
		}
	}
	switch {
	case len(free) == 0 && len(ours) > 0:
		return fine("bitacora listens on %s", strings.Join(ours, ", "))
	case len(ours) == 0:
		return fine("%s are free", strings.Join(free, ", "))
	}
	return fine("bitacora listens on %s; %s are free", strings.Join(ours, ", "), strings.Join(free, ", "))
}

// own says whether a process belongs to this installation.
func (d *doctor) own(pid int) bool {
	if pid == d.self && pid > 0 {
		return true
	}
	if d.holder == nil || pid == 0 {
		return false
	}
	mine := pid == d.holder.PID
	for _, engine := range d.holder.Engines {
		mine = mine || pid == engine
	}
	return mine
}

func (d *doctor) examinePostgres(context.Context) finding {
	if err := d.answerOf(engines.Postgres); err != nil {
		return d.unanswered("PostgreSQL", engines.Postgres, "BITACORA_DATABASE_URL", d.at.DatabaseURL, err, postgres.NotLetIn(err))
	}
	switch {
	case d.log.Major < d.needs.postgres:
		return failed(fmt.Sprintf("the server is PostgreSQL %d, and %d is needed", d.log.Major, d.needs.postgres), "name a newer server in BITACORA_DATABASE_URL")
	case d.log.ReadOnly:
		return failed(fmt.Sprintf("PostgreSQL %d answers and stores nothing: it is a standby, or was told to", d.log.Major), "name the primary in BITACORA_DATABASE_URL, or end default_transaction_read_only")
	}
	return fine("PostgreSQL %d answers, %s", d.log.Major, kindOfServer(d.at.EmbeddedPostgres))
}

func (d *doctor) examineClickHouse(context.Context) finding {
	if err := d.answerOf(engines.ClickHouse); err != nil {
		f := d.unanswered("ClickHouse", engines.ClickHouse, "BITACORA_CLICKHOUSE_URL", d.at.ClickHouseURL, err, clickhouse.NotLetIn(err))
		f.Sentence += "; chats go on and are counted later"
		return f
	}
	major, err := strconv.Atoi(strings.SplitN(d.server.Version, ".", 2)[0])
	if err != nil || major < d.needs.clickhouse {
		return failed(fmt.Sprintf("the server is ClickHouse %s, and %d is needed", d.server.Version, d.needs.clickhouse), "name a newer server in BITACORA_CLICKHOUSE_URL")
	}
	return fine("ClickHouse %s answers, %s", d.server.Version, kindOfServer(d.at.EmbeddedClickHouse))
}

func kindOfServer(embedded bool) string {
	if embedded {
		return "embedded"
	}
	return "a server of its own"
}

// unanswered says why an engine does not answer, and what to do.
func (d *doctor) unanswered(name, engine, setting, address string, err error, notLetIn bool) finding {
	own := "restart the server"
	pid := 0
	if d.holder != nil {
		pid = d.holder.Engines[engine]
	}
	at := hostOf(address)
	switch timeout := net.Error(nil); {
	case d.down[engine] != nil:
		why, todo := wayOut(err)
		return failed(fmt.Sprintf("%s does not run: %s", name, why), cmp.Or(todo, "bitacora serve says more; its output is "+d.outputOf(engine)))
	case notLetIn:
		return failed(fmt.Sprintf("%s at %s does not let the program in: %v", name, at, err), "correct user, password and database in "+setting)
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout():
		if pid > 0 {
			own = fmt.Sprintf("kill -9 %d; bitacora serve starts it again, and nothing that was answered is lost", pid)
		}
		return failed(fmt.Sprintf("%s at %s takes connections and does not answer within %v: it hangs", name, at, checkPatience), own)
	case d.holder != nil && pid == 0 && address != "":
		return failed(fmt.Sprintf("%s at %s is dead: %v", name, at, err), fmt.Sprintf("bitacora serve (process %d) should start it again: restart that; its output is %s", d.holder.PID, d.outputOf(engine)))
	}
	return failed(fmt.Sprintf("%s at %s cannot be reached: %v", name, at, err), fmt.Sprintf("start it, or correct %s", setting))
}

// wayOut takes an error apart whose sentence ends with what to do about it.
func wayOut(err error) (why, todo string) {
	text := err.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 && strings.Contains(text[i:], "BITACORA_") {
		return text[:i], text[i+2:]
	}
	return text, ""
}

// outputOf is the file with what an embedded engine printed.
func (d *doctor) outputOf(engine string) string {
	file := map[string]string{engines.Postgres: "postgres.log", engines.ClickHouse: "chserver.log"}[engine]
	return filepath.Join(d.config.DataDir, engine, file)
}

// hostOf is an address without what is secret in it.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "an unknown address"
	}
	return u.Host
}

func (d *doctor) examineVersions(context.Context) finding {
	v, err := ownVersion(d.app().engines())
	if err != nil {
		return failed(err.Error(), "build the program anew")
	}
	said := fmt.Sprintf("commit %s, schema %s, projections %d", v.Commit, v.Schema, v.Projections)
	for _, e := range v.Engines {
		said += fmt.Sprintf(", %s %s", e.Name, e.Version)
	}
	there := d.log.Schema
	switch {
	case there == "" || there == v.Schema:
		return fine("%s", said)
	case there < v.Schema:
		return failed(fmt.Sprintf("the database has the schema %s, this program %s", there, v.Schema), "bitacora migrate, or start bitacora serve, which does it")
	}
	return failed(fmt.Sprintf("the database was migrated by a newer program: its schema is %s, this one's %s", there, v.Schema), "install the newer program again")
}

// examineIdentity says whether log, keys and tables belong together.
func (d *doctor) examineIdentity(ctx context.Context) finding {
	if bundle, err := postgres.OpenBundle(d.config.keyBundle()); err == nil && d.log.FirstEvent != "" && bundle.FirstEvent != "" && bundle.FirstEvent != d.log.FirstEvent {
		return failed(fmt.Sprintf("the key bundle %s is of another clinic's log", d.config.keyBundle()), "put this clinic's keys directory in its place, or correct BITACORA_DATA_DIR and BITACORA_KEYS_DIR")
	}
	if d.answerOf(engines.ClickHouse) != nil {
		return unknown(engines.ClickHouse)
	}
	live, err := d.db.LiveBuild(ctx)
	if err == nil {
		err = d.builds.checker.CheckNow(ctx, live)
	}
	switch {
	case errors.Is(err, builds.ErrMismatch):
		return failed(err.Error(), "as it says; schema/OPERATIONS.md, \"A log that was restored or copied\"")
	case err != nil && !errors.Is(err, builds.ErrOutdated): // which is told of the tables
		return failed(err.Error(), "bitacora projections says more")
	}
	return fine("log, keys and tables belong together: epoch %s", d.log.Epoch)
}
