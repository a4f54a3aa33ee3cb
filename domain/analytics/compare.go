package analytics

// Comparison says how a period's KPIs differ from those of the previous one. A change
// without a base to measure it by is nil, never +100 %.
type Comparison struct {
	// Percent changes of counts and durations.
	TotalConversations      *float64
	TotalMessages           *float64
	TotalLeads              *float64
	TotalAppointments       *float64
	AvgConversationDuration *float64
	// Differences: messages per conversation, and percentage points.
	AvgMessagesPerConversation *float64
	ConversionRate             *float64
}

// Compare sets the KPIs of a period against those of its [Period.Previous].
func Compare(current, previous KPIs) Comparison {
	return Comparison{
		TotalConversations:         percentChange(float64(current.TotalConversations), float64(previous.TotalConversations)),
		TotalMessages:              percentChange(float64(current.TotalMessages), float64(previous.TotalMessages)),
		TotalLeads:                 percentChange(float64(current.TotalLeads), float64(previous.TotalLeads)),
		TotalAppointments:          percentChange(float64(current.TotalAppointments), float64(previous.TotalAppointments)),
		AvgConversationDuration:    percentChange(current.AvgConversationDuration, previous.AvgConversationDuration),
		AvgMessagesPerConversation: difference(current.AvgMessagesPerConversation, previous.AvgMessagesPerConversation, current, previous),
		ConversionRate:             difference(current.ConversionRate, previous.ConversionRate, current, previous),
	}
}

func percentChange(current, previous float64) *float64 {
	if previous == 0 {
		return nil
	}
	return new(100 * (current - previous) / previous)
}

// difference compares two quotients; without conversations on either side there is none.
func difference(a, b float64, current, previous KPIs) *float64 {
	if current.TotalConversations == 0 || previous.TotalConversations == 0 {
		return nil
	}
	return new(a - b)
}
