package postgres_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"bitacora/domain/event"
)

// watermillSQL is what people would use instead of the log.
type watermillSQL struct {
	pool      *pgxpool.Pool
	publisher *sql.Publisher
	logger    watermill.LoggerAdapter
}

const watermillTopic = "plain"

func newWatermill(b *testing.B, url string) watermillSQL {
	pool, err := connections(b.Context(), url, 32)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	logger := watermill.NewSlogLoggerWithLevelMapping(nil, map[slog.Level]slog.Level{slog.LevelInfo: slog.LevelDebug})
	publisher, err := sql.NewPublisher(sql.BeginnerFromPgx(pool), sql.PublisherConfig{SchemaAdapter: sql.DefaultPostgreSQLSchema{}, AutoInitializeSchema: true}, logger)
	if err != nil {
		b.Fatal(err)
	}
	return watermillSQL{pool, publisher, logger}
}

// publish publishes so many messages in one transaction, each as large as a reply.
func (w watermillSQL) publish(n int) error {
	data, _, err := event.Encode(reply().Payload)
	if err != nil {
		return err
	}
	messages := make([]*message.Message, n)
	for i := range messages {
		messages[i] = message.NewMessage(uuid.NewString(), data)
	}
	return w.publisher.Publish(watermillTopic, messages...)
}

// subscribe delivers all messages to a group.
func (w watermillSQL) subscribe(b *testing.B, group string, batch int, looks sql.BackoffManager) (*sql.Subscriber, <-chan *message.Message) {
	s, err := sql.NewSubscriber(sql.BeginnerFromPgx(w.pool), sql.SubscriberConfig{
		ConsumerGroup: group, BackoffManager: looks, InitializeSchema: true,
		SchemaAdapter: sql.DefaultPostgreSQLSchema{SubscribeBatchSize: batch}, OffsetsAdapter: sql.DefaultPostgreSQLOffsetsAdapter{},
	}, w.logger)
	if err != nil {
		b.Fatal(err)
	}
	messages, err := s.Subscribe(b.Context(), watermillTopic)
	if err != nil {
		b.Fatal(err)
	}
	return s, messages
}

// watermillReads publishes messages and gives how fast all of them are delivered.
func watermillReads(b *testing.B, url string, n, batch int) func() float64 {
	w := newWatermill(b, url)
	for left := n; left > 0; left -= 1000 {
		if err := w.publish(min(left, 1000)); err != nil {
			b.Fatal(err)
		}
	}
	exec(b, owner(b, url), "VACUUM ANALYZE")
	round := 0
	return func() float64 {
		round++
		began := time.Now()
		s, messages := w.subscribe(b, fmt.Sprint(round), batch, nil)
		defer s.Close()
		for range n {
			(<-messages).Ack()
		}
		return float64(n) / time.Since(began).Seconds()
	}
}

// looks has a subscriber of watermill-sql look for messages, at most so far apart, while it is unlocked.
type looks struct {
	sync.Mutex
	apart time.Duration
}

func (l *looks) HandleError(logger watermill.LoggerAdapter, none bool, err error) time.Duration {
	pause := sql.NewDefaultBackoffManager(l.apart, l.apart).HandleError(logger, none, err)
	if pause > 0 {
		l.Lock()
		defer l.Unlock()
		pause = rand.N(pause)
	}
	return pause
}
