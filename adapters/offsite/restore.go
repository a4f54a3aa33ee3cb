package offsite

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/jackc/pglogrepl"
)

// Point is a state of the log that can be brought back.
type Point struct {
	// Base is when the base backup was begun, Until up to when the write-ahead log goes that is there.
	Base, Until time.Time
	// Pieces and Bytes are of the write-ahead log, and of the base backup.
	Pieces int
	Bytes  int64
	// Cut says that the log goes on behind a piece that is missing, and Until lies before it.
	Cut bool
	// Erasures is how many the ledger held then.
	Erasures int

	base base
	log  []piece
	// whole says that no later piece is needed.
	whole bool
}

// ErrNothingThere: no state can be brought back.
var ErrNothingThere = errors.New("there is no whole copy")

// Find looks for the newest state, or that of a moment.
func Find(ctx context.Context, from Target, at time.Time) (p Point, err error) {
	if p.base, err = baseOf(ctx, from, at); err != nil {
		return p, err
	}
	epoch, _, _ := strings.Cut(p.base.name, "/")
	p.Base, p.Bytes = p.base.TakenAt, p.base.Bytes
	// The piece that it begins in may have been cut on the day before.
	for day := p.Base.AddDate(0, 0, -1); !p.whole && !day.After(time.Now().AddDate(0, 0, 1)); day = day.AddDate(0, 0, 1) {
		log, err := pieces(ctx, from, walFolder(epoch, p.base.Timeline), day)
		if err != nil {
			return p, err
		}
		p.follow(log, at)
	}
	if p.reaches() < p.base.end {
		return p, fmt.Errorf("%w at %s: the write-ahead log of the base backup of %s is not all there", ErrNothingThere, from, p.base.TakenAt.Format(time.RFC3339))
	}
	return p, nil
}

// baseOf is the newest base backup, or that before a moment. Without a moment the log that is copied now goes before
// any other, unless none of it is there yet.
func baseOf(ctx context.Context, from Target, at time.Time) (newest base, err error) {
	if at.IsZero() {
		current, err := currentEpoch(ctx, from)
		if err != nil {
			return newest, err
		}
		if list, err := bases(ctx, from, current); err != nil || len(list) > 0 {
			return last(list), err
		}
	}
	names, err := from.List(ctx, "")
	if err != nil {
		return newest, fmt.Errorf("list the copies: %w", err)
	}
	seen := ""
	for _, name := range names {
		epoch, rest, _ := strings.Cut(name, "/")
		if epoch == seen || !strings.HasPrefix(rest, "base/") {
			continue
		}
		seen = epoch
		list, err := bases(ctx, from, epoch)
		if err != nil {
			return newest, err
		}
		list = slices.DeleteFunc(list, func(b base) bool { return !at.IsZero() && b.TakenAt.After(at) })
		if b := last(list); b.TakenAt.After(newest.TakenAt) {
			newest = b
		}
	}
	if newest.name == "" {
		return newest, fmt.Errorf("%w at %s", ErrNothingThere, from)
	}
	return newest, nil
}

func last(list []base) (b base) {
	if len(list) > 0 {
		b = list[len(list)-1]
	}
	return b
}

// currentEpoch is that of the log which is copied now; empty where none is.
func currentEpoch(ctx context.Context, from Target) (string, error) {
	text, err := getAll(ctx, from, writerFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	var w writer
	if err == nil {
		err = json.Unmarshal(text, &w)
	}
	if err != nil {
		return "", fmt.Errorf("see who writes: %w", err)
	}
	return w.Epoch, nil
}

// follow takes the pieces that continue the base backup, up to one that is missing or beyond a moment.
func (p *Point) follow(log []piece, at time.Time) {
	for _, next := range log {
		switch reached := p.reaches(); {
		case next.end <= reached:
			continue
		case next.start > reached:
			p.Cut, p.whole = true, true
			return
		}
		p.log = append(p.log, next)
		p.Pieces, p.Until, p.Erasures = len(p.log), next.cutAt, next.erasures
		p.Bytes += int64(next.end - next.start)
		if !at.IsZero() && !next.cutAt.Before(at) && p.reaches() >= p.base.end {
			p.whole = true
			return
		}
	}
}

func (p *Point) reaches() pglogrepl.LSN {
	if len(p.log) == 0 {
		return p.base.start
	}
	return p.log[len(p.log)-1].end
}

// Fetch writes the files of the cluster into a directory, with the write-ahead log that is to be applied.
func (p *Point) Fetch(ctx context.Context, from Target, identities []age.Identity, dir string, shown func(done, total int64)) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open the directory: %w", err)
	}
	defer root.Close()
	var done int64
	count := func(r io.Reader) io.Reader {
		return io.TeeReader(r, counter(func(n int64) { done += n; shown(done, p.Bytes) }))
	}
	sum := sha256.New()
	err = open(ctx, from, p.base.name+".tar"+sealEnding, identities, func(r io.Reader) error {
		all := io.TeeReader(count(r), sum)
		if err := unpack(root, all); err != nil {
			return err
		}
		_, err := io.Copy(io.Discard, all)
		return err
	})
	if err != nil {
		return err
	}
	if found := hex.EncodeToString(sum.Sum(nil)); found != p.base.SHA256 {
		return fmt.Errorf("%s is not the file that was written: its checksum is another", p.base.name)
	}
	for _, piece := range p.log {
		err := open(ctx, from, piece.name, identities, func(r io.Reader) error {
			text, err := io.ReadAll(count(r))
			if err != nil {
				return err
			}
			if pglogrepl.LSN(len(text)) != piece.end-piece.start {
				return errors.New("it is not as long as its name says")
			}
			return writeLog(root, p.base.Timeline, piece.start, text)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// unpack writes the files of an archive.
func unpack(root *os.Root, archive io.Reader) error {
	for files := tar.NewReader(archive); ; {
		head, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := path.Clean(head.Name)
		switch {
		case name == ".":
		case head.Typeflag == tar.TypeDir:
			err = root.MkdirAll(name, 0o700)
		case head.Typeflag == tar.TypeReg:
			err = writeFile(root, name, files)
		default:
			err = fmt.Errorf("%s is neither a file nor a directory", name)
		}
		if err != nil {
			return err
		}
	}
}

func writeFile(root *os.Root, name string, content io.Reader) error {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}

// segmentBytes is the length of a file of the write-ahead log, which initdb sets.
const segmentBytes = 16 << 20

// writeLog writes a piece into the files of the write-ahead log, which are filled with zeros.
func writeLog(root *os.Root, timeline int32, at pglogrepl.LSN, text []byte) error {
	for len(text) > 0 {
		number, offset := uint64(at)/segmentBytes, int64(uint64(at)%segmentBytes)
		const segments = 1 << 32 / segmentBytes
		name := fmt.Sprintf("pg_wal/%08X%08X%08X", timeline, number/segments, number%segments)
		now := text[:min(int64(len(text)), segmentBytes-offset)]
		f, err := root.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = f.WriteAt(now, offset)
		if err := errors.Join(err, f.Truncate(segmentBytes), f.Close()); err != nil {
			return err
		}
		at, text = at+pglogrepl.LSN(len(now)), text[len(now):]
	}
	return nil
}

// TakeOver makes a restored log the one that is copied to the targets: what its former machine still ships is refused.
func TakeOver(ctx context.Context, epoch string, targets ...Target) error {
	for _, t := range targets {
		if err := takeOver(ctx, t, epoch); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return nil
}
