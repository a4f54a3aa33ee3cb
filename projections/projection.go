package projections

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"bitacora/domain/event"
)

// Version names the meaning of the tables. It grows with every change of [Rows] or of the
// tables' shape: a build made by another version has to be rebuilt, not migrated.
const Version = 1

// Tables holds rows for every table of the projection set. Rows are partial: each states
// what some events tell about its key, and rows of one key are joined, here or by
// ClickHouse, into what all of them tell.
type Tables struct {
	Conversations []ConversationRow
	Messages      []MessageRow
}

// Rows is what one event means for the tables: nothing for events that are no part of a
// conversation. It is pure, so that following the log and replaying it cannot differ.
func Rows(e event.Recorded) Tables {
	var t Tables
	if row, ok := conversationRow(e); ok {
		t.Conversations = []ConversationRow{row}
	}
	if row, ok := messageRow(e); ok {
		t.Messages = []MessageRow{row}
	}
	return t
}

// Join combines partial rows into one row a key, ordered by key. It is commutative,
// associative and idempotent, so batches may be applied twice, in any order, or mixed with
// a rebuild.
func Join(parts ...Tables) Tables {
	conversations := make(map[conversationKey]ConversationRow)
	messages := make(map[messageKey]MessageRow)
	for _, t := range parts {
		for _, row := range t.Conversations {
			if known, ok := conversations[row.key()]; ok {
				row = known.join(row)
			}
			conversations[row.key()] = row
		}
		for _, row := range t.Messages {
			if known, ok := messages[row.key()]; ok {
				row = known.join(row)
			}
			messages[row.key()] = row
		}
	}
	return Tables{
		Conversations: slices.SortedFunc(maps.Values(conversations), func(a, b ConversationRow) int {
			return a.key().compare(b.key())
		}),
		Messages: slices.SortedFunc(maps.Values(messages), func(a, b MessageRow) int {
			return cmp.Or(a.key().conversationKey.compare(b.key().conversationKey), cmp.Compare(a.Ordinal, b.Ordinal))
		}),
	}
}

// RowsOf is the join of the rows of many events: what a batch writes.
func RowsOf(events []event.Recorded) Tables {
	parts := make([]Tables, len(events))
	for i, e := range events {
		parts[i] = Rows(e)
	}
	return Join(parts...)
}

// millis is an instant as the tables keep it. Keys are built from it, so every event of a
// conversation has to arrive at the very same value.
func millis(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// union is the ordered union of two sets.
func union[T cmp.Ordered](a, b []T) []T {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
