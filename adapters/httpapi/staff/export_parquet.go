package staff

import (
	"iter"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"bitacora/domain/analytics"
	"bitacora/projections"
)

// rowGroup is how many rows of a Parquet file are kept in memory until they are written together.
const rowGroup = 20_000

// writeParquet writes rows as the database sends them, a row group at a time.
func writeParquet[Row, Record any](d *download, rows iter.Seq2[Row, error], recordOf func(Row) Record) error {
	file := parquet.NewGenericWriter[Record](d, parquet.MaxRowsPerRowGroup(rowGroup), parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest}))
	for row, err := range rows {
		if err != nil {
			return err
		}
		if _, err := file.Write([]Record{recordOf(row)}); err != nil {
			return err
		}
	}
	return file.Close()
}

// conversationRecord and lineRecord name their columns as the analysts' views do.
type conversationRecord struct {
	ID              string    `parquet:"conversation_id"`
	StartedAt       time.Time `parquet:"started_at,timestamp(millisecond)"`
	LastMessageAt   time.Time `parquet:"last_message_at,timestamp(millisecond)"`
	Messages        uint32    `parquet:"message_count"`
	VisitorMessages uint32    `parquet:"visitor_messages"`
	ActiveMillis    uint64    `parquet:"active_ms"`
	Consent         bool      `parquet:"consent"`
	Lead            bool      `parquet:"lead"`
	Appointment     bool      `parquet:"appointment"`
	Cancelled       bool      `parquet:"appointment_cancelled"`
	BookingSources  []string  `parquet:"booking_sources,list"`
	Topics          []string  `parquet:"topics,list"`
	Flags           []string  `parquet:"flags,list"`
	Unanswered      uint32    `parquet:"unanswered"`
	Failures        uint32    `parquet:"failures"`
	OutOfHours      bool      `parquet:"out_of_hours"`
	Channel         string    `parquet:"channel,dict"`
	Referrer        string    `parquet:"referrer,dict"`
}

func recordOfConversation(c analytics.Conversation) conversationRecord {
	return conversationRecord{
		ID:              c.ID,
		StartedAt:       c.StartedAt,
		LastMessageAt:   c.LastMessageAt,
		Messages:        uint32(c.Messages),
		VisitorMessages: uint32(c.VisitorMessages),
		ActiveMillis:    uint64(c.Active.Milliseconds()),
		Consent:         c.Consent,
		Lead:            c.Lead,
		Appointment:     c.Appointment,
		Cancelled:       c.Cancelled,
		BookingSources:  c.BookingSources,
		Topics:          c.Topics,
		Flags:           c.Flags,
		Unanswered:      uint32(c.Unanswered),
		Failures:        uint32(c.Failures),
		OutOfHours:      c.OutOfHours,
		Channel:         c.Channel,
		Referrer:        c.Referrer,
	}
}

type lineRecord struct {
	ConversationID        string    `parquet:"conversation_id"`
	ConversationStartedAt time.Time `parquet:"conversation_started_at,timestamp(millisecond)"`
	Ordinal               uint32    `parquet:"ordinal"`
	SentAt                time.Time `parquet:"sent_at,timestamp(millisecond)"`
	Sender                string    `parquet:"sender,dict"`
	Text                  string    `parquet:"text"`
	Topic                 string    `parquet:"topic,dict"`
	Provider              string    `parquet:"provider,dict"`
	Model                 string    `parquet:"model,dict"`
	LatencyMillis         *uint32   `parquet:"latency_ms"`
	TokensIn              *uint32   `parquet:"tokens_in"`
	TokensOut             *uint32   `parquet:"tokens_out"`
	Answered              *bool     `parquet:"answered"`
	Intent                string    `parquet:"intent,dict"`
	Confidence            *float32  `parquet:"confidence"`
	RunnerUp              string    `parquet:"runner_up,dict"`
	RunnerUpConfidence    *float32  `parquet:"runner_up_confidence"`
	Answer                string    `parquet:"answer,dict"`
	Likelihood            *float32  `parquet:"likelihood"`
	NextAnswer            string    `parquet:"next_answer,dict"`
	NextLikelihood        *float32  `parquet:"next_likelihood"`
}

func recordOfLine(l analytics.Line) lineRecord {
	sender := projections.Assistant
	if l.Visitor {
		sender = projections.Visitor
	}
	return lineRecord{
		ConversationID:        l.ConversationID,
		ConversationStartedAt: l.ConversationStartedAt,
		Ordinal:               uint32(l.Ordinal),
		SentAt:                l.SentAt,
		Sender:                sender,
		Text:                  l.Text,
		Topic:                 l.Topic,
		Provider:              l.Provider,
		Model:                 l.Model,
		LatencyMillis:         l.LatencyMillis,
		TokensIn:              l.TokensIn,
		TokensOut:             l.TokensOut,
		Answered:              l.Answered,
		Intent:                l.Intent,
		Confidence:            l.Confidence,
		RunnerUp:              l.RunnerUp,
		RunnerUpConfidence:    l.RunnerUpConfidence,
		Answer:                l.Answer,
		Likelihood:            l.Likelihood,
		NextAnswer:            l.NextAnswer,
		NextLikelihood:        l.NextLikelihood,
	}
}
