package simulation

import (
	"time"
)

// happening is what may befall an installation.
type happening struct {
	name string
	do   func(w *world)
}

// run lets a history happen, lets the installation come to rest, and holds its tables against
// the log.
func (w *world) run() {
	defer w.close()
	w.disturb()
	w.faults, w.late = 0, false
	for len(w.processes) > 0 {
		w.end(w.processes[0], true)
	}
	w.start()
	w.start()
	refused := w.rest()
	if w.failure != nil || refused != nil {
		return
	}
	w.repair()
	if w.failure == nil {
		w.compare("b1")
	}
}

// disturb is the part of a history in which things go wrong.
func (w *world) disturb() {
	w.faults = []int{0, 5, 20}[w.IntN(3)]
	w.late = w.one(2)
	var putBackLog, putBackTables func()
	happenings := []happening{
		{"append", func(w *world) { w.append(1 + w.IntN(8)) }},
		{"append", func(w *world) { w.append(1 + w.IntN(3)) }},
		{"kill", func(w *world) { w.end(w.processes[w.IntN(len(w.processes))], true) }},
		{"stop", func(w *world) { w.end(w.processes[w.IntN(len(w.processes))], false) }},
		{"retry", (*world).retryParked},
		{"update", func(w *world) { w.updated = true }},
		{"steal a lease", func(w *world) {
			w.note("a lease is stolen")
			w.leasesBroken = true
			w.postgres.TakeLease("b1", "thief", time.Duration(w.IntN(5000))*time.Millisecond)
		}},
		{"a clock jumps", func(w *world) {
			w.leasesBroken = true
			w.jumped += time.Duration(w.IntN(20_000)-5000) * time.Millisecond
			w.note("the clock jumps to", w.jumped)
		}},
		{"a copy of the log", func(w *world) {
			w.note("the log is copied")
			putBackLog = w.postgres.Snapshot()
		}},
		{"the log goes back", func(w *world) {
			if putBackLog != nil {
				w.cut(postgres)
				putBackLog()
				w.note("the log goes back to", len(w.postgres.Events()))
				w.wentBack, w.leasesBroken = true, true
			}
		}},
		{"a copy of the tables", func(w *world) {
			w.note("the tables are copied")
			putBackTables = w.clickhouse.Snapshot("b1")
		}},
		{"the tables go back", func(w *world) {
			if putBackTables != nil {
				w.cut(clickhouse)
				putBackTables()
				w.note("the tables go back to", w.clickhouse.Applied("b1"))
				w.wentBack = true
			}
		}},
	}
	// Each history has its own kinds of trouble.
	may := happenings[:2:2]
	for _, h := range happenings[2:] {
		if w.one(3) {
			may = append(may, h)
		}
	}
	w.start()
	if w.one(2) {
		w.start()
	}
	for range 60 + w.IntN(150) {
		w.settle()
		if w.failure != nil {
			return
		}
		switch w.forget(); {
		case w.one(12):
			may[w.IntN(len(may))].do(w)
		case w.one(8) || !w.next():
			time.Sleep(time.Duration(1+w.IntN([]int{50, 1000, 6000}[w.IntN(3)])) * time.Millisecond)
		}
		if w.following() == 0 {
			w.start()
		}
	}
}

// following counts the processes that keep the tables up.
func (w *world) following() (n int) {
	for _, p := range w.processes {
		if p.follower != nil {
			n++
		}
	}
	return n
}

// forget takes out operators whose command has ended.
func (w *world) forget() {
	for i := 0; i < len(w.processes); i++ {
		if p := w.processes[i]; p.follower == nil {
			select {
			case <-p.ended:
				w.processes = append(w.processes[:i:i], w.processes[i+1:]...)
				i--
			default:
			}
		}
	}
}

// rest lets everything go on undisturbed until the tables hold the log, or are refused.
func (w *world) rest() (refused error) {
	until := time.Now().Add(2 * time.Minute)
	for time.Now().Before(until) && w.failure == nil {
		w.forget()
		if w.next() {
			continue
		}
		yes, refused := w.caughtUp()
		if yes || refused != nil {
			return refused
		}
		time.Sleep(50 * time.Millisecond)
	}
	w.fail("the tables do not catch up: they hold %d, the log ends at %d", w.postgres.Position("b1"), len(w.postgres.Events()))
	return nil
}

// repair makes the reasons go away for which conversations wait, and tries them again.
func (w *world) repair() {
	w.updated, w.clickhouse.Lenient = true, true
	for len(w.processes) > 0 {
		w.end(w.processes[0], false)
		for w.next() {
		}
	}
	w.start()
	w.rest()
	w.retryParked()
	w.rest()
}

// close ends everything.
func (w *world) close() {
	for len(w.processes) > 0 {
		w.end(w.processes[0], true)
	}
	time.Sleep(time.Minute)
}
