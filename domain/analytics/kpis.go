package analytics

// Counts is what is counted of a cohort: the conversations that started in a period. Its fields
// are the columns of the question kpis.
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
	// TotalActiveMillis is the sum of the conversations' active time.
	TotalActiveMillis int64
	// MedianActiveMillis and P90ActiveMillis are interpolated percentiles of the
	// conversations' active time.
	MedianActiveMillis, P90ActiveMillis float64
}

// add counts one conversation of the log, as the questions count one of the tables.
func (c *Counts) add(one *recounted) {
	c.Conversations++
	c.Messages += one.messages
	c.Leads += oneIf(one.lead)
	c.Appointments += oneIf(one.appointment)
	c.CancelledAppointments += oneIf(one.cancelled)
	c.Flagged += oneIf(len(one.flags) > 0)
	c.TotalActiveMillis += one.active.Milliseconds()
}

// KPIs is the dashboard's row of numbers. Rates are percentages, durations seconds, all
// in full precision; what has no conversation to rest on is 0.
type KPIs struct {
	TotalConversations         int64   `json:"totalConversations"`
	TotalMessages              int64   `json:"totalMessages"`
	AvgMessagesPerConversation float64 `json:"avgMessagesPerConversation"`
	TotalLeads                 int64   `json:"totalLeads"`
	ConversionRate             float64 `json:"conversionRate"`
	TotalAppointments          int64   `json:"totalAppointments"`
	CancelledAppointments      int64   `json:"cancelledAppointments"`
	AvgConversationDuration    float64 `json:"avgConversationDuration"`
	MedianConversationDuration float64 `json:"medianConversationDuration"`
	P90ConversationDuration    float64 `json:"p90ConversationDuration"`
}

// KPIs divides the counts.
func (c Counts) KPIs() KPIs {
	k := KPIs{
		TotalConversations:    int64(c.Conversations),
		TotalMessages:         int64(c.Messages),
		TotalLeads:            int64(c.Leads),
		TotalAppointments:     int64(c.Appointments),
		CancelledAppointments: int64(c.CancelledAppointments),
	}
	if c.Conversations > 0 {
		k.AvgMessagesPerConversation = *c.avgMessages()
		k.ConversionRate = *c.conversionRate()
		k.AvgConversationDuration = *c.avgDuration()
		k.MedianConversationDuration = c.MedianActiveMillis / 1000
		k.P90ConversationDuration = c.P90ActiveMillis / 1000
	}
	return k
}

// Change is how the KPIs of a period differ from those of another one. A change without a base
// to measure it by is nil, never +100 %.
type Change struct {
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

// Since compares the KPIs with those of the other period.
func (k KPIs) Since(o KPIs) Change {
	return Change{
		TotalConversations:         percentChange(k.TotalConversations, o.TotalConversations),
		TotalMessages:              percentChange(k.TotalMessages, o.TotalMessages),
		TotalLeads:                 percentChange(k.TotalLeads, o.TotalLeads),
		TotalAppointments:          percentChange(k.TotalAppointments, o.TotalAppointments),
		AvgConversationDuration:    percentChange(k.AvgConversationDuration, o.AvgConversationDuration),
		AvgMessagesPerConversation: difference(k.AvgMessagesPerConversation, o.AvgMessagesPerConversation, k, o),
		ConversionRate:             difference(k.ConversionRate, o.ConversionRate, k, o),
	}
}

func (c Counts) conversionRate() *float64 { return Percent(c.Leads, c.Conversations) }

func (c Counts) avgMessages() *float64 {
	return Quotient(float64(c.Messages), float64(c.Conversations))
}

func (c Counts) avgDuration() *float64 {
	return Quotient(float64(c.TotalActiveMillis)/1000, float64(c.Conversations))
}

// Percent is a part of a whole; nil where there is no whole.
func Percent(part, whole int) *float64 { return Quotient(100*float64(part), float64(whole)) }

// Quotient is nil where there is nothing to divide by.
func Quotient(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	return new(a / b)
}

func percentChange[N int64 | float64](current, previous N) *float64 {
	return Quotient(100*float64(current-previous), float64(previous))
}

// difference compares two quotients; without conversations on either side there is none.
func difference(a, b float64, current, previous KPIs) *float64 {
	if current.TotalConversations == 0 || previous.TotalConversations == 0 {
		return nil
	}
	return new(a - b)
}
