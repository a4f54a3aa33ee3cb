package demo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
	"bitacora/domain/spelling"
)

// conversation plays a planned conversation from its first message on; ok is false if
// it would not be over by the end of the history.
func (g *generator) conversation(r *rand.Rand, a arrival) (past chat.Past, ok bool) {
	p := g.plan(r, a)
	turns := g.dialogue(r, p)
	t := transcript{generator: g, r: r, plan: p, at: a.at, person: g.people.draw(r)}
	t.pauseBefore = t.pause(len(turns), a)
	t.past.Referrer = p.referrer
	for i, next := range turns {
		t.turn(i, next, p.abandoned && i == len(turns)-1)
	}
	if t.at.After(g.Until) {
		return chat.Past{}, false
	}
	t.appointmentElsewhere()
	t.rate()
	t.followLink()
	return t.past, true
}

// transcript is a planned conversation as far as it has been written.
type transcript struct {
	*generator
	r      *rand.Rand
	plan   plan
	person person
	past   chat.Past
	// at is the time of the last message.
	at time.Time
	// pauseBefore is the turn before which the visitor is away for pauseFor.
	pauseBefore int
	pauseFor    time.Duration
	// offered are the slots to choose from, chosen is the index of the choice.
	offered [2]time.Time
	chosen  int
}

// pause draws the turn before which the visitor goes away; 0 for none.
func (t *transcript) pause(turns int, a arrival) int {
	switch {
	case turns < 2:
		return 0
	case a.overMidnight:
		midnight := time.Date(a.at.Year(), a.at.Month(), a.at.Day()+1, 0, 0, 0, 0, a.at.Location())
		t.pauseFor = midnight.Sub(a.at) + between(t.r, 0, 10*time.Minute)
		return 1
	case t.plan.pauses:
		t.pauseFor = between(t.r, profile.pauseFrom, profile.pauseTo)
		return 1 + t.r.IntN(turns-1)
	}
	return 0
}

func (t *transcript) turn(i int, n turn, abandoned bool) {
	switch {
	case i == 0:
	case i == t.pauseBefore:
		t.at = t.at.Add(t.pauseFor)
	default:
		t.at = t.at.Add(min(profile.think.seconds(t.r), 9*time.Minute))
	}
	if n.step == slotsOffered {
		t.offerSlots()
	}
	asked := spin(t.r, one(t.r, n.Ask))
	ask := t.plan.habit.write(t.r, asked)
	t.past.Messages = append(t.past.Messages, chat.PastMessage{FromVisitor: true, Text: t.fill(ask), At: t.at, Flag: n.Flag})

	reply := chat.PastMessage{Reply: t.model(i)}
	reply.Reply.Understood = t.understand(n.step, asked)
	reply.Latency = t.latency(n)
	if reply.Failed = abandoned || t.fails(n); reply.Failed {
		reply.Latency = 30 * time.Second
	}
	t.at = t.at.Add(reply.Latency)
	reply.At = t.at
	if !reply.Failed {
		text := spin(t.r, one(t.r, n.Reply))
		if a := t.taught(n, t.at); a != nil {
			text, n.Unanswered, n.Sources = a.Text, false, []string{event.AnswerPrefix + a.Slug}
			reply.Reply.Chosen = t.likelihoods(a)
		}
		reply.Text = t.fill(text)
		reply.Linked = strings.Contains(reply.Text, t.Clinic.Links.Booking)
		reply.Reply.Topic, reply.Reply.Answered = n.Topic, !n.Unanswered
		if reply.Reply.Answered {
			reply.Reply.Sources = n.Sources
		}
	}
	t.past.Messages = append(t.past.Messages, reply)
	t.follow(n.step)
}

// taught is the answer that the staff taught to a question before an instant; nil for none.
func (t *transcript) taught(n turn, at time.Time) *taughtAnswer {
	i := slices.IndexFunc(t.staffTexts.Answers, func(a taughtAnswer) bool { return a.Slug == n.Taught })
	if i < 0 || at.Before(taughtAt(t.Until)) {
		return nil
	}
	return &t.staffTexts.Answers[i]
}

// likelihoods are how likely a taught answer and the next one were. They have a randomness of their own, so that everything else
// stays as it would be without it.
func (t *transcript) likelihoods(a *taughtAnswer) event.Chosen {
	r := rand.New(rand.NewPCG(t.Seed^0x7a9, uint64(t.at.UnixMilli())))
	likely := 0.7 + 0.29*r.Float64()
	thousandths := func(share float64) float64 { return math.Round(share*1000) / 1000 }
	return event.Chosen{Answer: a.Slug, Likelihood: thousandths(likely), NextAnswer: a.Next, NextLikelihood: thousandths((1 - likely) * r.Float64())}
}

// understand is what is recorded of what was asked.
func (t *transcript) understand(s step, asked string) event.Understood {
	switch {
	case t.Understand == nil:
		return event.Understood{}
	case s != talk:
		return event.Understood{Intent: chat.IntentDetails}
	}
	u, known := t.understood[asked]
	if !known {
		u = t.Understand(asked)
		t.understood[asked] = u
	}
	return u
}

// follow records what a turn led to, at the time of its reply.
func (t *transcript) follow(s step) {
	switch s {
	case contactLeft:
		asked := t.past.Messages[len(t.past.Messages)-2]
		t.past.Lead = &chat.PastLead{At: t.at, GivenAt: asked.At, Contact: t.person.Contact}
	case slotConfirmed:
		t.book(t.at, "chat", t.offered[t.chosen])
	}
}

// appointmentElsewhere makes the appointment of a conversation that led to one outside
// of the chat, if there was time for it.
func (t *transcript) appointmentElsewhere() {
	at := t.at
	switch t.plan.booking {
	case "form":
		at = at.Add(between(t.r, time.Minute, 20*time.Minute))
	case "staff":
		at = t.called(t.r, at)
	default:
		return
	}
	if !at.After(t.Until) {
		t.book(at, t.plan.booking, t.freeSlot(t.r, at, t.offered[0]))
	}
}

// called is when the staff calls back or gets to something: within two hours of office time.
func (g *generator) called(r *rand.Rand, at time.Time) time.Time {
	if !g.Clinic.Calendar().OpenAt(at) {
		if opens, ok := g.Clinic.Calendar().NextOpening(at); ok {
			at = opens
		}
	}
	return at.Add(between(r, 10*time.Minute, 2*time.Hour))
}

func (t *transcript) book(at time.Time, source string, slot time.Time) {
	t.taken[slot]++
	t.past.Appointment = &chat.PastAppointment{At: at, Slot: slot, Source: source, Specialty: one(t.r, t.plan.topic.specialties)}
	if t.r.Float64() >= profile.cancelled {
		return
	}
	if cancelled := at.Add(time.Duration(t.r.Float64() * float64(slot.Sub(at)))).Truncate(time.Millisecond); !cancelled.After(t.Until) {
		t.past.Appointment.CancelledAt = cancelled
	}
}

// rate lets the visitor judge one of the replies, rather one that had no answer.
func (t *transcript) rate() {
	r := rand.New(rand.NewPCG(t.Seed^0x717, uint64(t.past.Messages[0].At.UnixMilli())))
	if r.Float64() >= profile.rated {
		return
	}
	var replies []*chat.PastMessage
	for i := range t.past.Messages {
		if m := &t.past.Messages[i]; !m.FromVisitor && !m.Failed {
			replies = append(replies, m)
		}
	}
	if len(replies) == 0 {
		return
	}
	reply := replies[r.IntN(len(replies))]
	if i := slices.IndexFunc(replies, func(m *chat.PastMessage) bool { return !m.Reply.Answered }); i >= 0 {
		reply = replies[i]
	}
	liked := profile.liked
	if !reply.Reply.Answered {
		liked = profile.likedUnanswered
	}
	at := reply.At.Add(between(r, 3*time.Second, 20*time.Second))
	if at.After(t.Until) {
		return
	}
	reply.RatedAt = at
	switch {
	case r.Float64() < liked:
		reply.Rating = event.RatedPositive
	case reply.Reply.Answered:
		reply.Rating, reply.RatingReason = event.RatedNegative, event.ReasonIncomplete
	default:
		reply.Rating, reply.RatingReason = event.RatedNegative, event.ReasonUnrelated
	}
	if undone := at.Add(between(r, time.Second, 30*time.Second)); r.Float64() < profile.unrated && !undone.After(t.Until) {
		reply.RatingUndoneAt = undone
	}
}

// followLink lets some visitors follow the booking link that they were shown last, and all
// who booked with the form.
func (t *transcript) followLink() {
	r := rand.New(rand.NewPCG(t.Seed^0x718, uint64(t.past.Messages[0].At.UnixMilli())))
	for i := len(t.past.Messages) - 1; i >= 0; i-- {
		m := &t.past.Messages[i]
		if !m.Linked {
			continue
		}
		at := m.At.Add(between(r, 2*time.Second, 50*time.Second))
		if (t.plan.booking == "form" || r.Float64() < profile.linkOpened) && !at.After(t.Until) {
			m.LinkOpenedAt = at
		}
		return
	}
}

// slotLength is the grid of appointments.
const slotLength = 30 * time.Minute

// maxTries ends the search for a slot of a clinic that is never open.
const maxTries = 10_000

// freeSlot is a time in opening hours, from the next day on, that is neither taken nor offered already.
func (g *generator) freeSlot(r *rand.Rand, after, offered time.Time) time.Time {
	chairs := max(1, int(g.Scale))
	for try := 0; ; try++ {
		days := 1 + int(r.ExpFloat64()*3) + try/20
		day := time.Date(after.Year(), after.Month(), after.Day()+days, 0, 0, 0, 0, g.Zone)
		slot := day.Add(time.Duration(r.IntN(int(24*time.Hour/slotLength))) * slotLength)
		free := g.Clinic.Calendar().OpenAt(slot) && g.taken[slot] < chairs && slot != offered
		if free || try == maxTries {
			return slot
		}
	}
}

// fails says whether the assistant has no reply. Only talk fails: an outcome was drawn
// already.
func (t *transcript) fails(n turn) bool {
	return n.step == talk && !t.plan.lead && t.isBadDay() && t.r.Float64() < profile.badDay.errors
}

func (t *transcript) isBadDay() bool {
	bad := t.Until.AddDate(0, 0, -profile.badDay.daysAgo)
	return t.at.YearDay() == bad.YearDay() && t.at.Year() == bad.Year()
}

func (t *transcript) latency(n turn) time.Duration {
	l := profile.latency
	if t.isBadDay() {
		l = profile.badDay.latency
	}
	if n.Tool {
		l.median *= profile.toolFactor
	}
	return min(l.seconds(t.r), 29*time.Second)
}

// model names the model that replies, and what the reply took.
func (t *transcript) model(turn int) chat.Reply {
	m := profile.models
	first := t.start().AddDate(0, m.switchMonth, m.switchDay-1)
	name := m.second
	if t.at.Before(first) {
		name = m.first
	}
	if t.r.Float64() < m.fallbackShare {
		name = m.fallback
	}
	in := (profile.tokensIn.median + profile.tokensPerTurn*float64(turn)) * lognormal{1, profile.tokensIn.sigma}.draw(t.r)
	return chat.Reply{
		Provider: source, Model: name, Public: t.Clinic.Contacts(),
		TokensIn:  int(min(in, profile.tokensInMax)),
		TokensOut: int(max(profile.tokensOutMin, min(profile.tokensOut.draw(t.r), profile.tokensOutMax))),
	}
}

// offerSlots draws two free slots, and which of them the visitor is going to take.
func (t *transcript) offerSlots() {
	t.offered[0] = t.freeSlot(t.r, t.at, t.offered[0])
	t.offered[1] = t.freeSlot(t.r, t.at, t.offered[0])
	slices.SortFunc(t.offered[:], time.Time.Compare)
	t.chosen = t.r.IntN(2)
}

// fill replaces the names of facts by the facts of the moment.
func (t *transcript) fill(text string) string {
	if strings.Contains(text, "$") {
		// A time of day ends in "m." already when it ends a sentence.
		text = strings.ReplaceAll(t.facts().Replace(text), "m..", "m.")
	}
	return strings.TrimSpace(text)
}

// facts are what texts may name; the longer of two names that begin alike comes first.
func (t *transcript) facts() *strings.Replacer {
	c, lang := t.Clinic, t.plan.habit.lang
	slot := t.offered[t.chosen]
	return strings.NewReplacer(
		"$phones", strings.Join(clinic.Numbers(c.Phones), " o "), "$phone", string(c.Phones[0]),
		"$booking", c.Links.Booking, "$map", c.Links.Map, "$email", c.Email, "$emergency", c.EmergencyInWords(),
		"$address", c.Address.String(), "$hours", c.Hours.String(), "$name", c.Name, "$tagline", c.Tagline,
		"$today", today(c.Calendar(), t.at), "$now", now(c.Calendar(), t.at),
		"$slot1", inWords(t.offered[0], lang), "$slot2", inWords(t.offered[1], lang), "$slot", inWords(slot, lang),
		"$nth", fmt.Sprint(t.chosen+1), "$pick", fmt.Sprintf("%s %d", clinic.DayName(slot.Weekday()), slot.Day()),
		"$person", t.person.Name, "$contact", t.person.written,
	)
}

func inWords(slot time.Time, lang string) string {
	if lang == "en" {
		return slot.Format("Monday 2 January, 3:04 pm")
	}
	return clinic.DayAndTime(slot)
}

func today(c clinic.Calendar, at time.Time) string {
	day := "hoy " + clinic.DayName(at.Weekday())
	if c.ClosedOn(at) {
		return "No, " + day + " estamos cerrados."
	}
	return "Sí, " + day + " atendemos de " + clinic.InWords(c.HoursOn(at)) + "."
}

func now(c clinic.Calendar, at time.Time) string {
	if closes, open := c.ClosesAt(at); open {
		return "Hoy atendemos hasta las " + clinic.Clock(closes.Hour()*60+closes.Minute()) + "."
	}
	opens, ok := c.NextOpening(at)
	if !ok {
		return ""
	}
	return "Ahora está cerrado; abrimos el " + clinic.DayAndTime(opens) + "."
}

// person is an invented visitor.
type person struct {
	chat.Contact
	// written is the contact as the visitor types it.
	written string
}

var (
	phoneForms = []string{"6900-%04d", "6900%04d", "+507 6900-%04d", "6900 %04d"}
	domains    = []string{"example.com", "example.org", "example.net"}
)

func (p people) draw(r *rand.Rand) person {
	first, last := one(r, p.First), one(r, p.Last)
	who := person{Contact: chat.Contact{Name: first + " " + last}}
	number := r.IntN(10_000)
	if r.Float64() < profile.byEmail {
		local := spelling.Unaccented(first + "." + strings.ReplaceAll(last, " ", ""))
		who.Email = fmt.Sprintf("%s%d@%s", local, number%100, one(r, domains))
		who.written = who.Email
		return who
	}
	who.Phone = fmt.Sprintf("+5076900%04d", number)
	who.written = fmt.Sprintf(one(r, phoneForms), number)
	return who
}
