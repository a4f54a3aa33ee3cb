package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bitacora/domain/event"
)

// recounts give the rows of each worked question from the log.
var recounts = map[string]func(*recount) []string{
	"Conversations, leads and appointments a day, the last 30 days": func(r *recount) []string {
		return r.daily().where(func(day string) bool { return day >= r.ago(29) }).rows(func(n []int) []any { return []any{n[0], n[2], n[3], percent(n[2], n[0])} })
	},
	"Conversations by channel, to the appointment": func(r *recount) []string {
		s := sums{}
		for _, t := range r.talks {
			s.add(t.channel, 1, t.consent, t.lead, t.appointment(), t.appointment() && t.cancelled > t.booked)
		}
		return s.all()
	},
	"The dashboard's funnel by month": func(r *recount) []string {
		return r.funnel().by(month).rows(func(n []int) []any { return []any{n[0], n[1], n[2], n[3], n[4], n[5]} })
	},
	"The funnel by weekday": func(r *recount) []string {
		first := r.today
		for _, v := range r.tabs {
			first = min(first, r.date(v.started))
		}
		whole := r.funnel().where(func(day string) bool { return day >= first && day < r.today })
		return whole.by(weekdayText).rows(func(n []int) []any { return []any{n[0], n[2], n[5], percent(n[2], n[0]), percent(n[5], n[2])} })
	},
	"Conversations, leads and appointments by month": func(r *recount) []string {
		return r.daily().by(month).rows(func(n []int) []any { return []any{n[0], percent(n[2], n[0]), percent(n[3], n[0])} })
	},
	"The busiest hours of a week": (*recount).busiestHours,
	"Conversations while the clinic is closed": func(r *recount) []string {
		s := sums{}
		for _, t := range r.talks {
			if t.day >= r.ago(89) {
				s.add(key(digit(t.day >= r.ago(29))), r.outOfHours(t.ConversationStartedAt), 1)
			}
		}
		return s.rows(func(n []int) []any { return []any{n[0], n[1], percent(n[0], n[1])} })
	},
	"Seasonality: conversations a day by month and weekday": (*recount).seasonality,
	"Seven-day mean of conversations": func(r *recount) (rows []string) {
		daily, all := r.daily(), spine(r.first(), r.ago(1))
		for i, day := range all[len(all)-60:] {
			sum := 0
			for _, one := range all[len(all)-60+i-6 : len(all)-60+i+1] {
				sum += daily[one][0]
			}
			rows = append(rows, row(day, daily[day][0], rounded(float64(sum)/7, 1)))
		}
		return rows
	},
	"Anomaly: the days furthest from what their weekday had before": (*recount).anomalies,
	"This month against the one before, day by day": func(r *recount) []string {
		daily, s := r.daily(), sums{}
		for _, day := range spine(month(shift(month(r.today), -1)), r.today) {
			if of, this := strings.TrimPrefix(day[8:], "0"), day >= month(r.today); day[8:] <= r.today[8:] && this {
				s.add(of, daily[day][0], 0)
			} else if day[8:] <= r.today[8:] {
				s.add(of, 0, daily[day][0])
			}
		}
		return s.all()
	},
	"Visits without a chat, by hour": func(r *recount) []string {
		s := sums{}
		for _, v := range r.tabs {
			if !v.talkedIn && r.date(v.started) >= r.ago(29) {
				s.add(key(v.started.In(r.zone).Hour()), 1, v.byVisitor, v.byItself)
			}
		}
		return s.all()
	},
	"Weekly cohorts: leads that became appointments": func(r *recount) []string {
		s := sums{}
		for _, t := range r.talks {
			if after := t.bookedAt.Sub(t.ConversationStartedAt); t.lead && t.day < r.ago(14) {
				s.add(monday(t.day), 1, t.appointment() && after < 24*time.Hour, t.appointment() && after < 7*24*time.Hour, t.appointment())
			}
		}
		return s.all()
	},
	"Length of conversations": func(r *recount) []string {
		s := sums{}
		for _, t := range r.talks {
			asked, _ := t.asked()
			s.add(key(min(asked, 20)), 1, t.lead)
		}
		return s.rows(func(n []int) []any { return []any{n[0], n[1], percent(n[1], n[0])} })
	},
	"Active time by outcome": func(r *recount) []string {
		millis := lists{}
		for _, t := range r.talks {
			outcome := "other"
			switch _, unanswered := t.asked(); {
			case t.appointment():
				outcome = "appointment"
			case t.lead:
				outcome = "lead"
			case unanswered > 0:
				outcome = "unanswered"
			}
			millis.add(outcome, float64(t.active().Milliseconds()))
		}
		return millis.rows(func(list []float64) []any {
			return []any{len(list), rounded(percentile(list, 0.5)/60000, 1), rounded(percentile(list, 0.9)/60000, 1)}
		})
	},
	"What asks for the staff's attention": func(r *recount) []string {
		s := sums{}
		for _, t := range r.talks {
			for flag := range t.flags {
				s.add(key(month(t.day), flag), 1, t.lead)
			}
		}
		return s.all()
	},
	"The topics of the leads of the last 30 days": func(r *recount) []string {
		s := sums{}
		for _, t := range r.talks {
			for topic := range t.topics {
				if t.lead && t.day >= r.ago(29) {
					s.add(topic, 1, r.outOfHours(t.ConversationStartedAt), t.appointment())
				}
			}
		}
		return s.all()
	},
	"Topics that grow": (*recount).growingTopics,
	"Topics that come together": func(r *recount) []string {
		s := sums{}
		for _, t := range r.talks {
			topics := slices.Sorted(maps.Keys(t.topics))
			for i, one := range topics {
				for _, other := range topics[i+1:] {
					s.add(fmt.Sprintf("('%s','%s')", one, other), 1)
				}
			}
		}
		return s.top(20)
	},
	"The link to the external form: shown, followed, and how fast": func(r *recount) []string {
		counts, seconds := sums{}, lists{}
		for _, t := range r.talks {
			if !t.linkShown.IsZero() {
				counts.add(month(t.day), 1, !t.linkVisited.IsZero())
			}
			if !t.linkShown.IsZero() && !t.linkVisited.IsZero() {
				seconds.add(month(t.day), float64(t.linkVisited.Unix()-t.linkShown.Unix()))
			}
		}
		return counts.keyed(func(month string, n []int) []any {
			return []any{n[0], n[1], percent(n[1], n[0]), orNull(n[1] > 0, rounded(percentile(seconds[month], 0.5), 0))}
		})
	},

	"Topics by the share of unanswered questions": func(r *recount) []string {
		s := sums{}
		for p := range r.replies() {
			if p.Topic != "" {
				s.add(p.Topic, 1, !p.Answered)
			}
		}
		return s.rows(func(n []int) []any { return []any{n[0], percent(n[1], n[0])} })
	},
	"Questions without an answer, by frequency":  (*recount).unansweredQuestions,
	"Word pairs of visitors, without stop words": (*recount).wordPairs,
	"Questions about insurance, with the outcome of the conversation": func(r *recount) []string {
		var list []ranked
		for _, t := range r.talks {
			for _, l := range t.said {
				if l.reply == nil && strings.Contains(strings.ToLower(l.text), "seguro") {
					list = append(list, ranked{float64(l.at.UnixMilli()), "", row(r.instant(l.at), escaped(l.text), t.lead, t.appointment())})
				}
			}
		}
		return top(20, list)
	},
	"Replies that were rated negative, with their questions": func(r *recount) []string {
		var list []ranked
		for _, given := range r.ratings {
			said := r.talks[given.ConversationID].said
			if question := said[given.Ordinal-2]; given.Rating == event.RatedNegative && question.reply == nil {
				shown := row(r.instant(given.at), given.Topic, escaped(question.text), escaped(said[given.Ordinal-1].text))
				list = append(list, ranked{float64(given.at.UnixMilli()), "", shown})
			}
		}
		return top(20, list)
	},
	"Topics by their ratings": func(r *recount) []string {
		s := sums{}
		for _, given := range r.ratings {
			if given.Rating != event.RatedNone {
				s.add(cmp.Or(given.Topic, "-"), given.Rating == event.RatedPositive, given.Rating == event.RatedNegative)
			}
		}
		return s.rows(func(n []int) []any { return []any{n[0], n[1], percent(n[1], n[0]+n[1])} })
	},
	"Confidence, and what became of the replies": (*recount).confidence,
	"Intents that are mistaken for each other": func(r *recount) []string {
		s := sums{}
		for p := range r.replies() {
			if p.Confidence > 0 && p.RunnerUp != "" && p.RunnerUpConfidence > 0 && stored(p.Confidence)-stored(p.RunnerUpConfidence) < 0.3 {
				s.add(key(min(p.Intent, p.RunnerUp), max(p.Intent, p.RunnerUp)), 1)
			}
		}
		return s.top(20)
	},
	"What visitors ask next": func(r *recount) []string {
		s, last, before := sums{}, "", ""
		for p := range r.replies() {
			if p.ConversationID != last {
				last, before = p.ConversationID, ""
			}
			if p.Topic != "" && before != "" && before != p.Topic {
				s.add(key(before, p.Topic), 1)
			}
			before = cmp.Or(p.Topic, before)
		}
		return s.top(20)
	},
	"Latency by model and week":        (*recount).latency,
	"Before and after a taught answer": (*recount).beforeAndAfter,

	"Minutes from the first message to the booking": (*recount).timeToBooking,
	"Missed appointments by lead time in days":      (*recount).missedByLeadTime,
	"Outcomes by weekday and half of the day": func(r *recount) []string {
		s := sums{}
		for _, b := range r.bookings {
			slot, half := b.Slot.In(r.zone), "afternoon"
			if slot.Hour() < 12 {
				half = "morning"
			}
			if b.outcome != "" {
				s.add(key(weekday(r.date(slot)), half), 1, b.outcome == event.OutcomeCame, b.outcome == event.OutcomeMissed, b.outcome == event.OutcomeCancelledLate)
			}
		}
		return s.all()
	},
	"Services by bookings and lead time": func(r *recount) []string {
		cancelled, hours := sums{}, lists{}
		for _, b := range r.bookings {
			specialty := b.Specialty
			if b.Source != "chat" && !b.Offered {
				specialty = ""
			}
			if !b.moved {
				cancelled.add(specialty, 1, b.cancelledAt > 0)
				hours.add(specialty, millisBetween(b.at, b.Slot)/3_600_000)
			}
		}
		return cancelled.keyed(func(specialty string, n []int) []any {
			return []any{n[0], n[1], rounded(percentile(hours[specialty], 0.5), 1)}
		})
	},
	"Bookings that were moved or cancelled": func(r *recount) []string {
		s := sums{}
		for _, b := range r.bookings {
			s.add(b.Source, 1, b.moved, b.cancelledAt > 0, !b.moved && b.cancelledAt == 0)
		}
		return s.rows(func(n []int) []any { return []any{n[0], n[1], n[2], n[3], percent(n[2], n[0])} })
	},
	"The slots that people choose": func(r *recount) []string {
		s := sums{}
		for _, b := range r.bookings {
			if !b.moved && b.cancelledAt == 0 {
				s.add(key(weekday(r.date(b.Slot)), b.Slot.In(r.zone).Hour()), 1)
			}
		}
		return s.all()
	},

	"Hours until the staff first changed the status of a contact": (*recount).reaction,
	"Paths of contacts through their statuses": func(r *recount) []string {
		hours := lists{}
		for _, c := range r.changes {
			hours.add(key(c.kind, c.from, c.to), float64(minute(c.at)-minute(c.came)))
		}
		return hours.rows(func(list []float64) []any { return []any{len(list), rounded(percentile(list, 0.5)/60, 1)} })
	},
	"Contacts that nobody touched, by age": func(r *recount) []string {
		s := sums{}
		for _, c := range r.contacts {
			if day := r.date(c.came); day >= r.ago(60) {
				s.add(key(c.kind, min(len(spine(day, r.today))-1, 14)), 1, c.status == "new")
			}
		}
		return s.all()
	},
	"Refused sessions by day": (*recount).refusalsByDay,
	"Months beside their limit": func(r *recount) (rows []string) {
		for month, talked := range r.started {
			limit, limited := r.limits[month]
			rows = append(rows, row(month, talked, orNull(limited, limit), r.full[month], orNull(limited, decimal(percent(talked, limit)))))
		}
		return rows
	},
	"Readings and exports of visitors' data by month": func(r *recount) []string { return r.accesses.all() },
	"Forecast: when the month reaches its limit":      (*recount).forecast,
}
