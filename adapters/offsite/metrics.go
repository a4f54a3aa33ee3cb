package offsite

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

var (
	asOf     = prometheus.NewDesc("bitacora_offsite_as_of_timestamp_seconds", "A moment whose changes are all in the copy elsewhere; 0 where this process knows of none.", nil, nil)
	baseAt   = prometheus.NewDesc("bitacora_offsite_base_timestamp_seconds", "When the newest base backup elsewhere was begun; 0 where there is none.", nil, nil)
	sent     = prometheus.NewDesc("bitacora_offsite_bytes_total", "Bytes that were copied elsewhere, before they were compressed.", nil, nil)
	requests = prometheus.NewDesc("bitacora_offsite_requests_total", "Requests that copying took.", nil, nil)
)

// Describe implements [prometheus.Collector]. A shipper that there is not has no metrics.
func (s *Shipper) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{asOf, baseAt, sent, requests} {
		out <- d
	}
}

// Collect implements [prometheus.Collector].
func (s *Shipper) Collect(out chan<- prometheus.Metric) {
	if s == nil {
		return
	}
	st := s.Status()
	seconds := func(d *prometheus.Desc, at time.Time) {
		value := 0.0
		if !at.IsZero() {
			value = float64(at.Unix())
		}
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value)
	}
	seconds(asOf, st.AsOf)
	seconds(baseAt, st.Base)
	out <- prometheus.MustNewConstMetric(sent, prometheus.CounterValue, float64(st.Bytes))
	out <- prometheus.MustNewConstMetric(requests, prometheus.CounterValue, float64(st.Requests))
}
