package simulation

import (
	"errors"
	"slices"
	"strings"
	"testing/synctest"
	"time"

	"bitacora/projections/builds"
)

// run lets a history happen, lets the installation come to rest, and holds its tables against
// the log.
func (w *world) run() {
	defer w.close()
	w.disturb()
	w.faults, w.late = 0, false
	// Who is at rest learns by its next batch that tables were put back, and of a lost retry when
	// it begins anew.
	anew := w.one(2) || w.tally["tables put back"] > 0
	for _, p := range slices.Clone(w.processes) {
		if anew || p.command {
			w.end(p, true)
		}
	}
	for w.following() < 2 {
		w.start()
	}
	if refused := w.rest(); refused != nil {
		w.followAdvice(refused)
	}
	w.lookAtParked()
	w.repair()
	if w.failure == nil {
		w.compare()
	}
}

// troubles are what may befall an installation beside faults of single calls. Each history has
// its own kinds of trouble.
var troubles = [][]func(w *world){
	{func(w *world) { w.end(w.processes[w.IntN(len(w.processes))], true) }},
	{func(w *world) { w.end(w.processes[w.IntN(len(w.processes))], false) }},
	{func(w *world) { w.operator("retries what is parked", retryParked) }},
	{func(w *world) { w.operator("rebuilds", rebuild) }, func(w *world) { w.operator("rolls back", rollback) }},
	{func(w *world) { w.operator("verifies", verify) }},
	{func(w *world) { w.updated = true }},
	{(*world).stealLease},
	{(*world).jump},
	{(*world).copyLog, (*world).putLogBack},
	{(*world).copyEvents, (*world).putEventsBack},
	{(*world).copyTables, (*world).putTablesBack},
	{(*world).retryAfterCopy, (*world).putTablesBack},
}

func (w *world) stealLease() {
	w.note("the lease of", w.live(), "is stolen")
	w.leasesBroken = true
	w.tally["lease stolen"]++
	w.postgres.TakeLease(w.live(), "thief", time.Duration(w.IntN(5000))*time.Millisecond)
}

func (w *world) jump() {
	w.leasesBroken = true
	w.tally["clock jump"]++
	w.jumped += time.Duration(w.IntN(20_000)-5000) * time.Millisecond
	w.note("the clock jumps to", w.jumped)
}

func (w *world) copyLog() {
	w.note("the log is copied")
	w.putBackLog = w.postgres.Snapshot()
}

func (w *world) putLogBack() {
	if w.putBackLog == nil {
		return
	}
	w.cut(postgres)
	w.putBackLog()
	w.note("the log goes back to", len(w.postgres.Events()))
	w.wentBack, w.leasesBroken = true, true
	w.tally["log put back"]++
}

// copyEvents copies the log without what Postgres knows of the builds.
func (w *world) copyEvents() {
	w.note("the events are copied")
	w.putBackEvents = w.postgres.SnapshotEvents()
}

// putEventsBack puts the log alone back, while nothing runs and no batch is half written.
func (w *world) putEventsBack() {
	for len(w.processes) > 0 {
		w.end(w.processes[0], true)
	}
	w.settle()
	for build := range w.postgres.States() {
		if w.putBackEvents == nil || w.postgres.WriteAhead(build) > w.postgres.Position(build) {
			return
		}
	}
	w.putBackEvents()
	w.note("the events alone go back to", len(w.postgres.Events()))
	w.wentBack = true
	w.tally["events put back"]++
	w.append(w.IntN(8))
}

// retryAfterCopy lets parked conversations go on, after the tables were copied.
func (w *world) retryAfterCopy() {
	w.copyTables()
	w.updated, w.clickhouse.Lenient = true, true
	w.operator("retries what is parked", retryParked)
}

func (w *world) copyTables() {
	if _, made := w.clickhouse.Rows(w.live()); !made {
		return
	}
	w.note("the tables of", w.live(), "are copied")
	w.putBackTables = w.clickhouse.Snapshot(w.live())
}

func (w *world) putTablesBack() {
	if w.putBackTables == nil {
		return
	}
	w.cut(clickhouse)
	w.putBackTables()
	w.note("the tables go back")
	w.wentBack = true
	w.tally["tables put back"]++
}

// disturb is the part of a history in which things go wrong.
func (w *world) disturb() {
	w.faults = []int{0, 5, 20}[w.IntN(3)]
	w.late = w.one(2)
	may := []func(*world){
		func(w *world) { w.append(1 + w.IntN(8)) },
		func(w *world) { w.append(1 + w.IntN(3)) },
	}
	for _, kind := range troubles {
		if w.one(3) {
			may = append(may, kind...)
		}
	}
	w.start()
	if w.one(2) {
		w.start()
	}
	for range 60 + w.IntN(200) {
		w.settle()
		if w.failure != nil {
			return
		}
		switch w.forget(); {
		case w.live() != "" && w.one(12):
			may[w.IntN(len(may))](w)
		case w.one(8) || !w.next():
			w.pass(time.Duration(1+w.IntN([]int{50, 1000, 6000}[w.IntN(3)])) * time.Millisecond)
		}
		if w.following() == 0 {
			w.start()
		}
	}
}

// following counts the processes that keep the tables up.
func (w *world) following() (n int) {
	for _, p := range w.processes {
		if !p.command {
			n++
		}
	}
	return n
}

// forget takes out commands that have ended.
func (w *world) forget() {
	synctest.Wait() // whether a command ends before or after this look is not to be a matter of luck
	for i := 0; i < len(w.processes); i++ {
		p := w.processes[i]
		select {
		case <-p.ended:
			w.processes = append(w.processes[:i:i], w.processes[i+1:]...)
			i--
			w.judge(p)
		default:
		}
	}
}

// judge looks at what came of a command.
func (w *world) judge(p *program) {
	w.note("operator", p.number, "is done, in vain:", p.err != nil)
	var differs builds.DiffersError
	if !w.wentBack && (errors.Is(p.err, errDiffers) || errors.As(p.err, &differs)) {
		w.fail("a difference is found without a reason: %w", p.err)
	}
	if w.faults == 0 && w.undisturbed && p.err != nil {
		w.fail("a command fails without a reason: %w", p.err)
	}
}

// rest lets everything go on undisturbed until the tables hold the log, or are refused.
func (w *world) rest() (refused error) {
	w.undisturbed = true
	until, most := time.Now().Add(2*time.Minute), w.calls+10_000
	for time.Now().Before(until) && w.calls < most && w.failure == nil {
		w.forget()
		if w.next() {
			continue
		}
		yes, refused := w.caughtUp()
		if yes || refused != nil {
			return refused
		}
		w.pass(50 * time.Millisecond)
	}
	w.fail("the tables do not catch up: %s holds %d, the log ends at %d", w.live(), w.postgres.Position(w.live()), len(w.postgres.Events()))
	return nil
}

// followAdvice does what a refusal tells the operator to do.
func (w *world) followAdvice(refused error) {
	w.note("refused:", refused)
	w.tally["refused"]++
	if strings.Contains(refused.Error(), "bitacora log adopt-epoch") {
		w.operator("adopts the log", patiently(adoptEpoch))
		w.rest()
	}
	w.operator("rebuilds", patiently(rebuild))
	if again := w.rest(); again != nil {
		w.fail("after the way out it is refused still: %w", again)
	}
}

// repair makes the reasons go away for which conversations wait, and tries them again.
func (w *world) repair() {
	w.updated, w.clickhouse.Lenient = true, true
	for len(w.processes) > 0 {
		w.end(w.processes[0], false)
		for range 100 {
			w.next()
		}
	}
	w.start()
	if refused := w.rest(); refused != nil {
		w.followAdvice(refused)
	}
	w.operator("retries what is parked", patiently(retryParked))
	w.rest()
	if waiting := w.postgres.Waiting(w.live()); w.failure == nil && len(waiting) > 0 {
		w.fail("%v wait still", streamsOf(waiting))
	}
}

// close ends everything.
func (w *world) close() {
	for len(w.processes) > 0 {
		w.end(w.processes[0], true)
	}
	time.Sleep(time.Minute)
}
