package clickhouse

import (
	"cmp"
	"context"

	"bitacora/domain/analytics"
)

func (k checking) topics(c analytics.Cohort, want []*expected) {
	byName := map[string]analytics.Topic{}
	for _, t := range want {
		for _, name := range t.about() {
			topic := byName[name]
			topic.Name = name
			topic.Conversations++
			topic.Leads += count(t.Lead)
			topic.Appointments += count(t.Appointment)
			topic.Unanswered += count(t.Unanswered > 0)
			byName[name] = topic
		}
	}
	list, err := k.reader.Topics(context.Background(), c)
	got := map[string]analytics.Topic{}
	for _, topic := range list {
		got[topic.Name] = topic
	}
	k.same("topics", c, byName, got, err)
}

func (k checking) quality(c analytics.Cohort, want []*expected) {
	var failures, failed, unanswered int
	replies, conversations := map[string]int{}, map[string]int{}
	var latencies []float64
	var tokens int64
	for _, t := range want {
		failures += t.Failures
		failed += count(t.Failures > 0)
		unanswered += count(t.Unanswered > 0)
		replied := map[string]bool{}
		for _, l := range t.lines {
			if l.Visitor {
				continue
			}
			replies[cmp.Or(l.Model, "-")]++
			replied[cmp.Or(l.Model, "-")] = true
			if l.LatencyMillis != nil {
				latencies = append(latencies, float64(*l.LatencyMillis))
			}
			if l.TokensIn != nil {
				tokens += int64(*l.TokensIn)
			}
		}
		for model := range replied {
			conversations[model]++
		}
	}
	q, err := k.reader.Quality(context.Background(), c)
	got, opened := map[string]int{}, map[string]int{}
	sum := 0
	for _, m := range q.Models {
		got[m.Model] = m.Replies
		opened[m.Model] = m.Conversations
		sum += m.Replies
	}
	k.same("replies", c, replies, got, err)
	k.same("conversations by model", c, conversations, opened, nil)
	k.same("all replies", c, sum, q.All.Replies, nil)
	k.same("failures", c, []int{failures, failed, unanswered}, []int{q.Failures, q.FailedConversations, q.UnansweredConversations}, nil)
	k.same("tokens", c, tokens, q.All.TokensIn, nil)
	if p90 := q.All.Seconds(1); len(latencies) > 0 {
		k.same("latency", c, percentile(latencies, 0.9)/1000, *p90, nil)
	} else if p90 != nil {
		k.t.Fatalf("nothing took %v s", *p90)
	}
}
