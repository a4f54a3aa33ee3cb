package staff

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"bitacora/adapters/httpapi/contract"
	"bitacora/domain/analytics"
	"bitacora/domain/event"
)

func topics(ctx context.Context, q question) (contract.Topics, error) {
	var found []analytics.Topic
	var whole int
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() (err error) { found, err = q.tables.Topics(ctx, q.Cohort); return err })
	// A conversation has several topics, so the whole is not their sum.
	parts.Go(func() (err error) { whole, err = q.tables.ConversationCount(ctx, q.Cohort); return err })
	if err := parts.Wait(); err != nil {
		return contract.Topics{}, err
	}
	answer := contract.Topics{Topics: make([]contract.TopicRow, len(found)), DataThrough: q.through.contract()}
	for i, t := range found {
		answer.Topics[i] = contract.TopicRow{
			Topic:           t.Name,
			SmallTalk:       slices.Contains(event.SmallTalk, t.Name),
			Conversations:   int64(t.Conversations),
			Share:           share(t.Conversations, whole),
			Leads:           int64(t.Leads),
			LeadRate:        share(t.Leads, t.Conversations),
			Appointments:    int64(t.Appointments),
			AppointmentRate: share(t.Appointments, t.Conversations),
			Unanswered:      int64(t.Unanswered),
		}
	}
	return answer, nil
}

// share is a percent of a whole that is never nothing, except while it grows.
func share(part, whole int) float64 {
	if p := analytics.Percent(min(part, whole), whole); p != nil {
		return *p
	}
	return 0
}

func (h *DashboardHandler) quality(ctx context.Context, q question) (contract.Quality, error) {
	found, err := q.tables.Quality(ctx, q.Cohort)
	if err != nil {
		return contract.Quality{}, err
	}
	var used *analytics.ProviderUsage
	if h.ProviderUsage != nil {
		if used, err = h.ProviderUsage(ctx, q.now); err != nil {
			return contract.Quality{}, err
		}
	}
	all := found.All
	answer := contract.Quality{
		Replies:                 int64(all.Replies),
		Failures:                int64(found.Failures),
		FailedConversations:     int64(found.FailedConversations),
		FailureRate:             analytics.Percent(found.Failures, found.Failures+all.Replies),
		Unanswered:              int64(all.Unanswered),
		UnansweredConversations: int64(found.UnansweredConversations),
		UnansweredRate:          analytics.Percent(all.Unanswered, all.Replies),
		Latency:                 latencyOf(all),
		TokensIn:                all.TokensIn,
		TokensOut:               all.TokensOut,
		Models:                  make([]contract.ModelRow, len(found.Models)),
		Provider:                providerUsage(used),
		DataThrough:             q.through.contract(),
	}
	for i, m := range found.Models {
		answer.Models[i] = contract.ModelRow{
			Provider: m.Provider, Model: m.Model, Replies: int64(m.Replies), Share: share(m.Replies, all.Replies),
			Conversations: int64(m.Conversations), Unanswered: int64(m.Unanswered),
			Latency: latencyOf(m), TokensIn: m.TokensIn, TokensOut: m.TokensOut,
		}
	}
	return answer, nil
}

func providerUsage(u *analytics.ProviderUsage) *contract.ProviderUsage {
	if u == nil {
		return nil
	}
	usage := contract.ProviderUsage{Provider: u.Provider, Tokens: int64(u.Tokens)}
	if u.TokensLimit > 0 {
		usage.TokensLimit = new(int64(u.TokensLimit))
	}
	if u.Priced {
		usage.Cost = &u.Cost
	}
	if u.CostLimit > 0 {
		usage.CostLimit = &u.CostLimit
	}
	return &usage
}

func latencyOf(r analytics.Replies) contract.Latency {
	return contract.Latency{P50: r.Seconds(0), P90: r.Seconds(1), P99: r.Seconds(2)}
}

func ratings(ctx context.Context, q question) (contract.Ratings, error) {
	all, topics, err := q.tables.Ratings(ctx, q.Cohort)
	if err != nil {
		return contract.Ratings{}, err
	}
	return contract.Ratings{All: ratingRow(all), Topics: contract.List(topics, ratingRow), DataThrough: q.through.contract()}, nil
}

func ratingRow(r analytics.Ratings) contract.RatingRow {
	return contract.RatingRow{
		Topic: r.Topic, Positive: int64(r.Positive), Negative: int64(r.Negative), Approval: r.Approval(),
		Pleased: int64(r.Pleased), Displeased: int64(r.Displeased),
	}
}

func outcomes(ctx context.Context, q question) (contract.Outcomes, error) {
	found, err := q.tables.Outcomes(ctx, q.Cohort)
	if err != nil {
		return contract.Outcomes{}, err
	}
	rows := func(grouped string) []contract.OutcomeRow {
		list := []contract.OutcomeRow{}
		for _, o := range found {
			if o.GroupedBy == grouped {
				list = append(list, contract.OutcomeRow{
					Name: o.Name, Came: int64(o.Came), Missed: int64(o.Missed), CancelledLate: int64(o.CancelledLate), MissedRate: o.MissedRate(),
				})
			}
		}
		return list
	}
	answer := contract.Outcomes{
		LeadTimes: rows(analytics.ByLeadTime), Weekdays: rows(analytics.ByWeekday), Sources: rows(analytics.BySource),
		Specialties: rows(analytics.BySpecialty), DataThrough: q.through.contract(),
	}
	if all := rows(analytics.AllOutcomes); len(all) > 0 {
		answer.All = all[0]
	}
	return answer, nil
}

// reports are the answers to six questions about one cohort, so that a page that shows them asks once.
func (h *DashboardHandler) reports(ctx context.Context, q question) (all contract.Reports, err error) {
	parts, ctx := errgroup.WithContext(ctx)
	parts.Go(func() (err error) { all.Funnel, err = funnel(ctx, q); return err })
	parts.Go(func() (err error) { all.Heatmap, err = h.heatmap(ctx, q); return err })
	parts.Go(func() (err error) { all.Topics, err = topics(ctx, q); return err })
	parts.Go(func() (err error) { all.Quality, err = h.quality(ctx, q); return err })
	parts.Go(func() (err error) { all.Ratings, err = ratings(ctx, q); return err })
	parts.Go(func() (err error) { all.Outcomes, err = outcomes(ctx, q); return err })
	return all, parts.Wait()
}
