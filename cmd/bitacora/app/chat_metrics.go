package app

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bitacora/adapters/assistant"
	"bitacora/adapters/httpapi/visitor"
	"bitacora/domain/chat"
)

// chatMeters are what this process has counted of its conversations with visitors.
type chatMeters struct {
	turns    *prometheus.CounterVec
	duration *prometheus.HistogramVec
	failed   *prometheus.CounterVec
	urgent   prometheus.Counter
	provider providerCollector
}

func newChatMeters() *chatMeters {
	m := &chatMeters{
		turns: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bitacora_chat_turns_total", Help: "Visitor messages that got a new reply, by who answered, topic, and whether the clinic had an answer.",
		}, []string{"provider", "topic", "answered"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "bitacora_chat_turn_duration_seconds", Help: "Time from a visitor's message to its stored reply.",
			Buckets: []float64{.0025, .005, .01, .02, .03, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 40},
		}, []string{"provider"}),
		failed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bitacora_chat_failures_total", Help: "Visitor messages that got no reply, by reason.",
		}, []string{"reason"}),
		urgent: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "bitacora_chat_urgent_turns_total", Help: "Visitor messages about an urgency.",
		}),
	}
	for _, reason := range []string{"limit", "erased", "assistant", "busy", "log"} {
		m.failed.WithLabelValues(reason) // a reason that did not occur yet counts 0
	}
	return m
}

func (m *chatMeters) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.turns, m.duration, m.failed, m.urgent, &m.provider}
}

// Watch counts what becomes of the questions to an assistant's provider.
func (m *chatMeters) Watch(a *assistant.Assistant) { m.provider.assistant = a }

// MeteredChat counts the turns of a chat service.
type MeteredChat struct {
	visitor.Chat
	Meters *chatMeters
}

// Receive implements [visitor.Chat].
func (c MeteredChat) Receive(ctx context.Context, m chat.Message) (chat.Answer, error) {
	began := time.Now()
	answer, err := c.Chat.Receive(ctx, m)
	c.Meters.count(answer, errors.Join(err, answer.Unstored), time.Since(began))
	if answer.Unstored != nil {
		slog.WarnContext(ctx, "somebody in danger was answered, and the message is not stored", "error", answer.Unstored)
	}
	return answer, err
}

// count adds a turn. A reply that was stored before is none.
func (m *chatMeters) count(a chat.Answer, err error, took time.Duration) {
	var invalid chat.Invalid
	switch {
	case errors.As(err, &invalid):
	case errors.Is(err, chat.ErrLimitReached):
		m.failed.WithLabelValues("limit").Inc()
	case errors.Is(err, chat.ErrErased):
		m.failed.WithLabelValues("erased").Inc()
	case errors.Is(err, chat.ErrBusy):
		m.failed.WithLabelValues("busy").Inc()
	case errors.Is(err, chat.ErrAssistantFailed):
		m.failed.WithLabelValues("assistant").Inc()
	case err != nil:
		m.failed.WithLabelValues("log").Inc()
	case a.Insight != nil:
		r := a.Insight.Reply
		m.turns.WithLabelValues(r.Provider, r.Topic, strconv.FormatBool(r.Answered)).Inc()
		m.duration.WithLabelValues(r.Provider).Observe(took.Seconds())
		if a.Insight.Understood.Urgent {
			m.urgent.Inc()
		}
	}
}

var (
	providerAsked    = prometheus.NewDesc("bitacora_assistant_provider_asked_total", "Questions that a provider was to answer.", []string{"provider"}, nil)
	providerFallback = prometheus.NewDesc("bitacora_assistant_fallbacks_total", "Questions that the embedded assistant answered in a provider's place, by reason.", []string{"provider", "reason"}, nil)
	providerResting  = prometheus.NewDesc("bitacora_assistant_provider_resting", "1 while a provider is left alone after repeated failures.", []string{"provider"}, nil)
)

// providerCollector measures how the configured provider does.
type providerCollector struct{ assistant *assistant.Assistant }

// Describe implements [prometheus.Collector].
func (c *providerCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{providerAsked, providerFallback, providerResting} {
		out <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *providerCollector) Collect(out chan<- prometheus.Metric) {
	if c.assistant == nil {
		return
	}
	status := c.assistant.Provider()
	resting := 0.0
	if status.CircuitOpen {
		resting = 1
	}
	out <- prometheus.MustNewConstMetric(providerAsked, prometheus.CounterValue, float64(status.Asked), status.Name)
	out <- prometheus.MustNewConstMetric(providerResting, prometheus.GaugeValue, resting, status.Name)
	for reason, n := range status.Fallbacks {
		out <- prometheus.MustNewConstMetric(providerFallback, prometheus.CounterValue, float64(n), status.Name, reason)
	}
}
