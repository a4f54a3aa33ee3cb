package clickhouse

import (
	"context"
	_ "embed"
	"iter"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"bitacora/domain/analytics"
	"bitacora/projections"
)

//go:embed queries/export_messages.sql
var exportMessagesSQL string

// Lines gives the messages of a cohort one by one, as the server sends them: conversations
// in the order of their start, and messages in that of the conversation. An error is the last
// that it gives.
func (r *Reader) Lines(ctx context.Context, c analytics.Cohort) iter.Seq2[analytics.Line, error] {
	return stream(ctx, r, "export messages", exportMessagesSQL, cohort(c), func(row driver.Rows, l *analytics.Line) error {
		var ordinal uint32
		var sender string
		err := row.Scan(&l.ConversationID, &l.ConversationStartedAt, &ordinal, &l.SentAt, &sender, &l.Text,
			&l.Topic, &l.Provider, &l.Model, &l.LatencyMillis, &l.TokensIn, &l.TokensOut, &l.Answered,
			&l.Intent, &l.Confidence, &l.RunnerUp, &l.RunnerUpConfidence, &l.Answer, &l.Likelihood, &l.NextAnswer, &l.NextLikelihood)
		l.ConversationStartedAt, l.SentAt = l.ConversationStartedAt.UTC(), l.SentAt.UTC()
		l.Ordinal, l.Visitor = int(ordinal), sender == projections.Visitor
		return err
	})
}
