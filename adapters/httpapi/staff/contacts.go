package staff

import (
	"context"
	"net/http"
	"slices"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/httpapi/booking"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/staff"
	"bitacora/domain/subjects"
	"bitacora/domain/waiting"
)

// Colleagues lists the accounts of the staff.
type Colleagues func(ctx context.Context) ([]staff.Account, error)

// ContactsHandler answers the calls about contacts, and about the data that the clinic keeps of them.
type ContactsHandler struct {
	web.Responder
	Bookings   booking.Recorder
	Clinic     clinic.Clinic
	Colleagues Colleagues
	Contacts   *contacts.Register
	Live       Live
	Persons    *subjects.Register
	Waiting    *waiting.Register
	WriteCopy  WriteCopy
	readings   readings
}

// Routes adds the routes whose answers are small.
func (h *ContactsHandler) Routes(r chi.Router, allow Allow) {
	r.With(allow("getAgenda")).Get("/agenda", web.JSON(h.Responder, h.agenda))
	r.With(allow("recordOutcome")).Post("/conversation/{id}/booking/{booking}/outcome", web.JSONOf(h.Responder, h.recordOutcome))
	r.With(allow("listContacts")).Get("/contacts", web.JSONAndHead(h.Responder, h.contactList))
	r.With(allow("countContacts")).Get("/contacts/counts", web.JSON(h.Responder, h.contactCounts))
	r.With(allow("setContactStatus")).Post("/contacts/{kind}/{id}/status", web.JSONOf(h.Responder, h.setContactStatus))
	r.With(allow("listRequests")).Get("/contacts/requests", web.JSON(h.Responder, h.listRequests))
	r.With(allow("finishRequest")).Post("/contacts/{kind}/{id}/requests/{request}", web.JSONOf(h.Responder, h.finishRequest))
	r.With(allow("addContactNote")).Post("/contacts/{kind}/{id}/notes", web.JSONOf(h.Responder, h.addContactNote))
	r.With(allow("findPerson")).Get("/contacts/{kind}/{id}/person", web.JSON(h.Responder, h.findPerson))
	r.With(allow("exportPerson")).Get("/contacts/{kind}/{id}/person/copy", h.exportPerson)
	r.With(allow("restrictPerson")).Post("/contacts/{kind}/{id}/person/restriction", web.JSONOf(h.Responder, h.restrictPerson))
	r.With(allow("erasePerson")).Post("/contacts/{kind}/{id}/person/erasure", web.JSONOf(h.Responder, h.erasePerson))
}

func (h *ContactsHandler) contactCounts(r *http.Request) (contract.ContactCounts, error) {
	q, err := h.askAboutContacts(r)
	if err != nil {
		return contract.ContactCounts{}, err
	}
	counts, err := q.tables.ContactCounts(r.Context(), q.Contacts)
	if err != nil {
		return contract.ContactCounts{}, err
	}
	open, due, err := h.Contacts.OpenRequests(r.Context())
	if err != nil {
		return contract.ContactCounts{}, err
	}
	answer := contract.ContactCounts{
		New: int64(counts.Of(contacts.New)), Contacted: int64(counts.Of(contacts.Contacted)),
		Scheduled: int64(counts.Of(contacts.Scheduled)), Discarded: int64(counts.Of(contacts.Discarded)),
		OpenRequests: open, LastPosition: counts.LastPosition, DataThrough: q.through.contract(),
	}
	if open > 0 {
		answer.NextRequestDue = new(due.UTC())
	}
	return answer, nil
}

// refOf names the contact of a request.
func refOf(r *http.Request) (contacts.Ref, error) {
	ref := contacts.Ref{Kind: chi.URLParam(r, "kind"), ID: chi.URLParam(r, "id")}
	if !slices.Contains(contacts.Kinds, ref.Kind) || !web.ValidID(ref.ID) {
		return ref, contacts.ErrNoContact
	}
	return ref, nil
}

func (h *ContactsHandler) setContactStatus(r *http.Request, body contract.ContactStatusChange) (contract.ContactState, error) {
	c, authors, err := h.changeContact(r, func(ref contacts.Ref) (contacts.Contact, error) {
		by := contacts.Change{ID: body.ID, StaffID: account(r.Context()).ID}
		return h.Contacts.SetStatus(r.Context(), ref, string(body.Status), by)
	})
	return authors.state(c), err
}

func (h *ContactsHandler) addContactNote(r *http.Request, body contract.NewContactNote) (contract.ContactNote, error) {
	c, authors, err := h.changeContact(r, func(ref contacts.Ref) (contacts.Contact, error) {
		by := contacts.Change{ID: body.ID, StaffID: account(r.Context()).ID}
		return h.Contacts.AddNote(r.Context(), ref, body.Text, by)
	})
	if err != nil {
		return contract.ContactNote{}, err
	}
	i := slices.IndexFunc(c.Notes, func(n contacts.Note) bool { return n.ID == contacts.NoteID(c.Ref, body.ID) })
	return authors.note(c.Notes[i]), nil
}

func (h *ContactsHandler) changeContact(r *http.Request, change func(contacts.Ref) (contacts.Contact, error)) (c contacts.Contact, by authors, err error) {
	ref, err := refOf(r)
	if err != nil {
		return c, nil, err
	}
	if c, err = change(ref); err != nil {
		return c, nil, err
	}
	by, err = h.Colleagues.authors(r.Context())
	return c, by, err
}

// openContacts records who reads contacts before giving them away.
func (h *ContactsHandler) openContacts(ctx context.Context, list []contacts.Contact) ([]contract.Contact, error) {
	if err := h.recordReading(ctx, list); err != nil {
		return nil, err
	}
	authors, err := h.Colleagues.authors(ctx)
	if err != nil {
		return nil, err
	}
	refs := contract.List(list, func(c contacts.Contact) contacts.Ref { return c.Ref })
	states, err := h.Waiting.States(ctx, refs)
	if err != nil {
		return nil, err
	}
	opened := contract.List(list, authors.contact)
	for i, ref := range refs {
		opened[i].Reasons = contract.List(states[ref].Reasons, authors.reason)
	}
	return opened, nil
}

func (h *ContactsHandler) recordReading(ctx context.Context, list []contacts.Contact) error {
	if len(list) == 0 {
		return nil
	}
	return h.readings.record(ctx, openedBy(account(ctx).ID, list))
}

func openedBy(reader string, list []contacts.Contact) *event.ContactMessagesOpened {
	opened := &event.ContactMessagesOpened{StaffID: reader}
	for _, c := range list {
		if c.Kind == contacts.Lead {
			opened.ConversationIDs = append(opened.ConversationIDs, c.ID)
		} else {
			opened.ContactIDs = append(opened.ContactIDs, c.ID)
		}
	}
	return opened
}

// authors are the e-mail addresses of the staff by account.
type authors map[string]string

func (c Colleagues) authors(ctx context.Context) (authors, error) {
	accounts, err := c(ctx)
	if err != nil {
		return nil, err
	}
	emails := authors{}
	for _, one := range accounts {
		emails[one.ID] = one.Email
	}
	return emails, nil
}

func (by authors) contact(c contacts.Contact) contract.Contact {
	c = c.Usable()
	answer := contract.Contact{
		Kind: contract.ContactKind(c.Kind), ID: c.ID, CameAt: c.CameAt.UTC(), State: by.state(c), Erased: c.Erased, Restricted: c.Restricted,
		Name: contract.Optional(c.Name), Phone: contract.Optional(c.Phone), Email: contract.Optional(c.Email), Message: contract.Optional(c.Text),
		Question: contract.Optional(c.Asked), Reasons: []contract.WaitingReason{},
		Specialty: contract.Optional(c.Specialty), Topics: append([]string{}, c.Topics...), Notes: contract.List(c.Notes, by.note),
		Withdrawn: c.Withdrawn, Requests: by.requests(c),
	}
	answer.Appointment = appointmentOf(c.Booking)
	return answer
}

func appointmentOf(b *contacts.Booking) *contract.ContactAppointment {
	if b == nil {
		return nil
	}
	return &contract.ContactAppointment{
		Slot: b.Slot.UTC(), Specialty: contract.Optional(b.Specialty), Source: contract.BookingSource(b.Source), Cancelled: b.Cancelled,
	}
}

func (by authors) state(c contacts.Contact) contract.ContactState {
	s := contract.ContactState{Status: contract.ContactStatus(c.Status), ChangedBy: contract.Optional(by[c.StatusBy])}
	if !c.StatusAt.IsZero() {
		s.ChangedAt = new(c.StatusAt.UTC())
	}
	return s
}

func (by authors) note(n contacts.Note) contract.ContactNote {
	return contract.ContactNote{ID: n.ID, Text: n.Text, WrittenAt: n.At.UTC(), Author: contract.Optional(by[n.StaffID])}
}
