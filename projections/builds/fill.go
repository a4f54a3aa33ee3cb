package builds

import (
	"context"
	"log/slog"
	"time"

	"bitacora/projections"
)

// Lack is what a node that answers has not of a build: all of the log after a position.
type Lack struct {
	Node  string
	After int64
	// Lost says that it has not even the tables.
	Lost bool
}

// CopiedTables are those of a cluster whose copies the program writes itself.
type CopiedTables interface {
	// Behind lists the nodes that answer and hold less of a build than up to a position, or fewer retries
	// of what was parked.
	Behind(ctx context.Context, build string, position, retried int64) ([]Lack, error)
	// Prepare makes the tables of a build on a node that lost them, and the analysts' views of one that is live.
	Prepare(ctx context.Context, build, node string, live bool) error
	// Blank removes the texts of conversations from the tables of a node.
	Blank(ctx context.Context, build, node string, conversations []string) error
	// Writer writes on one node.
	Writer(build, node string) RetryWriter
}

// Filler brings nodes that were away what they lack of the log. Until then their copy answers nothing.
type Filler struct {
	Builds StatusReader
	Tables CopiedTables
	Log    projections.Source
	Erased ErasedTexts
	Store  func(build string) projections.ParkingStore
	// Published, if set, is called after a node got the analysts' views.
	Published func(context.Context)
	Clock     projections.Clock
	Logger    *slog.Logger
}

const (
	// fillPause is how soon a node that came back is noticed.
	fillPause = time.Second
	// fillRange is how many events a node is given before it notes them.
	fillRange = 20_000
)

// Keep fills nodes until ctx ends.
func (f Filler) Keep(ctx context.Context, build string) {
	logged := ""
	for f.Clock.Sleep(ctx, fillPause) {
		err := f.once(ctx, build)
		if err == nil || ctx.Err() != nil {
			logged = ""
		} else if logged != err.Error() {
			logged = err.Error()
			f.Logger.Warn("nodes cannot be filled, trying again", "build", build, "error", err)
		}
	}
}

func (f Filler) once(ctx context.Context, build string) error {
	s, err := f.Builds.BuildStatus(ctx, build)
	if err != nil {
		return err
	}
	lacks, err := f.Tables.Behind(ctx, build, s.Position, s.Retried)
	if err != nil || len(lacks) == 0 {
		return err
	}
	return f.Erased.alone(ctx, func(ctx context.Context) error {
		for _, l := range lacks {
			if err := f.fill(ctx, s, l); err != nil {
				return err
			}
		}
		return nil
	})
}

// fill removes first what was erased meanwhile: the node answers once it holds the last event.
func (f Filler) fill(ctx context.Context, s Status, l Lack) error {
	live := s.State == Live
	if l.Lost { // what its tables lack is asked for once it has them
		err := f.Tables.Prepare(ctx, s.Name, l.Node, live)
		if err == nil && live && f.Published != nil {
			f.Published(ctx)
		}
		return err
	}
	texts, err := f.Erased.conversations(ctx)
	if err == nil {
		err = f.Tables.Blank(ctx, s.Name, l.Node, texts)
	}
	if err != nil {
		return err
	}
	var ranges []projections.Range
	for at := l.After; at < s.Position; at += fillRange {
		ranges = append(ranges, projections.Range{First: at + 1, Last: min(at+fillRange, s.Position)})
	}
	writer := f.Tables.Writer(s.Name, l.Node)
	err = projections.Replay{
		Source:  f.Log,
		Applier: projections.Applier{Writer: writer, Parking: f.Store(s.Name)},
		Done:    func(context.Context, projections.Range) error { return nil },
	}.Run(ctx, ranges)
	if err == nil && s.Retried > 0 {
		err = writer.Retried(ctx, s.Retried)
	}
	if err == nil {
		f.Logger.Info("a node was filled", "build", s.Name, "node", l.Node, "after", l.After, "through", s.Position)
	}
	return err
}
