package demo

import (
	"time"

	"bitacora/domain/event"
)

// profile is everything that is assumed about how a clinic's chat is used. Shares of one
// kind add up to 1 unless said otherwise; times of day are business-zone hours.
var profile = parameters{
	months:     14,
	limit:      1000,
	dailyBase:  27,
	growth:     1.015,
	dispersion: 12,

	weekday: [7]float64{
		time.Monday: 1.30, time.Tuesday: 1.15, time.Wednesday: 1.05, time.Thursday: 1.05,
		time.Friday: 0.95, time.Saturday: 0.85, time.Sunday: 0.65,
	},
	month: [13]float64{
		time.January: 1.12, time.February: 0.95, time.March: 1.02, time.April: 1.00, time.May: 0.96, time.June: 0.95,
		time.July: 1.02, time.August: 1.06, time.September: 1.00, time.October: 1.02, time.November: 0.88, time.December: 0.92,
	},
	spells: []spell{
		{time.November, 3, 5, 0.45}, {time.November, 10, 10, 0.45}, {time.November, 28, 28, 0.45},
		{time.December, 1, 18, 1.08}, {time.December, 24, 31, 0.5},
		{time.April, 16, 20, 1.12}, {time.August, 16, 20, 1.12}, {time.December, 16, 20, 1.12},
	},
	aroundEaster: []spell{{from: -50, to: -47, factor: 0.4}, {from: -3, to: -2, factor: 0.4}},
	hours: [24]float64{
		1.0, 0.5, 0.3, 0.2, 0.3, 0.8, 2.0, 4.0, 6.3, 8.0, 7.6, 6.8,
		6.4, 5.6, 5.3, 5.0, 4.9, 4.9, 5.2, 5.6, 6.3, 6.6, 4.4, 2.0,
	},
	weekendHours: [24]float64{
		1.2, 0.7, 0.4, 0.3, 0.3, 0.6, 1.5, 2.8, 4.6, 6.6, 7.6, 7.4,
		6.6, 6.0, 5.7, 5.5, 5.4, 5.3, 5.4, 5.6, 6.0, 6.2, 4.9, 3.4,
	},

	visits: visits{months: 2, talking: 0.06, opened: 0.096, uncounted: 0.07, stay: lognormal{9, 1.3}},

	fullMonth:  fullMonth{monthsAgo: 4, day: 28, returning: 0.35},
	youngMonth: youngMonth{conversations: 34, perHour: 6},

	topics: []topic{
		{"citas", 0.21, 0.46, 0.27, 0.04, []string{"limpieza-dental", "odontologia-general"}},
		{"precios", 0.17, 0.20, 0.06, 0.24, []string{"odontologia-general", "limpieza-dental"}},
		{"ortodoncia", 0.11, 0.27, 0.11, 0.05, []string{"ortodoncia"}},
		{"dolor", 0.11, 0.33, 0.19, 0.05, []string{"odontologia-general", "muelas-del-juicio", "endodoncia"}},
		{"horario", 0.10, 0.06, 0.02, 0.02, []string{"odontologia-general"}},
		{"implantes", 0.07, 0.29, 0.10, 0.06, []string{"implantes-dentales"}},
		{"seguros", 0.06, 0.14, 0.05, 0.31, []string{"odontologia-general"}},
		{"limpieza", 0.06, 0.26, 0.14, 0.04, []string{"limpieza-dental", "blanqueamiento-dental"}},
		{"sonrisa", 0.04, 0.28, 0.10, 0.04, []string{"diseno-sonrisa"}},
		{"endodoncia", 0.03, 0.22, 0.09, 0.05, []string{"endodoncia", "periodoncia", "rehabilitacion-oral"}},
		{"doctores", 0.02, 0.15, 0.06, 0.10, []string{"odontologia-general"}},
		{"otro", 0.02, 0.01, 0.00, 0.20, []string{"odontologia-general"}},
	},
	leadScale: 0.78, bookingScale: 0.74, outOfHoursLead: 0.03,
	referrers:      []referrer{{"direct", 0.35, 0.27}, {"search", 0.45, 0.22}, {"social", 0.20, 0.14}},
	bookingSources: []weighted{{"chat", 0.70}, {"form", 0.20}, {"staff", 0.10}},
	cancelled:      0.06, byEmail: 0.22,
	contactMessages: 0.04, asksForData: 0.03, calledBack: 0.94, putOff: 0.5, noted: 0.5, givenUp: 0.3, wonOver: 0.4,
	taughtDaysAgo: 24,
	marked:        0.96, missed: 0.07, missedByDay: 0.012, cancelledLate: 0.05, unmarked: 0.02, moved: 0.07, dismissed: 0.1,
	attention: []weighted{{event.FlagComplaint, 0.03}, {event.FlagCallback, 0.02}, {event.FlagEmergency, 0.0015}, {event.FlagCrisis, 0.001}},
	rated:     0.09, liked: 0.9, likedUnanswered: 0.35, unrated: 0.04, linkOpened: 0.3,

	turns:     []int{0, 16, 18, 13, 18, 14, 9, 13, 12, 7, 5, 4, 5, 5, 1, 2, 1, 0, 1, 0, 1, 1},
	leadTurns: 4, bookingTurns: 6,

	english: 0.04, capitals: 0.03, sloppy: 0.2,
	noAccents: 0.5, typo: 0.08, greets: 0.3, onlyGreets: 0.4, gibberish: 0.11, corrects: 0.08, digresses: 0.25, thanks: 0.5,

	think: lognormal{14, 0.9}, latency: lognormal{1.7, 0.55}, toolFactor: 2,
	pauses: 0.04, pauseFrom: 10 * time.Minute, pauseTo: 90 * time.Minute, abandoned: 0.02,
	badDay:   badDay{daysAgo: 16, latency: lognormal{6.1, 0.55}, errors: 0.06},
	models:   models{first: "asistente-1", second: "asistente-2", fallback: "asistente-mini", switchMonth: 5, switchDay: 12, fallbackShare: 0.03},
	tokensIn: lognormal{900, 0.12}, tokensPerTurn: 110, tokensInMax: 2400, tokensOut: lognormal{105, 0.28}, tokensOutMin: 60, tokensOutMax: 180,

	late: 0.002, lateBy: 36 * time.Hour, repeated: 0.0005, repeatedBy: 10 * time.Minute,
}

type parameters struct {
	// months of history before the current one, and conversations allowed in each.
	months, limit int
	// dailyBase is the mean of an ordinary day of the newest month; each month before
	// it is smaller by the factor growth. dispersion is the k of the negative binomial.
	dailyBase, growth, dispersion float64
	weekday                       [7]float64
	month                         [13]float64
	// spells are days of the year with more or fewer visitors; aroundEaster counts its
	// days from Easter Sunday: Carnival, and Holy Thursday and Friday.
	spells, aroundEaster []spell
	// hours are shares of 100 by the hour of the day.
	hours, weekendHours [24]float64

	visits     visits
	fullMonth  fullMonth
	youngMonth youngMonth

	topics []topic
	// leadScale and bookingScale bring the topics' rates to the totals; outOfHoursLead
	// is the difference between closed and open hours, in share of conversations.
	leadScale, bookingScale, outOfHoursLead float64
	referrers                               []referrer
	bookingSources                          []weighted
	// contactMessages are those of the contact form for each conversation, asksForData is the share of leads who want
	// a copy of their data, calledBack the share of contacts that the staff called back, putOff of those not at once,
	// noted that of calls with a note, givenUp and wonOver what comes of the others in the end.
	contactMessages, asksForData, calledBack, putOff, noted, givenUp, wonOver float64
	// taughtDaysAgo is how long the taught answers hold.
	taughtDaysAgo int
	// marked are the appointments whose outcome the staff records, missed and cancelledLate the shares of these; missedByDay is
	// added for each day between booking and appointment. unmarked is the share of outcomes that the staff takes back, moved that
	// of bookings that it moves to another time, dismissed that of questions without an answer that it dismisses.
	marked, missed, missedByDay, cancelledLate, unmarked, moved, dismissed float64
	// cancelled is the share of bookings taken back, byEmail that of leads with an
	// address instead of a number.
	cancelled, byEmail float64
	// attention are the shares of the conversations with time to talk in which the staff is to hear
	// of something. They do not add up to 1.
	attention []weighted
	// rated is the share of conversations in which a reply is judged, liked that of the good
	// judgements on replies with an answer, likedUnanswered that on those without, unrated that of those taken back.
	rated, liked, likedUnanswered, unrated float64
	// linkOpened is the share of conversations with a booking link in which it is followed.
	linkOpened float64

	// turns[n] is the weight of conversations with n visitor messages.
	turns                   []int
	leadTurns, bookingTurns int

	// Shares of conversations.
	english, capitals, sloppy float64
	// Shares of messages, of conversations that may, and of turns without a purpose.
	noAccents, typo, greets, onlyGreets, gibberish, corrects, digresses, thanks float64

	// think and latency are in seconds.
	think, latency     lognormal
	toolFactor         float64
	pauses             float64
	pauseFrom, pauseTo time.Duration
	// abandoned is the share of conversations that end on a message without a reply.
	abandoned                  float64
	badDay                     badDay
	models                     models
	tokensIn                   lognormal
	tokensPerTurn, tokensInMax float64
	tokensOut                  lognormal
	tokensOutMin, tokensOutMax float64

	// Shares of conversations that reach the log late, or twice.
	late       float64
	lateBy     time.Duration
	repeated   float64
	repeatedBy time.Duration
}

// spell is a run of days, both included, on which the day's mean is multiplied.
type spell struct {
	month    time.Month
	from, to int
	factor   float64
}

// visits are what the site counts since so many whole months before the current one: the
// share of visits in which a conversation begins, that of the others in which the visitor
// opens the chat, and that of conversations whose visit is not counted because the browser
// asks for it. stay is how long the others last, in seconds.
type visits struct {
	months                     int
	talking, opened, uncounted float64
	stay                       lognormal
}

// fullMonth is the one that reaches the limit on the given day. returning is the share
// of those turned away that tried at all.
type fullMonth struct {
	monthsAgo, day int
	returning      float64
}

// youngMonth is how busy a current month that has just begun is made: so many
// conversations, but no more of them than perHour since it began.
type youngMonth struct {
	conversations, perHour float64
}

// topic is what a conversation is about: its share, the rates of leads and bookings
// before scaling, the share of its questions without an answer, and what is booked.
type topic struct {
	name                             string
	share, lead, booking, unanswered float64
	specialties                      []string
}

type referrer struct {
	name        string
	share, lead float64
}

type weighted struct {
	name  string
	share float64
}

// lognormal is a distribution given by its median and the deviation of its logarithm.
type lognormal struct{ median, sigma float64 }

// badDay is one on which the assistant was slow and failed, counted back from the end.
type badDay struct {
	daysAgo int
	latency lognormal
	errors  float64
}

// models are the names in the transcripts. The second takes over in the given month of
// the history, on the given day.
type models struct {
	first, second, fallback string
	switchMonth, switchDay  int
	fallbackShare           float64
}
