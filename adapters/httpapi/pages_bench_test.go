package httpapi

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"bitacora/adapters/render"
	"bitacora/webapp"
)

// BenchmarkServe asks for a page that was asked for before, in turns with a chi handler that writes the same
// bytes: "ratio" is the median over the rounds, of the time of the processor, client included.
func BenchmarkServe(b *testing.B) {
	const rounds, requests = 61, 30
	bundle, err := webapp.Pages()
	if err != nil {
		b.Fatalf("npm run build comes first: %v", err)
	}
	pages, err := render.New(bundle)
	if err != nil {
		b.Fatal(err)
	}
	h := newTestServer(b, func(h *testServer) { h.config.Site.Pages, h.config.Site.Build = pages, webapp.Dist() })
	site := httptest.NewServer(h.handler)
	defer site.Close()
	constant := chi.NewRouter()
	var body []byte
	constant.Get("/*", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) })
	control := httptest.NewServer(constant)
	defer control.Close()
	for name, coding := range map[string]string{"plain": "identity", "brotli": "br"} {
		b.Run(name, func(b *testing.B) {
			body = read(b, site.URL, coding)
			took := func(url string) time.Duration {
				began := processor(b)
				for range requests {
					read(b, url, coding)
				}
				return processor(b) - began
			}
			var ratios []float64
			for b.Loop() {
				ratios = ratios[:0]
				for range rounds {
					constant := took(control.URL)
					ratios = append(ratios, float64(constant)/float64(took(site.URL)))
				}
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[0], "least-ratio")
			b.ReportMetric(ratios[rounds/2], "ratio")
			b.ReportMetric(ratios[rounds-1], "greatest-ratio")
		})
	}
}

// processor is how long this process has had the processor.
func processor(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func read(b *testing.B, url, coding string) []byte {
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url, nil)
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", coding)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != http.StatusOK || len(body) < 1000 {
		b.Fatal(a.Status, len(body), err)
	}
	return body
}
