package staff

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/contacts"
)

// listRequests lists who asked something about their own data, and records who read it.
func (h *ContactsHandler) listRequests(r *http.Request) ([]contract.Contact, error) {
	p := filterParser{values: r.URL.Query()}
	done := p.yesNo("done")
	if p.err != nil {
		return nil, p.err
	}
	found, err := h.Contacts.Requests(r.Context(), done != nil && *done)
	if err != nil {
		return nil, err
	}
	return h.openContacts(r.Context(), found)
}

// finishRequest takes down what became of a request. Its own id stands for that of the change: a
// request is done once.
func (h *ContactsHandler) finishRequest(r *http.Request, body contract.FinishedRequest) ([]contract.ContactRequest, error) {
	request := chi.URLParam(r, "request")
	c, authors, err := h.changeContact(r, func(ref contacts.Ref) (contacts.Contact, error) {
		by := contacts.Change{ID: request, StaffID: account(r.Context()).ID}
		return h.Contacts.FinishRequest(r.Context(), ref, request, string(body.Outcome), by)
	})
	return authors.requests(c), err
}

func (by authors) requests(c contacts.Contact) []contract.ContactRequest {
	requests := make([]contract.ContactRequest, len(c.Requests))
	for i, r := range c.Requests {
		requests[i] = contract.ContactRequest{ID: r.ID, Request: contract.ContactRequestRequest(r.Request), AskedAt: r.At.UTC(), DueAt: r.DueAt.UTC()}
		if !r.Open() {
			requests[i].DoneAt, requests[i].DoneBy = new(r.DoneAt.UTC()), contract.Optional(by[r.By])
			requests[i].Outcome = contract.IfValid(contract.RequestOutcome(r.Outcome))
		}
	}
	return requests
}
