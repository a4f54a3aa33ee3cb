package staff

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/errgroup"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
	"bitacora/domain/staff"
)

// Contacts keeps whom the staff has to call back.
type Contacts interface {
	// Read gives contacts in the order in which they are named, as far as they exist; with
	// types only what events of these types say.
	Read(ctx context.Context, refs []contacts.Ref, types ...string) ([]contacts.Contact, error)
	// SetStatus and AddNote give the contact as it is afterwards.
	SetStatus(ctx context.Context, ref contacts.Ref, status string, by contacts.Change) (contacts.Contact, error)
	AddNote(ctx context.Context, ref contacts.Ref, text string, by contacts.Change) (contacts.Contact, error)
	// Requests gives those who asked something about their own data, OpenRequests how many have not
	// got it yet and when the first is due; FinishRequest takes down what became of it.
	Requests(ctx context.Context, done bool) ([]contacts.Contact, error)
	OpenRequests(ctx context.Context) (contacts int, due time.Time, err error)
	FinishRequest(ctx context.Context, ref contacts.Ref, request, outcome string, by contacts.Change) (contacts.Contact, error)
}

// Colleagues lists the accounts of the staff.
type Colleagues func(ctx context.Context) ([]staff.Account, error)

// ContactLists count and list contacts.
type ContactLists interface {
	// ContactPage lists at most limit after a cursor, newest first.
	ContactPage(ctx context.Context, c analytics.Contacts, after *analytics.ContactCursor, limit int) ([]analytics.Contact, error)
	// ContactCounts counts by status.
	ContactCounts(ctx context.Context, c analytics.Contacts) (analytics.ContactCounts, error)
}

const (
	// Sizes of a page of contacts.
	contactPage    = 50
	maxContactPage = 100
	// maxSearched bounds among how many contacts a text is looked for: their details lie
	// sealed in the log.
	maxSearched = 5000
)

// contactQuestion is what somebody wants to know about contacts.
type contactQuestion struct {
	analytics.Contacts
	search  string
	tables  Tables
	through Through
}

func (h *Handler) askAboutContacts(r *http.Request) (q contactQuestion, err error) {
	values := r.URL.Query()
	if q.Period, err = analytics.ParsePeriod(values.Get("startDate"), values.Get("endDate"), h.now(), h.Clinic.Zone); err != nil {
		return q, err
	}
	q.Kind, q.Status = values.Get("kind"), values.Get("status")
	if q.Kind != "" && !slices.Contains(contacts.Kinds, q.Kind) {
		return q, web.BadField("kind", "La clase de contacto debe ser «lead» o «message».")
	}
	if q.Status != "" && !slices.Contains(contacts.Statuses, q.Status) {
		return q, web.BadField("status", "El estado debe ser «new», «contacted», «scheduled» o «discarded».")
	}
	p := filterParser{values: values}
	if q.search = p.text("q"); p.err != nil {
		return q, p.err
	}
	q.tables, q.through, err = h.Live(r.Context())
	return q, err
}

// contactList lists who left a way to be reached, and records who read it.
func (h *Handler) contactList(w http.ResponseWriter, r *http.Request) {
	q, err := h.askAboutContacts(r)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	page, err := parseContactPage(r.URL.Query())
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	list, err := h.readContacts(r.Context(), q, page)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	opened, err := h.openContacts(r.Context(), list.contacts)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	q.through.header(w)
	w.Header().Set("X-Total-Count", strconv.Itoa(list.total))
	if list.searched > 0 {
		w.Header().Set("X-Searched-Count", strconv.Itoa(list.searched))
	}
	if list.next != nil {
		w.Header().Set("Link", fmt.Sprintf(`<%s>; rel="next"`, page.next(r, q, *list.next)))
	}
	web.Encode(w, http.StatusOK, opened)
}

// contactListing is one page of contacts.
type contactListing struct {
	contacts []contacts.Contact
	total    int
	// searched is among how many of the newest a text was looked for; 0 where that was all of them.
	searched int
	// next is the cursor after which the next page begins; nil when there is none.
	next *analytics.ContactCursor
}

func (h *Handler) readContacts(ctx context.Context, q contactQuestion, p contactCursor) (l contactListing, err error) {
	var found []analytics.Contact
	if q.search != "" {
		found, l, err = h.searchContacts(ctx, q, p.after)
	} else {
		found, l.total, err = pageOfContacts(ctx, q, p)
	}
	if err != nil {
		return l, err
	}
	if len(found) > p.limit {
		found = found[:p.limit]
		l.next = new(found[p.limit-1].Cursor())
	}
	l.contacts, err = h.Contacts.Read(ctx, refsOf(found))
	return l, err
}

// pageOfContacts gives one contact more than asked for, which says whether there is another
// page, and how many there are in all.
func pageOfContacts(ctx context.Context, q contactQuestion, p contactCursor) (found []analytics.Contact, total int, err error) {
	var counts analytics.ContactCounts
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() (err error) {
		found, err = q.tables.ContactPage(ctx, q.Contacts, p.after, p.limit+1)
		return err
	})
	parts.Go(func() (err error) {
		counts, err = q.tables.ContactCounts(ctx, q.Contacts)
		return err
	})
	err = parts.Wait()
	return found, counts.Of(q.Status), err
}

// searchContacts gives those that a text occurs in, from a cursor on, and begins their listing:
// how many there are in all, and whether only some were searched.
func (h *Handler) searchContacts(ctx context.Context, q contactQuestion, after *analytics.ContactCursor) (found []analytics.Contact, l contactListing, err error) {
	all, err := q.tables.ContactPage(ctx, q.Contacts, nil, maxSearched+1)
	if err != nil {
		return nil, l, err
	}
	if len(all) > maxSearched {
		all, l.searched = all[:maxSearched], maxSearched
	}
	known, err := h.Contacts.Read(ctx, refsOf(all), contacts.Details...)
	if err != nil {
		return nil, l, err
	}
	matches := map[contacts.Ref]bool{}
	for _, c := range known {
		if c.Matches(q.search) {
			matches[c.Ref] = true
		}
	}
	begun := after == nil
	for _, c := range all {
		if begun && matches[contacts.Ref{Kind: c.Kind, ID: c.ID}] {
			found = append(found, c)
		}
		begun = begun || c.Cursor() == *after
	}
	l.total = len(matches)
	return found, l, nil
}

func refsOf(found []analytics.Contact) []contacts.Ref {
	refs := make([]contacts.Ref, len(found))
	for i, c := range found {
		refs[i] = contacts.Ref{Kind: c.Kind, ID: c.ID}
	}
	return refs
}

// contactCursor is the page that is asked for.
type contactCursor struct {
	after *analytics.ContactCursor
	limit int
}

var contactCursorForm = regexp.MustCompile(`^([0-9]{1,13})-(lead|message)-([0-9A-Za-z_-]{1,128})$`)

func parseContactPage(q url.Values) (contactCursor, error) {
	p := contactCursor{limit: contactPage}
	if raw := q.Get("limit"); raw != "" {
		n, err := strconv.Atoi(raw)
		if err != nil || n < 1 || n > maxContactPage {
			return p, web.BadField("limit", fmt.Sprintf("El tamaño de página debe ser un número entre 1 y %d.", maxContactPage))
		}
		p.limit = n
	}
	if raw := q.Get("cursor"); raw != "" {
		m := contactCursorForm.FindStringSubmatch(raw)
		if m == nil {
			return p, web.BadField("cursor", "El cursor de la página no es válido.")
		}
		millis, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			return p, err
		}
		p.after = &analytics.ContactCursor{CameAt: time.UnixMilli(millis).UTC(), Kind: m[2], ID: m[3]}
	}
	return p, nil
}

// next is the address of the page after a cursor. It names the period's ends, since those of
// this request may have been "now".
func (p contactCursor) next(r *http.Request, q contactQuestion, after analytics.ContactCursor) string {
	values := maps.Clone(r.URL.Query())
	first, last := ends(q.Period)
	values.Set("startDate", first.Format(isoTime))
	values.Set("endDate", last.Format(isoTime))
	values.Set("limit", strconv.Itoa(p.limit))
	values.Set("cursor", fmt.Sprintf("%d-%s-%s", after.CameAt.UnixMilli(), after.Kind, after.ID))
	return r.URL.Path + "?" + values.Encode()
}

func (h *Handler) contactCounts(w http.ResponseWriter, r *http.Request) {
	q, err := h.askAboutContacts(r)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	counts, err := q.tables.ContactCounts(r.Context(), q.Contacts)
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	open, due, err := h.Contacts.OpenRequests(r.Context())
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	answer := contract.ContactCounts{
		New: int64(counts.Of(contacts.New)), Contacted: int64(counts.Of(contacts.Contacted)),
		Scheduled: int64(counts.Of(contacts.Scheduled)), Discarded: int64(counts.Of(contacts.Discarded)),
		OpenRequests: open, LastPosition: counts.LastPosition, DataThrough: q.through.contract(),
	}
	if open > 0 {
		answer.NextRequestDue = new(due.UTC())
	}
	web.Encode(w, http.StatusOK, answer)
}

// refOf names the contact of a request.
func refOf(r *http.Request) (contacts.Ref, error) {
	ref := contacts.Ref{Kind: chi.URLParam(r, "kind"), ID: chi.URLParam(r, "id")}
	if !slices.Contains(contacts.Kinds, ref.Kind) || !web.ValidID(ref.ID) {
		return ref, contacts.ErrNoContact
	}
	return ref, nil
}

func (h *Handler) setContactStatus(w http.ResponseWriter, r *http.Request) {
	var body contract.ContactStatusChange
	c, authors, err := h.changeContact(r, &body, func(ref contacts.Ref) (contacts.Contact, error) {
		by := contacts.Change{ID: body.ID, StaffID: account(r.Context()).ID}
		return h.Contacts.SetStatus(r.Context(), ref, string(body.Status), by)
	})
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	web.Encode(w, http.StatusOK, authors.state(c))
}

func (h *Handler) addContactNote(w http.ResponseWriter, r *http.Request) {
	var body contract.NewContactNote
	c, authors, err := h.changeContact(r, &body, func(ref contacts.Ref) (contacts.Contact, error) {
		by := contacts.Change{ID: body.ID, StaffID: account(r.Context()).ID}
		return h.Contacts.AddNote(r.Context(), ref, body.Text, by)
	})
	if err != nil {
		h.Fail(w, r, err)
		return
	}
	i := slices.IndexFunc(c.Notes, func(n contacts.Note) bool { return n.ID == contacts.NoteID(c.Ref, body.ID) })
	web.Encode(w, http.StatusOK, authors.note(c.Notes[i]))
}

func (h *Handler) changeContact(r *http.Request, body any, change func(contacts.Ref) (contacts.Contact, error)) (c contacts.Contact, by authors, err error) {
	if err := web.Decode(r, body); err != nil {
		return c, nil, err
	}
	ref, err := refOf(r)
	if err != nil {
		return c, nil, err
	}
	if c, err = change(ref); err != nil {
		return c, nil, err
	}
	by, err = h.authors(r.Context())
	return c, by, err
}

// openContacts records who reads contacts before giving them away.
func (h *Handler) openContacts(ctx context.Context, list []contacts.Contact) ([]contract.Contact, error) {
	if err := h.recordReading(ctx, list); err != nil {
		return nil, err
	}
	authors, err := h.authors(ctx)
	if err != nil {
		return nil, err
	}
	opened := make([]contract.Contact, len(list))
	for i, c := range list {
		opened[i] = authors.contact(c)
	}
	return opened, nil
}

func (h *Handler) recordReading(ctx context.Context, list []contacts.Contact) error {
	if len(list) == 0 {
		return nil
	}
	reader := account(ctx).ID
	opened := &event.ContactMessagesOpened{StaffID: reader}
	for _, c := range list {
		if c.Kind == contacts.Lead {
			opened.ConversationIDs = append(opened.ConversationIDs, c.ID)
		} else {
			opened.ContactIDs = append(opened.ContactIDs, c.ID)
		}
	}
	return record(ctx, h.Log, reader, opened, h.now())
}

// authors are the e-mail addresses of the staff by account.
type authors map[string]string

func (h *Handler) authors(ctx context.Context) (authors, error) {
	accounts, err := h.Colleagues(ctx)
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
		Specialty: contract.Optional(c.Specialty), Topics: slices.Clone(c.Topics), Notes: []contract.ContactNote{},
		Withdrawn: c.Withdrawn, Requests: by.requests(c),
	}
	if answer.Topics == nil {
		answer.Topics = []string{}
	}
	if b := c.Booking; b != nil {
		answer.Appointment = &contract.ContactAppointment{
			Slot: b.Slot.UTC(), Specialty: contract.Optional(b.Specialty), Source: contract.ContactAppointmentSource(b.Source), Cancelled: b.Cancelled,
		}
	}
	for _, n := range c.Notes {
		answer.Notes = append(answer.Notes, by.note(n))
	}
	return answer
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
