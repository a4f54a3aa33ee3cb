package builds

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/domain/fault"
	"bitacora/projections"
)

const (
	// lookAgain is how soon a build that came or went is noticed.
	lookAgain = time.Second
	// tryAgain is the pause before a build that could not be followed is tried again.
	tryAgain = 3 * time.Second
)

// Follower keeps builds up with the log. All its fields must be set; it must not be copied after
// its first use.
type Follower struct {
	Builds    FollowedBuilds
	Admission Admission
	Tables    Waiter
	Views     Views
	Parking   ParkingRetrier
	// Subscriber makes a feed of the log, whose topics are builds. It must call begin each time it
	// became the only one to feed a build, before the first batch; an error of begin must make it
	// give that up again.
	Subscriber func(begin func(context.Context) error) message.Subscriber
	// Writer and Store are where the rows of a build go and where its conversations are parked.
	Writer func(build string) projections.Writer
	Store  func(build string) projections.ParkingStore
	// Fill, if set, brings nodes of a cluster what they lack of a build until ctx ends.
	Fill   func(ctx context.Context, build string)
	Clock  projections.Clock
	Logger *slog.Logger

	mu        sync.Mutex
	obstacles map[string]error
	// again ends whatever is followed, so that it is admitted anew.
	again map[string]context.CancelFunc
}

// FollowedBuilds are the builds there are, and why one does not go on.
type FollowedBuilds interface {
	StatusReader
	// BuildStatuses describes every build that was not dropped, oldest first.
	BuildStatuses(ctx context.Context) ([]Status, error)
	RecordError(ctx context.Context, build, reason string) error
}

// Waiter waits until the tables' database answers, and fails only when ctx ends.
type Waiter interface {
	Wait(ctx context.Context) error
}

// Obstacle says why a build is not kept up by this process; nil if it is, or need not be.
func (f *Follower) Obstacle(build string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.obstacles[build]
}

func (f *Follower) setObstacle(build string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.obstacles == nil {
		f.obstacles = map[string]error{}
	}
	f.obstacles[build] = err
}

// Again has every build admitted anew, after what its tables lie on was started again.
func (f *Follower) Again() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, stop := range f.again {
		stop()
	}
}

func (f *Follower) stopAgain(build string, stop context.CancelFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.again == nil {
		f.again = map[string]context.CancelFunc{}
	}
	f.again[build] = stop
}

// Follow keeps builds up with the log until ctx ends: every one that is to be followed and was
// made by this version of the projections. A build of another version is left alone, since rows
// of two versions do not join; a process of that version may go on following it beside this one.
func (f *Follower) Follow(ctx context.Context) {
	running := map[string]context.CancelFunc{}
	var followers sync.WaitGroup
	defer followers.Wait()
	var outdated, published string
	for {
		list, err := f.Builds.BuildStatuses(ctx)
		if err != nil && ctx.Err() == nil {
			f.Logger.Warn("builds cannot be looked at, trying again", "error", err)
		}
		present := map[string]bool{}
		for _, s := range list {
			present[s.Name] = true
			f.warnOutdated(s, &outdated)
			f.Views.follow(ctx, s, &published)
			if _, ok := running[s.Name]; ok || !s.State.Followed() || s.Version != projections.Version {
				continue
			}
			own, cancel := context.WithCancel(ctx)
			running[s.Name] = cancel
			followers.Go(func() { f.keepUp(own, s.Name) })
		}
		for name, cancel := range running {
			if err == nil && !present[name] {
				cancel()
				delete(running, name)
			}
		}
		if !f.Clock.Sleep(ctx, lookAgain) {
			for _, cancel := range running {
				cancel()
			}
			return
		}
	}
}

// warnOutdated says once that the live build was made by another version.
func (f *Follower) warnOutdated(s Status, warned *string) {
	if s.State == Live && s.Version != projections.Version && *warned != s.Name {
		*warned = s.Name
		f.setObstacle(s.Name, errors.New("the live build was made by another version of the projections"))
		f.Logger.Warn("a rebuild is due: the live build was made by another version of the projections; it answers as far as it goes and is not kept up by this program",
			"build", s.Name, "its version", s.Version, "this program's", projections.Version)
	}
}

// keepUp follows one build until ctx ends, and tries again whatever stands in the way.
func (f *Follower) keepUp(ctx context.Context, build string) {
	defer f.setObstacle(build, nil)
	logged := ""
	for ctx.Err() == nil {
		err := f.followOnce(ctx, build)
		if err == nil || ctx.Err() != nil {
			continue
		}
		if fault.KindOf(err) == fault.NotFound { // it was dropped, and Follow is about to see that
			f.Clock.Sleep(ctx, lookAgain)
			continue
		}
		f.setObstacle(build, err)
		if logged != err.Error() {
			logged = err.Error()
			f.Logger.Error("build is not kept up", "build", build, "error", err)
			f.record(ctx, build, err)
		}
		f.Clock.Sleep(ctx, tryAgain)
	}
}

// followOnce follows a build that may be written to, until ctx ends or that is to be found out
// again.
func (f *Follower) followOnce(ctx context.Context, build string) error {
	if err := f.Tables.Wait(ctx); err != nil {
		return nil // ctx ended
	}
	s, err := f.Builds.BuildStatus(ctx, build)
	if err != nil {
		return err
	}
	if err := f.Admission.Admit(ctx, s); err != nil {
		return err
	}
	f.setObstacle(build, nil)
	// Operators need not read what the router does when all is well.
	logger := watermill.NewSlogLoggerWithLevelMapping(f.Logger, map[slog.Level]slog.Level{slog.LevelInfo: slog.LevelDebug})
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: 3 * time.Second}, logger)
	if err != nil {
		return fmt.Errorf("make router: %w", err)
	}
	var retries sync.WaitGroup
	defer retries.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	f.stopAgain(build, stop)
	subscriber := f.Subscriber(func(ctx context.Context) error {
		s, err := f.Builds.BuildStatus(ctx, build)
		if err == nil {
			err = f.Admission.Checker.Joinable(ctx, s)
		}
		if err != nil {
			stop()
			return err
		}
		retries.Go(func() { f.Parking.RetryReadable(ctx, build) })
		if f.Fill != nil {
			retries.Go(func() { f.Fill(ctx, build) })
		}
		return nil
	})
	live := projections.Live{
		Build:      build,
		Subscriber: subscriber,
		Writer:     f.Writer(build),
		Parking:    f.Store(build),
		Observe: func(a projections.Attempt) {
			f.observe(ctx, build, a)
			if errors.Is(a.Err, projections.ErrBehind) {
				stop()
			}
		},
	}
	if err = live.AddTo(ctx, router); err == nil {
		err = router.Run(ctx)
	}
	return errors.Join(err, subscriber.Close())
}

func (f *Follower) observe(ctx context.Context, build string, a projections.Attempt) {
	if ctx.Err() != nil {
		return
	}
	if a.Err != nil {
		f.Logger.Warn("batch was not applied, trying again", "build", build, "first", a.Batch.First(), "last", a.Batch.Last(), "error", a.Err)
		f.record(ctx, build, a.Err)
		return
	}
	f.Logger.Debug("batch applied", "build", build, "first", a.Batch.First(), "last", a.Batch.Last(), "ms", a.Took.Milliseconds())
}

func (f *Follower) record(ctx context.Context, build string, reason error) {
	if err := f.Builds.RecordError(ctx, build, reason.Error()); err != nil {
		f.Logger.Warn("error cannot be recorded", "error", err)
	}
}

// Views points the analysts' views at the live build.
type Views struct {
	Tables ViewPublisher
	// Published, if set, is called after views were published.
	Published func(context.Context)
	Logger    *slog.Logger
}

// ViewPublisher makes the views of a build those that analysts read.
type ViewPublisher interface {
	Origin(ctx context.Context, build string) (o Origin, ok bool, err error)
	PublishViews(ctx context.Context, build string) error
}

// follow points the views at a build that became live.
func (v Views) follow(ctx context.Context, s Status, published *string) {
	if s.State != Live || *published == s.Name || s.Version != projections.Version {
		return
	}
	if _, made, err := v.Tables.Origin(ctx, s.Name); err != nil || !made {
		return
	}
	if err := v.Tables.PublishViews(ctx, s.Name); err != nil {
		if ctx.Err() == nil {
			v.Logger.Warn("views cannot be published, trying again", "build", s.Name, "error", err)
		}
		return
	}
	*published = s.Name
	if v.Published != nil {
		v.Published(ctx)
	}
}
