package staff

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/waiting"
)

const (
	// Sizes of a page of the queue.
	waitingPage    = 50
	maxWaitingPage = 100
	maxOffset      = 100_000
)

// WaitingHandler answers the calls about the people whom the clinic has to call.
type WaitingHandler struct {
	web.Responder
	Colleagues Colleagues
	Waiting    *waiting.Register
	readings   readings
}

// Routes adds the routes of the queue.
func (h *WaitingHandler) Routes(r chi.Router, allow Allow) {
	r.With(allow("listWaiting")).Get("/waiting", web.JSON(h.Responder, h.list))
	r.With(allow(attemptContact)).Post("/waiting/{kind}/{id}/attempts", web.JSONOf(h.Responder, h.attempt))
	r.With(allow("undoAttempt")).Post("/waiting/{kind}/{id}/attempts/{attempt}/undo", web.NoContent(h.Responder, h.undo))
}

func (h *WaitingHandler) list(r *http.Request) (answer contract.WaitingList, err error) {
	values := r.URL.Query()
	var part waiting.Part
	if part.Limit, err = number(values, "limit", 1, maxWaitingPage, waitingPage); err != nil {
		return answer, err
	}
	if part.Offset, err = number(values, "offset", 0, maxOffset, 0); err != nil {
		return answer, err
	}
	p := filterParser{values: values}
	phone := p.yesNo("phone")
	if p.err != nil {
		return answer, p.err
	}
	part.Phone = phone != nil && *phone
	if !may(account(r.Context()), attemptContact) {
		part.Limit = 0
	}
	page, err := h.Waiting.Page(r.Context(), part)
	if err != nil {
		return answer, err
	}
	by, err := h.Colleagues.authors(r.Context())
	if err != nil {
		return answer, err
	}
	answer = contract.WaitingList{Waiting: page.Waiting, Grave: page.Grave, PutOff: page.PutOff, Position: page.Through}
	if !page.Oldest.IsZero() {
		answer.Oldest = new(page.Oldest.UTC())
	}
	if page.FirstContact.Contacts > 0 {
		answer.FirstContact = new(page.FirstContact.Median.Seconds())
	}
	answer.FirstContactBy = []contract.FirstContact{}
	if part.Limit > 0 {
		answer.FirstContactBy = contract.List(append(page.ByWeekday, page.ByPerson...), by.firstContact)
	}
	answer.People = contract.List(page.Rows, func(row waiting.Row) contract.WaitingPerson { return h.person(r.Context(), by, row) })
	return answer, h.recordReading(r.Context(), page.Rows, answer.People)
}

// number is a whole number of a query.
func number(values url.Values, name string, least, most, otherwise int) (int, error) {
	raw := values.Get(name)
	if raw == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(raw)
	if err != nil || n < least || n > most {
		return 0, web.BadField(name, fmt.Sprintf("El valor debe ser un número entre %d y %d.", least, most))
	}
	return n, nil
}

// recordReading records who read the queue. The same rows in the same hour are one reading.
func (h *WaitingHandler) recordReading(ctx context.Context, rows []waiting.Row, shown []contract.WaitingPerson) error {
	if len(rows) == 0 {
		return nil
	}
	read := &event.VisitorTextsRead{List: "waiting", Rows: len(rows)}
	for _, row := range rows {
		for _, ref := range row.Refs {
			if ref.Kind == contacts.Lead {
				read.ConversationIDs = append(read.ConversationIDs, ref.ID)
			} else {
				read.ContactIDs = append(read.ContactIDs, ref.ID)
			}
		}
	}
	return h.readings.texts(ctx, read, nil, shown)
}

func (h *WaitingHandler) person(ctx context.Context, by authors, row waiting.Row) contract.WaitingPerson {
	ref := row.Refs[0]
	answer := contract.WaitingPerson{
		Kind: contract.ContactKind(ref.Kind), ID: ref.ID, Since: row.Since.UTC(), Restricted: row.Restricted,
		Name: contract.Optional(row.Contact.Name), Phone: contract.Optional(row.Contact.Phone), Email: contract.Optional(row.Contact.Email),
		Question: contract.Optional(row.Question), Reasons: contract.List(row.Why(), by.reason),
		Topics: append([]string{}, row.Topics...), Appointment: appointmentOf(row.Booking),
	}
	if i := slices.IndexFunc(row.Refs, func(ref contacts.Ref) bool { return ref.Kind == contacts.Lead }); i >= 0 {
		answer.Conversation = &row.Refs[i].ID
	}
	if holder := row.HeldBy(h.readings.now()); holder != "" {
		answer.HeldBy, answer.HeldByMe = new(by.name(holder)), new(holder == account(ctx).ID)
	}
	if row.Last != nil {
		answer.Last = new(by.attempt(*row.Last))
	}
	return answer
}

func (by authors) firstContact(f waiting.FirstContact) contract.FirstContact {
	answer := contract.FirstContact{Seconds: f.Median.Seconds(), Contacts: f.Contacts}
	if f.Weekday > 0 {
		answer.Weekday = &f.Weekday
	} else {
		answer.By = new(by.name(f.By))
	}
	return answer
}

func (by authors) reason(r waiting.Reason) contract.WaitingReason {
	answer := contract.WaitingReason{Reason: contract.WaitingReasonReason(r.Name), At: r.At.UTC()}
	if !r.Attended.IsZero() {
		answer.AttendedAt, answer.AttendedBy = new(r.Attended.UTC()), contract.Optional(by[r.By])
	}
	return answer
}

func (by authors) attempt(a waiting.Attempt) contract.Attempt {
	answer := contract.Attempt{ID: a.ID, Outcome: contract.AttemptOutcome(a.Outcome), At: a.At.UTC(), By: contract.Optional(by[a.By])}
	if !a.DueAt.IsZero() {
		answer.DueAt = new(a.DueAt.UTC())
	}
	return answer
}

// name is what an account is called, in the middle of a sentence.
func (by authors) name(id string) string {
	if email := by[id]; email != "" {
		return email
	}
	return "otra persona"
}

func (h *WaitingHandler) attempt(r *http.Request, body contract.NewAttempt) (answer contract.Attempt, err error) {
	ref, err := refOf(r)
	if err != nil {
		return answer, err
	}
	by, err := h.Colleagues.authors(r.Context())
	if err != nil {
		return answer, err
	}
	made, err := h.Waiting.Attempt(r.Context(), ref, string(body.Outcome), contacts.Change{ID: body.ID, StaffID: account(r.Context()).ID})
	if taken := new(waiting.TakenError); errors.As(err, &taken) {
		return answer, by.taken(taken)
	}
	if err != nil {
		return answer, err
	}
	return by.attempt(made), nil
}

func (by authors) taken(e *waiting.TakenError) error {
	sentence := "Ya atiende a esta persona: " + by.name(e.By) + "."
	if e.Done {
		sentence = "Esta persona ya no espera: la atendió " + by.name(e.By) + "."
	}
	return &web.Problem{Status: http.StatusConflict, Message: sentence}
}

func (h *WaitingHandler) undo(r *http.Request) error {
	ref, err := refOf(r)
	if err != nil {
		return err
	}
	return h.Waiting.Undo(r.Context(), ref, chi.URLParam(r, "attempt"), account(r.Context()).ID)
}
