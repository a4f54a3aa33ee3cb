package postgres

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"bitacora/domain/fault"
)

// Anchor names a row of the table log_chain. Kept outside of the database, it shows whether the log up
// to its position still is as it was, whoever owns the database.
type Anchor struct {
	Position int64
	// Hash is SHA-256 in hexadecimal digits.
	Hash string
	// Epoch is that of the log, see [Log.Epoch].
	Epoch string
	// At is when the anchor was taken, UTC, to the millisecond.
	At time.Time
}

// String is the form that [ParseAnchor] reads.
func (a Anchor) String() string {
	return fmt.Sprintf("%d:%s:%s:%s", a.Position, a.Hash, a.Epoch, a.At.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// ParseAnchor reads "POSITION:HASH:EPOCH:TIME".
func ParseAnchor(text string) (a Anchor, err error) {
	parts := strings.SplitN(text, ":", 4)
	if len(parts) == 4 {
		position, wrong := strconv.ParseInt(parts[0], 10, 64)
		sum, wrongSum := hex.DecodeString(parts[1])
		_, wrongEpoch := uuid.Parse(parts[2])
		at, wrongTime := time.Parse(time.RFC3339, parts[3])
		if errors.Join(wrong, wrongSum, wrongEpoch, wrongTime) == nil && position > 0 && len(sum) == sha256.Size {
			return Anchor{position, strings.ToLower(parts[1]), strings.ToLower(parts[2]), at}, nil
		}
	}
	return a, fmt.Errorf("%q is no anchor: it has the form POSITION:HASH:EPOCH:TIME", text)
}

// MarshalText implements [encoding.TextMarshaler].
func (a Anchor) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (a *Anchor) UnmarshalText(text []byte) (err error) {
	*a, err = ParseAnchor(string(text))
	return err
}

// Anchor is taken of the end of the chain; its position is 0 where nothing is chained yet.
func (l *Log) Anchor(ctx context.Context) (Anchor, error) {
	a, err := TakeAnchor(ctx, l.pool)
	return a, fault.Wrap(err, "take anchor")
}

// TakeAnchor is [Log.Anchor] as a connection or a transaction sees the log.
func TakeAnchor(ctx context.Context, q querier) (a Anchor, err error) {
	err = q.QueryRow(ctx, query("anchor")).Scan(&a.Position, &a.Hash, &a.Epoch)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, nil
	}
	a.At = time.Now().UTC().Truncate(time.Millisecond)
	return a, err
}

// chainCheck holds events against the chain while they are read.
type chainCheck struct {
	report *Report
	// former is the hash of the last row of the chain, at position through.
	former  []byte
	through int64
	// forms is what the next row's hash is made of.
	forms    hash.Hash
	segments []segment
	// rows are those that anchors name, by position.
	rows map[int64]Anchor
}

// segment is a run of rows of one epoch.
type segment struct {
	epoch   string
	through int64
}

func newChainCheck(report *Report, anchors []Anchor) *chainCheck {
	c := &chainCheck{report: report, former: make([]byte, sha256.Size), rows: map[int64]Anchor{}}
	for _, a := range anchors {
		c.rows[a.Position] = Anchor{}
	}
	c.begin()
	return c
}

func (c *chainCheck) begin() {
	c.forms = sha256.New()
	c.forms.Write(c.former)
}

// read takes the next events, and the rows of the chain up to the last of them.
func (c *chainCheck) read(ctx context.Context, q querier, events []row) error {
	links, err := q.Query(ctx, query("chain_links"), c.through, events[len(events)-1].position)
	if err != nil {
		return fmt.Errorf("read chain: %w", err)
	}
	var position int64
	var epoch pgtype.UUID
	var hash []byte
	_, err = pgx.ForEachRow(links, []any{&position, &epoch, &hash}, func() error {
		for len(events) > 0 && events[0].position <= position {
			c.forms.Write(events[0].chainedForm())
			events = events[1:]
		}
		c.forms.Write(epoch.Bytes[:])
		if !bytes.Equal(c.forms.Sum(nil), hash) {
			c.report.find(c.through+1, "the events %d to %d are not as they were chained", c.through+1, position)
		}
		c.former, c.through = slices.Clone(hash), position
		c.begin()
		if n := len(c.segments); n == 0 || c.segments[n-1].epoch != epoch.String() {
			c.segments = append(c.segments, segment{epoch: epoch.String()})
		}
		c.segments[len(c.segments)-1].through = position
		if _, wanted := c.rows[position]; wanted {
			c.rows[position] = Anchor{Position: position, Hash: hex.EncodeToString(hash), Epoch: epoch.String()}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read chain: %w", err)
	}
	for i := range events {
		c.forms.Write(events[i].chainedForm())
	}
	return nil
}

// chainedForm computes what the SQL function chained_form does.
func (r *row) chainedForm() []byte {
	form := binary.BigEndian.AppendUint32(make([]byte, 0, 192+len(r.metadata)), 11)
	column := func(oid uint32, size int) {
		form = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(form, oid), uint32(size))
	}
	int8s := func(oid uint32, value int64) {
		column(oid, 8)
		form = binary.BigEndian.AppendUint64(form, uint64(value))
	}
	int4 := func(value int) {
		column(pgtype.Int4OID, 4)
		form = binary.BigEndian.AppendUint32(form, uint32(value))
	}
	int8s(pgtype.Int8OID, r.position)
	int4(int(r.version))
	column(pgtype.Int2OID, 2)
	form = binary.BigEndian.AppendUint16(form, uint16(r.schemaVersion))
	int8s(pgtype.TimestamptzOID, r.occurredAt.UnixMicro()-year2000)
	int8s(pgtype.TimestamptzOID, r.recordedAt.UnixMicro()-year2000)
	column(pgtype.ByteaOID, len(r.payloadHash))
	form = append(form, r.payloadHash...)
	column(pgtype.TextOID, len(r.metadata))
	form = append(form, r.metadata...)
	int4(len(r.stream))
	int4(len(r.eventType))
	int4(len(r.data))
	if r.sealed.Valid {
		int4(len(r.sealed.String))
	} else {
		column(pgtype.Int4OID, -1)
	}
	return form
}

// end says how far the chain goes. The events end at head, the chain at chained; those through unchained
// were appended before there was one.
func (c *chainCheck) end(head, chained, unchained int64) {
	switch {
	case chained > head:
		c.report.find(head+1, "is missing: the log ends before it, and its chain goes on to position %d", chained)
	case c.through < head && c.through < unchained:
		c.report.note("The events %d to %d are not chained yet; bitacora migrate chains them.", c.through+1, head)
	case c.through < head:
		c.report.find(c.through+1, "is not chained, nor is what follows: it was not appended by the program, or the chain was cut")
	}
	if unchained > 0 {
		c.report.note("The events 1 to %d were appended before the log was chained: whether they were changed before that is unproven.", unchained)
	}
	for i, s := range c.segments[:max(0, len(c.segments)-1)] {
		c.report.note("The log was adopted as epoch %s, and continues event %d of epoch %s.", c.segments[i+1].epoch, s.through, s.epoch)
	}
}

// hold compares the chain with anchors. The first that differs names where; those after it differ with it.
func (c *chainCheck) hold(head int64, anchors []Anchor) {
	anchors = slices.SortedFunc(slices.Values(anchors), func(a, b Anchor) int { return cmp.Compare(a.Position, b.Position) })
	anchors = slices.CompactFunc(anchors, func(a, b Anchor) bool { return a.String() == b.String() })
	var held, other []Anchor
	for _, a := range anchors {
		if r := c.rows[a.Position]; r.Hash == a.Hash && r.Epoch == a.Epoch {
			held = append(held, a)
		} else {
			other = append(other, a)
		}
	}
	if len(held) > 0 {
		last := held[len(held)-1]
		c.report.note("%d anchors fit; the last is of event %d, taken %s.", len(held), last.Position, last.At.UTC().Format(time.DateTime+" UTC"))
	}
	differs := false
	for _, a := range other {
		since := int64(1) // after the last anchor before it that fits
		for _, h := range held {
			if h.Position < a.Position {
				since = h.Position + 1
			}
		}
		taken := a.At.UTC().Format(time.DateTime + " UTC")
		switch {
		case c.givenUp(a, held):
			c.report.note("The anchor of event %d, taken %s, is of a state of the log that was given up when the log was adopted.", a.Position, taken)
		case a.Position > head:
			c.report.find(head+1, "is missing: the log ends before it, and the anchor taken %s is of event %d", taken, a.Position)
		case !differs:
			differs = true
			c.report.find(since, "the events %d to %d are not those of the anchor taken %s: they were changed, and the chain was made anew or cut", since, a.Position, taken)
		}
	}
}

// givenUp says whether the log was put back to before an anchor and adopted: an anchor that was taken
// later fits a later segment, or the latest one, where the anchor's epoch is not in the log any more.
func (c *chainCheck) givenUp(a Anchor, held []Anchor) bool {
	of := func(epoch string) int {
		return slices.IndexFunc(c.segments, func(s segment) bool { return s.epoch == epoch })
	}
	is := of(a.Epoch)
	if is >= 0 && a.Position <= c.segments[is].through {
		return false
	}
	return slices.ContainsFunc(held, func(h Anchor) bool { return h.At.After(a.At) && of(h.Epoch) > max(is, 0) })
}
