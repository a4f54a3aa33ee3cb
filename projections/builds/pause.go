package builds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"bitacora/projections"
)

// Pauser stops builds at one position, so that they can be compared or switched.
type Pauser struct {
	Builds PausedBuilds
	Clock  projections.Clock
	Logger *slog.Logger
}

// PausedBuilds stops builds at one position that all of them have applied, runs work there, and
// lets them go on. One that no process followed yet gives [ErrNotFollowed].
type PausedBuilds interface {
	StatusReader
	Pause(ctx context.Context, builds []string, work func(ctx context.Context, position int64) error) error
}

// Pause pauses builds while work runs, once all of them have begun to follow and nobody else pauses them: the
// pause of a process that was killed lapses. The program's log says which of them it waits for.
func (p Pauser) Pause(ctx context.Context, builds []string, work func(ctx context.Context, position int64) error) error {
	end := saying(p.Logger, func() string { return p.moving(ctx, builds) })
	defer end()
	for {
		err := p.Builds.Pause(ctx, builds, func(ctx context.Context, position int64) error {
			end()
			return work(ctx, position)
		})
		passes := errors.Is(err, ErrNotFollowed) || errors.Is(err, ErrBusy)
		if !passes || !p.Clock.Sleep(ctx, lookAgain/4) {
			return err
		}
	}
}

// moving says how far builds are that are to rest, and which process keeps each of them up.
func (p Pauser) moving(ctx context.Context, builds []string) string {
	var said []string
	for _, name := range builds {
		s, err := p.Builds.BuildStatus(ctx, name)
		if err != nil {
			said = append(said, err.Error())
			continue
		}
		said = append(said, fmt.Sprintf("build %s to rest: it has applied %d of %d, kept up by %s %s", name, s.Position, s.Head, cmp.Or(s.Owner, "no process"), s.LastError))
	}
	return strings.Join(said, "; ")
}
