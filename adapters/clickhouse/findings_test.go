package clickhouse

import (
	"cmp"
	"context"
	"time"

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

func (k checking) gaps(c analytics.Cohort, want []*expected) {
	var all analytics.Gap
	byTopic := map[string]analytics.Gap{}
	asked := map[string]int{}
	for _, t := range want {
		seen := map[string]bool{}
		for i, l := range t.lines {
			if l.Visitor || *l.Answered {
				continue
			}
			topic := cmp.Or(l.Topic, "-")
			g := byTopic[topic]
			g.Topic = topic
			g.Replies++
			g.Conversations += count(!seen[topic])
			g.LastAskedAt = latest(g.LastAskedAt, l.SentAt)
			byTopic[topic] = g
			all.Replies++
			all.Conversations += count(len(seen) == 0)
			all.LastAskedAt = latest(all.LastAskedAt, l.SentAt)
			seen[topic] = true
			if before := t.lines[i-1]; before.Visitor {
				asked[topic+": "+before.Text]++
			}
		}
	}
	total, gaps, err := k.reader.Gaps(context.Background(), c)
	got, gotAsked := map[string]analytics.Gap{}, map[string]int{}
	for _, g := range gaps {
		for _, q := range g.Questions {
			gotAsked[g.Topic+": "+q.Text] += q.Count
		}
		g.Questions = nil
		got[g.Topic] = g
	}
	if all.Replies == 0 {
		total.LastAskedAt = time.Time{}
	}
	k.same("all gaps", c, all, total, err)
	k.same("gaps", c, byTopic, got, nil)
	k.same("questions", c, asked, gotAsked, nil)
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
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
