package postgres_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/tests"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/postgres"
	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/feed"
)

// Watermill's own suite, with batches of one event and a log of its own for every topic.
// TestReconnect is left out: it restarts a broker by a shell command, and loss of the
// connection has a test here.
func TestWatermillSuite(t *testing.T) {
	enginestest.Long(t)
	features := tests.Features{
		ConsumerGroups:                   true,
		GuaranteedOrder:                  true,
		Persistent:                       true,
		NewSubscriberReceivesOldMessages: true,
		ForceShort:                       true,
	}
	type test = func(*testing.T, tests.TestContext, tests.PubSubConstructor)
	for name, run := range map[string]test{
		"PublishSubscribe":                  tests.TestPublishSubscribe,
		"ConcurrentSubscribe":               tests.TestConcurrentSubscribe,
		"ConcurrentSubscribeMultipleTopics": tests.TestConcurrentSubscribeMultipleTopics,
		"ResendOnError":                     tests.TestResendOnError,
		"NoAck":                             tests.TestNoAck,
		"ContinueAfterSubscribeClose":       tests.TestContinueAfterSubscribeClose,
		"ConcurrentClose":                   tests.TestConcurrentClose,
		"ContinueAfterErrors":               tests.TestContinueAfterErrors,
		"PublishSubscribeInOrder":           tests.TestPublishSubscribeInOrder,
		"PublisherClose":                    tests.TestPublisherClose,
		"Topic":                             tests.TestTopic,
		"MessageCtx":                        tests.TestMessageCtx,
		"SubscribeCtx":                      tests.TestSubscribeCtx,
	} {
		t.Run(name, func(t *testing.T) {
			run(t, tests.TestContext{TestID: tests.NewTestID(), Features: features}, topics(t).pubSub("group"))
		})
	}
	t.Run("NewSubscriberReceivesOldMessages", func(t *testing.T) {
		logs := topics(t)
		everyoneAlone := func(t *testing.T) (message.Publisher, message.Subscriber) {
			return logs.pubSub(watermill.NewUUID())(t)
		}
		tests.TestNewSubscriberReceivesOldMessages(t, tests.TestContext{TestID: tests.NewTestID(), Features: features}, everyoneAlone)
	})
	t.Run("ConsumerGroups", func(t *testing.T) {
		logs := topics(t)
		inGroup := func(t *testing.T, group string) (message.Publisher, message.Subscriber) {
			return logs.pubSub(group)(t)
		}
		tests.TestConsumerGroups(t, tests.TestContext{TestID: tests.NewTestID(), Features: features}, inGroup)
	})
}

// topicLogs gives each topic of a test its own log.
type topicLogs struct {
	t    testing.TB
	mu   sync.Mutex
	logs map[string]*postgres.DB
}

func topics(t testing.TB) *topicLogs { return &topicLogs{t: t, logs: map[string]*postgres.DB{}} }

func (l *topicLogs) of(topic string) *postgres.DB {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.logs[topic] == nil {
		_, l.logs[topic] = fresh(l.t)
	}
	return l.logs[topic]
}

func (l *topicLogs) pubSub(group string) tests.PubSubConstructor {
	return func(*testing.T) (message.Publisher, message.Subscriber) {
		return publisher{l}, &topicSubscriber{logs: l, group: group}
	}
}

// publisher appends messages as events that carry them in their metadata.
type publisher struct{ logs *topicLogs }

func (p publisher) Publish(topic string, messages ...*message.Message) error {
	var drafts []event.Draft
	for _, msg := range messages {
		draft := opened()
		draft.Metadata = map[string]string{"uuid": msg.UUID, "payload": string(msg.Payload)}
		for key, value := range msg.Metadata {
			draft.Metadata["of message "+key] = value
		}
		drafts = append(drafts, draft)
	}
	_, err := p.logs.of(topic).Log().Append(context.Background(), request("messages", event.AnyVersion, drafts...))
	return err
}

func (p publisher) Close() error { return nil }

// topicSubscriber turns batches of one event into the messages they carry.
type topicSubscriber struct {
	logs  *topicLogs
	group string

	mu      sync.Mutex
	inner   []*feed.Subscriber
	running sync.WaitGroup
}

func (s *topicSubscriber) Subscribe(ctx context.Context, topic string) (<-chan *message.Message, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	inner := postgres.NewSubscriber(s.logs.of(topic), feed.Config{BatchSize: 1, Lease: 2 * time.Second})
	s.inner = append(s.inner, inner)
	batches, err := inner.Subscribe(ctx, s.group)
	if err != nil {
		return nil, err
	}
	messages := make(chan *message.Message)
	s.running.Go(func() {
		defer close(messages)
		for msg := range batches {
			unpack(s.logs.t, msg)
			select {
			case messages <- msg:
			case <-msg.Context().Done():
			}
		}
	})
	return messages, nil
}

func (s *topicSubscriber) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, inner := range s.inner {
		if err := inner.Close(); err != nil {
			return err
		}
	}
	s.running.Wait()
	return nil
}

func unpack(t testing.TB, msg *message.Message) {
	b, err := projections.BatchOf(msg)
	if err != nil {
		t.Error(err)
		return
	}
	carried := b.Events[0].Metadata
	msg.UUID, msg.Payload = carried["uuid"], message.Payload(carried["payload"])
	for key, value := range carried {
		if name, ok := strings.CutPrefix(key, "of message "); ok {
			msg.Metadata.Set(name, value)
		}
	}
}
