package visitor

import (
	"net/http"
	"strings"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/go-chi/chi/v5"

	"bitacora/adapters/httpapi/web"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
)

// calendarPath leads to the calendar's file of a conversation; nil where there is none to offer.
func calendarPath(reference string) *string {
	if reference == "" {
		return nil
	}
	return new("/r/" + reference + "/cita.ics")
}

// CalendarFile gives an appointment to the browser that arranged it, for its calendar.
func (h *Handler) CalendarFile(w http.ResponseWriter, r *http.Request) {
	reference := chi.URLParam(r, "reference")
	if !web.ValidID(reference) {
		h.Fail(w, r, web.ErrNotFound)
		return
	}
	entry, err := h.Conversations.CalendarEntry(r.Context(), reference, web.CookieToken(r, chatCookie))
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/calendar; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="cita.ics"`)
	w.Header().Set("Cache-Control", "no-store")
	// A failure here is the browser's: it went away.
	_ = calendarFile(entry, h.now()).SerializeTo(w, ics.WithNewLineWindows)
}

const localTime = "20060102T150405"

// calendarFile writes an entry in the clinic's zone, of which it contains the offset on that day, so
// that a calendar shows the clinic's hour wherever it is read.
func calendarFile(e chat.CalendarEntry, at time.Time) *ics.Calendar {
	zone := e.Begins.Location().String()
	inZone := &ics.KeyValues{Key: string(ics.ParameterTzid), Value: []string{zone}}
	cal := ics.NewCalendarFor("Bitácora")
	cal.SetMethod(ics.MethodPublish)
	offset := cal.AddTimezone(zone).AddStandard()
	offset.SetProperty(ics.ComponentPropertyDtStart, "19700101T000000")
	offset.SetProperty(ics.ComponentProperty(ics.PropertyTzoffsetfrom), e.Begins.Format("-0700"))
	offset.SetProperty(ics.ComponentProperty(ics.PropertyTzoffsetto), e.Begins.Format("-0700"))
	event := cal.AddEvent(e.ID)
	event.SetDtStampTime(at)
	event.SetSequence(e.Sequence)
	event.SetProperty(ics.ComponentPropertyDtStart, e.Begins.Format(localTime), inZone)
	event.SetProperty(ics.ComponentPropertyDtEnd, e.Ends.Format(localTime), inZone)
	event.SetSummary("Cita de " + e.Service + ", " + e.Clinic.Name)
	event.SetLocation(e.Clinic.Address.String())
	event.SetDescription(strings.Join(clinic.Numbers(e.Clinic.Phones), " o "))
	return cal
}
