package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/backup"
	"bitacora/cmd/bitacora/command"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

func examineConfiguration(_ context.Context, d *doctor) finding {
	if d.mistakes != nil {
		return failed(d.mistakes.Error(), advise("correct it; bitacora serve --help lists every setting"))
	}
	return fine("every setting can be read")
}

func examineClinic(_ context.Context, d *doctor) finding {
	switch {
	case d.flaws != nil:
		return failed(d.flaws.Error(), advise("bitacora clinic check names each mistake with its line"))
	case d.config.ClinicFile == "":
		return fine("the built-in facts; BITACORA_CLINIC_FILE names no file")
	}
	if left := app.LeftOut(d.clinic); len(left) > 0 {
		return warn(fmt.Sprintf("the facts of %s in %s leave out %s: %s", d.clinic.Name, d.config.ClinicFile, strings.Join(left, ", "), app.WithoutThem), advise("add them to the file; bitacora clinic example shows how they are written"))
	}
	return fine("the facts of %s in %s", d.clinic.Name, d.config.ClinicFile)
}

// examineDirectory says whether the data directory is one.
func examineDirectory(_ context.Context, d *doctor) finding {
	a := d.app()
	dir, err := filepath.Abs(d.config.DataDir)
	if err != nil {
		return failed(err.Error(), advise("name a directory in BITACORA_DATA_DIR"))
	}
	if other := (otherUser{}); errors.As(d.foreign, &other) {
		return unknown(other.Error()+", who alone can look at it", advise("as that user: sudo -u %s bitacora doctor", other.name))
	}
	if err := a.Begun(); err != nil {
		return failed(dir+" is no data directory of a clinic", advise("run this where the clinic's is, or name it in BITACORA_DATA_DIR; bitacora serve begins a new one"))
	}
	if left := backup.LeftByDrills(d.config.DataDir); len(left) > 0 {
		return warn("a backup drill was killed, and left copies of the keys in "+strings.Join(left, ", "), run("bitacora backup drill"))
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
func examinePorts(ctx context.Context, d *doctor) finding {
	wanted := []struct{ name, addr string }{{"BITACORA_ADDR", d.config.Addr}, {"BITACORA_METRICS_ADDR", d.config.MetricsAddr}}
	if d.config.ClickHouseURL == "" {
		wanted = append(wanted, struct{ name, addr string }{"BITACORA_CLICKHOUSE_ADDR", d.config.ClickHouseAddr})
	}
	if len(d.config.Domains) > 0 {
		wanted = append(wanted, struct{ name, addr string }{"BITACORA_HTTP_ADDR", d.config.HTTPAddr}, struct{ name, addr string }{"BITACORA_HTTPS_ADDR", d.config.HTTPSAddr})
	}
	var free, ours []string
	for _, w := range wanted {
		if w.addr == "off" || strings.HasSuffix(w.addr, ":0") {
			continue
		}
		who, taken, err := d.listening(w.addr)
		switch {
		case errors.Is(err, fs.ErrPermission): // only serve has the right to ports below 1024
		case err != nil:
			return failed(err.Error(), advise("name an address of this machine in %s", w.name))
		case !taken:
			free = append(free, w.addr)
		case d.own(who.PID) || d.follows(ctx, who.PID) || who.PID == 0 && d.hasClickHouseAt(w.addr):
			ours = append(ours, w.addr)
		default:
			return failed(w.addr+" is taken by "+whoHas(who), d.elsewhere(w.name, w.addr))
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

// whoHas says whose an address is that somebody else listens on.
func whoHas(who engines.Listener) string {
	if who.PID == 0 {
		return "a program of another user"
	}
	said := fmt.Sprintf("process %d (%s)", who.PID, who.Command)
	if who.Folder != "" {
		said += ", which runs in " + who.Folder
	}
	return said
}

// elsewhere lets serve listen beside whoever has an address.
func (d *doctor) elsewhere(name, addr string) cure {
	if free := d.freeBeside(addr); free != "" {
		return set("%s=%s", name, free)
	}
	return advise("name another address in %s", name)
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

// follows says whether a process keeps up the tables of this log, by which one that runs no engines is
// known.
func (d *doctor) follows(ctx context.Context, pid int) bool {
	if d.db == nil {
		return false
	}
	list, err := d.db.BuildStatuses(ctx)
	return err == nil && slices.ContainsFunc(list, func(s builds.Status) bool { return feed.IsOf(s.Owner, pid) })
}

// hasClickHouseAt says whether this installation's ClickHouse listens there: what its process holds open
// is hidden from everybody but root.
func (d *doctor) hasClickHouseAt(addr string) bool {
	if d.holder == nil || HostOf(d.at.ClickHouseURL) != addr {
		return false
	}
	pid := d.holder.Engines[engines.ClickHouse]
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

func examinePostgres(_ context.Context, d *doctor) finding {
	if err := d.answerOf(engines.Postgres); err != nil {
		return d.unanswered("PostgreSQL", engines.Postgres, "BITACORA_DATABASE_URL", d.at.DatabaseURL, err, postgres.NotLetIn(err))
	}
	switch f, full := d.full("PostgreSQL", d.at.EmbeddedPostgres, noRoom); {
	case d.log.Major < d.needs.postgres:
		return failed(fmt.Sprintf("the server is PostgreSQL %d, and %d is needed", d.log.Major, d.needs.postgres), advise("name a newer server in BITACORA_DATABASE_URL"))
	case full:
		return f
	case d.log.ReadOnly:
		return failed(fmt.Sprintf("PostgreSQL %d answers and stores nothing: it is a standby, or set to read only", d.log.Major), advise("name the primary in BITACORA_DATABASE_URL, or end default_transaction_read_only"))
	case d.log.OpenTo > 0:
		return warn(fmt.Sprintf("PostgreSQL %d answers; the users of %d other logs on it may read and write this one", d.log.Major, d.log.OpenTo),
			advise("let only this clinic's users CONNECT to its database; schema/SERVERS.md, \"Several clinics on the same servers\""))
	}
	return fine("PostgreSQL %d answers, %s", d.log.Major, kindOfServer(d.at.EmbeddedPostgres))
}

// examineStandby says whether a synchronous standby is there where Postgres was told to wait for one.
func examineStandby(_ context.Context, d *doctor) finding {
	switch asked, s := d.log.SynchronousNames, d.log.Standbys; {
	case d.at.EmbeddedPostgres:
		return fine("the embedded PostgreSQL has none")
	case asked == "" && s.Attached == 0:
		return fine("PostgreSQL waits for none, and none is attached")
	case asked == "":
		return fine("%d attached, none is waited for: what it has not received is lost where it is promoted", s.Attached)
	case s.Attached == 0 || s.Synchronous == 0 && s.Seen:
		return failed(fmt.Sprintf("PostgreSQL waits for a synchronous standby (synchronous_standby_names = %s), and none is attached: nothing is stored", asked),
			advise("start the standby; to go on without: ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf()"))
	case s.Synchronous == 0:
		return warn(fmt.Sprintf("%d attached; whether one of them is synchronous is not shown to this user", s.Attached), advise("GRANT pg_read_all_stats TO the user that BITACORA_DATABASE_URL names"))
	}
	return fine("a synchronous standby is attached")
}

func examineClickHouse(ctx context.Context, d *doctor) finding {
	if err := d.answerOf(engines.ClickHouse); err != nil {
		f := d.unanswered("ClickHouse", engines.ClickHouse, "BITACORA_CLICKHOUSE_URL", d.at.ClickHouseURL, err, clickhouse.NotLetIn(err))
		f.Sentence += "; chats go on and are counted later"
		return f
	}
	major, err := strconv.Atoi(strings.SplitN(d.server.Version, ".", 2)[0])
	if err != nil || major < d.needs.clickhouse {
		return failed(fmt.Sprintf("the server is ClickHouse %s, and %d is needed", d.server.Version, d.needs.clickhouse), advise("name a newer server in BITACORA_CLICKHOUSE_URL"))
	}
	if d.config.Cluster != "" {
		return examineNodes(ctx, d)
	}
	if f, full := d.full("ClickHouse", d.at.EmbeddedClickHouse, d.server.Free); full {
		return f
	}
	said := fmt.Sprintf("ClickHouse %s answers, %s", d.server.Version, kindOfServer(d.at.EmbeddedClickHouse))
	if aside := d.app().Engines().SetAside(); len(aside) > 0 && d.at.EmbeddedClickHouse {
		return warn(said+"; damaged files of it were set aside, and nothing needs them", run("rm -r %s", command.ShellWords(aside...)))
	}
	return fine("%s", said)
}

// examineNodes says how each node of the cluster is.
func examineNodes(ctx context.Context, d *doctor) finding {
	nodes, err := d.tables.Nodes(ctx)
	if err != nil {
		return failed(err.Error(), advise("correct BITACORA_CLICKHOUSE_URL and BITACORA_CLICKHOUSE_CLUSTER, or remote_servers of the nodes"))
	}
	var away []string
	for _, n := range nodes {
		if n.Err != nil {
			away = append(away, n.Err.Error())
		}
	}
	if len(away) > 0 {
		return failed(fmt.Sprintf("%d of %d nodes of the cluster %s do not answer: %s; chats go on",
			len(away), len(nodes), d.config.Cluster, strings.Join(away, "; ")), advise("start them: the program fills them from the log"))
	}
	return fine("ClickHouse %s answers, all %d nodes of the cluster %s", d.server.Version, len(nodes), d.config.Cluster)
}

func kindOfServer(embedded bool) string {
	if embedded {
		return "embedded"
	}
	return "a server of its own"
}

// unanswered says why an engine does not answer, and what to do.
func (d *doctor) unanswered(name, engine, setting, address string, err error, notLetIn bool) finding {
	if missing := new(engines.MissingError); errors.As(d.down[engine], missing) {
		return failed(fmt.Sprintf("%s has not run since %s: %s", name, missing.Since.Format(time.DateTime), missing.Reason), advise("%s", missing.Remedy))
	}
	pid := 0
	if d.holder != nil {
		pid = d.holder.Engines[engine]
	}
	at := HostOf(address)
	timeout := net.Error(nil)
	slow := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
	switch {
	case d.foreign != nil && errors.Is(err, d.foreign):
		return unknown("not known to another user", cure{})
	case d.down[engine] != nil && slow:
		return unknown(fmt.Sprintf("%s was not up within %v", name, startPatience), askAgain)
	case d.down[engine] != nil:
		why, todo := wayOut(err)
		return failed(fmt.Sprintf("%s does not run: %s", name, why), advise("%s", cmp.Or(todo, "bitacora serve says more; its output is "+d.outputOf(engine))))
	case notLetIn:
		return failed(fmt.Sprintf("%s at %s does not let the program in: %v", name, at, err), advise("correct user, password and database in %s", setting))
	case slow && pid > 0 && d.rested[engine]:
		return failed(fmt.Sprintf("%s at %s takes connections, does nothing and does not answer within %v: it hangs", name, at, checkPatience),
			run("kill -9 %d", pid).or(advise("bitacora serve starts it again, and nothing that was answered is lost")))
	case slow:
		return unknown(fmt.Sprintf("%s at %s takes connections and did not answer within %v", name, at, checkPatience),
			advise("bitacora doctor looks again; where it never answers, restart that server"))
	case d.holder != nil && pid == 0 && address != "":
		return failed(fmt.Sprintf("%s at %s is dead: %v", name, at, err),
			advise("bitacora serve (process %d) should start it again: restart that; its output is %s", d.holder.PID, d.outputOf(engine)))
	}
	return failed(fmt.Sprintf("%s at %s cannot be reached: %v", name, at, err), advise("start it, or correct %s", setting))
}

// noRoom is the free space, in bytes, with which an engine stores nothing more.
const noRoom = 8 << 20

// full says that an engine answers and has no room to store anything; ok is false where it has.
func (d *doctor) full(name string, embedded bool, free uint64) (f finding, ok bool) {
	if embedded {
		disk, err := app.DiskOf(app.Existing(d.config.DataDir))
		if err != nil {
			return f, false
		}
		free = disk.Free
	}
	if free >= noRoom {
		return f, false
	}
	return failed(fmt.Sprintf("%s answers and stores nothing: its disk has %s left", name, command.SizeText(free)), advise("free some space on that disk")), true
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

// HostOf is an address without what is secret in it.
func HostOf(address string) string {
	u, err := clickhouse.ParseURL(address)
	if err != nil || u.Host == "" {
		return "an unknown address"
	}
	return u.Host
}

func examineVersions(_ context.Context, d *doctor) finding {
	v, err := app.OwnVersion(d.app().Engines())
	if err != nil {
		return failed(err.Error(), advise("build the program anew"))
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
		return failed(fmt.Sprintf("the database has the schema %s, this program %s", there, v.Schema), run("bitacora migrate"))
	case d.log.GoesOn:
		return warn(fmt.Sprintf("a newer program has migrated the database to %s, and this one, of %s, goes on beside it", there, v.Schema), advise("install the newer program here too, once it is there to stay"))
	}
	return failed(fmt.Sprintf("the database was migrated by a newer program: its schema is %s, this one's %s", there, v.Schema), advise("install the newer program again"))
}

// examineIdentity says whether log, keys and tables belong together.
func examineIdentity(ctx context.Context, d *doctor) finding {
	if bundle, err := logdump.OpenBundle(d.config.BundleFile()); err == nil && d.log.FirstEvent != "" && bundle.FirstEvent != "" && bundle.FirstEvent != d.log.FirstEvent {
		return failed(fmt.Sprintf("the key bundle %s is of another clinic's log", d.config.BundleFile()), advise("put this clinic's keys directory in its place, or correct BITACORA_DATA_DIR and BITACORA_KEYS_DIR"))
	}
	if d.answerOf(engines.ClickHouse) != nil {
		return unasked(engines.ClickHouse)
	}
	live, err := d.db.LiveBuild(ctx)
	if err == nil {
		err = d.builds.Checker.CheckNow(ctx, live)
	}
	switch {
	case errors.Is(err, clickhouse.ErrLost):
		return failed(err.Error(), advise("as it says; schema/OPERATIONS.md, \"A ClickHouse node is lost\""))
	case errors.Is(err, builds.ErrMismatch):
		return failed(err.Error(), advise("as it says; schema/OPERATIONS.md, \"A log that was restored or copied\""))
	case err != nil && !errors.Is(err, builds.ErrOutdated): // which is told of the tables
		return failed(err.Error(), advise("bitacora projections says more"))
	}
	return fine("log, keys and tables belong together: epoch %s", d.log.Epoch)
}
