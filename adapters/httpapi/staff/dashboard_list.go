package staff

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

const maxPage = 1000

func (h *DashboardHandler) conversations(r *http.Request, head http.Header) ([]contract.ConversationSummary, error) {
	page, err := parsePage(r.URL.Query())
	if err != nil {
		return nil, err
	}
	q, err := h.cohorts.question(r)
	if err != nil {
		return nil, err
	}
	return fromLiveTables(r.Context(), h.cohorts.live, q, func(ctx context.Context, q question) ([]contract.ConversationSummary, error) {
		return h.conversationPage(ctx, r.URL.Path, q, page, head)
	})
}

func (h *DashboardHandler) conversationPage(ctx context.Context, path string, q question, page analytics.Page, head http.Header) ([]contract.ConversationSummary, error) {
	// One more than asked for says whether there is a next page.
	asked := page
	asked.Limit++
	found, err := q.tables.ConversationPage(ctx, q.Cohort, asked)
	if err != nil {
		return nil, err
	}
	total, next := len(found), ""
	if len(found) > page.Limit {
		found = found[:page.Limit]
		next = nextPage(path, q, page.Limit, found[len(found)-1].Cursor())
	}
	if page.After != nil || page.Offset > 0 || next != "" {
		if total, err = q.tables.ConversationCount(ctx, q.Cohort); err != nil {
			return nil, err
		}
	}
	list := contract.List(found, summaryOf)
	if page.Limit <= maxPage {
		if err := h.describe(ctx, q, found, list); err != nil {
			return nil, err
		}
	}
	q.through.setIn(head)
	head.Set("X-Total-Count", strconv.Itoa(total))
	head.Del("Link")
	if next != "" {
		head.Set("Link", fmt.Sprintf(`<%s>; rel="next"`, next))
	}
	return list, nil
}

// describe adds to a page of the list what was asked first and who saw to it, and records who reads that.
func (h *DashboardHandler) describe(ctx context.Context, q question, page []analytics.Conversation, list []contract.ConversationSummary) error {
	questions, err := q.tables.FirstQuestions(ctx, page)
	if err != nil {
		return err
	}
	refs := contract.List(page, func(c analytics.Conversation) contacts.Ref { return contacts.Ref{Kind: contacts.Lead, ID: c.ID} })
	states, err := h.Waiting.States(ctx, refs)
	if err != nil {
		return err
	}
	by, err := h.Colleagues.authors(ctx)
	if err != nil {
		return err
	}
	for i, ref := range refs {
		state := states[ref]
		if state.Restricted {
			delete(questions, ref.ID)
		}
		list[i].Question = contract.Optional(questions[ref.ID])
		list[i].Reasons = new(contract.List(state.Reasons, by.reason))
	}
	return h.cohorts.readings.questions(ctx, "conversations", q.Period, q.values, questions, slices.Collect(maps.Keys(questions)))
}

func summaryOf(c analytics.Conversation) contract.ConversationSummary {
	flags := contract.List(c.Flags, func(f string) contract.Flag { return contract.Flag(f) })
	return contract.ConversationSummary{
		ID:                   c.ID,
		StartedAt:            c.StartedAt.UTC(),
		MessageCount:         int64(c.Messages),
		LeadGenerated:        c.Lead,
		AppointmentScheduled: c.Appointment,
		AppointmentCancelled: &c.Cancelled,
		Duration:             new(c.Active.Seconds()),
		Unanswered:           new(int64(c.Unanswered)),
		Failures:             new(int64(c.Failures)),
		Topics:               &c.Topics,
		OutOfHours:           &c.OutOfHours,
		Flags:                &flags,
	}
}

var cursorForm = regexp.MustCompile(`^([0-9]{1,13})-([0-9A-Za-z_-]{1,128})$`)

func parsePage(q url.Values) (analytics.Page, error) {
	p := analytics.Page{Limit: math.MaxInt32 - 1}
	if raw := q.Get("limit"); raw != "" {
		n, err := strconv.Atoi(raw)
		if err != nil || n < 1 || n > maxPage {
			return p, web.BadRequest(fmt.Sprintf("El tamaño de página debe ser un número entre 1 y %d.", maxPage))
		}
		p.Limit = n
	}
	if raw := q.Get("offset"); raw != "" {
		n, err := strconv.ParseInt(raw, 10, 32)
		if err != nil || n < 0 {
			return p, web.BadRequest("El inicio de la página debe ser un número desde 0.")
		}
		p.Offset = int(n)
	}
	if raw := q.Get("cursor"); raw != "" {
		m := cursorForm.FindStringSubmatch(raw)
		if m == nil {
			return p, web.BadRequest("El cursor de la página no es válido.")
		}
		millis, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			return p, err
		}
		p.After = &analytics.Cursor{StartedAt: time.UnixMilli(millis), ID: m[2]}
	}
	return p, nil
}

// nextPage is the address of the page after a cursor, with the filters of this one. It names the
// period's ends, since those of this request may have been "now".
func nextPage(path string, q question, limit int, after analytics.Cursor) string {
	values := maps.Clone(q.values)
	values.Set("startDate", q.From.UTC().Format(isoTime))
	values.Set("endDate", q.To.Add(-time.Millisecond).UTC().Format(isoTime))
	values.Set("limit", strconv.Itoa(limit))
	values.Del("offset")
	values.Set("cursor", fmt.Sprintf("%d-%s", after.StartedAt.UnixMilli(), after.ID))
	return path + "?" + values.Encode()
}

func (h *DashboardHandler) transcript(r *http.Request, head http.Header) ([]contract.ConversationMessage, error) {
	conversation, through, err := h.openTranscript(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		return nil, err
	}
	through.setIn(head)
	return messagesOf(conversation), nil
}

// openTranscript records who opens a transcript before giving it away.
func (h *DashboardHandler) openTranscript(ctx context.Context, id string) (*chat.Conversation, Through, error) {
	if !web.ValidID(id) {
		return &chat.Conversation{}, Through{}, nil
	}
	events, err := h.Log.ReadStream(ctx, chat.Stream(id))
	conversation := chat.Fold(id, events)
	if err != nil || !conversation.Started() {
		return &chat.Conversation{}, Through{}, err
	}
	if conversation.Restricted {
		return nil, Through{}, chat.ErrRestricted
	}
	reader := account(ctx).ID
	if err := h.cohorts.readings.record(ctx, &event.TranscriptOpened{StaffID: reader, ConversationID: id}); err != nil {
		return nil, Through{}, err
	}
	last := events[len(events)-1]
	return conversation, Through{Position: last.Position, Time: last.RecordedAt}, nil
}

func messagesOf(c *chat.Conversation) []contract.ConversationMessage {
	messages := make([]contract.ConversationMessage, len(c.Lines))
	for i, l := range c.Lines {
		messages[i] = contract.ConversationMessage{
			ID:        fmt.Sprintf("%s-%d", c.ID, i+1),
			Message:   l.Text,
			IsUser:    l.FromVisitor,
			Timestamp: l.At.UTC(),
			Rating:    contract.IfValid(contract.Rating(l.Rating)),

			RatingReason: contract.IfValid(contract.RatingReason(l.RatingReason)),
		}
		if l.Model != "" {
			messages[i].AiModel = &l.Model
		}
	}
	return messages
}
