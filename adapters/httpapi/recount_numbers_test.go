package httpapi

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/event"
)

// counting counts talks as the dashboard does at some time and place.
type counting struct {
	*told
	zone *time.Location
	now  time.Time
	// matching are the talks that a filter lets through, the earliest first. Narrowed says that there is a filter.
	matching []*talk
	narrowed bool
}

func (c counting) within(s span) []*talk {
	from := sort.Search(len(c.matching), func(i int) bool { return !c.matching[i].start.Before(s.from) })
	to := sort.Search(len(c.matching), func(i int) bool { return !c.matching[i].start.Before(s.to) })
	return c.matching[from:max(from, to)]
}

func ratio(part, whole float64) *float64 {
	if whole == 0 {
		return nil
	}
	return new(part / whole)
}

func percentOf(part, whole int64) *float64 { return ratio(100*float64(part), float64(whole)) }

func orZero(n *float64) float64 {
	if n == nil {
		return 0
	}
	return *n
}

func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// quantile interpolates, as a spreadsheet does.
func quantile(values []float64, p float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	values = slices.Sorted(slices.Values(values))
	at := p * float64(len(values)-1)
	low, high := values[int(math.Floor(at))], values[int(math.Ceil(at))]
	return new(low + (high-low)*(at-math.Floor(at)))
}

// seconds is for how long people wrote: of a pause, half an hour counts.
func (c *talk) seconds() (sum float64) {
	for i := 1; i < len(c.said); i++ {
		sum += min(c.said[i].Sub(c.said[i-1]), 30*time.Minute).Seconds()
	}
	return sum
}

func (c *talk) unanswered() (n int64) {
	for _, r := range c.replies {
		n += one(!r.Answered)
	}
	return n
}

func (c *talk) topics() (all []string) {
	for _, r := range c.replies {
		if r.Topic != "" && !slices.Contains(all, r.Topic) {
			all = append(all, r.Topic)
		}
	}
	if all == nil {
		return []string{"-"}
	}
	return all
}

// shut says that the talk began while the clinic was closed: it opens Monday to Friday 8–19 and Saturday 9–15.
func (c *talk) shut(zone *time.Location) bool {
	at := c.start.In(zone)
	return !openAt(at.Weekday(), at.Hour())
}

func openAt(day time.Weekday, hour int) bool {
	switch day {
	case time.Sunday:
		return false
	case time.Saturday:
		return hour >= 9 && hour < 15
	}
	return hour >= 8 && hour < 19
}

func kpisOf(talks []*talk) (k contract.KpiNumbers, flagged int64) {
	var seconds []float64
	var sum float64
	for _, c := range talks {
		k.TotalConversations++
		k.TotalMessages += int64(len(c.said))
		k.TotalLeads += one(c.lead)
		k.TotalAppointments += one(c.booked)
		k.CancelledAppointments += one(c.cancelled)
		flagged += one(len(c.flags) > 0)
		seconds = append(seconds, c.seconds())
		sum += c.seconds()
	}
	n := float64(k.TotalConversations)
	k.AvgMessagesPerConversation = orZero(ratio(float64(k.TotalMessages), n))
	k.ConversionRate = orZero(percentOf(k.TotalLeads, k.TotalConversations))
	k.AvgConversationDuration = orZero(ratio(sum, n))
	k.MedianConversationDuration, k.P90ConversationDuration = orZero(quantile(seconds, .5)), orZero(quantile(seconds, .9))
	return k, flagged
}

func (c counting) kpis(s span, base string) contract.Kpis {
	now, flagged := kpisOf(c.within(s))
	answer := contract.Kpis{KpiNumbers: now, FlaggedConversations: &flagged}
	if base == "" {
		return answer
	}
	other := s.other(base, c.now)
	was, _ := kpisOf(c.within(other.span))
	change := func(a, b float64) *float64 { return ratio(100*(a-b), b) }
	answer.Comparison = &contract.KpisComparison{
		StartDate: other.from, EndDate: other.to.Add(-time.Millisecond), Previous: was,
		Change: contract.KpisChange{
			TotalConversations:      change(float64(now.TotalConversations), float64(was.TotalConversations)),
			TotalMessages:           change(float64(now.TotalMessages), float64(was.TotalMessages)),
			TotalLeads:              change(float64(now.TotalLeads), float64(was.TotalLeads)),
			TotalAppointments:       change(float64(now.TotalAppointments), float64(was.TotalAppointments)),
			AvgConversationDuration: change(now.AvgConversationDuration, was.AvgConversationDuration),
		},
	}
	if now.TotalConversations > 0 && was.TotalConversations > 0 {
		answer.Comparison.Change.AvgMessagesPerConversation = new(now.AvgMessagesPerConversation - was.AvgMessagesPerConversation)
		answer.Comparison.Change.ConversionRate = new(now.ConversionRate - was.ConversionRate)
	}
	return answer
}

// drawn is what the chart has of a span.
func (c counting) drawn(s span) contract.BucketNumbers {
	talks := c.within(s)
	k, _ := kpisOf(talks)
	n := contract.BucketNumbers{Conversations: k.TotalConversations, Messages: k.TotalMessages, Leads: k.TotalLeads, Appointments: k.TotalAppointments}
	if n.Conversations > 0 {
		n.ConversionRate, n.AvgMessagesPerConversation, n.AvgConversationDuration = &k.ConversionRate, &k.AvgMessagesPerConversation, &k.AvgConversationDuration
	}
	var replies, unanswered int64
	for _, t := range talks {
		replies += int64(len(t.replies))
		unanswered += t.unanswered()
	}
	n.UnansweredRate, n.Approval = percentOf(unanswered, replies), c.ratings(s).All.Approval
	if !c.narrowed {
		var waits []float64
		for _, r := range c.contacts {
			if wait, _, ok := r.waited(); ok && s.holds(r.left) {
				waits = append(waits, wait)
			}
		}
		n.FirstContact = quantile(waits, .5)
	}
	return n
}

func (c counting) refusedWithin(s span) (n int64) {
	for _, at := range c.refused {
		n += one(s.holds(at))
	}
	return n
}

func (c counting) timeseries(s span, by contract.Interval, base string) contract.Timeseries {
	answer := contract.Timeseries{Interval: by, Intervals: s.intervals(c.now), Zone: c.zone.String(), Total: c.drawn(s)}
	var other comparing
	if base != "" {
		other = s.other(base, c.now)
		answer.Comparison = &contract.OtherPeriod{StartDate: other.from, EndDate: other.to.Add(-time.Millisecond)}
		answer.PreviousTotal = new(c.drawn(other.span))
	}
	stretch := other.from
	for _, b := range s.buckets(by, c.now) {
		point := contract.TimeseriesPoint{
			StartDate: b.from, EndDate: b.to.Add(-time.Millisecond), Clipped: b.clipped, Partial: b.partial, Future: b.future, Numbers: c.drawn(b.span), Refusals: c.refusedWithin(b.span),
		}
		if base != "" {
			end := other.beside(b.to)
			if end.After(other.to) {
				end = other.to
			}
			if stretch.Before(end) {
				point.Previous = &contract.PreviousBucket{
					StartDate: stretch, EndDate: end.Add(-time.Millisecond), Numbers: c.drawn(span{from: stretch, to: end}),
				}
				stretch = end
			}
		}
		answer.Points = append(answer.Points, point)
	}
	return answer
}

// funnel counts visits since they are counted, unless the talks are narrowed.
func (c counting) funnel(s span) contract.Funnel {
	answer := contract.Funnel{}
	visited := !c.narrowed && !c.visitsSince.IsZero() && c.visitsSince.Before(s.to)
	if visited && c.visitsSince.After(s.from) {
		s.from = c.visitsSince
	}
	answer.StartDate = s.from
	if !c.visitsSince.IsZero() {
		answer.VisitsSince = &c.visitsSince
	}
	var talks, consents, leads, booked, leadsOfConsents, bookedOfLeads, quiet, opened int64
	for _, t := range c.within(s) {
		talks++
		consents += one(t.consent)
		leads += one(t.lead)
		booked += one(t.booked)
		leadsOfConsents += one(t.lead && t.consent)
		bookedOfLeads += one(t.booked && t.lead)
	}
	for _, at := range c.quiet {
		quiet += one(s.holds(at))
	}
	for _, at := range c.opened {
		opened += one(s.holds(at))
	}
	first := talks
	if visited {
		first = talks + quiet
		answer.Steps = []contract.FunnelStep{
			{Step: "visit", Count: first},
			{Step: "opening", Count: talks + opened, FromPrevious: percentOf(talks+opened, first)},
		}
	}
	conversation := contract.FunnelStep{Step: "conversation", Count: talks}
	if visited {
		conversation.FromPrevious = percentOf(talks, talks+opened)
	}
	answer.Steps = append(
		answer.Steps, conversation,
		contract.FunnelStep{Step: "consent", Count: consents, FromPrevious: percentOf(consents, talks)},
		contract.FunnelStep{Step: "lead", Count: leads, FromPrevious: percentOf(leadsOfConsents, consents)},
		contract.FunnelStep{Step: "appointment", Count: booked, FromPrevious: percentOf(bookedOfLeads, leads)},
	)
	for i := range answer.Steps {
		answer.Steps[i].Share = percentOf(answer.Steps[i].Count, first)
	}
	return answer
}

func (c counting) heatmap(s span) contract.Heatmap {
	answer := contract.Heatmap{Zone: c.zone.String(), Cells: make([]contract.HeatmapCell, 168)}
	for i := range answer.Cells {
		day := time.Weekday((i/24 + 1) % 7)
		answer.Cells[i] = contract.HeatmapCell{Weekday: i/24 + 1, Hour: i % 24, OpenMinutes: int(60 * one(openAt(day, i%24)))}
	}
	var all, shut contract.OutOfHours
	add := func(o *contract.OutOfHours, t *talk) {
		o.Conversations++
		o.Leads += one(t.lead)
		o.Appointments += one(t.booked)
	}
	for _, t := range c.within(s) {
		at := t.start.In(c.zone)
		cell := &answer.Cells[(int(at.Weekday())+6)%7*24+at.Hour()]
		cell.Conversations++
		cell.Leads += one(t.lead)
		cell.Appointments += one(t.booked)
		add(&all, t)
		if t.shut(c.zone) {
			add(&shut, t)
		}
	}
	shut.ConversationShare = percentOf(shut.Conversations, all.Conversations)
	shut.LeadShare, shut.AppointmentShare = percentOf(shut.Leads, all.Leads), percentOf(shut.Appointments, all.Appointments)
	answer.OutOfHours = shut
	return answer
}

func (c counting) topics(s span) (answer contract.Topics) {
	rows := map[string]*contract.TopicRow{}
	talks := c.within(s)
	for _, t := range talks {
		for _, topic := range t.topics() {
			row := keyed(rows, topic)
			row.Topic, row.SmallTalk = topic, slices.Contains([]string{"saludo", "gracias", "despedida"}, topic)
			row.Conversations++
			row.Leads += one(t.lead)
			row.Appointments += one(t.booked)
			row.Unanswered += one(t.unanswered() > 0)
		}
	}
	answer.Topics = []contract.TopicRow{}
	for _, row := range rows {
		row.Share = orZero(percentOf(row.Conversations, int64(len(talks))))
		row.LeadRate, row.AppointmentRate = orZero(percentOf(row.Leads, row.Conversations)), orZero(percentOf(row.Appointments, row.Conversations))
		answer.Topics = append(answer.Topics, *row)
	}
	return answer
}

// keyed is the row of a key, which is made where there is none.
func keyed[K comparable, V any](rows map[K]*V, key K) *V {
	if rows[key] == nil {
		rows[key] = new(V)
	}
	return rows[key]
}

// spoken is how the assistant did with one model, or with all.
type spoken struct {
	replies, unanswered, in, out int64
	seconds                      []float64
}

func (s *spoken) add(r *event.AssistantReplied) {
	s.replies++
	s.unanswered += one(!r.Answered)
	s.in += int64(r.TokensIn)
	s.out += int64(r.TokensOut)
	if r.LatencyMillis > 0 {
		s.seconds = append(s.seconds, float64(r.LatencyMillis)/1000)
	}
}

func (s *spoken) latency() contract.Latency {
	return contract.Latency{P50: quantile(s.seconds, .5), P90: quantile(s.seconds, .9), P99: quantile(s.seconds, .99)}
}

func (c counting) quality(s span) contract.Quality {
	type key struct{ provider, model string }
	answer := contract.Quality{Models: []contract.ModelRow{}}
	var all spoken
	models, talksOf := map[key]*spoken{}, map[string]int64{}
	for _, t := range c.within(s) {
		answer.Failures += int64(t.failures)
		answer.FailedConversations += one(t.failures > 0)
		answer.UnansweredConversations += one(t.unanswered() > 0)
		used := map[string]bool{}
		for _, r := range t.replies {
			model := cmp.Or(r.Model, "-")
			all.add(r)
			keyed(models, key{r.Provider, model}).add(r)
			used[model] = true
		}
		for model := range used {
			talksOf[model]++
		}
	}
	answer.Replies, answer.Unanswered, answer.TokensIn, answer.TokensOut, answer.Latency = all.replies, all.unanswered, all.in, all.out, all.latency()
	answer.FailureRate, answer.UnansweredRate = percentOf(answer.Failures, answer.Failures+all.replies), percentOf(all.unanswered, all.replies)
	for k, m := range models {
		answer.Models = append(answer.Models, contract.ModelRow{
			Provider: k.provider, Model: k.model, Replies: m.replies, Unanswered: m.unanswered, TokensIn: m.in, TokensOut: m.out, Latency: m.latency(),
			Share: orZero(percentOf(m.replies, all.replies)), Conversations: talksOf[k.model],
		})
	}
	return answer
}

func (c counting) ratings(s span) contract.Ratings {
	rows := map[string]*contract.RatingRow{"": {}}
	for _, t := range c.within(s) {
		liked, disliked := map[string]bool{}, map[string]bool{}
		for _, r := range t.rated {
			for _, topic := range []string{"", cmp.Or(r.Topic, "-")} {
				switch r.Rating {
				case event.RatedPositive:
					keyed(rows, topic).Positive++
					liked[topic] = true
				case event.RatedNegative:
					keyed(rows, topic).Negative++
					disliked[topic] = true
				}
			}
		}
		for topic := range liked {
			rows[topic].Pleased++
		}
		for topic := range disliked {
			rows[topic].Displeased++
		}
	}
	answer := contract.Ratings{Topics: []contract.RatingRow{}}
	for topic, row := range rows {
		row.Topic, row.Approval = topic, percentOf(row.Positive, row.Positive+row.Negative)
		if topic == "" {
			answer.All = *row
		} else {
			answer.Topics = append(answer.Topics, *row)
		}
	}
	return answer
}

// outcomes are those of the appointments that the talks led to, whenever they were.
func (c counting) outcomes(s span) contract.Outcomes {
	all, ahead, weekdays, sources, services := map[string]*contract.OutcomeRow{"": {}}, map[string]*contract.OutcomeRow{}, map[string]*contract.OutcomeRow{},
		map[string]*contract.OutcomeRow{}, map[string]*contract.OutcomeRow{}
	for _, t := range c.within(s) {
		for _, b := range t.bookings {
			if b.outcome == "" || b.outcome == event.OutcomeUnknown {
				continue
			}
			days := -1
			for day := civil(b.at, c.zone); !day.After(civil(b.Slot, c.zone)); day = day.AddDate(0, 0, 1) {
				days++
			}
			least := 0
			for _, from := range []int{1, 3, 8} {
				if days >= from {
					least = from
				}
			}
			weekday := (int(b.Slot.In(c.zone).Weekday())+6)%7 + 1
			for _, row := range []*contract.OutcomeRow{
				keyed(all, ""), keyed(ahead, strconv.Itoa(least)), keyed(weekdays, strconv.Itoa(weekday)), keyed(sources, b.Source), keyed(services, cmp.Or(b.Specialty, "-")),
			} {
				row.Came += one(b.outcome == event.OutcomeCame)
				row.Missed += one(b.outcome == event.OutcomeMissed)
				row.CancelledLate += one(b.outcome == event.OutcomeCancelledLate)
			}
		}
	}
	list := func(rows map[string]*contract.OutcomeRow) []contract.OutcomeRow {
		found := []contract.OutcomeRow{}
		for name, row := range rows {
			row.Name, row.MissedRate = name, percentOf(row.Missed, row.Came+row.Missed+row.CancelledLate)
			found = append(found, *row)
		}
		return found
	}
	return contract.Outcomes{All: list(all)[0], LeadTimes: list(ahead), Weekdays: list(weekdays), Sources: list(sources), Specialties: list(services)}
}

// civil is noon of the day that an instant lies in.
func civil(at time.Time, zone *time.Location) time.Time {
	y, m, d := at.In(zone).Date()
	return time.Date(y, m, d, 12, 0, 0, 0, time.UTC)
}
