package offsite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path"
	"sync"
	"time"

	"filippo.io/age"
	"github.com/jackc/pglogrepl"
	"golang.org/x/sync/errgroup"
)

// Shipper copies the write-ahead log as it comes about, and the whole cluster once a day.
type Shipper struct {
	// URL leads to the database as a role with the right REPLICATION.
	URL    string
	Target Target
	// Recipients can open the copies.
	Recipients []age.Recipient
	// Files are those without which nobody reads the copies. They are shipped before each piece of the log.
	Files *Files
	// Epoch is the log's.
	Epoch func(context.Context) (string, error)
	// Keep is how long a state of the log can be brought back.
	Keep time.Duration
	// Every is the age at which a piece is cut, and how long a failure waits; zero: ten seconds.
	Every time.Duration
	Log   *slog.Logger

	mu     sync.Mutex
	status Status
}

// Status is how far the copy is.
type Status struct {
	// AsOf is a moment whose committed changes are all in the copy; zero: none is known.
	AsOf time.Time
	// Base is when the newest base backup was begun; zero: there is none, and nothing can be restored.
	Base time.Time
	// Err is why it does not go on; nil where it does.
	Err error
	// Bytes and Requests went to the target since the start.
	Bytes, Requests int64
}

const (
	// usually is [Shipper.Every] unless it is set; a piece of pieceBytes is cut earlier.
	usually    = 10 * time.Second
	pieceBytes = 1 << 20
	// patience is how long a place may take for one piece.
	patience = 5 * time.Minute
	// pending is what is held in memory while the target is slow; Postgres keeps what follows.
	pending = 16 << 20
	// baseAge is when a base backup is made anew.
	baseAge = 24 * time.Hour
	// emptyDays are how many days without a piece end the search for older ones.
	emptyDays = 7
	// lastWords bounds what is shipped at a stop.
	lastWords = 5 * time.Second
)

// AsOf is that of the status; a shipper that there is not knows none.
func (s *Shipper) AsOf() time.Time {
	if s == nil {
		return time.Time{}
	}
	return s.Status().AsOf
}

// Status gives how far the copy is now.
func (s *Shipper) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

func (s *Shipper) note(change func(*Status)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.status)
}

func (s *Shipper) every() time.Duration { return cmp.Or(s.Every, usually) }

// Run ships until ctx ends. A failure is logged once and tried again: the clinic goes on without.
func (s *Shipper) Run(ctx context.Context) {
	for ctx.Err() == nil {
		err := s.follow(ctx)
		if ctx.Err() != nil {
			return
		}
		if before := s.Status().Err; before == nil || before.Error() != err.Error() {
			s.Log.Error("the copy elsewhere is behind, trying again", "target", s.Target, "error", err)
		}
		s.note(func(st *Status) { st.Err = err })
		select {
		case <-ctx.Done():
		case <-time.After(s.every()):
		}
	}
}

// follow ships until something fails.
func (s *Shipper) follow(ctx context.Context) error {
	epoch, err := s.Epoch(ctx)
	if err != nil {
		return fmt.Errorf("read the log's epoch: %w", err)
	}
	for _, target := range []Target{s.Target, s.Files.Target} {
		if err := claim(ctx, target, epoch); err != nil {
			return err
		}
	}
	conn, err := connect(ctx, s.URL)
	if err != nil {
		return fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	system, err := pglogrepl.IdentifySystem(ctx, conn)
	if err != nil {
		return fmt.Errorf("ask PostgreSQL who it is: %w", err)
	}
	start, made, err := slotStart(ctx, conn)
	if err != nil {
		return err
	}
	t := &tail{shipped: start, full: make(chan struct{}, 1), room: make(chan struct{}, 1)}
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() error { return receive(ctx, conn, start, system.Timeline, t) })
	parts.Go(func() error { return s.shipPieces(ctx, t, epoch, walFolder(epoch, system.Timeline)) })
	parts.Go(func() error { return s.keepBases(ctx, epoch, system.Timeline, made) })
	return parts.Wait()
}

func (s *Shipper) shipPieces(ctx context.Context, t *tail, epoch, folder string) error {
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
			defer cancel()
			return errors.Join(context.Cause(ctx), s.shipPiece(last, t, epoch, folder))
		case <-t.full:
		case <-time.After(s.every()):
		}
		if err := s.shipPiece(ctx, t, epoch, folder); err != nil {
			return err
		}
	}
}

// shipPiece ships what has come until now.
func (s *Shipper) shipPiece(ctx context.Context, t *tail, epoch, folder string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	erasures, sent, err := s.Files.ship(ctx)
	s.note(func(st *Status) { st.Requests += int64(sent) })
	if err != nil {
		return err
	}
	text, p, asOf := t.cut()
	if len(text) > 0 {
		p.erasures = erasures
		if err := claim(ctx, s.Target, epoch); err != nil {
			return err
		}
		sealedText, err := s.sealed().sealText(text)
		if err == nil {
			sum := sha256.Sum256(sealedText)
			p.sealed = checksum(hex.EncodeToString(sum[:]))
			err = putAll(ctx, s.Target, p.named(folder), sealedText)
		}
		if err != nil {
			return fmt.Errorf("ship the write-ahead log: %w", err)
		}
		t.confirm(p.end)
	}
	s.note(func(st *Status) {
		if len(text) > 0 {
			st.Requests, st.Bytes = st.Requests+2, st.Bytes+int64(len(text))
		}
		if !asOf.IsZero() {
			st.AsOf, st.Err = asOf, nil
		}
	})
	return nil
}

func (s *Shipper) sealed() sealed { return sealed{s.Target, s.Recipients} }

// keepBases makes a base backup when one is due.
func (s *Shipper) keepBases(ctx context.Context, epoch string, timeline int32, due bool) error {
	for {
		list, err := bases(ctx, s.Target, epoch)
		if err != nil {
			return err
		}
		if n := len(list); n == 0 || due || list[n-1].Timeline != timeline || time.Since(list[n-1].TakenAt) >= baseAge {
			b, err := s.makeBase(ctx, epoch)
			if err != nil {
				return err
			}
			if err := s.prune(ctx, epoch, append(list, b)); err != nil {
				return fmt.Errorf("remove older copies: %w", err)
			}
			list, due = append(list, b), false
		}
		s.note(func(st *Status) { st.Base = list[len(list)-1].TakenAt })
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(time.Until(list[len(list)-1].TakenAt.Add(baseAge))):
		}
	}
}

func (s *Shipper) makeBase(ctx context.Context, epoch string) (b base, err error) {
	b.TakenAt = time.Now().UTC().Truncate(time.Second)
	b.name = path.Join(epoch, "base", b.TakenAt.Format(stampLayout))
	sum := sha256.New()
	b.Sealed, err = s.sealed().put(ctx, b.name+".tar"+sealEnding, func(w io.Writer) error {
		c, err := copyBase(ctx, s.URL, io.MultiWriter(w, sum, counter(func(n int64) { b.Bytes += n })))
		b.start, b.end, b.Timeline = c.start, c.end, c.timeline
		return err
	})
	if err != nil {
		return b, fmt.Errorf("ship a base backup: %w", err)
	}
	b.Start, b.End, b.SHA256 = b.start.String(), b.end.String(), hex.EncodeToString(sum.Sum(nil))
	text, err := json.Marshal(b)
	if err == nil {
		err = putAll(ctx, s.Target, b.name+baseEnding, text)
	}
	if err != nil {
		return b, fmt.Errorf("ship a base backup: %w", err)
	}
	s.note(func(st *Status) { st.Bytes, st.Requests = st.Bytes+b.Bytes, st.Requests+1+b.Bytes/partSize })
	s.Log.Info("the whole log is copied elsewhere", "target", s.Target, "bytes", b.Bytes)
	return b, nil
}

// prune removes what no kept state needs: base backups and the log before them.
func (s *Shipper) prune(ctx context.Context, epoch string, list []base) error {
	oldest := 0
	for oldest < len(list)-1 && time.Since(list[oldest+1].TakenAt) > s.Keep {
		oldest++
	}
	var gone []string
	for _, b := range list[:oldest] {
		gone = append(gone, b.name+baseEnding, b.name+".tar"+sealEnding)
	}
	// The piece that the oldest one begins in may have been cut on the day before.
	folder, day := walFolder(epoch, list[oldest].Timeline), list[oldest].TakenAt.AddDate(0, 0, -2)
	for empty := 0; empty < emptyDays; day = day.AddDate(0, 0, -1) {
		log, err := pieces(ctx, s.Target, folder, day)
		if err != nil {
			return err
		}
		if empty++; len(log) > 0 {
			empty = 0
		}
		for _, p := range log {
			gone = append(gone, p.name)
		}
	}
	for _, name := range gone {
		if err := s.Target.Delete(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// counter is given how much is written.
type counter func(bytes int64)

func (c counter) Write(b []byte) (int, error) {
	c(int64(len(b)))
	return len(b), nil
}
