package analytics

import "time"

// Drawn is what is counted of a stretch of time for a chart. But for the first contacts, its fields are
// columns of the question timeseries, which leaves out the Counts that no chart draws.
type Drawn struct {
	Counts
	// Replies are those in the conversations; UnansweredReplies of them knew no answer.
	Replies, UnansweredReplies int
	// The ratings are those of the replies.
	PositiveRatings, NegativeRatings int
	// FirstContact is the median of what the contacts that arrived waited for their first contact, FirstContacts
	// how many were contacted.
	FirstContact  time.Duration
	FirstContacts int
}

// Sum adds up what is drawn of stretches; first contacts, being medians, are left out.
func Sum(stretches map[int64]Drawn) (all Drawn) {
	for _, d := range stretches {
		all.Conversations += d.Conversations
		all.Messages += d.Messages
		all.Leads += d.Leads
		all.Appointments += d.Appointments
		all.TotalActiveMillis += d.TotalActiveMillis
		all.Replies += d.Replies
		all.UnansweredReplies += d.UnansweredReplies
		all.PositiveRatings += d.PositiveRatings
		all.NegativeRatings += d.NegativeRatings
	}
	return all
}

// BucketNumbers is what a chart draws of a stretch of time. What has nothing to rest on is nil: a gap is not a
// zero.
type BucketNumbers struct {
	Conversations, Messages, Leads, Appointments int64
	// ConversionRate is in percent, AvgConversationDuration in seconds.
	ConversionRate, AvgMessagesPerConversation, AvgConversationDuration *float64
	// Approval and UnansweredRate are in percent, FirstContact in seconds.
	Approval, UnansweredRate, FirstContact *float64
}

// BucketNumbers divides the counts of a stretch of time.
func (d Drawn) BucketNumbers() BucketNumbers {
	numbers := BucketNumbers{
		Conversations:              int64(d.Conversations),
		Messages:                   int64(d.Messages),
		Leads:                      int64(d.Leads),
		Appointments:               int64(d.Appointments),
		ConversionRate:             d.conversionRate(),
		AvgMessagesPerConversation: d.avgMessages(),
		AvgConversationDuration:    d.avgDuration(),
		Approval:                   Ratings{Positive: d.PositiveRatings, Negative: d.NegativeRatings}.Approval(),
		UnansweredRate:             Percent(d.UnansweredReplies, d.Replies),
	}
	if d.FirstContacts > 0 {
		numbers.FirstContact = new(d.FirstContact.Seconds())
	}
	return numbers
}
