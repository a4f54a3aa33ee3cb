package crash

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bitacora/cmd/bitacora/programtest"
	"bitacora/domain/event"
)

// operatorLoop gives commands that are killed, and gives each again until it ends.
type operatorLoop struct {
	people *clients
	// p is the program in whose place commands run.
	p     *programtest.Program
	given int
	// backup is the latest that was made, restored what came back of some.
	backup   stand
	restored []stand
}

// stand is a backup, or what came back of it, and what had been acknowledged before.
type stand struct {
	*programtest.Program
	name         string
	acknowledged map[fact]int
	erased       []*client
}

// duty is a command of an operator.
type duty struct {
	p     *programtest.Program
	args  []string
	stdin string
	// within is when it is killed at the latest.
	within time.Duration
	// goesOn is what is done where the command is refused when it is given again; nil: nothing is.
	goesOn func(out string) error
	done   func(out string)
}

func (d duty) String() string { return strings.Join(d.args, " ") }

// duties are all of them, in the order in which one needs another.
var duties = []func(*operatorLoop) duty{
	func(o *operatorLoop) duty {
		// Small batches for a kill in the middle, larger ones as the log grows: sixty rounds end, too.
		return o.acknowledged("rebuild", "rebuild", "--batch", fmt.Sprint(100+25*o.given), "--rate", "4000")
	},
	func(o *operatorLoop) duty { return o.acknowledged("rotation", "keys", "rotate") },
	(*operatorLoop).erase,
	(*operatorLoop).back,
	(*operatorLoop).restore,
	func(o *operatorLoop) duty { return o.acknowledged("rollback", "rollback") },
	(*operatorLoop).importChats,
	func(o *operatorLoop) duty { return o.acknowledged("", "verify") },
}

// killNext kills the next command at a random moment. One that ended before is given anew, and killed
// earlier.
func (o *operatorLoop) killNext() duty {
	next := duties[o.given%len(duties)]
	o.given++
	for within := time.Duration(0); ; within = max(within/2, 20*time.Millisecond) {
		d := next(o)
		if within == 0 {
			within = d.within
		}
		var out bytes.Buffer
		command := d.p.Command(d.args...)
		command.Stdin, command.Stdout, command.Stderr = strings.NewReader(d.stdin), &out, &out
		if err := command.Start(); err != nil {
			o.people.t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- command.Wait() }()
		select {
		case err := <-ended:
			if err != nil {
				o.people.t.Logf("%s: %v\n%s", d, err, &out)
				continue
			}
			d.done(out.String())
		case <-time.After(within/8 + rand.N(within)):
			_ = command.Process.Kill()
			<-ended
			return d
		}
	}
}

// repeat gives commands again, one after the other, until each ends well, and then what it says.
func (o *operatorLoop) repeat(commands ...duty) (said chan string) {
	said = make(chan string, len(commands))
	go func() {
		for _, d := range commands {
			out := ""
			o.people.until(d.String(), func() (err error) {
				if out, err = d.p.Run(d.stdin, d.args...); err != nil && d.goesOn != nil {
					err = d.goesOn(out)
				}
				if err != nil {
					err = fmt.Errorf("%w: %s", err, out)
				}
				return err
			})
			said <- out
		}
	}()
	return said
}

// acknowledged is a command that brings about a fact, or none.
func (o *operatorLoop) acknowledged(what string, args ...string) duty {
	return duty{p: o.p, args: args, within: 2 * time.Second, done: func(string) {
		if what != "" {
			o.people.acknowledge(fact{what, ""})
		}
	}}
}

// somebody plays steps as a client of the operator's.
func (o *operatorLoop) somebody(what string, steps ...step) *client {
	o.people.mu.Lock()
	o.people.drawn++
	g := o.people.client(what, o.people.drawn)
	o.people.mu.Unlock()
	o.people.play(script{steps: steps}, g, 0)
	return g
}

// erase erases somebody who is known by the conversation, since nobody is found any more by what they told.
func (o *operatorLoop) erase() duty {
	g := o.somebody("is erased by command", sayMark, say("quiero una cita de limpieza"), say("sí"), say(markedName), sayOwnPhone, sayWhen, settle)
	return duty{
		p: o.p, args: []string{"privacy", "erase", g.conversation(), "--yes", "--cancel-bookings"}, within: 2 * time.Second,
		done: func(string) { g.isErased() },
	}
}

func (o *operatorLoop) importChats() duty {
	g := o.somebody("is imported")
	lines := g.pastChats()
	return duty{p: o.p, args: []string{"import", "-"}, stdin: lines, within: 2 * time.Second, done: func(string) { g.acknowledgeImport(lines) }}
}

// now is what was acknowledged until now.
func (o *operatorLoop) now(name string) stand {
	o.people.mu.Lock()
	defer o.people.mu.Unlock()
	return stand{name: name, acknowledged: maps.Clone(o.people.acknowledged), erased: slices.Clone(o.people.erased)}
}

// back makes a backup. One that was killed has no name, unless it is whole.
func (o *operatorLoop) back() duty {
	made := o.now(fmt.Sprint("crash-", time.Now().UnixNano()))
	return duty{
		p: o.p, args: []string{"backup", made.name}, within: time.Second,
		goesOn: func(out string) error {
			if !strings.Contains(out, "exists: choose another name") {
				return errors.New("refused")
			}
			return nil
		},
		done: func(string) {
			if out, err := o.p.Run("", "backup", "verify", made.name); err != nil {
				o.people.t.Errorf("backup: %v\n%s", err, out)
			}
			o.backup = made
		},
	}
}

// restore brings the latest backup back into a new place, with the keys of today. Where the log is there
// already the way goes on as the command's help says.
func (o *operatorLoop) restore() duty {
	q := programtest.NewEmbedded(o.people.t, slices.DeleteFunc(slices.Clone(o.p.Environ), func(v string) bool {
		return !strings.HasPrefix(v, "BITACORA_MASTER_KEY=") && !strings.HasPrefix(v, "BITACORA_CLINIC_FILE=")
	})...)
	back := stand{Program: q, name: o.backup.name, acknowledged: o.backup.acknowledged, erased: o.now("").erased}
	if err := os.CopyFS(filepath.Join(q.Dir, "data", "keys"), os.DirFS(keysDir(o.p))); err != nil {
		o.people.t.Fatal(err)
	}
	return duty{
		// Somebody may have been erased since the bundle was written.
		p: q, args: []string{"restore", back.name, "--from", programtest.Backups(o.p), "--older-bundle"}, within: 8 * time.Second,
		goesOn: func(out string) error {
			if !strings.Contains(out, "the log is not empty") {
				return errors.New("refused")
			}
			for _, command := range [][]string{{"log", "adopt-epoch"}, {"rebuild"}} {
				if out, err := q.Run("", command...); err != nil {
					return fmt.Errorf("%v: %w: %s", command, err, out)
				}
			}
			return nil
		},
		done: func(string) { o.restored = append(o.restored, back) },
	}
}

// keysDir is where a program that has a setting for it keeps its keys.
func keysDir(p *programtest.Program) string {
	const setting = "BITACORA_KEYS_DIR="
	i := slices.IndexFunc(p.Environ, func(v string) bool { return strings.HasPrefix(v, setting) })
	return strings.TrimPrefix(p.Environ[i], setting)
}

// mustBeBack holds what came back of backups against the log, and its tables against its own log.
func (o *operatorLoop) mustBeBack() {
	t := o.people.t
	t.Helper()
	events := wholeLog(t, o.people.app.Load())
	for _, s := range o.restored {
		back := &clients{t: t, servers: []*programtest.Program{s.Program}, acknowledged: s.acknowledged, marked: s.erased}
		back.find()
		own := wholeLog(t, back.app.Load())
		end := slices.IndexFunc(own, func(e event.Recorded) bool { return e.Payload.EventType() == "EpochAdopted" })
		if end < 0 {
			t.Errorf("%s is back, and not adopted", s.name)
			end = len(own)
		}
		for i, e := range own[:end] {
			if was := events[i]; was.ID != e.ID || was.Stream != e.Stream || !was.OccurredAt.Equal(e.OccurredAt) {
				t.Fatalf("%s is back with another event at %d: %+v, not %+v", s.name, e.Position, e, was)
			}
		}
		r := recompute(own)
		back.mustBeIn(r)
		back.mustMatch(r)
		back.mustBeGone(back.app.Load(), s.erased)
		t.Logf("%s is back with %d of %d events", s.name, end, len(events))
		if err := back.app.Load().Close(); err != nil {
			t.Error(err)
		}
	}
}
