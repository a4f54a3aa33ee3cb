package projections

import (
	"cmp"
	"strings"
	"time"

	"bitacora/domain/event"
)

// ContactHistoryRow is a change of a contact's status, by the staff, the visitor or a booking.
type ContactHistoryRow struct {
	Kind      string
	ContactID string
	CameAt    time.Time
	ToStatus  string
	ChangedAt time.Time
	// ChangedBy is an account's id, or the source of a booking that no account made.
	ChangedBy string
	Channel   string
	Position  uint64
}

func contactHistoryRow(e event.Recorded) (row ContactHistoryRow, ok bool) {
	contact, _ := contactRow(e)
	row = ContactHistoryRow{
		Kind: contact.Kind, ContactID: contact.ContactID, CameAt: contact.CameAt, ToStatus: contact.Status.Value,
		ChangedAt: millis(e.OccurredAt), Channel: contact.Channel, Position: contact.Status.Position,
	}
	switch p := e.Payload.(type) {
	case *event.AppointmentBooked:
		row.ChangedBy = cmp.Or(p.StaffID, p.Source)
	case *event.ContactStatusChanged:
		row.ChangedBy = p.StaffID
	default:
		return ContactHistoryRow{}, false
	}
	return row, true
}

// join is that of two rows of one event, which are the same.
func (*ContactHistoryRow) join(ContactHistoryRow) {}

func (r ContactHistoryRow) key() rowKey {
	return rowKey{at: r.CameAt.UnixMilli(), stream: r.Kind, part: r.ContactID, number: r.Position}
}

// ChatRefusalRow is a session that found the month full.
type ChatRefusalRow struct {
	RefusedAt time.Time
	// Month is the business-zone month, "2006-01".
	Month        string
	MonthlyLimit uint32
	Channel      string
	Position     uint64
}

func chatRefusalRow(e event.Recorded) (row ChatRefusalRow, ok bool) {
	p, ok := e.Payload.(*event.ChatRefused)
	if !ok {
		return ChatRefusalRow{}, false
	}
	return ChatRefusalRow{
		RefusedAt: millis(e.OccurredAt), Month: p.Month, MonthlyLimit: uint32(p.Limit),
		Channel: e.Metadata[event.Channel], Position: uint64(e.Position),
	}, true
}

// join is that of two rows of one event, which are the same.
func (*ChatRefusalRow) join(ChatRefusalRow) {}

func (r ChatRefusalRow) key() rowKey {
	return rowKey{at: r.RefusedAt.UnixMilli(), number: r.Position}
}

// AnswerTaughtRow is a publication or a withdrawal of an answer.
type AnswerTaughtRow struct {
	ChangedAt time.Time
	// Change is the rest of the event's stream, see [event.AnswerPrefix].
	Change   string
	Version  uint32
	Undone   bool
	Position uint64
}

func answerTaughtRow(e event.Recorded) (row AnswerTaughtRow, ok bool) {
	row = AnswerTaughtRow{ChangedAt: millis(e.OccurredAt), Change: strings.TrimPrefix(e.Stream, event.AnswerPrefix), Position: uint64(e.Position)}
	switch p := e.Payload.(type) {
	case *event.AnswerTaught:
		row.Version = uint32(p.Version)
	case *event.AnswerUndone:
		row.Version, row.Undone = uint32(p.Version), true
	default:
		return AnswerTaughtRow{}, false
	}
	return row, true
}

// join is that of two rows of one event, which are the same.
func (*AnswerTaughtRow) join(AnswerTaughtRow) {}

func (r AnswerTaughtRow) key() rowKey {
	return rowKey{at: r.ChangedAt.UnixMilli(), number: r.Position}
}

// DataAccessRow is a reading, a search or an export of data of people.
type DataAccessRow struct {
	AccessedAt time.Time
	Action     string
	Kind       string
	// Subject is the rest of the event's stream: what waits of a stream is told by it from other rows.
	Subject  string
	Channel  string
	Position uint64
}

// Actions of a [DataAccessRow].
const (
	read     = "read"
	searched = "searched"
	exported = "exported"
)

func dataAccessRow(e event.Recorded) (row DataAccessRow, ok bool) {
	row = DataAccessRow{AccessedAt: millis(e.OccurredAt), Action: read, Channel: e.Metadata[event.Channel], Position: uint64(e.Position)}
	_, row.Subject, _ = strings.Cut(e.Stream, "/")
	switch p := e.Payload.(type) {
	case *event.TranscriptOpened:
		row.Kind = "transcript"
	case *event.ContactMessagesOpened:
		row.Kind = "contacts"
	case *event.VisitorTextsRead:
		row.Kind = p.List
		if p.Words != "" {
			row.Action = searched
		}
	case *event.QuestionsReplayed:
		row.Kind = "replayed"
	case *event.ExportTaken:
		row.Action, row.Kind = exported, p.Rows
	case *event.SubjectExported:
		row.Action, row.Kind = exported, "person"
	case *event.LogExported:
		row.Action, row.Kind = exported, "log"
	default:
		return DataAccessRow{}, false
	}
	return row, true
}

// join is that of two rows of one event, which are the same.
func (*DataAccessRow) join(DataAccessRow) {}

func (r DataAccessRow) key() rowKey {
	return rowKey{at: r.AccessedAt.UnixMilli(), number: r.Position}
}
