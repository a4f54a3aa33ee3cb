package httpapi

import (
	"math"
	"slices"
	"sort"
	"time"

	"bitacora/adapters/httpapi/contract"
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
