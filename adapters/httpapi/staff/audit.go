package staff

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/event"
	"bitacora/domain/staff"
)

// LatestOfStaff gives at most limit events of what accounts did and what was done to them, the
// newest first.
type LatestOfStaff func(ctx context.Context, q staff.AuditQuestion, limit int) ([]event.Recorded, error)

// auditPage is how many entries come at once.
const auditPage = 100

// audit lists what accounts did and what was done to them, for owners.
func (h *AccountsHandler) audit(r *http.Request, head http.Header) ([]contract.AuditEntry, error) {
	q, err := h.parseAudit(r)
	if err != nil {
		return nil, err
	}
	events, err := h.LatestOfStaff(r.Context(), q, auditPage+1)
	if err != nil {
		return nil, err
	}
	names, err := h.Colleagues.authors(r.Context())
	if err != nil {
		return nil, err
	}
	if len(events) > auditPage {
		events = events[:auditPage]
		last := events[auditPage-1]
		next := maps.Clone(r.URL.Query())
		next.Set("endDate", q.To.Add(-time.Millisecond).UTC().Format(isoTime))
		next.Set("startDate", q.From.UTC().Format(isoTime))
		next.Set("cursor", fmt.Sprintf("%d-%d", last.OccurredAt.UnixMilli(), last.Position))
		head.Set("Link", fmt.Sprintf(`<%s?%s>; rel="next"`, r.URL.Path, next.Encode()))
	}
	list := make([]contract.AuditEntry, len(events))
	for i, e := range events {
		entry, err := staff.EntryOf(e)
		if err != nil {
			return nil, err
		}
		list[i] = contract.AuditEntry{
			Position: entry.Position, Time: entry.At.UTC(), What: entry.What, Details: entry.Details,
			Who: names.actor(entry.Actor), Account: names.actor(entry.AccountID),
		}
	}
	return list, nil
}

// gone is what an account is called that is no more.
const gone = "gone"

// actor is what the activity calls who did something, or to whose account it was done.
func (by authors) actor(id string) string {
	if slices.Contains([]string{event.ByOperator, event.ByProgram, event.ByVisitor, nobody}, id) {
		return id
	}
	return cmp.Or(by[id], gone)
}

var auditCursorForm = regexp.MustCompile(`^([0-9]{1,13})-([0-9]{1,18})$`)

func (h *AccountsHandler) parseAudit(r *http.Request) (q staff.AuditQuestion, err error) {
	values := r.URL.Query()
	period, err := analytics.ParsePeriod(values.Get("startDate"), values.Get("endDate"), h.now(), h.Clinic.Zone)
	if err != nil {
		return q, err
	}
	q = staff.AuditQuestion{From: period.From, To: period.To, AccountID: values.Get("account"), What: values.Get("what")}
	if q.What != "" && !slices.Contains(event.Types(), q.What) {
		return q, web.BadField("what", "No existe esa clase de suceso.")
	}
	if q.AccountID != "" && !web.ValidID(q.AccountID) {
		return q, web.BadField("account", "La cuenta no es válida.")
	}
	if raw := values.Get("cursor"); raw != "" {
		m := auditCursorForm.FindStringSubmatch(raw)
		if m == nil {
			return q, web.BadField("cursor", "El cursor de la página no es válido.")
		}
		// The form bounds both numbers.
		millis, _ := strconv.ParseInt(m[1], 10, 64)
		position, _ := strconv.ParseInt(m[2], 10, 64)
		q.Before = &staff.AuditCursor{At: time.UnixMilli(millis), Position: position}
	}
	return q, nil
}
