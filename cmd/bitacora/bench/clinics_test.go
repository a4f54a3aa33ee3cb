package bench

import (
	"flag"
	"sync"
	"testing"
	"time"

	"bitacora/cmd/bitacora/programtest"
)

var clinics = flag.Int("clinics", 10, "clinics on one machine")

// BenchmarkClinics measures what each of several clinics on one machine costs, each with its own data
// directory and engines: the memory of all its processes at rest (shared pages counted in proportion), its
// start with data, and the turns of its visitors, two a second at each clinic. The control of all three is the
// first clinic alone, in the same run.
func BenchmarkClinics(b *testing.B) {
	const perSecond = 2
	patience := sized(30*time.Second, time.Second)
	all := make([]*visitors, sized(*clinics, 2))
	for i := range all {
		all[i] = &visitors{Program: programtest.NewEmbedded(b)}
		all[i].Start()
		closedLoop(1, sized(50, 5), all[i].turn)
		all[i].Stop()
	}

	first := all[0]
	alone := startAgain(first)
	b.ReportMetric(alone.Seconds(), "start-alone-s")
	b.ReportMetric(proportional(b, family(b, first.Running.Process.Pid)), "PSS-alone-MB")
	turns := openLoop(perSecond, patience, first.turn)
	b.ReportMetric(millis(turns, 50), "turn-p50-alone-ms")
	b.ReportMetric(millis(turns, 99), "turn-p99-alone-ms")

	var last time.Duration
	for _, v := range all[1:] {
		last = startAgain(v)
	}
	b.ReportMetric(last.Seconds(), "start-last-s")
	b.ReportMetric(last.Seconds()/alone.Seconds(), "start-ratio")
	sum := 0.0
	for _, v := range all {
		sum += proportional(b, family(b, v.Running.Process.Pid))
	}
	b.ReportMetric(sum/float64(len(all)), "PSS-each-MB")

	took := make([][]time.Duration, len(all))
	var running sync.WaitGroup
	for i, v := range all {
		running.Go(func() { took[i] = openLoop(perSecond, patience, v.turn) })
	}
	running.Wait()
	var together []time.Duration
	for i, v := range all {
		together = append(together, took[i]...)
		v.allAnswered(b)
	}
	b.ReportMetric(millis(together, 50), "turn-p50-each-ms")
	b.ReportMetric(millis(together, 99), "turn-p99-each-ms")
	b.ReportMetric(millis(together, 99)/millis(turns, 99), "p99-ratio")
}

// startAgain is how long a program that has its data takes until it is ready.
func startAgain(v *visitors) time.Duration {
	began := time.Now()
	v.Start()
	return time.Since(began)
}
