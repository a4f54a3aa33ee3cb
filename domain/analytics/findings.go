package analytics

import (
	"math"
	"time"
)

// Steps is how far visits and conversations got: how many to each step, and how many of
// those at a step had been at the one before.
type Steps struct {
	Conversations, Consents, Leads, Appointments int
	LeadsWithConsent, AppointmentsWithLead       int
	// QuietVisits are those without a conversation, OpenedQuietVisits those of them in which the
	// visitor opened the chat. A visit with a conversation is counted by the latter alone,
	// which implies the opening, so that no step can exceed the one before.
	QuietVisits, OpenedQuietVisits int
}

// Step is one step of the funnel.
type Step struct {
	Name  string
	Count int
	// Share is the percent of the first step, FromPrevious that of those at the step before
	// that got here as well; nil where there is nothing to rest on.
	Share, FromPrevious *float64
}

// Visited is the part of a cohort whose visits were counted, when that began at since, zero
// for not yet. It is the whole cohort, and false, where the funnel has no visits to begin
// with: before that, and where the cohort is narrowed to some conversations.
func (c Cohort) Visited(since time.Time) (Cohort, bool) {
	if c.Filter != (Filter{}) || since.IsZero() || !since.Before(c.To) {
		return c, false
	}
	if since.After(c.From) {
		c.From = since.In(c.From.Location())
	}
	return c, true
}

// Funnel names the steps of a cohort and divides. It begins with the visits, or with the
// conversations, see [Cohort.Visited].
func (s Steps) Funnel(visited bool) []Step {
	visits, opened := s.Conversations+s.QuietVisits, s.Conversations+s.OpenedQuietVisits
	steps := []Step{
		{Name: "visit", Count: visits},
		{Name: "opening", Count: opened, FromPrevious: Percent(opened, visits)},
		{Name: "conversation", Count: s.Conversations, FromPrevious: Percent(s.Conversations, opened)},
		{Name: "consent", Count: s.Consents, FromPrevious: Percent(s.Consents, s.Conversations)},
		{Name: "lead", Count: s.Leads, FromPrevious: Percent(s.LeadsWithConsent, s.Consents)},
		{Name: "appointment", Count: s.Appointments, FromPrevious: Percent(s.AppointmentsWithLead, s.Leads)},
	}
	if !visited {
		steps = steps[2:]
		steps[0].FromPrevious = nil
	}
	for i := range steps {
		steps[i].Share = Percent(steps[i].Count, steps[0].Count)
	}
	return steps
}

// Start is what is counted of the conversations that started in an hour of the week.
type Start struct {
	// Weekday is 1 for Monday to 7 for Sunday, Hour 0 to 23.
	Weekday, Hour                      int
	OutOfHours                         bool
	Conversations, Leads, Appointments int
}

// Cell is an hour of the week.
type Cell struct {
	Weekday, Hour                      int
	Conversations, Leads, Appointments int
	// OpenMinutes is how much of the hour the clinic is open.
	OpenMinutes int
}

// Heatmap is when conversations start.
type Heatmap struct {
	// Cells are 168, Monday first.
	Cells []Cell
	// All counts every conversation and Closed those that began while the clinic was closed.
	All, Closed Cell
}

// Heatmap fills the week.
func (c Cohort) Heatmap(starts []Start) Heatmap {
	h := Heatmap{Cells: make([]Cell, 7*24)}
	for i := range h.Cells {
		h.Cells[i] = Cell{Weekday: i/24 + 1, Hour: i % 24}
		for _, s := range c.Opening() {
			h.Cells[i].OpenMinutes += max(0, min(s.Closes, (i+1)*60)-max(s.Opens, i*60))
		}
	}
	for _, s := range starts {
		h.Cells[(s.Weekday-1)*24+s.Hour].add(s)
		h.All.add(s)
		if s.OutOfHours {
			h.Closed.add(s)
		}
	}
	return h
}

func (c *Cell) add(s Start) {
	c.Conversations += s.Conversations
	c.Leads += s.Leads
	c.Appointments += s.Appointments
}

// Topic is what is counted of the conversations about something.
type Topic struct {
	// Name is [None] for conversations without a topic.
	Name                                           string
	Conversations, Leads, Appointments, Unanswered int
}

// Replies is what is counted of the assistant's replies of one model, or of all.
type Replies struct {
	Provider string
	// Model is [None] where it is not known.
	Model                              string
	Replies, Unanswered, Conversations int
	TokensIn, TokensOut                int64
	// LatencyMillis are the percentiles 50, 90 and 99 of the replies whose time is known; not a
	// number when there is none.
	LatencyMillis [3]float64
}

// Seconds is one of the latency's percentiles; nil when it is not known.
func (r Replies) Seconds(percentile int) *float64 {
	if ms := r.LatencyMillis[percentile]; !math.IsNaN(ms) {
		return new(ms / 1000)
	}
	return nil
}

// Quality is how the assistant did.
type Quality struct {
	// All counts every reply, Models those of each model.
	All    Replies
	Models []Replies
	// Failures are messages without a reply, FailedConversations those in which that
	// happened, UnansweredConversations those with a reply that knew no answer.
	Failures, FailedConversations, UnansweredConversations int
}

// Ratings is what visitors think of the replies on a topic, or of all.
type Ratings struct {
	// Topic is [None] for replies without one.
	Topic              string
	Positive, Negative int
	// Pleased and Displeased are the conversations with a positive and a negative rating.
	Pleased, Displeased int
}

// Approval is the percent of the ratings that are positive; nil where there is none.
func (r Ratings) Approval() *float64 { return Percent(r.Positive, r.Positive+r.Negative) }
