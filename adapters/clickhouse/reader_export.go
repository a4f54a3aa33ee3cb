package clickhouse

import (
	"context"
	_ "embed"
	"fmt"
	"io"
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

// ConversationsParquet is [Reader.Conversations] as a Parquet file, in the order and with the columns of its
// query. The caller closes it; a file that breaks off ends with an error.
func (r *Reader) ConversationsParquet(ctx context.Context, c analytics.Cohort) (io.ReadCloser, error) {
	return r.parquet(ctx, conversationsSQL, listed(c, whole))
}

// LinesParquet is [Reader.Lines] in the same way.
func (r *Reader) LinesParquet(ctx context.Context, c analytics.Cohort) (io.ReadCloser, error) {
	return r.parquet(ctx, exportMessagesSQL, cohort(c))
}

func (r *Reader) parquet(ctx context.Context, query string, args []any) (file io.ReadCloser, err error) {
	err = r.ask(ctx, func(ctx context.Context, conn driver.Conn) (err error) {
		file, err = conn.QueryFormat(abandonable(ctx), "Parquet", overTables(query), args...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("export Parquet: %w", err)
	}
	return noting{file, r}, nil
}

// noting notes damage that shows while a file is read.
type noting struct {
	io.ReadCloser
	of *Reader
}

func (n noting) Read(p []byte) (int, error) {
	read, err := n.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		n.of.db.noteDamaged(n.of.build, err)
	}
	return read, err
}
