package demo

import (
	"math/rand/v2"
	"time"
)

// plan is what a conversation comes to, before a word of it is said.
type plan struct {
	topic    topic
	referrer string
	habit    habit
	turns    int
	lead     bool
	// booking is how the appointment is made: "chat", "form", "staff"; empty for none.
	booking string
	// abandoned says that the last message gets no reply.
	abandoned bool
	pauses    bool
}

// plan draws what a conversation that begins at an instant comes to. The number of turns
// is drawn first and the outcomes within it, so that lengths follow the profile although
// an outcome takes its turns.
func (g *generator) plan(r *rand.Rand, a arrival) plan {
	p := plan{topic: profile.topics[pick(r, shares(profile.topics, func(t topic) float64 { return t.share }))]}
	from := profile.referrers[pick(r, shares(profile.referrers, func(f referrer) float64 { return f.share }))]
	p.referrer = from.name
	p.turns = pick(r, profile.turns)
	if a.overMidnight {
		p.turns = max(p.turns, 2)
	}
	p.habit = habit{
		lang:     "es",
		capitals: r.Float64() < profile.capitals,
		sloppy:   r.Float64() < profile.sloppy,
		polite:   r.Float64() < 0.25,
	}
	if r.Float64() < profile.english {
		p.habit.lang, p.habit.sloppy = "en", false
	}

	lead, booking := g.rates(p.topic, from, a.at)
	u := r.Float64()
	p.lead = p.turns >= profile.leadTurns && u < lead/turnsFrom(profile.leadTurns)
	if p.lead && p.turns >= profile.bookingTurns && u < booking/turnsFrom(profile.bookingTurns) {
		p.booking = profile.bookingSources[pick(r, shares(profile.bookingSources, func(w weighted) float64 { return w.share }))].name
	}
	p.abandoned = !p.lead && r.Float64() < profile.abandoned/(1-leadShare)
	p.pauses = r.Float64() < profile.pauses
	return p
}

// leadShare is the share of conversations that become leads.
const leadShare = 0.21

// rates are the shares of conversations like this one that lead to a contact and to an
// appointment.
func (g *generator) rates(t topic, from referrer, at time.Time) (lead, booking float64) {
	usual := 0.0
	for _, f := range profile.referrers {
		usual += f.share * f.lead
	}
	lead = t.lead * profile.leadScale * from.lead / usual
	booking = t.booking * profile.bookingScale * from.lead / usual
	if g.Clinic.Calendar().OpenAt(at.In(g.Zone)) {
		lead -= profile.outOfHoursLead * outOfHoursShare
	} else {
		lead += profile.outOfHoursLead * (1 - outOfHoursShare)
	}
	return max(lead, booking, 0), booking
}

// outOfHoursShare is how much of the traffic comes while the clinic is closed; it
// balances the difference in leads so that their total stays.
const outOfHoursShare = 0.43

// turnsFrom is the share of conversations with at least n turns.
func turnsFrom(n int) float64 {
	total, from := 0, 0
	for turns, weight := range profile.turns {
		total += weight
		if turns >= n {
			from += weight
		}
	}
	return float64(from) / float64(total)
}

func shares[T any](list []T, share func(T) float64) []float64 {
	weights := make([]float64, len(list))
	for i, v := range list {
		weights[i] = share(v)
	}
	return weights
}
