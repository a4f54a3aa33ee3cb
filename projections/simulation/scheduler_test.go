package simulation

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"bitacora/projections/feed"
)

var (
	// errLost is what a caller gets whose question or answer was lost.
	errLost = fmt.Errorf("connection lost: %w", feed.ErrUnavailable)
	errDead = fmt.Errorf("the process was killed: %w", feed.ErrUnavailable)
)

// call is a call to a store that was begun and not answered.
type call struct {
	process int
	store   string
	name    string
	// before tells calls of one name apart: by all that the same goroutine called before.
	before uint64
	effect func()
	// listed calls were there when the scheduler looked, done ones are carried out.
	listed, done bool
	answer       chan error
}

// connection is that of a process to a store.
type connection struct {
	process int
	store   string
}

// scheduler decides, by a seed alone, which call of which process is carried out next and what
// goes wrong with it. It runs in a bubble of [synctest]: whenever it decides, everything else
// waits for it or for the bubble's clock, so that the order in which the runtime woke up
// goroutines is forgotten.
type scheduler struct {
	*rand.Rand
	// faults is how many calls of 100 go wrong.
	faults int
	// late lets questions whose caller gave up arrive afterwards.
	late bool

	mu        sync.Mutex
	waiting   []*call
	abandoned []*call
	dead      map[int]bool
	// broken are connections whose next calls fail, noticed those of them where some did.
	broken  map[connection]bool
	noticed []connection
	// watch, if set, looks at every call as it is begun.
	watch func(c *call)
	// seen, if set, looks at every call that was carried out.
	seen func(c *call)

	// past is what each goroutine has called, as a hash.
	past map[int]uint64
	// begun is how many processes there ever were.
	begun int
	steps []step
	calls int
}

func newScheduler(seed uint64) *scheduler {
	return &scheduler{Rand: rand.New(rand.NewPCG(seed, 0)), dead: map[int]bool{}, broken: map[connection]bool{}, past: map[int]uint64{}}
}

// one says yes in one of n cases.
func (s *scheduler) one(n int) bool { return s.IntN(n) == 0 }

// step is something that happened.
type step struct {
	at      time.Time
	process int
	what    string
	how     string
}

func (s step) String() string {
	return strings.TrimRight(fmt.Sprintf("%8.3fs %d: %s %s", s.at.Sub(bubbleBegan).Seconds(), s.process, s.what, s.how), " ")
}

// note keeps what happened for whoever reads about a failure.
func (s *scheduler) note(parts ...any) {
	s.steps = append(s.steps, step{at: time.Now(), what: strings.TrimSpace(fmt.Sprintln(parts...))})
}

// describe gives the last steps in words.
func (s *scheduler) describe(last int) string {
	var b strings.Builder
	for _, one := range s.steps[max(0, len(s.steps)-last):] {
		fmt.Fprintln(&b, one)
	}
	return b.String()
}

// noteCall keeps what became of a call.
func (s *scheduler) noteCall(c *call, how string) {
	s.steps = append(s.steps, step{time.Now(), c.process, c.name, how})
}

// bubbleBegan is when time begins in every bubble.
var bubbleBegan = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// callsOf carries the calls of a process to a store.
func (s *scheduler) callsOf(process int, store string) func(context.Context, string, func()) error {
	return func(ctx context.Context, name string, effect func()) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if topic, ok := ctx.Value(topicKey{}).(string); ok {
			name += " for " + topic
		}
		c := &call{process: process, store: store, name: name, effect: effect, answer: make(chan error, 1)}
		s.mu.Lock()
		c.before = s.remember(name)
		if s.dead[process] {
			s.mu.Unlock()
			return errDead
		}
		if to := (connection{process, store}); s.broken[to] {
			s.noticed = append(s.noticed, to)
			s.mu.Unlock()
			return errLost
		}
		s.waiting = append(s.waiting, c)
		if s.watch != nil {
			s.watch(c)
		}
		s.mu.Unlock()
		select {
		case err := <-c.answer:
			return err
		case <-ctx.Done():
			s.abandon(c)
			return ctx.Err()
		}
	}
}

// remember gives what the goroutine called before this call.
func (s *scheduler) remember(name string) (before uint64) {
	var stack [32]byte
	var id int
	if _, err := fmt.Sscanf(string(stack[:runtime.Stack(stack[:], false)]), "goroutine %d", &id); err != nil {
		panic(err)
	}
	before = s.past[id]
	h := fnv.New64a()
	fmt.Fprintln(h, before, name)
	s.past[id] = h.Sum64()
	return before
}

func (s *scheduler) abandon(c *call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, c)
	if i < 0 { // it was answered at the same moment
		return
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	if c.listed && !c.done {
		s.abandoned = append(s.abandoned, c)
	}
}

// settle waits until nothing goes on but what waits, and puts that in an order of its own.
func (s *scheduler) settle() {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, to := range s.noticed {
		delete(s.broken, to)
	}
	s.noticed = nil
	for _, list := range [][]*call{s.waiting, s.abandoned} {
		slices.SortStableFunc(list, func(a, b *call) int {
			return cmp.Or(a.process-b.process, strings.Compare(a.name, b.name), cmp.Compare(a.before, b.before))
		})
	}
	for _, c := range s.waiting {
		c.listed = true
	}
	for _, c := range s.abandoned {
		if s.late && s.one(2) {
			s.carryOut(c, "arrived late")
		}
	}
	s.abandoned = nil
}

func (s *scheduler) carryOut(c *call, how string) {
	s.noteCall(c, how)
	s.mu.Unlock()
	c.effect()
	if s.seen != nil {
		s.seen(c)
	}
	s.mu.Lock()
	c.done = true
	s.calls++
}

// next carries out one of the calls that wait; false where none does.
func (s *scheduler) next() bool {
	s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.waiting) == 0 {
		return false
	}
	i := s.IntN(len(s.waiting))
	c := s.waiting[i]
	var err error
	fault := s.IntN(100) < s.faults
	switch {
	case c.done: // its answer is late
		s.noteCall(c, "is answered")
		if fault {
			err = errLost
		}
	case !fault:
		s.carryOut(c, "")
	default:
		switch s.IntN(3) {
		case 0:
			s.noteCall(c, "does not arrive")
			err = errLost
		case 1:
			s.carryOut(c, "is not answered")
			err = errLost
		default:
			s.carryOut(c, "is answered later")
			return true
		}
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	c.answer <- err
	return true
}

// kill ends a process with all that it has begun: what was on its way may arrive or not.
func (s *scheduler) kill(process int) {
	s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead[process] = true
	own := slices.Clone(s.waiting)
	s.waiting = slices.DeleteFunc(s.waiting, func(c *call) bool { return c.process == process })
	for _, c := range own {
		if c.process != process {
			continue
		}
		if !c.done && s.one(2) {
			s.carryOut(c, "is its last")
		}
		c.answer <- errDead
	}
}

// pass lets about d go by: never so that anybody else wakes up at the same instant, whose turn would
// then be a matter of luck.
func (s *scheduler) pass(d time.Duration) {
	time.Sleep(d + time.Duration(s.IntN(int(time.Millisecond))))
}

// cut breaks the connections of processes to a store, as its restart does: whoever is between two
// calls learns of it by the next one.
func (s *scheduler) cut(store string) {
	s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	for process := range s.begun + 1 {
		s.broken[connection{process, store}] = true
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(c *call) bool {
		if c.store != store {
			return false
		}
		c.answer <- errLost
		s.noticed = append(s.noticed, connection{c.process, store})
		return true
	})
}
