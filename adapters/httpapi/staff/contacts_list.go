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

	"golang.org/x/sync/errgroup"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/contacts"
)

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

func (h *ContactsHandler) askAboutContacts(r *http.Request) (q contactQuestion, err error) {
	values := r.URL.Query()
	p := filterParser{values: values}
	if allTime := p.yesNo("allTime"); allTime != nil && *allTime {
		q.Period = analytics.AllTime(h.readings.now())
	} else if q.Period, err = analytics.ParsePeriod(values.Get("startDate"), values.Get("endDate"), h.readings.now(), h.Clinic.Zone); err != nil {
		return q, err
	}
	q.Kind, q.Status = values.Get("kind"), values.Get("status")
	if q.Kind != "" && !slices.Contains(contacts.Kinds, q.Kind) {
		return q, web.BadField("kind", "La clase de contacto debe ser «lead» o «message».")
	}
	if q.Status != "" && !slices.Contains(contacts.Statuses, q.Status) {
		return q, web.BadField("status", "El estado debe ser «new», «contacted», «scheduled» o «discarded».")
	}
	if q.search = p.text("q"); p.err != nil {
		return q, p.err
	}
	if q.tables, q.through, err = h.Live.tablesFor(r.Context(), &q.Period); err == nil && q.search != "" {
		err = h.readings.search(r.Context(), "contacts", q.Period, q.search, q.Kind, q.Status, values.Get("startDate"))
	}
	return q, err
}

// contactList lists who left a way to be reached, and records who read it.
func (h *ContactsHandler) contactList(r *http.Request, head http.Header) ([]contract.Contact, error) {
	q, err := h.askAboutContacts(r)
	if err != nil {
		return nil, err
	}
	page, err := parseContactPage(r.URL.Query())
	if err != nil {
		return nil, err
	}
	list, err := h.readContacts(r.Context(), q, page)
	if err != nil {
		return nil, err
	}
	opened, err := h.openContacts(r.Context(), list.contacts)
	if err != nil {
		return nil, err
	}
	q.through.setIn(head)
	head.Set("X-Total-Count", strconv.Itoa(list.total))
	if list.searched > 0 {
		head.Set("X-Searched-Count", strconv.Itoa(list.searched))
	}
	if list.next != nil {
		head.Set("Link", fmt.Sprintf(`<%s>; rel="next"`, page.next(r, q, *list.next)))
	}
	return opened, nil
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

func (h *ContactsHandler) readContacts(ctx context.Context, q contactQuestion, p contactCursor) (l contactListing, err error) {
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
	parts.Go(func() (err error) { found, err = q.tables.ContactPage(ctx, q.Contacts, p.after, p.limit+1); return err })
	parts.Go(func() (err error) { counts, err = q.tables.ContactCounts(ctx, q.Contacts); return err })
	err = parts.Wait()
	return found, counts.Of(q.Status), err
}

// searchContacts gives those that a text occurs in, from a cursor on, and begins their listing:
// how many there are in all, and whether only some were searched.
func (h *ContactsHandler) searchContacts(ctx context.Context, q contactQuestion, after *analytics.ContactCursor) (found []analytics.Contact, l contactListing, err error) {
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
	return contract.List(found, func(c analytics.Contact) contacts.Ref { return contacts.Ref{Kind: c.Kind, ID: c.ID} })
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
