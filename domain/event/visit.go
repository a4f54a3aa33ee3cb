package event

import (
	"strings"
	"time"
)

// Visit is carried by every event of a visit, so that a projection can write its row from
// any one of them. The visit's conversation, if there comes one, has the same id.
type Visit struct {
	VisitID        string    `json:"visitId"`
	VisitStartedAt time.Time `json:"visitStartedAt"`
}

// VisitStarted says that somebody looks at the site: a browser's tab, counted once. It is in
// the stream of the visit's conversation, and holds nothing personal.
type VisitStarted struct {
	Visit
}

// Who opened the chat's panel, as [WidgetOpened] says it.
const (
	// OpenedByVisitor: the visitor opened it, or turned to one that had opened itself.
	OpenedByVisitor = "visitor"
	// OpenedByItself: it opened itself, unasked.
	OpenedByItself = "auto"
)

// WidgetOpened says that the chat's panel was opened in a visit; one is kept for each By.
type WidgetOpened struct {
	Visit
	// By is [OpenedByVisitor] or [OpenedByItself].
	By string `json:"by"`
}

func (v *Visit) take(name, value string, quoted bool) bool {
	switch {
	case !quoted:
		return false
	case name == "visitId":
		v.VisitID = strings.Clone(value)
		return true
	case name == "visitStartedAt":
		return v.VisitStartedAt.UnmarshalText([]byte(value)) == nil
	}
	return false
}

func (w *WidgetOpened) take(name, value string, quoted bool) bool {
	if quoted && name == "by" {
		w.By = strings.Clone(value)
		return true
	}
	return w.Visit.take(name, value, quoted)
}

// EventType implements [Payload].
func (*VisitStarted) EventType() string { return "VisitStarted" }
func (*WidgetOpened) EventType() string { return "WidgetOpened" }
