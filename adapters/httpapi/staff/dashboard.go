package staff

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/errgroup"

	"bitacora/adapters/httpapi/booking"
	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/chartnotes"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/waiting"
)

// Tables answer the dashboard's questions.
type Tables interface {
	// Zone is that of their days, hours and months. It is not the clinic's while tables are made anew
	// because the clinic's has changed.
	Zone(ctx context.Context) (*time.Location, error)
	// Counts are those of a cohort.
	Counts(ctx context.Context, c analytics.Cohort) (analytics.Counts, error)
	// ConversationCount is only their number.
	ConversationCount(ctx context.Context, c analytics.Cohort) (int, error)
	// ConversationPage lists a page of them, newest first.
	ConversationPage(ctx context.Context, c analytics.Cohort, page analytics.Page) ([]analytics.Conversation, error)
	// FirstQuestions are what the visitors of a page asked first, masked and cut, by conversation.
	FirstQuestions(ctx context.Context, page []analytics.Conversation) (map[string]string, error)
	// Timeseries counts by stretch of time, named by the millisecond in which it begins;
	// empty ones are missing.
	Timeseries(ctx context.Context, c analytics.Cohort, stretches []analytics.Period) (map[int64]analytics.Drawn, error)
	// Refusals counts the sessions that found their month full, by stretch of time as Timeseries does.
	Refusals(ctx context.Context, stretches []analytics.Period) (map[int64]int, error)
	// Starts counts by hour of the week.
	Starts(ctx context.Context, c analytics.Cohort) ([]analytics.Start, error)
	// Steps counts how far visits and conversations got.
	Steps(ctx context.Context, c analytics.Cohort) (analytics.Steps, error)
	// VisitsSince is when visits began to be counted; zero where none was.
	VisitsSince(ctx context.Context) (time.Time, error)
	// Topics counts by topic, the most frequent first.
	Topics(ctx context.Context, c analytics.Cohort) ([]analytics.Topic, error)
	// Quality is how the assistant did.
	Quality(ctx context.Context, c analytics.Cohort) (analytics.Quality, error)
	// Ratings are what visitors think of replies, all together and by topic, the worst first.
	Ratings(ctx context.Context, c analytics.Cohort) (all analytics.Ratings, topics []analytics.Ratings, err error)
	// Outcomes are those of appointments, all together and grouped.
	Outcomes(ctx context.Context, c analytics.Cohort) ([]analytics.Outcomes, error)
	// Questions lists a page of the questions whose answers are to be improved, and counts all of them.
	Questions(ctx context.Context, l analytics.QuestionList) (page []analytics.Question, total int, err error)
	// Effects are what became of answers since they were taught, by slug.
	Effects(ctx context.Context, taught []analytics.Taught) (map[string]analytics.Effect, error)
	// Conversations gives the list from its first to its last line; an error is the last.
	Conversations(ctx context.Context, c analytics.Cohort) iter.Seq2[analytics.Conversation, error]
	// Lines gives the messages in the same way, the earliest conversation first.
	Lines(ctx context.Context, c analytics.Cohort) iter.Seq2[analytics.Line, error]
	// ConversationsParquet and LinesParquet give the same as a file, whose columns have the names of the analysts'
	// views. The caller closes it.
	ConversationsParquet(ctx context.Context, c analytics.Cohort) (io.ReadCloser, error)
	LinesParquet(ctx context.Context, c analytics.Cohort) (io.ReadCloser, error)
	// ContactPage lists at most limit after a cursor, newest first.
	ContactPage(ctx context.Context, c analytics.Contacts, after *analytics.ContactCursor, limit int) ([]analytics.Contact, error)
	// ContactCounts counts by status.
	ContactCounts(ctx context.Context, c analytics.Contacts) (analytics.ContactCounts, error)
}

// Live gives the tables that are to be read now, and up to where in the log they hold at
// least: an answer made from them afterwards may hold a little more. Before the first build
// is live the error is of the kind [fault.Unavailable].
type Live func(ctx context.Context) (Tables, Through, error)

// Through is up to where in the log an answer holds.
type Through struct {
	// Build names the tables that it is read from.
	Build string
	// Position is that of the last event; 0 when there is none.
	Position int64
	// Time is up to when that is all; zero when it is not known.
	Time time.Time
}

// Log is the part of the event log that transcripts, and records of who read them, need.
type Log interface {
	// ReadStream gives all events of a stream in order; none if it does not exist.
	ReadStream(ctx context.Context, stream string) ([]event.Recorded, error)
	// Append stores all drafts or none.
	Append(ctx context.Context, a event.Append) ([]event.Recorded, error)
	// KeyedHash stands for a text that must not be kept: equal texts have the same one.
	KeyedHash(text string) string
}

// OthersActed says whether there is an event after a position, up to another one, that is not on the stream of
// an account: those record who read what, and change no number.
type OthersActed func(ctx context.Context, after, upTo int64) (bool, error)

const isoTime = "2006-01-02T15:04:05.000Z"

// DashboardHandler answers the dashboard's questions, and gives away transcripts and exports.
type DashboardHandler struct {
	web.Responder
	Authenticator *Authenticator
	Bookings      booking.Recorder
	ChartNotes    *chartnotes.Register
	Clinic        clinic.Clinic
	Colleagues    Colleagues
	Demo          func(context.Context) (bool, error)
	Live          Live
	Log           Log
	MonthlyUsage  *MonthlyUsage
	OthersActed   OthersActed
	ProviderUsage func(ctx context.Context, at time.Time) (*analytics.ProviderUsage, error)
	Waiting       *waiting.Register
	cohorts       cohortReader
	liveState     liveState
}

// Routes adds the routes whose answers are small.
func (h *DashboardHandler) Routes(r chi.Router, allow Allow) {
	r.With(allow("getKpis")).Get("/kpis", asks(h.Responder, h.cohorts, h.kpis))
	r.With(allow("getTimeseries")).Get("/timeseries", asks(h.Responder, h.cohorts, h.timeseries))
	r.With(allow("setChartNote")).Post("/chart-notes/{id}", web.NoContentOf(h.Responder, h.setChartNote))
	r.With(allow("getFunnel")).Get("/funnel", asks(h.Responder, h.cohorts, funnel))
	r.With(allow("getHeatmap")).Get("/heatmap", asks(h.Responder, h.cohorts, h.heatmap))
	r.With(allow("getTopics")).Get("/topics", asks(h.Responder, h.cohorts, topics))
	r.With(allow("getQuality")).Get("/quality", asks(h.Responder, h.cohorts, h.quality))
	r.With(allow("getRatings")).Get("/ratings", asks(h.Responder, h.cohorts, ratings))
	r.With(allow("getReports")).Get("/reports", asks(h.Responder, h.cohorts, h.reports))
	r.With(allow("getUnusual")).Get("/unusual", web.JSON(h.Responder, h.unusual))
	r.With(allow("listConversations")).Get("/conversations", web.JSONAndHead(h.Responder, h.conversations))
	r.With(allow("listMessages")).Get("/conversation/{id}/messages", web.JSONAndHead(h.Responder, h.transcript))
	r.With(allow("markBooking")).Post("/conversation/{id}/booking", web.JSONOf(h.Responder, h.markBooking))
}

// question is what somebody wants to know about a cohort.
type question struct {
	analytics.Cohort
	tables Tables
	values url.Values
	// now is when it was asked.
	now time.Time
	// through is up to where the answer holds at least.
	through Through
}

// asks answers a question with a JSON value.
func asks[T any](respond web.Responder, cohorts cohortReader, answer func(ctx context.Context, q question) (T, error)) http.HandlerFunc {
	return web.JSON(respond, func(r *http.Request) (found T, err error) {
		q, err := cohorts.question(r)
		if err != nil {
			return found, err
		}
		return fromLiveTables(r.Context(), cohorts.live, q, answer)
	})
}

// fromLiveTables asks once more where other tables are to be read meanwhile: the former ones may hold later events than
// these, and the next answer would go back.
func fromLiveTables[T any](ctx context.Context, live Live, q question, answer func(context.Context, question) (T, error)) (found T, err error) {
	for {
		if found, err = answer(ctx, q); err != nil {
			return found, err
		}
		_, now, err := live(ctx)
		if err != nil || now.Build == q.through.Build {
			return found, err
		}
		if q.tables, q.through, err = live.tablesFor(ctx, &q.Period); err != nil {
			return found, err
		}
	}
}

// cohortReader reads the question of a request, and records a search for words.
type cohortReader struct {
	clinic   clinic.Clinic
	live     Live
	readings readings
}

func (c cohortReader) question(r *http.Request) (q question, err error) {
	q.values, q.now = r.URL.Query(), c.readings.now()
	if q.Cohort, err = cohortOf(q.values, c.clinic, q.now); err != nil {
		return q, err
	}
	if q.Filter.Search != "" && !may(account(r.Context()), searchTexts) {
		return q, errRole
	}
	if q.tables, q.through, err = c.live.tablesFor(r.Context(), &q.Period); err == nil && q.Filter.Search != "" {
		err = c.readings.search(r.Context(), "conversations", q.Period, q.Filter.Search, q.Filter, q.values.Get("startDate"))
	}
	return q, err
}

// tablesFor gives the tables that are to be read now, and takes a period for the days of their zone.
func (live Live) tablesFor(ctx context.Context, p *analytics.Period) (tables Tables, through Through, err error) {
	if tables, through, err = live(ctx); err != nil {
		return nil, through, err
	}
	zone, err := tables.Zone(ctx)
	if err == nil {
		*p = p.In(zone)
	}
	return tables, through, err
}

// base is what the period is to be compared with; empty for nothing.
func (q question) base() (analytics.Base, error) {
	switch base := analytics.Base(q.values.Get("compare")); base {
	case "", analytics.PreviousPeriod, analytics.SameWeekdays, analytics.YearBefore:
		return base, nil
	}
	return "", web.BadField("compare", "La comparación debe ser «previous», «weekday» o «year».")
}

func (h *DashboardHandler) kpis(ctx context.Context, q question) (contract.Kpis, error) {
	base, err := q.base()
	if err != nil {
		return contract.Kpis{}, err
	}
	var counts, before analytics.Counts
	var limit *analytics.MonthlyUsage
	var demo bool
	other := q.Other(base, q.now)
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() (err error) { counts, err = q.tables.Counts(ctx, q.Cohort); return err })
	parts.Go(func() (err error) {
		if base != "" {
			before, err = q.tables.Counts(ctx, q.In(other.Period))
		}
		return err
	})
	parts.Go(func() (err error) { limit, err = h.MonthlyUsage.Current(ctx); return err })
	parts.Go(func() (err error) {
		if h.Demo != nil {
			demo, err = h.Demo(ctx)
		}
		return err
	})
	if err := parts.Wait(); err != nil {
		return contract.Kpis{}, err
	}
	answer := kpisOf(counts, limit, q.through)
	if demo {
		answer.Demo = &demo
	}
	if limit != nil {
		if at := limit.Exhaustion(q.now, h.Clinic.Zone); !at.IsZero() {
			answer.MonthlyLimit.Exhaustion = new(at.UTC())
		}
	}
	if zone := q.From.Location().String(); zone != h.Clinic.Zone.String() {
		answer.FormerZone = &zone
	}
	if base != "" {
		answer.Comparison = comparisonOf(counts.KPIs(), before.KPIs(), other.Period)
	}
	return answer, nil
}

func comparisonOf(current, previous analytics.KPIs, of analytics.Period) *contract.KpisComparison {
	from, last := ends(of)
	return &contract.KpisComparison{
		StartDate: from,
		EndDate:   last,
		Previous:  contract.KpiNumbers(previous),
		Change:    contract.KpisChange(current.Since(previous)),
	}
}

// ends are the first and the last instant of a period, as the interface gives them.
func ends(p analytics.Period) (first, last time.Time) {
	return p.From.UTC(), p.To.Add(-time.Millisecond).UTC()
}

func kpisOf(counts analytics.Counts, limit *analytics.MonthlyUsage, through Through) contract.Kpis {
	answer := contract.Kpis{
		KpiNumbers:           contract.KpiNumbers(counts.KPIs()),
		FlaggedConversations: new(int64(counts.Flagged)),
		DataThrough:          through.contract(),
	}
	if limit != nil {
		answer.MonthlyLimit = &contract.MonthlyLimit{
			Current:        int64(limit.Current),
			Limit:          int64(limit.Limit),
			PercentageUsed: limit.PercentageUsed,
			Remaining:      int64(limit.Remaining),
			LimitReached:   limit.LimitReached,
		}
	}
	return answer
}

func (t Through) contract() contract.DataThrough {
	d := contract.DataThrough{Position: t.Position}
	if !t.Time.IsZero() {
		d.Time = new(t.Time.UTC().Truncate(time.Millisecond))
	}
	return d
}

func (t Through) setIn(head http.Header) {
	value := fmt.Sprintf("position=%d", t.Position)
	if !t.Time.IsZero() {
		value += "; time=" + t.Time.UTC().Format(isoTime)
	}
	head.Set("X-Data-Through", value)
}
