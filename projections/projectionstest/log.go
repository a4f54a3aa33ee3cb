// Package projectionstest generates logs: what an installation might have recorded, with the edges
// on which numbers go wrong. It is for property tests of whatever reads the log.
package projectionstest

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"bitacora/domain/event"
)

// Edges are instants at which something begins or ends in Panama: an hour, a day that is
// another one in UTC, a month, a leap day, a year.
var Edges = []time.Time{
	time.Date(2024, 2, 29, 5, 0, 0, 0, time.UTC),
	time.Date(2024, 3, 1, 5, 0, 0, 0, time.UTC),
	time.Date(2026, 11, 1, 5, 0, 0, 0, time.UTC),
	time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC),
	time.Date(2026, 11, 21, 5, 0, 0, 0, time.UTC),
	time.Date(2027, 1, 1, 5, 0, 0, 0, time.UTC),
}

// Instant draws a time on an edge, a millisecond beside it, or within some hours of it.
func Instant() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		edge := rapid.SampledFrom(Edges).Draw(t, "edge")
		near := rapid.OneOf(rapid.Int64Range(-1, 1), rapid.Int64Range(-5*3600_000, 5*3600_000))
		return edge.Add(time.Duration(near.Draw(t, "ms")) * time.Millisecond)
	})
}

// Log draws the log of a few conversations, and of visits without one, that went on at the
// same time, from position 1.
func Log() *rapid.Generator[[]event.Recorded] {
	return rapid.Custom(func(t *rapid.T) []event.Recorded {
		var streams [][]event.Recorded
		for i := range rapid.IntRange(1, 6).Draw(t, "conversations") {
			streams = append(streams, conversation(t, fmt.Sprintf("c%d", i)))
		}
		for i := range rapid.IntRange(0, 2).Draw(t, "messages") {
			streams = append(streams, contactMessage(t, fmt.Sprintf("m%d", i)))
		}
		for range rapid.IntRange(0, 2).Draw(t, "refusals") {
			at := Instant().Draw(t, "refused")
			month := at.Add(-5 * time.Hour).UTC().Format("2006-01")
			streams = append(streams, []event.Recorded{{Stream: "refusal/" + month, OccurredAt: at, Payload: &event.ChatRefused{Month: month, Limit: 100}}})
		}
		for version := range rapid.IntRange(0, 2).Draw(t, "taught") {
			streams = append(streams, answer(t, version+1)...)
		}
		for _, read := range rapid.SliceOfN(rapid.SampledFrom(accesses), 0, 3).Draw(t, "accesses") {
			streams = append(streams, []event.Recorded{{Stream: "staff/s", OccurredAt: Instant().Draw(t, "accessed"), Payload: read}})
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "visits") {
			s := &history{Conversation: event.Conversation{ConversationID: fmt.Sprintf("v%d", i)}}
			s.visit(t, Instant().Draw(t, "visited"))
			streams = append(streams, s.events)
		}
		var log []event.Recorded
		for len(streams) > 0 {
			i := rapid.IntRange(0, len(streams)-1).Draw(t, "next")
			e := streams[i][0]
			e.Position = int64(len(log) + 1)
			e.ID = event.DerivedID("projectionstest", fmt.Sprint(e.Position))
			log = append(log, e)
			nameMasked(log)
			if streams[i] = streams[i][1:]; len(streams[i]) == 0 {
				streams = slices.Delete(streams, i, i+1)
			}
		}
		return log
	})
}

// accesses are to data of people.
var accesses = []event.Payload{
	&event.TranscriptOpened{StaffID: "s", ConversationID: "c0"}, &event.ContactMessagesOpened{StaffID: "s"},
	&event.VisitorTextsRead{StaffID: "s", List: "questions"}, &event.VisitorTextsRead{StaffID: "s", List: "contacts", Words: "hash"},
	&event.ExportTaken{StaffID: "s", Rows: "messages", Format: "csv"},
}

// nameMasked gives the messages that the last event tells of anew the ids of their own events.
func nameMasked(log []event.Recorded) {
	last := log[len(log)-1]
	masked, ok := last.Payload.(*event.TextsMasked)
	if !ok {
		return
	}
	for _, e := range log {
		var ordinal int
		switch p := e.Payload.(type) {
		case *event.VisitorMessageSent:
			ordinal = p.Ordinal
		case *event.AssistantReplied:
			ordinal = p.Ordinal
		}
		for i := range masked.Messages {
			if e.Stream == last.Stream && masked.Messages[i].Ordinal == ordinal {
				masked.Messages[i].EventID = e.ID
			}
		}
	}
}

// Batches cuts a log into runs, repeats some of them, and puts all into any order: what
// crashes, repeats and a rebuild beside live projecting make of it.
func Batches(log []event.Recorded) *rapid.Generator[[][]event.Recorded] {
	return rapid.Custom(func(t *rapid.T) [][]event.Recorded {
		var batches [][]event.Recorded
		for rest := log; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "events")
			batches = append(batches, rest[:n])
			if rapid.Bool().Draw(t, "twice") {
				batches = append(batches, rest[:n])
			}
			rest = rest[n:]
		}
		return rapid.Permutation(batches).Draw(t, "order")
	})
}

// history is a conversation while it is generated.
type history struct {
	event.Conversation
	event.Booked
	progress event.Progress
	now      time.Time
	events   []event.Recorded
	bookings map[string]booking
}

// booking is the facts that every event of a booking names.
type booking struct {
	event.AppointmentBooked
	at time.Time
}

func (s *history) add(p event.Payload) {
	s.events = append(s.events, event.Recorded{Stream: s.ConversationID, OccurredAt: s.now, Payload: p})
}

// move goes on to the next message after a pause.
func (s *history) move(pause time.Duration) {
	s.now = s.now.Add(pause)
	s.progress.Ordinal++
	s.progress.ActiveMillis += min(pause, 30*time.Minute).Milliseconds()
}

func conversation(t *rapid.T, id string) []event.Recorded {
	started := Instant().Draw(t, "started")
	s := &history{Conversation: event.Conversation{ConversationID: id, ConversationStartedAt: started}}
	var visited time.Time
	if rapid.Bool().Draw(t, "visited") {
		visited = started.Add(-pause(t))
		s.visit(t, visited)
	}
	s.now = started
	s.add(&event.ConversationStarted{
		Conversation: s.Conversation, VisitStartedAt: visited,
		Channel:  rapid.SampledFrom([]string{"web", "import", "demo"}).Draw(t, "channel"),
		Referrer: rapid.SampledFrom([]string{"", "direct", "search"}).Draw(t, "referrer"),
	})
	s.visitor("hola", 0)
	for _, step := range rapid.SliceOfN(rapid.IntRange(0, 17), 0, 12).Draw(t, "steps") {
		s.step(t, step)
	}
	return s.events
}

// visit adds a visit and who opened the chat in it, if anybody did.
func (s *history) visit(t *rapid.T, at time.Time) {
	s.now = at
	visit := event.Visit{VisitID: s.ConversationID, VisitStartedAt: at}
	s.add(&event.VisitStarted{Visit: visit})
	for _, by := range []string{event.OpenedByItself, event.OpenedByVisitor} {
		if rapid.Bool().Draw(t, "opened by "+by) {
			s.add(&event.WidgetOpened{Visit: visit, By: by})
		}
	}
}

func (s *history) visitor(text string, pause time.Duration) {
	s.move(pause)
	s.add(&event.VisitorMessageSent{Conversation: s.Conversation, Progress: s.progress, Text: event.Text{Text: text}})
}

func (s *history) step(t *rapid.T, step int) {
	switch step {
	case 0, 1:
		s.visitor("mi correo es ana@example.org", pause(t))
		s.events[len(s.events)-1].Payload.(*event.VisitorMessageSent).Masked = "mi correo es [correo]"
	case 2, 3:
		s.move(pause(t))
		s.add(&event.AssistantReplied{
			Conversation: s.Conversation, Progress: s.progress, Text: event.Text{Text: "con gusto"},
			Provider: "local", Model: rapid.SampledFrom([]string{"", "v1", "v2"}).Draw(t, "model"),
			LatencyMillis: rapid.Int64Range(0, 9000).Draw(t, "latency"),
			TokensIn:      rapid.IntRange(0, 900).Draw(t, "in"), TokensOut: rapid.IntRange(0, 90).Draw(t, "out"),
			Topic:      rapid.SampledFrom([]string{"", "precios", "horario", "seguros"}).Draw(t, "topic"),
			Answered:   rapid.Bool().Draw(t, "answered"),
			Understood: understood(t), Chosen: chosen(t),
			Sources: rapid.SampledFrom([][]string{nil, {"answer/a"}, {"answer/b", "service/a"}}).Draw(t, "sources"),
		})
	case 4:
		s.add(&event.AssistantFailed{Conversation: s.Conversation, Reason: "timeout"})
	case 5:
		s.add(&event.ConsentGiven{Conversation: s.Conversation, NoticeVersion: "1", Channel: "chat"})
		s.add(&event.LeadCaptured{Conversation: s.Conversation, HasEmail: true})
	case 6:
		booked := s.booking(t).AppointmentBooked
		s.add(&booked)
	case 10:
		s.rate(t)
	case 11:
		s.add(&event.ConversationFlagged{Conversation: s.Conversation, Flag: rapid.SampledFrom(event.Flags).Draw(t, "flag"), MessageID: "m"})
	case 12:
		s.add(&event.ConversationBound{Conversation: s.Conversation})
	case 13:
		s.mask(t)
	case 14:
		s.label(t)
	case 15:
		s.outcome(t)
	case 16:
		s.add(&event.BookingLinkShown{Conversation: s.Conversation, ReplyTo: "m"})
	case 17:
		s.add(&event.BookingLinkOpened{Conversation: s.Conversation})
	case 7:
		s.add(&event.AppointmentCancelled{Conversation: s.Conversation, BookingID: s.booking(t).BookingID, Source: "staff"})
	default:
		s.events = append(s.events, followUp(t, event.Contact{
			Kind: "lead", ContactID: s.ConversationID, ContactAt: s.ConversationStartedAt,
		}, s.now, step == 8))
	}
}

// followUp is what the staff made of a contact: a status, or a note.
func followUp(t *rapid.T, c event.Contact, at time.Time, status bool) event.Recorded {
	var p event.Payload = &event.ContactNoteAdded{Contact: c, Note: "llamar mañana", StaffID: "s1"}
	if status {
		status := rapid.SampledFrom([]string{"new", "contacted", "scheduled", "discarded"}).Draw(t, "status")
		p = &event.ContactStatusChanged{Contact: c, Status: status, StaffID: "s1"}
	}
	return event.Recorded{Stream: c.ContactID, OccurredAt: at, Payload: p}
}

func contactMessage(t *rapid.T, id string) []event.Recorded {
	at := Instant().Draw(t, "received")
	events := []event.Recorded{{Stream: id, OccurredAt: at, Payload: &event.ContactMessageReceived{ContactID: id, Channel: "web"}}}
	for _, status := range rapid.SliceOfN(rapid.Bool(), 0, 3).Draw(t, "follow-ups") {
		events = append(events, followUp(t, event.Contact{Kind: "message", ContactID: id, ContactAt: at}, at.Add(time.Hour), status))
	}
	booked := history{Conversation: event.Conversation{ConversationID: id, ConversationStartedAt: at}, Booked: event.Booked{Kind: event.KindMessage}, now: at.Add(2 * time.Hour), events: events}
	for _, step := range rapid.SliceOfN(rapid.IntRange(0, 2), 0, 3).Draw(t, "bookings") {
		switch step {
		case 0:
			b := booked.booking(t).AppointmentBooked
			booked.add(&b)
		case 1:
			booked.add(&event.AppointmentCancelled{Conversation: booked.Conversation, Booked: booked.Booked, BookingID: booked.booking(t).BookingID, Source: "staff"})
		default:
			booked.outcome(t)
		}
	}
	return booked.events
}

// answer draws a version of an answer that the staff taught, and may have taken back.
func answer(t *rapid.T, version int) [][]event.Recorded {
	at := Instant().Draw(t, "taught at")
	streams := [][]event.Recorded{{{
		Stream: event.AnswerStream("parqueo", version), OccurredAt: at, Payload: &event.AnswerTaught{Answer: event.Answer{Slug: "parqueo"}, Version: version},
	}}}
	if rapid.Bool().Draw(t, "undone") {
		streams = append(streams, []event.Recorded{{
			Stream: event.AnswerUndoneStream("parqueo", version), OccurredAt: at.Add(pause(t)), Payload: &event.AnswerUndone{Version: version},
		}})
	}
	return streams
}

// mask adds that some messages were masked anew.
func (s *history) mask(t *rapid.T) {
	masked := &event.TextsMasked{Conversation: s.Conversation}
	for _, e := range s.events {
		switch p := e.Payload.(type) {
		case *event.VisitorMessageSent:
			masked.Messages = append(masked.Messages, p.Told("", e.OccurredAt))
		case *event.AssistantReplied:
			masked.Messages = append(masked.Messages, p.Told("", e.OccurredAt))
		}
	}
	masked.Messages = slices.DeleteFunc(masked.Messages, func(event.MaskedMessage) bool { return !rapid.Bool().Draw(t, "masked") })
	for i := range masked.Messages {
		masked.Messages[i].Masked = fmt.Sprintf("[nombre] %d", len(s.events))
	}
	if len(masked.Messages) > 0 {
		s.add(masked)
	}
}

// rate adds what the visitor thinks of one of the replies, if there is any.
func (s *history) rate(t *rapid.T) {
	var replies []*event.AssistantReplied
	for _, e := range s.events {
		if p, ok := e.Payload.(*event.AssistantReplied); ok {
			replies = append(replies, p)
		}
	}
	if len(replies) == 0 {
		return
	}
	reply := rapid.SampledFrom(replies).Draw(t, "rated")
	rating := rapid.SampledFrom([]string{event.RatedPositive, event.RatedNegative, event.RatedNone}).Draw(t, "rating")
	reason := ""
	if rating == event.RatedNegative {
		reason = rapid.SampledFrom([]string{"", event.ReasonUnrelated, event.ReasonIncomplete, event.ReasonIncorrect}).Draw(t, "reason")
	}
	s.add(&event.ReplyRated{Conversation: s.Conversation, Ordinal: reply.Ordinal, ReplyTo: "m", Topic: reply.Topic, Rating: rating, Reason: reason})
}

// booking draws one of the conversation's bookings, which may move another one.
func (s *history) booking(t *rapid.T) booking {
	id := rapid.SampledFrom([]string{"b", "moved"}).Draw(t, "booking")
	b, drawn := s.bookings[id]
	if drawn {
		return b
	}
	b = booking{event.AppointmentBooked{
		Conversation: s.Conversation, Booked: s.Booked, BookingID: id, Slot: s.now.Add(time.Duration(rapid.IntRange(0, 300).Draw(t, "lead time")) * time.Hour),
		Source: rapid.SampledFrom([]string{"chat", "form", "staff"}).Draw(t, "source"), Replaces: map[string]string{"moved": "b"}[id],
		Specialty: rapid.SampledFrom([]string{"", "ortodoncia", "implantes"}).Draw(t, "specialty"), Offered: true, StaffID: "s1",
	}, s.now}
	if b.Source != "chat" && rapid.Bool().Draw(t, "of another name") {
		b.Specialty, b.Offered = "lo de Ana", false
	}
	if s.bookings == nil {
		s.bookings = map[string]booking{}
	}
	s.bookings[id] = b
	return b
}

// outcome adds what became of an appointment.
func (s *history) outcome(t *rapid.T) {
	b := s.booking(t)
	became := &event.AppointmentOutcomeRecorded{
		Conversation: s.Conversation, Booked: s.Booked, BookingID: b.BookingID, Outcome: rapid.SampledFrom(event.Outcomes).Draw(t, "outcome"),
		Source: "staff", StaffID: "s1", BookedAt: b.at, Slot: b.Slot, BookedBy: b.Source,
	}
	if b.Offered {
		became.Specialty = b.Specialty
	}
	s.add(became)
}

// understood draws what was understood of a message; at times nothing was recorded.
func understood(t *rapid.T) event.Understood {
	if rapid.Bool().Draw(t, "not recorded") {
		return event.Understood{}
	}
	return event.Understood{
		Intent: rapid.SampledFrom([]string{"precio", "horario", "otro"}).Draw(t, "intent"), Confidence: likelihood(t),
		RunnerUp: "pago", RunnerUpConfidence: likelihood(t),
	}
}

// chosen draws which answer was given; at times none.
func chosen(t *rapid.T) event.Chosen {
	if rapid.Bool().Draw(t, "no answer") {
		return event.Chosen{}
	}
	return event.Chosen{Answer: "wifi", Likelihood: likelihood(t), NextAnswer: "parqueo", NextLikelihood: likelihood(t)}
}

func likelihood(t *rapid.T) float64 {
	return float64(rapid.IntRange(0, 1000).Draw(t, "likelihood")) / 1000
}

// label dismisses one of the visitor's messages, also as earlier versions did.
func (s *history) label(t *rapid.T) {
	var ordinals []int
	for _, e := range s.events {
		if p, ok := e.Payload.(*event.VisitorMessageSent); ok {
			ordinals = append(ordinals, p.Ordinal)
		}
	}
	s.add(&event.QuestionLabelled{
		Conversation: s.Conversation, Ordinal: rapid.SampledFrom(ordinals).Draw(t, "labelled"), MessageID: "m", StaffID: "s",
		Label: event.Label{Kind: rapid.SampledFrom([]string{event.LabelSkipped, "intent"}).Draw(t, "kind"), Name: rapid.SampledFrom([]string{"", "precio"}).Draw(t, "label")},
	})
}

// pause draws the time between two messages, at times beyond what counts as active.
func pause(t *rapid.T) time.Duration {
	ms := rapid.OneOf(rapid.Int64Range(0, 60_000), rapid.Int64Range(1_799_999, 1_800_001), rapid.Int64Range(0, 7*3600_000))
	return time.Duration(ms.Draw(t, "pause")) * time.Millisecond
}
