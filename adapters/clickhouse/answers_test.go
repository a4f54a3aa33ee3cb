package clickhouse

import (
	"cmp"
	"context"
	"slices"
	"time"

	"bitacora/domain/analytics"
	"bitacora/domain/event"
)

func (k checking) displeasing(c analytics.Cohort, want []*expected) {
	asked, replies, from := map[string]int{}, map[string]int{}, []string{"", "a", "b"}
	for _, t := range want {
		for ordinal, r := range t.rated {
			i := slices.IndexFunc(t.lines, func(l analytics.Line) bool { return l.Ordinal == ordinal && !l.Visitor })
			if r.Rating != event.RatedNegative || i < 1 || !t.lines[i-1].Visitor || t.lines[i-1].Text == "" {
				continue
			}
			topic := cmp.Or(r.Topic, "-")
			asked[topic+": "+t.lines[i-1].Text+": "+t.lines[i].Text]++
			replies[topic]++
		}
	}
	found, err := k.reader.Displeasing(context.Background(), c)
	got, all := map[string]int{}, map[string]int{}
	for i, q := range found {
		got[q.Topic+": "+q.Text+": "+q.Reply] += q.Count
		if !slices.Contains(from, q.Answer) {
			k.t.Fatalf("it came from %q", q.Answer)
		}
		all[q.Topic] = q.Replies
		if i > 0 && found[i-1].Replies < q.Replies {
			k.t.Fatalf("%s comes after %s, which has fewer", q.Topic, found[i-1].Topic)
		}
	}
	k.same("questions rated negative", c, asked, got, err)
	k.same("replies rated negative", c, replies, all, nil)
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
