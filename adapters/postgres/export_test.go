package postgres

import "bitacora/projections/feed"

// Feed is what a subscriber is made of, for the tests outside of the package.
func (db *DB) Feed() feed.Stores { return db.feed() }

// Pauses is what [DB.Pause] is made of.
func (db *DB) Pauses() feed.Pauses { return pauses{db.pool} }

// Unwraps says whether a key opens that of a subject.
func Unwraps(key EpochKey, subject string, wrapped []byte) bool {
	k, err := newEpochKey(0, key)
	if err != nil {
		return false
	}
	_, err = k.unwrapRaw(subject, wrapped)
	return err == nil
}
