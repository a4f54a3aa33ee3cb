package crash

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/clinic"
	"bitacora/domain/contacts"
	"bitacora/domain/event"
)

var (
	zone   = clinic.Default().Zone
	opened = clinic.Default().Hours
)

// sum counts some conversations.
type sum struct {
	conversations, messages, consents, leads, appointments, cancelled, flagged int
	leadsWithConsent, appointmentsWithLead, unanswered, failed, failures       int
	active                                                                     []float64
}

func (r *recomputed) sum(among func(id string, t *conv) bool) (s sum) {
	for id, t := range r.talks {
		if !among(id, t) {
			continue
		}
		s.conversations++
		s.messages += len(t.said)
		s.consents += oneIf(t.consent)
		s.leads += oneIf(t.lead)
		s.appointments += oneIf(t.booked > 0)
		s.cancelled += oneIf(t.isCancelled())
		s.flagged += oneIf(len(t.flags) > 0)
		s.leadsWithConsent += oneIf(t.lead && t.consent)
		s.appointmentsWithLead += oneIf(t.lead && t.booked > 0)
		s.unanswered += oneIf(slices.ContainsFunc(t.said, line.isGap))
		s.failed += oneIf(len(t.failures) > 0)
		s.failures += len(t.failures)
		s.active = append(s.active, t.active.Seconds())
	}
	return s
}

func all(string, *conv) bool { return true }

func (l line) isGap() bool { return l.reply != nil && !l.reply.Answered }

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func total(list []float64) (n float64) {
	for _, one := range list {
		n += one
	}
	return n
}

// percentile is what a spreadsheet's PERCENTILE gives; nil of nothing.
func percentile(list []float64, p float64) any {
	if len(list) == 0 {
		return nil
	}
	slices.Sort(list)
	at := p * float64(len(list)-1)
	below := list[int(at)]
	return below + (at-math.Floor(at))*(list[min(int(at)+1, len(list)-1)]-below)
}

type object = map[string]any

func (r *recomputed) kpis() any {
	s := r.sum(all)
	n := float64(s.conversations)
	return object{
		"totalConversations": s.conversations, "totalMessages": s.messages, "avgMessagesPerConversation": float64(s.messages) / n,
		"totalLeads": s.leads, "conversionRate": 100 * float64(s.leads) / n, "totalAppointments": s.appointments, "cancelledAppointments": s.cancelled,
		"flaggedConversations": s.flagged, "avgConversationDuration": total(s.active) / n,
		"medianConversationDuration": percentile(s.active, 0.5), "p90ConversationDuration": percentile(s.active, 0.9),
	}
}

// newest are the conversations in the order of the list.
func (r *recomputed) newest() []string {
	return slices.SortedFunc(maps.Keys(r.talks), func(a, b string) int {
		return cmp.Or(r.talks[b].started.Compare(r.talks[a].started), cmp.Compare(b, a))
	})
}

func (r *recomputed) conversations() any {
	list := []object{}
	for _, id := range r.newest() {
		t := r.talks[id]
		unanswered := 0
		for _, l := range t.said {
			unanswered += oneIf(l.isGap())
		}
		list = append(list, object{
			"id": id, "startedAt": t.started.UTC(), "messageCount": len(t.said), "leadGenerated": t.lead, "appointmentScheduled": t.booked > 0,
			"appointmentCancelled": t.isCancelled(), "duration": t.active.Seconds(), "unanswered": unanswered, "failures": len(t.failures),
			"topics": listed(t.topics()), "outOfHours": t.outOfHours(), "flags": listed(t.flags),
		})
	}
	return list
}

// listed is a list in order, which is not nil.
func listed(names []string) []string {
	return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(slices.Values(names))))
}

// topics are those of the replies, sorted.
func (t *conv) topics() []string {
	set := map[string]bool{}
	for _, l := range t.said {
		if l.reply != nil && l.reply.Topic != "" {
			set[l.reply.Topic] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

func (t *conv) outOfHours() bool {
	at := t.started.In(zone)
	minute := at.Hour()*60 + at.Minute()
	return !slices.ContainsFunc(opened[at.Weekday()], func(s clinic.Span) bool { return s.Opens <= minute && minute < s.Closes })
}

func (r *recomputed) timeseries() any {
	drawn := func(among func(t *conv) bool) object {
		s := r.sum(func(_ string, t *conv) bool { return among(t) })
		replies, gaps := 0, 0
		rated := map[string]int{}
		for _, t := range r.talks {
			for _, l := range t.said {
				if among(t) {
					replies, gaps = replies+oneIf(l.reply != nil), gaps+oneIf(l.isGap())
					if l.rating != nil {
						rated[l.rating.Rating]++
					}
				}
			}
		}
		return object{
			"conversations": s.conversations, "messages": s.messages, "leads": s.leads, "appointments": s.appointments,
			"conversionRate":             analytics.Percent(s.leads, s.conversations),
			"avgMessagesPerConversation": analytics.Quotient(float64(s.messages), float64(s.conversations)),
			"avgConversationDuration":    analytics.Quotient(total(s.active), float64(s.conversations)),
			"approval":                   analytics.Percent(rated[event.RatedPositive], rated[event.RatedPositive]+rated[event.RatedNegative]),
			"unansweredRate":             analytics.Percent(gaps, replies),
		}
	}
	points := []object{}
	for day := r.first; !day.After(r.last); day = day.AddDate(0, 0, 1) {
		points = append(points, object{"numbers": drawn(func(t *conv) bool {
			return t.started.In(zone).Format(time.DateOnly) == day.Format(time.DateOnly)
		})})
	}
	// Nobody of the mix writes notes.
	return object{"points": points, "total": drawn(func(*conv) bool { return true }), "notes": []any{}}
}

func (r *recomputed) funnel() any {
	since := time.Now().Add(time.Hour)
	for _, v := range r.visits {
		if v.started.Before(since) {
			since = v.started
		}
	}
	s := r.sum(func(_ string, t *conv) bool { return !t.started.Before(since) })
	visits, opened := s.conversations, s.conversations
	for _, v := range r.visits {
		visits += oneIf(!v.wrote)
		opened += oneIf(!v.wrote && v.byVisitor)
	}
	step := func(name string, count int, fromPrevious *float64) object {
		return object{"step": name, "count": count, "share": analytics.Percent(count, visits), "fromPrevious": fromPrevious}
	}
	return object{"steps": []object{
		step("visit", visits, nil),
		step("opening", opened, analytics.Percent(opened, visits)),
		step("conversation", s.conversations, analytics.Percent(s.conversations, opened)),
		step("consent", s.consents, analytics.Percent(s.consents, s.conversations)),
		step("lead", s.leads, analytics.Percent(s.leadsWithConsent, s.consents)),
		step("appointment", s.appointments, analytics.Percent(s.appointmentsWithLead, s.leads)),
	}}
}

func (r *recomputed) heatmap() any {
	cells := []object{}
	for weekday := range 7 {
		for hour := range 24 {
			s := r.sum(func(_ string, t *conv) bool {
				at := t.started.In(zone)
				return int(at.Weekday()+6)%7 == weekday && at.Hour() == hour
			})
			cells = append(cells, object{"weekday": weekday + 1, "hour": hour, "conversations": s.conversations, "leads": s.leads, "appointments": s.appointments})
		}
	}
	whole, closed := r.sum(all), r.sum(func(_ string, t *conv) bool { return t.outOfHours() })
	return object{"cells": cells, "outOfHours": object{
		"conversations": closed.conversations, "leads": closed.leads, "appointments": closed.appointments,
		"conversationShare": analytics.Percent(closed.conversations, whole.conversations), "leadShare": analytics.Percent(closed.leads, whole.leads),
		"appointmentShare": analytics.Percent(closed.appointments, whole.appointments),
	}}
}

func (r *recomputed) topics() any {
	list := []object{}
	for name, s := range r.by(func(t *conv) []string {
		if topics := t.topics(); len(topics) > 0 {
			return topics
		}
		return []string{analytics.None}
	}) {
		list = append(list, object{
			"topic": name, "smallTalk": slices.Contains([]string{"saludo", "gracias", "despedida"}, name), "conversations": s.conversations, "share": analytics.Percent(s.conversations, len(r.talks)), "leads": s.leads,
			"leadRate": analytics.Percent(s.leads, s.conversations), "appointments": s.appointments,
			"appointmentRate": analytics.Percent(s.appointments, s.conversations), "unanswered": s.unanswered,
		})
	}
	slices.SortFunc(list, func(a, b object) int {
		return cmp.Or(b["conversations"].(int)-a["conversations"].(int), strings.Compare(a["topic"].(string), b["topic"].(string)))
	})
	return object{"topics": list}
}

// by counts the conversations of each name.
func (r *recomputed) by(names func(*conv) []string) map[string]sum {
	counted := map[string]sum{}
	for _, t := range r.talks {
		for _, name := range names(t) {
			if _, ok := counted[name]; !ok {
				counted[name] = r.sum(func(_ string, t *conv) bool { return slices.Contains(names(t), name) })
			}
		}
	}
	return counted
}

// lines are those of all conversations that are wanted, by a name, with the conversations they are of.
func (r *recomputed) lines(wanted func(line) bool, name func(line) string) (byName map[string][]line, of map[string]map[string]bool) {
	byName, of = map[string][]line{}, map[string]map[string]bool{}
	for id, t := range r.talks {
		for _, l := range t.said {
			if !wanted(l) {
				continue
			}
			for _, n := range []string{"", cmp.Or(name(l), analytics.None)} {
				byName[n] = append(byName[n], l)
				if of[n] == nil {
					of[n] = map[string]bool{}
				}
				of[n][id] = true
			}
		}
	}
	return byName, of
}

func (r *recomputed) quality() any {
	byModel, of := r.lines(func(l line) bool { return l.reply != nil }, func(l line) string { return l.reply.Provider + "/" + cmp.Or(l.reply.Model, analytics.None) })
	s := r.sum(all)
	reported := func(lines []line) object {
		var seconds []float64
		unanswered, in, out := 0, 0, 0
		for _, l := range lines {
			if l.reply.LatencyMillis > 0 {
				seconds = append(seconds, float64(l.reply.LatencyMillis)/1000)
			}
			unanswered, in, out = unanswered+oneIf(l.isGap()), in+l.reply.TokensIn, out+l.reply.TokensOut
		}
		return object{
			"replies": len(lines), "unanswered": unanswered, "tokensIn": in, "tokensOut": out,
			"latency": object{"p50": percentile(seconds, 0.5), "p90": percentile(seconds, 0.9), "p99": percentile(seconds, 0.99)},
		}
	}
	models := []object{}
	for _, name := range slices.Sorted(maps.Keys(byModel)) {
		provider, model, ok := strings.Cut(name, "/")
		if !ok {
			continue
		}
		m := reported(byModel[name])
		m["provider"], m["model"], m["conversations"] = provider, model, len(of[name])
		m["share"] = analytics.Percent(len(byModel[name]), len(byModel[""]))
		models = append(models, m)
	}
	slices.SortStableFunc(models, func(a, b object) int { return b["replies"].(int) - a["replies"].(int) })
	whole := reported(byModel[""])
	maps.Copy(whole, object{
		"failures": s.failures, "failedConversations": s.failed, "failureRate": analytics.Percent(s.failures, s.failures+len(byModel[""])),
		"unansweredConversations": s.unanswered, "unansweredRate": analytics.Percent(whole["unanswered"].(int), len(byModel[""])), "models": models,
	})
	return whole
}

func (r *recomputed) ratings() any {
	rated := func(l line) bool { return l.rating != nil && l.rating.Rating != event.RatedNone }
	byTopic, _ := r.lines(rated, func(l line) string { return l.rating.Topic })
	reported := func(topic string) object {
		count, of := map[string]int{}, map[string]map[string]bool{event.RatedPositive: {}, event.RatedNegative: {}}
		for _, l := range byTopic[topic] {
			count[l.rating.Rating]++
			of[l.rating.Rating][l.rating.ConversationID] = true
		}
		positive, negative := count[event.RatedPositive], count[event.RatedNegative]
		return object{
			"topic": topic, "positive": positive, "negative": negative, "approval": analytics.Percent(positive, positive+negative),
			"pleased": len(of[event.RatedPositive]), "displeased": len(of[event.RatedNegative]),
		}
	}
	topics := []object{}
	for _, topic := range slices.Sorted(maps.Keys(byTopic)) {
		if topic != "" {
			topics = append(topics, reported(topic))
		}
	}
	worst := func(topic object) float64 { // the lower end of Wilson's interval
		positive, negative := float64(topic["positive"].(int)), float64(topic["negative"].(int))
		n, share, z := positive+negative, negative/(positive+negative), 1.96
		return (share + z*z/(2*n) - z*math.Sqrt((share*(1-share)+z*z/(4*n))/n)) / (1 + z*z/n)
	}
	slices.SortStableFunc(topics, func(a, b object) int {
		if a, b := worst(a), worst(b); math.Abs(a-b) > 1e-9 {
			return cmp.Compare(b, a)
		}
		return 0
	})
	return object{"all": reported(""), "topics": topics}
}

// reachable are the contacts that were left.
func (r *recomputed) reachable() (list []*person) {
	for _, c := range r.contacts {
		if c.reachable {
			list = append(list, c)
		}
	}
	return list
}

func (r *recomputed) contactCounts() any {
	counts := object{}
	for _, status := range contacts.Statuses {
		counts[status] = 0
	}
	last := int64(0)
	for _, c := range r.reachable() {
		status := cmp.Or(c.status, contacts.New)
		counts[status] = counts[status].(int) + 1
		last = max(last, c.last)
	}
	counts["lastPosition"] = last
	open, due := 0, []time.Time{}
	for _, c := range r.contacts {
		if len(c.requests) > 0 {
			open++
			due = slices.AppendSeq(due, maps.Values(c.requests))
		}
	}
	if counts["openRequests"] = open; open > 0 {
		counts["nextRequestDue"] = slices.MinFunc(due, time.Time.Compare)
	}
	return counts
}
