package archive

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"bitacora/adapters/phones"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// Log is the part of the event log that an import needs.
type Log interface {
	ReadStream(ctx context.Context, stream string) ([]event.Recorded, error)
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

// workers is how many conversations are in flight: a log that commits in groups stores
// them together. Equal ids go to one worker, so that they are decided one after the other.
const workers = 64

// importBytes is how many bytes of lines are in flight, however many there are: room for the two
// longest that are read, which take several times that until they are stored.
const importBytes = 2 * maxLine

// Importer appends conversations from elsewhere to the log.
type Importer struct {
	Log Log
	// Zone is the business zone, in which months are counted.
	Zone *time.Location
	// Phones is the plan of telephone numbers without a country's code.
	Phones phones.Plan
}

// Report says what became of a file's lines.
type Report struct {
	// Lines is the number of lines that were settled, blank ones not counted.
	Lines int
	// Imported conversations are new in the log; Unchanged ones were there already.
	Imported, Unchanged int
	// Conflicts and Bad are in the order of their lines.
	Conflicts []Conflict
	Bad       []Bad
}

// Conflict is a line whose id is taken by a conversation with other content. Nothing of
// it was stored.
type Conflict struct {
	Line int
	ID   string
}

// Bad is a line that is no conversation, and why.
type Bad struct {
	Line   int
	Reason string
}

// Import appends the conversations of a file. It may be repeated: what is in the log
// already is left as it is. A line that cannot be taken is reported and does not stop
// the others; an error of the reader or of the log does, and the report then covers what
// was settled before. Progress is reported after every line, from one goroutine.
func (im Importer) Import(ctx context.Context, r io.Reader, progress func(Report)) (Report, error) {
	working, ctx := errgroup.WithContext(ctx)
	settled := make(chan outcome, workers)
	inFlight := semaphore.NewWeighted(importBytes)
	queues := make([]chan Line, workers)
	for i := range queues {
		queues[i] = make(chan Line, 4)
		working.Go(func() error { return im.settleAll(ctx, queues[i], inFlight, settled) })
	}
	working.Go(func() error {
		defer func() {
			for _, q := range queues {
				close(q)
			}
		}()
		return distribute(ctx, r, im.Phones, inFlight, queues)
	})
	var err error
	go func() {
		err = working.Wait()
		close(settled)
	}()

	var report Report
	for o := range settled {
		report.add(o)
		if progress != nil {
			progress(report)
		}
	}
	slices.SortFunc(report.Conflicts, func(a, b Conflict) int { return a.Line - b.Line })
	slices.SortFunc(report.Bad, func(a, b Bad) int { return a.Line - b.Line })
	return report, err
}

func distribute(ctx context.Context, r io.Reader, plan phones.Plan, inFlight *semaphore.Weighted, queues []chan Line) error {
	for line, err := range Read(r, plan) {
		if err != nil {
			return err
		}
		if err := inFlight.Acquire(ctx, line.bytes); err != nil {
			return err
		}
		h := fnv.New32a()
		io.WriteString(h, line.Past.Key)
		select {
		case queues[h.Sum32()%uint32(len(queues))] <- line:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// outcome is what became of one line.
type outcome struct {
	line Line
	kind outcomeKind
}

type outcomeKind int

const (
	bad outcomeKind = iota
	imported
	unchanged
	conflict
)

func (im Importer) settleAll(ctx context.Context, lines <-chan Line, inFlight *semaphore.Weighted, settled chan<- outcome) error {
	for line := range lines {
		o, err := im.settle(ctx, line)
		if err != nil {
			return fmt.Errorf("import line %d: %w", line.Number, err)
		}
		o.line.Past = chat.Past{Key: line.Past.Key} // all that a report needs
		settled <- o
		inFlight.Release(line.bytes)
	}
	return nil
}

func (im Importer) settle(ctx context.Context, line Line) (outcome, error) {
	if line.Bad != nil {
		return outcome{line, bad}, nil
	}
	a, err := line.Past.Decide(im.Zone)
	if err != nil {
		line.Bad = err
		return outcome{line, bad}, nil
	}
	kind, err := im.known(ctx, line.Past)
	if err != nil || kind != imported {
		return outcome{line, kind}, err
	}
	_, err = im.Log.Append(ctx, a)
	if errors.Is(err, event.ErrConflict) || errors.Is(err, event.ErrIDReused) {
		// Another import was faster.
		if kind, err = im.known(ctx, line.Past); kind == imported {
			kind = conflict
		}
	}
	return outcome{line, kind}, err
}

// known compares a conversation with what the log has under its id; imported is the
// answer for one that it does not have yet.
func (im Importer) known(ctx context.Context, p chat.Past) (outcomeKind, error) {
	id := chat.ConversationID(p.Source, p.Key)
	events, err := im.Log.ReadStream(ctx, chat.Stream(id))
	switch c := chat.Fold(id, events); {
	case err != nil, !c.Started():
		return imported, err
	case c.ImportHash == p.ContentHash:
		return unchanged, nil
	}
	return conflict, nil
}

func (r *Report) add(o outcome) {
	r.Lines++
	switch o.kind {
	case imported:
		r.Imported++
	case unchanged:
		r.Unchanged++
	case conflict:
		r.Conflicts = append(r.Conflicts, Conflict{o.line.Number, o.line.Past.Key})
	case bad:
		r.Bad = append(r.Bad, Bad{o.line.Number, o.line.Bad.Error()})
	}
}
