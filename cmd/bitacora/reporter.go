package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// reporter tells how far a rebuild has come: to a person, or as JSON.
type reporter struct {
	json bool
	out  io.Writer
}

func newReporter(json bool) *reporter { return &reporter{json: json, out: os.Stdout} }

func (r *reporter) say(text string, fields ...any) {
	if !r.json {
		fmt.Fprintln(r.out, text)
		return
	}
	line := map[string]any{"message": text}
	for i := 0; i+1 < len(fields); i += 2 {
		line[fields[i].(string)] = fields[i+1]
	}
	_ = json.NewEncoder(r.out).Encode(line)
}

// progress shows how much is done until the function it gives is called.
func (r *reporter) progress(what string, done *atomic.Int64, total int64) (end func()) {
	began := time.Now()
	p := newProgress("events " + what)
	stop, ended := make(chan struct{}), make(chan struct{})
	show := func() {
		n, took := done.Load(), time.Since(began).Seconds()
		if !r.json {
			p.rate = float64(n) / took
			p.show(min(n, total), total)
			return
		}
		rate := float64(n) / took
		line := map[string]any{"step": what, "events": n, "total": total, "eventsPerSecond": rate}
		if rate > 0 {
			line["secondsLeft"] = float64(total-n) / rate
		}
		_ = json.NewEncoder(r.out).Encode(line)
	}
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				show()
			}
		}
	}()
	return func() {
		close(stop)
		<-ended
		show()
		p.done()
		n, took := done.Load(), time.Since(began)
		r.say(fmt.Sprintf("%s %d events in %v, %.0f events/s", what, n, took.Round(time.Millisecond), float64(n)/took.Seconds()),
			"step", what, "events", n, "seconds", took.Seconds())
	}
}

func (r *reporter) verified(v verification) {
	if r.json {
		_ = json.NewEncoder(r.out).Encode(v)
		return
	}
	fmt.Fprintln(r.out, v)
}
