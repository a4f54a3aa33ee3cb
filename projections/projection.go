package projections

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"bitacora/domain/event"
)

// Version names the meaning of the tables. It grows with every change of [RowsOf] or of the
// tables' shape: a build made by another version has to be rebuilt, not migrated.
const Version = 14

// Tables are rows for every table of the projection set. Rows are partial: each states
// what some events say about its key, and rows of one key are joined, here or by
// ClickHouse, into what all of them say.
type Tables struct {
	Conversations  []ConversationRow
	Messages       []MessageRow
	Contacts       []ContactRow
	Visits         []VisitRow
	Ratings        []RatingRow
	Bookings       []BookingRow
	ContactHistory []ContactHistoryRow
	ChatRefusals   []ChatRefusalRow
	AnswersTaught  []AnswerTaughtRow
	DataAccess     []DataAccessRow
}

// Counts is how many rows there are for each table.
func (t Tables) Counts() map[string]int {
	return map[string]int{
		"conversations": len(t.Conversations), "messages": len(t.Messages), "contacts": len(t.Contacts),
		"visits": len(t.Visits), "ratings": len(t.Ratings),
		"bookings": len(t.Bookings), "contact_history": len(t.ContactHistory), "chat_refusals": len(t.ChatRefusals),
		"answers_taught": len(t.AnswersTaught), "data_access": len(t.DataAccess),
	}
}

// RowsOf is what events mean for the tables: nothing for those that are no part of a
// conversation, contact, visit, refusal, answer or access, else one row a key, ordered by key. It is pure, so that
// following the log and replaying it cannot differ.
func RowsOf(events []event.Recorded) Tables {
	j := newJoiner()
	j.add(events)
	return j.sorted()
}

// joiner gathers partial rows into one row a key. Joining is commutative, associative and
// idempotent, so batches may be applied twice, in any order, or mixed with a rebuild.
// Conversations have many partial rows and are joined as they come; the others rarely have two
// and are joined at the end.
type joiner struct {
	Tables
	conversations map[rowKey]int
	// texts is how many bytes the messages have: what a number of events does not bound.
	texts int
}

func newJoiner() *joiner { return &joiner{conversations: make(map[rowKey]int)} }

// add adds the rows of events.
func (j *joiner) add(events []event.Recorded) {
	j.Messages = slices.Grow(j.Messages, messages(events))
	for i, e := range events {
		if row, ok := conversationRow(e); ok {
			j.conversation(row)
		}
		j.addMessages(&events[i])
		put(&j.Contacts, contactRow, e)
		put(&j.Visits, visitRow, e)
		put(&j.Ratings, ratingRow, e)
		put(&j.Bookings, bookingRow, e)
		put(&j.ContactHistory, contactHistoryRow, e)
		put(&j.ChatRefusals, chatRefusalRow, e)
		put(&j.AnswersTaught, answerTaughtRow, e)
		put(&j.DataAccess, dataAccessRow, e)
	}
}

// put adds the row of an event, if it has one.
func put[R any](rows *[]R, rowOf func(event.Recorded) (R, bool), e event.Recorded) {
	if row, ok := rowOf(e); ok {
		*rows = append(*rows, row)
	}
}

func (j *joiner) conversation(row ConversationRow) {
	key := row.key()
	if i, ok := j.conversations[key]; ok {
		j.Conversations[i].join(row)
		return
	}
	j.conversations[key] = len(j.Conversations)
	j.Conversations = append(j.Conversations, row)
}

func (j *joiner) sorted() Tables {
	slices.SortFunc(j.Conversations, func(a, b ConversationRow) int { return a.key().compare(b.key()) })
	j.Messages = joined(j.Messages, MessageRow.key, (*MessageRow).join)
	j.Contacts = joined(j.Contacts, ContactRow.key, (*ContactRow).join)
	j.Visits = joined(j.Visits, VisitRow.key, (*VisitRow).join)
	j.Ratings = joined(j.Ratings, RatingRow.key, (*RatingRow).join)
	j.Bookings = joined(j.Bookings, BookingRow.key, (*BookingRow).join)
	j.ContactHistory = joined(j.ContactHistory, ContactHistoryRow.key, (*ContactHistoryRow).join)
	j.ChatRefusals = joined(j.ChatRefusals, ChatRefusalRow.key, (*ChatRefusalRow).join)
	j.AnswersTaught = joined(j.AnswersTaught, AnswerTaughtRow.key, (*AnswerTaughtRow).join)
	j.DataAccess = joined(j.DataAccess, DataAccessRow.key, (*DataAccessRow).join)
	return j.Tables
}

// rowKey tells the rows of a table apart, and orders them: a time in milliseconds, then what is given of the rest.
type rowKey struct {
	at           int64
	stream, part string
	number       uint64
}

func (k rowKey) compare(o rowKey) int {
	if c := cmp.Compare(k.at, o.at); c != 0 {
		return c
	}
	return cmp.Or(strings.Compare(k.stream, o.stream), strings.Compare(k.part, o.part), cmp.Compare(k.number, o.number))
}

// joined gives one row a key, in the order of the keys. It sorts the keys, since a row is many
// times as large as its key.
func joined[R any](rows []R, keyOf func(R) rowKey, join func(*R, R)) []R {
	type keyed struct {
		key   rowKey
		index int
	}
	order := make([]keyed, len(rows))
	for i, row := range rows {
		order[i] = keyed{keyOf(row), i}
	}
	slices.SortFunc(order, func(a, b keyed) int { return a.key.compare(b.key) })
	all := slices.Grow([]R(nil), len(rows)) // nil for no rows
	for i, at := range order {
		if i > 0 && at.key == order[i-1].key {
			join(&all[len(all)-1], rows[at.index])
			continue
		}
		all = append(all, rows[at.index])
	}
	return all
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
	case len(b) == 1 && slices.Contains(a, b[0]): // as most replies of a conversation are by one model
		return a
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
