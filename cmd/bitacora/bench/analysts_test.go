package bench

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/programtest"
)

// BenchmarkBesideAnalysts measures the dashboard's numbers of a demo and a reply of the chat, alone and beside ten
// unending questions, in turns: of analysts, and of a user without their workload. It reports medians and slowest
// answers as ratios to those alone.
func BenchmarkBesideAnalysts(b *testing.B) {
	v := &visitors{Program: programtest.NewEmbedded(b)}
	v.MustRun("demo", "--months", sized("2", "1"), "--scale", sized("1", "0.3"))
	v.Start()
	a, cookie := v.App(), v.SignIn()
	v.Applied(a)
	v.Published(a)
	closedLoop(1, sized(50, 5), v.turn)
	calls := map[string]func(){
		"kpis": func() {
			if err := v.Get("/api/dashboard/kpis", cookie, nil); err != nil {
				b.Error(err)
			}
		},
		"reply": v.turn,
	}
	times := map[string][]time.Duration{}
	ask := func(beside string) {
		for range sized(10, 1) {
			for name, call := range calls {
				began := time.Now()
				call()
				times[name+" "+beside] = append(times[name+" "+beside], time.Since(began))
			}
		}
	}
	for range sized(max(b.N, 3), 1) {
		ask("alone")
		for _, beside := range []string{"analysts", "unbounded"} {
			end := besideEndless(b, v.Program, a, beside == "analysts")
			ask(beside)
			end()
		}
	}
	for name := range calls {
		alone := slices.Sorted(slices.Values(times[name+" alone"]))
		b.ReportMetric(float64(alone[len(alone)/2].Microseconds())/1000, name+"-alone-ms")
		for _, beside := range []string{"analysts", "unbounded"} {
			with := slices.Sorted(slices.Values(times[name+" "+beside]))
			b.ReportMetric(float64(with[len(with)/2])/float64(alone[len(alone)/2]), name+"-"+beside+"-median/alone")
			b.ReportMetric(float64(with[len(with)-1])/float64(alone[len(alone)-1]), name+"-"+beside+"-slowest/alone")
		}
	}
	b.ReportMetric(0, "ns/op")
	v.allAnswered(b)
}

// besideEndless lets ten questions run that never end, by analysts or by the program's own user, and gives how to end them.
func besideEndless(b *testing.B, p *programtest.Program, a *app.App, analysts bool) (end func()) {
	b.Helper()
	own, err := url.Parse(a.At.ClickHouseURL)
	if err != nil {
		b.Fatal(err)
	}
	own.Path = "/"
	to := own.String()
	if analysts {
		to = strings.Replace(a.At.AnalystURL, "://", "://"+url.UserPassword(a.At.AnalystUser, a.At.AnalystPassword).String()+"@", 1)
	}
	var asking atomic.Int64
	for range 10 {
		asking.Add(1)
		go func() {
			defer asking.Add(-1)
			if answer, err := http.Post(to+"?max_threads=2", "text/plain", strings.NewReader("SELECT count() FROM numbers(1000000000000) WHERE cityHash64(number) = 1")); err == nil {
				answer.Body.Close()
			}
		}()
	}
	const endless = "query LIKE '%numbers(1000000000000)%' AND query NOT LIKE '%endless%'"
	tell := func(statement string) (string, error) {
		answer, err := http.Post(own.String(), "text/plain", strings.NewReader(statement+" /* endless */"))
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		said, err := io.ReadAll(answer.Body)
		return string(said), err
	}
	p.Eventually("the questions run", time.Minute, func() error { // as many as may at once
		if said, err := tell("SELECT count() > 0 FROM system.processes WHERE " + endless); err != nil || said != "1\n" {
			return fmt.Errorf("none runs: %s, %v", said, err)
		}
		return nil
	})
	return func() {
		p.Eventually("the questions have ended", time.Minute, func() error {
			// What waits runs when another one ends, and can be ended then.
			if said, err := tell("KILL QUERY WHERE " + endless + " SYNC"); err != nil || asking.Load() > 0 {
				return fmt.Errorf("ended %s, %v", said, err)
			}
			return nil
		})
	}
}
