package feed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Leases are kept where all processes see them, by one clock.
type Leases interface {
	// Acquire takes a lease for ttl where nobody has it; ok is false while another owner does.
	// Each ownership has a greater token than all before it.
	Acquire(ctx context.Context, name, owner string, ttl time.Duration) (token int64, ok bool, err error)
	// Renew says whether the lease is still that of the token, and lets it last for ttl from now on.
	Renew(ctx context.Context, name string, token int64, ttl time.Duration) (ok bool, err error)
	// Release ends an ownership. Another one is left alone.
	Release(ctx context.Context, name string, token int64) error
}

var errLeaseLost = errors.New("lease lost to another owner")

// Lease is work that one owner at a time may do, for as long as it keeps renewing.
type Lease struct {
	leases Leases
	name   string
	owner  string
	ttl    time.Duration
	// token tells this ownership from all earlier and later ones.
	token int64
	// asked is when the ownership was asked for that lasts at present: it has run out ttl later
	// at the earliest, however long the answer took.
	asked time.Time
}

// NewLease is a lease that nobody has taken yet, for an owner of its own.
func NewLease(leases Leases, name string, ttl time.Duration) *Lease {
	return &Lease{leases: leases, name: name, owner: ownerName(), ttl: ttl}
}

// ownerName tells this owner from all others: where it runs, and a name drawn for it.
func ownerName() string { return processName(os.Getpid()) + uuid.NewString() }

// processName is what the names of a process's owners begin with.
func processName(pid int) string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s/%d/", host, pid)
}

// IsOf says whether the owner of a lease is a process of this machine.
func IsOf(owner string, pid int) bool { return strings.HasPrefix(owner, processName(pid)) }

// Try does some work under the lease; ok is false where another owner has it. The work's
// context ends when the lease is lost, for that reason as its cause.
func (l *Lease) Try(ctx context.Context, work func(context.Context) error) (ok bool, err error) {
	if ok, err = l.acquire(ctx); err != nil || !ok {
		return false, err
	}
	defer l.release(ctx)
	ctx, stop := l.kept(ctx)
	defer stop()
	if err := work(ctx); err != nil {
		if cause := context.Cause(ctx); ctx.Err() != nil && !errors.Is(cause, context.Canceled) {
			err = errors.Join(err, cause)
		}
		return true, err
	}
	return true, nil
}

func (l *Lease) acquire(ctx context.Context) (ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.ttl/4)
	defer cancel()
	l.asked = time.Now()
	l.token, ok, err = l.leases.Acquire(ctx, l.name, l.owner, l.ttl)
	return ok, err
}

// kept renews the lease until it is stopped. The context that it gives ends when that fails.
func (l *Lease) kept(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		if err := l.keep(ctx); err != nil {
			cancel(err)
		}
	})
	return ctx, func() {
		cancel(nil)
		renewing.Wait()
	}
}

// keep renews the lease until ctx ends, and says why it could not. It gives up before the
// lease has run out, so that no two owners work at once.
func (l *Lease) keep(ctx context.Context) error {
	tick := time.NewTicker(l.ttl / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		asked := time.Now()
		switch ok, err := l.renew(ctx); {
		case err == nil && !ok:
			return errLeaseLost
		case err == nil:
			l.asked = asked
		case time.Since(l.asked) > l.ttl/2:
			return fmt.Errorf("renew lease %s: %w", l.name, err)
		}
	}
}

func (l *Lease) renew(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, l.ttl/4)
	defer cancel()
	return l.leases.Renew(ctx, l.name, l.token, l.ttl)
}

// release lets the next owner in at once. Where it fails, the lease runs out by itself.
func (l *Lease) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = l.leases.Release(ctx, l.name, l.token)
}
