package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/fault"
	"bitacora/domain/throttle"
)

// Throttle keeps token buckets for all processes together. Who has the database alone cannot try
// out all addresses on their keys; with a rotation of the epoch keys all buckets are full.
type Throttle struct {
	pool *pgxpool.Pool
	keys *keyring
	now  func() time.Time
}

// Throttle is that of the database, by a clock of tests; nil: by the database's, which is the same for
// all processes.
func (db *DB) Throttle(now func() time.Time) *Throttle { return &Throttle{db.pool, db.log.keys, now} }

// Take takes a token of each bucket, where it is not empty beyond its patience, and says how long each
// needed to be full again before that. Whoever takes of several at once names them in the same order as others.
func (t *Throttle) Take(ctx context.Context, buckets ...throttle.Bucket) (needed []time.Duration, err error) {
	var at *time.Time
	if t.now != nil {
		at = new(t.now())
	}
	needed = make([]time.Duration, len(buckets))
	var all pgx.Batch
	for i, b := range buckets {
		all.Queue(query("throttle_take"), t.hash(b), at, b.Every, b.Most()).QueryRow(func(row pgx.Row) error { return row.Scan(&needed[i]) })
	}
	err = t.pool.SendBatch(ctx, &all).Close()
	return needed, fault.Wrap(err, "take of token buckets")
}

// Give gives a token back that was taken of a bucket.
func (t *Throttle) Give(ctx context.Context, b throttle.Bucket) error {
	_, err := t.pool.Exec(ctx, query("throttle_give"), t.hash(b), b.Every)
	return fault.Wrap(err, "give a token back")
}

func (t *Throttle) hash(b throttle.Bucket) []byte {
	mac := hmac.New(sha256.New, t.keys.newest().derived("bitacora throttles"))
	mac.Write([]byte(b.Key))
	return mac.Sum(nil)
}
