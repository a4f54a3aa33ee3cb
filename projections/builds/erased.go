package builds

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"bitacora/domain/chat"
	"bitacora/projections"
)

// ErasedTexts removes from builds what they still say of people whose data were erased, or may not
// be used: texts that a replay had read before, or that lie in a build from before.
type ErasedTexts struct {
	Log    ErasedLister
	Tables TextRemover
	// Leases and Clock keep texts from being removed by two at once, which would break off each
	// other's work, and while builds are compared, see [ErasedTexts.alone].
	Leases LeaseTaker
	Clock  projections.Clock
	Logger *slog.Logger
}

// ErasedLister lists the streams whose texts belong into no build.
type ErasedLister interface {
	// Erased lists those whose personal data were erased, Restricted those whose use is restricted.
	Erased(ctx context.Context) ([]string, error)
	Restricted(ctx context.Context) ([]string, error)
}

// TextRemover removes the texts of conversations from a build, and counts those that had any. Where
// more of the build may turn up than what is there to be asked, that is [ErrMismatch].
type TextRemover interface {
	Blank(ctx context.Context, build string, conversations []string) (had int, err error)
}

// Remove removes the texts from paused builds. All of them are compared with one list, so that
// they agree however many erasures come meanwhile.
func (e ErasedTexts) Remove(ctx context.Context, builds ...string) error {
	conversations, err := e.conversations(ctx)
	if err != nil {
		return err
	}
	for _, build := range builds {
		had, err := e.Tables.Blank(ctx, build, conversations)
		if err != nil {
			return err
		}
		if had > 0 {
			e.Logger.Info("texts of erased conversations were removed", "build", build, "conversations", had)
		}
	}
	return nil
}

// conversations are those whose texts belong into no build.
func (e ErasedTexts) conversations(ctx context.Context) ([]string, error) {
	streams, err := e.Log.Erased(ctx)
	if err != nil {
		return nil, err
	}
	restricted, err := e.Log.Restricted(ctx)
	return conversationsOf(append(streams, restricted...)), err
}

// conversationsOf are the ids of those streams that are conversations: of others no build has texts.
func conversationsOf(streams []string) (ids []string) {
	for _, stream := range streams {
		if id, ok := strings.CutPrefix(stream, chat.Stream("")); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// textsLease is of whoever removes texts from builds, or compares builds.
const textsLease = "texts"

// textsPause is how soon it is looked again whether the other is done.
const textsPause = 50 * time.Millisecond

// alone runs work while nobody else removes texts from builds, or compares them, and waits until
// it may.
func (e ErasedTexts) alone(ctx context.Context, work func(context.Context) error) error {
	if e.Leases == nil {
		return work(ctx)
	}
	var busy atomic.Value
	busy.Store("")
	end := saying(e.Logger, func() string { return busy.Load().(string) })
	defer end()
	for {
		err := e.Leases.WithLease(ctx, textsLease, func(ctx context.Context) error {
			end()
			return work(ctx)
		})
		if !errors.Is(err, ErrBusy) {
			return err
		}
		busy.Store(err.Error())
		if !e.Clock.Sleep(ctx, textsPause) {
			return ctx.Err()
		}
	}
}
