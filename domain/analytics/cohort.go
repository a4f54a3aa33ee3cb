package analytics

import (
	"time"

	"bitacora/domain/clinic"
)

// Cohort is what every number of the dashboard is about: the conversations that started in
// a period, as far as a filter lets them through.
type Cohort struct {
	Period
	Filter Filter
	// Hours are the opening hours, which tell what is out of hours.
	Hours clinic.Hours
}

// In is the same cohort in another period.
func (c Cohort) In(p Period) Cohort {
	c.Period = p
	return c
}

// Filter narrows a cohort. What is zero narrows nothing; a pointer to false asks for the
// conversations without something. The conditions of the analysts' view cohort have the names
// of the fields.
type Filter struct {
	Lead, Appointment, Consent *bool
	// Unanswered asks for a reply that knew no answer, Failed for a message without a reply.
	Unanswered, Failed *bool
	// Flagged asks for what the staff is to attend to, whatever it is, and Flag for one of these,
	// see [event.ConversationFlagged].
	Flagged *bool
	Flag    string
	// OutOfHours asks for a start while the clinic was closed.
	OutOfHours *bool
	// Topic is one of the conversation's, UnansweredTopic that of a reply that knew no
	// answer, Model that of a reply; [None] asks for an unknown one.
	Topic, UnansweredTopic, Model string
	// Rated asks for a reply with that rating, "positive" or "negative", and RatedTopic then for
	// one whose topic is that one.
	Rated, RatedTopic string
	// MinActive and MaxActive bound the active time, inclusive.
	MinActive, MaxActive *time.Duration
	// Weekday is that of the start, 1 for Monday to 7 for Sunday, and Hour its hour, 0 to 23.
	Weekday, Hour *int
	// Search is a text that one of the messages contains, contact details masked.
	Search string
}

// None stands for a topic or model that is not known.
const None = "-"

// WeekSpan is a time of the week, in minutes since Monday, 00:00, of the business zone.
type WeekSpan struct {
	Opens, Closes int
}

const minutesADay = 24 * 60

// Opening is when the clinic is open during a week, in order.
func (c Cohort) Opening() []WeekSpan {
	var spans []WeekSpan
	for day := range 7 {
		// Monday is the first day here, and Sunday that of [time.Weekday].
		for _, s := range c.Hours[(day+1)%7] {
			spans = append(spans, WeekSpan{day*minutesADay + s.Opens, day*minutesADay + s.Closes})
		}
	}
	return spans
}
