package offsite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/jackc/pglogrepl"
)

// The target holds, below a folder for each epoch of the log:
//
//	base/TIME.tar.zst.age   the files of the whole cluster
//	base/TIME.json          the [base] about it, by which it is whole
//	wal/TIMELINE/DAY/PIECE.zst.age   a [piece] of the write-ahead log, whose name ends in its checksum
//
// and writer.json, which says who writes, and drill.json, the latest [Drill].
const (
	writerFile = "writer.json"
	sealEnding = ".zst.age"
	baseEnding = ".json"
)

// base describes a base backup.
type base struct {
	TakenAt  time.Time `json:"takenAt"`
	Start    string    `json:"start"`
	End      string    `json:"end"`
	Timeline int32     `json:"timeline"`
	Bytes    int64     `json:"bytes"`
	SHA256   string    `json:"sha256"`
	// Sealed is of the archive as it lies there.
	Sealed     checksum `json:"sealed,omitempty"`
	start, end pglogrepl.LSN
	// name is without ending, with the epoch's folder.
	name string
}

const stampLayout = "20060102T150405Z"

// bases reads those of an epoch, oldest first.
func bases(ctx context.Context, t Target, epoch string) (list []base, err error) {
	names, err := t.List(ctx, path.Join(epoch, "base"))
	if err != nil {
		return nil, fmt.Errorf("list base backups: %w", err)
	}
	for _, name := range names {
		if !strings.HasSuffix(name, baseEnding) {
			continue
		}
		text, err := getAll(ctx, t, name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		b := base{name: strings.TrimSuffix(name, baseEnding)}
		if err := json.Unmarshal(text, &b); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		if b.start, err = pglogrepl.ParseLSN(b.Start); err == nil {
			b.end, err = pglogrepl.ParseLSN(b.End)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		list = append(list, b)
	}
	return list, nil
}

// piece is a part of the write-ahead log.
type piece struct {
	start, end pglogrepl.LSN
	// cutAt is when it ended, by the machine's clock.
	cutAt time.Time
	// erasures is how many the ledger held that was shipped before it.
	erasures int
	// sealed is of the piece as it lies there; empty where its name has none.
	sealed checksum
	name   string
}

// checksum is SHA-256 in hexadecimal digits.
type checksum string

func walFolder(epoch string, timeline int32) string {
	return fmt.Sprintf("%s/wal/%08X", epoch, timeline)
}

const pieceFormat = "%016X-%016X-%d-%d"

const dayLayout = "20060102"

func (p piece) named(folder string) string {
	return path.Join(folder, p.cutAt.Format(dayLayout), fmt.Sprintf(pieceFormat, uint64(p.start), uint64(p.end), p.cutAt.UnixMilli(), p.erasures)+"-"+string(p.sealed)+sealEnding)
}

// pieces are those that were cut on a day, in their order.
func pieces(ctx context.Context, t Target, folder string, day time.Time) (list []piece, err error) {
	names, err := t.List(ctx, path.Join(folder, day.Format(dayLayout)))
	if err != nil {
		return nil, fmt.Errorf("list the write-ahead log: %w", err)
	}
	for _, name := range names {
		p, err := pieceOf(name)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

func pieceOf(name string) (piece, error) {
	p := piece{name: name}
	var at int64
	text := strings.TrimSuffix(path.Base(name), sealEnding)
	if _, err := fmt.Sscanf(text, pieceFormat, (*uint64)(&p.start), (*uint64)(&p.end), &at, &p.erasures); err != nil {
		return p, fmt.Errorf("%s is no piece of a write-ahead log", name)
	}
	p.cutAt = time.UnixMilli(at).UTC()
	if words := strings.SplitN(text, "-", 5); len(words) == 5 {
		p.sealed = checksum(words[4])
	}
	return p, nil
}

// writer says whose copy it is.
type writer struct {
	Epoch string    `json:"epoch"`
	Since time.Time `json:"since"`
}

// ErrOtherWriter: another log is copied to the target.
var ErrOtherWriter = errors.New("another log is copied there")

// claim makes the log of an epoch the one that is copied to the target, unless another one is.
func claim(ctx context.Context, t Target, epoch string) error {
	switch current, err := currentEpoch(ctx, t); {
	case err != nil:
		return err
	case current == "":
		return takeOver(ctx, t, epoch)
	case current != epoch:
		return fmt.Errorf("%w, of epoch %s: name a place of its own for this log (epoch %s), or remove %s at %s where that one is over",
			ErrOtherWriter, current, epoch, writerFile, t)
	}
	return nil
}

func takeOver(ctx context.Context, t Target, epoch string) error {
	text, err := json.Marshal(writer{epoch, time.Now().UTC().Truncate(time.Second)})
	if err == nil {
		err = putAll(ctx, t, writerFile, text)
	}
	if err != nil {
		return fmt.Errorf("say who writes: %w", err)
	}
	return nil
}
