package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"time"

	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/domain/staff"
)

// auditPage is how many events are read at once.
const auditPage = 1000

// KeyedHash stands for a text that must not be kept: equal texts have the same one within a key epoch,
// and who has the database alone cannot try texts out.
func (l *Log) KeyedHash(text string) string {
	mac := hmac.New(sha256.New, l.keys.newest().derived("bitacora readings"))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// OfStaff gives what accounts and operators did and what was done to accounts, from one instant until before
// another, in the order in which it happened; an error is the last.
func (l *Log) OfStaff(ctx context.Context, from, to time.Time) iter.Seq2[event.Recorded, error] {
	return func(yield func(event.Recorded, error) bool) {
		for at, position := from, int64(0); ; {
			rows, keys, err := l.fetch(ctx, 0, query("of_staff")+query("of_staff_after"), from, to, at, position, auditPage)
			if err != nil {
				yield(event.Recorded{}, fmt.Errorf("read what the staff did: %w", err))
				return
			}
			for _, e := range readAll(rows, keys) {
				at, position = e.OccurredAt, e.Position
				if !yield(e, nil) {
					return
				}
			}
			if len(rows) < auditPage {
				return
			}
		}
	}
}

// LatestOfStaff gives at most limit of what accounts and operators did and what was done to
// accounts, the newest first.
func (l *Log) LatestOfStaff(ctx context.Context, q staff.AuditQuestion, limit int) ([]event.Recorded, error) {
	before := staff.AuditCursor{At: q.To}
	if q.Before != nil {
		before = *q.Before
	}
	rows, keys, err := l.fetch(ctx, 0, query("of_staff")+query("of_staff_before"), q.From, q.To, before.At, before.Position, q.AccountID, q.What, limit)
	return readAll(rows, keys), fault.Wrap(err, "read what the staff did")
}

// OthersActed says whether there is an event after a position, up to another one, that is no record of what an
// account did with its rights: these change no number.
func (s *Staff) OthersActed(ctx context.Context, after, upTo int64) (acted bool, err error) {
	err = s.pool.QueryRow(ctx, query("of_others"), after, upTo).Scan(&acted)
	return acted, fault.Wrap(err, "look for events of others than the staff")
}
