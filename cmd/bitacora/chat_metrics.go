package main

import (
	"errors"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bitacora/adapters/assistant"
	"bitacora/domain/chat"
)

// chatMeters are what this process has counted of its conversations with visitors.
type chatMeters struct {
	turns    *prometheus.CounterVec
	duration *prometheus.HistogramVec
	failed   *prometheus.CounterVec
	urgent   prometheus.Counter
	outside  providerCollector
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
			Name: "bitacora_chat_urgent_turns_total", Help: "Visitor messages that told of an urgency.",
		}),
	}
	for _, reason := range []string{"limit", "erased", "assistant", "busy", "log"} {
		m.failed.WithLabelValues(reason) // 0 is something to be told, too
	}
	return m
}

func (m *chatMeters) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.turns, m.duration, m.failed, m.urgent, &m.outside}
}

// provider names the assistant whose provider is watched.
func (m *chatMeters) provider(a *assistant.Assistant) { m.outside.assistant = a }

// count takes down a turn. A reply that was stored before is none.
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

// providerCollector tells how the configured provider does.
type providerCollector struct{ assistant *assistant.Assistant }

// Describe implements [prometheus.Collector]. Who is watched is known later.
func (c *providerCollector) Describe(chan<- *prometheus.Desc) {}

// Collect implements [prometheus.Collector].
func (c *providerCollector) Collect(out chan<- prometheus.Metric) {
	if c.assistant == nil {
		return
	}
	standing := c.assistant.Provider()
	resting := 0.0
	if standing.Resting {
		resting = 1
	}
	out <- prometheus.MustNewConstMetric(providerAsked, prometheus.CounterValue, float64(standing.Asked), standing.Name)
	out <- prometheus.MustNewConstMetric(providerResting, prometheus.GaugeValue, resting, standing.Name)
	for reason, n := range standing.Fallbacks {
		out <- prometheus.MustNewConstMetric(providerFallback, prometheus.CounterValue, float64(n), standing.Name, reason)
	}
}
