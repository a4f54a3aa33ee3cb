package httpapi

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/chat"
	"bitacora/domain/clinic"
	"bitacora/domain/event"
)

// TestAChartsWholeIsThatOfTheCards compares the chart's period with the cards of the same one.
func TestAChartsWholeIsThatOfTheCards(t *testing.T) {
	h := newTestServer(t)
	zone := clinic.Default().Zone
	today := h.clock.Now().In(zone)
	append := func(id string, at time.Time, payloads ...event.Payload) {
		drafts := make([]event.Draft, len(payloads))
		for i, p := range payloads {
			drafts[i] = event.Draft{ID: event.DerivedID(id, fmt.Sprint(i)), OccurredAt: at.Add(time.Duration(i) * time.Minute), Payload: p}
		}
		if _, err := h.db.Log().Append(t.Context(), event.Append{Stream: chat.Stream(id), Drafts: drafts}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 20 {
		id, at := fmt.Sprint("drawn-", i), today.Add(-time.Duration(31*i)*time.Hour)
		c := event.Conversation{ConversationID: id, ConversationStartedAt: at.UTC()}
		rating := []string{event.RatedPositive, event.RatedNegative, event.RatedPositive}[i%3]
		append(id, at.UTC(),
			&event.ConversationStarted{Conversation: c, Channel: "web"},
			&event.VisitorMessageSent{Conversation: c, Progress: event.Progress{Ordinal: 1}, MessageID: "m"},
			&event.AssistantReplied{Conversation: c, Progress: event.Progress{Ordinal: 2}, ReplyTo: "m", Topic: []string{"saludo", "precios"}[i%2], Answered: i%4 != 0},
			&event.LeadCaptured{Conversation: c, HasPhone: true},
			&event.ReplyRated{Conversation: c, Ordinal: 2, ReplyTo: "m", Rating: rating},
			&event.ContactAttempted{Contact: event.Contact{Kind: "lead", ContactID: id}, Outcome: event.AttemptDone, StaffID: "s"},
		)
	}
	h.project()
	staff := h.staff()
	for _, days := range []int{1, 9, 30} {
		period := fmt.Sprintf("startDate=%s&endDate=%s&compare=previous", today.AddDate(0, 0, 1-days).Format(time.DateOnly), today.Format(time.DateOnly))
		var series contract.Timeseries
		var kpis contract.Kpis
		var ratings contract.Ratings
		var quality contract.Quality
		var topics contract.Topics
		staff.get("/api/dashboard/timeseries?"+period).into(http.StatusOK, &series)
		staff.get("/api/dashboard/kpis?"+period).into(http.StatusOK, &kpis)
		staff.get("/api/dashboard/ratings?"+period).into(http.StatusOK, &ratings)
		staff.get("/api/dashboard/quality?"+period).into(http.StatusOK, &quality)
		staff.get("/api/dashboard/topics?"+period).into(http.StatusOK, &topics)
		whole, before := series.Total, series.PreviousTotal
		if diff := cmp.Diff(
			[]any{kpis.TotalConversations, kpis.TotalMessages, kpis.TotalLeads, kpis.TotalAppointments, ratings.All.Approval, quality.UnansweredRate, new(120.0)},
			[]any{whole.Conversations, whole.Messages, whole.Leads, whole.Appointments, whole.Approval, whole.UnansweredRate, whole.FirstContact},
		); diff != "" {
			t.Errorf("%d days (-cards +chart):\n%s", days, diff)
		}
		if before == nil || before.Conversations != kpis.Comparison.Previous.TotalConversations {
			t.Errorf("%d days: before them %+v, on the card %+v", days, before, kpis.Comparison.Previous)
		}
		for _, topic := range topics.Topics {
			if topic.SmallTalk != (topic.Topic == "saludo") {
				t.Errorf("%s is small talk: %t", topic.Topic, topic.SmallTalk)
			}
		}
		var narrowed contract.Timeseries
		staff.get("/api/dashboard/timeseries?topic=precios&"+period).into(http.StatusOK, &narrowed)
		if narrowed.Total.FirstContact != nil {
			t.Errorf("%d days: contacts of a topic waited %v s", days, *narrowed.Total.FirstContact)
		}
	}
}
