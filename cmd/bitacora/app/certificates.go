package app

import (
	"context"
	"net"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"bitacora/adapters/certificates"
	"bitacora/cmd/bitacora/command"
)

// OpenCertificates are those of BITACORA_DOMAIN, as they are stored.
func OpenCertificates(ctx context.Context, a *App) *certificates.Keeper {
	return certificates.New(ctx, certificates.Config{
		Domains: a.Config.Domains, Dir: a.Config.Certificates(), Directory: a.Config.ACMEDirectory,
		HTTPPort: portOf(a.Config.HTTPAddr), HTTPSPort: portOf(a.Config.HTTPSAddr),
		Logger: a.Log, Now: time.Now, Pause: command.Pause,
	})
}

func portOf(addr string) int {
	_, port, _ := net.SplitHostPort(addr)
	number, _ := strconv.Atoi(port)
	return number
}

// CertificateCollector tells of certificates whenever it is scraped.
type CertificateCollector func() []certificates.State

var (
	certificateEnds     = prometheus.NewDesc("bitacora_certificate_expires_timestamp_seconds", "When the certificate of a name in BITACORA_DOMAIN ends; 0 where there is none.", []string{"domain"}, nil)
	certificateLifetime = prometheus.NewDesc("bitacora_certificate_lifetime_seconds", "How long it is valid in all; it is renewed when a third is left.", []string{"domain"}, nil)
)

// Describe implements [prometheus.Collector].
func (c CertificateCollector) Describe(out chan<- *prometheus.Desc) {
	out <- certificateEnds
	out <- certificateLifetime
}

// Collect implements [prometheus.Collector].
func (c CertificateCollector) Collect(out chan<- prometheus.Metric) {
	for _, s := range c() {
		ends := 0.0
		if !s.NotAfter.IsZero() {
			ends = float64(s.NotAfter.Unix())
		}
		out <- prometheus.MustNewConstMetric(certificateEnds, prometheus.GaugeValue, ends, s.Domain)
		out <- prometheus.MustNewConstMetric(certificateLifetime, prometheus.GaugeValue, s.Lifetime().Seconds(), s.Domain)
	}
}
