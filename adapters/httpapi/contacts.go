package httpapi

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

	"bitacora/adapters/postgres"
	"bitacora/domain/analytics"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

// Contacts is where the staff keeps book of whom to call back.
type Contacts interface {
	// Read gives contacts in the order in which they are named, as far as they exist; with
	// types it knows only what events of these tell.
	Read(ctx context.Context, refs []contacts.Ref, types ...string) ([]contacts.Contact, error)
	// SetStatus and AddNote give the contact as it is afterwards.
	SetStatus(ctx context.Context, ref contacts.Ref, status string, by contacts.Change) (contacts.Contact, error)
	AddNote(ctx context.Context, ref contacts.Ref, text string, by contacts.Change) (contacts.Contact, error)
}

// Colleagues lists the accounts of the staff.
type Colleagues func(ctx context.Context) ([]postgres.Account, error)

// ContactLists count and list contacts.
type ContactLists interface {
	// ContactPage lists at most limit after a place in the list, newest first.
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

func (a *api) askAboutContacts(r *http.Request) (q contactQuestion, err error) {
	values := r.URL.Query()
	if q.Period, err = analytics.ParsePeriod(values.Get("startDate"), values.Get("endDate"), a.Now(), a.Zone); err != nil {
		return q, err
	}
	q.Kind, q.Status = values.Get("kind"), values.Get("status")
	if q.Kind != "" && !slices.Contains(contacts.Kinds, q.Kind) {
		return q, wrong("kind", "La clase de contacto debe ser «lead» o «message».")
	}
	if q.Status != "" && !slices.Contains(contacts.Statuses, q.Status) {
		return q, wrong("status", "El estado debe ser «new», «contacted», «scheduled» o «discarded».")
	}
	p := filterParser{values: values}
	if q.search = p.text("q"); p.err != nil {
		return q, p.err
	}
	q.tables, q.through, err = a.Live(r.Context())
	return q, err
}

// contactList lists who left a way to be reached, and takes down who read it.
func (a *api) contactList(w http.ResponseWriter, r *http.Request) {
	q, err := a.askAboutContacts(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	page, err := parseContactPage(r.URL.Query())
	if err != nil {
		a.fail(w, r, err)
		return
	}
	list, err := a.readContacts(r.Context(), q, page)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	told, err := a.tellContacts(r.Context(), list.contacts)
	if err != nil {
		a.fail(w, r, err)
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
	encode(w, http.StatusOK, told)
}

// contactListing is one page of contacts.
type contactListing struct {
	contacts []contacts.Contact
	total    int
	// searched is among how many of the newest a text was looked for; 0 where that was all of them.
	searched int
	// next is the place after which the next page begins; nil when there is none.
	next *analytics.ContactCursor
}

func (a *api) readContacts(ctx context.Context, q contactQuestion, p contactCursor) (l contactListing, err error) {
	var found []analytics.Contact
	if q.search != "" {
		found, l, err = a.searchContacts(ctx, q, p.after)
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
	l.contacts, err = a.Contacts.Read(ctx, refsOf(found))
	return l, err
}

// pageOfContacts gives one contact more than asked for, which tells whether there is another
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

// searchContacts gives those that a text occurs in, from a place on, and begins their listing:
// how many there are in all, and whether only some were searched.
func (a *api) searchContacts(ctx context.Context, q contactQuestion, after *analytics.ContactCursor) (found []analytics.Contact, l contactListing, err error) {
	all, err := q.tables.ContactPage(ctx, q.Contacts, nil, maxSearched+1)
	if err != nil {
		return nil, l, err
	}
	if len(all) > maxSearched {
		all, l.searched = all[:maxSearched], maxSearched
	}
	known, err := a.Contacts.Read(ctx, refsOf(all), contacts.Details...)
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
			return p, wrong("limit", fmt.Sprintf("El tamaño de página debe ser un número entre 1 y %d.", maxContactPage))
		}
		p.limit = n
	}
	if raw := q.Get("cursor"); raw != "" {
		m := contactCursorForm.FindStringSubmatch(raw)
		if m == nil {
			return p, wrong("cursor", "El cursor de la página no es válido.")
		}
		millis, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			return p, err
		}
		p.after = &analytics.ContactCursor{CameAt: time.UnixMilli(millis).UTC(), Kind: m[2], ID: m[3]}
	}
	return p, nil
}

// next is the address of the page after a place. It names the period's ends, since those of
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

func (a *api) contactCounts(w http.ResponseWriter, r *http.Request) {
	q, err := a.askAboutContacts(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	counts, err := q.tables.ContactCounts(r.Context(), q.Contacts)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	encode(w, http.StatusOK, ContactCounts{
		New: int64(counts.Of(contacts.New)), Contacted: int64(counts.Of(contacts.Contacted)),
		Scheduled: int64(counts.Of(contacts.Scheduled)), Discarded: int64(counts.Of(contacts.Discarded)),
		LastPosition: counts.LastPosition, DataThrough: q.through.contract(),
	})
}

// refOf names the contact of a request.
func refOf(r *http.Request) (contacts.Ref, error) {
	ref := contacts.Ref{Kind: chi.URLParam(r, "kind"), ID: chi.URLParam(r, "id")}
	if !slices.Contains(contacts.Kinds, ref.Kind) || !conversationForm.MatchString(ref.ID) {
		return ref, contacts.ErrNoContact
	}
	return ref, nil
}

func (a *api) setContactStatus(w http.ResponseWriter, r *http.Request) {
	var body ContactStatusChange
	c, authors, err := a.changeContact(r, &body, func(ref contacts.Ref) (contacts.Contact, error) {
		by := contacts.Change{ID: body.ID, StaffID: account(r.Context()).ID}
		return a.Contacts.SetStatus(r.Context(), ref, string(body.Status), by)
	})
	if err != nil {
		a.fail(w, r, err)
		return
	}
	encode(w, http.StatusOK, authors.state(c))
}

func (a *api) addContactNote(w http.ResponseWriter, r *http.Request) {
	var body NewContactNote
	c, authors, err := a.changeContact(r, &body, func(ref contacts.Ref) (contacts.Contact, error) {
		by := contacts.Change{ID: body.ID, StaffID: account(r.Context()).ID}
		return a.Contacts.AddNote(r.Context(), ref, body.Text, by)
	})
	if err != nil {
		a.fail(w, r, err)
		return
	}
	i := slices.IndexFunc(c.Notes, func(n contacts.Note) bool { return n.ID == contacts.NoteID(c.Ref, body.ID) })
	encode(w, http.StatusOK, authors.note(c.Notes[i]))
}

func (a *api) changeContact(r *http.Request, body any, change func(contacts.Ref) (contacts.Contact, error)) (c contacts.Contact, by authors, err error) {
	if err := decode(r, body); err != nil {
		return c, nil, err
	}
	ref, err := refOf(r)
	if err != nil {
		return c, nil, err
	}
	if c, err = change(ref); err != nil {
		return c, nil, err
	}
	by, err = a.authors(r.Context())
	return c, by, err
}

// tellContacts takes down who reads contacts before giving them away.
func (a *api) tellContacts(ctx context.Context, list []contacts.Contact) ([]Contact, error) {
	if err := a.noteReading(ctx, list); err != nil {
		return nil, err
	}
	authors, err := a.authors(ctx)
	if err != nil {
		return nil, err
	}
	told := make([]Contact, len(list))
	for i, c := range list {
		told[i] = authors.contact(c)
	}
	return told, nil
}

func (a *api) noteReading(ctx context.Context, list []contacts.Contact) error {
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
	return record(ctx, a.Log, reader, opened, a.Now())
}

// authors are the e-mail addresses of the staff by account.
type authors map[string]string

func (a *api) authors(ctx context.Context) (authors, error) {
	accounts, err := a.Colleagues(ctx)
	if err != nil {
		return nil, err
	}
	emails := authors{}
	for _, one := range accounts {
		emails[one.ID] = one.Email
	}
	return emails, nil
}

func (by authors) contact(c contacts.Contact) Contact {
	told := Contact{
		Kind: ContactKind(c.Kind), ID: c.ID, CameAt: c.CameAt.UTC(), State: by.state(c), Erased: c.Erased,
		Name: optional(c.Name), Phone: optional(c.Phone), Email: optional(c.Email), Message: optional(c.Text),
		Specialty: optional(c.Specialty), Topics: slices.Clone(c.Topics), Notes: []ContactNote{},
	}
	if told.Topics == nil {
		told.Topics = []string{}
	}
	if b := c.Booking; b != nil {
		told.Appointment = &ContactAppointment{
			Slot: b.Slot.UTC(), Specialty: optional(b.Specialty), Source: ContactAppointmentSource(b.Source), Cancelled: b.Cancelled,
		}
	}
	for _, n := range c.Notes {
		told.Notes = append(told.Notes, by.note(n))
	}
	return told
}

func (by authors) state(c contacts.Contact) ContactState {
	s := ContactState{Status: ContactStatus(c.Status), ChangedBy: optional(by[c.StatusBy])}
	if !c.StatusAt.IsZero() {
		s.ChangedAt = new(c.StatusAt.UTC())
	}
	return s
}

func (by authors) note(n contacts.Note) ContactNote {
	return ContactNote{ID: n.ID, Text: n.Text, WrittenAt: n.At.UTC(), Author: optional(by[n.StaffID])}
}
