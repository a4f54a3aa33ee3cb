package staff

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"
	"golang.org/x/sync/errgroup"

	"bitacora/adapters/httpapi/contract"
	"bitacora/adapters/httpapi/web"
	"bitacora/domain/analytics"
	"bitacora/domain/chartnotes"
	"bitacora/domain/clinic"
)

func (h *DashboardHandler) timeseries(ctx context.Context, q question) (contract.Timeseries, error) {
	base, err := q.base()
	if err != nil {
		return contract.Timeseries{}, err
	}
	interval, err := q.Interval(analytics.Interval(q.values.Get("interval")))
	if err != nil {
		return contract.Timeseries{}, err
	}
	buckets := q.Buckets(interval, q.now)
	periods := contract.List(buckets, func(b analytics.Bucket) analytics.Period { return b.Period })
	other := q.Other(base, q.now)
	stretches := other.Stretches(buckets)

	var current, before drawing
	parts, ctx := errgroup.WithContext(ctx)
	var refused map[int64]int
	var notes []contract.ChartNote
	parts.Go(func() (err error) { notes, err = h.notes(ctx, q.Period); return err })
	parts.Go(func() (err error) { refused, err = q.tables.Refusals(ctx, periods); return err })
	parts.Go(func() (err error) { current, err = h.draw(ctx, q, q.Period, periods); return err })
	parts.Go(func() (err error) {
		if base != "" {
			before, err = h.draw(ctx, q, other.Period, stretches)
		}
		return err
	})
	if err := parts.Wait(); err != nil {
		return contract.Timeseries{}, err
	}
	points := analytics.Fill(buckets, current.stretches)
	answer := contract.Timeseries{
		Interval: contract.Interval(interval), Zone: q.From.Location().String(), DataThrough: q.through.contract(),
		Total: contract.BucketNumbers(current.total.BucketNumbers()), Notes: notes,
	}
	if base != "" {
		analytics.Align(points, stretches, before.stretches)
		from, last := ends(other.Period)
		answer.Comparison = &contract.OtherPeriod{StartDate: from, EndDate: last}
		answer.PreviousTotal = new(contract.BucketNumbers(before.total.BucketNumbers()))
	}
	for _, i := range q.Intervals() {
		answer.Intervals = append(answer.Intervals, contract.Interval(i))
	}
	answer.Points = contract.List(points, func(p analytics.Point) contract.TimeseriesPoint {
		point := pointOf(p)
		point.Refusals, point.Holidays = int64(refused[p.From.UnixMilli()]), h.holidays(p.Period)
		return point
	})
	return answer, nil
}

// holidays names the holidays, and the days of other opening hours, that begin in a period.
func (h *DashboardHandler) holidays(p analytics.Period) []string {
	names := []string{}
	for day := clinic.StartOfDay(p.From.Year(), p.From.Month(), p.From.Day(), p.From.Location()); day.Before(p.To); day = day.AddDate(0, 0, 1) {
		if day.Before(p.From) {
			continue
		}
		if name, ok := clinic.Holiday(h.Clinic, day); ok {
			names = append(names, name)
		}
	}
	return names
}

// notes are those about days of a period.
func (h *DashboardHandler) notes(ctx context.Context, p analytics.Period) ([]contract.ChartNote, error) {
	all, err := h.ChartNotes.All(ctx)
	first, last := p.From.Format(time.DateOnly), p.To.Add(-time.Millisecond).Format(time.DateOnly)
	all = slices.DeleteFunc(all, func(n chartnotes.Note) bool { return n.To < first || n.From > last })
	return contract.List(all, func(n chartnotes.Note) contract.ChartNote {
		return contract.ChartNote{ID: n.ID, StartDay: n.From, EndDay: n.To, Text: n.Text}
	}), err
}

// setChartNote stores a note of the chart, or removes it.
func (h *DashboardHandler) setChartNote(r *http.Request, body contract.ChartNoteText) error {
	id := chi.URLParam(r, "id")
	if !web.ValidID(id) {
		return web.BadField("id", "El identificador de la nota no es válido.")
	}
	return h.ChartNotes.Set(r.Context(), actor(r.Context()), chartnotes.Note{ID: id, From: body.StartDay, To: body.EndDay, Text: body.Text})
}

// drawing is what is drawn of each stretch of a period, and of the whole.
type drawing struct {
	stretches map[int64]analytics.Drawn
	total     analytics.Drawn
}

// draw counts the stretches of a period. A filter selects conversations, of which first contacts are none.
func (h *DashboardHandler) draw(ctx context.Context, q question, p analytics.Period, stretches []analytics.Period) (d drawing, err error) {
	if d.stretches, err = q.tables.Timeseries(ctx, q.In(p), stretches); err != nil {
		return d, err
	}
	d.total = analytics.Sum(d.stretches)
	if q.Filter != (analytics.Filter{}) {
		return d, nil
	}
	waited, err := h.Waiting.FirstContacts(ctx, stretches)
	if err != nil {
		return d, err
	}
	for i, of := range waited {
		if of.Contacts > 0 {
			at := stretches[i].From.UnixMilli()
			drawn := d.stretches[at]
			drawn.FirstContact, drawn.FirstContacts = of.Median, of.Contacts
			d.stretches[at] = drawn
		}
	}
	whole, err := h.Waiting.FirstContacts(ctx, []analytics.Period{p})
	if err == nil {
		d.total.FirstContact, d.total.FirstContacts = whole[0].Median, whole[0].Contacts
	}
	return d, err
}

func pointOf(p analytics.Point) contract.TimeseriesPoint {
	first, last := ends(p.Period)
	point := contract.TimeseriesPoint{
		StartDate: first, EndDate: last, Partial: p.Partial, Clipped: p.Clipped, Future: p.Future, Numbers: contract.BucketNumbers(p.BucketNumbers()),
	}
	if p.Previous != nil {
		first, last := ends(p.Previous.Period)
		point.Previous = &contract.PreviousBucket{StartDate: first, EndDate: last, Numbers: contract.BucketNumbers(p.Previous.BucketNumbers())}
	}
	return point
}

func funnel(ctx context.Context, q question) (contract.Funnel, error) {
	since, err := q.tables.VisitsSince(ctx)
	if err != nil {
		return contract.Funnel{}, err
	}
	counted, visited := q.Visited(since)
	steps, err := q.tables.Steps(ctx, counted)
	if err != nil {
		return contract.Funnel{}, err
	}
	from, _ := ends(counted.Period)
	answer := contract.Funnel{StartDate: from, DataThrough: q.through.contract()}
	if !since.IsZero() {
		answer.VisitsSince = &since
	}
	for _, s := range steps.Funnel(visited) {
		answer.Steps = append(answer.Steps, contract.FunnelStep{
			Step: contract.FunnelStepStep(s.Name), Count: int64(s.Count), Share: s.Share, FromPrevious: s.FromPrevious,
		})
	}
	return answer, nil
}

func (h *DashboardHandler) heatmap(ctx context.Context, q question) (contract.Heatmap, error) {
	starts, err := q.tables.Starts(ctx, q.Cohort)
	if err != nil {
		return contract.Heatmap{}, err
	}
	week := q.Heatmap(starts)
	answer := contract.Heatmap{
		Zone:        q.From.Location().String(),
		Hours:       contract.OpeningDays(h.Clinic.Hours),
		Cells:       make([]contract.HeatmapCell, len(week.Cells)),
		DataThrough: q.through.contract(),
		OutOfHours: contract.OutOfHours{
			Conversations:     int64(week.Closed.Conversations),
			Leads:             int64(week.Closed.Leads),
			Appointments:      int64(week.Closed.Appointments),
			ConversationShare: analytics.Percent(week.Closed.Conversations, week.All.Conversations),
			LeadShare:         analytics.Percent(week.Closed.Leads, week.All.Leads),
			AppointmentShare:  analytics.Percent(week.Closed.Appointments, week.All.Appointments),
		},
	}
	for i, c := range week.Cells {
		answer.Cells[i] = contract.HeatmapCell{
			Weekday: c.Weekday, Hour: c.Hour, OpenMinutes: c.OpenMinutes,
			Conversations: int64(c.Conversations), Leads: int64(c.Leads), Appointments: int64(c.Appointments),
		}
	}
	return answer, nil
}
