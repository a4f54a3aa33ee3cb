package analytics

import (
	"math"
	"reflect"
	"testing"
)

// TestNoNumberIsForgotten names the field that a new number was declared in and nothing fills.
func TestNoNumberIsForgotten(t *testing.T) {
	var drawn Drawn
	for _, part := range []any{&drawn.Counts, &drawn} {
		for _, field := range reflect.ValueOf(part).Elem().Fields() {
			if field.Kind() != reflect.Struct {
				field.Set(reflect.ValueOf(1).Convert(field.Type()))
			}
		}
	}
	kpis := drawn.KPIs()
	for _, numbers := range []any{kpis, drawn.BucketNumbers(), kpis.Since(kpis)} {
		for field, value := range reflect.ValueOf(numbers).Fields() {
			if value.IsZero() {
				t.Errorf("%T.%s is derived from nothing", numbers, field.Name)
			}
		}
	}
}

func TestKPIs(t *testing.T) {
	got := Counts{
		Conversations: 100, Messages: 1223, Leads: 25, Appointments: 10, CancelledAppointments: 2, Flagged: 3,
		TotalActiveMillis: 13_476_000, MedianActiveMillis: 108_000, P90ActiveMillis: 252_000,
	}.KPIs()
	want := KPIs{
		TotalConversations: 100, TotalMessages: 1223, AvgMessagesPerConversation: 12.23,
		TotalLeads: 25, ConversionRate: 25, TotalAppointments: 10, CancelledAppointments: 2,
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

func TestCompare(t *testing.T) {
	now := KPIs{TotalConversations: 150, TotalMessages: 600, AvgMessagesPerConversation: 4, TotalLeads: 30, ConversionRate: 20, TotalAppointments: 3}
	before := KPIs{TotalConversations: 100, TotalMessages: 800, AvgMessagesPerConversation: 8, TotalLeads: 25, ConversionRate: 25}
	got := now.Since(before)
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
	if got := now.Since(KPIs{}); got != (Change{}) {
		t.Errorf("nothing before: got %+v", got)
	}
}
