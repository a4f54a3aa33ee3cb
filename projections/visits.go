package projections

import (
	"time"

	"bitacora/domain/event"
)

// VisitRow is what some events say about a visit. Every field but the key is a join.
type VisitRow struct {
	VisitID   string
	StartedAt time.Time
	// OpenedByVisitor and OpenedByItself say how the chat's panel came to be open.
	OpenedByVisitor bool
	OpenedByItself  bool
	// Conversation says that one began in the visit.
	Conversation bool
	// Channel is where the visit came from, if that is recorded; the site's own say nothing.
	Channel      string
	LastPosition uint64
}

func visitRow(e event.Recorded) (row VisitRow, ok bool) {
	switch p := e.Payload.(type) {
	case *event.VisitStarted:
		row = visitOf(e, p.Visit)
	case *event.WidgetOpened:
		row = visitOf(e, p.Visit)
		row.OpenedByVisitor = p.By == event.OpenedByVisitor
		row.OpenedByItself = p.By == event.OpenedByItself
	case *event.ConversationStarted:
		if p.VisitStartedAt.IsZero() {
			return VisitRow{}, false
		}
		row = visitOf(e, event.Visit{VisitID: p.ConversationID, VisitStartedAt: p.VisitStartedAt})
		row.Conversation, row.Channel = true, p.Channel
	default:
		return VisitRow{}, false
	}
	return row, true
}

func visitOf(e event.Recorded, v event.Visit) VisitRow {
	return VisitRow{VisitID: v.VisitID, StartedAt: millis(v.VisitStartedAt), Channel: e.Metadata[event.Channel], LastPosition: uint64(e.Position)}
}

func (r *VisitRow) join(o VisitRow) {
	r.OpenedByVisitor = r.OpenedByVisitor || o.OpenedByVisitor
	r.OpenedByItself = r.OpenedByItself || o.OpenedByItself
	r.Conversation = r.Conversation || o.Conversation
	r.Channel = max(r.Channel, o.Channel)
	r.LastPosition = max(r.LastPosition, o.LastPosition)
}

func (r VisitRow) key() rowKey {
	return rowKey{at: r.StartedAt.UnixMilli(), stream: r.VisitID}
}
