// Package doctor examines an installation, and says how to cure it.
package doctor

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/engines"
	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/settings"
	"bitacora/cmd/bitacora/setup"
	"bitacora/domain/clinic"
)

// New is "bitacora doctor".
func New() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:     "doctor",
		Short:   "Check the whole installation and say what to do",
		Example: "  bitacora doctor\n  bitacora doctor --json | jq '.checks[] | select(.status != \"ok\")'",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			d := findInstallation(c.Context())
			defer d.close()
			return d.examine(c.Context(), examinations(), c.OutOrStdout(), asJSON)
		},
	}
	c.Long = `Check the whole installation and say what to do: one sentence for each part, with the command that cures it where there is one. It
works beside a running "bitacora serve", without one, and where nothing starts; each part is looked
at by itself and for ` + checkPatience.String() + ` at most. Nothing is changed.

"ok" needs nothing, "->" is worth a thought, "??" was not found out, "!!" is out of order: exit code 3
says that something is. With --json each has its id, its status (ok, warning, unknown, failed), its
sentence, and the command, the setting or the advice that helps.

By its id, each finds:

` + examinationHelp()
	c.Flags().BoolVar(&asJSON, "json", false, "for programs")
	return c
}

const (
	// checkPatience is how long one part may take to look at.
	checkPatience = 5 * time.Second
	// startPatience is how long engines may take that are started for the look alone.
	startPatience = time.Minute
)

// doctor examines an installation: each part by itself, whatever became of the others.
type doctor struct {
	config settings.Config
	clinic clinic.Clinic
	// mistakes and flaws are what is wrong with the configuration and the clinic's file.
	mistakes, flaws error
	at              engines.Endpoints
	// holder runs the engines; nil where nobody does, and they were started for the look.
	holder *engines.Holder
	// foreign says that the data directory is another user's.
	foreign error
	// rested says which embedded engines got no processor while they were asked, by their names.
	rested map[string]bool
	// down is why an engine cannot be asked at all, by its name.
	down map[string]error
	// log and server are what the engines say of themselves, or the error why they do not.
	log       postgres.About
	logErr    error
	server    clickhouse.About
	serverErr error

	db     *postgres.DB
	tables *clickhouse.DB
	builds *app.Builds
	demo   *setup.DemoMode
	now    func() time.Time
	needs  versions
	// self is this process, whose engines may be those that listen.
	self int
	// listening is [engines.Listening].
	listening func(addr string) (engines.Listener, bool, error)
	release   func() error
}

// versions are the oldest of the servers that the program works with.
type versions struct{ postgres, clickhouse int }

// status is what an examination comes to.
type status string

const (
	statusOK      status = "ok"
	statusWarning status = "warning"
	// statusUnknown: it was not found out, which says nothing of what was looked at.
	statusUnknown status = "unknown"
	statusFailed  status = "failed"
)

// marks are how each status is printed, the best first.
var marks = []struct {
	status status
	mark   string
}{{statusOK, "ok"}, {statusWarning, "->"}, {statusUnknown, "??"}, {statusFailed, "!!"}}

// rank is the place of a status among all, the best first.
func (s status) rank() int {
	for i, v := range marks {
		if v.status == s {
			return i
		}
	}
	return len(marks)
}

// finding is what one examination says: nothing to do, or what is wrong and the way out.
type finding struct {
	Status   status `json:"status"`
	Sentence string `json:"sentence"`
	cure
}

func fine(format string, args ...any) finding {
	return finding{statusOK, fmt.Sprintf(format, args...), cure{}}
}

func warn(said string, todo cure) finding { return finding{statusWarning, command.OneLine(said), todo} }

func failed(said string, todo cure) finding {
	return finding{statusFailed, command.OneLine(said), todo}
}

func unknown(said string, todo cure) finding {
	return finding{statusUnknown, command.OneLine(said), todo}
}

// unasked is what can be said of a part without an engine; what to do is said of that.
func unasked(engine string) finding {
	return unknown("not known while "+engine+" does not answer", cure{})
}

// examination looks at one part of the installation.
type examination struct {
	id string
	// finds says in the help what can be wrong.
	finds string
	look  func(context.Context, *doctor) finding
	// asks names what is needed to say anything: engines, and the [directory].
	asks []string
}

// directory is the data directory with the keys, the backups and the letters, as a need of an examination.
const directory = "directory"

// examinations are all of them, in the order in which they are told.
func examinations() []examination {
	pg, both := []string{engines.Postgres}, []string{engines.Postgres, engines.ClickHouse}
	files := []string{directory}
	return []examination{
		{"configuration", "settings that cannot be read", examineConfiguration, nil},
		{"clinic", "a clinic's file that cannot be read", examineClinic, nil},
		{"directory", "a directory of another clinic; the remains of an interrupted backup drill", examineDirectory, nil},
		{"port", "another program on the addresses of this one", examinePorts, nil},
		{"postgres", "a server that is away, hangs, refuses the login, stores nothing, or has another version", examinePostgres, nil},
		{"clickhouse", "the same of ClickHouse; damaged files that were set aside", examineClickHouse, nil},
		{"standby", "an absent synchronous standby that Postgres waits for", examineStandby, pg},
		{"versions", "a database that an older or newer program migrated", examineVersions, nil},
		{"keys", "a key that is missing, of another log, or readable by other users", examineKeys, files},
		{"identity", "log, key bundle and tables that do not belong together", examineIdentity, pg},
		{"disk", "a disk that is read-only, or has no room for a rebuild or a backup", examineDisk, files},
		{"clock", "a clock that differs from the engines' and the disk's, or went backwards", examineClock, nil},
		{"log", "a log that cannot be read, or began as a demo", examineLog, pg},
		{"tables", "tables that are missing or outdated", examineTables, both},
		{"self-check", "what the checks of the night found in the log, the tables or the copy elsewhere", examineSelfCheck, pg},
		{"projections", "tables that are behind the log", examineProjections, both},
		{"parked", "conversations that wait", examineParked, pg},
		{"month", "a monthly limit that is reached", examineMonth, pg},
		{"assistant", "a provider with incomplete settings", examineAssistant, nil},
		{"staff", "the absence of any account", examineStaff, pg},
		{"second-factor", "a public dashboard that is protected by passwords alone", examineSecondFactor, pg},
		{"retention", "personal data without a limit of time", examineRetention, nil},
		{"backup", "a backup that is missing, damaged or old", examineBackup, files},
		{"bundle", "a key bundle that is missing, damaged or old", examineBundle, files},
		{"offsite", "a copy elsewhere that is behind or cannot be restored; a place for keys that keeps old ones", examineOffsite, nil},
		{"mail", "a mail server that is away or refuses the login; letters that wait", examineMail, files},
		{"proxy", "proxies that are not named, or forward no address", examineProxy, nil},
		{"address", "a site that its own address does not lead to; a certificate that is wrong or expires", examineAddress, nil},
		{"certificate", "a name in BITACORA_DOMAIN without a certificate, or whose renewal fails", examineCertificate, files},
		{"placeholders", "facts of the clinic that are still made up", examinePlaceholders, nil},
		{"content", "texts about the people, patients and history that the program contains as examples", examineContent, pg},
		{"numbers", "emergency and crisis numbers that nobody called for a year", examineNumbers, nil},
		{"files", "a kernel that cannot confine ClickHouse", examineFiles, nil},
	}
}

// examinationHelp lists what each examination finds.
func examinationHelp() string {
	var b strings.Builder
	for _, e := range examinations() {
		fmt.Fprintf(&b, "  %-15s%s\n", e.id, e.finds)
	}
	return b.String()
}

// report is what an examination of everything says.
type report struct {
	Status status  `json:"status"`
	Checks []check `json:"checks"`
}

type check struct {
	ID string `json:"id"`
	finding
}

// examine looks at all parts at once, and tells of each in its order as soon as it is known.
func (d *doctor) examine(ctx context.Context, list []examination, out io.Writer, asJSON bool) error {
	findings := make([]chan finding, len(list))
	for i, e := range list {
		findings[i] = make(chan finding, 1)
		go func() { findings[i] <- d.look(ctx, e) }()
	}
	r := report{Status: statusOK}
	for i, e := range list {
		f := <-findings[i]
		r.Checks = append(r.Checks, check{e.id, f})
		if f.Status.rank() > r.Status.rank() {
			r.Status = f.Status
		}
		if !asJSON {
			f.print(out, e.id)
		}
	}
	if asJSON {
		if err := command.PrintJSON(out, r); err != nil {
			return err
		}
	}
	if r.Status == statusFailed {
		return command.ErrFound
	}
	return nil
}

func (f finding) print(out io.Writer, id string) {
	fmt.Fprintf(out, "%s  %-14s %s\n", marks[f.Status.rank()].mark, id, f.Sentence)
	f.cure.print(out)
}

// look runs one examination, and waits for it no longer than it may take, whatever it hangs on.
func (d *doctor) look(ctx context.Context, e examination) finding {
	for _, need := range e.asks {
		switch {
		case need == directory && d.foreign != nil:
			return unknown("not known to another user", cure{})
		case need != directory && d.answerOf(need) != nil:
			return unasked(need)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	said := make(chan finding, 1)
	go func() { said <- e.look(ctx, d) }()
	late := unknown("it was not found out within "+checkPatience.String(), askAgain)
	select {
	case f := <-said:
		if ctx.Err() == nil || f.Status == statusOK {
			return f
		}
		late.Sentence += ": " + f.Sentence
	case <-time.After(checkPatience + time.Second): // the deadline's own error says more
	}
	return late
}

// askAgain is what helps where something was not found out in time.
var askAgain = advise("bitacora doctor looks again; the machine may be busy")

// answerOf is why an engine cannot be asked; nil where it answers.
func (d *doctor) answerOf(engine string) error {
	if err := d.down[engine]; err != nil {
		return err
	}
	if engine == engines.Postgres {
		return d.logErr
	}
	return d.serverErr
}

func (d *doctor) close() {
	if d.tables != nil {
		d.tables.Close()
	}
	if d.db != nil {
		d.db.Close()
	}
	if d.release != nil {
		if err := d.release(); err != nil {
			fmt.Fprintln(os.Stderr, "bitacora:", err)
		}
	}
}
