package clickhouse

import (
	"context"
	"slices"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
)

// questions are held against the log, which all is made of.
func (k checking) questions(c analytics.Cohort, all, cohort []*expected) {
	dismissed := map[string]bool{}
	for _, t := range all {
		for _, ordinal := range t.dismissed {
			dismissed[t.lines[ordinal-1].Text] = true
		}
	}
	want := map[string]analytics.Question{}
	for _, t := range cohort {
		for i, l := range t.lines {
			if l.Visitor || i == 0 || !t.lines[i-1].Visitor || t.lines[i-1].Text == "" {
				continue
			}
			negative := t.rated[l.Ordinal].Rating == event.RatedNegative
			unsure := l.Confidence != nil && float64(float32(*l.Confidence)) < analytics.UnsureBelow
			if *l.Answered && !negative && !unsure {
				continue
			}
			text := t.lines[i-1].Text
			q := want[text]
			q.Count++
			q.Unanswered += count(!*l.Answered)
			q.Negative += count(negative)
			q.Unsure += count(unsure)
			if dismissed[text] {
				q.Settled = "dismissed"
			}
			want[text] = q
		}
	}
	found, total, err := k.reader.Questions(context.Background(), analytics.QuestionList{Cohort: c, Limit: 1000})
	got := map[string]analytics.Question{}
	for i, q := range found {
		if !slices.Contains([]string{"", "a", "b"}, q.Answer) {
			k.t.Fatalf("it came from %q", q.Answer)
		}
		if i > 0 && found[i-1].Count < q.Count {
			k.t.Fatalf("%q comes after %q, which is less frequent", q.Text, found[i-1].Text)
		}
		got[q.Text] = analytics.Question{Count: q.Count, Unanswered: q.Unanswered, Negative: q.Negative, Unsure: q.Unsure, Settled: q.Settled}
	}
	k.same("questions", c, want, got, err)
	k.same("all questions", c, len(want), total, nil)
}

// effects are held against the log at an instant at which answers were taught.
func (k checking) effects(at time.Time, log []event.Recorded) {
	want := map[string]analytics.Effect{"a": {Slug: "a"}, "b": {Slug: "b"}}
	replied := false
	for _, e := range log {
		p, ok := e.Payload.(*event.AssistantReplied)
		if !ok || e.OccurredAt.Before(at.Add(-analytics.EffectSpan)) {
			continue
		}
		replied = true
		for slug, effect := range want {
			side := &effect.After
			if e.OccurredAt.Before(at) {
				side = &effect.Before
			} else if slices.Contains(p.Sources, "answer/"+slug) {
				effect.Uses++
			}
			if e.OccurredAt.Before(at.Add(analytics.EffectSpan)) {
				side.Replies++
				side.Unanswered += count(!p.Answered)
			}
			want[slug] = effect
		}
	}
	if !replied {
		want = map[string]analytics.Effect{}
	}
	got, err := k.reader.Effects(context.Background(), []analytics.Taught{{Slug: "a", At: at}, {Slug: "b", At: at}})
	k.same("taught answers", analytics.Cohort{Period: analytics.Period{From: at}}, want, got, err)
}
