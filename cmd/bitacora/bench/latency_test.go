package bench

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/cmd/bitacora/programtest"
)

// BenchmarkMessageToKPI measures the way of a message from the visitor's POST to the
// number on the dashboard, at 50 and at 500 messages a second. The control is the POST alone: what
// the visitor waits for.
func BenchmarkMessageToKPI(b *testing.B) {
	for _, perSecond := range []int{50, 500} {
		b.Run(fmt.Sprint("messages/s=", perSecond), func(b *testing.B) { benchmarkMessageToKPI(b, sized(perSecond, 20)) })
	}
}

func benchmarkMessageToKPI(b *testing.B, perSecond int) {
	// A visitor writes every five seconds: nobody before being answered.
	conversations, seconds := 5*perSecond, sized(20, 2)
	p := programtest.NewEmbedded(b)
	p.Start()
	cookie := p.SignIn()
	p.Rest()
	var posts sync.WaitGroup
	var mu sync.Mutex
	var sent, answered []time.Time // of each answered message, in the order of the answers
	var failures atomic.Int64
	seen := make(chan []sighting)
	stop := make(chan struct{})
	go func() { seen <- watch(p, cookie, stop) }()

	b.ResetTimer()
	tick := time.NewTicker(time.Second / time.Duration(perSecond))
	defer tick.Stop()
	for i := range perSecond * seconds {
		<-tick.C
		posts.Go(func() {
			began := time.Now()
			err := p.Post("/api/chatbot", map[string]string{"sessionId": fmt.Sprint("s-", i%conversations), "message": "¿Cuál es el horario?"}, nil)
			if err != nil {
				failures.Add(1)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			sent, answered = append(sent, began), append(answered, time.Now())
		})
	}
	posts.Wait()
	b.StopTimer()
	time.Sleep(2 * time.Second)
	close(stop)
	sightings := <-seen
	if failures.Load() > 0 {
		b.Errorf("%d messages were not answered", failures.Load())
	}
	var visible, answer []time.Duration
	for i := range sent {
		// The n-th answered message is surely counted when 2n messages are.
		at, ok := firstWith(sightings, 2*(i+1))
		if !ok {
			b.Fatalf("message %d of %d never became visible", i+1, len(sent))
		}
		visible, answer = append(visible, at.Sub(sent[i])), append(answer, answered[i].Sub(sent[i]))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(millis(visible, 50), "visible-p50-ms")
	b.ReportMetric(millis(visible, 99), "visible-p99-ms")
	b.ReportMetric(millis(answer, 50), "answer-p50-ms")
	b.ReportMetric(millis(answer, 99), "answer-p99-ms")
	b.ReportMetric(millis(visible, 99)/millis(answer, 99), "p99-ratio")
}

// sighting is what the dashboard said at a time.
type sighting struct {
	at       time.Time
	messages int
}

// watch asks the dashboard again and again.
func watch(p *programtest.Program, cookie string, stop chan struct{}) []sighting {
	var seen []sighting
	for {
		select {
		case <-stop:
			return seen
		case <-time.After(5 * time.Millisecond):
		}
		var kpis struct{ TotalMessages int }
		if err := p.Get("/api/dashboard/kpis", cookie, &kpis); err == nil {
			seen = append(seen, sighting{time.Now(), kpis.TotalMessages})
		}
	}
}

func firstWith(seen []sighting, messages int) (time.Time, bool) {
	i := slices.IndexFunc(seen, func(s sighting) bool { return s.messages >= messages })
	if i < 0 {
		return time.Time{}, false
	}
	return seen[i].at, true
}

func millis(times []time.Duration, percent int) float64 {
	slices.Sort(times)
	return float64(times[len(times)*percent/100].Microseconds()) / 1000
}
