package staff

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/subjects"
)

// WriteCopy writes what is kept of a person in one of the formats, and names the file.
type WriteCopy func(w io.Writer, c subjects.Copy, format string) (name string, err error)

// kindOf is the kind of subject that a contact is.
var kindOf = map[string]string{contacts.Lead: subjects.Conversation, contacts.Message: subjects.Message}

// person gives what is kept of the person of the contact that an address names.
func (h *ContactsHandler) person(r *http.Request) (contacts.Ref, subjects.Person, error) {
	ref, err := refOf(r)
	if err != nil {
		return ref, subjects.Person{}, err
	}
	p, err := h.Persons.Of(r.Context(), kindOf[ref.Kind], ref.ID)
	return ref, p, err
}

func (h *ContactsHandler) findPerson(r *http.Request) (contract.Person, error) {
	_, p, err := h.person(r)
	if err != nil {
		return contract.Person{}, err
	}
	answer := h.personAnswer(p)
	if err := h.recordPerson(r.Context(), p, answer); err != nil {
		return contract.Person{}, err
	}
	return answer, nil
}

// recordPerson records that it is shown what belongs to a person.
func (h *ContactsHandler) recordPerson(ctx context.Context, p subjects.Person, answer contract.Person) error {
	read := &event.VisitorTextsRead{List: "person", Rows: len(p.Records)}
	for _, r := range p.Records {
		if r.Kind == subjects.Conversation {
			read.ConversationIDs = append(read.ConversationIDs, r.ID)
		} else {
			read.ContactIDs = append(read.ContactIDs, r.ID)
		}
	}
	return h.readings.texts(ctx, read, nil, answer)
}

func (h *ContactsHandler) personAnswer(p subjects.Person) contract.Person {
	answer := contract.Person{Records: make([]contract.PersonRecord, len(p.Records))}
	for i, r := range p.Records {
		answer.Records[i] = contract.PersonRecord{
			Kind: contract.PersonRecordKind(r.Kind), ID: r.ID, CameAt: r.CameAt.UTC(),
			FoundBy: contract.PersonRecordFoundBy(r.Found.By), FoundIn: contract.Optional(r.Found.From),
			Texts: int64(len(r.Texts)), Bookings: int64(len(r.Bookings)), Notes: int64(len(r.Notes)),
			Erased: r.Erased, Restricted: r.Restricted,
		}
		if b := r.Appointment(h.readings.now()); b != nil && answer.Appointment == nil {
			answer.Appointment = new(b.Slot.UTC())
		}
	}
	return answer
}

var errFormat = web.BadField("format", "El formato debe ser «html» o «json».")

// exportPerson gives everything that is kept of a person as a file, once that is recorded. It is
// made before any of it is sent: what fails is said.
func (h *ContactsHandler) exportPerson(w http.ResponseWriter, r *http.Request) {
	format := r.URL.Query().Get("format")
	if !slices.Contains(subjects.Formats, format) {
		h.Fail(w, r, errFormat)
		return
	}
	_, p, err := h.person(r)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	copied, err := h.Persons.Export(r.Context(), p, account(r.Context()).ID, format)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	var file bytes.Buffer
	name, err := h.WriteCopy(&file, copied, format)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	kind := "text/html; charset=utf-8"
	if format == subjects.JSON {
		kind = "application/json"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s"`, name))
	w.Header().Set("Content-Length", strconv.Itoa(file.Len()))
	_, _ = file.WriteTo(w)
}

func (h *ContactsHandler) restrictPerson(r *http.Request, body contract.PersonRestriction) (contract.Person, error) {
	ref, p, err := h.person(r)
	var pending bool
	if err == nil {
		pending, err = h.Persons.Restrict(r.Context(), subjects.Restriction{
			By: account(r.Context()).ID, On: body.On, Reason: event.ReasonRequest, Subjects: p.Streams(),
		})
	}
	if err == nil {
		p, err = h.Persons.Of(r.Context(), kindOf[ref.Kind], ref.ID)
	}
	if err != nil {
		return contract.Person{}, err
	}
	answer := h.personAnswer(p)
	if pending {
		answer.Pending = &pending
	}
	return answer, nil
}

var errNotConfirmed = web.BadField("confirmation", "Lo escrito no es el nombre del contacto: no se borró nada.")

func (h *ContactsHandler) erasePerson(r *http.Request, body contract.PersonErasure) (contract.ErasureReport, error) {
	ref, p, err := h.person(r)
	if err != nil {
		return contract.ErasureReport{}, err
	}
	if body.Only != nil && *body.Only {
		p = p.Only()
	}
	if !confirms(body.Confirmation, ref, p) {
		return contract.ErasureReport{}, errNotConfirmed
	}
	report, err := h.Persons.Erase(r.Context(), subjects.Erasure{
		By: account(r.Context()).ID, Reason: event.ReasonRequest, Subjects: p.Streams(), Mentions: p.Mentions,
		CancelBookings: body.CancelAppointments != nil && *body.CancelAppointments,
	})
	if err != nil {
		return contract.ErasureReport{}, err
	}
	answer := contract.ErasureReport{
		Records: int64(len(report.Subjects)), Cancelled: int64(report.Cancelled), Waiting: []string{},
		Pending: report.Pending, ErasedAt: report.ErasedAt, ProvableBy: report.ProvableBy,
	}
	answer.Waiting = append(answer.Waiting, report.Waiting...)
	return answer, nil
}

// confirms says whether a text is what the contact is called. Of one that is erased nobody knows
// that any more, and nothing of it is left to erase.
func confirms(text string, ref contacts.Ref, p subjects.Person) bool {
	i := slices.IndexFunc(p.Records, func(r subjects.Record) bool { return r.ID == ref.ID })
	if i < 0 {
		return false
	}
	if p.Records[i].Erased {
		return true
	}
	reach := p.Records[i].Reach()
	for _, name := range []string{reach.Name, reach.Phone, reach.Email, ref.ID} {
		if name != "" {
			return strings.Join(strings.Fields(text), " ") == strings.Join(strings.Fields(name), " ")
		}
	}
	return false
}
