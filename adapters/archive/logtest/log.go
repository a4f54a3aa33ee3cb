// Package logtest is an event log in memory for tests of what writes to one. It keeps
// the promises that writers rely on; adapters/postgres runs the same suite over the real log.
package logtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"reflect"
	"slices"
	"sync"

	"bitacora/domain/event"
)

// Log is an empty log that is ready to use. It is safe for concurrent use.
type Log struct {
	// Fail, if set, is what every append answers.
	Fail error

	mu      sync.Mutex
	streams map[string][]event.Recorded
	ids     map[string]event.Recorded
	taken   map[string]int
	last    int64
	content hash.Hash
}

// ReadStream gives all events of a stream.
func (l *Log) ReadStream(_ context.Context, stream string) ([]event.Recorded, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.streams[stream]), nil
}

// Append stores a request whole or not at all, and once however often it is repeated.
func (l *Log) Append(ctx context.Context, a event.Append) ([]event.Recorded, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if l.Fail != nil {
		return nil, l.Fail
	}
	if recorded, err := l.repeated(a); recorded != nil || err != nil {
		return recorded, err
	}
	if a.ExpectedVersion != event.AnyVersion && a.ExpectedVersion != len(l.streams[a.Stream]) {
		return nil, event.ErrConflict
	}
	l.init()
	if q := a.MonthlyLimit; q != nil {
		if q.Limit != nil && l.taken[q.Month] >= *q.Limit {
			return nil, event.ErrMonthlyLimitReached
		}
		l.taken[q.Month]++
	}
	recorded := make([]event.Recorded, len(a.Drafts))
	for i, d := range a.Drafts {
		recorded[i] = l.store(a.Stream, d)
	}
	return recorded, nil
}

func (l *Log) init() {
	if l.streams == nil {
		l.streams, l.ids, l.taken = map[string][]event.Recorded{}, map[string]event.Recorded{}, map[string]int{}
		l.content = sha256.New()
	}
}

// repeated answers a request whose events are stored already.
func (l *Log) repeated(a event.Append) ([]event.Recorded, error) {
	var known []event.Recorded
	for _, d := range a.Drafts {
		r, ok := l.ids[d.ID]
		if !ok {
			continue
		}
		if r.Stream != a.Stream || !reflect.DeepEqual(r.Payload, d.Payload) {
			return nil, event.ErrIDReused
		}
		known = append(known, r)
	}
	if known != nil && len(known) < len(a.Drafts) {
		return nil, event.ErrIDReused
	}
	return known, nil
}

func (l *Log) store(stream string, d event.Draft) event.Recorded {
	l.last++
	r := event.Recorded{
		Position: l.last, ID: d.ID, Stream: stream, Version: len(l.streams[stream]) + 1,
		OccurredAt: d.OccurredAt, RecordedAt: d.OccurredAt, Payload: d.Payload, Metadata: d.Metadata,
	}
	l.streams[stream] = append(l.streams[stream], r)
	l.ids[d.ID] = r
	fmt.Fprintf(l.content, "%d %s %s %d %v %s %+v\n", r.Position, r.ID, stream, r.Version, d.OccurredAt, d.Payload.EventType(), d.Payload)
	return r
}

// Len is the number of events.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return int(l.last)
}

// Streams is the number of streams.
func (l *Log) Streams() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.streams)
}

// Taken is the number of conversations that were counted in a month, "2006-01".
func (l *Log) Taken(month string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.taken[month]
}

// Sum is a checksum over all events in their order.
func (l *Log) Sum() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.init()
	return hex.EncodeToString(l.content.Sum(nil))
}

// AppendAll stores requests in their order.
func (l *Log) AppendAll(ctx context.Context, all []event.Append) error {
	for _, a := range all {
		if _, err := l.Append(ctx, a); err != nil {
			return err
		}
	}
	return nil
}
