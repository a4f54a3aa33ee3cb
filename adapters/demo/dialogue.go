package demo

import (
	"math/rand/v2"
	"slices"
)

// step is the part an exchange plays in a conversation.
type step int

const (
	talk step = iota
	contactLeft
	slotsOffered
	slotPicked
	slotConfirmed
	formLinked
)

// turn is an exchange that is going to be said.
type turn struct {
	exchange
	step step
	// group is the topic of the profile that the exchange belongs to.
	group string
}

// dialogue gives the turns of a planned conversation, exactly as many as planned: what
// the plan needs, and talk around it.
func (g *generator) dialogue(r *rand.Rand, p plan) []turn {
	s := g.scripts[p.habit.lang]
	t := talker{r: r, script: s, plan: p, said: map[string]bool{}}
	if p.turns == 1 && r.Float64() < profile.onlyGreets {
		return []turn{t.from(s.Greeting, talk)}
	}
	opening := []turn{t.about(p.topic.name, true)}
	outcome := t.outcome(p.turns - 1)
	free := p.turns - len(opening) - len(outcome)

	var closing []turn
	if free > 0 && r.Float64() < profile.thanks {
		closing = append(closing, t.from(s.Thanks, talk))
		free--
	}
	if free > 0 && r.Float64() < profile.greets {
		opening = append([]turn{t.from(s.Greeting, talk)}, opening...)
		free--
	}
	middle := make([]turn, free)
	for i := range middle {
		middle[i] = t.filler()
	}
	if asked, ok := t.attention(); ok && free > 0 {
		middle[0] = asked
	}
	return slices.Concat(opening, middle, outcome, closing)
}

// talker chooses what is said next, and does not say the same twice.
type talker struct {
	r      *rand.Rand
	script *script
	plan   plan
	said   map[string]bool
}

// from draws one of the exchanges that was not said yet, if there is one left.
func (t *talker) from(list []exchange, s step) turn {
	unsaid := slices.DeleteFunc(slices.Clone(list), func(e exchange) bool { return t.said[e.Ask[0]] })
	if len(unsaid) == 0 {
		unsaid = list
	}
	e := one(t.r, unsaid)
	t.said[e.Ask[0]] = true
	return turn{exchange: e, step: s, group: t.plan.topic.name}
}

// about draws a question on a topic, one without an answer as often as the topic has it.
func (t *talker) about(name string, opening bool) turn {
	g := t.script.Groups[name]
	list := g.Followups
	if opening {
		list = g.Openings
	}
	i := slices.IndexFunc(profile.topics, func(p topic) bool { return p.name == name })
	if len(g.Unanswered) > 0 && t.r.Float64() < profile.topics[i].unanswered {
		list = g.Unanswered
	}
	drawn := t.from(list, talk)
	drawn.group = name
	return drawn
}

func (t *talker) filler() turn {
	switch u := t.r.Float64(); {
	case u < profile.gibberish:
		return t.from(t.script.Gibberish, talk)
	case u < profile.gibberish+profile.corrects:
		return t.from(t.script.Correction, talk)
	case u < profile.gibberish+profile.corrects+profile.digresses || t.exhausted():
		other := profile.topics[pick(t.r, shares(profile.topics, func(t topic) float64 { return t.share }))]
		return t.about(other.name, t.r.Float64() < 0.5)
	}
	return t.about(t.plan.topic.name, false)
}

// attention draws what the staff is to hear of, in the few conversations that have it.
func (t *talker) attention() (turn, bool) {
	u := t.r.Float64()
	for _, a := range profile.attention {
		if u -= a.share; u < 0 {
			list := slices.DeleteFunc(slices.Clone(t.script.Attention), func(e exchange) bool { return e.Flag != a.name })
			return t.from(list, talk), true
		}
	}
	return turn{}, false
}

// exhausted says whether all follow-up questions on the topic were said.
func (t *talker) exhausted() bool {
	return !slices.ContainsFunc(t.script.Groups[t.plan.topic.name].Followups, func(e exchange) bool { return !t.said[e.Ask[0]] })
}

// outcome gives the turns in which a contact is left and an appointment made, within the
// given number.
func (t *talker) outcome(most int) []turn {
	if !t.plan.lead {
		return nil
	}
	s := t.script
	var booking []turn
	switch t.plan.booking {
	case "chat":
		booking = []turn{t.from(s.Day, slotsOffered), t.from(s.Pick, slotPicked), t.from(s.Confirm, slotConfirmed)}
	case "form":
		booking = []turn{t.from(s.Form, formLinked)}
	case "staff":
		booking = []turn{t.from(s.Call, talk)}
	}
	contact := []turn{t.from(s.Accept, talk)}
	if len(booking)+3 <= most && t.r.Float64() < 0.6 {
		contact = append(contact, t.from(s.Name, talk), t.from(s.Contact, contactLeft))
	} else {
		contact = append(contact, t.from(s.Both, contactLeft))
	}
	return append(contact, booking...)
}
