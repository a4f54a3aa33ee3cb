package httpapi

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"bitacora/domain/analytics"
	"bitacora/domain/chat"
	"bitacora/domain/event"
)

// Tables answer the dashboard's questions.
type Tables interface {
	// Counts counts the conversations that began in a period.
	Counts(ctx context.Context, p analytics.Period) (analytics.Counts, error)
	// ConversationCount is only their number.
	ConversationCount(ctx context.Context, p analytics.Period) (int, error)
	// ConversationPage lists at most limit of them after a place in the list, newest first.
	ConversationPage(ctx context.Context, p analytics.Period, after *analytics.Cursor, limit int) ([]analytics.Conversation, error)
}

// Live gives the tables that are to be read now, and up to where in the log they hold at
// least: an answer made from them afterwards may hold a little more. Before the first build
// is live the error is [postgres.ErrNotFound].
type Live func(ctx context.Context) (Tables, Through, error)

// Through is a place in the log.
type Through struct {
	// Position is that of the last event; 0 when there is none.
	Position int64
	// Time is up to when that is all; zero when it is not known.
	Time time.Time
}

// Log is the part of the event log that transcripts need.
type Log interface {
	// ReadStream gives all events of a stream in order; none if it does not exist.
	ReadStream(ctx context.Context, stream string) ([]event.Recorded, error)
	// Append stores all drafts or none.
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
}

const (
	maxPage = 1000
	isoTime = "2006-01-02T15:04:05.000Z"
)

// dashboard are the routes whose answers are small.
func (a *api) dashboard(r chi.Router) {
	r.Get("/kpis", a.kpis)
	r.Get("/timeseries", a.unbuilt)
	r.Get("/funnel", a.unbuilt)
	r.Get("/heatmap", a.unbuilt)
	r.Get("/topics", a.unbuilt)
	r.Get("/unanswered", a.unbuilt)
	r.Get("/quality", a.unbuilt)
	r.Get("/conversations", a.conversations)
	r.Get("/conversation/{id}/messages", a.transcript)
	r.Post("/conversation/{id}/booking", a.markBooking)
}

func (a *api) unbuilt(w http.ResponseWriter, r *http.Request) {
	a.fail(w, r, &problem{status: http.StatusServiceUnavailable, message: "Estos datos aún no están disponibles."})
}

func (a *api) kpis(w http.ResponseWriter, r *http.Request) {
	answer, err := a.readKpis(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	encode(w, http.StatusOK, answer)
}

func (a *api) readKpis(r *http.Request) (Kpis, error) {
	period, err := a.period(r.URL.Query())
	if err != nil {
		return Kpis{}, err
	}
	tables, through, err := a.Live(r.Context())
	if err != nil {
		return Kpis{}, err
	}
	counts, err := tables.Counts(r.Context(), period)
	if err != nil {
		return Kpis{}, err
	}
	limit, err := a.Allowance.Current(r.Context())
	if err != nil {
		return Kpis{}, err
	}
	return kpisOf(counts.KPIs(), limit, through), nil
}

func kpisOf(k analytics.KPIs, limit *analytics.Limit, through Through) Kpis {
	answer := Kpis{
		TotalConversations:         int64(k.TotalConversations),
		TotalMessages:              int64(k.TotalMessages),
		AvgMessagesPerConversation: k.AvgMessagesPerConversation,
		TotalLeads:                 int64(k.TotalLeads),
		ConversionRate:             k.ConversionRate,
		TotalAppointments:          int64(k.TotalAppointments),
		CancelledAppointments:      int64(k.CancelledAppointments),
		AvgConversationDuration:    k.AvgConversationDuration,
		MedianConversationDuration: k.MedianConversationDuration,
		P90ConversationDuration:    k.P90ConversationDuration,
		DataThrough:                DataThrough{Position: through.Position},
	}
	if !through.Time.IsZero() {
		at := through.Time.UTC().Truncate(time.Millisecond)
		answer.DataThrough.Time = &at
	}
	if limit != nil {
		answer.MonthlyLimit = &MonthlyLimit{
			Current:        int64(limit.Current),
			Limit:          int64(limit.Limit),
			PercentageUsed: limit.PercentageUsed,
			Remaining:      int64(limit.Remaining),
			LimitReached:   limit.LimitReached,
		}
	}
	return answer
}

func (a *api) period(q url.Values) (analytics.Period, error) {
	return analytics.ParsePeriod(q.Get("startDate"), q.Get("endDate"), a.Now(), a.Zone)
}

func (a *api) conversations(w http.ResponseWriter, r *http.Request) {
	list, err := a.readConversations(r)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	list.through.header(w)
	w.Header().Set("X-Total-Count", strconv.Itoa(list.total))
	if list.next != "" {
		w.Header().Set("Link", fmt.Sprintf(`<%s>; rel="next"`, list.next))
	}
	encode(w, http.StatusOK, list.summaries)
}

// listing is one page of conversations, or all of them.
type listing struct {
	summaries []ConversationSummary
	total     int
	// next is where the next page lies; empty when there is none.
	next    string
	through Through
}

func (a *api) readConversations(r *http.Request) (listing, error) {
	q := r.URL.Query()
	period, err := a.period(q)
	if err != nil {
		return listing{}, err
	}
	page, err := parsePage(q)
	if err != nil {
		return listing{}, err
	}
	tables, through, err := a.Live(r.Context())
	if err != nil {
		return listing{}, err
	}
	// One more than asked for tells whether there is a next page.
	found, err := tables.ConversationPage(r.Context(), period, page.after, page.limit+1)
	if err != nil {
		return listing{}, err
	}
	l := listing{total: len(found), through: through}
	if len(found) > page.limit {
		found = found[:page.limit]
		l.next = page.next(r.URL.Path, period, found[len(found)-1].Cursor())
	}
	if page.after != nil || l.next != "" {
		if l.total, err = tables.ConversationCount(r.Context(), period); err != nil {
			return listing{}, err
		}
	}
	l.summaries = summariesOf(found)
	return l, nil
}

func summariesOf(found []analytics.Conversation) []ConversationSummary {
	summaries := make([]ConversationSummary, len(found))
	for i, c := range found {
		summaries[i] = ConversationSummary{
			ID:                   c.ID,
			StartedAt:            c.StartedAt.UTC(),
			MessageCount:         int64(c.Messages),
			LeadGenerated:        c.Lead,
			AppointmentScheduled: c.Appointment,
		}
	}
	return summaries
}

// page is the part of a list that is asked for.
type page struct {
	after *analytics.Cursor
	limit int
}

var cursorForm = regexp.MustCompile(`^([0-9]{1,13})-([0-9A-Za-z_-]{1,128})$`)

func parsePage(q url.Values) (page, error) {
	p := page{limit: math.MaxInt32 - 1}
	if raw := q.Get("limit"); raw != "" {
		n, err := strconv.Atoi(raw)
		if err != nil || n < 1 || n > maxPage {
			return p, &problem{status: http.StatusBadRequest, message: fmt.Sprintf("El tamaño de página debe ser un número entre 1 y %d.", maxPage)}
		}
		p.limit = n
	}
	if raw := q.Get("cursor"); raw != "" {
		m := cursorForm.FindStringSubmatch(raw)
		if m == nil {
			return p, &problem{status: http.StatusBadRequest, message: "El cursor de la página no es válido."}
		}
		millis, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			return p, err
		}
		p.after = &analytics.Cursor{StartedAt: time.UnixMilli(millis), ID: m[2]}
	}
	return p, nil
}

// next is the address of the page after a place. It names the period's ends, since those
// of this request may have been "now".
func (p page) next(path string, period analytics.Period, after analytics.Cursor) string {
	q := url.Values{
		"startDate": {period.From.UTC().Format(isoTime)},
		"endDate":   {period.To.Add(-time.Millisecond).UTC().Format(isoTime)},
		"limit":     {strconv.Itoa(p.limit)},
		"cursor":    {fmt.Sprintf("%d-%s", after.StartedAt.UnixMilli(), after.ID)},
	}
	return path + "?" + q.Encode()
}

func (t Through) header(w http.ResponseWriter) {
	value := fmt.Sprintf("position=%d", t.Position)
	if !t.Time.IsZero() {
		value += "; time=" + t.Time.UTC().Format(isoTime)
	}
	w.Header().Set("X-Data-Through", value)
}

func (a *api) transcript(w http.ResponseWriter, r *http.Request) {
	conversation, through, err := a.openTranscript(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		a.fail(w, r, err)
		return
	}
	through.header(w)
	encode(w, http.StatusOK, messagesOf(conversation))
}

var conversationForm = regexp.MustCompile(`^[0-9A-Za-z_-]{1,128}$`)

// openTranscript takes down who opens a transcript before giving it away.
func (a *api) openTranscript(ctx context.Context, id string) (*chat.Conversation, Through, error) {
	if !conversationForm.MatchString(id) {
		return &chat.Conversation{}, Through{}, nil
	}
	events, err := a.Log.ReadStream(ctx, chat.Stream(id))
	if err != nil || len(events) == 0 {
		return &chat.Conversation{}, Through{}, err
	}
	reader := account(ctx).ID
	if err := record(ctx, a.Log, reader, &event.TranscriptOpened{StaffID: reader, ConversationID: id}, a.Now()); err != nil {
		return nil, Through{}, err
	}
	last := events[len(events)-1]
	return chat.Fold(id, events), Through{Position: last.Position, Time: last.RecordedAt}, nil
}

func messagesOf(c *chat.Conversation) []ConversationMessage {
	messages := make([]ConversationMessage, len(c.Lines))
	for i, l := range c.Lines {
		messages[i] = ConversationMessage{
			ID:        fmt.Sprintf("%s-%d", c.ID, i+1),
			Message:   l.Text,
			IsUser:    l.FromVisitor,
			Timestamp: l.At.UTC(),
		}
		if l.Model != "" {
			messages[i].AiModel = &l.Model
		}
	}
	return messages
}
