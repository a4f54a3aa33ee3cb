package httpapi

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/event"
)

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

// outcomes are those of the appointments that the talks led to, whenever they were; without a filter, those of messages too.
func (c counting) outcomes(s span) contract.Outcomes {
	all, ahead, weekdays, sources, services := map[string]*contract.OutcomeRow{"": {}}, map[string]*contract.OutcomeRow{}, map[string]*contract.OutcomeRow{},
		map[string]*contract.OutcomeRow{}, map[string]*contract.OutcomeRow{}
	of := c.within(s)
	if !c.narrowed {
		of = slices.Concat(of, slices.DeleteFunc(slices.Clone(c.forms), func(t *talk) bool { return !s.holds(t.start) }))
	}
	for _, t := range of {
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
