package visitor

import (
	"errors"
	"net/http"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/chat"
)

// maxErased bounds how many conversations the chat's window erases at once.
const maxErased = 20

// EraseConversation erases conversations of the browser that began them.
func (h *Handler) EraseConversation(r *http.Request, body contract.ChatErasure) (contract.ChatErased, error) {
	if n := len(body.SessionIDs); n == 0 || n > maxErased {
		return contract.ChatErased{}, web.BadRequest("Indica entre 1 y 20 conversaciones.")
	}
	if err := h.slow(r.Context(), body.SessionIDs[0]); err != nil {
		return contract.ChatErased{}, err
	}
	held, err := h.Browser.Held(r.Context(), web.CookieToken(r, chatCookie), body.SessionIDs...)
	var erased contract.ChatErased
	if err == nil {
		erased.Pending, err = h.Browser.Erase(r.Context(), held, body.Appointments)
	}
	return erased, err
}

// Forget lets the browser go: it can read and go on with none of its conversations from then on.
func (h *Handler) Forget(w http.ResponseWriter, _ *http.Request) {
	web.DropCookie(w, chatCookie)
	w.WriteHeader(http.StatusNoContent)
}

// EraseForm erases all conversations of the browser, from the page about personal data and also
// without JavaScript. What would be erased is shown before.
func (h *Handler) EraseForm(w http.ResponseWriter, r *http.Request) {
	err := h.eraseAll(w, r)
	if err == nil {
		return
	}
	if p, listens := h.Explain(w, r, err); listens {
		h.pages.ServeErasure(w, r, p.Status, contract.Erasure{Problem: &p.Message, Appointments: []time.Time{}})
	}
}

func (h *Handler) eraseAll(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	if err := h.few(r.Context(), contactRate, "forms of ", tooManyMessages); err != nil {
		return err
	}
	held, err := h.Browser.Held(r.Context(), web.CookieToken(r, chatCookie))
	if err != nil {
		return err
	}
	if r.PostForm.Get("confirmado") == "1" && len(held) > 0 {
		if _, err = h.Browser.Erase(r.Context(), held, instants(r.PostForm["cita"])); err == nil {
			web.DropCookie(w, chatCookie)
			h.pages.ServeErased(w, r)
			return nil
		}
		if !errors.Is(err, chat.ErrOtherAppointments) {
			return err
		}
	}
	shown := contract.Erasure{Appointments: []time.Time{}}
	for _, c := range held {
		if !c.Erased {
			shown.Conversations++
		}
	}
	for _, a := range h.Browser.Upcoming(held) {
		shown.Appointments = append(shown.Appointments, a.Slot.UTC())
	}
	h.pages.ServeErasure(w, r, http.StatusOK, shown)
	return nil
}

// instants reads the times that a form names; what is none is left out.
func instants(values []string) []time.Time {
	var all []time.Time
	for _, value := range values {
		if t, err := time.Parse(time.RFC3339Nano, value); err == nil {
			all = append(all, t)
		}
	}
	return all
}
