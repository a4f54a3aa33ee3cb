package logdump

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"bitacora/adapters/durable"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/queries"
)

// bundleLock keeps two bundles of one database from being written at once: the one that takes
// the other's place is the newer.
const bundleLock = 7310575211900614

// Bundle describes a key bundle: a file of the keys of all subjects as they are wrapped now, and
// of who was erased. Backups hold no keys, so a restore takes them from the newest bundle.
type Bundle struct {
	// FirstEvent is the id of the log's first event, which copies of a log have in common; empty
	// where there was none.
	FirstEvent string `json:"firstEvent"`
	Epoch      string `json:"epoch"`
	Head       int64  `json:"head"`
	// WrittenAt is just before the keys were read, by the clock of the process, UTC.
	WrittenAt time.Time `json:"writtenAt"`
	Columns   []string  `json:"columns"`
	// Keys counts the subjects that can be read, Destroyed those that were erased.
	Keys      int64  `json:"keys"`
	Destroyed int64  `json:"destroyed"`
	SHA256    string `json:"sha256"`

	// path is where it was read from, body where its rows begin.
	path string
	body int64
}

// unsummed stands in the header where the checksum will.
var unsummed = strings.Repeat("0", 2*sha256.Size)

// ErrBundle: a file is no whole key bundle.
var ErrBundle = errors.New("not a whole key bundle")

// WriteBundle writes the keys as they are now to a file, in the place of an older bundle, whose
// bytes are overwritten. Whatever was committed before the call is in it. An interrupted one
// leaves the older bundle as it was; the place of another log's is not taken, see [ErrOtherLog].
func WriteBundle(ctx context.Context, db *postgres.DB, path string) (b Bundle, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write key bundle: %w", err)
		}
	}()
	conn, err := db.Connect(ctx)
	if err != nil {
		return b, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	// A million keys take longer than a usual question.
	if _, err := conn.Exec(ctx, "SET statement_timeout = 0"); err != nil {
		return b, err
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(bundleLock)); err != nil {
		return b, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return b, err
	}
	if err := durable.Shred(path + ".old"); err != nil {
		return b, err
	}
	draft := path + ".new"
	if err := durable.Shred(draft); err != nil {
		return b, err
	}
	if err = b.fill(ctx, conn, draft); err == nil {
		err = b.mayReplace(path)
	}
	if err != nil {
		return b, errors.Join(err, durable.Shred(draft))
	}
	return b, replaceBundle(draft, path)
}

// mayReplace refuses to destroy the bundle of another log, which that one's backups need.
func (b *Bundle) mayReplace(path string) error {
	there, err := OpenBundle(path)
	if err != nil || there.FirstEvent == "" || there.FirstEvent == b.FirstEvent {
		return nil
	}
	return fmt.Errorf("%w: %s is of one that begins with event %q, and this one with %q: give this clinic a keys directory of its own, or move that bundle away",
		ErrOtherLog, path, there.FirstEvent, b.FirstEvent)
}

// KeepBundle lets every rotation write the key bundle to a file, before it destroys the key of the
// key epoch before.
func KeepBundle(db *postgres.DB, path string) {
	db.BeforeKeysGo(func(ctx context.Context) error {
		_, err := WriteBundle(ctx, db, path)
		return err
	})
}

// fill writes the bundle to a new file.
func (b *Bundle) fill(ctx context.Context, conn *pgx.Conn, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	b.WrittenAt = time.Now().UTC()
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, conn, options, func(tx pgx.Tx) error {
		if err := b.describe(ctx, tx); err != nil {
			return err
		}
		header, err := b.header()
		if err != nil {
			return err
		}
		sum := sha256.New()
		out := bufio.NewWriterSize(f, 1<<20)
		all := io.MultiWriter(out, sum)
		if _, err := all.Write(header); err != nil {
			return err
		}
		tag, err := conn.PgConn().CopyTo(ctx, all, "COPY (SELECT "+columnList(b.Columns)+" FROM subject_keys ORDER BY subject) TO STDOUT")
		if err != nil {
			return err
		}
		if tag.RowsAffected() != b.Keys+b.Destroyed {
			return fmt.Errorf("%d keys were counted and %d read", b.Keys+b.Destroyed, tag.RowsAffected())
		}
		if err := out.Flush(); err != nil {
			return err
		}
		b.SHA256 = hex.EncodeToString(sum.Sum(nil))
		if header, err = b.header(); err != nil {
			return err
		}
		if _, err := f.WriteAt(header, 0); err != nil {
			return err
		}
		return f.Sync()
	})
}

// describe reads what the header says.
func (b *Bundle) describe(ctx context.Context, tx pgx.Tx) error {
	b.SHA256 = unsummed
	tables, err := tableColumns(ctx, tx)
	if err != nil {
		return err
	}
	b.Columns = tables["subject_keys"]
	return tx.QueryRow(ctx, queries.Named("bundle_header")).Scan(&b.FirstEvent, &b.Epoch, &b.Head, &b.Keys, &b.Destroyed)
}

// header is the first line, of the same length with and without the checksum.
func (b *Bundle) header() ([]byte, error) {
	text, err := json.Marshal(b)
	return append(text, '\n'), err
}

// replaceBundle puts a new bundle in the place of another. Whoever stops in between leaves one of
// the two there, and the other one to the next who writes.
func replaceBundle(draft, path string) error {
	old := path + ".old"
	if err := os.Link(path, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(draft, path); err != nil {
		return err
	}
	if err := durable.SyncDir(filepath.Dir(path)); err != nil {
		return err
	}
	return errors.Join(durable.Shred(old), durable.SyncDir(filepath.Dir(path)))
}

// OpenBundle reads what a bundle is about and sees that it is whole.
func OpenBundle(path string) (*Bundle, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open key bundle: %w", err)
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<20)
	first, err := in.ReadBytes('\n')
	b := &Bundle{path: path, body: int64(len(first))}
	if err == nil {
		err = json.Unmarshal(first, b)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrBundle, err)
	}
	sum := sha256.New()
	sum.Write(bytes.Replace(first, []byte(b.SHA256), []byte(unsummed), 1))
	if _, err := io.Copy(sum, in); err != nil {
		return nil, fmt.Errorf("read key bundle: %w", err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != b.SHA256 {
		return nil, fmt.Errorf("%s: %w: its checksum is another", path, ErrBundle)
	}
	return b, nil
}
