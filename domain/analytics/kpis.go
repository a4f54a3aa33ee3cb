package analytics

// Counts is what is counted of a cohort: the conversations that started in a period.
type Counts struct {
	Conversations int
	// Messages are all messages of the cohort, also those sent after the period's end.
	Messages     int
	Leads        int
	Appointments int
	// CancelledAppointments are conversations whose booking was taken back and followed by
	// no other; they stay among the Appointments.
	CancelledAppointments int
	// Flagged are those that ask for the staff's attention.
	Flagged int
	// ActiveMillis is the sum of the conversations' active time.
	ActiveMillis int64
	// MedianActiveMillis and P90ActiveMillis are interpolated percentiles of the
	// conversations' active time.
	MedianActiveMillis, P90ActiveMillis float64
}

// KPIs is the dashboard's row of numbers. Rates are percentages, durations seconds, all
// in full precision; what has no conversation to rest on is 0.
type KPIs struct {
	TotalConversations         int     `json:"totalConversations"`
	TotalMessages              int     `json:"totalMessages"`
	AvgMessagesPerConversation float64 `json:"avgMessagesPerConversation"`
	TotalLeads                 int     `json:"totalLeads"`
	ConversionRate             float64 `json:"conversionRate"`
	TotalAppointments          int     `json:"totalAppointments"`
	CancelledAppointments      int     `json:"cancelledAppointments"`
	FlaggedConversations       int     `json:"flaggedConversations"`
	AvgConversationDuration    float64 `json:"avgConversationDuration"`
	MedianConversationDuration float64 `json:"medianConversationDuration"`
	P90ConversationDuration    float64 `json:"p90ConversationDuration"`
}

// KPIs divides the counts.
func (c Counts) KPIs() KPIs {
	k := KPIs{
		TotalConversations:    c.Conversations,
		TotalMessages:         c.Messages,
		TotalLeads:            c.Leads,
		TotalAppointments:     c.Appointments,
		CancelledAppointments: c.CancelledAppointments,
		FlaggedConversations:  c.Flagged,
	}
	if c.Conversations == 0 {
		return k
	}
	n := float64(c.Conversations)
	k.AvgMessagesPerConversation = float64(c.Messages) / n
	k.ConversionRate = 100 * float64(c.Leads) / n
	k.AvgConversationDuration = float64(c.ActiveMillis) / 1000 / n
	k.MedianConversationDuration = c.MedianActiveMillis / 1000
	k.P90ConversationDuration = c.P90ActiveMillis / 1000
	return k
}

// MonthlyUsage is how much of the month's allowance of conversations is used.
type MonthlyUsage struct {
	Current int
	Limit   int
	// PercentageUsed is not rounded and not capped.
	PercentageUsed float64
	Remaining      int
	LimitReached   bool
}

// UsageOf sets the conversations of the current month against the configured limit.
// It is nil when no limit is configured; a limit of 0 means that the chatbot is off.
func UsageOf(current int, limit *int) *MonthlyUsage {
	if limit == nil {
		return nil
	}
	l := MonthlyUsage{
		Current:        current,
		Limit:          *limit,
		PercentageUsed: 100,
		Remaining:      max(0, *limit-current),
		LimitReached:   current >= *limit,
	}
	if *limit > 0 {
		l.PercentageUsed = 100 * float64(current) / float64(*limit)
	}
	return &l
}
