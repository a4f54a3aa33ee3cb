package analytics

import (
	"math"
	"testing"
)

func TestKPIs(t *testing.T) {
	got := Counts{
		Conversations: 100, Messages: 1223, Leads: 25, Appointments: 10, CancelledAppointments: 2, Flagged: 3,
		ActiveMillis: 13_476_000, MedianActiveMillis: 108_000, P90ActiveMillis: 252_000,
	}.KPIs()
	want := KPIs{
		TotalConversations: 100, TotalMessages: 1223, AvgMessagesPerConversation: 12.23,
		TotalLeads: 25, ConversionRate: 25, TotalAppointments: 10, CancelledAppointments: 2, FlaggedConversations: 3,
		AvgConversationDuration: 134.76, MedianConversationDuration: 108, P90ConversationDuration: 252,
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestKPIsOfNothingAreZero(t *testing.T) {
	if got := (Counts{MedianActiveMillis: math.NaN(), P90ActiveMillis: math.NaN()}).KPIs(); got != (KPIs{}) {
		t.Errorf("got %+v", got)
	}
}

func TestMonthlyLimit(t *testing.T) {
	for _, c := range []struct {
		current, limit int
		want           MonthlyUsage
	}{
		{0, 1000, MonthlyUsage{0, 1000, 0, 1000, false}},
		{800, 1000, MonthlyUsage{800, 1000, 80, 200, false}},
		{999, 1000, MonthlyUsage{999, 1000, 99.9, 1, false}},
		{1000, 1000, MonthlyUsage{1000, 1000, 100, 0, true}},
		{1010, 1000, MonthlyUsage{1010, 1000, 101, 0, true}},
		{0, 0, MonthlyUsage{0, 0, 100, 0, true}},
		{3, 0, MonthlyUsage{3, 0, 100, 0, true}},
	} {
		if got := UsageOf(c.current, &c.limit); *got != c.want {
			t.Errorf("%d of %d: got %+v, want %+v", c.current, c.limit, *got, c.want)
		}
	}
	if got := UsageOf(5, nil); got != nil {
		t.Errorf("no limit configured: got %+v", *got)
	}
}

func TestCompare(t *testing.T) {
	now := KPIs{TotalConversations: 150, TotalMessages: 600, AvgMessagesPerConversation: 4, TotalLeads: 30, ConversionRate: 20, TotalAppointments: 3}
	before := KPIs{TotalConversations: 100, TotalMessages: 800, AvgMessagesPerConversation: 8, TotalLeads: 25, ConversionRate: 25}
	got := Compare(now, before)
	for name, c := range map[string]struct {
		got  *float64
		want float64
	}{
		"conversations grow by half":        {got.TotalConversations, 50},
		"messages fall by a quarter":        {got.TotalMessages, -25},
		"leads":                             {got.TotalLeads, 20},
		"rates differ in percentage points": {got.ConversionRate, -5},
		"averages differ in their own unit": {got.AvgMessagesPerConversation, -4},
	} {
		if c.got == nil || *c.got != c.want {
			t.Errorf("%s: got %v, want %v", name, c.got, c.want)
		}
	}
	if got.TotalAppointments != nil {
		t.Errorf("appointments had no base: got %v", *got.TotalAppointments)
	}
	if got := Compare(now, KPIs{}); got != (Comparison{}) {
		t.Errorf("nothing before: got %+v", got)
	}
}
